"""Conditions on lab results, coverages and invoices."""

from sqlrl.authoring.draw import Draw, EmptyDrawError
from sqlrl.authoring.grammar.filters import Filter, Maker, make
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
    under_way,
)
from sqlrl.authoring.phrasing import number_text
from sqlrl.database.literals import quote

from .filters_care import inner_months
from .values import Values


def test_above(values: Values, draw: Draw) -> Filter:
    """A number means something beside its test alone: units differ."""
    test = draw.detail.pick(values.tests)
    if not values.readings[test]:
        raise EmptyDrawError
    number = number_text(draw.detail.pick(values.readings[test]))
    return make(
        draw,
        "lab_results",
        f"lr.test = {quote(test)} AND lr.value > {number}",
        (f"~ for {test} with a value above {number}", f"~ for {test} with a value of more than {number}"),
        (f"{{of}}test {test}, value > {number}",),
        (f"{{at}}test is '{test}' with value above {number}", f"{{at}}test = '{test}' with value > {number}"),
    )


LAB_FILTERS: dict[str, Maker] = {
    "test": equal(
        "lab_results",
        "lr.test",
        lambda values: values.tests,
        ("~ for {value}", "~ for the test {value}"),
        ("{of}test {value}", "{of}test = {value}"),
    ),
    "test_in": one_of(
        "lab_results",
        "lr.test",
        lambda values: values.tests,
        ("~ for {one} or {two}", "~ for the tests {one} or {two}"),
        ("{of}test {one} or {two}", "{of}test in ({one}, {two})"),
    ),
    "test_above": test_above,
    "value_missing": missing(
        "lab_results",
        "lr.value",
        ("~ without a value", "~ that have no value"),
        ("{of}no value", "{of}value missing"),
    ),
    "value_set": present(
        "lab_results",
        "lr.value",
        ("~ with a value", "~ that have a value"),
        ("{of}value present", "{of}value known"),
    ),
    "reported_not": missing(
        "lab_results",
        "lr.reported_at",
        ("pending ~", "~ that have not been reported", "~ that are still pending"),
        ("{of}no report date", "{of}report date missing"),
    ),
    "reported_yes": present(
        "lab_results",
        "lr.reported_at",
        ("~ that have been reported", "reported ~"),
        ("{of}report date present", "{of}report date known"),
    ),
    "flag": equal(
        "lab_results",
        "lr.flag",
        lambda values: values.flags,
        ("~ flagged {value}", "~ flagged as {value}"),
        ("{of}flag {value}", "{of}flag = {value}"),
    ),
    "flag_missing": missing(
        "lab_results",
        "lr.flag",
        ("~ without a flag", "~ that carry no flag"),
        ("{of}no flag", "{of}flag missing"),
    ),
    "flag_set": present(
        "lab_results",
        "lr.flag",
        ("~ with a flag", "~ that carry a flag"),
        ("{of}flag present", "{of}any flag"),
    ),
    "taken_year": in_year(
        "lab_results",
        "lr.taken_at",
        lambda values: values.years["lab_results.taken_at"],
        ("~ taken in {year}", "~ taken during {year}"),
        ("{of}sampling in {year}", "{of}sampling year {year}"),
    ),
    "taken_month": in_month(
        "lab_results",
        "lr.taken_at",
        lambda values: values.months["lab_results.taken_at"],
        ("~ taken in {month}", "~ taken during {month}"),
        ("{of}sampling in {month}", "{of}sampling month {month}"),
    ),
    "taken_since": since(
        "lab_results",
        "lr.taken_at",
        lambda values: inner_months(values, "lab_results.taken_at"),
        ("~ taken on or after {day}", "~ taken on {day} or later"),
        ("{of}sampling since {iso}", "{of}sampling on/after {iso}"),
    ),
    "taken_before": before(
        "lab_results",
        "lr.taken_at",
        lambda values: inner_months(values, "lab_results.taken_at"),
        ("~ taken before {day}",),
        ("{of}sampling before {iso}",),
    ),
}
COVERAGE_FILTERS: dict[str, Maker] = {
    "insurer": equal(
        "coverages",
        "co.insurer",
        lambda values: values.insurers,
        ("~ with {value}", "~ with the insurer {value}"),
        ("{of}insurer {value}", "{of}insurer = {value}"),
    ),
    "insurer_not": other_than(
        "coverages",
        "co.insurer",
        lambda values: values.insurers,
        ("~ with any insurer but {value}", "~ whose insurer is not {value}"),
        ("{of}insurer not {value}", "{of}insurer other than {value}"),
    ),
    "started_year": in_year(
        "coverages",
        "co.starts_on",
        lambda values: values.years["coverages.starts_on"],
        ("~ starting in {year}", "~ that started in {year}"),
        ("{of}start in {year}", "{of}start year {year}"),
    ),
    "started_since": since(
        "coverages",
        "co.starts_on",
        lambda values: values.quarters["coverages.starts_on"],
        ("~ starting on or after {day}", "~ that started on {day} or later"),
        ("{of}start since {iso}", "{of}start on/after {iso}"),
    ),
    "started_before": before(
        "coverages",
        "co.starts_on",
        lambda values: values.quarters["coverages.starts_on"],
        ("~ starting before {day}", "~ that started before {day}"),
        ("{of}start before {iso}",),
    ),
    "force": under_way(
        "coverages",
        "co.starts_on",
        "co.ends_on",
        ">=",
        lambda values: values.quarters["coverages.starts_on"][2:],
        ("~ in force on {day}", "~ that were in force on {day}"),
        ("{of}in force on {iso}",),
    ),
    "open": missing(
        "coverages",
        "co.ends_on",
        ("open-ended ~", "~ without an end date"),
        ("{of}no end date", "{of}end date missing"),
    ),
    "open_not": present(
        "coverages",
        "co.ends_on",
        ("~ with an end date", "~ that have an end date"),
        ("{of}end date present", "{of}end date known"),
    ),
    "copay_missing": missing(
        "coverages",
        "co.copay_pct",
        ("~ without a co-payment", "~ that have no co-payment"),
        ("{of}no co-payment", "{of}co-payment missing"),
    ),
    "copay_set": present(
        "coverages",
        "co.copay_pct",
        ("~ with a co-payment", "~ that have a co-payment"),
        ("{of}co-payment present", "{of}any co-payment"),
    ),
    "copay_least": compared(
        "coverages",
        "co.copay_pct",
        ">=",
        lambda values: values.thresholds["coverages.copay_pct"],
        ("~ with a co-payment of at least {number} percent", "~ with a co-payment of {number}% or more"),
        ("{of}co-payment >= {number}%",),
    ),
}
INVOICE_FILTERS: dict[str, Maker] = {
    "issued_year": in_year(
        "invoices",
        "inv.issued_on",
        lambda values: values.years["invoices.issued_on"],
        ("~ issued in {year}", "~ issued during {year}", "~ dated {year}"),
        ("{of}issue date in {year}", "{of}issue year {year}"),
    ),
    "issued_month": in_month(
        "invoices",
        "inv.issued_on",
        lambda values: values.months["invoices.issued_on"],
        ("~ issued in {month}", "~ issued during {month}"),
        ("{of}issue date in {month}", "{of}issue month {month}"),
    ),
    "issued_since": since(
        "invoices",
        "inv.issued_on",
        lambda values: inner_months(values, "invoices.issued_on"),
        ("~ issued on or after {day}", "~ issued on {day} or later"),
        ("{of}issue date since {iso}", "{of}issue date on/after {iso}"),
    ),
    "issued_before": before(
        "invoices",
        "inv.issued_on",
        lambda values: inner_months(values, "invoices.issued_on"),
        ("~ issued before {day}",),
        ("{of}issue date before {iso}",),
    ),
    "settled_not": missing(
        "invoices",
        "inv.settled_on",
        ("open ~", "~ that have not been settled", "~ that are still open"),
        ("{of}no settlement date", "{of}settlement date missing"),
    ),
    "settled_yes": present(
        "invoices",
        "inv.settled_on",
        ("settled ~", "~ that have been settled"),
        ("{of}settlement date present", "{of}settlement date known"),
    ),
    "covered_missing": missing(
        "invoices",
        "inv.covered",
        ("~ that the insurer has not decided on", "~ without a decision of the insurer"),
        ("{of}no decision of insurer", "{of}insurer decision missing"),
    ),
    "covered_set": present(
        "invoices",
        "inv.covered",
        ("~ that the insurer has decided on", "~ with a decision of the insurer"),
        ("{of}insurer decision present", "{of}decision of insurer"),
    ),
    "covered_zero": fixed(
        "invoices",
        "inv.covered = 0",
        ("~ that the insurer refused", "~ refused by the insurer"),
        ("{of}refusal by insurer", "{of}covered = 0"),
        ("{at}covered is 0", "{at}covered = 0"),
    ),
    "amount_above": compared(
        "invoices",
        "inv.amount",
        ">",
        lambda values: values.thresholds["invoices.amount"],
        ("~ with an amount above {number}", "~ with an amount of more than {number}"),
        ("{of}amount > {number}", "{of}amount above {number}"),
    ),
    "amount_below": compared(
        "invoices",
        "inv.amount",
        "<",
        lambda values: values.thresholds["invoices.amount"],
        ("~ with an amount below {number}", "~ with an amount of less than {number}"),
        ("{of}amount < {number}", "{of}amount below {number}"),
    ),
}
