"""The shop's rows: realistic, and a function of the instance, the dice and the vocabulary alone.

Standard library only. Money is counted in whole cents; prices are multiples of 0.20 and discounts
of 5%, so that every revenue is a whole number of cents and few averages end on half a cent.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from databases.shop.instance import FIRST_DAY, Profile, round_price, twin_profile
from databases.shop.trade import make_items, make_orders, make_payments, make_reviews
from sqlrl.database.dice import Dice
from sqlrl.database.instance import Instance, Row, money, open_instance

BEFORE = FIRST_DAY - timedelta(days=1)
SALARIES = [(140, 165), (82, 118), (46, 80), (34, 70)]  # thousands, by level
PLAIN_LETTERS = str.maketrans("áãåäąćçéèêëęíìîłñńóòôõöøōśšúüūýżź", "aaaaacceeeeeiiilnnooooooossuuuyzz")


def generate(name: str, dice: Dice) -> dict[str, list[Row]]:
    """All rows of one instance, table by table, referenced tables first.

    Args:
        name: ``main``, or a twin, which has other counts, ids, links, prices and rates of NULL.
        dice: the source of every choice.
    """
    shop = open_instance(name, dice, Path(__file__).parent, Profile(), twin_profile)
    categories = make_categories(shop)
    products = make_products(shop, {row["name"]: row["id"] for row in categories})
    customers = make_customers(shop)
    employees = make_employees(shop)
    orders = make_orders(shop, customers, employees)
    items = make_items(shop, orders, products)
    return {
        "categories": categories,
        "products": products,
        "customers": customers,
        "employees": employees,
        "orders": orders,
        "order_items": items,
        "payments": make_payments(shop, orders, items),
        "reviews": make_reviews(shop, orders, items, products, customers),
    }


def make_categories(shop: Instance[Profile]) -> list[Row]:
    """Two levels; some top-level categories have nothing below them."""
    core, more = shop.vocabulary["categories"]["core"], shop.vocabulary["categories"]["more"]
    further = [(child, top) for top in more for child in more[top]]
    further += [(top, None) for top in more if top not in core]
    pairs = [(top, None) for top in core] + [(child, top) for top in core for child in core[top]]
    pairs += shop.some("categories", further)
    ids = dict(zip([name for name, _ in pairs], shop.ids("categories", len(pairs)), strict=True))
    return [{"id": ids[name], "name": name, "parent_id": ids.get(parent)} for name, parent in pairs]


def make_products(shop: Instance[Profile], categories: Mapping[str, int]) -> list[Row]:
    """List prices near the vocabulary's; a few products are sold below cost, some are out of stock."""
    entries = shop.entries("products")
    ids = shop.ids("products", len(entries))
    return [
        {"id": product, "name": name, "category_id": categories[category]}
        | _product_facts(shop, shop.dice.of("product", name), price)
        for product, (name, category, price) in zip(ids, entries, strict=True)
    ]


