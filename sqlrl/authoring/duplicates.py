"""Finds questions that are asked already, in nearly the same words."""

import re
from dataclasses import dataclass, field

from sqlrl.authoring.statement import Statement
from sqlrl.authoring.task import normalise_question, task_id

# Words that carry nothing: two questions that differ only in them are one.
FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a an the of and or for to in on by with is are be please can could you me i we give show list return"
        " report provide need want get just only that which what who whose their its it do does have has",
    )
)


@dataclass(frozen=True)
class Duplicate:
    """Why a question is one too many: a reason code, and the question that was there first."""

    reason: str
    question: str


@dataclass
class Seen:
    """The questions kept so far.

    Attributes:
        question_similarity: share of common words (Jaccard) from which two questions are the same.
        template_similarity: the same for questions over one template, their literals left out.
    """

    question_similarity: float
    template_similarity: float
    _ids: dict[str, str] = field(default_factory=dict)
    _statements: dict[str, str] = field(default_factory=dict)
    _words: dict[frozenset[str], str] = field(default_factory=dict)
    _by_word: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    _templates: dict[str, list[tuple[frozenset[str], str]]] = field(default_factory=dict)

    def find(self, question: str, statement: Statement) -> Duplicate | None:
        """Why the question is a duplicate of a kept one, or None."""
        identity = task_id(question)
        if identity in self._ids:
            return Duplicate("duplicate_question", self._ids[identity])
        if statement.canonical in self._statements:
            return Duplicate("duplicate_sql", self._statements[statement.canonical])
        bare = content_words(question) - statement.literals
        for other, asked in self._templates.get(statement.template, ()):
            if similarity(bare, other) >= self.template_similarity:
                return Duplicate("near_duplicate_of_template", asked)
        return self._near(content_words(question))

    def keep(self, question: str, statement: Statement) -> None:
        """Remember a question that is kept."""
        words = content_words(question)
        self._ids[task_id(question)] = question
        self._statements[statement.canonical] = question
        self._words[words] = question
        for word in words:
            self._by_word.setdefault(word, []).append(words)
        bare = words - statement.literals
        self._templates.setdefault(statement.template, []).append((bare, question))

    def tasks_of(self, template: str) -> int:
        """How many kept tasks have this template."""
        return len(self._templates.get(template, ()))

    def _near(self, words: frozenset[str]) -> Duplicate | None:
        if words in self._words:
            return Duplicate("near_duplicate_question", self._words[words])
        # A question this similar shares the rarest words too, all but a few of them.
        allowed = len(words) - int(self.question_similarity * len(words))
        rarest = sorted(words, key=lambda word: (len(self._by_word.get(word, ())), word))[: allowed + 1]
        candidates = (other for word in rarest for other in self._by_word.get(word, ()))
        for other in candidates:
            if similarity(words, other) >= self.question_similarity:
                return Duplicate("near_duplicate_question", self._words[other])
        return None


def content_words(question: str) -> frozenset[str]:
    """The words of a question that carry meaning, in lower case, plurals joined with their singular."""
    words = normalise_question(question).split()
    return frozenset(_singular(word) for word in words if word not in FILLERS)


def similarity(one: frozenset[str], two: frozenset[str]) -> float:
    """Jaccard similarity, in [0, 1]: common words by all words."""
    union = len(one | two)
    return len(one & two) / union if union else 1.0


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
