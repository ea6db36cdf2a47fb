"""The formulas of the clinic's notes, as measures."""

from dataclasses import replace

from sqlrl.authoring.grammar.measures import formula

from .measures_care import DAYS

CHARGE = f"st.daily_rate * GREATEST({DAYS}, 1)"
SHARE = "inv.amount - COALESCE(inv.covered, 0)"
DOSES = "rx.doses_per_day * rx.days"

CHARGES = formula(
    "stays",
    f"SUM({CHARGE})",
    "charge",
    "the total charge of {rows}",
    "total charge",
    "the sum of the charges over {rows}",
    "amount",
)
STAY_DAYS = formula(
    "stays",
    f"SUM({DAYS})",
    "days",
    "the total length in days of {rows}",
    "total length in days",
    "the sum of discharged_on - admitted_on over {rows}",
    "amount",
)
INCOME = replace(
    formula(
        "appointments",
        "SUM(CASE WHEN ap.status = 'completed' THEN ap.fee ELSE 0 END)",
        "income",
        "the fee income from {rows}",
        "fee income",
        "the fee income over {rows}",
        "amount",
    ),
    family="status",
    mass=True,
)
SHARES = replace(
    formula(
        "invoices",
        f"SUM({SHARE})",
        "share",
        "the patients' total share (amount minus what the insurer covers) of {rows}",
        "total patients' share",
        "the sum of amount minus covered (NULL as 0) over {rows}",
        "amount",
    ),
    family="covered",
)
DOSE_SUM = formula(
    "prescriptions",
    f"SUM({DOSES})",
    "doses",
    "the total number of doses of {rows}",
    "total number of doses",
    "the sum of doses_per_day * days over {rows}",
    "amount",
)
COST = formula(
    "prescriptions",
    f"SUM({DOSES} * dr.unit_price)",
    "cost",
    "the total cost (doses times unit price) of {rows}",
    "total cost",
    "the sum of doses_per_day * days * unit_price over {rows}",
    "amount",
    ("drugs",),
)
CHARGE_EACH = formula(
    "stays",
    f"AVG({CHARGE})",
    "charge",
    "the average charge per stay of {rows}",
    "average charge per stay",
    "the average charge over {rows}",
    "average",
)
NO_SHOWS = replace(
    formula(
        "appointments",
        "100.0 * COUNT(*) FILTER (WHERE ap.status = 'no_show')"
        " / NULLIF(COUNT(*) FILTER (WHERE ap.status IN ('no_show', 'completed')), 0)",
        "rate",
        "the no-show percentage of {rows} (empty where none was completed or missed)",
        "no-show percentage",
        "100 * no_show / (no_show and completed) over {rows}, NULL where there is neither",
        "average",
    ),
    family="status",
)
INCOME_EACH = replace(
    formula(
        "appointments",
        "SUM(CASE WHEN ap.status = 'completed' THEN ap.fee ELSE 0 END) / COUNT(*)",
        "income",
        "the average fee income per appointment, counting all of {rows}",
        "average fee income per appointment",
        "the fee income divided by the number of appointments, over {rows}",
        "average",
    ),
    family="status",
)
INCOME_PER_PATIENT = replace(
    formula(
        "appointments",
        "SUM(CASE WHEN ap.status = 'completed' THEN ap.fee ELSE 0 END) / COUNT(DISTINCT ap.patient_id)",
        "income",
        "the average fee income per different patient, over {rows}",
        "average fee income per different patient",
        "the fee income divided by the number of distinct patients, over {rows}",
        "average",
    ),
    family="status",
    rivals=("patient",),
)
SHARE_PCT = replace(
    formula(
        "invoices",
        f"100 * SUM({SHARE}) / SUM(inv.amount)",
        "share",
        "the patients' share as a percentage of the amount of {rows}",
        "patients' share as a percentage of the amount",
        "100 * patients' share / amount over {rows}",
        "average",
    ),
    family="covered",
)
SHARE_EACH = replace(
    formula(
        "invoices",
        f"SUM({SHARE}) / COUNT(*)",
        "share",
        "the average patient's share per invoice of {rows}",
        "average patient's share per invoice",
        "the patients' share divided by the number of invoices, over {rows}",
        "average",
    ),
    family="covered",
)
BILLED_PER_PATIENT = replace(
    formula(
        "invoices",
        "SUM(inv.amount) / COUNT(DISTINCT inv.patient_id)",
        "billed",
        "the average billed amount per different patient, over {rows}",
        "average billed amount per different patient",
        "the sum of amount divided by the number of distinct patients, over {rows}",
        "average",
    ),
    family="amount",
    rivals=("patient",),
)
COVERED_PCT = replace(
    formula(
        "invoices",
        "100 * SUM(COALESCE(inv.covered, 0)) / SUM(inv.amount)",
        "covered",
        "the percentage of the amount that insurers cover (undecided as 0) of {rows}",
        "percentage covered",
        "100 * covered (NULL as 0) / amount over {rows}",
        "average",
    ),
    family="covered",
)
CHARGE_PER_PATIENT = replace(
    formula(
        "stays",
        f"SUM({CHARGE}) / COUNT(DISTINCT st.patient_id)",
        "charge",
        "the average charge per different patient, over {rows}",
        "average charge per different patient",
        "the sum of the charges divided by the number of distinct patients, over {rows}",
        "average",
    ),
    rivals=("patient",),
)
DAYS_PER_PATIENT = replace(
    formula(
        "stays",
        f"SUM({DAYS}) * 1.0 / COUNT(DISTINCT st.patient_id)",
        "days",
        "the average number of days of stay per different patient, over {rows}",
        "average number of days of stay per different patient",
        "the sum of discharged_on - admitted_on divided by the number of distinct patients, over {rows}",
        "average",
    ),
    rivals=("patient",),
)
