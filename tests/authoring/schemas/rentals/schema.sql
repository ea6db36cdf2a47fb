-- A rental shop for films, as such example databases go.
CREATE TABLE language (
    language_id integer PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE category (
    category_id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    parent_id integer REFERENCES category (category_id),
    shelf_count integer NOT NULL,
    age_group text NOT NULL
);

CREATE TABLE film (
    film_id integer PRIMARY KEY,
    title varchar(120) NOT NULL UNIQUE,
    description text,
    release_year integer NOT NULL,
    language_id integer NOT NULL REFERENCES language (language_id),
    original_language_id integer REFERENCES language (language_id),
    rental_rate numeric(4, 2) NOT NULL,
    replacement_cost numeric(5, 2) NOT NULL,
    length smallint NOT NULL,
    rating text NOT NULL
);

CREATE TABLE actor (
    actor_id integer PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    birth_country text
);

CREATE TABLE film_actor (
    actor_id integer NOT NULL REFERENCES actor (actor_id),
    film_id integer NOT NULL REFERENCES film (film_id),
    PRIMARY KEY (actor_id, film_id)
);

CREATE TABLE film_category (
    film_id integer NOT NULL REFERENCES film (film_id),
    category_id integer NOT NULL REFERENCES category (category_id),
    PRIMARY KEY (film_id, category_id)
);

CREATE TABLE store (
    store_id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    city text NOT NULL
);

CREATE TABLE staff (
    staff_id integer PRIMARY KEY,
    full_name text NOT NULL UNIQUE,
    store_id integer NOT NULL REFERENCES store (store_id),
    reports_to integer REFERENCES staff (staff_id),
    salary numeric(8, 2) NOT NULL,
    hired_on date NOT NULL,
    job text NOT NULL
);

CREATE TABLE customer (
    customer_id integer PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL UNIQUE,
    store_id integer NOT NULL REFERENCES store (store_id),
    active boolean NOT NULL,
    created_on date NOT NULL,
    district text NOT NULL,
    referred_by integer REFERENCES customer (customer_id)
);

CREATE TABLE inventory (
    inventory_id integer PRIMARY KEY,
    film_id integer NOT NULL REFERENCES film (film_id),
    store_id integer NOT NULL REFERENCES store (store_id),
    condition text NOT NULL
);

CREATE TABLE rental (
    rental_id integer PRIMARY KEY,
    rental_date timestamp NOT NULL,
    inventory_id integer NOT NULL REFERENCES inventory (inventory_id),
    customer_id integer NOT NULL REFERENCES customer (customer_id),
    return_date timestamp,
    staff_id integer NOT NULL REFERENCES staff (staff_id)
);

CREATE TABLE payment (
    payment_id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customer (customer_id),
    rental_id integer REFERENCES rental (rental_id),
    amount numeric(5, 2) NOT NULL,
    late_fee numeric(5, 2),
    payment_date date NOT NULL,
    method text NOT NULL
);
