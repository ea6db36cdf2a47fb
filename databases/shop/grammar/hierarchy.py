"""The shop's chapter about hierarchies: managers, referrals, categories."""

from sqlrl.authoring.grammar.classes import Classes
from sqlrl.authoring.grammar.hierarchy import Hierarchy
from sqlrl.authoring.grammar.hierarchy_deep import Deep
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.trees import Tree

STAFF = Tree(
    table="employees",
    column="manager_id",
    alias="e",
    above="m",
    top="mm",
    one="employee",
    many="employees",
    parent="manager",
    parents="managers",
    child="direct report",
    children="direct reports",
    tie="who report to",
    has="who have a manager",
    avoid=("has",),
    extras=(
        ("salary", "employee's salary"),
        ("hired_on", "employee's hire date"),
        ("department", "employee's department"),
    ),
    of_children=(
        ("COUNT(*)", "number of direct reports"),
        ("COUNT(*)", "number of direct reports"),
        ("AVG(e.salary)", "average salary of the direct reports"),
        ("MAX(e.salary)", "highest salary among the direct reports"),
        ("SUM(e.salary)", "total salary of the direct reports"),
        ("MIN(e.hired_on)", "earliest hire date among the direct reports"),
    ),
    comparisons=(
        ("e.salary > m.salary", "earn more than their manager", "salary is above the manager's salary"),
        (
            "e.hired_on < m.hired_on",
            "were hired before their manager",
            "hired_on is before the manager's hired_on",
        ),
        (
            "e.department <> m.department",
            "work in another department than their manager",
            "department differs from the manager's",
        ),
        (
            "e.department = m.department",
            "work in the same department as their manager",
            "department equals the manager's",
        ),
        (
            "e.salary > m.salary / 2",
            "earn more than half of what their manager earns",
            "salary is above half of the manager's salary",
        ),
    ),
    below="report to {name}, directly or through other managers",
    relation="everyone below",
    far="their manager's manager",
)
REFERRALS = Tree(
    table="customers",
    column="referred_by",
    alias="c",
    above="ref",
    top="rr",
    one="customer",
    many="customers",
    parent="referrer",
    parents="referrers",
    child="referred customer",
    children="referred customers",
    tie="who were referred by",
    has="who have a referrer",
    avoid=("referred",),
    extras=(
        ("country", "customer's country"),
        ("signed_up_on", "customer's sign-up date"),
        ("city", "customer's city"),
    ),
    of_children=(
        ("COUNT(*)", "number of referred customers"),
        ("COUNT(*)", "number of referred customers"),
        ("COUNT(DISTINCT c.country)", "number of different countries of the referred customers"),
        ("MIN(c.signed_up_on)", "earliest sign-up date among the referred customers"),
        ("MAX(c.signed_up_on)", "latest sign-up date among the referred customers"),
    ),
    comparisons=(
        (
            "c.country = ref.country",
            "live in the same country as their referrer",
            "country equals the referrer's country",
        ),
        (
            "c.country <> ref.country",
            "live in another country than their referrer",
            "country differs from the referrer's country",
        ),
        (
            "c.city <> ref.city",
            "live in a city with another name than their referrer's",
            "city differs from the referrer's city",
        ),
        (
            "EXTRACT(YEAR FROM c.signed_up_on) = EXTRACT(YEAR FROM ref.signed_up_on)",
            "signed up in the same calendar year as their referrer",
            "signed_up_on falls in the same year as the referrer's",
        ),
        (
            "c.signed_up_on > ref.signed_up_on + 365",
            "signed up more than 365 days after their referrer",
            "signed_up_on is more than 365 days after the referrer's",
        ),
    ),
    below="were brought in by {name}, directly or through a chain of referrals",
    relation="everyone referred by",
    far="their referrer's referrer",
    narrowed="customers",
)
TOP = Key(
    name="top",
    table="categories",
    sql="COALESCE(top.name, cat.name)",
    one="top-level category",
    many="top-level categories",
    label="top-level category name",
    column="top-level category",
    entity=True,
)
CATEGORIES = Classes(
    table="categories",
    column="parent_id",
    lower="subcategories",
    sub="subcategory",
    things_table="products",
    things_key="category_id",
    parents=lambda domain: tuple(domain.values.parents),
    top=TOP,
    rolled=(
        ("products", (["products"], [], ["products"], ["products"])),
        ("order_items", (["order_items"], [], ["products"], ["orders"])),
        ("reviews", (["reviews"], [], ["products"], ["reviews"])),
        ("order_items", (["order_items"], [], ["products"], ["orders"])),
    ),
)
OF_LEVEL = (
    ("COUNT(*)", "the number of {rows}", "number of employees", False),
    ("AVG(e.salary)", "the average salary of {rows}", "average salary", True),
    ("MAX(e.salary)", "the highest salary of {rows}", "highest salary", True),
    ("SUM(e.salary)", "the total salary of {rows}", "total salary", True),
    ("MIN(e.hired_on)", "the earliest hire date of {rows}", "earliest hire date", True),
    (
        "COUNT(DISTINCT e.department)",
        "the number of different departments of {rows}",
        "distinct departments",
        True,
    ),
)
LEVELS = "the head of the company is level 1, those reporting to them level 2, and so on"
HIERARCHY = Hierarchy(
    trees=(STAFF, REFERRALS),
    easy=(CATEGORIES.listed, CATEGORIES.things_below),
    deep=Deep(
        trees=(STAFF, REFERRALS),
        ranks=STAFF,
        of_level=OF_LEVEL,
        levels=LEVELS,
        start="head of company",
        more=(CATEGORIES.rolled_up, CATEGORIES.rolled_up),
    ),
)
