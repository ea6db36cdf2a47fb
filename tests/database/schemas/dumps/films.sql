--
-- PostgreSQL database dump
--

\restrict OfX1iQg3f2516fvhdkyAXah6zb5GYHjtqPJbS5wY1Gwky9PzkG933ucbrUEmQIP

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: rating; Type: TYPE; Schema: public; Owner: postgres
--

CREATE TYPE public.rating AS ENUM (
    'all',
    'teens',
    'adults'
);


ALTER TYPE public.rating OWNER TO postgres;

--
-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: postgres
--

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'loans are never changed;
a new one is written';
END;
$$;


ALTER FUNCTION public.refuse_change() OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: actors; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.actors (
    actor_id integer NOT NULL,
    name text NOT NULL,
    born_on date
);


ALTER TABLE public.actors OWNER TO postgres;

--
-- Name: actors_actor_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.actors_actor_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.actors_actor_id_seq OWNER TO postgres;

--
-- Name: actors_actor_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.actors_actor_id_seq OWNED BY public.actors.actor_id;


--
-- Name: branches; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.branches (
    branch_id integer NOT NULL,
    city text NOT NULL,
    manager_id integer
);


ALTER TABLE public.branches OWNER TO postgres;

--
-- Name: branches_branch_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.branches_branch_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.branches_branch_id_seq OWNER TO postgres;

--
-- Name: branches_branch_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.branches_branch_id_seq OWNED BY public.branches.branch_id;


--
-- Name: castings; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.castings (
    film_id integer NOT NULL,
    actor_id integer NOT NULL,
    part text
);


ALTER TABLE public.castings OWNER TO postgres;

--
-- Name: copies; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.copies (
    copy_id integer NOT NULL,
    film_id integer NOT NULL,
    branch_id integer NOT NULL
);


ALTER TABLE public.copies OWNER TO postgres;

--
-- Name: copies_copy_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.copies_copy_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.copies_copy_id_seq OWNER TO postgres;

--
-- Name: copies_copy_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.copies_copy_id_seq OWNED BY public.copies.copy_id;


--
-- Name: films; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.films (
    film_id integer NOT NULL,
    title text NOT NULL,
    language_id integer NOT NULL,
    sequel_of integer,
    released integer,
    minutes smallint NOT NULL,
    rating public.rating DEFAULT 'all'::public.rating NOT NULL,
    fee numeric(5,2) NOT NULL,
    CONSTRAINT films_fee_check CHECK ((fee >= (0)::numeric)),
    CONSTRAINT films_minutes_check CHECK ((minutes > 0)),
    CONSTRAINT films_released_check CHECK (((released >= 1900) AND (released <= 2030)))
);


ALTER TABLE public.films OWNER TO postgres;

--
-- Name: COLUMN films.sequel_of; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON COLUMN public.films.sequel_of IS 'The film that this one continues; NULL for a film of its own.';


--
-- Name: COLUMN films.fee; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON COLUMN public.films.fee IS 'Euro for one loan of up to seven days.';


--
-- Name: films_film_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.films_film_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.films_film_id_seq OWNER TO postgres;

--
-- Name: films_film_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.films_film_id_seq OWNED BY public.films.film_id;


--
-- Name: languages; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.languages (
    language_id integer NOT NULL,
    name text NOT NULL
);


ALTER TABLE public.languages OWNER TO postgres;

--
-- Name: languages_language_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.languages_language_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.languages_language_id_seq OWNER TO postgres;

--
-- Name: languages_language_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.languages_language_id_seq OWNED BY public.languages.language_id;


--
-- Name: loans; Type: TABLE; Schema: public; Owner: clerk
--

CREATE TABLE public.loans (
    loan_id bigint NOT NULL,
    copy_id integer NOT NULL,
    member_id integer NOT NULL,
    lent_at timestamp without time zone NOT NULL,
    returned_at timestamp without time zone,
    CONSTRAINT loans_check CHECK ((returned_at >= lent_at))
);


ALTER TABLE public.loans OWNER TO clerk;

--
-- Name: loans_loan_id_seq; Type: SEQUENCE; Schema: public; Owner: clerk
--

CREATE SEQUENCE public.loans_loan_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.loans_loan_id_seq OWNER TO clerk;

--
-- Name: loans_loan_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: clerk
--

ALTER SEQUENCE public.loans_loan_id_seq OWNED BY public.loans.loan_id;


--
-- Name: members; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.members (
    member_id integer NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    joined_on date NOT NULL,
    left_on date,
    CONSTRAINT members_check CHECK ((left_on > joined_on)),
    CONSTRAINT members_email_check CHECK ((email ~~ '%@%'::text))
);


ALTER TABLE public.members OWNER TO postgres;

--
-- Name: TABLE members; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON TABLE public.members IS 'Who may lend; left_on is NULL for those who still are members.';


--
-- Name: members_member_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.members_member_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.members_member_id_seq OWNER TO postgres;

--
-- Name: members_member_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.members_member_id_seq OWNED BY public.members.member_id;


--
-- Name: open_loans; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.open_loans AS
 SELECT l.loan_id,
    m.name,
    l.lent_at
   FROM (public.loans l
     JOIN public.members m USING (member_id))
  WHERE (l.returned_at IS NULL);


ALTER TABLE public.open_loans OWNER TO postgres;

--
-- Name: staff; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.staff (
    staff_id integer NOT NULL,
    branch_id integer NOT NULL,
    name text NOT NULL
);


ALTER TABLE public.staff OWNER TO postgres;

--
-- Name: staff_staff_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.staff_staff_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.staff_staff_id_seq OWNER TO postgres;

--
-- Name: staff_staff_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.staff_staff_id_seq OWNED BY public.staff.staff_id;


--
-- Name: actors actor_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors ALTER COLUMN actor_id SET DEFAULT nextval('public.actors_actor_id_seq'::regclass);


--
-- Name: branches branch_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.branches ALTER COLUMN branch_id SET DEFAULT nextval('public.branches_branch_id_seq'::regclass);


