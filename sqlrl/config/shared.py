"""What runs share: the files and settings of databases and models, and the names of timing files."""

from collections.abc import Mapping
from typing import Any

from sqlrl.config.folders import DATABASES
from sqlrl.config.sources import is_own
from sqlrl.files import canonical_json

# Sources of models that answer behind an API; each is also the name of the sampler that asks them.
SERVED = ("openai", "anthropic")
# How a model behind an API is asked: these decide speed and price, and no reply.
SERVER_KEYS = ("key_variable", "concurrency", "tokens_per_second", "retries", "price")


def timing_file(path: str) -> str:
    """The timing file of rollouts or scores, ``results/<run>/<checkpoint>/<kind>/<name>.jsonl``."""
    folder, kind, name = path.rsplit("/", 2)
    return f"{folder}/timings/{kind}-{name.removesuffix('.jsonl')}.json"


def model_source(settings: Mapping[str, Any], model: str) -> str:
    """Where a model comes from: what decides its replies, and so neither its licence nor how it is asked."""
    apart = ("licence", "causal_form", *SERVER_KEYS)
    return canonical_json({k: v for k, v in settings["models"][model].items() if k not in apart})


def server_words(settings: Mapping[str, Any], model: str | None) -> str:
    """How a model behind an API is asked, as ``key_variable=...,concurrency=8,...``; ``none`` of any other.

    A resource of a job and no file: what decides no reply must neither make one stale nor, as an input
    whose age does not count, hide what is stale below it.
    """
    own = settings["models"][model] if model else {}
    if own.get("source") not in SERVED:
        return "none"
    values = {key: own[key] for key in SERVER_KEYS if key != "price"}
    prices = {f"{side}_price": value for side, value in (own["price"] or {}).items()}
    return ",".join(f"{key}={value}" for key, value in {**values, **prices}.items())


def database_files(settings: Mapping[str, Any], database: str) -> list[str]:
    """The dumps of a database that replies are judged on: main first, then its hidden twins."""
    return [f"results/databases/{database}/main.sql", *_further_files(settings, database, "twin")]


def witness_files(settings: Mapping[str, Any], database: str) -> list[str]:
    """The dumps of a database's witnesses, which only the probing of tasks uses."""
    return _further_files(settings, database, "witness")


def database_catalogs(settings: Mapping[str, Any], database: str) -> list[str]:
    """What describes these dumps."""
    return [catalog_file(dump) for dump in database_files(settings, database)]


def catalog_file(dump: str) -> str:
    """The catalog beside a dump."""
    return dump.removesuffix(".sql") + ".json"


def notes_file(settings: Mapping[str, Any], database: str) -> str:
    """What the data of a database mean, in words; the draft where nobody has written it for an own schema."""
    written = DATABASES / database / "notes.md"
    drafted = is_own(settings, database) and not written.exists()
    return f"results/databases/{database}/notes.md" if drafted else str(written)


def schema_file(settings: Mapping[str, Any], database: str) -> str:
    """A database's statements; those of an own schema as they were loaded, without rows."""
    return f"{'results/' if is_own(settings, database) else ''}databases/{database}/schema.sql"


def engine_words(engine: Mapping[str, Any], training: bool) -> str:
    """What vLLM's engine may take, as ``memory=0.85,positions=8192,...``."""
    own = dict(engine)
    beside_trainer = own.pop("training_memory")
    values = {**own, "memory": beside_trainer} if training else own
    return ",".join(f"{key}={value}" for key, value in values.items())


def _further_files(settings: Mapping[str, Any], database: str, kind: str) -> list[str]:
    count = len(settings["databases"][database][f"{kind}_seeds"])
    return [f"results/databases/{database}/{kind}-{number}.sql" for number in range(1, count + 1)]


def database_seed(settings: Mapping[str, Any], database: str, instance: str) -> str:
    """The settings that one instance of a database is seeded with."""
    values = settings["databases"][database]
    kind, _, number = instance.partition("-")
    seed = values["seed"] if instance == "main" else values[f"{kind}_seeds"][int(number) - 1]
    return canonical_json({"seed": seed})
