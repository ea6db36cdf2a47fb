"""The clinic's chapter about missing values, with the meanings of its notes."""

from sqlrl.authoring.draw import Draw
from sqlrl.authoring.grammar.compose import narrow
from sqlrl.authoring.grammar.frames import choose, fill
from sqlrl.authoring.grammar.nulls import Named, Nulls, Presence
from sqlrl.authoring.grammar.nulls_hard import Beside, HardNulls, MissingAsZero, MissingGroup
from sqlrl.authoring.grammar.schema import Chapter, Domain
from sqlrl.authoring.query import Select
from sqlrl.authoring.teacher import Draft

from .keys import INSURER, PATIENT, PATIENT_CITY, SEX, STATUS

MISSING = (
    ("appointments", "minutes_missing"),
    ("appointments", "minutes_set"),
    ("stays", "ended_not"),
    ("stays", "ended_yes"),
    ("patients", "phone_missing"),
    ("patients", "phone_set"),
    ("lab_results", "value_missing"),
    ("lab_results", "value_set"),
    ("lab_results", "flag_missing"),
    ("lab_results", "reported_not"),
    ("invoices", "covered_missing"),
    ("invoices", "covered_set"),
    ("invoices", "settled_not"),
    ("invoices", "settled_yes"),
    ("coverages", "open"),
    ("coverages", "open_not"),
    ("coverages", "copay_missing"),
    ("coverages", "copay_set"),
    ("prescriptions", "days_missing"),
    ("prescriptions", "days_set"),
    ("practitioners", "left_not"),
    ("practitioners", "left_yes"),
)
PRESENCE = (
    Presence("appointments", "ap.minutes", "a recorded duration", "minutes"),
    Presence("stays", "st.discharged_on", "a discharge date", "ended"),
    Presence("patients", "pa.phone", "a phone number", "phone"),
    Presence("lab_results", "lr.value", "a value", "value"),
    Presence("lab_results", "lr.flag", "a flag", "value"),
    Presence("invoices", "inv.covered", "a decision of the insurer", "covered"),
    Presence("coverages", "co.copay_pct", "a co-payment", "copay"),
    Presence("coverages", "co.ends_on", "an end date", "open"),
)
SUPERVISOR = "LEFT JOIN practitioners su ON pr.supervisor_id = su.id"
PARENT = "LEFT JOIN diagnoses up ON di.parent_code = up.code"
NAMED = (
    Named("practitioners", SUPERVISOR, "su.name", "supervisor", ("nobody", "none"), "supervised"),
    Named("diagnoses", PARENT, "up.name", "parent diagnosis", ("none", "chapter"), "code"),
)
GROUPS = (
    MissingGroup("practitioners", SUPERVISOR, "su.name", "supervisor", ("nobody", "none")),
    MissingGroup("practitioners", SUPERVISOR, "su.role", "supervisor's role", ("none", "unsupervised")),
    MissingGroup("diagnoses", PARENT, "up.name", "parent diagnosis", ("none", "top level")),
    MissingGroup("lab_results", "", "lr.flag", "flag", ("none", "not flagged"), "flag"),
    MissingGroup("lab_results", "", "lr.unit", "unit", ("none", "no unit"), "unit"),
)
BESIDES = (
    *(
        Beside(
            "patients",
            kind,
            "stays",
            "st.patient_id = pa.id",
            "have had at least one stay",
            "have never had a stay",
            "pa.name",
            "names",
        )
        for kind in ("phone_missing", "phone_set")
    ),
    *(
        Beside(
            "patients",
            kind,
            "coverages",
            "co.patient_id = pa.id",
            "have at least one coverage",
            "have no coverage at all",
            "pa.name",
            "names",
        )
        for kind in ("phone_missing", "phone_set")
    ),
    *(
        Beside(
            "appointments",
            kind,
            "prescriptions",
            "rx.appointment_id = ap.id",
            "have at least one prescription",
            "have no prescription at all",
            "ap.id",
            "appointment ids",
        )
        for kind in ("minutes_missing", "minutes_set")
    ),
    *(
        Beside(
            "practitioners",
            kind,
            "practitioner_specialities",
            "ps.practitioner_id = pr.id",
            "hold at least one certificate",
            "hold no certificate at all",
            "pr.name",
            "names",
        )
        for kind in ("left_not", "left_yes")
    ),
    *(
        Beside(
            "diagnoses",
            kind,
            "stays",
            "st.diagnosis_code = di.code",
            "have at least one stay",
            "have no stay at all",
            "di.name",
            "names",
        )
        for kind in ("usual_missing", "usual_set")
    ),
)
# (base, nullable column or part of it, literal's name in the values, what is said of rows with another value,
# the same with those without, keywords, families of filters about it)
OTHERS = (
    (
        "lab_results",
        "lr.flag",
        "flag",
        "carry a flag other than {value}",
        "carry a flag other than {value}, or none",
        "flag other than {value}",
        ("value",),
    ),
    (
        "invoices",
        "EXTRACT(YEAR FROM inv.settled_on)",
        "invoices.settled_on",
        "were settled in another year than {value}",
        "were settled in another year than {value}, or are not settled",
        "settlement year not {value}",
        ("settled",),
    ),
    (
        "stays",
        "EXTRACT(YEAR FROM st.discharged_on)",
        "stays.discharged_on",
        "ended in another year than {value}",
        "ended in another year than {value}, or have not ended",
        "discharge year not {value}",
        ("ended", "admitted"),
    ),
    (
        "coverages",
        "EXTRACT(YEAR FROM co.ends_on)",
        "coverages.ends_on",
        "end in another year than {value}",
        "end in another year than {value}, or are open-ended",
        "end year not {value}",
        ("open", "started"),
    ),
    (
        "coverages",
        "co.copay_pct",
        "coverages.copay_pct",
        "have a co-payment other than {value} percent",
        "have a co-payment other than {value} percent, or none",
        "co-payment not {value}%",
        ("copay",),
    ),
)
OTHER = {
    "casual": ("Which {rows} {tail}? Just the {label}.", "Of the {rows}, which {tail}? Give me the {label}."),
    "formal": ("Among {rows}, please list the {label} of those that {tail}.",),
    "terse": ("{label}: {rows}, {short}",),
    "analyst": ("Return the {label} of {rows} that {tail}.",),
}
OTHER_COUNT = {
    "casual": ("How many {rows} {tail}?", "Of the {rows}, how many {tail}?"),
    "formal": ("Please report how many {rows} {tail}.", "Among {rows}, please count those that {tail}."),
    "terse": ("count: {rows}, {short}",),
    "analyst": ("Count {rows} that {tail}.",),
}