--
-- Name: copies copy_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.copies ALTER COLUMN copy_id SET DEFAULT nextval('public.copies_copy_id_seq'::regclass);


--
-- Name: films film_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films ALTER COLUMN film_id SET DEFAULT nextval('public.films_film_id_seq'::regclass);


--
-- Name: languages language_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.languages ALTER COLUMN language_id SET DEFAULT nextval('public.languages_language_id_seq'::regclass);


--
-- Name: loans loan_id; Type: DEFAULT; Schema: public; Owner: clerk
--

ALTER TABLE ONLY public.loans ALTER COLUMN loan_id SET DEFAULT nextval('public.loans_loan_id_seq'::regclass);


--
-- Name: members member_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.members ALTER COLUMN member_id SET DEFAULT nextval('public.members_member_id_seq'::regclass);


--
-- Name: staff staff_id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.staff ALTER COLUMN staff_id SET DEFAULT nextval('public.staff_staff_id_seq'::regclass);


--
-- Data for Name: actors; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.actors (actor_id, name, born_on) FROM stdin;
1	Hugo Okafor	\N
2	Bruno Moreau	1957-12-28
3	Chloe Lindt	1977-08-24
4	Chloe Okafor	1956-01-06
5	Ada Berg	1990-04-21
6	Chloe Novak	1961-02-17
7	Greta Okafor	1952-06-20
8	Greta Sato	\N
9	Greta Novak	\N
10	Ada Moreau	1946-12-31
11	Bruno Novak	1952-01-16
12	Greta Moreau	1939-07-15
13	Elif Moreau	1988-04-28
14	Elif Novak	1974-05-30
15	Dmitri Novak	1965-04-07
16	Farid Sato	1957-08-12
17	Dmitri Lindt	1950-08-06
18	Dmitri Sato	1993-05-27
19	Bruno Berg	1942-07-15
20	Dmitri Berg	1961-03-07
21	Elif Sato	1941-08-24
22	Farid Novak	\N
23	Elif Okafor	1952-12-06
24	Greta Berg	1934-12-21
25	Ada Novak	\N
26	Hugo Novak	1975-05-23
27	Hugo Lindt	1955-04-18
28	Chloe Berg	1992-02-22
29	Farid Lindt	1971-03-22
30	Dmitri Moreau	1954-02-19
\.


--
-- Data for Name: branches; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.branches (branch_id, city, manager_id) FROM stdin;
1	Gdynia	1
2	Lyon	2
3	Aarhus	7
\.


--
-- Data for Name: castings; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.castings (film_id, actor_id, part) FROM stdin;
1	3	\N
2	2	neighbour
2	10	neighbour
2	18	neighbour
2	22	detective
3	20	lead
3	27	neighbour
4	4	villain
4	22	villain
5	9	\N
5	12	neighbour
5	24	villain
6	5	detective
6	6	villain
6	17	lead
8	6	detective
8	7	detective
8	12	lead
8	18	\N
9	17	villain
9	20	lead
10	8	neighbour
10	10	neighbour
10	22	neighbour
11	1	neighbour
11	3	villain
12	1	\N
13	3	lead
13	8	\N
13	12	neighbour
14	3	neighbour
14	8	detective
15	16	neighbour
16	9	\N
16	10	\N
16	24	neighbour
17	1	detective
17	13	neighbour
17	21	neighbour
18	4	lead
18	17	\N
19	9	lead
19	21	lead
20	5	lead
20	7	detective
21	2	\N
21	4	neighbour
21	16	\N
22	1	detective
22	13	\N
24	3	\N
24	11	lead
25	3	lead
25	7	detective
25	15	\N
25	19	villain
27	12	lead
28	1	villain
28	9	detective
28	11	neighbour
29	1	\N
29	5	\N
29	11	\N
30	3	villain
30	15	detective
31	1	detective
31	2	lead
31	9	neighbour
31	11	villain
32	1	lead
32	2	detective
32	8	\N
32	10	\N
33	9	detective
33	18	villain
33	19	neighbour
33	26	villain
34	9	villain
34	10	lead
36	2	neighbour
36	3	detective
36	5	lead
36	7	detective
36	13	lead
37	1	\N
37	7	neighbour
38	2	villain
38	17	\N
38	26	\N
39	5	lead
39	13	neighbour
40	5	neighbour
41	3	\N
41	4	villain
41	9	lead
41	13	neighbour
41	14	villain
42	3	lead
42	10	neighbour
42	15	\N
44	8	villain
44	10	neighbour
44	13	villain
45	7	neighbour
45	10	lead
45	17	\N
46	1	villain
46	17	detective
46	22	\N
46	26	lead
47	2	neighbour
47	14	lead
48	9	villain
48	21	lead
\.


--
-- Data for Name: copies; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.copies (copy_id, film_id, branch_id) FROM stdin;
1	6	3
2	24	1
3	1	1
4	10	3
5	6	3
6	24	3
7	11	1
8	19	1
9	11	1
10	7	2
11	13	1
12	3	2
13	4	3
14	6	3
15	40	1
16	15	3
17	26	1
18	12	3
19	3	2
20	11	2
21	8	1
22	16	1
23	3	3
24	3	2
25	8	3
26	30	3
27	20	2
28	20	1
29	25	3
30	24	3
31	12	1
32	1	2
33	16	2
34	30	1
35	26	1
36	5	2
37	24	1
38	29	3
39	3	1
40	9	1
41	21	3
42	6	1
43	25	3
44	2	1
45	40	3
46	8	1
47	19	1
48	44	1
49	5	3
50	11	2
51	18	2
52	10	3
53	14	3
54	17	3
55	16	2
56	3	1
57	11	3
58	18	2
59	11	2
60	8	1
61	24	2
62	34	3
63	7	2
64	35	2
65	24	2
66	24	3
67	10	2
68	6	1
69	12	3
70	4	3
71	17	3
72	38	2
73	1	3
74	3	1
75	19	3
76	27	3
77	4	1
78	15	3
79	3	1
80	1	3
81	20	1
82	23	3
83	15	3
84	20	1
85	14	3
86	11	1
87	1	3
88	10	1
89	5	1
90	18	2
\.


