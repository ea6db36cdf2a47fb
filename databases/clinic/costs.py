"""Who pays in the clinic: coverages and invoices."""

from collections.abc import Sequence
from datetime import date, timedelta

from databases.clinic.instance import FIRST_DAY, LAST_DAY, Profile, month_edge
from sqlrl.database.instance import Instance, Row, money

Clinic = Instance[Profile]


def make_coverages(clinic: Clinic, patients: Sequence[Row]) -> list[Row]:
    """None to three insurances a patient, one after the other; the last is often open-ended."""
    insurers = clinic.entries("insurers")
    found = []
    for patient in patients:
        dice = clinic.dice.of("coverage", patient["name"])
        day = clinic.near_edge(dice, dice.day(date(2022, 1, 1), date(2024, 6, 30)), 3)
        count = dice.weighted({0: 14, 1: 46, 2: 28, 3: 12})
        for number in range(count):
            if day > LAST_DAY:
                break
            is_last = number == count - 1
            months = dice.pick([6, 9, 12, 12, 18])
            ends = clinic.near_edge(dice, day + timedelta(days=30 * months), 3)
            is_open = is_last and dice.happens(clinic.profile.open_ended)
            copay = dice.weighted({5: 20, 10: 44, 15: 12, 20: 24})
            found.append(
                {
                    "patient_id": patient["id"],
                    "insurer": dice.pick(insurers),
                    "starts_on": day,
                    "ends_on": None if is_open else ends,
                    "copay_pct": copay if dice.happens(clinic.profile.with_copay) else None,
                }
            )
            day = ends + timedelta(days=1 if dice.happens(60) else dice.between(10, 90))
    found.sort(key=lambda row: (row["starts_on"], row["patient_id"]))
    ids = clinic.ids("coverages", len(found))
    return [{"id": one} | row for one, row in zip(ids, found, strict=True)]


def make_invoices(clinic: Clinic, patients: Sequence[Row]) -> list[Row]:
    """What patients are billed: the insurer pays much, a part, nothing, or has not decided."""
    dice = clinic.dice.of("invoices")
    often = {row["id"]: dice.weighted({0: 16, 1: 30, 2: 28, 4: 18, 7: 8}) for row in patients}
    since = {row["id"]: max(row["registered_on"], FIRST_DAY) for row in patients}
    found = []
    for _ in range(clinic.profile.invoices):
        patient = dice.weighted(often)
        day = dice.day(since[patient], LAST_DAY)
        if dice.happens(clinic.profile.at_month_edges):
            day = max(month_edge(dice, day), since[patient])
        amount = clinic.near_round_number(dice, dice.between(6, 180) * 500, 100)
        decided = dice.happens(clinic.profile.covered)
        share = dice.weighted({0: 18, 40: 12, 60: 16, 80: 30, 100: 24})
        settled = day + timedelta(days=dice.pick([0, 7, 14, 21, 30, 45, dice.between(1, 90)]))
        is_settled = dice.happens(clinic.profile.settled) and settled <= LAST_DAY
        found.append(
            {
                "patient_id": patient,
                "issued_on": day,
                "amount": money(amount),
                "covered": money(amount * share // 1000 * 10) if decided else None,
                "settled_on": settled if is_settled else None,
            }
        )
    found.sort(key=lambda row: row["issued_on"])
    ids = clinic.ids("invoices", len(found))
    return [{"id": one} | row for one, row in zip(ids, found, strict=True)]
