-- An online shop: what it sells, to whom, who sold it, and what came of it.

CREATE TABLE categories (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    parent_id integer REFERENCES categories (id)
);

CREATE TABLE products (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    category_id integer NOT NULL REFERENCES categories (id),
    price numeric(10, 2) NOT NULL CHECK (price > 0),
    cost numeric(10, 2) NOT NULL CHECK (cost > 0),
    stock integer NOT NULL CHECK (stock >= 0),
    launched_on date NOT NULL,
    discontinued boolean NOT NULL
);

CREATE TABLE customers (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    email text NOT NULL UNIQUE,
    country text NOT NULL,
    city text NOT NULL,
    signed_up_on date NOT NULL,
    referred_by integer REFERENCES customers (id)
);

CREATE TABLE employees (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    job_title text NOT NULL,
    department text NOT NULL,
    salary numeric(10, 2) NOT NULL CHECK (salary > 0),
    hired_on date NOT NULL,
    manager_id integer REFERENCES employees (id)
);

CREATE TABLE orders (
    id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers (id),
    sales_rep_id integer REFERENCES employees (id),
    order_date date NOT NULL,
    shipped_at timestamp,
    status text NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'returned', 'cancelled')),
    shipping_fee numeric(10, 2) NOT NULL CHECK (shipping_fee >= 0)
);

CREATE TABLE order_items (
    order_id integer NOT NULL REFERENCES orders (id),
    product_id integer NOT NULL REFERENCES products (id),
    quantity integer NOT NULL CHECK (quantity > 0),
    unit_price numeric(10, 2) NOT NULL CHECK (unit_price > 0),
    discount_pct numeric(5, 2) CHECK (discount_pct > 0 AND discount_pct <= 100),
    PRIMARY KEY (order_id, product_id)
);

CREATE TABLE payments (
    id integer PRIMARY KEY,
    order_id integer NOT NULL REFERENCES orders (id),
    method text NOT NULL CHECK (method IN ('card', 'paypal', 'bank transfer', 'gift card')),
    amount numeric(10, 2) NOT NULL CHECK (amount > 0),
    paid_at timestamp NOT NULL
);

CREATE TABLE reviews (
    id integer PRIMARY KEY,
    product_id integer NOT NULL REFERENCES products (id),
    customer_id integer NOT NULL REFERENCES customers (id),
    rating integer NOT NULL CHECK (rating BETWEEN 1 AND 5),
    title text,
    reviewed_on date NOT NULL,
    UNIQUE (product_id, customer_id)
);
