"""The shop's data: what notes.md says holds, and every kind of question has an answer that is not trivial."""

import tomllib

import pytest

from tests.databases.seeded import INSTANCES, ROOT, SEEDS, broken, generated, restored, seed

SCHEMA = "shop"

NEVER = {
    "a cancelled or pending order was shipped": """
        SELECT 1 FROM orders WHERE status IN ('cancelled', 'pending') AND shipped_at IS NOT NULL""",
    "a shipped order has no moment of shipping": """
        SELECT 1 FROM orders WHERE status IN ('shipped', 'delivered', 'returned') AND shipped_at IS NULL""",
    "an order left before it came": "SELECT 1 FROM orders WHERE shipped_at::date < order_date",
    "a payment came before its order": """
        SELECT 1 FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.paid_at::date < o.order_date""",
    "a product was sold before its launch": """
        SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id
        WHERE o.order_date < p.launched_on""",
    "a product was reviewed before its launch": """
        SELECT 1 FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.reviewed_on < p.launched_on""",
    "somebody ordered before signing up": """
        SELECT 1 FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.order_date < c.signed_up_on""",
    "a representative sold before being hired": """
        SELECT 1 FROM orders o JOIN employees e ON e.id = o.sales_rep_id WHERE o.order_date < e.hired_on""",
    "a referrer signed up after the referred": """
        SELECT 1 FROM customers c JOIN customers r ON r.id = c.referred_by WHERE r.signed_up_on > c.signed_up_on""",
    "a representative is no salesperson": """
        SELECT 1 FROM orders o JOIN employees e ON e.id = o.sales_rep_id WHERE e.department <> 'Sales'""",
    "an order has no item, or more than five": """
        SELECT 1 FROM orders o LEFT JOIN order_items i ON i.order_id = o.id
        GROUP BY o.id HAVING COUNT(i.product_id) NOT BETWEEN 1 AND 5""",
    "a unit price is far from the list price": """
        SELECT 1 FROM order_items i JOIN products p ON p.id = i.product_id
        WHERE i.unit_price NOT BETWEEN p.price * 0.85 AND p.price * 1.15""",
    "an item's revenue is not a whole number of cents": """
        SELECT 1 FROM order_items WHERE MOD(quantity * unit_price * (100 - COALESCE(discount_pct, 0)), 1) <> 0""",
    "an order is overpaid": """
        SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id, o.shipping_fee
        HAVING SUM(quantity * unit_price * (1 - COALESCE(discount_pct, 0) / 100)) + o.shipping_fee
             < (SELECT SUM(amount) FROM payments p WHERE p.order_id = o.id)""",
    "a category lies below the second level": """
        SELECT 1 FROM categories c JOIN categories p ON p.id = c.parent_id WHERE p.parent_id IS NOT NULL""",
    "an employee is not below the one head": """
        WITH RECURSIVE below AS (
            SELECT id FROM employees WHERE manager_id IS NULL
            UNION ALL SELECT e.id FROM employees e JOIN below b ON e.manager_id = b.id)
        SELECT 1 WHERE (SELECT COUNT(*) FROM below) <> (SELECT COUNT(*) FROM employees)
        OR (SELECT COUNT(*) FROM employees WHERE manager_id IS NULL) <> 1""",
    "two employees earn the same": "SELECT 1 FROM employees GROUP BY salary HAVING COUNT(*) > 1",
    "a day is outside the two years": """
        SELECT 1 FROM orders WHERE order_date NOT BETWEEN '2024-01-01' AND '2025-12-31'
        UNION ALL SELECT 1 FROM orders WHERE shipped_at >= '2026-01-01'
        UNION ALL SELECT 1 FROM payments WHERE paid_at >= '2026-01-01'
        UNION ALL SELECT 1 FROM reviews WHERE reviewed_on > '2025-12-31'""",
}

