"""Conditions on drugs and prescriptions."""

from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.makers import compared, equal, fixed, missing, other_than, present

DRUG_FILTERS: dict[str, Maker] = {
    "generic": fixed(
        "drugs",
        "dr.generic",
        ("generic ~", "~ that are generic"),
        ("{of}generic flag true", "{of}generic flag set"),
        ("{at}generic is true",),
    ),
    "generic_not": fixed(
        "drugs",
        "NOT dr.generic",
        ("~ that are not generic", "~ not marked as generic"),
        ("{of}generic flag false", "{of}generic flag not set"),
        ("{at}generic is false",),
    ),
    "form": equal(
        "drugs",
        "dr.form",
        lambda values: values.forms,
        ("~ in {value} form", "~ whose form is {value}"),
        ("{of}form {value}", "{of}form = {value}"),
    ),
    "form_not": other_than(
        "drugs",
        "dr.form",
        lambda values: values.forms,
        ("~ whose form is not {value}", "~ in any form but {value}"),
        ("{of}form not {value}", "{of}form other than {value}"),
    ),
    "price_above": compared(
        "drugs",
        "dr.unit_price",
        ">",
        lambda values: values.thresholds["drugs.unit_price"],
        ("~ with a unit price above {number}", "~ priced above {number} a unit"),
        ("{of}unit price > {number}", "{of}unit price above {number}"),
    ),
    "price_below": compared(
        "drugs",
        "dr.unit_price",
        "<",
        lambda values: values.thresholds["drugs.unit_price"],
        ("~ with a unit price below {number}", "~ priced below {number} a unit"),
        ("{of}unit price < {number}", "{of}unit price below {number}"),
    ),
}
PRESCRIPTION_FILTERS: dict[str, Maker] = {
    "days_least": compared(
        "prescriptions",
        "rx.days",
        ">=",
        lambda values: values.thresholds["prescriptions.days"],
        ("~ lasting at least {number} days", "~ that last at least {number} days"),
        ("{of}days >= {number}",),
    ),
    "days_below": compared(
        "prescriptions",
        "rx.days",
        "<",
        lambda values: values.thresholds["prescriptions.days"],
        ("~ lasting less than {number} days", "~ that last less than {number} days"),
        ("{of}days < {number}",),
    ),
    "days_missing": missing(
        "prescriptions",
        "rx.days",
        ("~ that run until further notice", "~ without a number of days"),
        ("{of}until further notice", "{of}no number of days"),
    ),
    "days_set": present(
        "prescriptions",
        "rx.days",
        ("~ with a fixed number of days", "~ that have a number of days"),
        ("{of}fixed number of days", "{of}number of days known"),
    ),
    "doses_least": compared(
        "prescriptions",
        "rx.doses_per_day",
        ">=",
        lambda values: values.thresholds["prescriptions.doses_per_day"],
        ("~ with at least {number} doses a day", "~ with {number} or more doses a day"),
        ("{of}doses per day >= {number}",),
    ),
    "doses_one": fixed(
        "prescriptions",
        "rx.doses_per_day = 1",
        ("~ with exactly 1 dose a day", "~ with a single dose a day"),
        ("{of}doses per day = 1", "{of}1 dose a day"),
        ("{at}doses_per_day is 1", "{at}doses_per_day = 1"),
    ),
}
