"""The clinic's measures: what is computed over its rows."""

from dataclasses import replace

from sqlrl.authoring.grammar.measures import Measure, count_of, different, extreme_day, of_column, some

from .measures_care import CARE_MEASURES

PEOPLE_MEASURES: dict[str, tuple[Measure, ...]] = {
    "practitioners": (
        count_of("practitioners"),
        of_column(
            "practitioners",
            "AVG",
            "pr.hourly_rate",
            "avg_rate",
            "hourly rate",
            "rate",
            "practitioner hourly rate",
        ),
        of_column(
            "practitioners",
            "MAX",
            "pr.hourly_rate",
            "max_rate",
            "hourly rate",
            "rate",
            "practitioner hourly rate",
        ),
        of_column(
            "practitioners",
            "MIN",
            "pr.hourly_rate",
            "min_rate",
            "hourly rate",
            "rate",
            "practitioner hourly rate",
        ),
        different(
            "practitioners", "pr.role", "roles", "held by {rows}", "practitioner roles", "role", ("role",)
        ),
        extreme_day(
            "practitioners", "MIN", "pr.joined_on", "joining date", "joined", "practitioner joining date"
        ),
        extreme_day(
            "practitioners", "MAX", "pr.joined_on", "joining date", "joined", "practitioner joining date"
        ),
    ),
    "practitioner_specialities": (
        count_of("practitioner_specialities", "certificates"),
        different(
            "practitioner_specialities",
            "ps.practitioner_id",
            "practitioners",
            "who hold {rows}",
            "practitioners with certificates",
            "practitioners",
            ("practitioner",),
        ),
        different(
            "practitioner_specialities",
            "ps.speciality_id",
            "specialities",
            "covered by {rows}",
            "specialities with certificates",
            "specialities",
            ("speciality",),
        ),
        extreme_day("practitioner_specialities", "MIN", "ps.certified_on", "certification date", "certified"),
        extreme_day("practitioner_specialities", "MAX", "ps.certified_on", "certification date", "certified"),
    ),
    "patients": (
        count_of("patients"),
        different(
            "patients", "pa.city", "cities", "that {rows} live in", "patient cities", "city", ("city",)
        ),
        extreme_day(
            "patients",
            "MIN",
            "pa.registered_on",
            "registration date",
            "registered",
            "patient registration date",
        ),
        extreme_day(
            "patients",
            "MAX",
            "pa.registered_on",
            "registration date",
            "registered",
            "patient registration date",
        ),
    ),
    "coverages": (
        count_of("coverages"),
        different(
            "coverages",
            "co.patient_id",
            "patients",
            "who have {rows}",
            "patients with coverages",
            "patients",
            ("patient",),
        ),
        different(
            "coverages",
            "co.insurer",
            "insurers",
            "behind {rows}",
            "insurers with coverages",
            "insurer",
            ("insurer",),
        ),
        some(
            of_column(
                "coverages",
                "AVG",
                "co.copay_pct",
                "avg_copay",
                "co-payment percentage",
                "copay",
                "coverage co-payment percentage",
            )
        ),
        extreme_day("coverages", "MIN", "co.starts_on", "start date", "started", "coverage start date"),
        extreme_day("coverages", "MAX", "co.starts_on", "start date", "started", "coverage start date"),
    ),
    "diagnoses": (
        replace(count_of("diagnoses"), terse=("number of diagnoses", "diagnosis count")),
        some(
            of_column(
                "diagnoses",
                "AVG",
                "di.usual_days",
                "avg_usual",
                "usual length of stay",
                "usual",
                "usual stay of diagnoses",
            )
        ),
        some(
            of_column(
                "diagnoses",
                "MAX",
                "di.usual_days",
                "max_usual",
                "usual length of stay",
                "usual",
                "usual stay of diagnoses",
            )
        ),
    ),
    "invoices": (
        count_of("invoices"),
        of_column("invoices", "SUM", "inv.amount", "total", "amount", "amount", "invoice amount"),
        of_column("invoices", "AVG", "inv.amount", "avg_amount", "amount", "amount", "invoice amount"),
        of_column("invoices", "MAX", "inv.amount", "max_amount", "amount", "amount", "invoice amount"),
        of_column("invoices", "MIN", "inv.amount", "min_amount", "amount", "amount", "invoice amount"),
        different(
            "invoices",
            "inv.patient_id",
            "patients",
            "who received {rows}",
            "patients with invoices",
            "patients",
            ("patient",),
        ),
        some(
            of_column(
                "invoices",
                "SUM",
                "inv.covered",
                "covered",
                "covered amount",
                "covered",
                "covered amount of invoices",
            )
        ),
        extreme_day("invoices", "MIN", "inv.issued_on", "issue date", "issued", "invoice issue date"),
        extreme_day("invoices", "MAX", "inv.issued_on", "issue date", "issued", "invoice issue date"),
    ),
}
MEASURES: dict[str, tuple[Measure, ...]] = PEOPLE_MEASURES | CARE_MEASURES
