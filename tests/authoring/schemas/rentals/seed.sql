INSERT INTO language SELECT n, (ARRAY['English', 'French', 'Italian', 'Japanese', 'German'])[n] FROM generate_series(1, 5) n;

INSERT INTO category
SELECT n, (ARRAY['Fiction', 'Real Life', 'Action', 'Comedy', 'Drama', 'Documentary', 'Sports', 'Space', 'Crime', 'Heist',
                 'Slapstick', 'Nature'])[n],
       (ARRAY[NULL, NULL, 1, 1, 1, 2, 2, 3, 5, 9, 4, 6])[n],
       3 + pg_temp.dice('shelf' || n, 20), pg_temp.pick('group' || n, ARRAY['children', 'teens', 'adults'])
FROM generate_series(1, 12) n;

INSERT INTO film
SELECT n, (ARRAY['Silent', 'Golden', 'Broken', 'Distant', 'Hidden', 'Last', 'Wild', 'Paper'])[1 + n % 8] || ' '
       || (ARRAY['River', 'Mirror', 'Station', 'Harvest', 'Signal', 'Garden', 'Voyage', 'Winter', 'Parade'])[1 + n % 9],
       repeat('A story that goes on and on, and then some. ', 4 + n % 3),
       2001 + pg_temp.dice('year' || n, 8), 1 + pg_temp.dice('language' || n, 4),
       CASE WHEN pg_temp.dice('original' || n, 3) = 0 THEN 2 + pg_temp.dice('which' || n, 3) END,
       (99 + 100 * pg_temp.dice('rate' || n, 6)) / 100.0, (999 + 100 * pg_temp.dice('cost' || n, 20)) / 100.0,
       60 + pg_temp.dice('length' || n, 110), pg_temp.pick('rating' || n, ARRAY['G', 'PG', 'PG-13', 'R'])
FROM generate_series(1, 72) n;

INSERT INTO actor
SELECT n, (ARRAY['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus'])[1 + n % 7],
       (ARRAY['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gum', 'Hazel', 'Ivy', 'Juniper', 'Larch'])[1 + n % 11],
       CASE WHEN pg_temp.dice('born?' || n, 5) > 0 THEN pg_temp.pick('born' || n, ARRAY['Chile', 'Ghana', 'Norway']) END
FROM generate_series(1, 45) n;

INSERT INTO film_actor
SELECT DISTINCT 1 + pg_temp.dice('actor' || n, 43), 1 + pg_temp.dice('of film' || n, 69) FROM generate_series(1, 220) n;

INSERT INTO film_category
SELECT n, 3 + pg_temp.dice('category' || n, 9) FROM generate_series(1, 70) n;

INSERT INTO store
SELECT n, (ARRAY['Central', 'Harbour', 'Hilltop', 'Parkside', 'Station', 'Riverside'])[n],
       (ARRAY['Bergen', 'Bergen', 'Oslo', 'Oslo', 'Oslo', 'Tromso'])[n]
FROM generate_series(1, 6) n;

INSERT INTO staff
SELECT n, (ARRAY['Mira', 'Noel', 'Olga', 'Piet', 'Quin'])[1 + n % 5] || ' ' || (ARRAY['Stone', 'Field', 'Brook', 'Hill'])[1 + n % 4],
       1 + n % 6, CASE WHEN n = 1 THEN NULL WHEN n < 5 THEN 1 ELSE 2 + pg_temp.dice('boss' || n, least(n - 2, 6)) END,
       2400 + 10 * pg_temp.dice('salary' || n, 160) + CASE WHEN n < 5 THEN 900 ELSE 0 END,
       DATE '2015-01-05' + pg_temp.dice('hired' || n, 2600), pg_temp.pick('job' || n, ARRAY['clerk', 'cashier', 'manager'])
FROM generate_series(1, 20) n;

INSERT INTO customer
SELECT n, (ARRAY['Ann', 'Bob', 'Cam', 'Dee', 'Eli', 'Fay', 'Gil', 'Hal'])[1 + n % 8],
       (ARRAY['Reed', 'Moss', 'Fern', 'Clay', 'Lake', 'Pond', 'Dale', 'Ford', 'Marsh', 'Heath'])[1 + n % 10],
       'customer' || n || '@example.org', 1 + pg_temp.dice('store' || n, 6), pg_temp.dice('active' || n, 4) > 0,
       DATE '2022-01-03' + pg_temp.dice('created' || n, 700),
       pg_temp.pick('district' || n, ARRAY['North', 'South', 'East', 'West', 'Old Town']),
       CASE WHEN n > 10 AND pg_temp.dice('referred' || n, 3) > 0 THEN 1 + pg_temp.dice('referrer' || n, n - 1) END
FROM generate_series(1, 90) n;

INSERT INTO inventory
SELECT n, 1 + pg_temp.dice('copy' || n, 70), 1 + pg_temp.dice('at' || n, 6),
       pg_temp.pick('condition' || n, ARRAY['new', 'good', 'worn'])
FROM generate_series(1, 170) n;

INSERT INTO rental
SELECT n, started, 1 + pg_temp.dice('item' || n, 165), 1 + pg_temp.dice('renter' || n, 84),
       CASE WHEN pg_temp.dice('back' || n, 8) > 0 THEN started + make_interval(days => 1 + pg_temp.dice('kept' || n, 12), hours => 2) END,
       1 + pg_temp.dice('clerk' || n, 18)
FROM (SELECT n, TIMESTAMP '2023-01-02 10:00' + make_interval(days => pg_temp.dice('day' || n, 720), hours => pg_temp.dice('hour' || n, 9)) AS started
      FROM generate_series(1, 420) n) rented;

INSERT INTO payment
SELECT n, r.customer_id, CASE WHEN pg_temp.dice('known' || n, 10) > 0 THEN r.rental_id END,
       (99 + 50 * pg_temp.dice('amount' || n, 18)) / 100.0,
       CASE WHEN pg_temp.dice('late?' || n, 3) = 0 THEN (50 + 25 * pg_temp.dice('late' || n, 12)) / 100.0 END,
       r.rental_date::date + pg_temp.dice('paid' || n, 5), pg_temp.pick('method' || n, ARRAY['card', 'cash', 'voucher'])
FROM rental r JOIN generate_series(1, 400) n ON n = r.rental_id;
