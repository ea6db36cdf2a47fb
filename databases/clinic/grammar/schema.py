"""The words of the clinic's schema, all in one."""

from sqlrl.authoring.grammar.filters import Maker
from sqlrl.authoring.grammar.schema import Schema

from .columns import COLUMNS, NAMES, NUMBERS, RANKED
from .filters_care import APPOINTMENT_FILTERS, STAY_FILTERS
from .filters_costs import COVERAGE_FILTERS, INVOICE_FILTERS, LAB_FILTERS
from .filters_drugs import DRUG_FILTERS, PRESCRIPTION_FILTERS
from .filters_people import (
    CERTIFICATE_FILTERS,
    DEPARTMENT_FILTERS,
    DIAGNOSIS_FILTERS,
    PATIENT_FILTERS,
    PRACTITIONER_FILTERS,
    SPECIALITY_FILTERS,
)
from .keys import JOINED_KEYS, OWN_KEYS
from .measures import MEASURES
from .tables import TABLES

FILTERS: dict[str, dict[str, Maker]] = {
    "departments": DEPARTMENT_FILTERS,
    "practitioners": PRACTITIONER_FILTERS,
    "specialities": SPECIALITY_FILTERS,
    "practitioner_specialities": CERTIFICATE_FILTERS,
    "patients": PATIENT_FILTERS,
    "coverages": COVERAGE_FILTERS,
    "diagnoses": DIAGNOSIS_FILTERS,
    "appointments": APPOINTMENT_FILTERS,
    "stays": STAY_FILTERS,
    "drugs": DRUG_FILTERS,
    "prescriptions": PRESCRIPTION_FILTERS,
    "lab_results": LAB_FILTERS,
    "invoices": INVOICE_FILTERS,
}
# Filters of one family say something about one column; two of them in a question would be odd.
FAMILIES = {
    "progress": "admitted",
    "force": "started",
    "floor": "department",
    # A flag and a report say that there is a value.
    "flag": "value",
    "flag_missing": "value",
    "flag_set": "value",
    "reported_not": "value",
    "reported_yes": "value",
}
# What a grouping makes pointless as a filter.
KEY_FAMILIES = {
    "practitioner": ("role", "joined", "rate", "left", "supervised", "department"),
    "patient": ("city", "sex", "born", "phone", "registered"),
    "drug": ("generic", "form", "price"),
    "diagnosis": ("chronic", "code", "usual"),
    "doses": ("days",),
    "year_joined_on": ("joined",),
    "year_registered_on": ("registered",),
    "year_certified_on": ("certified",),
    "year_starts_at": ("held",),
    "year_admitted_on": ("admitted",),
    "year_taken_at": ("taken",),
    "year_starts_on": ("started",),
    "year_issued_on": ("issued",),
}

SCHEMA = Schema(
    tables=TABLES,
    filters=FILTERS,
    families=FAMILIES,
    key_families=KEY_FAMILIES,
    measures=MEASURES,
    own_keys=OWN_KEYS,
    joined_keys=JOINED_KEYS,
    columns=COLUMNS,
    names=NAMES,
    ranked=RANKED,
    numbers=NUMBERS,
    # Prescriptions come from completed appointments alone.
    idle={"appointments": ("status",)},
)