--
-- Data for Name: films; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.films (film_id, title, language_id, sequel_of, released, minutes, rating, fee) FROM stdin;
1	Broken Letter	2	\N	1978	159	teens	1.50
2	Golden Orchard	3	\N	2018	182	teens	3.90
3	Broken Orchard	2	\N	1964	85	adults	2.00
4	Last Mirror	2	\N	2017	123	all	1.50
5	Winter Letter	3	\N	1995	113	teens	3.90
6	Winter Mirror	3	\N	1963	177	all	2.49
7	Golden Mountain	2	\N	1963	77	teens	3.90
8	Iron Harbour	2	\N	1999	72	adults	2.49
9	Paper Mountain	2	\N	1982	168	teens	2.00
10	Paper River	4	\N	2018	80	teens	3.90
11	Quiet Harbour	2	\N	2010	180	teens	3.90
12	Golden River	2	\N	1984	89	all	2.00
13	Quiet Garden	2	\N	2017	176	teens	2.49
14	Golden Harbour	2	7	1995	86	all	3.90
15	Broken Harbour	4	\N	2006	120	all	3.90
16	Golden Station	4	\N	1981	126	teens	1.50
17	Broken Mountain	2	\N	1974	138	all	2.49
18	Winter Station	3	7	1974	151	teens	2.49
19	Winter River	3	\N	2017	129	adults	3.90
20	Paper Letter	2	4	1988	131	teens	1.50
21	Last Harbour	2	\N	1973	158	all	2.49
22	Last River	4	\N	1988	136	teens	2.00
23	Golden Letter	2	\N	2019	112	teens	2.00
24	Hidden Garden	2	\N	1984	95	adults	2.49
25	Last Station	4	1	2015	103	teens	2.49
26	Last Orchard	2	\N	1999	116	all	2.00
27	Winter Garden	1	\N	1981	131	all	3.90
28	Iron River	4	\N	1970	186	adults	2.00
29	Paper Orchard	2	\N	1997	81	adults	3.90
30	Paper Harbour	2	\N	\N	90	teens	2.00
31	Golden Garden	1	29	1973	148	adults	2.49
32	Winter Harbour	2	\N	1956	172	all	2.00
33	Hidden Station	2	\N	1982	73	teens	2.00
34	Iron Mountain	2	\N	1996	103	adults	2.00
35	Iron Station	1	\N	2013	154	adults	2.00
36	Hidden Mirror	3	33	\N	126	teens	1.50
37	Broken Station	2	31	1970	141	all	2.49
38	Quiet Mirror	4	\N	1968	183	all	2.00
39	Hidden Orchard	2	\N	2019	127	all	1.50
40	Winter Mountain	2	\N	2020	95	teens	3.90
41	Paper Station	3	\N	1986	159	teens	2.00
42	Hidden Mountain	2	8	1995	79	teens	3.90
43	Paper Mirror	1	\N	1970	184	teens	2.49
44	Broken Mirror	2	\N	2014	98	all	3.90
45	Iron Garden	2	43	1975	160	adults	3.90
46	Last Letter	2	\N	1966	162	teens	1.50
47	Last Mountain	2	\N	1957	119	teens	2.49
48	Quiet River	3	\N	1984	182	all	1.50
\.


--
-- Data for Name: languages; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.languages (language_id, name) FROM stdin;
1	Polish
2	English
3	French
4	Japanese
5	Danish
\.


--
-- Data for Name: loans; Type: TABLE DATA; Schema: public; Owner: clerk
--

