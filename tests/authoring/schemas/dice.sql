-- What seeds draw from: the same numbers on every server, others for another seed.number.
CREATE FUNCTION pg_temp.dice(key text, sides integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
$$ SELECT ('x' || substr(md5(current_setting('seed.number') || ' ' || key), 1, 7))::bit(28)::integer % sides $$;
CREATE FUNCTION pg_temp.pick(key text, choices text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT choices[1 + pg_temp.dice(key, cardinality(choices))] $$;