# Each counts something that has to be there, and is not all there is: (query, least, of how many).
SOME = {
    "customers without orders": (
        "SELECT COUNT(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)",
        5,
        "SELECT COUNT(*) FROM customers",
    ),
    "products never ordered": (
        "SELECT COUNT(*) FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.product_id = p.id)",
        3,
        "SELECT COUNT(*) FROM products",
    ),
    "products never reviewed": (
        "SELECT COUNT(*) FROM products p WHERE NOT EXISTS (SELECT 1 FROM reviews r WHERE r.product_id = p.id)",
        5,
        "SELECT COUNT(*) FROM products",
    ),
    "categories without products": (
        "SELECT COUNT(*) FROM categories c WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.category_id = c.id)",
        1,
        "SELECT COUNT(*) FROM categories",
    ),
    "products on the top level": (
        "SELECT COUNT(*) FROM products p JOIN categories c ON c.id = p.category_id WHERE c.parent_id IS NULL",
        8,
        "SELECT COUNT(*) FROM products",
    ),
    "salespeople without orders": (
        """SELECT COUNT(*) FROM employees e WHERE department = 'Sales'
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.sales_rep_id = e.id)""",
        1,
        "SELECT COUNT(*) FROM employees WHERE department = 'Sales'",
    ),
    "customers who referred three or more": (
        "SELECT COUNT(*) FROM (SELECT FROM customers GROUP BY referred_by HAVING COUNT(referred_by) >= 3) x",
        2,
        "SELECT COUNT(DISTINCT referred_by) FROM customers",
    ),
    "employees who earn more than their manager": (
        "SELECT COUNT(*) FROM employees e JOIN employees m ON m.id = e.manager_id WHERE e.salary > m.salary",
        1,
        "SELECT COUNT(*) FROM employees",
    ),
    "months without a returned order": (
        """SELECT COUNT(*) FROM generate_series('2024-01-01', '2025-12-01', interval '1 month') m WHERE NOT EXISTS
        (SELECT 1 FROM orders WHERE status = 'returned' AND date_trunc('month', order_date) = m)""",
        2,
        "SELECT 24",
    ),
    "months without any order": (
        """SELECT COUNT(*) FROM generate_series('2024-01-01', '2025-12-01', interval '1 month') m WHERE NOT EXISTS
        (SELECT 1 FROM orders WHERE date_trunc('month', order_date) = m)""",
        1,
        "SELECT 24",
    ),
    "orders without payment": (
        "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id)",
        10,
        "SELECT COUNT(*) FROM orders",
    ),
    "orders paid in several parts": (
        "SELECT COUNT(*) FROM (SELECT 1 FROM payments GROUP BY order_id HAVING COUNT(*) > 1) x",
        15,
        "SELECT COUNT(*) FROM orders",
    ),
    "orders without a representative": (
        "SELECT COUNT(*) FROM orders WHERE sales_rep_id IS NULL",
        40,
        "SELECT COUNT(*) FROM orders",
    ),
    "items without a discount": (
        "SELECT COUNT(*) FROM order_items WHERE discount_pct IS NULL",
        100,
        "SELECT COUNT(*) FROM order_items",
    ),
    "reviews without a headline": (
        "SELECT COUNT(*) FROM reviews WHERE title IS NULL",
        8,
        "SELECT COUNT(*) FROM reviews",
    ),
    "customers nobody referred": (
        "SELECT COUNT(*) FROM customers WHERE referred_by IS NULL",
        15,
        "SELECT COUNT(*) FROM customers",
    ),
    "orders shipped on the last day of a year": (
        "SELECT COUNT(*) FROM orders WHERE shipped_at::date IN ('2024-12-31', '2025-12-31')",
        1,
        "SELECT COUNT(*) FROM orders",
    ),
}


@pytest.mark.parametrize("what", NEVER)
def test_it_never_happens_that(connection, what):
    assert connection.execute(NEVER[what]).fetchall() == []


@pytest.mark.parametrize("what", SOME)
def test_there_are_some_but_not_only(connection, what):
    query, least, of = SOME[what]
    (count,), (whole,) = connection.execute(query).fetchone(), connection.execute(of).fetchone()
    assert least <= count < whole


@pytest.mark.parametrize(
    "values",
    [
        "SELECT price FROM products WHERE price >= 10",
        "SELECT cost FROM products WHERE cost >= 10",
        "SELECT stock FROM products WHERE stock >= 10",
    ],
)
def test_most_amounts_of_a_twin_lie_at_a_round_number_or_one_beside_it(connection, values):
    at_round = connection.execute(
        f"SELECT avg((least(v % step, step - v % step) <= 1)::int) FROM ({values}) t(v),"
        " LATERAL (SELECT CASE WHEN v < 100 THEN 5 ELSE 10 ^ (floor(log(v)) - 1) END::numeric AS step) s"
    ).fetchone()[0]
    name = connection.info.dbname
    assert at_round < 0.8 if name.endswith("main") else at_round > 0.7, name


def test_most_days_of_a_twin_lie_at_the_edge_of_a_month(connection):
    [(ordered, launched)] = connection.execute(
        "SELECT (SELECT avg((extract(day FROM order_date) IN (1, 28, 29, 30, 31))::int) FROM orders),"
        " (SELECT avg((extract(day FROM launched_on) IN (1, 30, 31))::int) FROM products)"
    ).fetchall()
    if connection.info.dbname.endswith("main"):
        assert ordered < 0.4
        assert launched < 0.3
    else:
        assert ordered > 0.5
        assert launched > 0.6


def test_every_second_twin_is_quiet(seeded):
    orders = [{t.name: t.rows for t in seeded[name][1].tables}["orders"] for name in INSTANCES]
    assert orders[2] < min(orders[1], orders[3]) / 1.5


def test_main_has_the_size_that_is_promised(seeded):
    rows = {table.name: table.rows for table in seeded["main"][1].tables}
    assert (rows["orders"], rows["customers"], rows["products"], rows["reviews"]) == (300, 80, 60, 120)
    assert 10 <= rows["employees"] <= 25


def test_names_that_a_question_may_use_exist_in_every_instance(seeded):
    vocabulary = tomllib.loads((ROOT / "databases" / "shop" / "vocabulary.toml").read_text(encoding="utf-8"))
    names = [entry[0] for section in ("products", "employees") for entry in vocabulary[section]["core"]]
    names += [*vocabulary["categories"]["core"], *vocabulary["cities"]]
    names += [name for group in vocabulary["customers"]["core"].values() for name in group]
    for text, _, _ in seeded.values():
        assert [name for name in names if f"\t{name}\t" not in text] == []


def test_ids_of_a_twin_are_not_those_of_main(seeded):
    def ids(name: str) -> dict[str, int]:
        rows = generated("shop", name, SEEDS[name])
        return {row["name"]: row["id"] for table in ("products", "customers") for row in rows[table]}

    main, twin = ids("main"), ids("twin-1")
    assert sum(main[name] == twin[name] for name in main) < 10


@pytest.mark.parametrize("number", range(2, 6))
def test_any_seed_gives_rows_that_the_schema_takes_and_the_notes_describe(seeded, number, tmp_path):
    server = seeded["main"][2]
    for name in ("main", "twin-1"):
        text, _ = seed(server, "shop", name, number)
        with restored(server, f"seed {number}", text, tmp_path) as connection:
            assert broken(connection, NEVER) == []
