"""The clinic's rows: realistic, and a function of the instance, the dice and the vocabulary alone.

Standard library only. Money is counted in whole cents; rates and fees are multiples of 0.50, so that few
averages end on half a cent.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from databases.clinic.care import make_appointments, make_lab_results, make_prescriptions, make_stays
from databases.clinic.costs import make_coverages, make_invoices
from databases.clinic.instance import FIRST_DAY, Profile, twin_profile
from sqlrl.database.dice import Dice
from sqlrl.database.instance import Instance, Row, money, open_instance

RATES = [(150, 200), (95, 150), (60, 125), (44, 110)]  # an hour, by level
Clinic = Instance[Profile]


def generate(name: str, dice: Dice) -> dict[str, list[Row]]:
    """All rows of one instance, table by table, referenced tables first.

    Args:
        name: ``main``, or a twin, which has other counts, ids, links, prices and rates of NULL.
        dice: the source of every choice.
    """
    clinic = open_instance(name, dice, Path(__file__).parent, Profile(), twin_profile)
    departments = make_departments(clinic)
    practitioners = make_practitioners(clinic, {row["name"]: row["id"] for row in departments})
    specialities = make_specialities(clinic)
    patients = make_patients(clinic)
    diagnoses = make_diagnoses(clinic)
    drugs = make_drugs(clinic)
    appointments = make_appointments(clinic, patients, practitioners)
    return {
        "departments": departments,
        "practitioners": practitioners,
        "specialities": specialities,
        "practitioner_specialities": make_certificates(clinic, practitioners, specialities),
        "patients": patients,
        "coverages": make_coverages(clinic, patients),
        "diagnoses": diagnoses,
        "appointments": appointments,
        "stays": make_stays(clinic, patients, departments, diagnoses),
        "drugs": drugs,
        "prescriptions": make_prescriptions(clinic, appointments, drugs),
        "lab_results": make_lab_results(clinic, patients),
        "invoices": make_invoices(clinic, patients),
    }


def make_departments(clinic: Clinic) -> list[Row]:
    """Two levels; some top-level departments have nothing below them, some have no beds."""
    words = clinic.vocabulary["departments"]
    core, more = words["core"], words["more"]
    further = [(child, top) for top in more for child in more[top]]
    further += [(top, None) for top in more if top not in core]
    pairs = [(top, None) for top in core] + [(child, top) for top in core for child in core[top]]
    pairs += clinic.some("departments", further)
    ids = dict(zip([name for name, _ in pairs], clinic.ids("departments", len(pairs)), strict=True))
    rows = []
    for name, parent in pairs:
        dice = clinic.dice.of("department", name)
        has_beds = name not in words["without_beds"]
        beds = clinic.near_round_number(dice, dice.between(3, 22) * 2) if has_beds else 0
        floor = dice.between(0, 5)
        rows.append(
            {"id": ids[name], "name": name, "parent_id": ids.get(parent), "floor": floor, "beds": beds}
        )
    return rows


def make_practitioners(clinic: Clinic, departments: Mapping[str, int]) -> list[Row]:
    """A tree of supervisors below one head; some have left, and nobody is paid the same."""
    roster = sorted(clinic.entries("practitioners"), key=lambda entry: entry[3])
    rows: list[Row] = []
    taken: set[int] = set()
    for practitioner, (name, role, department, level) in zip(
        clinic.ids("practitioners", len(roster)), roster, strict=True
    ):
        dice = clinic.dice.of("practitioner", name)
        rate = _new_rate(clinic, dice, level, taken)
        taken.add(rate)
        joined = clinic.near_edge(dice, dice.day(date(2012 + 2 * level, 2, 1), date(2021 + level, 6, 30)), 12)
        left = clinic.near_edge(dice, dice.day(date(2024, 9, 1), date(2025, 10, 31)), 3)
        has_left = level > 1 and dice.happens(clinic.profile.has_left)
        rows.append(
            {
                "id": practitioner,
                "name": name,
                "role": role,
                "department_id": departments[department],
                "supervisor_id": _supervisor(dice, level, rows, roster, department),
                "hourly_rate": money(rate * 50),
                "joined_on": joined,
                "left_on": left if has_left else None,
            }
        )
    return rows


def _new_rate(clinic: Clinic, dice: Dice, level: int, taken: set[int]) -> int:
    """In units of 0.50, on a twin more multiples of 5; nobody has the same, so that no ranking has a tie."""
    low, high = RATES[level]
    rate = 0
    while not rate or rate in taken:
        is_round = not clinic.is_main and dice.happens(75)
        rate = 10 * dice.between(low // 5, high // 5) if is_round else dice.between(2 * low, 2 * high)
    return rate


def _supervisor(
    dice: Dice, level: int, rows: Sequence[Row], roster: Sequence[Any], department: str
) -> int | None:
    """The head for heads of areas; for others somebody of a higher level, of the same department if any."""
    if level == 0:
        return None
    above = [
        (row["id"], entry[2] == department)
        for row, entry in zip(rows, roster, strict=False)
        if entry[3] < level and (level == 1 or entry[3] > 0)
    ]
    return dice.weighted({practitioner: 12 if is_near else 1 for practitioner, is_near in above})


def make_specialities(clinic: Clinic) -> list[Row]:
    """What practitioners can be certified in."""
    names = clinic.entries("specialities")
    ids = clinic.ids("specialities", len(names))
    return [{"id": one, "name": name} for one, name in zip(ids, names, strict=True)]


def make_certificates(clinic: Clinic, practitioners: Sequence[Row], specialities: Sequence[Row]) -> list[Row]:
    """None to four specialities a practitioner; nobody has the last two."""
    held = specialities[:-2]
    rows = []
    for person in practitioners:
        dice = clinic.dice.of("certificates", person["name"])
        count = dice.weighted({0: 22, 1: 30, 2: 26, 3: 14, 4: 8})
        for speciality in dice.shuffled(held)[:count]:
            day = clinic.near_edge(dice, dice.day(date(2012, 1, 15), date(2025, 6, 30)), 12)
            rows.append(
                {
                    "practitioner_id": person["id"],
                    "speciality_id": speciality["id"],
                    "certified_on": day,
                }
            )
    return rows


def make_patients(clinic: Clinic) -> list[Row]:
    """Patients in the order of their first day."""
    dice = clinic.dice.of("patients")
    people = _people(clinic.vocabulary["people"])
    people = people if clinic.is_main else dice.shuffled(people)
    people = dice.shuffled(people[: clinic.profile.patients])
    days = sorted(_first_day(clinic, dice) for _ in people)
    home = {city: 12 - 2 * index if index < 5 else 2 for index, city in enumerate(clinic.entries("cities"))}
    rows = []
    for patient, day, (sex, name) in zip(clinic.ids("patients", len(people)), days, people, strict=True):
        rows.append(
            {
                "id": patient,
                "name": name,
                "sex": sex,
                "born_on": _birthday(clinic, dice),
                "city": dice.weighted(home),
                "phone": f"+43 {dice.between(600, 699)} {dice.between(100000, 999999)}"
                if dice.happens(clinic.profile.with_phone)
                else None,
                "registered_on": day,
            }
        )
    return rows


def _first_day(clinic: Clinic, dice: Dice) -> date:
    is_early = dice.happens(60)
    day = dice.day(*((date(2022, 6, 1), date(2025, 10, 31)) if is_early else (FIRST_DAY, date(2025, 11, 15))))
    return clinic.near_edge(dice, day, 3)


def _birthday(clinic: Clinic, dice: Dice) -> date:
    """On a twin mostly the first day of a decade or the day before: questions name decades."""
    born = dice.day(date(1938, 1, 1), date(2019, 12, 31))
    if clinic.is_main or dice.happens(30):
        return clinic.near_edge(dice, born, 12)
    return date(born.year // 10 * 10 + 10 * (born.year % 10 > 4), 1, 1) - timedelta(days=dice.below(2))


def _people(words: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Sex and name of all who may be patients: each first name with three last names."""
    first = [(sex, name) for sex in ("female", "male") for name in words[sex]]
    last = words["last"]
    return [
        (sex, f"{name} {last[(5 * index + 13 * turn) % len(last)]}")
        for turn in range(3)
        for index, (sex, name) in sorted(enumerate(first), key=lambda entry: entry[0] * 7 % len(first))
    ]


