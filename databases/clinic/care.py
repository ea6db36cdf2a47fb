"""What happens in the clinic: appointments, stays, prescriptions, lab results."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from databases.clinic.instance import (
    FIRST_DAY,
    LAST_DAY,
    LAST_SECOND,
    MONTHS,
    Profile,
    moment,
    month_edge,
)
from sqlrl.database.dice import Dice
from sqlrl.database.instance import Instance, Row, money

Clinic = Instance[Profile]
BOOKED_SINCE = date(2025, 12, 8)  # later appointments are often still to come
RECENT = date(2025, 12, 5)  # stays since then are often still open
FEES = {0: 8, 4000: 20, 6000: 24, 7500: 16, 9000: 14, 12000: 12, 15000: 6}


def make_appointments(clinic: Clinic, patients: Sequence[Row], practitioners: Sequence[Row]) -> list[Row]:
    """Two years of appointments, of patients who were registered, with practitioners who were there."""
    dice = clinic.dice.of("appointments")
    often = {row["id"]: dice.weighted({0: 12, 1: 26, 2: 30, 4: 22, 7: 10}) for row in patients}
    busy = {
        row["id"]: 0 if row["role"] == "technician" else dice.weighted({0: 6, 1: 20, 2: 34, 4: 26, 6: 14})
        for row in practitioners
    }
    found = []
    for day in _days(clinic, dice):
        here = {row["id"]: often[row["id"]] for row in patients if row["registered_on"] <= day}
        there = {row["id"]: busy[row["id"]] for row in practitioners if _works(row, day)}
        patient = dice.weighted(here)
        registered = next(row["registered_on"] for row in patients if row["id"] == patient)
        # The square makes short waits the most frequent.
        wait = dice.between(0, clinic.profile.longest_wait) * dice.between(0, 10) // 10
        found.append(
            {
                "patient_id": patient,
                "practitioner_id": dice.weighted(there),
                "booked_on": max(registered, day - timedelta(days=wait)),
                "starts_at": moment(dice, day, 8, 17, 15),
            }
            | _course(clinic, dice, day)
        )
    found.sort(key=lambda row: (row["booked_on"], row["starts_at"]))
    ids = clinic.ids("appointments", len(found))
    return [{"id": one} | row for one, row in zip(ids, found, strict=True)]


def _days(clinic: Clinic, dice: Dice) -> list[date]:
    """First and last days of months are popular: they tell ``<`` from ``<=`` apart at the edges."""
    weights = {month: 10 + (3 if month.year == 2025 else 0) for month in MONTHS}
    weights[clinic.profile.month_without_appointments] = 0
    days = [FIRST_DAY, date(2024, 12, 31), date(2025, 1, 1), LAST_DAY]
    while len(days) < clinic.profile.appointments:
        first = dice.weighted(weights)
        last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        edge = dice.happens(clinic.profile.at_month_edges)
        days.append(month_edge(dice, first) if edge else dice.day(first, last))
    return sorted(days)


def _works(practitioner: Mapping[str, Any], day: date) -> bool:
    left = practitioner["left_on"]
    return practitioner["joined_on"] <= day and (left is None or day < left)


def _course(clinic: Clinic, dice: Dice, day: date) -> Row:
    """Status, length and fee: only a completed appointment has a length."""
    usual = clinic.profile
    weights = {"completed": usual.completed, "cancelled": usual.cancelled, "no_show": usual.no_show}
    if day >= BOOKED_SINCE:
        weights["booked"] = 140
    status = dice.weighted(weights)
    minutes = clinic.near_round_number(dice, dice.weighted({15: 24, 20: 22, 30: 26, 45: 16, 60: 8, 90: 4}))
    if dice.happens(25):
        minutes += dice.between(-4, 9)
    recorded = status == "completed" and dice.happens(usual.with_minutes)
    fee = dice.weighted(FEES)
    if not clinic.is_main and fee:
        fee = clinic.near_round_number(dice, fee * dice.between(8, 13) // 1000 * 100, 100)
    return {"status": status, "minutes": minutes if recorded else None, "fee": money(fee)}


def make_stays(
    clinic: Clinic, patients: Sequence[Row], departments: Sequence[Row], diagnoses: Sequence[Row]
) -> list[Row]:
    """Stays in departments with beds; one patient's stays never overlap, some end on the day they begin."""
    dice = clinic.dice.of("stays")
    wards = {row["id"]: dice.between(1, 6) for row in departments if row["beds"]}
    idle = dice.pick(list(wards))
    wards[idle] = 0
    base_rates = {ward: dice.between(28, 70) * 500 for ward in wards}
    parents = {row["parent_code"] for row in diagnoses}
    leaves = {
        row["code"]: dice.between(0, 5) for row in diagnoses if row["code"] not in parents or dice.happens(15)
    }
    often = {row["id"]: dice.weighted({0: 24, 1: 30, 2: 26, 4: 20}) for row in patients}
    since = {row["id"]: max(row["registered_on"], FIRST_DAY) for row in patients}
    taken: dict[int, list[tuple[date, date]]] = {}
    found: list[Row] = []
    while len(found) < clinic.profile.stays:
        patient, ward = dice.weighted(often), dice.weighted(wards)
        admitted = _admission_day(clinic, dice, since[patient])
        nights = dice.weighted({0: 8, 1: 12, 2: 14, 3: 16, 4: 12, 6: 12, 8: 10, 11: 8, 15: 5, 24: 3})
        discharged = admitted + timedelta(days=nights)
        is_open = discharged > LAST_DAY or (admitted >= RECENT and dice.happens(60)) or dice.happens(3)
        end = date(2026, 12, 31) if is_open else discharged
        if any(first <= end and admitted <= last for first, last in taken.get(patient, [])):
            continue
        taken.setdefault(patient, []).append((admitted, end))
        kinds = {"planned": clinic.profile.planned, "emergency": 32, "transfer": 13}
        rate = base_rates[ward] + dice.pick([0, 0, 0, 1000, 2500])
        found.append(
            {
                "patient_id": patient,
                "department_id": ward,
                "diagnosis_code": dice.weighted(leaves),
                "admission": dice.weighted(kinds),
                "admitted_on": admitted,
                "discharged_on": None if is_open else discharged,
                "daily_rate": money(clinic.near_round_number(dice, rate, 100)),
            }
        )
    found.sort(key=lambda row: (row["admitted_on"], row["patient_id"]))
    ids = clinic.ids("stays", len(found))
    return [{"id": one} | row for one, row in zip(ids, found, strict=True)]