COPY public.loans (loan_id, copy_id, member_id, lent_at, returned_at) FROM stdin;
1	2	4	2023-07-13 18:55:00	2023-07-21 19:14:00
2	83	29	2024-03-10 10:33:00	2024-03-22 06:13:00
3	32	11	2023-12-27 06:12:00	2023-12-28 16:48:00
4	4	12	2024-01-24 10:06:00	2024-01-25 18:58:00
5	2	36	2023-03-19 18:34:00	2023-03-24 07:17:00
6	53	13	2023-04-15 23:17:00	2023-04-27 13:08:00
7	83	27	2024-04-17 22:34:00	2024-04-29 13:19:00
8	9	20	2023-08-15 15:51:00	2023-08-26 13:51:00
9	1	25	2024-01-29 10:19:00	2024-02-09 01:24:00
10	84	12	2023-03-01 23:27:00	2023-03-04 09:56:00
11	30	3	2023-07-11 17:45:00	2023-07-17 18:32:00
12	35	36	2023-02-09 15:04:00	2023-02-21 13:49:00
13	38	42	2023-07-14 13:23:00	\N
14	11	33	2023-06-09 09:16:00	2023-06-15 08:27:00
15	26	11	2023-06-23 07:18:00	\N
16	50	22	2023-05-22 03:20:00	2023-06-03 09:15:00
17	61	34	2023-12-10 05:59:00	2023-12-10 21:27:00
18	30	37	2023-11-16 17:52:00	2023-11-21 14:37:00
19	80	5	2023-10-14 12:03:00	2023-10-18 10:44:00
20	5	2	2023-04-17 15:58:00	2023-04-21 09:20:00
21	19	2	2023-09-10 11:55:00	2023-09-13 16:30:00
22	82	3	2024-04-14 23:45:00	2024-04-16 02:14:00
23	76	24	2023-02-19 06:19:00	2023-03-03 10:53:00
24	9	56	2024-04-30 00:05:00	2024-05-08 18:42:00
25	32	14	2023-03-21 08:59:00	2023-03-22 04:47:00
26	12	49	2024-04-08 03:58:00	2024-04-14 17:54:00
27	13	7	2023-12-15 19:11:00	2023-12-20 12:08:00
28	41	22	2023-08-04 19:03:00	2023-08-12 19:41:00
29	37	4	2023-07-08 07:11:00	2023-07-15 15:23:00
30	65	31	2024-03-15 17:51:00	2024-03-16 11:46:00
31	4	28	2023-10-30 01:18:00	2023-11-06 23:41:00
32	7	35	2023-12-09 20:20:00	2023-12-11 22:58:00
33	37	11	2024-02-24 17:49:00	2024-02-29 09:09:00
34	7	1	2023-07-31 08:00:00	2023-08-11 13:24:00
35	64	23	2023-05-16 17:42:00	\N
36	34	11	2024-01-12 11:43:00	2024-01-17 09:58:00
37	64	8	2023-06-19 23:14:00	\N
38	63	45	2023-03-02 06:31:00	2023-03-04 16:37:00
39	42	7	2024-04-03 14:54:00	2024-04-12 15:24:00
40	55	42	2023-03-06 02:58:00	2023-03-10 20:32:00
41	34	28	2023-08-11 02:46:00	2023-08-15 01:12:00
42	81	15	2023-10-05 13:50:00	2023-10-19 03:17:00
43	83	3	2024-03-18 04:14:00	2024-03-30 02:10:00
44	58	36	2023-04-25 11:31:00	2023-04-29 09:06:00
45	57	45	2023-12-05 15:15:00	2023-12-10 22:25:00
46	43	30	2023-04-04 04:00:00	2023-04-09 14:56:00
47	25	18	2024-01-07 01:45:00	2024-01-10 15:10:00
48	32	21	2023-04-25 23:02:00	2023-05-03 22:25:00
49	31	13	2023-04-29 13:21:00	2023-05-01 21:56:00
50	85	7	2023-05-02 05:37:00	2023-05-05 15:37:00
51	39	18	2023-08-10 08:40:00	2023-08-12 20:01:00
52	27	25	2023-07-25 20:24:00	2023-07-26 04:17:00
53	56	15	2023-10-19 22:23:00	2023-10-26 17:09:00
54	3	10	2023-12-05 17:23:00	2023-12-14 23:24:00
55	32	55	2023-01-06 09:25:00	2023-01-19 11:53:00
56	83	27	2024-03-05 03:01:00	2024-03-18 10:49:00
57	87	12	2023-06-17 20:10:00	2023-06-27 17:23:00
58	34	41	2023-08-18 07:19:00	2023-08-27 21:27:00
59	52	46	2023-06-27 21:10:00	2023-07-03 14:43:00
60	62	2	2023-11-06 19:35:00	2023-11-16 04:08:00
61	87	43	2024-01-14 18:06:00	2024-01-22 06:15:00
62	50	32	2023-01-10 02:48:00	\N
63	5	17	2023-03-20 20:07:00	2023-03-25 10:14:00
64	45	7	2024-01-15 11:01:00	2024-01-27 19:29:00
65	61	2	2023-05-31 15:19:00	2023-06-09 02:20:00
66	44	27	2024-01-17 06:09:00	\N
67	88	12	2023-06-04 08:34:00	2023-06-07 04:24:00
68	46	4	2024-03-24 11:28:00	2024-04-02 05:00:00
69	8	1	2023-10-20 09:59:00	2023-10-30 00:39:00
70	90	23	2024-04-04 01:57:00	2024-04-06 14:37:00
71	39	26	2023-06-14 19:09:00	\N
72	29	26	2024-01-21 04:19:00	2024-01-24 23:10:00
73	9	52	2023-04-06 12:40:00	2023-04-17 05:53:00
74	72	15	2024-04-14 00:14:00	2024-04-17 09:06:00
75	86	41	2023-09-16 12:25:00	2023-09-25 23:07:00
76	38	36	2023-12-09 05:39:00	2023-12-19 23:00:00
77	30	18	2023-09-17 16:38:00	2023-09-23 12:06:00
78	87	12	2023-11-08 15:42:00	2023-11-15 02:16:00
79	32	20	2023-09-20 01:06:00	2023-10-01 02:55:00
80	80	6	2023-11-10 09:27:00	2023-11-18 16:23:00
81	39	25	2023-04-23 14:33:00	2023-05-06 11:53:00
82	18	34	2023-08-26 19:33:00	2023-09-09 02:38:00
83	85	1	2023-01-13 06:53:00	\N
84	38	17	2024-04-24 00:40:00	2024-04-27 07:37:00
85	24	29	2023-06-21 12:10:00	2023-06-25 00:32:00
86	52	35	2023-06-03 05:30:00	2023-06-17 02:44:00
87	86	58	2023-03-09 04:57:00	2023-03-16 00:10:00
88	64	14	2023-05-26 02:17:00	2023-06-05 02:48:00
89	72	8	2023-03-28 13:23:00	2023-03-31 18:28:00
90	64	4	2023-12-12 23:29:00	2023-12-16 07:21:00
91	32	11	2023-12-26 04:21:00	2023-12-26 08:57:00
92	42	30	2023-04-29 03:26:00	2023-05-05 22:32:00
93	48	27	2023-12-07 12:46:00	\N
94	24	24	2023-02-26 06:38:00	2023-02-26 23:12:00
95	79	3	2023-01-17 08:18:00	2023-01-24 21:46:00
96	66	31	2023-03-11 19:20:00	2023-03-15 03:14:00
97	28	27	2023-01-27 01:23:00	2023-02-03 19:18:00
98	85	22	2023-03-12 03:54:00	2023-03-24 03:54:00
99	27	19	2024-02-09 21:02:00	2024-02-15 15:25:00
100	7	19	2024-02-09 19:20:00	2024-02-21 01:58:00
101	43	18	2023-10-23 08:41:00	2023-10-31 05:59:00
102	84	32	2023-05-30 13:58:00	2023-06-03 23:59:00
103	39	9	2023-08-21 06:37:00	\N
104	6	26	2023-03-07 03:30:00	2023-03-16 10:14:00
105	74	4	2024-02-03 12:34:00	2024-02-03 16:57:00
106	25	53	2023-02-05 03:50:00	2023-02-06 13:40:00
107	70	25	2024-01-02 01:51:00	2024-01-15 16:30:00
108	28	3	2023-03-03 19:35:00	2023-03-07 19:33:00
109	85	12	2023-03-17 04:25:00	2023-03-19 12:21:00
110	2	24	2024-04-23 20:29:00	2024-04-30 22:25:00
111	34	20	2024-02-15 16:26:00	2024-02-16 12:08:00
112	3	28	2023-08-22 06:47:00	2023-08-23 13:36:00
113	73	3	2023-12-30 20:04:00	2024-01-09 11:01:00
114	90	26	2024-02-25 07:28:00	2024-02-25 16:11:00
115	77	38	2023-10-11 06:48:00	\N
116	53	7	2023-12-14 14:03:00	2023-12-25 08:55:00
117	20	1	2023-06-05 22:48:00	2023-06-06 04:53:00
118	12	14	2023-03-31 23:21:00	2023-04-11 18:18:00
119	36	37	2023-01-15 07:40:00	2023-01-19 15:01:00
120	47	48	2023-02-07 21:14:00	2023-02-11 05:18:00
121	38	36	2023-03-04 18:04:00	2023-03-15 06:36:00
122	7	3	2023-07-06 08:51:00	2023-07-06 17:53:00
123	88	40	2024-04-20 04:45:00	2024-04-27 07:37:00
124	77	11	2023-08-17 22:14:00	2023-08-19 07:52:00
125	48	37	2023-08-20 16:23:00	2023-08-24 12:17:00
126	15	24	2023-04-17 21:25:00	2023-04-27 10:40:00
127	50	50	2023-12-15 16:31:00	2023-12-21 22:03:00
128	43	18	2024-02-19 02:50:00	2024-03-03 19:27:00
129	78	1	2023-09-01 03:49:00	2023-09-14 21:07:00
130	75	28	2023-08-15 02:08:00	2023-08-23 22:40:00
131	78	50	2023-10-03 07:34:00	2023-10-13 15:01:00
132	89	1	2023-07-27 16:11:00	2023-08-06 07:55:00
133	76	53	2023-04-26 21:40:00	2023-04-27 21:45:00
134	19	52	2023-07-31 11:16:00	2023-08-13 12:36:00
135	36	52	2023-04-19 09:59:00	2023-04-30 20:02:00
136	69	6	2023-09-11 22:41:00	2023-09-20 16:09:00
137	30	20	2023-05-28 07:46:00	2023-06-06 08:45:00
138	27	17	2023-12-07 05:06:00	2023-12-07 11:13:00
139	59	6	2023-10-09 16:54:00	2023-10-17 19:50:00
140	30	26	2023-02-16 23:33:00	2023-02-22 22:17:00
141	42	31	2024-01-17 09:08:00	2024-01-21 17:26:00
142	25	6	2023-06-06 06:05:00	2023-06-12 21:21:00
143	74	23	2023-09-23 13:50:00	2023-10-05 09:18:00
144	32	3	2023-04-20 21:07:00	\N
145	14	24	2023-10-01 17:49:00	2023-10-03 15:27:00
146	41	2	2023-04-26 02:00:00	2023-05-07 22:41:00
147	3	3	2024-03-19 11:28:00	2024-04-01 09:17:00
148	76	14	2023-12-22 11:58:00	2023-12-28 21:47:00
149	13	29	2023-11-08 13:00:00	2023-11-11 13:29:00
150	5	13	2023-07-06 07:53:00	\N
151	11	2	2023-10-04 18:33:00	2023-10-13 05:25:00
152	63	55	2023-12-02 02:02:00	2023-12-15 17:39:00
153	51	8	2024-04-12 07:03:00	2024-04-14 09:10:00
154	41	15	2023-07-08 15:47:00	2023-07-20 05:24:00
155	24	29	2023-10-15 15:14:00	2023-10-21 00:38:00
156	23	3	2023-06-12 19:52:00	\N
157	71	2	2023-02-14 12:56:00	2023-02-15 15:37:00
158	66	46	2023-07-09 04:11:00	2023-07-20 05:11:00
159	13	10	2023-02-11 23:36:00	2023-02-16 13:15:00
160	76	29	2023-08-07 22:46:00	2023-08-10 09:20:00
161	42	17	2023-12-11 03:31:00	2023-12-19 17:18:00
162	49	11	2023-12-18 20:33:00	2023-12-22 03:43:00
163	60	46	2023-01-11 13:26:00	2023-01-12 10:06:00
164	29	5	2023-04-26 16:00:00	2023-05-05 04:45:00
165	58	7	2023-04-14 03:31:00	\N
166	81	5	2023-01-18 04:51:00	\N
167	30	8	2023-08-25 06:14:00	2023-08-28 13:12:00
168	29	4	2023-09-01 02:45:00	2023-09-11 10:15:00
169	19	29	2024-02-09 07:54:00	2024-02-18 21:19:00
170	32	2	2023-10-29 05:24:00	2023-11-05 00:21:00
171	22	17	2023-09-02 22:57:00	2023-09-13 09:05:00
172	15	10	2023-12-19 16:11:00	2023-12-24 12:30:00
173	62	19	2024-02-14 02:42:00	2024-02-18 17:48:00
174	56	16	2023-09-24 15:15:00	\N
175	50	19	2023-03-14 10:04:00	2023-03-15 18:27:00
176	19	2	2023-08-04 02:42:00	2023-08-15 17:01:00
177	66	9	2023-09-07 14:45:00	2023-09-19 15:20:00
178	24	24	2023-07-29 22:06:00	2023-08-08 06:26:00
179	36	12	2023-06-10 07:27:00	2023-06-14 10:49:00
180	30	12	2024-01-17 05:32:00	2024-01-19 01:49:00
181	78	32	2023-03-07 00:47:00	2023-03-11 01:31:00
182	18	40	2023-06-01 09:40:00	2023-06-05 19:37:00
183	40	1	2024-03-01 20:29:00	2024-03-13 17:14:00
184	8	34	2023-10-26 13:27:00	2023-11-02 00:19:00
185	64	1	2024-04-11 19:29:00	2024-04-22 16:46:00
186	86	16	2023-04-09 10:16:00	2023-04-17 19:45:00
187	21	24	2023-01-29 01:52:00	2023-01-29 05:24:00
188	67	29	2023-09-18 17:17:00	\N
189	16	23	2023-02-23 07:47:00	2023-03-02 16:04:00
190	74	49	2023-10-07 02:15:00	2023-10-09 14:03:00
191	58	2	2023-12-28 16:19:00	2024-01-09 22:46:00
192	3	6	2023-04-10 05:18:00	2023-04-14 09:54:00
193	14	17	2023-05-04 14:55:00	2023-05-05 08:20:00
194	13	45	2023-01-16 12:56:00	2023-01-22 12:42:00
195	77	37	2023-01-15 06:06:00	2023-01-20 17:16:00
196	14	23	2023-11-21 20:10:00	2023-11-25 22:54:00
197	35	8	2023-02-04 06:24:00	2023-02-15 16:52:00
198	15	8	2023-07-24 23:45:00	2023-07-28 03:32:00
199	76	15	2024-01-31 18:06:00	2024-02-13 19:56:00
200	51	11	2023-12-04 19:59:00	2023-12-13 17:17:00
201	77	39	2023-11-04 13:29:00	2023-11-13 14:33:00
202	47	22	2023-02-09 05:10:00	2023-02-16 21:09:00
203	73	52	2023-11-15 13:20:00	2023-11-24 17:06:00
204	7	21	2024-02-14 22:35:00	2024-02-23 00:35:00
205	55	41	2023-07-02 21:33:00	2023-07-05 10:05:00
206	24	5	2024-01-23 21:22:00	2024-02-04 10:02:00
207	29	9	2023-01-17 12:59:00	\N
208	82	3	2023-11-28 18:31:00	\N
209	5	42	2023-01-31 16:42:00	2023-02-06 23:01:00
210	70	52	2024-04-03 20:27:00	2024-04-06 04:20:00
211	16	1	2023-07-03 20:13:00	2023-07-04 18:44:00
212	15	20	2023-07-30 17:49:00	2023-08-02 12:33:00
213	77	33	2023-02-15 07:30:00	\N
214	60	35	2023-03-04 21:17:00	\N
215	16	9	2023-11-18 18:09:00	2023-11-28 01:10:00
216	37	16	2024-02-26 18:50:00	2024-03-10 06:11:00
217	59	40	2023-07-30 11:36:00	2023-08-08 07:45:00
218	71	24	2023-05-28 21:04:00	2023-06-10 09:21:00
219	79	31	2023-08-11 12:33:00	2023-08-12 06:27:00
220	43	13	2023-06-27 18:42:00	2023-07-06 12:57:00
221	51	1	2024-03-03 20:33:00	2024-03-09 07:49:00
222	72	21	2023-08-26 06:28:00	2023-08-31 05:30:00
223	8	2	2023-08-05 13:18:00	2023-08-07 02:46:00
224	45	29	2024-03-18 14:17:00	2024-03-27 11:07:00
225	46	48	2023-11-18 16:45:00	2023-11-23 20:43:00
226	54	22	2023-04-24 21:27:00	2023-04-29 13:02:00
227	79	18	2024-03-26 03:33:00	2024-04-06 23:19:00
228	61	18	2023-03-12 14:08:00	2023-03-15 12:38:00
229	14	1	2023-10-30 03:17:00	2023-11-12 12:13:00
230	64	26	2023-03-28 21:32:00	2023-04-04 07:04:00
231	78	8	2024-03-29 20:44:00	2024-04-09 07:48:00
232	46	19	2023-07-31 03:15:00	2023-08-12 19:32:00
233	50	21	2024-03-10 22:43:00	2024-03-22 08:32:00
234	57	12	2023-10-06 13:45:00	2023-10-09 21:56:00
235	74	25	2023-11-15 14:27:00	2023-11-23 03:43:00
236	78	16	2023-08-26 04:59:00	\N
237	55	58	2023-05-31 03:34:00	\N
238	7	17	2023-01-20 23:57:00	2023-01-27 20:41:00
239	40	35	2024-01-28 00:03:00	\N
240	67	44	2024-01-14 04:03:00	2024-01-24 18:35:00
241	6	39	2023-09-19 20:28:00	2023-09-20 03:08:00
242	68	7	2023-02-21 02:05:00	2023-03-04 12:38:00
243	84	36	2023-10-21 07:07:00	2023-10-25 14:54:00
244	63	26	2023-11-05 02:26:00	2023-11-18 12:14:00
245	89	34	2023-09-09 08:14:00	2023-09-13 06:28:00
246	41	5	2023-09-23 11:56:00	2023-10-05 04:52:00
247	15	42	2023-05-10 05:35:00	2023-05-18 02:06:00
248	54	11	2024-01-07 22:19:00	2024-01-19 14:43:00
249	65	13	2023-06-02 16:28:00	2023-06-04 02:19:00
250	73	7	2024-04-05 04:45:00	2024-04-06 04:51:00
251	2	1	2023-10-28 23:02:00	2023-11-10 14:00:00
252	39	26	2023-01-05 05:23:00	2023-01-05 14:48:00
253	26	12	2023-01-23 21:06:00	2023-02-05 19:46:00
254	83	35	2023-07-15 02:00:00	2023-07-18 09:29:00
255	26	27	2024-02-24 16:33:00	2024-02-28 07:10:00
256	66	2	2024-01-14 21:06:00	2024-01-18 19:14:00
257	63	30	2024-01-17 20:15:00	2024-01-19 07:10:00
258	2	44	2024-04-19 18:19:00	2024-04-23 01:55:00
259	46	11	2023-06-24 20:56:00	2023-06-27 04:14:00
260	9	13	2024-03-01 08:42:00	2024-03-10 04:19:00
261	7	15	2023-01-16 14:37:00	2023-01-17 15:36:00
262	7	16	2023-11-18 12:17:00	2023-11-19 13:18:00
263	76	12	2023-04-28 10:45:00	2023-05-08 20:28:00
264	54	17	2023-08-11 12:07:00	\N
265	9	16	2023-12-29 05:23:00	2024-01-11 13:46:00
266	53	20	2023-06-12 14:12:00	2023-06-23 15:44:00
267	32	6	2023-01-18 16:55:00	2023-01-27 08:54:00
268	1	19	2023-05-18 05:14:00	2023-05-26 12:26:00
269	43	35	2023-03-27 00:47:00	2023-04-05 05:58:00
270	9	8	2024-04-20 14:58:00	2024-04-28 15:47:00
271	32	13	2024-02-09 16:04:00	2024-02-17 13:11:00
272	56	3	2023-06-24 01:55:00	2023-07-01 21:22:00
273	31	9	2023-04-25 21:26:00	2023-05-02 01:42:00
274	17	29	2024-02-03 03:13:00	2024-02-08 15:23:00
275	48	14	2023-04-28 07:36:00	2023-05-06 22:26:00
276	75	14	2024-04-04 15:34:00	\N
277	27	15	2024-01-04 23:32:00	2024-01-08 00:02:00
278	77	29	2023-07-11 06:06:00	2023-07-19 16:04:00
279	32	26	2024-01-26 16:52:00	2024-01-29 14:24:00
280	87	6	2023-04-01 18:53:00	2023-04-07 23:33:00
281	4	43	2023-10-09 14:10:00	2023-10-16 16:53:00
282	50	6	2023-01-13 07:09:00	2023-01-18 14:36:00
283	25	43	2023-08-24 03:31:00	2023-09-05 23:26:00
284	65	20	2023-09-22 14:21:00	2023-09-29 17:20:00
285	29	9	2023-03-07 09:51:00	2023-03-16 12:44:00
286	46	26	2023-07-26 23:40:00	\N
287	81	56	2024-04-03 16:42:00	2024-04-10 00:43:00
288	4	24	2023-05-10 19:41:00	2023-05-18 20:36:00
289	4	43	2023-10-29 19:11:00	2023-11-04 11:51:00
290	46	41	2023-10-21 00:42:00	2023-10-27 16:53:00
291	35	39	2023-03-27 06:49:00	2023-03-28 05:54:00
292	6	11	2023-10-24 00:59:00	2023-10-30 23:30:00
293	49	3	2023-04-26 02:36:00	2023-04-30 05:43:00
294	30	32	2024-02-17 11:13:00	2024-02-23 07:19:00
295	86	37	2023-11-15 01:59:00	2023-11-15 03:30:00
296	84	19	2023-03-24 20:06:00	2023-04-07 04:39:00
297	90	4	2024-03-19 15:51:00	2024-03-20 13:07:00
298	27	50	2023-08-22 08:05:00	2023-08-24 08:07:00
299	89	26	2023-11-02 04:43:00	\N
300	29	18	2024-03-25 10:42:00	2024-04-04 03:14:00
\.