def _product_facts(shop: Instance[Profile], dice: Dice, usual_price: str) -> Row:
    price = int(Decimal(usual_price) * 100)
    if not shop.is_main and price % 1000:
        percent = dice.between(85, 115) if dice.happens(50) else 100
        price = shop.near_round_number(dice, round_price(price * percent // 100), 100)
    share = dice.between(101, 108) if dice.happens(4) else dice.between(42, 78)
    discontinued = dice.happens(12)
    is_old = discontinued or dice.happens(62)
    in_stock = not dice.happens(80 if discontinued else 8)
    stock = dice.between(2, 40) * dice.between(1, 6) if in_stock else 0
    launched_on = dice.day(*((date(2021, 3, 1), BEFORE) if is_old else (FIRST_DAY, date(2025, 11, 20))))
    return {
        "price": money(price),
        "cost": money(shop.near_round_number(dice, round_price(price * share // 100), 100)),
        "stock": shop.near_round_number(dice, stock),
        "launched_on": shop.near_edge(dice, launched_on, 3),
        "discontinued": discontinued,
    }


def make_customers(shop: Instance[Profile]) -> list[Row]:
    """Customers in the order of their first day; a few of them bring in most of the referred ones."""
    dice, cities = shop.dice.of("customers"), shop.vocabulary["cities"]
    core, more = shop.vocabulary["customers"]["core"], shop.vocabulary["customers"]["more"]
    people = [(name, home) for home in core for name in core[home]]
    people = dice.shuffled(
        people + shop.some("customers", [(name, home) for home in more for name in more[home]])
    )
    early, late = (date(2023, 2, 1), BEFORE), (FIRST_DAY, date(2025, 11, 15))
    days = sorted(shop.near_edge(dice, dice.day(*(early if dice.happens(45) else late)), 3) for _ in people)
    rows: list[Row] = []
    eager: dict[int, int] = {}
    for customer, day, (name, home) in zip(shop.ids("customers", len(people)), days, people, strict=True):
        country = home if dice.happens(shop.profile.at_home) else dice.pick(list(cities))
        referrer = dice.weighted(eager) if eager and dice.happens(shop.profile.referred) else None
        rows.append(
            {
                "id": customer,
                "name": name,
                "email": f"{_plain(name)}@{dice.pick(['example.com', 'example.org', 'example.net'])}",
                "country": country,
                "city": dice.pick(cities[country]),
                "signed_up_on": day,
                "referred_by": referrer,
            }
        )
        eager[customer] = dice.weighted({0: 50, 1: 30, 4: 12, 14: 8}) or (1 if len(rows) == 1 else 0)
    return rows


def make_employees(shop: Instance[Profile]) -> list[Row]:
    """A tree of managers below one head; members report to a lead, their head or an older colleague."""
    roster = sorted(shop.entries("employees"), key=lambda entry: entry[3])
    rows: list[Row] = []
    taken: set[int] = set()
    for employee, (name, title, department, level) in zip(
        shop.ids("employees", len(roster)), roster, strict=True
    ):
        dice = shop.dice.of("employee", name)
        salary = _new_salary(shop, dice, level, taken)
        taken.add(salary)
        rows.append(
            {
                "id": employee,
                "name": name,
                "job_title": title,
                "department": department,
                "salary": money(salary * 50_000),
                "hired_on": shop.near_edge(
                    dice, dice.day(date(2014 + 2 * level, 3, 1), date(2022 + level, 6, 30)), 12
                ),
                "manager_id": _manager(dice, level, rows, roster, department),
            }
        )
    return rows


def _new_salary(shop: Instance[Profile], dice: Dice, level: int, taken: set[int]) -> int:
    """In units of 500, on a twin more whole thousands; nobody earns the same, so that no ranking has a tie."""
    low, high = SALARIES[level]
    salary = 0
    while not salary or salary in taken:
        is_whole = not shop.is_main and dice.happens(60)
        salary = 2 * dice.between(low, high) if is_whole else dice.between(2 * low, 2 * high)
    return salary


def _manager(dice: Dice, level: int, rows: list[Row], roster: list[Any], department: str) -> int | None:
    """The head for heads of departments; below them somebody of the department, most often a lead."""
    if level == 0:
        return None
    likely = {1: 25, 2: 60, 3: 6}
    weights = {
        row["id"]: likely[entry[3]]
        for row, entry in zip(rows, roster, strict=False)
        if level > 1 and entry[3] > 0 and entry[2] == department
    }
    return dice.weighted(weights) if weights else int(rows[0]["id"])


def _plain(name: str) -> str:
    """A name as the first part of an address: ``Sofía Navarro`` gives ``sofia.navarro``."""
    letters = name.lower().replace("ß", "ss").translate(PLAIN_LETTERS)
    return "".join(letter for letter in letters.replace(" ", ".") if letter.isascii() and letter != "'")
