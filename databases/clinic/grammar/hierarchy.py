"""The clinic's chapter about hierarchies: supervisors, diagnoses, departments."""

from sqlrl.authoring.grammar.classes import Classes
from sqlrl.authoring.grammar.hierarchy import Hierarchy
from sqlrl.authoring.grammar.hierarchy_deep import Deep
from sqlrl.authoring.grammar.keys import Key
from sqlrl.authoring.grammar.trees import Tree

STAFF = Tree(
    table="practitioners",
    column="supervisor_id",
    alias="pr",
    above="su",
    top="ss",
    one="practitioner",
    many="practitioners",
    parent="supervisor",
    parents="supervisors",
    child="supervised practitioner",
    children="supervised practitioners",
    tie="who are supervised by",
    has="who have a supervisor",
    avoid=("supervised",),
    extras=(
        ("hourly_rate", "practitioner's hourly rate"),
        ("joined_on", "practitioner's joining date"),
        ("role", "practitioner's role"),
    ),
    of_children=(
        ("COUNT(*)", "number of supervised practitioners"),
        ("AVG(pr.hourly_rate)", "average hourly rate of the supervised practitioners"),
        ("MAX(pr.hourly_rate)", "highest hourly rate among the supervised practitioners"),
        ("MIN(pr.joined_on)", "earliest joining date among the supervised practitioners"),
        ("MAX(pr.joined_on)", "latest joining date among the supervised practitioners"),
    ),
    comparisons=(
        (
            "pr.hourly_rate > su.hourly_rate",
            "have a higher hourly rate than their supervisor",
            "hourly_rate is above the supervisor's hourly_rate",
        ),
        (
            "pr.joined_on < su.joined_on",
            "joined before their supervisor",
            "joined_on is before the supervisor's joined_on",
        ),
        (
            "pr.department_id <> su.department_id",
            "are in another department than their supervisor",
            "department_id differs from the supervisor's",
        ),
        (
            "pr.department_id = su.department_id",
            "are in the same department as their supervisor",
            "department_id equals the supervisor's",
        ),
        (
            "pr.role <> su.role",
            "have another role than their supervisor",
            "role differs from the supervisor's",
        ),
        (
            "pr.hourly_rate > su.hourly_rate / 2",
            "have more than half of their supervisor's hourly rate",
            "hourly_rate is above half of the supervisor's hourly_rate",
        ),
    ),
    below="are supervised by {name}, directly or through other supervisors",
    relation="everyone supervised by",
    far="their supervisor's supervisor",
    narrowed="supervisors",
)
DIAGNOSES = Tree(
    table="diagnoses",
    column="parent_code",
    alias="di",
    above="up",
    top="uu",
    one="diagnosis",
    many="diagnoses",
    parent="parent",
    parents="parent diagnoses",
    child="diagnosis directly below",
    children="diagnoses directly below",
    tie="that lie directly below",
    has="that have a parent",
    avoid=("code",),
    extras=(
        ("code", "diagnosis code"),
        ("usual_days", "diagnosis's usual length of stay"),
        ("chronic", "diagnosis's chronic flag"),
    ),
    of_children=(
        ("COUNT(*)", "number of diagnoses directly below"),
        ("COUNT(di.usual_days)", "number of diagnoses directly below with a usual length of stay"),
        ("COUNT(*) FILTER (WHERE di.chronic)", "number of chronic diagnoses directly below"),
    ),
    comparisons=(
        (
            "di.chronic <> up.chronic",
            "have another chronic flag than their parent",
            "chronic differs from the parent's",
        ),
        (
            "di.usual_days > up.usual_days",
            "have a longer usual stay than their parent",
            "usual_days is above the parent's usual_days",
        ),
        (
            "di.usual_days < up.usual_days",
            "have a shorter usual stay than their parent",
            "usual_days is below the parent's usual_days",
        ),
        (
            "di.usual_days IS DISTINCT FROM up.usual_days",
            "have another usual length of stay than their parent, having none being a value of its own",
            "usual_days is distinct from the parent's (NULL as a value)",
        ),
    ),
    below="lie below {name}, directly or further down",
    relation="diagnoses below",
    far="their parent's parent",
    narrowed="diagnoses",
    who="that",
    key="code",
)
TOP = Key(
    name="top",
    table="departments",
    sql="COALESCE(top.name, dep.name)",
    one="top-level department",
    many="top-level departments",
    label="top-level department name",
    column="top-level department",
    entity=True,
)
DEPARTMENTS = Classes(
    table="departments",
    column="parent_id",
    lower="sub-departments",
    sub="sub-department",
    things_table="practitioners",
    things_key="department_id",
    parents=lambda domain: tuple(domain.values.areas),
    top=TOP,
    rolled=(
        ("practitioners", (["practitioners"], [], ["practitioners"])),
        ("stays", (["stays"], [], ["patients"], ["diagnoses"])),
        ("appointments", (["appointments"], [], ["patients"], ["appointments"])),
        ("practitioner_specialities", (["practitioner_specialities"], [], ["practitioners"])),
    ),
)
OF_LEVEL = (
    ("COUNT(*)", "the number of {rows}", "number of practitioners", False),
    ("AVG(pr.hourly_rate)", "the average hourly rate of {rows}", "average hourly rate", True),
    ("MAX(pr.hourly_rate)", "the highest hourly rate of {rows}", "highest hourly rate", True),
    ("MIN(pr.joined_on)", "the earliest joining date of {rows}", "earliest joining date", True),
    ("COUNT(DISTINCT pr.role)", "the number of different roles of {rows}", "distinct roles", True),
)
TREES = (STAFF, DIAGNOSES)
HIERARCHY = Hierarchy(
    trees=TREES,
    easy=(DEPARTMENTS.listed, DEPARTMENTS.things_below),
    deep=Deep(
        trees=TREES,
        ranks=STAFF,
        of_level=OF_LEVEL,
        levels="the head of the clinic is level 1, those supervised by them level 2, and so on",
        start="head of clinic",
        more=(DEPARTMENTS.rolled_up, DEPARTMENTS.rolled_up),
    ),
)
