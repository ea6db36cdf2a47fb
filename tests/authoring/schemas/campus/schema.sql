-- What schemas in the wild have besides plain tables, in one place.
CREATE TYPE term_kind AS ENUM ('spring', 'summer', 'autumn');
CREATE DOMAIN credit_points AS integer CHECK (VALUE > 0);

CREATE TABLE "Department" (
    "departmentCode" text PRIMARY KEY,
    "departmentName" text NOT NULL UNIQUE,
    floors integer[] NOT NULL,
    settings jsonb
);

CREATE TABLE "Student" (
    "studentId" integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "fullName" text NOT NULL UNIQUE,
    "homeCity" text,
    "enrolledOn" date NOT NULL,
    mentor integer REFERENCES "Student" ("studentId"),
    photo bytea
);

CREATE TABLE course (
    code text PRIMARY KEY,
    title text NOT NULL UNIQUE,
    "departmentCode" text NOT NULL REFERENCES "Department" ("departmentCode"),
    credits credit_points NOT NULL,
    tags text[],
    "requires" text REFERENCES course (code)
);

CREATE TABLE section (
    course_code text NOT NULL REFERENCES course (code),
    section_no integer NOT NULL,
    term term_kind NOT NULL,
    seats integer NOT NULL,
    fee numeric(6, 2) NOT NULL,
    income numeric(10, 2) GENERATED ALWAYS AS (seats * fee) STORED,
    PRIMARY KEY (course_code, section_no)
);

CREATE TABLE enrolment (
    course_code text NOT NULL,
    section_no integer NOT NULL,
    student_id integer NOT NULL REFERENCES "Student" ("studentId"),
    grade numeric(3, 1),
    passed boolean,
    PRIMARY KEY (course_code, section_no, student_id),
    FOREIGN KEY (course_code, section_no) REFERENCES section (course_code, section_no)
);

CREATE TABLE "order" (
    id integer PRIMARY KEY,
    "Student Id" integer NOT NULL REFERENCES "Student" ("studentId"),
    "user" text NOT NULL,
    "group" text NOT NULL,
    total numeric(8, 2) NOT NULL,
    "from" date NOT NULL,
    "to" date
);
COMMENT ON TABLE "order" IS 'Bookshop order';
COMMENT ON COLUMN "order"."group" IS 'price group';
COMMENT ON COLUMN "order"."user" IS 'who typed it in: the login, not the name';

CREATE TABLE reading (
    id bigint NOT NULL,
    sensor text NOT NULL,
    taken_at timestamptz NOT NULL,
    value double precision,
    PRIMARY KEY (id, taken_at)
) PARTITION BY RANGE (taken_at);
CREATE TABLE reading_2023 PARTITION OF reading FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE reading_2024 PARTITION OF reading FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');

CREATE TABLE empty_one (id integer PRIMARY KEY, name text);

CREATE VIEW passed_enrolment AS SELECT * FROM enrolment WHERE passed;
