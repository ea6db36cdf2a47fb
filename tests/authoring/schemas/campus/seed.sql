INSERT INTO "Department"
SELECT (ARRAY['MAT', 'PHY', 'ART', 'LAW', 'BIO'])[n], (ARRAY['Mathematics', 'Physics', 'Fine Arts', 'Law', 'Biology'])[n], ARRAY[n, n + 1], '{"open": true}'
FROM generate_series(1, 5) n;

INSERT INTO "Student" ("fullName", "homeCity", "enrolledOn", mentor, photo)
SELECT (ARRAY['Lena', 'Max', 'Nora', 'Otto', 'Paul', 'Ruth'])[1 + n % 6] || ' ' || (ARRAY['Berg', 'Thal', 'Feld', 'Wald', 'Bach', 'Stein', 'Moor'])[1 + n % 7]
       || ' ' || chr(65 + n % 26),
       CASE WHEN pg_temp.dice('city?' || n, 5) > 0 THEN pg_temp.pick('city' || n, ARRAY['Ulm', 'Jena', 'Kiel']) END,
       DATE '2021-09-01' + pg_temp.dice('enrolled' || n, 900), CASE WHEN n > 3 AND pg_temp.dice('mentor?' || n, 4) > 0 THEN 1 + pg_temp.dice('mentor' || n, n - 1) END, '\x00'
FROM generate_series(1, 70) n;

INSERT INTO course
SELECT 'C' || (100 + n), (ARRAY['Basic', 'Advanced', 'Applied'])[1 + n % 3] || ' ' || (ARRAY['Algebra', 'Optics', 'Drawing', 'Contracts', 'Genetics', 'Logic', 'Statics', 'Sculpture'])[1 + n % 8],
       pg_temp.pick('department' || n, ARRAY['MAT', 'PHY', 'ART', 'LAW', 'BIO']), 2 + pg_temp.dice('credits' || n, 5), ARRAY['a', 'b'],
       CASE WHEN n > 4 AND n % 3 > 0 THEN 'C' || (101 + pg_temp.dice('requires' || n, n - 1)) END
FROM generate_series(1, 24) n;

INSERT INTO section (course_code, section_no, term, seats, fee)
SELECT 'C' || (100 + n), s, pg_temp.pick('term' || n || s, ARRAY['spring', 'summer', 'autumn'])::term_kind, 10 + pg_temp.dice('seats' || n || s, 40),
       20 + pg_temp.dice('fee' || n || s, 900) / 10.0
FROM generate_series(1, 24) n, generate_series(1, 3) s;

INSERT INTO enrolment
SELECT DISTINCT ON (1, 2, 3) 'C' || (101 + pg_temp.dice('course' || n, 23)), 1 + pg_temp.dice('section' || n, 3), 1 + pg_temp.dice('student' || n, 66),
       CASE WHEN pg_temp.dice('graded' || n, 5) > 0 THEN 1 + pg_temp.dice('grade' || n, 31) / 10.0 END, CASE WHEN pg_temp.dice('known' || n, 5) > 0 THEN pg_temp.dice('passed' || n, 4) > 0 END
FROM generate_series(1, 300) n
ORDER BY 1, 2, 3, 4;

INSERT INTO "order"
SELECT n, 1 + pg_temp.dice('buyer' || n, 64), pg_temp.pick('user' || n, ARRAY['till1', 'till2', 'web']), pg_temp.pick('group' || n, ARRAY['student', 'staff', 'guest']),
       3 + pg_temp.dice('total' || n, 12000) / 100.0, placed, CASE WHEN pg_temp.dice('to?' || n, 4) > 0 THEN placed + pg_temp.dice('days' || n, 15) END
FROM (SELECT n, DATE '2023-01-05' + pg_temp.dice('from' || n, 650) AS placed FROM generate_series(1, 180) n) every;

INSERT INTO reading
SELECT n, pg_temp.pick('sensor' || n, ARRAY['roof', 'lab', 'cellar']), TIMESTAMPTZ '2023-02-01 08:00+00' + make_interval(hours => 70 * n),
       CASE WHEN pg_temp.dice('value?' || n, 9) > 0 THEN pg_temp.dice('value' || n, 400) / 8.0 END
FROM generate_series(1, 200) n;
