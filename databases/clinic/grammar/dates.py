"""The clinic's chapter about dates: periods, lengths of stay, waiting, what follows a registration."""

from sqlrl.authoring.grammar.dates import DateColumn, Dates, Duration
from sqlrl.authoring.grammar.dates_after_start import AfterStart, LaterEvent
from sqlrl.authoring.grammar.dates_windows import FirstEvent, Gap, Series, Windows

from .keys import (
    ADMISSION,
    DEPARTMENT,
    DIAGNOSIS,
    INSURER,
    PATIENT,
    PATIENT_CITY,
    PRACTITIONER,
    PRACTITIONER_ROLE,
    ROLE,
    SPECIALITY,
    STATUS,
    TEST,
)
from .measures_care import DAYS

PERIODS = (
    ("appointments", "held_year"),
    ("appointments", "held_month"),
    ("appointments", "held_since"),
    ("appointments", "held_before"),
    ("appointments", "booked_since"),
    ("stays", "admitted_year"),
    ("stays", "admitted_month"),
    ("stays", "admitted_since"),
    ("stays", "admitted_before"),
    ("stays", "progress"),
    ("patients", "registered_year"),
    ("patients", "registered_since"),
    ("patients", "born_before"),
    ("practitioners", "joined_year"),
    ("practitioners", "joined_before"),
    ("coverages", "started_year"),
    ("coverages", "force"),
    ("invoices", "issued_year"),
    ("invoices", "issued_month"),
    ("invoices", "issued_before"),
    ("lab_results", "taken_year"),
    ("lab_results", "taken_month"),
)
DATES = {
    "appointments": DateColumn("ap.starts_at", "appointment", "held"),
    "stays": DateColumn("st.admitted_on", "admission", "admitted"),
    "practitioner_specialities": DateColumn("ps.certified_on", "certification", "certified"),
    "patients": DateColumn("pa.registered_on", "registration", "registered"),
    "practitioners": DateColumn("pr.joined_on", "joining", "joined"),
    "coverages": DateColumn("co.starts_on", "start", "started"),
    "invoices": DateColumn("inv.issued_on", "issue", "issued"),
    "lab_results": DateColumn("lr.taken_at", "sampling", "taken"),
}
LENGTH = Duration(
    base="stays",
    sql=DAYS,
    of="length in days of {rows}",
    noun="days of stay",
    exact="discharged_on - admitted_on",
    did="lasted",
    to="",
    ended="ended_yes",
    avoid=("ended", "admitted"),
    keys=(DEPARTMENT, ADMISSION, DIAGNOSIS, PATIENT_CITY),
    filtered=(["stays"], ["patients"], ["departments"], ["diagnoses"]),
    days=(2, 3, 5, 7, 10),
)
WAITING = Duration(
    base="appointments",
    sql="ap.starts_at::date - ap.booked_on",
    of="number of waiting days of {rows}",
    noun="waiting days",
    exact="starts_at::date - booked_on",
    did="involved",
    to=" of waiting",
    ended="",
    avoid=("booked",),
    keys=(PATIENT_CITY, STATUS, PRACTITIONER, PRACTITIONER_ROLE),
    filtered=(["appointments"], ["patients"], ["practitioners"], ["appointments", "patients"]),
    days=(7, 10, 14, 20),
)
REPORTING = Duration(
    base="lab_results",
    sql="lr.reported_at::date - lr.taken_at::date",
    of="number of days to report for {rows}",
    noun="days to report",
    exact="reported_at::date - taken_at::date",
    did="took",
    to=" to report",
    ended="reported_yes",
    avoid=("value",),
    keys=(TEST, PATIENT_CITY),
    filtered=(["lab_results"], ["patients"], ["lab_results", "patients"]),
    days=(2, 3, 4, 5),
)
SERIES = (
    Series(
        "appointments",
        "ap.starts_at",
        "appointments",
        "held_year",
        "held",
        ("appointments", "fees", "avg_fee"),
        ("appointments", "patients", "practitioners"),
    ),
    Series(
        "stays",
        "st.admitted_on",
        "stays",
        "admitted_year",
        "admitted",
        ("stays",),
        ("stays", "patients", "diagnoses"),
    ),
    Series(
        "invoices",
        "inv.issued_on",
        "invoices",
        "issued_year",
        "issued",
        ("invoices", "total", "avg_amount"),
        ("invoices", "patients"),
    ),
    Series(
        "lab_results",
        "lr.taken_at",
        "lab_results",
        "taken_year",
        "taken",
        ("lab_results",),
        ("lab_results", "patients"),
    ),
    Series(
        "patients",
        "pa.registered_on",
        "patients",
        "registered_year",
        "registered",
        ("patients",),
        ("patients",),
    ),
)
FIRSTS = (
    FirstEvent("stays", "patient_id", "st.admitted_on", "patients", "stay", "began their first"),
    FirstEvent("invoices", "patient_id", "inv.issued_on", "patients", "invoice", "received their first"),
    FirstEvent("coverages", "patient_id", "co.starts_on", "patients", "coverage", "started their first"),
    FirstEvent(
        "practitioner_specialities",
        "practitioner_id",
        "ps.certified_on",
        "practitioners",
        "certificate",
        "earned their first",
    ),
    FirstEvent(
        "stays", "department_id", "st.admitted_on", "departments", "stay", "began their first", people=False
    ),
)
GAPS = (
    Gap("appointments", "pa.name", "ap.starts_at::date", "patient", "patients", "patients"),
    Gap("appointments", "pr.name", "ap.starts_at::date", "practitioner", "practitioners", "practitioners"),
    Gap("invoices", "pa.name", "inv.issued_on", "patient", "patients", "patients"),
    Gap("lab_results", "pa.name", "lr.taken_at::date", "patient", "patients", "patients"),
)
DATES_CHAPTER = Dates(
    periods=PERIODS,
    dates=DATES,
    durations=(LENGTH, WAITING, REPORTING),
    bounds=(
        ("appointments", (PATIENT_CITY, STATUS, PRACTITIONER)),
        ("stays", (DEPARTMENT, PATIENT)),
        ("patients", (PATIENT_CITY,)),
        ("practitioners", (ROLE,)),
        ("coverages", (INSURER,)),
        ("practitioner_specialities", (SPECIALITY,)),
    ),
    windows=Windows(
        series=SERIES,
        firsts=FIRSTS,
        gaps_of=GAPS,
        avoid=("held", "booked", "admitted", "issued", "taken", "started", "certified"),
        gaps_avoid=("registered",),
    ),
    after_start=AfterStart(
        owner="patients",
        key="patient_id",
        start="pa.registered_on",
        start_noun="registration",
        starting="registering",
        events=(
            LaterEvent("stays", "admitted_on", "began"),
            LaterEvent("invoices", "issued_on", "received"),
        ),
        groups=(
            ("pa.city", "city", "city"),
            ("EXTRACT(YEAR FROM pa.registered_on)", "registration year", "year"),
            ("pa.sex", "sex", "sex"),
        ),
        avoid=("admitted", "issued", "ended"),
    ),
)