--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.members (member_id, name, email, joined_on, left_on) FROM stdin;
1	Chloe Berg	chloe.7@example.org	2021-09-20	\N
2	Ada Moreau	ada.14@example.org	2019-10-27	\N
3	Ada Berg	ada.21@example.org	2019-02-18	\N
4	Chloe Lindt	chloe.28@example.org	2019-04-17	\N
5	Chloe Lindt	chloe.35@example.org	2021-07-09	\N
6	Farid Sato	farid.42@example.org	2019-08-20	\N
7	Chloe Okafor	chloe.49@example.org	2020-01-26	2020-11-19
8	Hugo Novak	hugo.56@example.org	2020-09-30	\N
9	Greta Okafor	greta.63@example.org	2020-11-10	\N
10	Bruno Novak	bruno.70@example.org	2019-06-10	\N
11	Farid Lindt	farid.77@example.org	2019-09-11	\N
12	Dmitri Lindt	dmitri.84@example.org	2020-12-31	\N
13	Elif Lindt	elif.91@example.org	2019-06-29	2020-03-27
14	Dmitri Okafor	dmitri.98@example.org	2022-01-14	\N
15	Dmitri Okafor	dmitri.105@example.org	2021-01-15	\N
16	Hugo Novak	hugo.112@example.org	2022-07-17	\N
17	Greta Novak	greta.119@example.org	2021-02-08	2021-04-11
18	Ada Okafor	ada.126@example.org	2020-02-04	\N
19	Farid Okafor	farid.133@example.org	2020-07-11	\N
20	Ada Okafor	ada.140@example.org	2023-03-09	\N
21	Farid Okafor	farid.147@example.org	2020-09-01	2021-08-01
22	Bruno Novak	bruno.154@example.org	2023-08-19	2024-05-18
23	Hugo Lindt	hugo.161@example.org	2023-06-06	\N
24	Greta Lindt	greta.168@example.org	2019-09-29	\N
25	Chloe Novak	chloe.175@example.org	2023-07-02	\N
26	Elif Sato	elif.182@example.org	2023-05-02	2023-09-29
27	Farid Okafor	farid.189@example.org	2021-08-01	\N
28	Bruno Moreau	bruno.196@example.org	2020-02-09	\N
29	Chloe Berg	chloe.203@example.org	2021-04-15	2021-06-01
30	Hugo Moreau	hugo.210@example.org	2022-01-20	\N
31	Greta Novak	greta.217@example.org	2019-05-28	\N
32	Bruno Berg	bruno.224@example.org	2019-07-17	\N
33	Hugo Berg	hugo.231@example.org	2020-04-24	2021-01-14
34	Dmitri Sato	dmitri.238@example.org	2022-01-07	\N
35	Bruno Okafor	bruno.245@example.org	2020-08-24	\N
36	Elif Okafor	elif.252@example.org	2020-06-04	\N
37	Dmitri Lindt	dmitri.259@example.org	2020-05-21	2020-10-18
38	Chloe Okafor	chloe.266@example.org	2022-03-30	2022-06-01
39	Greta Okafor	greta.273@example.org	2020-05-18	\N
40	Dmitri Sato	dmitri.280@example.org	2023-07-14	2024-04-06
41	Ada Novak	ada.287@example.org	2019-01-10	\N
42	Dmitri Lindt	dmitri.294@example.org	2021-02-04	2021-08-03
43	Dmitri Novak	dmitri.301@example.org	2019-04-14	2020-03-07
44	Dmitri Novak	dmitri.308@example.org	2021-02-01	\N
45	Chloe Lindt	chloe.315@example.org	2022-05-20	\N
46	Ada Novak	ada.322@example.org	2022-07-29	\N
47	Farid Berg	farid.329@example.org	2019-03-18	\N
48	Chloe Novak	chloe.336@example.org	2020-02-22	\N
49	Ada Moreau	ada.343@example.org	2023-02-08	\N
50	Dmitri Novak	dmitri.350@example.org	2023-08-04	\N
51	Farid Berg	farid.357@example.org	2022-06-25	\N
52	Dmitri Novak	dmitri.364@example.org	2023-06-17	\N
53	Hugo Novak	hugo.371@example.org	2021-04-15	2021-12-03
54	Chloe Sato	chloe.378@example.org	2021-12-29	2022-04-21
55	Greta Sato	greta.385@example.org	2020-07-09	\N
56	Elif Sato	elif.392@example.org	2020-09-21	\N
57	Ada Okafor	ada.399@example.org	2023-03-07	\N
58	Farid Lindt	farid.406@example.org	2021-05-02	2021-12-04
59	Dmitri Lindt	dmitri.413@example.org	2023-01-31	\N
60	Ada Lindt	ada.420@example.org	2019-11-17	\N
\.


