import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from sqlrl.config.closure import code_digest as digest_code
from sqlrl.config.products import run_products, task_products
from sqlrl.config.run import (
    database_files,
    database_seed,
    find_run,
    model_source,
    server_settings,
    timing_file,
    witness_files,
)
from sqlrl.config.settings import load_settings
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
    return expand(
        rules.write_publication.output, run=RUN.name, checkpoint=RUN.published()
    )


# -- inputs: which files a rule reads, from its wildcards ---------------------------------------------


def run_of(wildcards):
    return find_run(SETTINGS, wildcards.run)


def dumps(wildcards):
    """A database's dumps, main first."""
    return database_files(SETTINGS, wildcards.database)


def witness_dumps(wildcards):
    return witness_files(SETTINGS, wildcards.database)


def generator(wildcards):
    """generate.py, then the modules and tables of words beside it."""
    folder = Path("databases", wildcards.database)
    main = folder / "generate.py"
    others = [*folder.glob("*.py"), *folder.glob("*.toml")]
    return [str(main), *sorted(str(file) for file in others if file != main)]


def grammar(wildcards):
    """The files of a schema's grammar for the offline teacher."""
    return sorted(
        map(str, Path("databases", wildcards.database, "grammar").glob("*.py"))
    )


def run_dumps(wildcards):
    return run_of(wildcards).all_database_files()


def run_catalogs(wildcards):
    return [file.replace(".sql", ".json") for file in run_dumps(wildcards)]


def run_notes(wildcards):
    return [f"databases/{name}/notes.md" for name in run_of(wildcards).databases]


def run_schemas(wildcards):
    return [f"databases/{name}/schema.sql" for name in run_of(wildcards).databases]


def run_model(wildcards):
    return run_of(wildcards).model()


def run_server(wildcards):
    """How a model behind an API is asked. Ancient: another speed or price makes no replies stale."""
    return ancient(run_of(wildcards).server())


def model_files(wildcards):
    """The local files of a model that config names by path; none for one that is fetched."""
    source = SETTINGS["models"][wildcards.model]
    path = Path(source.get("path", ""))
    if source["source"] not in ("path", "gguf"):
        return []
    return (
        [str(path)]
        if source["source"] == "gguf"
        else sorted(str(file) for file in path.glob("*.*"))
    )


def train_tasks(wildcards):
    return run_of(wildcards).tasks("train")


def holdout_tasks(wildcards):
    return run_of(wildcards).tasks("holdout")


def dev_tasks(wildcards):
    return run_of(wildcards).tasks("dev")


def adapter_of_checkpoint(wildcards):
    return run_of(wildcards).adapter_files(wildcards.checkpoint)


def adapter_of_parent(wildcards):
    return run_of(wildcards).parent_files(wildcards.stage)


def replies_of_stage(wildcards):
    return run_of(wildcards).reply_files(wildcards.stage)


def adapter_of_band(wildcards):
    return run_of(wildcards).band_files(wildcards.stage)


def holdout_files(kind):
    """Rollouts or scores of all that a run scores on its holdout."""

    def files(wildcards):
        run = run_of(wildcards)
        return run.samples(kind, run.holdout_checkpoints(), "holdout")

    return files


def base_files(kind):
    """Rollouts or scores of the base model on a run's holdout."""

    def files(wildcards):
        return run_of(wildcards).samples(kind, ["base"], "holdout")

    return files


def base_timings(wildcards):
    """What it cost to sample and judge the base model on a run's holdout."""
    run = run_of(wildcards)
    return [
        timing_file(file)
        for kind in ("rollouts", "scores")
        for file in run.samples(kind, ["base"], "holdout")
    ]


def published_files(kind):
    """Rollouts or scores of a checkpoint on the holdout."""

    def files(wildcards):
        return run_of(wildcards).samples(kind, [wildcards.checkpoint], "holdout")

    return files


def dev_scores(wildcards):
    run = run_of(wildcards)
    return run.samples("scores", run.dev_checkpoints(), "dev")


def run_adapters(wildcards):
    return run_of(wildcards).adapters()


def run_training_logs(wildcards):
    return run_of(wildcards).training_logs()


def run_timings(wildcards):
    return run_of(wildcards).timings()


# -- params: the settings a rule uses, one canonical JSON text a section; the code it runs ----------


def section(*names):
    """A section of config.yaml that all runs share."""
    value = SETTINGS
    for name in names:
        value = value[name]
    return canonical_json(value)


def run_setting(method):
    """What a method of the run without arguments says."""

    def settings(wildcards):
        return getattr(run_of(wildcards), method)()

    return settings


def stage_setting(method):
    """What a method of the run says of the rule's stage."""

    def settings(wildcards):
        return getattr(run_of(wildcards), method)(wildcards.stage)

    return settings


def seed_of_instance(wildcards):
    return database_seed(SETTINGS, wildcards.database, wildcards.instance)


def wall_minutes(wildcards):
    """A resource, no param: another limit makes nothing stale."""
    return run_of(wildcards).stage(wildcards.stage)["wall_minutes"]


def report_to(wildcards):
    """The trackers of a run as one word; a resource likewise."""
    return ",".join(run_of(wildcards).own["report_to"]) or "none"


def model_settings(wildcards):
    return model_source(SETTINGS, wildcards.model)


def server_of_model(wildcards):
    return server_settings(SETTINGS, wildcards.model)


def sampling_settings(wildcards):
    return run_of(wildcards).sampling(wildcards.part, int(wildcards.scoring))


def sampler_kind(wildcards):
    return run_of(wildcards).own["sampler"]


def code_digest(script):
    """The digest of a script's code, for rules that use no sampler."""
    return digest_code(ROOT, script)


def sampling_code(script):
    """The digest of a script's code, counting only the sampler that the run uses."""

    def code(wildcards):
        return digest_code(ROOT, script, {"kind": sampler_kind(wildcards)})

    return code


def training_code(script):
    """The digest of a script that trains, counting only the sampler and the feed that the stage uses."""

    def code(wildcards):
        feed = run_of(wildcards).stage(wildcards.stage).get("feed", "sweep")
        chosen = {"kind": sampler_kind(wildcards), "feed": feed}
        return digest_code(ROOT, script, chosen)

    return code
