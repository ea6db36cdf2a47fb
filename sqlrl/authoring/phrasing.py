"""English for questions: lists, dates, numbers, sentences."""

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal

# Written out, since strftime follows the machine's locale.
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def listing(words: Sequence[str], conjunction: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def article(words: str) -> str:
    """``a`` or ``an``, by how the first word sounds: an hourly rate, a unit price."""
    sounds_like_a_consonant = words.startswith(("uni", "usu", "one"))
    sounds_like_a_vowel = words[0] in "aeiou" and not sounds_like_a_consonant
    return "an" if sounds_like_a_vowel or words.startswith("hour") else "a"


def date_words(day: datetime.date) -> str:
    """``1 March 2025``."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month_words(day: datetime.date) -> str:
    """``March 2025``."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def number_text(value: Decimal | int | float) -> str:
    """A number without superfluous zeros: ``7.5``, ``120``. The same text serves in SQL."""
    number = Decimal(str(value))
    text = format(number.normalize(), "f")
    return "0" if text in ("-0", "") else text


def sentence(text: str) -> str:
    """The text with single spaces, no space before punctuation, and a capital at every sentence's start."""
    tidy = re.sub(r"\s+", " ", text).strip()
    tidy = re.sub(r" ([,.;:?!)])", r"\1", tidy)
    return re.sub(r"(^|[.?!] )([a-z])", lambda match: match[1] + match[2].upper(), tidy)