--
-- Data for Name: staff; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.staff (staff_id, branch_id, name) FROM stdin;
1	1	Ada Lindt
2	2	Hugo Berg
3	1	Ada Sato
4	2	Dmitri Okafor
5	2	Farid Berg
6	1	Farid Okafor
7	3	Farid Moreau
8	2	Bruno Lindt
\.


--
-- Name: actors_actor_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.actors_actor_id_seq', 1, false);


--
-- Name: branches_branch_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.branches_branch_id_seq', 1, false);


--
-- Name: copies_copy_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.copies_copy_id_seq', 1, false);


--
-- Name: films_film_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.films_film_id_seq', 1, false);


--
-- Name: languages_language_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.languages_language_id_seq', 1, false);


--
-- Name: loans_loan_id_seq; Type: SEQUENCE SET; Schema: public; Owner: clerk
--

SELECT pg_catalog.setval('public.loans_loan_id_seq', 1, false);


--
-- Name: members_member_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.members_member_id_seq', 1, false);


--
-- Name: staff_staff_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.staff_staff_id_seq', 1, false);


--
-- Name: actors actors_name_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_name_key UNIQUE (name);


--
-- Name: actors actors_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_pkey PRIMARY KEY (actor_id);


--
-- Name: branches branches_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.branches
    ADD CONSTRAINT branches_pkey PRIMARY KEY (branch_id);


