-- A shop that lends films: its shelves, its members, and what they took home.

CREATE TYPE rating AS ENUM ('all', 'teens', 'adults');

CREATE TABLE languages (
    language_id serial PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE films (
    film_id serial PRIMARY KEY,
    title text NOT NULL,
    language_id integer NOT NULL REFERENCES languages,
    sequel_of integer REFERENCES films,
    released integer CHECK (released BETWEEN 1900 AND 2030),
    minutes smallint NOT NULL CHECK (minutes > 0),
    rating rating NOT NULL DEFAULT 'all',
    fee numeric(5, 2) NOT NULL CHECK (fee >= 0)
);
COMMENT ON COLUMN films.fee IS 'Euro for one loan of up to seven days.';
COMMENT ON COLUMN films.sequel_of IS 'The film that this one continues; NULL for a film of its own.';

CREATE TABLE actors (
    actor_id serial PRIMARY KEY,
    name text NOT NULL UNIQUE,
    born_on date
);

CREATE TABLE castings (
    film_id integer NOT NULL REFERENCES films ON DELETE CASCADE,
    actor_id integer NOT NULL REFERENCES actors,
    part text,
    PRIMARY KEY (film_id, actor_id)
);

CREATE TABLE branches (
    branch_id serial PRIMARY KEY,
    city text NOT NULL,
    manager_id integer
);

CREATE TABLE staff (
    staff_id serial PRIMARY KEY,
    branch_id integer NOT NULL REFERENCES branches,
    name text NOT NULL
);
-- Branches and staff refer to each other.
ALTER TABLE branches ADD CONSTRAINT branches_manager FOREIGN KEY (manager_id) REFERENCES staff;

CREATE TABLE members (
    member_id serial PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL UNIQUE CHECK (email LIKE '%@%'),
    joined_on date NOT NULL,
    left_on date,
    CHECK (left_on > joined_on)
);
COMMENT ON TABLE members IS 'Who may lend; left_on is NULL for those who still are members.';

CREATE TABLE copies (
    copy_id serial PRIMARY KEY,
    film_id integer NOT NULL REFERENCES films,
    branch_id integer NOT NULL REFERENCES branches
);

CREATE TABLE loans (
    loan_id bigserial PRIMARY KEY,
    copy_id integer NOT NULL REFERENCES copies,
    member_id integer NOT NULL REFERENCES members,
    lent_at timestamp NOT NULL,
    returned_at timestamp,
    CHECK (returned_at >= lent_at),
    UNIQUE (copy_id, lent_at)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'loans are never changed;
a new one is written';
END;
$$;
CREATE TRIGGER loans_stay BEFORE INSERT OR UPDATE ON loans FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE VIEW open_loans AS
SELECT l.loan_id, m.name, l.lent_at
FROM loans l JOIN members m USING (member_id)
WHERE l.returned_at IS NULL;
