"""Conditions on products, their categories and reviews."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.filters import Filter, Maker, make
from sqlrl.authoring.phrasing import date_words, number_text
from sqlrl.database.literals import quote

from .values import Values


def price_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["products.price"]))
    return make(
        draw,
        "products",
        f"p.price > {number}",
        (
            f"~ priced above {number}",
            f"~ with a list price above {number}",
            f"~ listed at more than {number}",
        ),
        (f"{{of}}price > {number}", f"{{of}}list price above {number}"),
        (f"{{at}}price is above {number}", f"{{at}}price > {number}"),
    )


def price_below(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["products.price"]))
    return make(
        draw,
        "products",
        f"p.price < {number}",
        (
            f"~ priced below {number}",
            f"~ with a list price under {number}",
            f"~ listed at less than {number}",
        ),
        (f"{{of}}price < {number}", f"{{of}}list price under {number}"),
        (f"{{at}}price is below {number}", f"{{at}}price < {number}"),
    )


def price_between(values: Values, draw: Draw) -> Filter:
    pair = sorted(draw.detail.sample(values.thresholds["products.price"], 2))
    low, high = number_text(pair[0]), number_text(pair[-1])
    return make(
        draw,
        "products",
        f"p.price BETWEEN {low} AND {high}",
        (
            f"~ priced from {low} to {high} inclusive",
            f"~ with a list price between {low} and {high} inclusive",
        ),
        (f"{{of}}price {low} to {high} inclusive", f"{{of}}price between {low} and {high} inclusive"),
        (f"{{at}}price is between {low} and {high} inclusive",),
    )


def cost_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["products.cost"]))
    return make(
        draw,
        "products",
        f"p.cost > {number}",
        (f"~ whose cost is above {number}", f"~ with a cost of more than {number}"),
        (f"{{of}}cost > {number}", f"{{of}}cost above {number}"),
        (f"{{at}}cost is above {number}", f"{{at}}cost > {number}"),
    )


def stock_below(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["products.stock"]))
    return make(
        draw,
        "products",
        f"p.stock < {number}",
        (f"~ with fewer than {number} units in stock", f"~ with less than {number} in stock"),
        (f"{{of}}stock < {number}", f"{{of}}stock below {number}"),
        (f"{{at}}stock is below {number}", f"{{at}}stock < {number}"),
    )


def stock_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["products.stock"]))
    return make(
        draw,
        "products",
        f"p.stock > {number}",
        (f"~ with more than {number} units in stock", f"~ with over {number} in stock"),
        (f"{{of}}stock > {number}", f"{{of}}stock above {number}"),
        (f"{{at}}stock is above {number}", f"{{at}}stock > {number}"),
    )


def discontinued(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "products",
        "p.discontinued",
        ("discontinued ~", "~ that have been discontinued"),
        ("{of}discontinued",),
        ("{at}discontinued is true", "{at}discontinued = true"),
    )


def on_sale(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "products",
        "NOT p.discontinued",
        ("~ that are not discontinued", "~ that have not been discontinued"),
        ("{of}not discontinued",),
        ("{at}discontinued is false", "{at}discontinued = false"),
    )


def launched_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.launch_years)
    return make(
        draw,
        "products",
        f"EXTRACT(YEAR FROM p.launched_on) = {year}",
        (f"~ launched in {year}", f"~ introduced in {year}", f"~ that were launched in {year}"),
        (f"{{of}}launched {year}", f"{{of}}launch year {year}"),
        (f"{{at}}launched_on is in {year}", f"{{at}}launched_on falls in {year}"),
    )


def launched_since(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.launch_months)
    return make(
        draw,
        "products",
        f"p.launched_on >= '{day}'",
        (f"~ launched on or after {date_words(day)}", f"~ launched on {date_words(day)} or later"),
        (f"{{of}}launched since {day}", f"{{of}}launched on/after {day}"),
        (f"{{at}}launched_on is on or after {day}", f"{{at}}launched_on >= {day}"),
    )


def launched_before(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.launch_months)
    return make(
        draw,
        "products",
        f"p.launched_on < '{day}'",
        (f"~ launched before {date_words(day)}", f"~ that were launched before {date_words(day)}"),
        (f"{{of}}launched before {day}",),
        (f"{{at}}launched_on is before {day}", f"{{at}}launched_on < {day}"),
    )


def category(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.categories)
    return make(
        draw,
        "categories",
        f"cat.name = {quote(name)}",
        (f"~ in the {name} category", f'~ in category "{name}"', f"~ from the {name} category"),
        (f"category {name}", f'category "{name}"'),
        (f"categories.name is '{name}'", f"the category name is '{name}'"),
    )


def category_in(values: Values, draw: Draw) -> Filter:
    one, two = draw.detail.sample(values.categories, 2)
    return make(
        draw,
        "categories",
        f"cat.name IN ({quote(one)}, {quote(two)})",
        (f"~ in the category {one} or {two}", f"~ from the {one} or {two} category"),
        (f"category {one} or {two}", f"category in ({one}, {two})"),
        (f"categories.name is '{one}' or '{two}'",),
    )


def rating_is(values: Values, draw: Draw) -> Filter:
    stars = draw.detail.pick((1, 2, 3, 4, 5))
    counted = "1 star" if stars == 1 else f"{stars} stars"
    return make(
        draw,
        "reviews",
        f"r.rating = {stars}",
        (f"{stars}-star ~", f"~ with {counted}", f"~ with a rating of {stars}"),
        (f"{{of}}rating {stars}", f"{{of}}{counted}"),
        (f"{{at}}rating is {stars}", f"{{at}}rating = {stars}"),
    )


def rating_high(values: Values, draw: Draw) -> Filter:
    stars = draw.detail.pick((3, 4))
    return make(
        draw,
        "reviews",
        f"r.rating >= {stars}",
        (f"~ with at least {stars} stars", f"~ with {stars} stars or more", f"~ rated {stars} or higher"),
        (f"{{of}}rating >= {stars}", f"{{of}}{stars}+ stars"),
        (f"{{at}}rating is at least {stars}", f"{{at}}rating >= {stars}"),
    )


def rating_low(values: Values, draw: Draw) -> Filter:
    stars = draw.detail.pick((2, 3))
    return make(
        draw,
        "reviews",
        f"r.rating <= {stars}",
        (f"~ with at most {stars} stars", f"~ with {stars} stars or fewer", f"~ rated {stars} or lower"),
        (f"{{of}}rating <= {stars}", f"{{of}}{stars} stars or less"),
        (f"{{at}}rating is at most {stars}", f"{{at}}rating <= {stars}"),
    )


def untitled(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "reviews",
        "r.title IS NULL",
        ("~ without a title", "~ with no headline", "~ that have no title"),
        ("{of}no title", "{of}without title"),
        ("{at}title is NULL", "{at}title is missing"),
    )


def titled(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "reviews",
        "r.title IS NOT NULL",
        ("~ with a title", "~ that have a headline", "~ that have a title"),
        ("{of}with title", "{of}has a title"),
        ("{at}title is not NULL", "{at}title is present"),
    )


def reviewed_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.review_years)
    return make(
        draw,
        "reviews",
        f"EXTRACT(YEAR FROM r.reviewed_on) = {year}",
        (f"~ from {year}", f"~ posted in {year}", f"~ dated {year}"),
        (f"{{of}}reviewed {year}", f"{{of}}review year {year}"),
        (f"{{at}}reviewed_on is in {year}", f"{{at}}reviewed_on falls in {year}"),
    )


PRODUCT_FILTERS: dict[str, Maker] = {
    "price_above": price_above,
    "price_below": price_below,
    "price_between": price_between,
    "cost_above": cost_above,
    "stock_below": stock_below,
    "stock_above": stock_above,
    "discontinued": discontinued,
    "on_sale": on_sale,
    "launched_year": launched_year,
    "launched_since": launched_since,
    "launched_before": launched_before,
}
CATEGORY_FILTERS: dict[str, Maker] = {"category": category, "category_in": category_in}
REVIEW_FILTERS: dict[str, Maker] = {
    "rating_is": rating_is,
    "rating_high": rating_high,
    "rating_low": rating_low,
    "untitled": untitled,
    "titled": titled,
    "reviewed_year": reviewed_year,
}
