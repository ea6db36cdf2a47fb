-- A clinic: who works in it, who comes to it, with what, for how long, and what that costs.

CREATE TABLE departments (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    parent_id integer REFERENCES departments (id),
    floor integer NOT NULL,
    beds integer NOT NULL CHECK (beds >= 0)
);

CREATE TABLE practitioners (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    role text NOT NULL CHECK (role IN ('physician', 'nurse', 'therapist', 'technician')),
    department_id integer NOT NULL REFERENCES departments (id),
    supervisor_id integer REFERENCES practitioners (id),
    hourly_rate numeric(8, 2) NOT NULL CHECK (hourly_rate > 0),
    joined_on date NOT NULL,
    left_on date CHECK (left_on > joined_on)
);

CREATE TABLE specialities (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE practitioner_specialities (
    practitioner_id integer NOT NULL REFERENCES practitioners (id),
    speciality_id integer NOT NULL REFERENCES specialities (id),
    certified_on date NOT NULL,
    PRIMARY KEY (practitioner_id, speciality_id)
);

CREATE TABLE patients (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    sex text NOT NULL CHECK (sex IN ('female', 'male')),
    born_on date NOT NULL,
    city text NOT NULL,
    phone text,
    registered_on date NOT NULL
);

CREATE TABLE coverages (
    id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients (id),
    insurer text NOT NULL,
    starts_on date NOT NULL,
    ends_on date CHECK (ends_on >= starts_on),
    copay_pct numeric(5, 2) CHECK (copay_pct > 0 AND copay_pct <= 100)
);

CREATE TABLE diagnoses (
    code text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    parent_code text REFERENCES diagnoses (code),
    chronic boolean NOT NULL,
    usual_days integer CHECK (usual_days > 0)
);

CREATE TABLE appointments (
    id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients (id),
    practitioner_id integer NOT NULL REFERENCES practitioners (id),
    booked_on date NOT NULL,
    starts_at timestamp NOT NULL CHECK (starts_at >= booked_on),
    status text NOT NULL CHECK (status IN ('booked', 'completed', 'cancelled', 'no_show')),
    minutes integer CHECK (minutes > 0),
    fee numeric(8, 2) NOT NULL CHECK (fee >= 0)
);

CREATE TABLE stays (
    id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients (id),
    department_id integer NOT NULL REFERENCES departments (id),
    diagnosis_code text NOT NULL REFERENCES diagnoses (code),
    admission text NOT NULL CHECK (admission IN ('planned', 'emergency', 'transfer')),
    admitted_on date NOT NULL,
    discharged_on date CHECK (discharged_on >= admitted_on),
    daily_rate numeric(8, 2) NOT NULL CHECK (daily_rate > 0)
);

CREATE TABLE drugs (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    form text NOT NULL CHECK (form IN ('tablet', 'capsule', 'syrup', 'injection', 'cream')),
    unit_price numeric(8, 2) NOT NULL CHECK (unit_price > 0),
    generic boolean NOT NULL
);

CREATE TABLE prescriptions (
    appointment_id integer NOT NULL REFERENCES appointments (id),
    drug_id integer NOT NULL REFERENCES drugs (id),
    doses_per_day integer NOT NULL CHECK (doses_per_day > 0),
    days integer CHECK (days > 0),
    PRIMARY KEY (appointment_id, drug_id)
);

CREATE TABLE lab_results (
    id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients (id),
    test text NOT NULL,
    value numeric(8, 2),
    unit text,
    flag text CHECK (flag IN ('low', 'high')),
    taken_at timestamp NOT NULL,
    reported_at timestamp CHECK (reported_at >= taken_at)
);

CREATE TABLE invoices (
    id integer PRIMARY KEY,
    patient_id integer NOT NULL REFERENCES patients (id),
    issued_on date NOT NULL,
    amount numeric(10, 2) NOT NULL CHECK (amount > 0),
    covered numeric(10, 2) CHECK (covered >= 0 AND covered <= amount),
    settled_on date CHECK (settled_on >= issued_on)
);
