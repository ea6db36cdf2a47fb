"""What the clinic's rows are grouped by."""

from sqlrl.authoring.grammar.keys import Key, year_of

ROLE = Key("role", "practitioners", "pr.role", "role", "roles", "role", "practitioners.role")
PRACTITIONER_ROLE = Key(
    "role",
    "practitioners",
    "pr.role",
    "practitioner role",
    "practitioner roles",
    "role",
    "practitioners.role",
)
DEPARTMENT = Key(
    "department",
    "departments",
    "dep.name",
    "department",
    "departments",
    "department name",
    "departments.name",
    True,
)
PRACTITIONER = Key(
    "practitioner",
    "practitioners",
    "pr.name",
    "practitioner",
    "practitioners",
    "practitioner name",
    "practitioners.name",
    True,
    person=True,
    numerous=True,
)
SPECIALITY = Key(
    "speciality",
    "specialities",
    "sp.name",
    "speciality",
    "specialities",
    "speciality name",
    "specialities.name",
    True,
)
CITY = Key("city", "patients", "pa.city", "city", "cities", "city", "patients.city", True)
PATIENT_CITY = Key(
    "city",
    "patients",
    "pa.city",
    "patient city",
    "patient cities",
    "city",
    "patients.city",
    True,
)
SEX = Key("sex", "patients", "pa.sex", "patient sex", "patient sexes", "sex", "patients.sex", flag=True)
PATIENT = Key(
    "patient",
    "patients",
    "pa.name",
    "patient",
    "patients",
    "patient name",
    "patients.name",
    True,
    person=True,
    numerous=True,
)
INSURER = Key("insurer", "coverages", "co.insurer", "insurer", "insurers", "insurer", "coverages.insurer")
DIAGNOSIS = Key(
    "diagnosis",
    "diagnoses",
    "di.name",
    "diagnosis",
    "diagnoses",
    "diagnosis name",
    "diagnoses.name",
    True,
    numerous=True,
)
CHRONIC = Key(
    "chronic",
    "diagnoses",
    "di.chronic",
    "value of the chronic flag",
    "values of the chronic flag",
    "chronic flag",
    "diagnoses.chronic",
    flag=True,
)
STATUS = Key(
    "status",
    "appointments",
    "ap.status",
    "appointment status",
    "appointment statuses",
    "status",
    "appointments.status",
)
ADMISSION = Key(
    "admission",
    "stays",
    "st.admission",
    "admission type",
    "admission types",
    "admission type",
    "stays.admission",
)
DRUG = Key("drug", "drugs", "dr.name", "drug", "drugs", "drug name", "drugs.name", True, numerous=True)
FORM = Key("form", "drugs", "dr.form", "drug form", "drug forms", "form", "drugs.form")
GENERIC = Key(
    "generic",
    "drugs",
    "dr.generic",
    "value of the generic flag",
    "values of the generic flag",
    "generic flag",
    "drugs.generic",
    flag=True,
)
DOSES = Key(
    "doses",
    "prescriptions",
    "rx.doses_per_day",
    "number of doses a day",
    "numbers of doses a day",
    "number of doses a day",
    "prescriptions.doses_per_day",
)
TEST = Key("test", "lab_results", "lr.test", "test", "tests", "test", "lab_results.test")
JOIN_YEAR = year_of("practitioners", "pr.joined_on", "joining year", "joined_on")
REGISTRATION_YEAR = year_of("patients", "pa.registered_on", "registration year", "registered_on")
CERTIFICATE_YEAR = year_of(
    "practitioner_specialities", "ps.certified_on", "certification year", "certified_on"
)
APPOINTMENT_YEAR = year_of("appointments", "ap.starts_at", "appointment year", "starts_at")
ADMISSION_YEAR = year_of("stays", "st.admitted_on", "admission year", "admitted_on")
SAMPLING_YEAR = year_of("lab_results", "lr.taken_at", "sampling year", "taken_at")
START_YEAR = year_of("coverages", "co.starts_on", "start year", "starts_on")
ISSUE_YEAR = year_of("invoices", "inv.issued_on", "issue year", "issued_on")

OWN_KEYS: dict[str, tuple[Key, ...]] = {
    "departments": (),
    "practitioners": (ROLE, JOIN_YEAR),
    "practitioner_specialities": (CERTIFICATE_YEAR,),
    "patients": (CITY, SEX, REGISTRATION_YEAR),
    "coverages": (INSURER, START_YEAR),
    "diagnoses": (CHRONIC,),
    "appointments": (STATUS, APPOINTMENT_YEAR),
    "stays": (ADMISSION, ADMISSION_YEAR),
    "drugs": (FORM, GENERIC),
    "prescriptions": (DOSES,),
    "lab_results": (TEST, SAMPLING_YEAR),
    "invoices": (ISSUE_YEAR,),
}
JOINED_KEYS: dict[str, tuple[Key, ...]] = {
    "practitioners": (DEPARTMENT,),
    "practitioner_specialities": (SPECIALITY, PRACTITIONER, PRACTITIONER_ROLE),
    "coverages": (PATIENT_CITY, SEX, PATIENT),
    "appointments": (PATIENT_CITY, SEX, PATIENT, PRACTITIONER, PRACTITIONER_ROLE),
    "stays": (DEPARTMENT, DIAGNOSIS, PATIENT_CITY, PATIENT, SEX),
    "prescriptions": (DRUG, FORM, PATIENT_CITY, PRACTITIONER),
    "lab_results": (PATIENT_CITY, SEX, PATIENT),
    "invoices": (PATIENT_CITY, PATIENT, SEX),
}
