"""Conditions on departments, practitioners, certificates, patients and diagnoses."""

import datetime

from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.makers import (
    before,
    compared,
    equal,
    fixed,
    in_year,
    missing,
    one_of,
    other_than,
    present,
    since,
    starting,
)

from .values import Values


def first_days(values: Values, column: str) -> list[datetime.date]:
    """First days of the years of a column, but for the first."""
    return [datetime.date(year, 1, 1) for year in values.years[column][1:]]


def decades(values: Values) -> list[datetime.date]:
    """Round years of birth."""
    years = {year // 10 * 10 for year in values.years["patients.born_on"]}
    return [datetime.date(year, 1, 1) for year in sorted(years)[1:]]


DEPARTMENT_FILTERS: dict[str, Maker] = {
    "department": equal(
        "departments",
        "dep.name",
        lambda values: values.departments,
        ("~ in the {value} department", "~ in the department {value}"),
        ("department {value}", "department = {value}"),
    ),
    "floor": compared(
        "departments",
        "dep.floor",
        "=",
        lambda values: values.floors,
        ("~ in a department on floor {number}", "~ in departments on floor {number}"),
        ("department on floor {number}", "department floor {number}"),
    ),
}
PRACTITIONER_FILTERS: dict[str, Maker] = {
    "role": equal(
        "practitioners",
        "pr.role",
        lambda values: values.roles,
        ("~ with the role {value}", "~ whose role is {value}"),
        ("{of}role {value}", "{of}role = {value}"),
    ),
    "role_not": other_than(
        "practitioners",
        "pr.role",
        lambda values: values.roles,
        ("~ whose role is not {value}", "~ with any role but {value}"),
        ("{of}role not {value}", "{of}role other than {value}"),
    ),
    "joined_year": in_year(
        "practitioners",
        "pr.joined_on",
        lambda values: values.years["practitioners.joined_on"],
        ("~ who joined in {year}", "~ who joined the clinic in {year}"),
        ("{of}joining date in {year}", "{of}joining year {year}"),
    ),
    "joined_since": since(
        "practitioners",
        "pr.joined_on",
        lambda values: first_days(values, "practitioners.joined_on"),
        ("~ who joined on or after {day}", "~ who joined the clinic on {day} or later"),
        ("{of}joining date since {iso}", "{of}joining date on/after {iso}"),
    ),
    "joined_before": before(
        "practitioners",
        "pr.joined_on",
        lambda values: first_days(values, "practitioners.joined_on"),
        ("~ who joined before {day}", "~ who joined the clinic before {day}"),
        ("{of}joining date before {iso}",),
    ),
    "rate_above": compared(
        "practitioners",
        "pr.hourly_rate",
        ">",
        lambda values: values.thresholds["practitioners.hourly_rate"],
        ("~ with an hourly rate above {number}", "~ paid more than {number} an hour"),
        ("{of}hourly rate > {number}", "{of}hourly rate above {number}"),
    ),
    "rate_below": compared(
        "practitioners",
        "pr.hourly_rate",
        "<",
        lambda values: values.thresholds["practitioners.hourly_rate"],
        ("~ with an hourly rate below {number}", "~ paid less than {number} an hour"),
        ("{of}hourly rate < {number}", "{of}hourly rate below {number}"),
    ),
    "left_not": missing(
        "practitioners",
        "pr.left_on",
        ("~ who have not left the clinic", "~ who still work at the clinic"),
        ("{of}no leaving date", "{of}leaving date missing"),
    ),
    "left_yes": present(
        "practitioners",
        "pr.left_on",
        ("~ who have left the clinic", "~ with a leaving date"),
        ("{of}leaving date present", "{of}leaving date known"),
    ),
    "supervised": present(
        "practitioners",
        "pr.supervisor_id",
        ("~ who have a supervisor", "~ with a supervisor"),
        ("{of}any supervisor", "{of}supervisor known"),
    ),
}
SPECIALITY_FILTERS: dict[str, Maker] = {
    "speciality": equal(
        "specialities",
        "sp.name",
        lambda values: values.specialities,
        ("~ in {value}", "~ in the speciality {value}"),
        ("speciality {value}", "speciality = {value}"),
    ),
    "speciality_in": one_of(
        "specialities",
        "sp.name",
        lambda values: values.specialities,
        ("~ in {one} or {two}",),
        ("speciality {one} or {two}", "speciality in ({one}, {two})"),
    ),
}
CERTIFICATE_FILTERS: dict[str, Maker] = {
    "certified_year": in_year(
        "practitioner_specialities",
        "ps.certified_on",
        lambda values: values.years["practitioner_specialities.certified_on"],
        ("~ granted in {year}", "~ dated {year}"),
        ("{of}certification in {year}", "{of}certification year {year}"),
    ),
    "certified_since": since(
        "practitioner_specialities",
        "ps.certified_on",
        lambda values: first_days(values, "practitioner_specialities.certified_on"),
        ("~ granted on or after {day}", "~ granted on {day} or later"),
        ("{of}certification since {iso}", "{of}certification on/after {iso}"),
    ),
    "certified_before": before(
        "practitioner_specialities",
        "ps.certified_on",
        lambda values: first_days(values, "practitioner_specialities.certified_on"),
        ("~ granted before {day}", "~ dated before {day}"),
        ("{of}certification before {iso}",),
    ),
}
PATIENT_FILTERS: dict[str, Maker] = {
    "city": equal(
        "patients",
        "pa.city",
        lambda values: values.cities,
        ("~ from {value}", "~ living in {value}", "~ who live in {value}"),
        ("{of}city {value}", "{of}city = {value}"),
    ),
    "city_in": one_of(
        "patients",
        "pa.city",
        lambda values: values.cities,
        ("~ from {one} or {two}", "~ living in {one} or {two}"),
        ("{of}city {one} or {two}", "{of}city in ({one}, {two})"),
    ),
    "city_not": other_than(
        "patients",
        "pa.city",
        lambda values: values.cities,
        ("~ who do not live in {value}", "~ from outside {value}"),
        ("{of}city not {value}", "{of}city other than {value}"),
    ),
    "sex": equal(
        "patients",
        "pa.sex",
        lambda values: values.sexes,
        ("{value} ~", "{value} ~", "~ whose sex is {value}"),
        ("{of}sex {value}", "{of}sex = {value}"),
    ),
    "born_since": since(
        "patients",
        "pa.born_on",
        decades,
        ("~ born on or after {day}", "~ born on {day} or later"),
        ("{of}birth date since {iso}", "{of}birth date on/after {iso}"),
    ),
    "born_before": before(
        "patients",
        "pa.born_on",
        decades,
        ("~ born before {day}", "~ who were born before {day}"),
        ("{of}birth date before {iso}",),
    ),
    "registered_year": in_year(
        "patients",
        "pa.registered_on",
        lambda values: values.years["patients.registered_on"],
        ("~ registered in {year}", "~ who registered in {year}"),
        ("{of}registration in {year}", "{of}registration year {year}"),
    ),
    "registered_since": since(
        "patients",
        "pa.registered_on",
        lambda values: values.quarters["patients.registered_on"],
        ("~ who registered on or after {day}", "~ registered on {day} or later"),
        ("{of}registration since {iso}", "{of}registration on/after {iso}"),
    ),
    "registered_before": before(
        "patients",
        "pa.registered_on",
        lambda values: values.quarters["patients.registered_on"],
        ("~ who registered before {day}", "~ registered before {day}"),
        ("{of}registration before {iso}",),
    ),
    "phone_missing": missing(
        "patients",
        "pa.phone",
        ("~ without a phone number", "~ whose phone number is not known"),
        ("{of}no phone number", "{of}phone number missing"),
    ),
    "phone_set": present(
        "patients",
        "pa.phone",
        ("~ with a phone number", "~ whose phone number is known"),
        ("{of}phone number present", "{of}phone number known"),
    ),
}
DIAGNOSIS_FILTERS: dict[str, Maker] = {
    "chronic": fixed(
        "diagnoses",
        "di.chronic",
        ("chronic ~", "~ that are chronic", "~ marked as chronic"),
        ("{of}chronic flag true", "{of}chronic flag set"),
        ("{at}chronic is true",),
    ),
    "chronic_not": fixed(
        "diagnoses",
        "NOT di.chronic",
        ("~ that are not chronic", "~ not marked as chronic"),
        ("{of}chronic flag false", "{of}chronic flag not set"),
        ("{at}chronic is false",),
    ),
    "code": starting(
        "diagnoses",
        "di.code",
        lambda values: values.chapters,
        ("~ whose code starts with {value}",),
        ("{of}code starting with {value}", "{of}code beginning with {value}"),
    ),
    "usual_above": compared(
        "diagnoses",
        "di.usual_days",
        ">",
        lambda values: values.thresholds["diagnoses.usual_days"],
        ("~ with a usual stay of more than {number} days", "~ whose usual stay is above {number} days"),
        ("{of}usual days > {number}", "{of}usual stay > {number} days"),
    ),
    "usual_below": compared(
        "diagnoses",
        "di.usual_days",
        "<",
        lambda values: values.thresholds["diagnoses.usual_days"],
        ("~ with a usual stay of less than {number} days", "~ whose usual stay is below {number} days"),
        ("{of}usual days < {number}", "{of}usual stay < {number} days"),
    ),
    "usual_missing": missing(
        "diagnoses",
        "di.usual_days",
        ("~ without a usual length of stay", "~ that have no usual length of stay"),
        ("{of}no usual days", "{of}usual days missing"),
    ),
    "usual_set": present(
        "diagnoses",
        "di.usual_days",
        ("~ with a usual length of stay", "~ that have a usual length of stay"),
        ("{of}usual days present", "{of}usual days known"),
    ),
}