def _admission_day(clinic: Clinic, dice: Dice, since: date) -> date:
    recent = dice.happens(14)
    day = dice.day(max(since, RECENT), LAST_DAY) if recent else dice.day(since, LAST_DAY)
    return max(since, month_edge(dice, day)) if dice.happens(clinic.profile.at_month_edges) else day


def make_prescriptions(clinic: Clinic, appointments: Sequence[Row], drugs: Sequence[Row]) -> list[Row]:
    """None to three drugs at a completed appointment; some drugs are never prescribed."""
    dice = clinic.dice.of("prescriptions")
    usual = {row["id"]: dice.weighted({0: 14, 1: 30, 3: 36, 6: 20}) for row in drugs}
    rows = []
    for appointment in appointments:
        if appointment["status"] != "completed":
            continue
        left = dict(usual)
        for _ in range(dice.weighted({0: 42, 1: 32, 2: 18, 3: 8})):
            drug = dice.weighted(left)
            del left[drug]
            days = dice.weighted({3: 10, 5: 16, 7: 22, 10: 18, 14: 16, 30: 12, 90: 6})
            days = clinic.near_round_number(dice, days)
            is_open = dice.happens(clinic.profile.until_further_notice)
            rows.append(
                {
                    "appointment_id": appointment["id"],
                    "drug_id": drug,
                    "doses_per_day": dice.weighted({1: 42, 2: 28, 3: 22, 4: 8}),
                    "days": None if is_open else days,
                }
            )
    return rows


def make_lab_results(clinic: Clinic, patients: Sequence[Row]) -> list[Row]:
    """Measurements with their units; some are pending, some gave no number."""
    dice = clinic.dice.of("lab results")
    tests = clinic.entries("tests")
    often = {row["id"]: dice.weighted({0: 20, 1: 30, 2: 26, 4: 16, 6: 8}) for row in patients}
    since = {row["id"]: max(row["registered_on"], FIRST_DAY) for row in patients}
    found = []
    for _ in range(clinic.profile.lab_results):
        patient = dice.weighted(often)
        test, unit, usual, low, high = dice.pick(tests)
        day = dice.day(since[patient], LAST_DAY)
        if dice.happens(clinic.profile.at_month_edges):
            day = max(month_edge(dice, day), since[patient])
        taken = moment(dice, day, 7, 15)
        reported = taken + timedelta(
            days=dice.weighted({0: 40, 1: 26, 2: 16, 3: 10, 5: 6, 8: 2}), minutes=dice.between(40, 480)
        )
        pending = reported > LAST_SECOND or dice.happens(9)
        value = _value(clinic, dice, usual, low, high)
        has_value = bool(unit) and not pending and not dice.happens(10)
        flag = "low" if value < low else "high" if value > high else None
        found.append(
            {
                "patient_id": patient,
                "test": test,
                "value": money(value) if has_value else None,
                "unit": unit or None,
                "flag": flag if has_value else None,
                "taken_at": taken,
                "reported_at": None if pending else reported,
            }
        )
    found.sort(key=lambda row: row["taken_at"])
    ids = clinic.ids("lab_results", len(found))
    return [{"id": one} | row for one, row in zip(ids, found, strict=True)]


def _value(clinic: Clinic, dice: Dice, usual: int, low: int, high: int) -> int:
    """In hundredths: within the reference range, or in some cases beyond one of its ends."""
    if usual == 0:
        return 0
    step = 10 if high < 2000 else 50
    if not dice.happens(clinic.profile.flagged):
        return dice.between(low // step + 1, high // step) * step
    if low and dice.happens(40):
        return max(step, (low * dice.between(55, 95) // 100) // step * step)
    return (high * dice.between(105, 220) // 100) // step * step
