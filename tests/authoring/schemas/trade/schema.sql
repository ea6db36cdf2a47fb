-- A wholesaler of food: what it buys, sells and ships.
CREATE TABLE suppliers (
    supplier_id integer PRIMARY KEY,
    company_name text NOT NULL UNIQUE,
    country text NOT NULL,
    city text NOT NULL,
    home_page text
);

CREATE TABLE product_groups (
    group_id integer PRIMARY KEY,
    group_name text NOT NULL UNIQUE,
    parent_group_id integer REFERENCES product_groups (group_id),
    target_margin numeric(5, 2) NOT NULL,
    storage text NOT NULL
);

CREATE TABLE products (
    product_id integer PRIMARY KEY,
    product_name text NOT NULL UNIQUE,
    supplier_id integer NOT NULL REFERENCES suppliers (supplier_id),
    group_id integer NOT NULL REFERENCES product_groups (group_id),
    unit_price numeric(8, 2) NOT NULL,
    units_in_stock integer NOT NULL,
    reorder_level integer,
    discontinued boolean NOT NULL
);

CREATE TABLE customers (
    customer_code char(5) PRIMARY KEY,
    company_name text NOT NULL UNIQUE,
    contact_title text,
    city text NOT NULL,
    country text NOT NULL,
    phone text
);

CREATE TABLE employees (
    employee_id integer PRIMARY KEY,
    last_name text NOT NULL UNIQUE,
    title text NOT NULL,
    birth_date date NOT NULL,
    hire_date date NOT NULL,
    salary integer NOT NULL,
    manager_id integer REFERENCES employees (employee_id)
);

CREATE TABLE shippers (
    shipper_id integer PRIMARY KEY,
    company_name text NOT NULL UNIQUE
);

CREATE TABLE orders (
    order_id integer PRIMARY KEY,
    customer_code char(5) NOT NULL REFERENCES customers (customer_code),
    employee_id integer NOT NULL REFERENCES employees (employee_id),
    order_date date NOT NULL,
    shipped_date date,
    ship_via integer REFERENCES shippers (shipper_id),
    freight numeric(8, 2) NOT NULL,
    ship_country text NOT NULL,
    priority text
);

CREATE TABLE order_details (
    order_id integer NOT NULL REFERENCES orders (order_id),
    product_id integer NOT NULL REFERENCES products (product_id),
    unit_price numeric(8, 2) NOT NULL,
    quantity integer NOT NULL,
    discount numeric(3, 2) NOT NULL,
    PRIMARY KEY (order_id, product_id)
);

CREATE TABLE territories (
    territory_id integer PRIMARY KEY,
    description text NOT NULL UNIQUE,
    region text NOT NULL
);

CREATE TABLE employee_territories (
    employee_id integer NOT NULL REFERENCES employees (employee_id),
    territory_id integer NOT NULL REFERENCES territories (territory_id),
    PRIMARY KEY (employee_id, territory_id)
);
