"""The literals that questions about the clinic may name, read from its data."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlrl.authoring.grammar.values import (
    between,
    read_months,
    read_quarters,
    read_texts,
    read_thresholds,
    read_years,
)
from sqlrl.authoring.teacher import Ask


@dataclass(frozen=True)
class Values:
    """What the clinic's data hold. Lists are ordered; thresholds are round numbers.

    Attributes:
        departments: names of departments with practitioners and stays and without others below them.
        areas: names of departments that have others below them.
        chapters: first letters of diagnosis codes that have stays.
        years, months, quarters: by column, as far as rows have them.
        readings: by test, round numbers inside its values.
    """

    departments: tuple[str, ...]
    areas: tuple[str, ...]
    floors: tuple[int, ...]
    roles: tuple[str, ...]
    specialities: tuple[str, ...]
    cities: tuple[str, ...]
    sexes: tuple[str, ...]
    insurers: tuple[str, ...]
    chapters: tuple[str, ...]
    statuses: tuple[str, ...]
    admissions: tuple[str, ...]
    forms: tuple[str, ...]
    tests: tuple[str, ...]
    flags: tuple[str, ...]
    years: Mapping[str, tuple[int, ...]]
    months: Mapping[str, tuple[datetime.date, ...]]
    quarters: Mapping[str, tuple[datetime.date, ...]]
    thresholds: Mapping[str, tuple[Decimal, ...]]
    readings: Mapping[str, tuple[Decimal, ...]]


DATES = (
    "practitioners.joined_on",
    "practitioner_specialities.certified_on",
    "patients.registered_on",
    "patients.born_on",
    "coverages.starts_on",
    "coverages.ends_on",
    "appointments.starts_at",
    "appointments.booked_on",
    "stays.admitted_on",
    "stays.discharged_on",
    "lab_results.taken_at",
    "invoices.issued_on",
    "invoices.settled_on",
)
NUMBERS = (
    "practitioners.hourly_rate",
    "departments.beds",
    "coverages.copay_pct",
    "diagnoses.usual_days",
    "appointments.minutes",
    "appointments.fee",
    "stays.daily_rate",
    "drugs.unit_price",
    "prescriptions.doses_per_day",
    "prescriptions.days",
    "invoices.amount",
)
LEAF = "NOT EXISTS (SELECT 1 FROM departments child WHERE child.parent_id = dep.id)"
STAFFED = "EXISTS (SELECT 1 FROM practitioners pr WHERE pr.department_id = dep.id)"
VISITED = "EXISTS (SELECT 1 FROM stays st WHERE st.department_id = dep.id)"


def read_values(ask: Ask) -> Values:
    """Read the values with the function that runs a query on main."""

    def common(table: str, column: str, least: int) -> tuple[str, ...]:
        """The texts that at least so many rows have."""
        known = f"{column} IS NOT NULL"
        return read_texts(
            ask,
            f"SELECT {column} FROM {table} WHERE {known} GROUP BY 1 HAVING COUNT(*) >= {least} ORDER BY 1",
        )

    tests = common("lab_results", "test", 5)
    return Values(
        departments=read_texts(
            ask, f"SELECT dep.name FROM departments dep WHERE {LEAF} AND {STAFFED} AND {VISITED} ORDER BY 1"
        ),
        areas=read_texts(ask, f"SELECT dep.name FROM departments dep WHERE NOT {LEAF} ORDER BY 1"),
        floors=tuple(int(floor) for floor in common("departments", "floor", 2)),
        roles=common("practitioners", "role", 2),
        specialities=read_texts(
            ask,
            "SELECT sp.name FROM specialities sp JOIN practitioner_specialities ps ON ps.speciality_id = sp.id"
            " GROUP BY 1 ORDER BY 1",
        ),
        cities=common("patients", "city", 3),
        sexes=common("patients", "sex", 3),
        insurers=common("coverages", "insurer", 3),
        chapters=read_texts(
            ask,
            "SELECT LEFT(diagnosis_code, 1) FROM stays GROUP BY 1 HAVING COUNT(*) >= 3 ORDER BY 1",
        ),
        statuses=common("appointments", "status", 5),
        admissions=common("stays", "admission", 3),
        forms=common("drugs", "form", 2),
        tests=tests,
        flags=common("lab_results", "flag", 3),
        years={name: read_years(ask, *name.split(".")) for name in DATES},
        months={name: read_months(ask, *name.split(".")) for name in DATES},
        quarters={name: read_quarters(ask, *name.split(".")) for name in DATES},
        thresholds={name: read_thresholds(ask, name) for name in NUMBERS},
        readings={test: _readings(ask, test) for test in tests},
    )


def _readings(ask: Ask, test: str) -> tuple[Decimal, ...]:
    rows = ask(f"SELECT value FROM lab_results WHERE test = '{test}' AND value IS NOT NULL ORDER BY 1")
    return between([row[0] for row in rows], 0.2, 0.8)