def make_diagnoses(clinic: Clinic) -> list[Row]:
    """Chapters, groups and single diagnoses; a twin has other usual lengths of stays."""
    rows = []
    for code, name, parent, chronic, days in clinic.entries("diagnoses"):
        dice = clinic.dice.of("diagnosis", code)
        if not clinic.is_main and days:
            days = max(1, days + dice.between(-2, 3))
        missing = days == 0 or (not clinic.is_main and dice.happens(12))
        rows.append(
            {
                "code": code,
                "name": name,
                "parent_code": parent or None,
                "chronic": chronic if clinic.is_main or not dice.happens(15) else not chronic,
                "usual_days": None if missing else days,
            }
        )
    return rows


def make_drugs(clinic: Clinic) -> list[Row]:
    """Prices a dose near the vocabulary's."""
    entries = clinic.entries("drugs")
    rows = []
    for drug, (name, form, price, generic) in zip(clinic.ids("drugs", len(entries)), entries, strict=True):
        dice = clinic.dice.of("drug", name)
        cents = int(price.replace(".", ""))
        if not clinic.is_main:
            cents = max(10, cents * dice.between(7, 14) // 100 * 10)
            cents = clinic.near_round_number(dice, cents, 100) if cents >= 300 else cents
        rows.append(
            {
                "id": drug,
                "name": name,
                "form": form,
                "unit_price": money(cents),
                "generic": generic if clinic.is_main or not dice.happens(10) else not generic,
            }
        )
    return rows
