"""The clinic's data: what notes.md says holds, and every kind of question has an answer that is not trivial."""

import tomllib

import pytest

from tests.databases.seeded import INSTANCES, ROOT, broken, restored, seed

SCHEMA = "clinic"
NEVER = {
    "an appointment that was not completed has a duration": """
        SELECT 1 FROM appointments WHERE status <> 'completed' AND minutes IS NOT NULL""",
    "somebody booked before registering": """
        SELECT 1 FROM appointments a JOIN patients p ON p.id = a.patient_id WHERE a.booked_on < p.registered_on""",
    "a practitioner has an appointment before joining or after leaving": """
        SELECT 1 FROM appointments a JOIN practitioners p ON p.id = a.practitioner_id
        WHERE a.starts_at < p.joined_on OR a.starts_at >= p.left_on""",
    "a booked appointment lies long before the end of the data": """
        SELECT 1 FROM appointments WHERE status = 'booked' AND starts_at < '2025-12-08'""",
    "a patient is in two stays at once": """
        SELECT 1 FROM stays a JOIN stays b ON a.patient_id = b.patient_id AND a.id < b.id
        WHERE a.admitted_on <= COALESCE(b.discharged_on, 'infinity')
        AND b.admitted_on <= COALESCE(a.discharged_on, 'infinity')""",
    "a stay began before its patient registered": """
        SELECT 1 FROM stays s JOIN patients p ON p.id = s.patient_id WHERE s.admitted_on < p.registered_on""",
    "somebody stays in a department without beds": """
        SELECT 1 FROM stays s JOIN departments d ON d.id = s.department_id WHERE d.beds = 0""",
    "a day lies after the end of the data": """
        SELECT 1 FROM stays WHERE admitted_on > '2025-12-31' OR discharged_on > '2025-12-31'
        UNION ALL SELECT 1 FROM coverages WHERE starts_on > '2025-12-31'
        UNION ALL SELECT 1 FROM appointments WHERE starts_at >= '2026-01-01'
        UNION ALL SELECT 1 FROM lab_results WHERE reported_at >= '2026-01-01'
        UNION ALL SELECT 1 FROM invoices WHERE issued_on > '2025-12-31' OR settled_on > '2025-12-31'""",
    "something was prescribed at an appointment that was not completed": """
        SELECT 1 FROM prescriptions r JOIN appointments a ON a.id = r.appointment_id WHERE a.status <> 'completed'""",
    "a pending result has a value": "SELECT 1 FROM lab_results WHERE reported_at IS NULL AND value IS NOT NULL",
    "a result without a value has a flag": "SELECT 1 FROM lab_results WHERE value IS NULL AND flag IS NOT NULL",
    "a test has two units": "SELECT 1 FROM lab_results GROUP BY test HAVING COUNT(DISTINCT unit) > 1",
    "a patient's coverages overlap": """
        SELECT 1 FROM coverages a JOIN coverages b ON a.patient_id = b.patient_id AND a.id < b.id
        WHERE a.starts_on <= COALESCE(b.ends_on, 'infinity') AND b.starts_on <= COALESCE(a.ends_on, 'infinity')""",
    "two practitioners are paid the same": "SELECT 1 FROM practitioners GROUP BY hourly_rate HAVING COUNT(*) > 1",
    "a practitioner is not below the one head": """
        WITH RECURSIVE below AS (
            SELECT id FROM practitioners WHERE supervisor_id IS NULL
            UNION ALL SELECT p.id FROM practitioners p JOIN below b ON p.supervisor_id = b.id)
        SELECT 1 WHERE (SELECT COUNT(*) FROM below) <> (SELECT COUNT(*) FROM practitioners)
        OR (SELECT COUNT(*) FROM practitioners WHERE supervisor_id IS NULL) <> 1""",
    "a department lies below the second level": """
        SELECT 1 FROM departments d JOIN departments p ON p.id = d.parent_id WHERE p.parent_id IS NOT NULL""",
    "a diagnosis is not in its parent's chapter": """
        SELECT 1 FROM diagnoses WHERE parent_code IS NOT NULL AND LEFT(code, 1) <> LEFT(parent_code, 1)""",
    "a share of an invoice is not a whole number of cents": """
        SELECT 1 FROM invoices WHERE MOD(100 * covered, 1) <> 0""",
}

