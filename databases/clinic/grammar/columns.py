"""Columns that lists of the clinic's rows show, with the words that name them."""

from sqlrl.authoring.grammar.columns import Column, Number, Ranked, by_date, by_number, columns

# The first column of each names its row.
COLUMNS: dict[str, tuple[Column, ...]] = {
    "departments": columns(
        "departments", ("dep.name", "name"), ("dep.floor", "floor"), ("dep.beds", "number of beds")
    ),
    "practitioners": columns(
        "practitioners",
        ("pr.name", "name"),
        ("pr.role", "role"),
        ("pr.hourly_rate", "hourly rate"),
        ("pr.joined_on", "joining date"),
    ),
    "patients": columns(
        "patients",
        ("pa.name", "name"),
        ("pa.city", "city"),
        ("pa.sex", "sex"),
        ("pa.born_on", "birth date"),
        ("pa.registered_on", "registration date"),
    ),
    "coverages": columns(
        "coverages",
        ("co.id", "coverage id"),
        ("co.insurer", "insurer"),
        ("co.starts_on", "start date"),
        ("co.ends_on", "end date"),
    ),
    "diagnoses": columns(
        "diagnoses", ("di.name", "name"), ("di.code", "code"), ("di.usual_days", "usual length of stay")
    ),
    "appointments": columns(
        "appointments",
        ("ap.id", "appointment id"),
        ("ap.starts_at", "start date and time"),
        ("ap.status", "status"),
        ("ap.fee", "fee"),
        ("ap.booked_on", "booking date"),
    ),
    "stays": columns(
        "stays",
        ("st.id", "stay id"),
        ("st.admitted_on", "admission date"),
        ("st.discharged_on", "discharge date"),
        ("st.admission", "admission type"),
        ("st.daily_rate", "daily rate"),
    ),
    "drugs": columns("drugs", ("dr.name", "name"), ("dr.form", "form"), ("dr.unit_price", "unit price")),
    "lab_results": columns(
        "lab_results",
        ("lr.id", "lab result id"),
        ("lr.test", "test"),
        ("lr.value", "value"),
        ("lr.taken_at", "sampling date and time"),
    ),
    "invoices": columns(
        "invoices",
        ("inv.id", "invoice id"),
        ("inv.amount", "amount"),
        ("inv.issued_on", "issue date"),
        ("inv.covered", "covered amount"),
    ),
}
# The columns that name a row of a parent table beside its child's.
NAMES: dict[str, Column] = {
    "departments": Column("departments", "dep.name", "department name"),
    "practitioners": Column("practitioners", "pr.name", "practitioner name"),
    "specialities": Column("specialities", "sp.name", "speciality name"),
    "patients": Column("patients", "pa.name", "patient name"),
    "diagnoses": Column("diagnoses", "di.name", "diagnosis name"),
    "drugs": Column("drugs", "dr.name", "drug name"),
    "appointments": Column("appointments", "ap.starts_at", "start date and time of the appointment"),
}
RANKED: dict[str, tuple[Ranked, ...]] = {
    "practitioners": (
        by_number("practitioners", "pr.hourly_rate", "hourly rate", "rate"),
        by_date("practitioners", "pr.joined_on", "joining date", "joined", "who joined"),
    ),
    "patients": (
        by_date("patients", "pa.born_on", "birth date", "born", "born"),
        by_date("patients", "pa.registered_on", "registration date", "registered", "registered"),
    ),
    "stays": (
        by_number("stays", "st.daily_rate", "daily rate", "daily"),
        by_date("stays", "st.admitted_on", "admission date", "admitted", "that began"),
    ),
    "invoices": (
        by_number("invoices", "inv.amount", "amount", "amount"),
        by_date("invoices", "inv.issued_on", "issue date", "issued", "issued"),
    ),
    "drugs": (by_number("drugs", "dr.unit_price", "unit price", "price"),),
    "appointments": (
        by_number("appointments", "ap.fee", "fee", "fee", low=False),
        by_date("appointments", "ap.starts_at", "start date and time", "held", "starting"),
    ),
    "departments": (by_number("departments", "dep.beds", "number of beds", "beds", low=False),),
}
NUMBERS: dict[str, tuple[Number, ...]] = {
    "practitioners": (Number("pr.hourly_rate", "hourly rate", "rate"),),
    "appointments": (Number("ap.fee", "fee", "fee"),),
    "stays": (Number("st.daily_rate", "daily rate", "daily"),),
    "invoices": (Number("inv.amount", "amount", "amount"),),
    "drugs": (Number("dr.unit_price", "unit price", "price"),),
}
PLURALS = {
    "name": "names",
    "floor": "floors",
    "form": "forms",
    "role": "roles",
    "hourly rate": "hourly rates",
    "joining date": "joining dates",
    "city": "cities",
    "birth date": "birth dates",
    "registration date": "registration dates",
    "coverage id": "coverage ids",
    "insurer": "insurers",
    "start date": "start dates",
    "end date": "end dates",
    "code": "codes",
    "appointment id": "appointment ids",
    "status": "statuses",
    "fee": "fees",
    "booking date": "booking dates",
    "stay id": "stay ids",
    "admission date": "admission dates",
    "discharge date": "discharge dates",
    "admission type": "admission types",
    "daily rate": "daily rates",
    "unit price": "unit prices",
    "lab result id": "lab result ids",
    "test": "tests",
    "value": "values",
    "invoice id": "invoice ids",
    "amount": "amounts",
    "issue date": "issue dates",
    "covered amount": "covered amounts",
}
