"""SQL of any dialect as a row of tokens, so that a quote inside a text is not taken for one outside."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

PATTERN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:[^']|'')*')
    |(?P<double>"(?:[^"]|"")*")
    |(?P<backtick>`(?:[^`]|``)*`)
    |(?P<bracket>\[[A-Za-z_][^\]\n]*\])
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>==|<>|!=|<=|>=|\|\||::|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A piece of an SQL text: its kind, a group's name of PATTERN, and the text itself."""

    kind: str
    text: str

    @property
    def word(self) -> str:
        """In lower case, as keywords and names without quotes are read."""
        return self.text.lower()

    @property
    def inside(self) -> str:
        """What stands between the quotes, doubled ones single again."""
        return self.text[1:-1].replace(self.text[-1] * 2, self.text[-1])


def tokenise(sql: str) -> list[Token]:
    """All tokens, spaces and comments among them: joined they are the text."""
    return list(_tokens(sql))


def _tokens(sql: str) -> Iterator[Token]:
    for match in PATTERN.finditer(sql):
        yield Token(match.lastgroup or "sign", match.group())


def without_spaces(tokens: list[Token]) -> list[Token]:
    """The tokens that mean something."""
    return [token for token in tokens if token.kind != "space"]
