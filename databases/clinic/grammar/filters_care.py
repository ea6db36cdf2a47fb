"""Conditions on appointments and stays."""

import datetime

from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.makers import (
    before,
    compared,
    equal,
    fixed,
    in_month,
    in_year,
    missing,
    one_of,
    other_than,
    present,
    since,
    starting,
    under_way,
)

from .values import Values


def inner_months(values: Values, column: str) -> tuple[datetime.date, ...]:
    """First days of months with rows on either side."""
    return values.months[column][2:-2]


APPOINTMENT_FILTERS: dict[str, Maker] = {
    "status": equal(
        "appointments",
        "ap.status",
        lambda values: values.statuses,
        ("~ with status {value}", "~ whose status is {value}", "~ with the status {value}"),
        ("{of}status {value}", "{of}status = {value}"),
    ),
    "status_in": one_of(
        "appointments",
        "ap.status",
        lambda values: values.statuses,
        ("~ with status {one} or {two}", "~ whose status is {one} or {two}"),
        ("{of}status {one} or {two}", "{of}status in ({one}, {two})"),
    ),
    "status_not": other_than(
        "appointments",
        "ap.status",
        lambda values: values.statuses,
        ("~ with any status but {value}", "~ whose status is not {value}"),
        ("{of}status not {value}", "{of}status other than {value}"),
    ),
    "held_year": in_year(
        "appointments",
        "ap.starts_at",
        lambda values: values.years["appointments.starts_at"],
        ("~ scheduled for {year}", "~ starting in {year}"),
        ("{of}start in {year}", "{of}start year {year}"),
    ),
    "held_month": in_month(
        "appointments",
        "ap.starts_at",
        lambda values: values.months["appointments.starts_at"],
        ("~ scheduled for {month}", "~ starting in {month}"),
        ("{of}start in {month}", "{of}start month {month}"),
    ),
    "held_since": since(
        "appointments",
        "ap.starts_at",
        lambda values: inner_months(values, "appointments.starts_at"),
        ("~ starting on or after {day}", "~ scheduled for {day} or later"),
        ("{of}start since {iso}", "{of}start on/after {iso}"),
    ),
    "held_before": before(
        "appointments",
        "ap.starts_at",
        lambda values: inner_months(values, "appointments.starts_at"),
        ("~ starting before {day}", "~ scheduled for before {day}"),
        ("{of}start before {iso}",),
    ),
    "booked_since": since(
        "appointments",
        "ap.booked_on",
        lambda values: inner_months(values, "appointments.booked_on"),
        ("~ that were booked on or after {day}", "~ that were booked on {day} or later"),
        ("{of}booking date since {iso}", "{of}booking date on/after {iso}"),
    ),
    "minutes_above": compared(
        "appointments",
        "ap.minutes",
        ">",
        lambda values: values.thresholds["appointments.minutes"],
        ("~ that took more than {number} minutes", "~ with a duration above {number} minutes"),
        ("{of}minutes > {number}", "{of}duration > {number} min"),
    ),
    "minutes_missing": missing(
        "appointments",
        "ap.minutes",
        ("~ without a recorded duration", "~ whose duration was not recorded"),
        ("{of}no duration", "{of}duration missing"),
    ),
    "minutes_set": present(
        "appointments",
        "ap.minutes",
        ("~ with a recorded duration", "~ whose duration was recorded"),
        ("{of}duration recorded", "{of}duration known"),
    ),
    "fee_above": compared(
        "appointments",
        "ap.fee",
        ">",
        lambda values: values.thresholds["appointments.fee"],
        ("~ with a fee above {number}", "~ with a fee of more than {number}"),
        ("{of}fee > {number}",),
    ),
    "fee_zero": fixed(
        "appointments",
        "ap.fee = 0",
        ("~ with a fee of zero", "~ whose fee is zero"),
        ("{of}fee 0", "{of}fee = 0"),
        ("{at}fee is 0", "{at}fee = 0"),
    ),
}
STAY_FILTERS: dict[str, Maker] = {
    "admission": equal(
        "stays",
        "st.admission",
        lambda values: values.admissions,
        ("~ with admission type {value}", "~ whose admission type is {value}"),
        ("{of}admission type {value}", "{of}admission type = {value}"),
    ),
    "admission_not": other_than(
        "stays",
        "st.admission",
        lambda values: values.admissions,
        ("~ with any admission type but {value}", "~ whose admission type is not {value}"),
        ("{of}admission type not {value}", "{of}admission type other than {value}"),
    ),
    "admitted_year": in_year(
        "stays",
        "st.admitted_on",
        lambda values: values.years["stays.admitted_on"],
        ("~ beginning in {year}", "~ that began in {year}"),
        ("{of}admission in {year}", "{of}admission year {year}"),
    ),
    "admitted_month": in_month(
        "stays",
        "st.admitted_on",
        lambda values: values.months["stays.admitted_on"],
        ("~ beginning in {month}", "~ that began in {month}"),
        ("{of}admission in {month}", "{of}admission month {month}"),
    ),
    "admitted_since": since(
        "stays",
        "st.admitted_on",
        lambda values: inner_months(values, "stays.admitted_on"),
        ("~ beginning on or after {day}", "~ that began on {day} or later"),
        ("{of}admission since {iso}", "{of}admission on/after {iso}"),
    ),
    "admitted_before": before(
        "stays",
        "st.admitted_on",
        lambda values: inner_months(values, "stays.admitted_on"),
        ("~ beginning before {day}", "~ that began before {day}"),
        ("{of}admission before {iso}",),
    ),
    "progress": under_way(
        "stays",
        "st.admitted_on",
        "st.discharged_on",
        ">",
        lambda values: inner_months(values, "stays.admitted_on"),
        ("~ in progress on {day}", "~ that were in progress on {day}"),
        ("{of}in progress on {iso}",),
    ),
    "ended_not": missing(
        "stays",
        "st.discharged_on",
        ("~ that have not ended", "open ~", "~ without a discharge date"),
        ("{of}no discharge date", "{of}discharge date missing"),
    ),
    "ended_yes": present(
        "stays",
        "st.discharged_on",
        ("~ that have ended", "~ with a discharge date"),
        ("{of}discharge date present", "{of}discharge date known"),
    ),
    "daily_above": compared(
        "stays",
        "st.daily_rate",
        ">",
        lambda values: values.thresholds["stays.daily_rate"],
        ("~ with a daily rate above {number}", "~ with a daily rate of more than {number}"),
        ("{of}daily rate > {number}", "{of}daily rate above {number}"),
    ),
    "daily_below": compared(
        "stays",
        "st.daily_rate",
        "<",
        lambda values: values.thresholds["stays.daily_rate"],
        ("~ with a daily rate below {number}", "~ with a daily rate of less than {number}"),
        ("{of}daily rate < {number}", "{of}daily rate below {number}"),
    ),
    "code": starting(
        "stays",
        "st.diagnosis_code",
        lambda values: values.chapters,
        ("~ whose diagnosis code starts with {value}", "~ with a diagnosis code starting with {value}"),
        ("{of}diagnosis code starting with {value}", "{of}diagnosis code beginning with {value}"),
    ),
}
