"""The few rewrites between dialects that cannot change what a query means; each only where it is asked for."""

from collections.abc import Callable, Mapping, Sequence

from sqlrl.importing.tokens import Token, tokenise


def rewrite(sql: str, names: Sequence[str]) -> str:
    """A query after some rewrites.

    Args:
        sql: in any dialect.
        names: of REWRITES, in the order in which they are made.
    """
    tokens = tokenise(sql)
    for name in names:
        tokens = REWRITES[name](tokens)
    return "".join(token.text for token in tokens)


def _backticks(tokens: list[Token]) -> list[Token]:
    return [_quoted(token) if token.kind == "backtick" else token for token in tokens]


def _quoted(token: Token) -> Token:
    return Token("double", '"' + token.inside.replace('"', '""') + '"')


def _ifnull(tokens: list[Token]) -> list[Token]:
    return [
        Token("word", "COALESCE") if token.word == "ifnull" and _next(tokens, number).text == "(" else token
        for number, token in enumerate(tokens)
    ]


def _limit(tokens: list[Token]) -> list[Token]:
    """``LIMIT a, b`` as ``LIMIT b OFFSET a``, of two numbers."""
    found = list(tokens)
    solid = [number for number, token in enumerate(tokens) if token.kind != "space"]
    for place in range(len(solid) - 3):
        limit, start, comma, count = solid[place : place + 4]
        kinds = (tokens[start].kind, tokens[comma].text, tokens[count].kind)
        if tokens[limit].word == "limit" and kinds == ("number", ",", "number"):
            found[start], found[comma], found[count] = tokens[count], Token("word", " OFFSET"), tokens[start]
            if tokens[count - 1].kind != "space":
                found[comma] = Token("word", " OFFSET ")
    return found


def _next(tokens: Sequence[Token], number: int) -> Token:
    """The token after one, spaces passed over; an empty one at the end."""
    return next((token for token in tokens[number + 1 :] if token.kind != "space"), Token("space", ""))


REWRITES: Mapping[str, Callable[[list[Token]], list[Token]]] = {
    "backticks": _backticks,
    "limit": _limit,
    "ifnull": _ifnull,
}
REWRITES_MEAN: Mapping[str, str] = {
    "backticks": '`name` as "name"',
    "limit": "LIMIT a, b as LIMIT b OFFSET a",
    "ifnull": "IFNULL(a, b) as COALESCE(a, b)",
}
