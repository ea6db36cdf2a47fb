"""Conditions on customers and employees."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.filters import Filter, Maker, make
from sqlrl.authoring.phrasing import date_words, number_text
from sqlrl.database.literals import quote

from .values import Values


def place(name: str) -> str:
    """A country as it stands in a sentence."""
    return f"the {name}" if name.startswith("United ") else name


def country(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.countries)
    return make(
        draw,
        "customers",
        f"c.country = {quote(name)}",
        (
            f"~ from {place(name)}",
            f"~ in {place(name)}",
            f"~ based in {place(name)}",
            f"~ living in {place(name)}",
        ),
        (f"{{of}}country {name}", f"{{of}}country = {name}"),
        (f"{{at}}country is '{name}'", f"{{at}}country = '{name}'"),
    )


def country_in(values: Values, draw: Draw) -> Filter:
    one, two = draw.detail.sample(values.countries, 2)
    return make(
        draw,
        "customers",
        f"c.country IN ({quote(one)}, {quote(two)})",
        (f"~ from {place(one)} or {place(two)}", f"~ based in {place(one)} or {place(two)}"),
        (f"{{of}}country {one} or {two}", f"{{of}}country in ({one}, {two})"),
        (f"{{at}}country is '{one}' or '{two}'", f"{{at}}country is one of '{one}' and '{two}'"),
    )


def country_not(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.countries)
    return make(
        draw,
        "customers",
        f"c.country <> {quote(name)}",
        (f"~ outside {place(name)}", f"~ from outside {place(name)}", f"~ who are not from {place(name)}"),
        (f"{{of}}country not {name}", f"{{of}}country other than {name}"),
        (f"{{at}}country is not '{name}'", f"{{at}}country <> '{name}'"),
    )


def city(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.cities)
    return make(
        draw,
        "customers",
        f"c.city = {quote(name)}",
        (f"~ in the city of {name}", f"~ living in {name}", f"~ based in {name}"),
        (f"{{of}}city {name}",),
        (f"{{at}}city is '{name}'", f"{{at}}city = '{name}'"),
    )


def signed_up_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.signup_years)
    return make(
        draw,
        "customers",
        f"EXTRACT(YEAR FROM c.signed_up_on) = {year}",
        (f"~ who signed up in {year}", f"~ who joined in {year}", f"~ who registered in {year}"),
        (f"{{of}}signed up {year}", f"{{of}}signup year {year}"),
        (f"{{at}}signed_up_on is in {year}", f"{{at}}signed_up_on falls in {year}"),
    )


def signed_up_since(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.signup_months)
    return make(
        draw,
        "customers",
        f"c.signed_up_on >= '{day}'",
        (f"~ who signed up on or after {date_words(day)}", f"~ who joined on {date_words(day)} or later"),
        (f"{{of}}signed up since {day}", f"{{of}}signed up on/after {day}"),
        (f"{{at}}signed_up_on is on or after {day}", f"{{at}}signed_up_on >= {day}"),
    )


def signed_up_before(values: Values, draw: Draw) -> Filter:
    day = draw.detail.pick(values.signup_months)
    return make(
        draw,
        "customers",
        f"c.signed_up_on < '{day}'",
        (f"~ who signed up before {date_words(day)}", f"~ who joined before {date_words(day)}"),
        (f"{{of}}signed up before {day}",),
        (f"{{at}}signed_up_on is before {day}", f"{{at}}signed_up_on < {day}"),
    )


def referred(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "customers",
        "c.referred_by IS NOT NULL",
        (
            "~ who were referred by another customer",
            "~ who came through a referral",
            "~ whom another customer brought in",
        ),
        ("{of}referred", "{of}came by referral"),
        ("{at}referred_by is not NULL", "{at}referred_by is set"),
    )


def not_referred(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "customers",
        "c.referred_by IS NULL",
        ("~ who were not referred by anyone", "~ who came without a referral", "~ whom nobody referred"),
        ("{of}not referred", "{of}no referrer"),
        ("{at}referred_by is NULL", "{at}referred_by is missing"),
    )


def department(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.departments)
    return make(
        draw,
        "employees",
        f"e.department = {quote(name)}",
        (f"~ in the {name} department", f"~ who work in {name}", f"~ who belong to the {name} department"),
        (f"{{of}}department {name}", f"{{of}}dept {name}"),
        (f"{{at}}department is '{name}'", f"{{at}}department = '{name}'"),
    )


def department_not(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.departments)
    return make(
        draw,
        "employees",
        f"e.department <> {quote(name)}",
        (f"~ outside the {name} department", f"~ who do not work in {name}"),
        (f"{{of}}department not {name}", f"{{of}}dept other than {name}"),
        (f"{{at}}department is not '{name}'", f"{{at}}department <> '{name}'"),
    )


def job_title(values: Values, draw: Draw) -> Filter:
    name = draw.detail.pick(values.titles)
    return make(
        draw,
        "employees",
        f"e.job_title = {quote(name)}",
        (f'~ with the job title "{name}"', f'~ whose job title is "{name}"'),
        (f'{{of}}job title "{name}"',),
        (f"{{at}}job_title is '{name}'", f"{{at}}job_title = '{name}'"),
    )


def salary_above(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["employees.salary"]))
    return make(
        draw,
        "employees",
        f"e.salary > {number}",
        (f"~ who earn more than {number}", f"~ with a salary above {number}"),
        (f"{{of}}salary > {number}", f"{{of}}salary above {number}"),
        (f"{{at}}salary is above {number}", f"{{at}}salary exceeds {number}"),
    )


def salary_below(values: Values, draw: Draw) -> Filter:
    number = number_text(draw.detail.pick(values.thresholds["employees.salary"]))
    return make(
        draw,
        "employees",
        f"e.salary < {number}",
        (f"~ who earn less than {number}", f"~ with a salary below {number}"),
        (f"{{of}}salary < {number}", f"{{of}}salary below {number}"),
        (f"{{at}}salary is below {number}", f"{{at}}salary < {number}"),
    )


def hired_year(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.hire_years)
    return make(
        draw,
        "employees",
        f"EXTRACT(YEAR FROM e.hired_on) = {year}",
        (f"~ hired in {year}", f"~ who were hired in {year}", f"~ who started in {year}"),
        (f"{{of}}hired {year}", f"{{of}}hire year {year}"),
        (f"{{at}}hired_on is in {year}", f"{{at}}hired_on falls in {year}"),
    )


def hired_before(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.hire_years[1:] or values.hire_years)
    return make(
        draw,
        "employees",
        f"e.hired_on < '{year}-01-01'",
        (f"~ hired before 1 January {year}", f"~ who were hired before 1 January {year}"),
        (f"{{of}}hired before {year}-01-01",),
        (f"{{at}}hired_on is before {year}-01-01", f"{{at}}hired_on < {year}-01-01"),
    )


def hired_since(values: Values, draw: Draw) -> Filter:
    year = draw.detail.pick(values.hire_years[1:] or values.hire_years)
    return make(
        draw,
        "employees",
        f"e.hired_on >= '{year}-01-01'",
        (f"~ hired on or after 1 January {year}", f"~ who were hired on 1 January {year} or later"),
        (f"{{of}}hired since {year}-01-01", f"{{of}}hired on/after {year}-01-01"),
        (f"{{at}}hired_on is on or after {year}-01-01", f"{{at}}hired_on >= {year}-01-01"),
    )


def has_manager(values: Values, draw: Draw) -> Filter:
    return make(
        draw,
        "employees",
        "e.manager_id IS NOT NULL",
        ("~ who have a manager", "~ who report to someone"),
        ("{of}has manager", "{of}with a manager"),
        ("{at}manager_id is not NULL", "{at}manager_id is set"),
    )


CUSTOMER_FILTERS: dict[str, Maker] = {
    "country": country,
    "country_in": country_in,
    "country_not": country_not,
    "city": city,
    "signed_up_year": signed_up_year,
    "signed_up_since": signed_up_since,
    "signed_up_before": signed_up_before,
    "referred": referred,
    "not_referred": not_referred,
}
EMPLOYEE_FILTERS: dict[str, Maker] = {
    "department": department,
    "department_not": department_not,
    "job_title": job_title,
    "salary_above": salary_above,
    "salary_below": salary_below,
    "hired_year": hired_year,
    "hired_before": hired_before,
    "hired_since": hired_since,
    "has_manager": has_manager,
}
