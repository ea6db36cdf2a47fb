"""The clinic's chapter about the formulas of its notes."""

from dataclasses import replace

from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.metrics import Formulas, Mixed, Rate, Ratios, RowFormulas
from sqlrl.authoring.grammar.schema import Chapter

from .formulas import (
    BILLED_PER_PATIENT,
    CHARGE,
    CHARGE_EACH,
    CHARGE_PER_PATIENT,
    CHARGES,
    COST,
    COVERED_PCT,
    DAYS_PER_PATIENT,
    DOSE_SUM,
    INCOME,
    INCOME_EACH,
    INCOME_PER_PATIENT,
    NO_SHOWS,
    SHARE,
    SHARE_EACH,
    SHARE_PCT,
    SHARES,
    STAY_DAYS,
)
from .keys import (
    ADMISSION,
    ADMISSION_YEAR,
    APPOINTMENT_YEAR,
    DEPARTMENT,
    DIAGNOSIS,
    DRUG,
    FORM,
    ISSUE_YEAR,
    PATIENT,
    PATIENT_CITY,
    PRACTITIONER,
    PRACTITIONER_ROLE,
    SEX,
)
from .measures_care import DAYS

OF_STAYS: tuple[Key, ...] = (DEPARTMENT, DIAGNOSIS, PATIENT_CITY, SEX, PATIENT, ADMISSION, ADMISSION_YEAR)
OF_INVOICES: tuple[Key, ...] = (PATIENT_CITY, SEX, PATIENT, ISSUE_YEAR)
OF_APPOINTMENTS: tuple[Key, ...] = (
    PATIENT_CITY,
    SEX,
    PATIENT,
    PRACTITIONER,
    PRACTITIONER_ROLE,
    DEPARTMENT,
    APPOINTMENT_YEAR,
)
STAYS = Formulas(
    base="stays",
    sums=(CHARGES, STAY_DAYS, CHARGE_EACH),
    summed=(["stays"], ["patients"], ["departments"], ["diagnoses"], ["stays", "patients"]),
    keys=OF_STAYS,
    grouped=(CHARGES, STAY_DAYS, CHARGE_EACH),
    narrowed=(["stays"], ["patients"], ["stays"]),
    always="ended_yes",
)
INVOICES = Formulas(
    base="invoices",
    sums=(SHARES, SHARE_PCT, COVERED_PCT),
    summed=(["invoices"], ["patients"], ["invoices", "patients"]),
    keys=OF_INVOICES,
    grouped=(SHARES, SHARES, SHARE_EACH),
    narrowed=(["invoices"], ["patients"], ["invoices"]),
)
APPOINTMENTS = Formulas(
    base="appointments",
    sums=(INCOME, NO_SHOWS, INCOME_EACH),
    summed=(["appointments"], ["patients"], ["practitioners"], ["appointments", "patients"]),
    keys=OF_APPOINTMENTS,
    grouped=(INCOME, INCOME, NO_SHOWS),
    narrowed=(["appointments"], ["patients"], ["practitioners"]),
    avoid=("minutes", "fee"),
)
PRESCRIPTIONS = Formulas(
    base="prescriptions",
    sums=(DOSE_SUM, COST, COST),
    summed=(["drugs"], ["appointments"], ["prescriptions"], ["drugs"], ["patients"]),
    keys=(DRUG, FORM, PRACTITIONER, PATIENT_CITY),
    grouped=(DOSE_SUM, COST),
    narrowed=(["prescriptions"], ["drugs"], ["appointments"]),
    always="days_set",
)
FIRST_PAIR = Mixed(STAYS, INVOICES, share_of_sums=0.5, share_of_groups=0.5)
SECOND_PAIR = Mixed(APPOINTMENTS, PRESCRIPTIONS, share_of_sums=0.5, share_of_groups=0.55)
PER_STAY = RowFormulas(
    "stays",
    (
        (DAYS, "length in days", ()),
        (CHARGE, "charge", ("daily",)),
    ),
    (["stays"], ["patients"], ["departments"], ["stays", "patients"], ["diagnoses"]),
    always="ended_yes",
)
PER_INVOICE = RowFormulas(
    "invoices",
    (
        (SHARE, "patient's share", ("covered",)),
        (
            "100 * COALESCE(inv.covered, 0) / inv.amount",
            "percentage of the amount covered (0 if undecided)",
            ("covered",),
        ),
    ),
    (["invoices"], ["patients"], ["invoices", "invoices"], ["invoices", "patients"]),
)
RATIOS_OF_STAYS = Ratios(
    base="stays",
    keys=OF_STAYS,
    ratios=(CHARGE_EACH, CHARGE_PER_PATIENT, DAYS_PER_PATIENT),
    narrowed=(["stays"], [], ["patients"], ["diagnoses"]),
    parts=(CHARGES, STAY_DAYS),
    shared=OF_STAYS,
    shared_narrowed=(["stays"], ["patients"], ["stays"]),
    always="ended_yes",
)
RATIOS_OF_INVOICES = Ratios(
    base="invoices",
    keys=OF_INVOICES,
    ratios=(SHARE_PCT, SHARE_EACH, BILLED_PER_PATIENT, COVERED_PCT),
    narrowed=(["invoices"], [], ["patients"]),
    parts=(
        SHARES,
        replace(
            SHARES,
            sql="SUM(inv.amount)",
            of=("the total amount of {rows}",),
            word="total amount",
            terse=("total amount",),
            analyst=("the sum of amount over {rows}",),
            family="amount",
        ),
    ),
    shared=OF_INVOICES,
    shared_narrowed=(["invoices"], ["patients"], ["invoices"]),
)
RATIOS_OF_APPOINTMENTS = Ratios(
    base="appointments",
    keys=OF_APPOINTMENTS,
    ratios=(NO_SHOWS, INCOME_EACH, INCOME_PER_PATIENT),
    narrowed=(["patients"], [], ["practitioners"]),
    parts=(INCOME,),
    shared=OF_APPOINTMENTS,
    shared_narrowed=(["patients"], ["practitioners"], ["patients"]),
)
STATUS_RATE = Rate(
    base="appointments",
    column="ap.status",
    noun="status",
    values=lambda domain: tuple(domain.values.statuses),
    keys=OF_APPOINTMENTS,
    avoid=("status", "minutes"),
)
ADMISSION_RATE = Rate(
    base="stays",
    column="st.admission",
    noun="admission type",
    values=lambda domain: tuple(domain.values.admissions),
    keys=(DEPARTMENT, DIAGNOSIS, PATIENT_CITY, SEX, ADMISSION_YEAR),
    avoid=("admission",),
)
CHAPTER = Chapter(
    easy=(PER_STAY.per_row, PER_INVOICE.per_row, FIRST_PAIR.one_sum, SECOND_PAIR.one_sum),
    medium=(FIRST_PAIR.by_group, SECOND_PAIR.by_group),
    hard=(
        RATIOS_OF_STAYS.ratio,
        RATIOS_OF_INVOICES.ratio,
        RATIOS_OF_APPOINTMENTS.ratio,
        RATIOS_OF_STAYS.share_of_total,
        RATIOS_OF_INVOICES.share_of_total,
        STATUS_RATE.rate,
        ADMISSION_RATE.rate,
    ),
)
