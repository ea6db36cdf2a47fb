"""Values of one column: drawn from those that it has, and between them where it measures something."""

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation

from sqlrl.database.dice import Dice

# Fewer values than these are codes or grades, not measurements; so are values that repeat this often.
FEWEST_VALUES, MOST_REPEATS = 13, 10
WHOLE = {"smallint": 32767, "integer": 2**31 - 1, "bigint": 2**63 - 1}
EXACT = ("smallint", "integer", "bigint", "numeric", "real", "double precision")
MOMENTS = ("timestamp without time zone", "timestamp with time zone")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Measure:
    """A column of numbers or dates, drawn between neighbouring values so that its distribution stays."""

    def __init__(self, kind: str, texts: Sequence[str]) -> None:
        """``texts`` are the column's values as PostgreSQL writes them, with repeats.

        Raises:
            ValueError: one is no finite number or date of our era.
        """
        self._kind, self._scale = kind, 0
        if kind in EXACT:
            self._scale = max(_decimals(text) for text in texts)
        self._steps = sorted(self._number(text) for text in texts)
        self._step = math.gcd(*(one - self._steps[0] for one in self._steps)) or 1

    def draw(self, dice: Dice) -> str:
        """A value between two neighbours, a whole number of the column's steps from its least."""
        place = dice.below(len(self._steps))
        low, high = self._steps[place], self._steps[min(place + 1, len(self._steps) - 1)]
        return self._text(low + self._step * dice.below((high - low) // self._step + 1))

    def _number(self, text: str) -> int:
        if self._kind in EXACT:
            return int(Decimal(text).scaleb(self._scale))
        if self._kind == "date":
            return date.fromisoformat(text).toordinal()
        moment = datetime.fromisoformat(text)
        return (moment.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)

    def _text(self, number: int) -> str:
        if self._kind in EXACT:
            return format(Decimal(number).scaleb(-self._scale), "f")
        if self._kind == "date":
            return date.fromordinal(number).isoformat()
        moment = EPOCH + timedelta(microseconds=number)
        zone = "+00" if self._kind == MOMENTS[1] else ""
        return moment.replace(tzinfo=None).isoformat(sep=" ") + zone


def measure(kind: str, texts: Sequence[str | None]) -> Measure | None:
    """A column as a measure; None where it has no such type, or its values are codes or grades.

    Args:
        kind: its type.
        texts: its values as PostgreSQL writes them in UTC.
    """
    values = [text for text in texts if text is not None]
    distinct = len(set(values))
    if kind not in (*EXACT, "date", *MOMENTS):
        return None
    if distinct < FEWEST_VALUES or len(values) >= MOST_REPEATS * distinct:
        return None
    try:
        return Measure(kind, values)
    except (ValueError, InvalidOperation, OverflowError):
        return None  # infinity, NaN, or years before ours


def new_numbers(dice: Dice, kind: str, texts: Sequence[str], count: int) -> Iterator[str]:
    """Distinct whole numbers for a key: from the least that there is on, shuffled; ``count`` of them, then the next."""
    least = min(map(int, texts), default=1)
    first = range(least, min(WHOLE[kind], least + count))
    yield from map(str, dice.shuffled(first))
    yield from map(str, range(first.stop, WHOLE[kind] + 1))


def new_uuid(dice: Dice) -> str:
    """A UUID of the random kind."""
    digits = f"{dice.below(2**62):016x}{dice.below(2**62):016x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:]}"


def other_text(dice: Dice, text: str) -> str:
    """A text like another one: some of its letters and digits changed for others of their kind."""
    places = [place for place, letter in enumerate(text) if letter.isascii() and letter.isalnum()]
    letters = list(text)
    for _ in range(min(3, len(places))):
        place = dice.pick(places)
        first, count = (
            ("0", 10) if letters[place].isdigit() else ("a" if letters[place].islower() else "A", 26)
        )
        letters[place] = chr(ord(first) + dice.below(count))
    return "".join(letters)


def _decimals(text: str) -> int:
    exponent = Decimal(text).as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{text} is no finite number")
    return max(0, -exponent)
