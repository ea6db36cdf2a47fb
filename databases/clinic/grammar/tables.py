"""The clinic's tables as its grammar sees them: aliases, nouns, how they join and how the join is said."""

from sqlrl.authoring.grammar.tables import Link, Tables

from .columns import PLURALS

ALIASES = {
    "departments": "dep",
    "practitioners": "pr",
    "specialities": "sp",
    "practitioner_specialities": "ps",
    "patients": "pa",
    "coverages": "co",
    "diagnoses": "di",
    "appointments": "ap",
    "stays": "st",
    "drugs": "dr",
    "prescriptions": "rx",
    "lab_results": "lr",
    "invoices": "inv",
}
NOUNS = {
    "departments": ("department", "departments"),
    "practitioners": ("practitioner", "practitioners"),
    "specialities": ("speciality", "specialities"),
    "practitioner_specialities": ("certificate", "certificates"),
    "patients": ("patient", "patients"),
    "coverages": ("coverage", "coverages"),
    "diagnoses": ("diagnosis", "diagnoses"),
    "appointments": ("appointment", "appointments"),
    "stays": ("stay", "stays"),
    "drugs": ("drug", "drugs"),
    "prescriptions": ("prescription", "prescriptions"),
    "lab_results": ("lab result", "lab results"),
    "invoices": ("invoice", "invoices"),
}
LINKS = (
    Link("practitioners", "departments", "department_id", "", ""),
    Link("practitioner_specialities", "practitioners", "practitioner_id", "held by", "that are held by"),
    Link("practitioner_specialities", "specialities", "speciality_id", "", ""),
    Link("coverages", "patients", "patient_id", "of", "that belong to"),
    Link("appointments", "patients", "patient_id", "for", "that are for"),
    Link("appointments", "practitioners", "practitioner_id", "with", "that are with"),
    Link("stays", "patients", "patient_id", "of", "that belong to"),
    Link("stays", "departments", "department_id", "", ""),
    Link("stays", "diagnoses", "diagnosis_code", "for", "that are for", key="code"),
    Link("prescriptions", "appointments", "appointment_id", "from", "that come from"),
    Link("prescriptions", "drugs", "drug_id", "for", "that are for"),
    Link("lab_results", "patients", "patient_id", "of", "that belong to"),
    Link("invoices", "patients", "patient_id", "to", "that were sent to"),
)
TABLES = Tables(
    aliases=ALIASES,
    nouns=NOUNS,
    links=LINKS,
    plurals=PLURALS,
    absorbed={
        "practitioners": ("departments",),
        "practitioner_specialities": ("specialities",),
        "stays": ("departments",),
    },
)
