"""Words from the names of tables and columns: split, in singular and plural, with abbreviations written out."""

import re

# Words whose plural or singular no rule gives.
PLURALS = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "foot": "feet",
    "tooth": "teeth",
    "goose": "geese",
    "mouse": "mice",
    "datum": "data",
    "medium": "media",
    "criterion": "criteria",
    "index": "indexes",
    "leaf": "leaves",
    "shelf": "shelves",
    "half": "halves",
    "wolf": "wolves",
    "knife": "knives",
    "life": "lives",
    "quiz": "quizzes",
    "bus": "buses",
    "gas": "gases",
    "movie": "movies",
    "cookie": "cookies",
    "zombie": "zombies",
    "calorie": "calories",
    "hero": "heroes",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "cache": "caches",
    "axe": "axes",
    "shoe": "shoes",
    "toe": "toes",
    "ache": "aches",
    "niche": "niches",
    "lens": "lenses",
    "canvas": "canvases",
    "atlas": "atlases",
}
SINGULARS = {many: one for one, many in PLURALS.items()}


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


UNCHANGED = word_set(
    "series species staff news equipment information software hardware feedback metadata data media personnel"
    " aircraft sheep fish deer money merchandise"
)
ABBREVIATIONS = {
    "qty": "quantity",
    "amt": "amount",
    "pct": "percentage",
    "perc": "percentage",
    "num": "number",
    "nr": "number",
    "desc": "description",
    "descr": "description",
    "addr": "address",
    "cnt": "count",
    "avg": "average",
    "dept": "department",
    "emp": "employee",
    "cust": "customer",
    "prod": "product",
    "cat": "category",
    "dob": "birth date",
    "tel": "telephone",
}
PREPOSITIONS = word_set("by to from for of in at on with via until since")
PREFIXES = ("tbl", "tb")
# A comment of so many words, letters alone, may stand for a name.
LONGEST_COMMENT = 3


def split_words(name: str) -> list[str]:
    """``OrderItems``, ``order_items`` and ``Order Items`` give order and items."""
    text = re.sub(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W_A-Z\d])", " ", name)
    return [word.lower() for word in re.split(r"[\W_]+", text) if word]


def singular(word: str) -> str:
    """One of what a word in the plural names; a word in the singular as it is."""
    if word in UNCHANGED or word in PLURALS:
        return word
    if word in SINGULARS:
        return SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(^the|hypothe|synthe|analy|diagno|progno|^cri|empha|synop)ses$", word):
        return f"{word[:-2]}is"
    if re.search(r"(ss|sh|ch|x|zz|[^aeo]us|ias)es$", word):
        return word[:-2]
    if word.endswith("s") and not re.search(r"(ss|us|is)$", word) and len(word) > 3:
        return word[:-1]
    return word


def plural(word: str) -> str:
    """Several of what a word in the singular names."""
    if word in UNCHANGED:
        return word
    if word in PLURALS:
        return PLURALS[word]
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    if word.endswith("sis"):
        return f"{word[:-2]}es"
    if re.search(r"(s|x|z|ch|sh)$", word):
        return f"{word}es"
    return f"{word}s"


def plural_words(words: str) -> str:
    """The plural of a noun of several words, such as order id; what follows it in brackets stays."""
    noun, bracket, tail = words.partition(" (")
    head, _, last = noun.rpartition(" ")
    return f"{head} {plural(last)}".strip() + bracket + tail


def be(label: str) -> str:
    """The verb after a label: price is, seats are."""
    last = label.split()[-1]
    return "are" if re.search(r"[^sui]s$", last) and last not in UNCHANGED else "is"


def beside(noun: str, label: str) -> str:
    """A label with the noun of its row before it, such that no word stands there twice."""
    first, _, rest = label.partition(" ")
    if label.startswith(f"{noun} "):
        return label
    return f"{noun} {rest}" if rest and noun.split()[-1] == first else f"{noun} {label}"


def bare(noun: str, label: str) -> str:
    """A label for words that say the noun before it."""
    first, _, rest = label.partition(" ")
    if label.startswith(f"{noun} "):
        return label.removeprefix(f"{noun} ")
    return rest if rest and noun.split()[-1] == first else label


def table_noun(name: str, comment: str | None) -> tuple[str, str]:
    """What one row and several rows of a table are called."""
    words = _said(comment) or split_words(name) or [name]
    if words[0] in PREFIXES and len(words) > 1:
        words = words[1:]
    *first, last = words
    one = singular(last)
    several = last if one != last and last not in UNCHANGED else plural(one)
    return " ".join([*first, one]), " ".join([*first, several])


def column_words(name: str, comment: str | None = None) -> str:
    """What a column is called."""
    words = _said(comment) or split_words(name) or [name]
    written = [ABBREVIATIONS.get(word, word) for word in words]
    if len(written) > 1 and written[-1] == "no":
        written[-1] = "number"
    return " ".join(written)


def date_label(words: str) -> str:
    """The same of a date, such that the word date is in it: order date, shipped date."""
    kept = words.split()
    if "date" in kept:
        return words
    if kept[0] in PREPOSITIONS and len(kept) == 1:
        return f'"{words}" date'
    while len(kept) > 1 and kept[-1] in ("at", "on", "time", "timestamp", "ts", "datetime"):
        kept.pop()
    return " ".join([*kept, "date"])


def flag_label(words: str) -> str:
    """The same of what is true or false."""
    bare = words.removeprefix("is ")
    return bare if bare.endswith("flag") else f"{bare} flag"


def identifier(*parts: str) -> str:
    """A name that SQL needs no quotes for."""
    text = "_".join(word for part in parts for word in split_words(part))
    plain = re.sub(r"[^a-z0-9_]", "", text)[:50].strip("_")
    return plain if re.match(r"[a-z]", plain) else f"c_{plain}"


def initials(words: str) -> str:
    """Where an alias starts: oi of order items."""
    letters = "".join(word[0] for word in words.split())
    return letters if re.fullmatch(r"[a-z]+", letters) else "r"


def _said(comment: str | None) -> list[str]:
    """The words of a comment that is no more than a name; none of another."""
    text = (comment or "").strip()
    short = re.fullmatch(r"[A-Za-z]+(?: [A-Za-z]+)*", text) and len(text.split()) <= LONGEST_COMMENT
    return text.casefold().split() if short else []
