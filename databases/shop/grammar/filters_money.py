"""Conditions on order items and payments."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.filters import Filter, Maker, make
from sqlrl.authoring.phrasing import number_text
from sqlrl.database.literals import quote

from .values import Values


def discounted(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "order_items",
        "oi.discount_pct IS NOT NULL",
        ("~ sold with a discount", "~ sold at a discount"),
        ("{of}discounted", "{of}with discount"),
        ("{at}discount_pct is not NULL", "{at}discount_pct is set"),
    )


def undiscounted(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "order_items",
        "oi.discount_pct IS NULL",
        ("~ sold without a discount", "~ sold with no discount"),
        ("{of}no discount", "{of}without discount"),
        ("{at}discount_pct is NULL", "{at}discount_pct is missing"),
    )


def discount_high(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["order_items.discount_pct"]))
    return make(
        draw,
        "order_items",
        f"oi.discount_pct >= {number}",
        (f"~ with a discount of at least {number} percent", f"~ with a discount of {number}% or more"),
        (f"{{of}}discount >= {number}%",),
        (f"{{at}}discount_pct is at least {number}", f"{{at}}discount_pct >= {number}"),
    )


def quantity_high(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["order_items.quantity"]))
    return make(
        draw,
        "order_items",
        f"oi.quantity >= {number}",
        (f"~ with a quantity of at least {number}", f"~ with a quantity of {number} or more"),
        (f"{{of}}quantity >= {number}",),
        (f"{{at}}quantity is at least {number}", f"{{at}}quantity >= {number}"),
    )


def unit_price_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["order_items.unit_price"]))
    return make(
        draw,
        "order_items",
        f"oi.unit_price > {number}",
        (f"~ with a unit price above {number}", f"~ with a unit price of more than {number}"),
        (f"{{of}}unit price > {number}",),
        (f"{{at}}unit_price is above {number}", f"{{at}}unit_price > {number}"),
    )


def method(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.methods)
    word = "PayPal" if name == "paypal" else name
    return make(
        draw,
        "payments",
        f"pay.method = {quote(name)}",
        (f"{word} ~", f"~ made by {word}"),
        (f"{{of}}method {name}", f"{{of}}method = {name}"),
        (f"{{at}}method is '{name}'", f"{{at}}method = '{name}'"),
    )


def method_not(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.methods)
    word = "PayPal" if name == "paypal" else name
    return make(
        draw,
        "payments",
        f"pay.method <> {quote(name)}",
        (f"~ made by any method but {word}", f"~ not made by {word}"),
        (f"{{of}}method not {name}",),
        (f"{{at}}method is not '{name}'", f"{{at}}method <> '{name}'"),
    )


def amount_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["payments.amount"]))
    return make(
        draw,
        "payments",
        f"pay.amount > {number}",
        (f"~ of more than {number}", f"~ above {number}", f"~ with an amount above {number}"),
        (f"{{of}}amount > {number}", f"{{of}}amount above {number}"),
        (f"{{at}}amount is above {number}", f"{{at}}amount > {number}"),
    )


def amount_below(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["payments.amount"]))
    return make(
        draw,
        "payments",
        f"pay.amount < {number}",
        (f"~ of less than {number}", f"~ below {number}", f"~ with an amount below {number}"),
        (f"{{of}}amount < {number}", f"{{of}}amount below {number}"),
        (f"{{at}}amount is below {number}", f"{{at}}amount < {number}"),
    )


def paid_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.payment_years)
    return make(
        draw,
        "payments",
        f"EXTRACT(YEAR FROM pay.paid_at) = {year}",
        (f"~ made in {year}", f"~ received in {year}", f"~ dated {year}"),
        (f"{{of}}paid {year}", f"{{of}}payment year {year}"),
        (f"{{at}}paid_at is in {year}", f"{{at}}paid_at falls in {year}"),
    )


ITEM_FILTERS: dict[str, Maker] = {
    "discounted": discounted,
    "undiscounted": undiscounted,
    "discount_high": discount_high,
    "quantity_high": quantity_high,
    "unit_price_above": unit_price_above,
}
PAYMENT_FILTERS: dict[str, Maker] = {
    "method": method,
    "method_not": method_not,
    "amount_above": amount_above,
    "amount_below": amount_below,
    "paid_year": paid_year,
}
