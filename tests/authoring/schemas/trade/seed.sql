INSERT INTO suppliers
SELECT n, (ARRAY['Blue', 'Green', 'Red', 'Grey'])[1 + n % 4] || ' ' || (ARRAY['Barn', 'Mill', 'Cellar', 'Orchard', 'Dairy'])[1 + n % 5],
       pg_temp.pick('country' || n, ARRAY['Spain', 'Italy', 'Denmark', 'Poland']), pg_temp.pick('city' || n, ARRAY['Vigo', 'Parma', 'Aarhus', 'Lodz']),
       CASE WHEN n % 3 = 0 THEN 'https://supplier' || n || '.example.org' END
FROM generate_series(1, 18) n;

INSERT INTO product_groups
SELECT n, (ARRAY['Food', 'Drinks', 'Dairy', 'Bakery', 'Juice', 'Coffee', 'Cheese', 'Yogurt', 'Bread', 'Pastry', 'Espresso', 'Hard Cheese'])[n],
       (ARRAY[NULL, NULL, 1, 1, 2, 2, 3, 3, 4, 4, 6, 7])[n], 10 + pg_temp.dice('margin' || n, 300) / 10.0,
       pg_temp.pick('storage' || n, ARRAY['cold', 'dry', 'frozen'])
FROM generate_series(1, 12) n;

INSERT INTO products
SELECT n, (ARRAY['Fresh', 'Smoked', 'Organic', 'Mild', 'Strong', 'Sweet', 'Salted'])[1 + n % 7] || ' '
       || (ARRAY['Cheddar', 'Rye', 'Cider', 'Cream', 'Butter', 'Latte', 'Bagel', 'Plum', 'Kefir', 'Rolls'])[1 + n % 10],
       1 + pg_temp.dice('supplier' || n, 17), 3 + pg_temp.dice('group' || n, 10),
       2 + pg_temp.dice('price' || n, 9000) / 100.0, pg_temp.dice('stock' || n, 120),
       CASE WHEN pg_temp.dice('reorder?' || n, 4) > 0 THEN 5 * pg_temp.dice('reorder' || n, 7) END, pg_temp.dice('gone' || n, 6) = 0
FROM generate_series(1, 68) n;

INSERT INTO customers
SELECT upper(substr('abcdefghijklmnopqrstuvwxyz', 1 + n % 20, 3)) || lpad(n::text, 2, '0'), (ARRAY['Cafe', 'Hotel', 'Bistro', 'Market'])[1 + n % 4] || ' ' || n,
       CASE WHEN pg_temp.dice('title?' || n, 5) > 0 THEN pg_temp.pick('title' || n, ARRAY['Owner', 'Buyer', 'Chef']) END,
       pg_temp.pick('city' || n, ARRAY['Lyon', 'Graz', 'Bern', 'Ghent', 'Turin']), pg_temp.pick('land' || n, ARRAY['France', 'Austria', 'Belgium', 'Italy']),
       CASE WHEN pg_temp.dice('phone' || n, 4) > 0 THEN '+43 ' || (100000 + n * 37) END
FROM generate_series(1, 60) n;

INSERT INTO employees
SELECT n, (ARRAY['Abel', 'Boone', 'Cole', 'Drew', 'Ellis', 'Frost', 'Grant', 'Hart', 'Irwin', 'Jonas', 'Kemp', 'Lowe', 'Marsh', 'Nash', 'Otis'])[n],
       pg_temp.pick('title' || n, ARRAY['Sales Rep', 'Sales Manager', 'Coordinator']), DATE '1960-02-01' + pg_temp.dice('born' || n, 12000),
       DATE '2012-03-01' + pg_temp.dice('hired' || n, 3500), 2000 + 50 * pg_temp.dice('salary' || n, 60),
       CASE WHEN n = 1 THEN NULL WHEN n < 4 THEN 1 ELSE 2 + pg_temp.dice('manager' || n, least(n - 2, 5)) END
FROM generate_series(1, 15) n;

INSERT INTO shippers SELECT n, (ARRAY['Speedy Express', 'United Package', 'Federal Freight'])[n] FROM generate_series(1, 3) n;

INSERT INTO orders
SELECT n, (SELECT customer_code FROM customers ORDER BY customer_code OFFSET pg_temp.dice('customer' || n, 50) LIMIT 1), 1 + pg_temp.dice('employee' || n, 14),
       placed, CASE WHEN pg_temp.dice('shipped?' || n, 9) > 0 THEN placed + 1 + pg_temp.dice('days' || n, 20) END,
       CASE WHEN pg_temp.dice('via?' || n, 8) > 0 THEN 1 + pg_temp.dice('via' || n, 3) END,
       1 + pg_temp.dice('freight' || n, 20000) / 100.0, pg_temp.pick('to' || n, ARRAY['France', 'Austria', 'Belgium', 'Italy']),
       CASE WHEN pg_temp.dice('priority?' || n, 3) > 0 THEN pg_temp.pick('priority' || n, ARRAY['low', 'normal', 'urgent']) END
FROM (SELECT n, DATE '2023-01-02' + pg_temp.dice('placed' || n, 700) AS placed FROM generate_series(1, 320) n) every;

INSERT INTO order_details
SELECT DISTINCT ON (1, 2) 1 + pg_temp.dice('order' || n, 315), 1 + pg_temp.dice('product' || n, 66), 2 + pg_temp.dice('each' || n, 9000) / 100.0,
       1 + pg_temp.dice('quantity' || n, 60), pg_temp.dice('discount' || n, 5) * 0.05
FROM generate_series(1, 700) n
ORDER BY 1, 2, 3;

INSERT INTO territories
SELECT n, (ARRAY['Upper', 'Lower', 'Inner', 'Outer'])[1 + n % 4] || ' ' || (ARRAY['Vale', 'Coast', 'Ridge'])[1 + n % 3],
       pg_temp.pick('region' || n, ARRAY['east', 'west', 'north'])
FROM generate_series(1, 12) n;

INSERT INTO employee_territories
SELECT DISTINCT 1 + pg_temp.dice('who' || n, 14), 1 + pg_temp.dice('where' || n, 11) FROM generate_series(1, 40) n;