def other_or_missing(domain: Domain, draw: Draw, style: str) -> Draft:
    """Rows with another value, those without one counted or not."""
    base, column, literals, other, either, keywords, avoid = draw.structure.pick(OTHERS)
    with_none, count = draw.structure.chance(0.6), draw.structure.chance(0.5)
    values = domain.values
    choices = (
        values.flags if literals == "flag" else values.years.get(literals) or values.thresholds[literals]
    )
    value = str(draw.detail.pick(choices))
    scope = narrow(domain, draw, base, [base], avoid)
    literal = f"'{value}'" if literals == "flag" else value
    test = f"{column} IS DISTINCT FROM {literal}" if with_none else f"{column} <> {literal}"
    first = domain.schema.columns[base][0]
    columns = ("COUNT(*)",) if count else (first.sql,)
    sql = Select(columns, scope.source(), (*scope.where(), test))
    note = "missing counts too" if with_none else "missing does not count"
    question = fill(
        choose(draw, style, OTHER_COUNT if count else OTHER),
        rows=scope.rows(style),
        tail=either if with_none else other,
        short=f"{keywords} ({note})",
        label=domain.schema.tables.plurals[first.label],
    )
    return Draft(fill(question, value=value), sql)


NULLS = Nulls(
    missing=MISSING,
    presence=PRESENCE,
    named=NAMED,
    listable=("appointments", "stays", "patients", "lab_results", "invoices", "coverages", "practitioners"),
    groupable=("appointments", "stays", "patients", "lab_results", "invoices", "coverages", "prescriptions"),
)
COPAYS = MissingAsZero(
    base="coverages",
    column="co.copay_pct",
    noun="co-payment percentage",
    present="copay_set",
    keys=(INSURER, PATIENT_CITY, SEX, PATIENT),
    narrowed=(["patients"], [], ["coverages"], ["coverages"]),
    row="coverage",
    zero="coverages without a co-payment",
    short="no co-payment",
)
COVERED = MissingAsZero(
    base="invoices",
    column="inv.covered",
    noun="covered amount",
    present="covered_set",
    keys=(PATIENT_CITY, SEX, PATIENT),
    narrowed=(["patients"], [], ["invoices"], ["invoices"]),
    row="invoice",
    zero="invoices without a decision of the insurer",
    short="no decision",
)
HARD = HardNulls(GROUPS, BESIDES, like=STATUS, avoid=("supervised", "code", "value"))
CHAPTER = Chapter(
    easy=(NULLS.scalar, NULLS.scalar, NULLS.listed),
    medium=(NULLS.grouped, NULLS.grouped, NULLS.both_sides, NULLS.named_or_none),
    hard=(
        COPAYS.averages,
        COVERED.averages,
        HARD.grouped_with_none,
        HARD.grouped_with_none,
        other_or_missing,
        other_or_missing,
        HARD.missing_beside,
    ),
)
