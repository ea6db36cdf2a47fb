"""The clinic's chapters about several tables: two-table join, multi-table join."""

from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.many_tables import DifferentNames, ManyTables, Nesting
from sqlrl.authoring.grammar.two_tables import TwoTables
from sqlrl.authoring.grammar.two_tables_hard import AgainstOthers, Extreme, Outer, OwnAverage

from .columns import NUMBERS
from .keys import (
    APPOINTMENT_YEAR,
    DEPARTMENT,
    DIAGNOSIS,
    DRUG,
    FORM,
    PATIENT,
    PATIENT_CITY,
    PRACTITIONER,
    PRACTITIONER_ROLE,
    SEX,
    SPECIALITY,
)
from .tables import LINKS

KEYS_OF: dict[str, tuple[Key, ...]] = {
    "patients": (PATIENT_CITY, SEX, PATIENT),
    "practitioners": (PRACTITIONER, PRACTITIONER_ROLE),
    "departments": (DEPARTMENT,),
    "specialities": (SPECIALITY,),
    "diagnoses": (DIAGNOSIS,),
    "drugs": (DRUG, FORM),
    "appointments": (APPOINTMENT_YEAR,),
}
OUTERS = (
    Outer("patients", "stays", "pa.name", "st.id", "st.patient_id = pa.id", "they had"),
    Outer("patients", "invoices", "pa.name", "inv.id", "inv.patient_id = pa.id", "they received"),
    Outer("patients", "coverages", "pa.name", "co.id", "co.patient_id = pa.id", "they have"),
    Outer("patients", "lab_results", "pa.name", "lr.id", "lr.patient_id = pa.id", "they have"),
    Outer("patients", "appointments", "pa.name", "ap.id", "ap.patient_id = pa.id", "they have"),
    Outer("practitioners", "appointments", "pr.name", "ap.id", "ap.practitioner_id = pr.id", "they have"),
    Outer(
        "practitioners",
        "practitioner_specialities",
        "pr.name",
        "ps.speciality_id",
        "ps.practitioner_id = pr.id",
        "they hold",
    ),
    Outer("drugs", "prescriptions", "dr.name", "rx.drug_id", "rx.drug_id = dr.id", "that name them"),
    Outer(
        "diagnoses",
        "stays",
        "di.name",
        "st.id",
        "st.diagnosis_code = di.code",
        "recorded for them",
        avoid=("code",),
    ),
    Outer(
        "departments",
        "practitioners",
        "dep.name",
        "pr.id",
        "pr.department_id = dep.id",
        "directly in them",
        narrowed=False,
    ),
)
RATE, FEE = NUMBERS["practitioners"][0], NUMBERS["appointments"][0]
DAILY, AMOUNT, PRICE = NUMBERS["stays"][0], NUMBERS["invoices"][0], NUMBERS["drugs"][0]
IN_DEPARTMENT = ("department_id", "departments", "dep.name", "department name", "department", "in")
OWN_AVERAGES = (
    OwnAverage("practitioners", RATE, *IN_DEPARTMENT),
    OwnAverage("practitioners", RATE, "role", "practitioners", "pr.role", "role", "role", "with"),
    OwnAverage("stays", DAILY, *IN_DEPARTMENT),
    OwnAverage("drugs", PRICE, "form", "drugs", "dr.form", "form", "form", "with"),
    OwnAverage("invoices", AMOUNT, "patient_id", "patients", "pa.name", "patient name", "patient", "to"),
    OwnAverage(
        "appointments",
        FEE,
        "practitioner_id",
        "practitioners",
        "pr.name",
        "practitioner name",
        "practitioner",
        "with",
    ),
)
EXTREMES = (
    Extreme("stays", "patients", "patient_id", "admitted_on", "of", "admission", "admission", "type"),
    Extreme("stays", "patients", "patient_id", "admitted_on", "of", "admission", "daily_rate", "daily rate"),
    Extreme("invoices", "patients", "patient_id", "issued_on", "to", "invoice", "amount", "amount"),
    Extreme(
        "stays",
        "diagnoses",
        "diagnosis_code",
        "admitted_on",
        "for",
        "admission",
        "admission",
        "type",
        key="code",
    ),
)
TWO_TABLES = TwoTables(
    listable=tuple(
        link for link in LINKS if link.child not in ("practitioner_specialities", "prescriptions")
    ),
    favoured=(),
    keys_of=KEYS_OF,
    against=AgainstOthers(OUTERS, OWN_AVERAGES, EXTREMES),
)
CHAINS = (
    ("appointments", "patients", "practitioners"),
    ("appointments", "practitioners", "departments"),
    ("prescriptions", "appointments", "patients"),
    ("prescriptions", "appointments", "practitioners"),
    ("prescriptions", "drugs", "appointments"),
    ("prescriptions", "drugs", "patients"),
    ("stays", "patients", "departments"),
    ("stays", "patients", "diagnoses"),
    ("stays", "departments", "diagnoses"),
    ("practitioner_specialities", "practitioners", "specialities"),
    ("practitioner_specialities", "practitioners", "departments"),
)
DIFFERENT = (
    DifferentNames(
        "appointments", "practitioners", "practitioners with appointments for", "patients", ("patients",)
    ),
    DifferentNames(
        "appointments",
        "patients",
        "patients with appointments with",
        "practitioners",
        ("practitioners", "departments"),
    ),
    DifferentNames("prescriptions", "drugs", "drugs prescribed to", "patients", ("patients",)),
    DifferentNames("prescriptions", "drugs", "drugs prescribed by", "practitioners", ("practitioners",)),
    DifferentNames("prescriptions", "practitioners", "practitioners who prescribed", "drugs", ("drugs",)),
    DifferentNames("prescriptions", "patients", "patients to whom somebody prescribed", "drugs", ("drugs",)),
    DifferentNames("stays", "departments", "departments with stays of", "patients", ("patients",)),
    DifferentNames("stays", "patients", "patients with stays for", "diagnoses", ("diagnoses",)),
    DifferentNames("stays", "diagnoses", "diagnoses behind stays of", "patients", ("patients",)),
    DifferentNames(
        "practitioner_specialities",
        "specialities",
        "specialities with certificates held by",
        "practitioners",
        ("practitioners", "departments"),
    ),
)
OF_APPOINTMENTS: tuple[list[str], ...] = (["appointments"], [], ["patients"], ["practitioners"])
OF_STAYS: tuple[list[str], ...] = (["stays"], [], ["patients"], ["stays"])
OF_PRESCRIPTIONS: tuple[list[str], ...] = (["appointments"], [], ["prescriptions"], ["drugs"])
OF_INVOICES: tuple[list[str], ...] = (["invoices"], [], ["patients"], ["invoices"])
NESTINGS = (
    Nesting("appointments", PATIENT_CITY, "patients", OF_APPOINTMENTS),
    Nesting("appointments", PRACTITIONER_ROLE, "practitioners", OF_APPOINTMENTS),
    Nesting("appointments", DEPARTMENT, "practitioners", OF_APPOINTMENTS),
    Nesting("prescriptions", PATIENT_CITY, "patients", OF_PRESCRIPTIONS),
    Nesting("prescriptions", FORM, "drugs", OF_PRESCRIPTIONS),
    Nesting("prescriptions", PRACTITIONER, "appointments", OF_PRESCRIPTIONS),
    Nesting("stays", PATIENT_CITY, "patients", OF_STAYS),
    Nesting("invoices", PATIENT_CITY, "patients", OF_INVOICES),
)
MANY_TABLES = ManyTables(
    chains=CHAINS,
    favoured=CHAINS[:6],
    different_names=DIFFERENT,
    keys_of=KEYS_OF,
    beyond=(
        ("appointments", (PATIENT, PRACTITIONER, PATIENT_CITY, DEPARTMENT), OF_APPOINTMENTS),
        ("prescriptions", (DRUG, PRACTITIONER, PATIENT, PATIENT_CITY, DEPARTMENT), OF_PRESCRIPTIONS),
        ("stays", (PATIENT, DEPARTMENT, DIAGNOSIS), (["patients", "stays"], ["patients"], ["stays"], [])),
    ),
    nestings=NESTINGS,
    unlisted=("prescriptions", "practitioner_specialities"),
    unfiltered=("departments", "specialities"),
    summed=("amount", "count"),
)