--
-- Name: castings castings_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.castings
    ADD CONSTRAINT castings_pkey PRIMARY KEY (film_id, actor_id);


--
-- Name: copies copies_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.copies
    ADD CONSTRAINT copies_pkey PRIMARY KEY (copy_id);


--
-- Name: films films_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_pkey PRIMARY KEY (film_id);


--
-- Name: languages languages_name_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.languages
    ADD CONSTRAINT languages_name_key UNIQUE (name);


--
-- Name: languages languages_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.languages
    ADD CONSTRAINT languages_pkey PRIMARY KEY (language_id);


--
-- Name: loans loans_copy_id_lent_at_key; Type: CONSTRAINT; Schema: public; Owner: clerk
--

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT loans_copy_id_lent_at_key UNIQUE (copy_id, lent_at);


--
-- Name: loans loans_pkey; Type: CONSTRAINT; Schema: public; Owner: clerk
--

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT loans_pkey PRIMARY KEY (loan_id);


--
-- Name: members members_email_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_email_key UNIQUE (email);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (member_id);


--
-- Name: staff staff_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_pkey PRIMARY KEY (staff_id);


--
-- Name: loans loans_stay; Type: TRIGGER; Schema: public; Owner: clerk
--

CREATE TRIGGER loans_stay BEFORE INSERT OR UPDATE ON public.loans FOR EACH ROW EXECUTE FUNCTION public.refuse_change();


