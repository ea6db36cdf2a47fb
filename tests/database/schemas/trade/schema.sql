-- A trading house: several firms share its tables, and every key begins with the firm.

CREATE TABLE firms (
    code char(3) PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE customers (
    firm char(3) NOT NULL REFERENCES firms,
    number integer NOT NULL CHECK (number > 0),
    name text NOT NULL,
    credit numeric(12, 2) CHECK (credit >= 0),
    PRIMARY KEY (firm, number)
);

CREATE TABLE products (
    firm char(3) NOT NULL REFERENCES firms,
    sku text NOT NULL,
    title text NOT NULL,
    price numeric(10, 2) NOT NULL CHECK (price > 0),
    cost numeric(10, 2) NOT NULL,
    PRIMARY KEY (firm, sku),
    CONSTRAINT sold_with_gain CHECK (cost < price)
);

CREATE TABLE orders (
    firm char(3) NOT NULL,
    number integer NOT NULL,
    customer integer NOT NULL,
    ordered_on date NOT NULL,
    shipped_on date,
    PRIMARY KEY (firm, number),
    FOREIGN KEY (firm, customer) REFERENCES customers (firm, number),
    CHECK (shipped_on >= ordered_on)
);

CREATE TABLE order_lines (
    firm char(3) NOT NULL,
    order_number integer NOT NULL,
    line smallint NOT NULL,
    sku text NOT NULL,
    quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 500),
    discount numeric(4, 3),
    PRIMARY KEY (firm, order_number, line),
    FOREIGN KEY (firm, order_number) REFERENCES orders (firm, number),
    FOREIGN KEY (firm, sku) REFERENCES products (firm, sku)
);

-- One row an order at most.
CREATE TABLE invoices (
    firm char(3) NOT NULL,
    order_number integer NOT NULL,
    amount numeric(12, 2) NOT NULL,
    paid boolean NOT NULL DEFAULT false,
    PRIMARY KEY (firm, order_number),
    FOREIGN KEY (firm, order_number) REFERENCES orders (firm, number)
);
