"""What happens in the shop: orders, what is in them, what was paid, what people said of it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from databases.shop.instance import (
    BUSY_MONTHS,
    FIRST_DAY,
    LAST_DAY,
    MONTHS,
    Profile,
    round_price,
)
from sqlrl.database.dice import Dice
from sqlrl.database.instance import Instance, Row, money

OPEN_SINCE = date(2025, 11, 10)  # younger orders are often still on their way
DISCONTINUED_ON = date(2025, 4, 1)
LAST_SECOND = datetime.combine(LAST_DAY, time(23, 59, 59))
SHIPPED = ("shipped", "delivered", "returned")
FEES = {0: 30, 380: 25, 480: 20, 680: 12, 980: 8, 1480: 5}
DISCOUNTS = {5: 30, 10: 34, 15: 14, 20: 12, 25: 6, 30: 4}
METHODS = {"card": 52, "paypal": 26, "bank transfer": 15, "gift card": 7}
TASTES = [
    {5: 52, 4: 30, 3: 10, 2: 5, 1: 3},
    {5: 30, 4: 32, 3: 20, 2: 10, 1: 8},
    {5: 8, 4: 14, 3: 26, 2: 28, 1: 24},
]


def make_orders(shop: Instance[Profile], customers: Sequence[Row], employees: Sequence[Row]) -> list[Row]:
    """Two years of orders by customers who had signed up and representatives who were there."""
    dice = shop.dice.of("orders")
    loyalty = {row["id"]: dice.weighted({0: 14, 1: 28, 2: 28, 4: 20, 7: 10}) for row in customers}
    sellers = [row for row in employees if row["department"] == "Sales"]
    idle = dice.pick(sellers)["id"]
    diligence = {row["id"]: 0 if row["id"] == idle else dice.between(1, 6) for row in sellers}
    days = _order_days(shop, dice)
    rows = []
    for order, day in zip(shop.ids("orders", len(days)), days, strict=True):
        buyers = {row["id"]: loyalty[row["id"]] for row in customers if row["signed_up_on"] <= day}
        present = {row["id"]: diligence[row["id"]] for row in sellers if row["hired_on"] <= day}
        by_rep = dice.happens(shop.profile.with_sales_rep) and sum(present.values()) > 0
        status, shipped_at = _fate(shop, dice, day)
        rows.append(
            {
                "id": order,
                "customer_id": dice.weighted(buyers),
                "sales_rep_id": dice.weighted(present) if by_rep else None,
                "order_date": day,
                "shipped_at": shipped_at,
                "status": status,
                "shipping_fee": money(dice.weighted(FEES)),
            }
        )
    return rows


def _order_days(shop: Instance[Profile], dice: Dice) -> list[date]:
    """Nearly in order, busier from year to year; first and last days of months are popular.

    Those days tell ``<`` from ``<=`` apart at the edges of a month or year.
    """
    weights = {month: BUSY_MONTHS.get(month.month, 10) + (4 if month.year == 2025 else 0) for month in MONTHS}
    weights[shop.profile.month_without_orders] = 0
    days = [FIRST_DAY, *[date(2024, 12, 31)] * 3, date(2025, 1, 1), LAST_DAY]
    while len(days) < shop.profile.orders:
        first = dice.weighted(weights)
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        days.append(
            dice.pick([first, last]) if dice.happens(shop.profile.at_month_edges) else dice.day(first, last)
        )
    days.sort()
    for _ in range(len(days) // 20):
        one, other = dice.below(len(days)), dice.below(len(days))
        days[one], days[other] = days[other], days[one]
    return days


def _fate(shop: Instance[Profile], dice: Dice, day: date) -> tuple[str, datetime | None]:
    """Status, and when the order left: never for those pending or cancelled.

    On the last day of a month everything leaves at once, so that moments too lie on both sides of
    the edges of months and years.
    """
    usual = shop.profile
    weights = {
        "delivered": usual.delivered,
        "shipped": usual.shipped,
        "returned": usual.returned,
        "cancelled": usual.cancelled,
        "pending": usual.pending,
    }
    if day >= OPEN_SINCE:
        weights |= {"delivered": 15, "shipped": 30, "returned": 2, "pending": 45}
    status = dice.weighted(weights)
    days = min(dice.between(0, usual.slowest_shipping), dice.between(0, usual.slowest_shipping))
    is_last_of_month = (day + timedelta(days=1)).day == 1
    shipped_at = _moment(dice, day if is_last_of_month else day + timedelta(days=days), 7, 19)
    if status not in SHIPPED:
        return status, None
    return (status, shipped_at) if shipped_at <= LAST_SECOND else ("pending", None)


def make_items(shop: Instance[Profile], orders: Sequence[Row], products: Sequence[Row]) -> list[Row]:
    """One to five different products an order, none before its launch or after its end."""
    popularity = {
        row["id"]: shop.dice.of("popularity", row["name"]).weighted({0: 9, 1: 30, 3: 40, 6: 21})
        for row in products
    }
    by_id = {row["id"]: row for row in products}
    rows = []
    for order in orders:
        dice = shop.dice.of("items", order["id"])
        on_sale = _on_sale(popularity, by_id, order["order_date"])
        for _ in range(dice.weighted({1: 30, 2: 30, 3: 20, 4: 12, 5: 8})):
            product = dice.weighted(on_sale)
            del on_sale[product]
            rows.append({"order_id": order["id"]} | _item(shop, dice, by_id[product]))
    return rows


def _on_sale(popularity: Mapping[int, int], products: Mapping[int, Row], day: date) -> dict[int, int]:
    """The popularity of the products that are sold on a day."""
    return {
        product: weight
        for product, weight in popularity.items()
        if products[product]["launched_on"] <= day
        and not (products[product]["discontinued"] and day >= DISCONTINUED_ON)
    }


def _item(shop: Instance[Profile], dice: Dice, product: Row) -> Row:
    list_price = int(product["price"] * 100)
    percent = dice.weighted({100: 58, 95: 14, 90: 10, 105: 12, 110: 6})
    is_dear = list_price > 25_000
    return {
        "product_id": product["id"],
        "quantity": dice.weighted({1: 80, 2: 20} if is_dear else {1: 44, 2: 28, 3: 14, 4: 8, 6: 4, 10: 2}),
        "unit_price": money(round_price(list_price * percent // 100)),
        "discount_pct": dice.weighted(DISCOUNTS) if dice.happens(shop.profile.discounted) else None,
    }


def make_payments(shop: Instance[Profile], orders: Sequence[Row], items: Sequence[Row]) -> list[Row]:
    """Most orders are paid in full, some in parts, some in part only, some not at all."""
    due = {order["id"]: int(order["shipping_fee"] * 100) for order in orders}
    for item in items:
        gross = int(item["quantity"] * item["unit_price"] * 100)
        due[item["order_id"]] += gross * (100 - (item["discount_pct"] or 0)) // 100
    paid = []
    for order in orders:
        dice = shop.dice.of("payments", order["id"])
        moment = _moment(dice, order["order_date"], 8, 22)
        for cents in _parts(shop, dice, order["status"], due[order["id"]]):
            if moment <= LAST_SECOND:
                paid.append((moment, order["id"], dice.weighted(METHODS), cents))
            moment += timedelta(days=dice.between(1, 30), seconds=dice.between(0, 7000))
    paid.sort()
    return [
        {"id": payment, "order_id": order, "method": method, "amount": money(cents), "paid_at": moment}
        for payment, (moment, order, method, cents) in zip(shop.ids("payments", len(paid)), paid, strict=True)
    ]


def _parts(shop: Instance[Profile], dice: Dice, status: str, due: int) -> list[int]:
    """The amounts, in cents, that are paid for an order of this status."""
    never = {"cancelled": 72, "pending": 55}.get(status, 4)
    if dice.happens(never):
        return []
    in_parts = {"in two": 11, "in three": 6, "in part": 9}
    way = dice.weighted({"at once": shop.profile.paid_at_once, **in_parts})
    first = shop.near_round_number(dice, due * dice.between(25, 60) // 100, 100)
    first = min(first, due * 60 // 100)  # so that all three parts are above 0
    if way == "in part":
        return [first]
    if way == "in two":
        return [first, due - first]
    if way == "in three":
        return [first, first // 2, due - first - first // 2]
    return [due]


def make_reviews(
    shop: Instance[Profile],
    orders: Sequence[Row],
    items: Sequence[Row],
    products: Sequence[Row],
    customers: Sequence[Row],
) -> list[Row]:
    """Mostly of things bought and received; some by people who know a product from elsewhere."""
    dice = shop.dice.of("reviews")
    received = {order["id"]: order for order in orders if order["status"] in ("delivered", "returned")}
    bought = [
        (
            received[item["order_id"]]["customer_id"],
            item["product_id"],
            received[item["order_id"]]["shipped_at"],
        )
        for item in items
        if item["order_id"] in received
    ]
    reviewed: dict[tuple[int, int], date] = {}
    while len(reviewed) < shop.profile.reviews:
        if dice.happens(84):
            customer, product, since = dice.pick(bought)
            day = since.date() + timedelta(days=dice.between(2, 60))
        else:
            person, thing = dice.pick(customers), dice.pick(products)
            customer, product = person["id"], thing["id"]
            day = max(person["signed_up_on"], thing["launched_on"], FIRST_DAY) + timedelta(
                days=dice.between(3, 200)
            )
        if day <= LAST_DAY:
            reviewed.setdefault((product, customer), day)
    taste = {row["id"]: shop.dice.of("taste", row["name"]).pick(TASTES) for row in products}
    titles: Mapping[str, Any] = shop.vocabulary["reviews"]
    rows = []
    for review, ((product, customer), day) in zip(
        shop.ids("reviews", len(reviewed)), sorted(reviewed.items(), key=lambda entry: entry[1]), strict=True
    ):
        rating = dice.weighted(taste[product])
        rows.append(
            {
                "id": review,
                "product_id": product,
                "customer_id": customer,
                "rating": rating,
                "title": dice.pick(titles[str(rating)]) if dice.happens(shop.profile.titled) else None,
                "reviewed_on": day,
            }
        )
    return rows


def _moment(dice: Dice, day: date, first_hour: int, last_hour: int) -> datetime:
    clock = time(dice.between(first_hour, last_hour), dice.between(0, 59), dice.between(0, 59))
    return datetime.combine(day, clock)