# Each counts something that has to be there, and is not all there is: (query, least, of how many).
SOME = {
    "patients without appointments": (
        "SELECT COUNT(*) FROM patients p WHERE NOT EXISTS (SELECT 1 FROM appointments a WHERE a.patient_id = p.id)",
        4,
        "SELECT COUNT(*) FROM patients",
    ),
    "patients without stays": (
        "SELECT COUNT(*) FROM patients p WHERE NOT EXISTS (SELECT 1 FROM stays s WHERE s.patient_id = p.id)",
        10,
        "SELECT COUNT(*) FROM patients",
    ),
    "patients without coverage": (
        "SELECT COUNT(*) FROM patients p WHERE NOT EXISTS (SELECT 1 FROM coverages c WHERE c.patient_id = p.id)",
        3,
        "SELECT COUNT(*) FROM patients",
    ),
    "practitioners without appointments": (
        """SELECT COUNT(*) FROM practitioners p
        WHERE NOT EXISTS (SELECT 1 FROM appointments a WHERE a.practitioner_id = p.id)""",
        2,
        "SELECT COUNT(*) FROM practitioners",
    ),
    "practitioners without a speciality": (
        """SELECT COUNT(*) FROM practitioners p
        WHERE NOT EXISTS (SELECT 1 FROM practitioner_specialities s WHERE s.practitioner_id = p.id)""",
        2,
        "SELECT COUNT(*) FROM practitioners",
    ),
    "specialities that nobody has": (
        """SELECT COUNT(*) FROM specialities s
        WHERE NOT EXISTS (SELECT 1 FROM practitioner_specialities p WHERE p.speciality_id = s.id)""",
        2,
        "SELECT COUNT(*) FROM specialities",
    ),
    "practitioners who have left": (
        "SELECT COUNT(*) FROM practitioners WHERE left_on IS NOT NULL",
        2,
        "SELECT COUNT(*) FROM practitioners",
    ),
    "practitioners who earn more than their supervisor": (
        """SELECT COUNT(*) FROM practitioners p JOIN practitioners s ON s.id = p.supervisor_id
        WHERE p.hourly_rate > s.hourly_rate""",
        1,
        "SELECT COUNT(*) FROM practitioners",
    ),
    "drugs never prescribed": (
        "SELECT COUNT(*) FROM drugs d WHERE NOT EXISTS (SELECT 1 FROM prescriptions r WHERE r.drug_id = d.id)",
        1,
        "SELECT COUNT(*) FROM drugs",
    ),
    "departments without stays": (
        "SELECT COUNT(*) FROM departments d WHERE NOT EXISTS (SELECT 1 FROM stays s WHERE s.department_id = d.id)",
        3,
        "SELECT COUNT(*) FROM departments",
    ),
    "diagnoses without stays": (
        "SELECT COUNT(*) FROM diagnoses d WHERE NOT EXISTS (SELECT 1 FROM stays s WHERE s.diagnosis_code = d.code)",
        5,
        "SELECT COUNT(*) FROM diagnoses",
    ),
    "open stays": (
        "SELECT COUNT(*) FROM stays WHERE discharged_on IS NULL",
        3,
        "SELECT COUNT(*) FROM stays",
    ),
    "stays that end on the day they begin": (
        "SELECT COUNT(*) FROM stays WHERE discharged_on = admitted_on",
        1,
        "SELECT COUNT(*) FROM stays",
    ),
    "completed appointments without a duration": (
        "SELECT COUNT(*) FROM appointments WHERE status = 'completed' AND minutes IS NULL",
        6,
        "SELECT COUNT(*) FROM appointments WHERE status = 'completed'",
    ),
    "prescriptions until further notice": (
        "SELECT COUNT(*) FROM prescriptions WHERE days IS NULL",
        8,
        "SELECT COUNT(*) FROM prescriptions",
    ),
    "reported results without a value": (
        "SELECT COUNT(*) FROM lab_results WHERE reported_at IS NOT NULL AND value IS NULL",
        5,
        "SELECT COUNT(*) FROM lab_results WHERE reported_at IS NOT NULL",
    ),
    "results without a flag": (
        "SELECT COUNT(*) FROM lab_results WHERE flag IS NULL",
        20,
        "SELECT COUNT(*) FROM lab_results",
    ),
    "invoices that the insurer refused": (
        "SELECT COUNT(*) FROM invoices WHERE covered = 0",
        2,
        "SELECT COUNT(*) FROM invoices WHERE covered IS NOT NULL",
    ),
    "undecided invoices": (
        "SELECT COUNT(*) FROM invoices WHERE covered IS NULL",
        8,
        "SELECT COUNT(*) FROM invoices",
    ),
    "coverages that begin on the day after another ends": (
        """SELECT COUNT(*) FROM coverages a JOIN coverages b
        ON a.patient_id = b.patient_id AND b.starts_on = a.ends_on + 1""",
        3,
        "SELECT COUNT(*) FROM coverages",
    ),
    "months without any appointment": (
        """SELECT COUNT(*) FROM generate_series('2024-01-01', '2025-12-01', interval '1 month') m WHERE NOT EXISTS
        (SELECT 1 FROM appointments WHERE date_trunc('month', starts_at) = m)""",
        1,
        "SELECT 24",
    ),
}


