"""Measures of what happens in the clinic: appointments, stays, prescriptions, lab results."""

from dataclasses import replace

from sqlrl.authoring.grammar.measures import (
    Measure,
    count_of,
    different,
    extreme_day,
    formula,
    of_column,
    some,
)

DAYS = "st.discharged_on - st.admitted_on"

CARE_MEASURES: dict[str, tuple[Measure, ...]] = {
    "appointments": (
        count_of("appointments"),
        of_column("appointments", "SUM", "ap.fee", "fees", "fee", "fee", "appointment fee"),
        of_column("appointments", "AVG", "ap.fee", "avg_fee", "fee", "fee", "appointment fee"),
        of_column("appointments", "MAX", "ap.fee", "max_fee", "fee", "fee", "appointment fee"),
        different(
            "appointments",
            "ap.patient_id",
            "patients",
            "who have {rows}",
            "patients with appointments",
            "patients",
            ("patient",),
        ),
        different(
            "appointments",
            "ap.practitioner_id",
            "practitioners",
            "who have {rows}",
            "practitioners with appointments",
            "practitioners",
            ("practitioner",),
        ),
        some(
            of_column(
                "appointments",
                "AVG",
                "ap.minutes",
                "avg_minutes",
                "number of minutes",
                "minutes",
                "appointment minutes",
            )
        ),
        some(
            of_column(
                "appointments",
                "MAX",
                "ap.minutes",
                "max_minutes",
                "number of minutes",
                "minutes",
                "appointment minutes",
            )
        ),
        extreme_day(
            "appointments", "MIN", "ap.starts_at", "start date and time", "held", "appointment start"
        ),
        extreme_day(
            "appointments", "MAX", "ap.starts_at", "start date and time", "held", "appointment start"
        ),
    ),
    "stays": (
        count_of("stays"),
        of_column("stays", "AVG", "st.daily_rate", "avg_rate", "daily rate", "daily", "stay daily rate"),
        of_column("stays", "MAX", "st.daily_rate", "max_rate", "daily rate", "daily", "stay daily rate"),
        of_column("stays", "MIN", "st.daily_rate", "min_rate", "daily rate", "daily", "stay daily rate"),
        different(
            "stays",
            "st.patient_id",
            "patients",
            "who had {rows}",
            "patients with stays",
            "patients",
            ("patient",),
        ),
        some(
            formula(
                "stays",
                f"AVG({DAYS})",
                "avg_days",
                "the average length in days of {rows}, open ones left out",
                "average length in days",
                "the average of discharged_on - admitted_on over {rows}",
                "days",
            )
        ),
        extreme_day("stays", "MIN", "st.admitted_on", "admission date", "admitted", "stay admission date"),
        extreme_day("stays", "MAX", "st.admitted_on", "admission date", "admitted", "stay admission date"),
    ),
    "drugs": (
        count_of("drugs"),
        of_column("drugs", "AVG", "dr.unit_price", "avg_price", "unit price", "price", "drug unit price"),
        of_column("drugs", "MAX", "dr.unit_price", "max_price", "unit price", "price", "drug unit price"),
        of_column("drugs", "MIN", "dr.unit_price", "min_price", "unit price", "price", "drug unit price"),
    ),
    "prescriptions": (
        count_of("prescriptions"),
        different(
            "prescriptions",
            "rx.drug_id",
            "drugs",
            "named in {rows}",
            "drugs with prescriptions",
            "drugs",
            ("drug",),
        ),
        different(
            "prescriptions",
            "rx.appointment_id",
            "appointments",
            "that led to {rows}",
            "appointments with prescriptions",
            "appointments",
            lone=True,
        ),
        some(
            of_column(
                "prescriptions", "AVG", "rx.days", "avg_days", "number of days", "days", "prescription days"
            )
        ),
        some(
            of_column(
                "prescriptions", "MAX", "rx.days", "max_days", "number of days", "days", "prescription days"
            )
        ),
    ),
    "lab_results": (
        count_of("lab_results", "lab results"),
        different(
            "lab_results",
            "lr.patient_id",
            "patients",
            "who have {rows}",
            "patients with lab results",
            "patients",
            ("patient",),
        ),
        different(
            "lab_results", "lr.test", "tests", "among {rows}", "tests with lab results", "test", ("test",)
        ),
        *(
            replace(
                some(
                    of_column(
                        "lab_results",
                        name,
                        "lr.value",
                        f"{name.lower()}_value",
                        "value",
                        "value",
                        "lab value",
                    )
                ),
                within="test",
            )
            for name in ("AVG", "MAX", "MIN")
        ),
        extreme_day(
            "lab_results",
            "MIN",
            "lr.taken_at",
            "sampling date and time",
            "taken",
            "lab sampling date and time",
        ),
        extreme_day(
            "lab_results",
            "MAX",
            "lr.taken_at",
            "sampling date and time",
            "taken",
            "lab sampling date and time",
        ),
    ),
}
