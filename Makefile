# Two commands: `make delta_report` builds the run of config.yaml, `make test` checks the project.
# Both install what they need into .venv from the pinned locks in envs/.

PYTHON ?= python3
VENV := .venv
SNAKEMAKE_ARGS ?=

.PHONY: delta_report test

delta_report: $(VENV)/laptop.installed
	$(VENV)/bin/python -m scripts.build delta_report $(SNAKEMAKE_ARGS)

test: $(VENV)/dev.installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/snakefmt --check Snakefile rules
	$(VENV)/bin/snakemake --lint
	$(VENV)/bin/python -m pytest -q -m "not slow"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: Python 3.11 or newer is needed; $(PYTHON) is" `$(PYTHON) --version 2>&1`". Try: make PYTHON=python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/%.installed: envs/%.txt | $(VENV)/bin/python
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