@pytest.mark.parametrize("what", NEVER)
def test_it_never_happens_that(connection, what):
    assert connection.execute(NEVER[what]).fetchall() == []


@pytest.mark.parametrize("what", SOME)
def test_there_are_some_but_not_only(connection, what):
    query, least, of = SOME[what]
    (count,), (whole,) = connection.execute(query).fetchone(), connection.execute(of).fetchone()
    assert least <= count < whole


def test_most_days_of_a_twin_lie_at_the_edge_of_a_month(connection):
    at_edge = "avg((extract(day FROM {day}) IN (1, 28, 29, 30, 31))::int)"
    [(admitted, issued)] = connection.execute(
        f"SELECT (SELECT {at_edge.format(day='admitted_on')} FROM stays),"
        f" (SELECT {at_edge.format(day='issued_on')} FROM invoices)"
    ).fetchall()
    if connection.info.dbname.endswith("main"):
        assert max(admitted, issued) < 0.4
    else:
        assert min(admitted, issued) > 0.5


def test_every_second_twin_is_quiet(seeded):
    appointments = [{t.name: t.rows for t in seeded[name][1].tables}["appointments"] for name in INSTANCES]
    assert appointments[2] < min(appointments[1], appointments[3]) / 1.5


def test_main_has_thirteen_tables_of_the_size_that_is_promised(seeded):
    rows = {table.name: table.rows for table in seeded["main"][1].tables}
    assert len(rows) == 13
    assert (rows["appointments"], rows["patients"], rows["stays"], rows["lab_results"]) == (320, 90, 110, 220)
    assert 25 <= rows["practitioners"] <= 35


def test_names_that_a_question_may_use_exist_in_every_instance(seeded):
    vocabulary = tomllib.loads(
        (ROOT / "databases" / "clinic" / "vocabulary.toml").read_text(encoding="utf-8")
    )
    names = [entry[0] for section in ("practitioners", "drugs") for entry in vocabulary[section]["core"]]
    names += [entry[1] for entry in vocabulary["diagnoses"]["core"]]
    names += [*vocabulary["departments"]["core"], *vocabulary["specialities"]["core"]]
    for text, _, _ in seeded.values():
        missing = [name for name in names if f"\t{name}\t" not in text and f"\t{name}\n" not in text]
        assert missing == []


@pytest.mark.parametrize("number", range(2, 6))
def test_any_seed_gives_rows_that_the_schema_takes_and_the_notes_describe(seeded, number, tmp_path):
    server = seeded["main"][2]
    for name in ("main", "twin-1"):
        text, _ = seed(server, "clinic", name, number)
        with restored(server, f"seed {number}", text, tmp_path) as connection:
            assert broken(connection, NEVER) == []
