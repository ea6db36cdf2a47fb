-- A museum that uses much of what PostgreSQL has.

CREATE TYPE state AS ENUM ('shown', 'stored', 'on loan');
CREATE TYPE size AS (width numeric, height numeric);
CREATE DOMAIN share AS numeric(4, 3) CHECK (VALUE BETWEEN 0 AND 1);

CREATE TABLE "Rooms" (
    "Floor" smallint NOT NULL,
    "No" smallint NOT NULL,
    "order" integer,
    seats integer[] NOT NULL DEFAULT '{}',
    PRIMARY KEY ("Floor", "No")
);

CREATE TABLE pieces (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code uuid NOT NULL UNIQUE,
    title text NOT NULL,
    state state NOT NULL,
    size size,
    tags text[],
    about jsonb,
    raw json,
    floor smallint,
    room smallint,
    net numeric(10, 2) NOT NULL,
    gross numeric(12, 2) GENERATED ALWAYS AS (net * 1.2) STORED,
    owned share,
    valid daterange,
    FOREIGN KEY (floor, room) REFERENCES "Rooms" ("Floor", "No"),
    CHECK ((floor IS NULL) = (room IS NULL)),
    CHECK (state <> 'shown' OR room IS NOT NULL)
);
CREATE UNIQUE INDEX one_title_shown ON pieces (lower(title)) WHERE state = 'shown';
CREATE INDEX ON pieces USING gin (about);

CREATE TABLE visits (
    day date NOT NULL,
    gate text NOT NULL,
    visitors integer NOT NULL CHECK (visitors >= 0),
    note text,
    PRIMARY KEY (day, gate)
) PARTITION BY RANGE (day);
CREATE TABLE visits_2024 PARTITION OF visits FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE visits_2025 PARTITION OF visits FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');

-- A table without a key, and words that SQL keeps for itself.
CREATE TABLE "user" (
    "select" text,
    "from" timestamptz,
    point point
);

CREATE TABLE tours (
    tour integer PRIMARY KEY,
    room_floor smallint NOT NULL,
    room_no smallint NOT NULL,
    starts timestamptz NOT NULL,
    FOREIGN KEY (room_floor, room_no) REFERENCES "Rooms",
    UNIQUE (room_floor, room_no, starts) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE empty_shelf (id integer PRIMARY KEY, piece integer REFERENCES pieces);

CREATE MATERIALIZED VIEW worth AS SELECT state, sum(gross) AS total FROM pieces GROUP BY state;
CREATE VIEW rich AS SELECT state FROM worth WHERE total > 100;
COMMENT ON COLUMN worth.total IS 'With tax.';