--
-- Name: branches branches_manager; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.branches
    ADD CONSTRAINT branches_manager FOREIGN KEY (manager_id) REFERENCES public.staff(staff_id);


--
-- Name: castings castings_actor_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.castings
    ADD CONSTRAINT castings_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(actor_id);


--
-- Name: castings castings_film_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.castings
    ADD CONSTRAINT castings_film_id_fkey FOREIGN KEY (film_id) REFERENCES public.films(film_id) ON DELETE CASCADE;


--
-- Name: copies copies_branch_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.copies
    ADD CONSTRAINT copies_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES public.branches(branch_id);


--
-- Name: copies copies_film_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.copies
    ADD CONSTRAINT copies_film_id_fkey FOREIGN KEY (film_id) REFERENCES public.films(film_id);


--
-- Name: films films_language_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_language_id_fkey FOREIGN KEY (language_id) REFERENCES public.languages(language_id);


--
-- Name: films films_sequel_of_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_sequel_of_fkey FOREIGN KEY (sequel_of) REFERENCES public.films(film_id);


--
-- Name: loans loans_copy_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: clerk
--

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT loans_copy_id_fkey FOREIGN KEY (copy_id) REFERENCES public.copies(copy_id);


--
-- Name: loans loans_member_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: clerk
--

ALTER TABLE ONLY public.loans
    ADD CONSTRAINT loans_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.members(member_id);


--
-- Name: staff staff_branch_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES public.branches(branch_id);


--
-- Name: members; Type: ROW SECURITY; Schema: public; Owner: postgres
--

ALTER TABLE public.members ENABLE ROW LEVEL SECURITY;

--
-- Name: members p; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY p ON public.members USING (true);


--
-- PostgreSQL database dump complete
--

\unrestrict OfX1iQg3f2516fvhdkyAXah6zb5GYHjtqPJbS5wY1Gwky9PzkG933ucbrUEmQIP

