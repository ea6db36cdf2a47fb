"""The clinic's chapters about one table and its groups: aggregation, top-n, group having."""

from sqlrl.authoring.grammar.aggregation import Aggregation, Owner
from sqlrl.authoring.grammar.having import Having
from sqlrl.authoring.grammar.top_n import TopN
from sqlrl.authoring.grammar.top_n_hard import TopOfGroups

from .columns import NUMBERS
from .keys import (
    DEPARTMENT,
    DIAGNOSIS,
    DRUG,
    FORM,
    INSURER,
    PATIENT,
    PATIENT_CITY,
    PRACTITIONER,
    PRACTITIONER_ROLE,
    ROLE,
    SPECIALITY,
    TEST,
)

OWNERS = (
    Owner("appointments", "ap.patient_id", "patient", "patients"),
    Owner("appointments", "ap.practitioner_id", "practitioner", "practitioners"),
    Owner("stays", "st.patient_id", "patient", "patients"),
    Owner("stays", "st.department_id", "department", "departments"),
    Owner("stays", "st.diagnosis_code", "diagnosis", "diagnoses", avoid=("code",)),
    Owner("prescriptions", "rx.appointment_id", "appointment", "appointments"),
    Owner("prescriptions", "rx.drug_id", "drug", "drugs"),
    Owner("lab_results", "lr.patient_id", "patient", "patients"),
    Owner("invoices", "inv.patient_id", "patient", "patients"),
    Owner("coverages", "co.patient_id", "patient", "patients"),
    Owner("practitioner_specialities", "ps.practitioner_id", "practitioner", "practitioners"),
    Owner("practitioners", "pr.supervisor_id", "supervisor", "supervisors", True, ("supervised",)),
    Owner("practitioners", "pr.department_id", "department", "departments"),
)
AGGREGATION = Aggregation(
    (
        "practitioners",
        "patients",
        "appointments",
        "stays",
        "lab_results",
        "invoices",
        "coverages",
        "prescriptions",
        "drugs",
    ),
    OWNERS,
)
TOP_N = TopN(
    joined=("appointments", "stays", "invoices", "prescriptions", "lab_results", "practitioner_specialities"),
    own=("patients", "practitioners", "coverages", "lab_results", "drugs"),
    of_groups=TopOfGroups(
        rows=(
            ("practitioners", DEPARTMENT),
            ("practitioners", ROLE),
            ("drugs", FORM),
        ),
        groups=(
            (PATIENT_CITY, PATIENT, ("appointments", "invoices", "stays", "lab_results")),
            (PRACTITIONER_ROLE, PRACTITIONER, ("appointments", "practitioner_specialities")),
            (FORM, DRUG, ("prescriptions",)),
            (DEPARTMENT, DIAGNOSIS, ("stays",)),
            (TEST, PATIENT_CITY, ("lab_results",)),
            (INSURER, PATIENT_CITY, ("coverages",)),
        ),
        places=(
            "appointments",
            "invoices",
            "stays",
            "prescriptions",
            "practitioner_specialities",
            "lab_results",
        ),
        placed=("patient", "practitioner", "drug", "department", "diagnosis", "city", "speciality"),
    ),
)
HAVING = Having(
    single=(
        "patients",
        "practitioners",
        "appointments",
        "stays",
        "lab_results",
        "invoices",
        "coverages",
        "drugs",
    ),
    over_joins=("appointments", "stays", "invoices", "lab_results", "prescriptions", "appointments"),
    twice=("appointments", "stays", "invoices", "prescriptions"),
    not_twice=("sex", "role", "form"),
    numbers=(
        ("practitioners", NUMBERS["practitioners"][0]),
        ("appointments", NUMBERS["appointments"][0]),
        ("stays", NUMBERS["stays"][0]),
        ("invoices", NUMBERS["invoices"][0]),
        ("drugs", NUMBERS["drugs"][0]),
    ),
    counted=(
        ("appointments", PATIENT),
        ("appointments", PRACTITIONER),
        ("stays", DEPARTMENT),
        ("stays", DIAGNOSIS),
        ("invoices", PATIENT),
        ("prescriptions", DRUG),
        ("lab_results", PATIENT),
        ("practitioner_specialities", SPECIALITY),
        ("coverages", PATIENT_CITY),
        ("practitioners", DEPARTMENT),
    ),
    counts_apart=True,
)
