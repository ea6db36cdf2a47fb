"""Archetype date and time, hard: what happens how soon after a customer's sign-up."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .compose import Shop, maybe, narrow
from .frames import choose, fill
from .tables import NOUNS

# (child table with alias, how it meets the customer, its date, what the customer did)
EVENTS = (
    ("orders", "o", "order_date", "placed"),
    ("reviews", "r", "reviewed_on", "wrote"),
)
SOON = {
    "casual": ("Which {rows} {did}? Just names.", "Which of the {rows} {did}? The names will do."),
    "formal": ("Among {rows}, please list the names of those who {did}.",),
    "terse": ("names of {rows}: {short} within {days} days of sign-up",),
    "analyst": (
        "Return the name of {rows} with {some} whose {date} is from 0 to {days} days after signed_up_on.",
    ),
}
SOON_COUNT = {
    "casual": ("How many {rows} {did}?", "How many of the {rows} {did}?"),
    "formal": ("Please report how many {rows} {did}.", "Among {rows}, please count those who {did}."),
    "terse": ("count {rows}: {short} within {days} days of sign-up",),
    "analyst": ("Count {rows} with {some} whose {date} is from 0 to {days} days after signed_up_on.",),
}
WAIT = {
    "casual": (
        (
            "By {said} of the customer, what's the {word} number of days from sign-up to the first"
            " of the {rows}? Give me"
            " the {label} and the days; ignore customers without one."
        ),
    ),
    "formal": (
        (
            "Please report, per {said} of the customer, the {label} and the {word} number of days"
            " from sign-up to the"
            " customer's first of the {rows}. Customers without one do not count."
        ),
    ),
    "terse": (
        (
            "{word} days from sign-up to first of customer's {rows}, per {said}; {label}, days; only"
            " customers with one"
        ),
    ),
    "analyst": (
        (
            "Per customer, take the earliest {date} over {rows}; for each {said} return the {label}"
            " and the {word} of that"
            " date minus signed_up_on."
        ),
    ),
}


def soon_after(shop: Shop, draw: Draw, style: str) -> Draft:
    """Customers with or without an event within some days of their sign-up."""
    days = draw.detail.pick((14, 30, 45, 60, 90, 120))
    table, alias, date, verb = draw.structure.pick(EVENTS)
    scope = narrow(shop, draw, "customers", ["customers"])
    event = narrow(shop, draw, table, maybe(draw, 0.5, table), ("ordered", "reviewed"))
    count, negative = draw.structure.chance(0.5), draw.structure.chance(0.4)
    within = f"{alias}.{date} BETWEEN c.signed_up_on AND c.signed_up_on + {days}"
    inner = " AND ".join([f"{alias}.customer_id = c.id", within, *event.where()])
    test = f"{'NOT ' if negative else ''}EXISTS (SELECT 1 FROM {table} {alias} WHERE {inner})"
    sql = Select(("COUNT(*)",) if count else ("c.name",), scope.source(), (*scope.where(), test))
    some = "no" if negative else "some"
    question = fill(
        choose(draw, style, SOON_COUNT if count else SOON),
        rows=scope.rows(style),
        did=f"{verb} {some} {event.plain(NOUNS[table][1])} within {days} days of signing up, counting the day itself",
        short=f"{some} {', '.join([NOUNS[table][1], *event.keywords()])},",
        some=f"{some} {table}{event.clauses()},",
        date=date,
        days=str(days),
    )
    return Draft(question, sql)


def wait_for_first(shop: Shop, draw: Draw, style: str) -> Draft:
    """The wait from sign-up to the first event, per group of customers."""
    key, said, label = draw.structure.pick(
        (
            ("c.country", "country", "country"),
            ("EXTRACT(YEAR FROM c.signed_up_on)", "sign-up year", "year"),
            ("c.city", "city", "city"),
        )
    )
    base, alias, date, _ = draw.structure.pick(EVENTS)
    function, word = draw.structure.pick((("AVG", "average"), ("MAX", "highest"), ("MIN", "lowest")))
    scope = narrow(shop, draw, base, maybe(draw, 0.6, base), ("ordered", "reviewed"))
    columns = (f"{alias}.customer_id", f"MIN({alias}.{date}) AS first_day")
    inner = Select(columns, scope.source(), scope.where(), (f"{alias}.customer_id",)).text()
    sql = (
        f"WITH firsts AS ({inner}) SELECT {key}, {function}(f.first_day - c.signed_up_on)"
        f" FROM firsts f JOIN customers c ON f.customer_id = c.id GROUP BY {key}"
    )
    rows = scope.rows(style)
    if not scope.filters and style != "analyst":
        rows = f"{NOUNS[base][1]}"
    return Draft(
        fill(choose(draw, style, WAIT), said=said, label=label, word=word, rows=rows, date=date), sql
    )
