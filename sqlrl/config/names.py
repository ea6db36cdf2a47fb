"""Names that a configuration gets wrong, and what was meant."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def nearest(word: str, words: Iterable[str]) -> str:
    """A sentence that suggests the most similar word, or nothing."""
    matches = difflib.get_close_matches(str(word), list(words), n=1, cutoff=0.5)
    return f' Did you mean "{matches[0]}"?' if matches else ""


def unknown_name(place: str, name: str, known: Mapping[str, Any], what: str) -> Iterator[str]:
    """A fault where the configuration has nothing of this name."""
    if name not in known:
        yield f'{place} is "{name}", which {what} does not have. {what}: {", ".join(known)}.{nearest(name, known)}'
