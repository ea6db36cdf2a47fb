"""Conditions on orders."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.filters import Filter, Maker, make
from sqlrl.authoring.phrasing import date_words, month_words, number_text
from sqlrl.database.literals import quote

from .values import Values


def status(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.statuses)
    # "Shipped orders" could also mean all that have been shipped.
    plain = (f"~ with status {name}", f"~ whose status is {name}", f"~ with the status {name}")
    return make(
        draw,
        "orders",
        f"o.status = {quote(name)}",
        plain if name == "shipped" else (*plain, f"{name} ~", f"{name} ~"),
        (f"{{of}}status {name}", f"{{of}}status = {name}"),
        (f"{{at}}status is '{name}'", f"{{at}}status = '{name}'"),
    )


def status_in(values: Values, draw: Draw) -> Filter:
    one, two = draw.detail.sample(values.statuses, 2)
    return make(
        draw,
        "orders",
        f"o.status IN ({quote(one)}, {quote(two)})",
        (f"~ with status {one} or {two}", f"~ whose status is {one} or {two}"),
        (f"{{of}}status {one} or {two}", f"{{of}}status in ({one}, {two})"),
        (f"{{at}}status is '{one}' or '{two}'", f"{{at}}status is one of '{one}' and '{two}'"),
    )


def status_not(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.statuses)
    return make(
        draw,
        "orders",
        f"o.status <> {quote(name)}",
        (f"~ with any status but {name}", f"~ whose status is not {name}"),
        (f"{{of}}status not {name}", f"{{of}}status other than {name}"),
        (f"{{at}}status is not '{name}'", f"{{at}}status <> '{name}'"),
    )


def ordered_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.years)
    return make(
        draw,
        "orders",
        f"EXTRACT(YEAR FROM o.order_date) = {year}",
        (f"~ placed in {year}", f"~ placed during {year}", f"~ placed in the year {year}"),
        (f"{{of}}placed {year}", f"{{of}}placed in {year}"),
        (f"{{at}}order_date is in {year}", f"{{at}}order_date falls in {year}"),
    )


def ordered_month(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.months)
    return make(
        draw,
        "orders",
        f"date_trunc('month', o.order_date) = '{day}'",
        (f"~ placed in {month_words(day)}", f"~ placed during {month_words(day)}"),
        (f"{{of}}placed {month_words(day)}", f"{{of}}placed {day:%Y-%m}"),
        (f"{{at}}order_date is in {month_words(day)}", f"{{at}}order_date falls in {day:%Y-%m}"),
    )


def ordered_since(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.months[2:-2])
    return make(
        draw,
        "orders",
        f"o.order_date >= '{day}'",
        (f"~ placed on or after {date_words(day)}", f"~ placed on {date_words(day)} or later"),
        (f"{{of}}placed since {day}", f"{{of}}placed on/after {day}"),
        (f"{{at}}order_date is on or after {day}", f"{{at}}order_date >= {day}"),
    )


def ordered_before(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.months[2:-2])
    return make(
        draw,
        "orders",
        f"o.order_date < '{day}'",
        (f"~ placed before {date_words(day)}",),
        (f"{{of}}placed before {day}",),
        (f"{{at}}order_date is before {day}", f"{{at}}order_date < {day}"),
    )


def without_rep(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "orders",
        "o.sales_rep_id IS NULL",
        ("~ placed without a sales rep", "~ with no sales representative", "~ that had no sales rep"),
        ("{of}no sales rep", "{of}without sales rep"),
        ("{at}sales_rep_id is NULL", "{at}sales_rep_id is missing"),
    )


def with_rep(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "orders",
        "o.sales_rep_id IS NOT NULL",
        ("~ handled by a sales rep", "~ with a sales representative", "~ that went through a sales rep"),
        ("{of}with sales rep", "{of}has sales rep"),
        ("{at}sales_rep_id is not NULL", "{at}sales_rep_id is set"),
    )


def unshipped(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "orders",
        "o.shipped_at IS NULL",
        ("~ that have not been shipped", "~ that were never shipped", "~ without a shipping date"),
        ("{of}no ship date", "{of}never shipped"),
        ("{at}shipped_at is NULL", "{at}shipped_at is missing"),
    )


def sent(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "orders",
        "o.shipped_at IS NOT NULL",
        ("~ that have a shipping date", "~ with a shipping date"),
        ("{of}has ship date", "{of}ship date present"),
        ("{at}shipped_at is not NULL", "{at}shipped_at is set"),
    )


def fee_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["orders.shipping_fee"]))
    return make(
        draw,
        "orders",
        f"o.shipping_fee > {number}",
        (f"~ with a shipping fee above {number}", f"~ with a shipping fee of more than {number}"),
        (f"{{of}}shipping fee > {number}",),
        (f"{{at}}shipping_fee is above {number}", f"{{at}}shipping_fee > {number}"),
    )


def fee_zero(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "orders",
        "o.shipping_fee = 0",
        ("~ with free shipping", "~ with a shipping fee of zero"),
        ("{of}free shipping", "{of}shipping fee 0"),
        ("{at}shipping_fee is 0", "{at}shipping_fee = 0"),
    )


ORDER_FILTERS: dict[str, Maker] = {
    "status": status,
    "status_in": status_in,
    "status_not": status_not,
    "ordered_year": ordered_year,
    "ordered_month": ordered_month,
    "ordered_since": ordered_since,
    "ordered_before": ordered_before,
    "without_rep": without_rep,
    "with_rep": with_rep,
    "unshipped": unshipped,
    "sent": sent,
    "fee_above": fee_above,
    "fee_zero": fee_zero,
}
