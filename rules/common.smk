import os
import sys
from functools import partial
from pathlib import Path

from snakemake.exceptions import WorkflowError

from sqlrl.config.comparison import (
    compared_claims,
    compared_reports,
    compared_scores,
    compared_tasks,
    comparison_products,
    comparison_settings,
)
from sqlrl.config.folders import (
    generator_files,
    model_files,
    other_templates,
    own_files,
    report_templates,
    run_template,
)
from sqlrl.config.products import (
    row_products,
    run_products,
    task_products,
    task_records,
)
from sqlrl.config.remembered import CodeDigests
from sqlrl.config.reviewing import (
    bootstrap_settings,
    review_settings,
    solver_engine,
    solver_input,
    solver_kind,
    solver_server,
    solving_prompt,
    solving_settings,
)
from sqlrl.config.run import find_run
from sqlrl.config.settings import load_settings
from sqlrl.config.shared import (
    database_catalogs,
    database_files,
    database_seed,
    model_source,
    notes_file,
    witness_files,
)
from sqlrl.config.sources import (
    databases_from,
    live_folders,
    live_variables,
    snapshot_settings,
)
from sqlrl.config.teachers import (
    authoring_settings,
    screening_settings,
    spending_limit,
    teacher_input,
    teacher_of,
    teacher_server,
    teaching_kind,
)
from sqlrl.errors import UserError
from sqlrl.files import canonical_json

ROOT = Path(workflow.basedir)


def checked_settings():
    """config.yaml with its defaults; a fault in it stops Snakemake with one clear message."""
    try:
        source = os.path.relpath((workflow.configfiles or ["config.yaml"])[-1])
        return load_settings(ROOT, config, source)
    except UserError as error:
        raise WorkflowError(str(error)) from error


SETTINGS = checked_settings()
CODE = CodeDigests(ROOT)
RUN = find_run(SETTINGS, SETTINGS["run"])

# The jobs run in the Python that runs Snakemake. Freed memory stays with a process: giving each large
# tensor back to the kernel costs a CPU job most of its time in page faults.
shell.prefix(
    "set -euo pipefail; "
    f"export PATH={str(Path(sys.executable).parent)!r}:$PATH PYTHONPATH={str(ROOT)!r} PYTHONHASHSEED=0 "
    "MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=17179869184 MALLOC_TRIM_THRESHOLD_=17179869184; "
)


def stages_of_kind(kind):
    """A wildcard constraint: the names of all stages of this kind, in any run."""
    names = {
        name
        for run in SETTINGS["runs"].values()
        for name, stage in run["stages"].items()
        if stage["kind"] == kind
    }
    return "|".join(sorted(names)) or "no-stage-of-this-kind"


def databases_of_source(*sources):
    """A wildcard constraint: the names of all databases whose data come from one of these sources."""
    return "|".join(databases_from(SETTINGS, *sources)) or "no-database-of-this-source"


wildcard_constraints:
    run="|".join(SETTINGS["runs"]),
    database="|".join(SETTINGS["databases"]),
    instance=r"main|(twin|witness)-\d+",
    model="|".join(SETTINGS["models"]),
    stage=r"[a-z0-9.-]+",
    checkpoint=r"[a-z0-9.-]+(@\d+)?",
    part="train|dev|holdout",
    scoring=r"\d+",
    step=r"\d+",


def publication(wildcards):
    """All files of the checkpoint that the chosen run publishes."""
    files = expand(
        rules.write_publication.output, run=RUN.name, checkpoint=RUN.published()
    )
    if not RUN.has_causal_form():
        return files
    return files + expand(
        rules.write_causal_form.output, run=RUN.name, checkpoint=RUN.published()
    )


# -- inputs, params and resources: what the library says of a rule's wildcards ------------------------


def told(wildcards, function, names, words):
    """What a function says; its fault stops Snakemake with one clear message."""
    try:
        return function(*[getattr(wildcards, name) for name in names], **words)
    except UserError as error:
        raise WorkflowError(str(error)) from error


def of(function, *names, **words):
    """What a function says of the rule's wildcards of these names."""

    def value(wildcards):
        return told(wildcards, function, names, words)

    return value


def of_settings(function, *names, **words):
    """What a function of the settings says of the rule's wildcards of these names."""

    def value(wildcards):
        return told(wildcards, partial(function, SETTINGS), names, words)

    return value


def of_run(method, *names, **words):
    """What a method of the run says of the rule's wildcards of these names."""

    def value(wildcards):
        return told(wildcards, getattr(run_of(wildcards), method), names, words)

    return value


def run_of(wildcards):
    return find_run(SETTINGS, wildcards.run)


def section(*names):
    """A section of config.yaml that all runs share."""
    value = SETTINGS
    for name in names:
        value = value[name]
    return canonical_json(value)


# -- environments, for --sdm conda ---------------------------------------------------------------------


def environment_of(kind):
    """The environment of a job that computes with a model by this sampler."""
    return str(ROOT / "envs" / ("gpu.yaml" if kind == "vllm" else "laptop.yaml"))


def environment(wildcards):
    return environment_of(run_of(wildcards).sampler())


# -- the code that a rule runs -------------------------------------------------------------------------


onstart:
    CODE.remember()


def code_digest(script):
    """The digest of a script's code, for rules that use no sampler."""
    return CODE.digest(script)


def sampling_code(script):
    """The digest of a script's code, counting only the sampler that the run uses."""

    def code(wildcards):
        return CODE.digest(script, {"kind": run_of(wildcards).sampler()})

    return code


def training_code(script):
    """The digest of a script that trains, counting only the sampler and the feed that the stage uses."""

    def code(wildcards):
        return code_of_training(run_of(wildcards), wildcards.stage, script)

    return code


def code_of_training(run, stage, script):
    return CODE.digest(script, {"kind": run.sampler(), "feed": run.feed(stage)})


def authoring_code(script):
    """The digest of a script's code, counting only the teacher of the database."""

    def code(wildcards):
        database = wildcards.database
        chosen = {
            "teacher": teacher_of(SETTINGS, database),
            "kind": teaching_kind(SETTINGS, database),
        }
        return CODE.digest(script, chosen)

    return code


def solving_code(script):
    """The digest of a script's code, counting only what draws the solver's replies."""
    return CODE.digest(script, {"kind": solver_kind(SETTINGS)})


# -- what reports check ---------------------------------------------------------------------------------


def provenance(wildcards):
    """The settings and the code that all of a run should have been made with."""
    run = run_of(wildcards)
    code = {
        stage: code_of_training(
            run, stage, f"scripts/train_{run.stage(stage)['kind']}.py"
        )
        for stage in run.stages
    }
    return run.provenance({**code_of_samples(wildcards), "stages": code})


def base_provenance(wildcards):
    """The same of what is sampled from the base alone."""
    return run_of(wildcards).base_provenance(
        {**code_of_samples(wildcards), "stages": {}}
    )


def code_of_samples(wildcards):
    """The digests of the code that samples and judges."""
    return {
        "rollouts": sampling_code("scripts/rollout.py")(wildcards),
        "scores": code_digest("scripts/score.py"),
    }
