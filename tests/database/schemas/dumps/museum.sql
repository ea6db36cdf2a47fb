--
-- PostgreSQL database dump
--

\restrict 0bogUSmDgiknisPTebmSEDBWRg6oy3YfFo3ep5zOCuDIsNTulfaSgFmXHuBkjce

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
-- Name: share; Type: DOMAIN; Schema: public; Owner: postgres
--

CREATE DOMAIN public.share AS numeric(4,3)
	CONSTRAINT share_check CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (1)::numeric)));


ALTER DOMAIN public.share OWNER TO postgres;

--
-- Name: size; Type: TYPE; Schema: public; Owner: postgres
--

CREATE TYPE public.size AS (
	width numeric,
	height numeric
);


ALTER TYPE public.size OWNER TO postgres;

--
-- Name: state; Type: TYPE; Schema: public; Owner: postgres
--

CREATE TYPE public.state AS ENUM (
    'shown',
    'stored',
    'on loan'
);


ALTER TYPE public.state OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: Rooms; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public."Rooms" (
    "Floor" smallint NOT NULL,
    "No" smallint NOT NULL,
    "order" integer,
    seats integer[] DEFAULT '{}'::integer[] NOT NULL
);


ALTER TABLE public."Rooms" OWNER TO postgres;

--
-- Name: empty_shelf; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.empty_shelf (
    id integer NOT NULL,
    piece integer
);


ALTER TABLE public.empty_shelf OWNER TO postgres;

--
-- Name: pieces; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.pieces (
    id integer NOT NULL,
    code uuid NOT NULL,
    title text NOT NULL,
    state public.state NOT NULL,
    size public.size,
    tags text[],
    about jsonb,
    raw json,
    floor smallint,
    room smallint,
    net numeric(10,2) NOT NULL,
    gross numeric(12,2) GENERATED ALWAYS AS ((net * 1.2)) STORED,
    owned public.share,
    valid daterange,
    CONSTRAINT pieces_check CHECK (((floor IS NULL) = (room IS NULL))),
    CONSTRAINT pieces_check1 CHECK (((state <> 'shown'::public.state) OR (room IS NOT NULL)))
);


ALTER TABLE public.pieces OWNER TO postgres;

--
-- Name: pieces_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

ALTER TABLE public.pieces ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pieces_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: worth; Type: MATERIALIZED VIEW; Schema: public; Owner: postgres
--

CREATE MATERIALIZED VIEW public.worth AS
 SELECT pieces.state,
    sum(pieces.gross) AS total
   FROM public.pieces
  GROUP BY pieces.state
  WITH NO DATA;


ALTER TABLE public.worth OWNER TO postgres;

--
-- Name: COLUMN worth.total; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON COLUMN public.worth.total IS 'With tax.';


--
-- Name: rich; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.rich AS
 SELECT worth.state
   FROM public.worth
  WHERE (worth.total > (100)::numeric);


ALTER TABLE public.rich OWNER TO postgres;

--
-- Name: tours; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.tours (
    tour integer NOT NULL,
    room_floor smallint NOT NULL,
    room_no smallint NOT NULL,
    starts timestamp with time zone NOT NULL
);


ALTER TABLE public.tours OWNER TO postgres;

--
-- Name: user; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public."user" (
    "select" text,
    "from" timestamp with time zone,
    point point
);


ALTER TABLE public."user" OWNER TO postgres;

--
-- Name: visits; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visits (
    day date NOT NULL,
    gate text NOT NULL,
    visitors integer NOT NULL,
    note text,
    CONSTRAINT visits_visitors_check CHECK ((visitors >= 0))
)
PARTITION BY RANGE (day);


ALTER TABLE public.visits OWNER TO postgres;

--
-- Name: visits_2024; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visits_2024 (
    day date NOT NULL,
    gate text NOT NULL,
    visitors integer NOT NULL,
    note text,
    CONSTRAINT visits_visitors_check CHECK ((visitors >= 0))
);


ALTER TABLE public.visits_2024 OWNER TO postgres;

--
-- Name: visits_2025; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.visits_2025 (
    day date NOT NULL,
    gate text NOT NULL,
    visitors integer NOT NULL,
    note text,
    CONSTRAINT visits_visitors_check CHECK ((visitors >= 0))
);


ALTER TABLE public.visits_2025 OWNER TO postgres;

--
-- Name: visits_2024; Type: TABLE ATTACH; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits ATTACH PARTITION public.visits_2024 FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');


--
-- Name: visits_2025; Type: TABLE ATTACH; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits ATTACH PARTITION public.visits_2025 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');


--
-- Data for Name: Rooms; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public."Rooms" ("Floor", "No", "order", seats) FROM stdin;
0	1	1	{7,5,8}
0	2	3	{8,6}
0	3	2	{6,2}
0	4	\N	{8,7,1}
1	1	1	{4}
1	2	2	{6,2,1,8}
1	3	3	{}
1	4	1	{2,3,9}
2	1	2	{6,2,4,1}
2	2	1	{7,3}
2	3	3	{}
2	4	3	{6}
\.


--
-- Data for Name: empty_shelf; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.empty_shelf (id, piece) FROM stdin;
\.


--
-- Data for Name: pieces; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.pieces (id, code, title, state, size, tags, about, raw, floor, room, net, owned, valid) FROM stdin;
1	2fd32149-f8f5-36d9-bb71-bb7a83fa7d7f	Iron Harbour 1	stored	(46,164)	\N	{"year": 1960, "maker": "Moreau"}	\N	\N	\N	1932.48	\N	[2023-05-01,)
2	0e304cfc-ec8a-216d-0dac-c11a5c992d63	Last Harbour 2	shown	\N	{"on paper"}	{"year": 1786, "maker": "Berg"}	{"b": 1, "a": [2]}	2	2	1616.49	0.250	\N
3	3bd90c07-46a8-bb74-9aa9-d60042572ede	Winter Mountain 3	on loan	(129,23)	{}	{"year": 1962, "maker": "Okafor"}	\N	2	4	7857.09	0.500	[2023-05-01,)
4	e775b5e7-2cc5-33ae-9a59-11193b6e9fea	Last Garden 4	stored	(192,162)	{"on paper",old}	{"year": 1750, "maker": "Novak"}	\N	0	3	4651.26	\N	\N
5	ff6373ea-3769-1e18-a382-74542bedcc4d	Paper Station 5	on loan	(72,60)	{old,"on paper",wood}	{"year": 1658, "maker": "Okafor"}	{"b": 1, "a": [5]}	1	4	2301.25	0.250	\N
6	2f0056a4-4bcf-6cfa-812a-e8861fdcee50	Winter Mirror 6	stored	\N	{"on paper",wood,old}	{"year": 1601, "maker": "Moreau"}	{"b": 1, "a": [6]}	1	2	5347.14	0.500	[2023-05-01,)
7	11d29908-f78c-e82b-6229-6c5eb38b0b9f	Winter Garden 7	stored	(118,95)	{wood,"on paper",oil}	{"year": 1934, "maker": "Novak"}	\N	1	2	5009.62	1.000	[2023-05-01,)
8	8de15f95-280e-607f-4c58-51e69ea8293e	Quiet Letter 8	on loan	(183,112)	{old}	{"year": 1781, "maker": "Berg"}	\N	\N	\N	6835.12	0.500	[2020-01-01,2024-01-01)
9	f9b96410-cced-3402-e788-5c4ee5c437f8	Quiet River 9	shown	\N	{old,"on paper"}	{"year": 1679, "maker": "Novak"}	\N	0	3	8312.01	1.000	[2023-05-01,)
10	90b781c5-9bf1-23ec-9c16-67ca631a405a	Hidden Harbour 10	on loan	(109,27)	{}	{"year": 1956, "maker": "Okafor"}	{"b": 1, "a": [10]}	1	1	8623.50	0.250	\N
11	ce3a4724-bc99-cd7b-0f39-e37435af003d	Golden Letter 11	on loan	(66,24)	{}	{"year": 1868, "maker": "Sato"}	\N	0	4	1133.14	0.500	[2023-05-01,)
12	0a34a2ef-3164-1290-d668-38626f1cd87d	Iron Station 12	shown	(171,191)	{old}	{"year": 1543, "maker": "Novak"}	{"b": 1, "a": [12]}	0	3	1312.65	\N	\N
13	769f128d-1cc2-0c94-2b20-9563a14e5d13	Golden Garden 13	stored	(165,101)	{old}	{"year": 1938, "maker": "Novak"}	{"b": 1, "a": [13]}	\N	\N	4108.87	0.250	[2020-01-01,2024-01-01)
14	e673289e-b4b3-fedd-ac5c-c28bfeb15417	Golden Letter 14	on loan	(48,99)	{}	{"year": 1771, "maker": "Lindt"}	\N	0	1	361.86	0.250	[2023-05-01,)
15	99dbcf24-05e4-3518-e1a1-c8e67061d352	Paper Station 15	shown	(47,22)	\N	{"year": 1764, "maker": "Moreau"}	{"b": 1, "a": [15]}	1	4	1845.48	0.250	\N
16	b3a3287c-c935-3766-ec3c-6acacd53db2a	Quiet River 16	shown	(181,58)	{old,wood,oil}	{"year": 1958, "maker": "Okafor"}	{"b": 1, "a": [16]}	2	1	2830.12	0.500	[2023-05-01,)
17	a47a1869-517a-5d20-5388-d75cb0216267	Hidden River 17	shown	(149,135)	\N	{"year": 1751, "maker": "Novak"}	\N	2	2	7947.18	\N	\N
18	4b496514-e83f-1745-6a12-031992c5990d	Winter Harbour 18	on loan	(44,36)	{}	{"year": 1946, "maker": "Moreau"}	{"b": 1, "a": [18]}	\N	\N	7626.60	1.000	\N
19	d5965863-7e6d-5d9d-0922-b55b18facece	Hidden Mountain 19	on loan	(76,81)	{"on paper"}	{"year": 1854, "maker": "Moreau"}	\N	\N	\N	7963.76	1.000	[2020-01-01,2024-01-01)
20	f553360e-7907-aec1-b286-c02af3334794	Broken Harbour 20	stored	(47,183)	{old}	{"year": 1935, "maker": "Sato"}	{"b": 1, "a": [20]}	\N	\N	2622.03	1.000	[2023-05-01,)
21	14f01c03-163e-4f4b-068b-910a7a586fac	Quiet Mountain 21	shown	(130,193)	{old,"on paper"}	{"year": 1989, "maker": "Berg"}	{"b": 1, "a": [21]}	1	4	8552.68	\N	[2023-05-01,)
22	29ee6ff7-2a0b-e884-561a-85c942a1833b	Last Mirror 22	stored	\N	{oil,"on paper"}	{"year": 1964, "maker": "Berg"}	\N	\N	\N	3176.06	\N	[2023-05-01,)
23	36557efc-718c-0cd3-f7c3-0846dad65eeb	Broken Station 23	on loan	\N	{}	{"year": 1696, "maker": "Sato"}	{"b": 1, "a": [23]}	\N	\N	4868.30	0.250	[2023-05-01,)
24	1ea70428-af12-4b32-8549-e60229166074	Paper Station 24	stored	\N	\N	{"year": 1740, "maker": "Lindt"}	{"b": 1, "a": [24]}	\N	\N	2818.56	1.000	\N
25	57c20faf-2981-3a6d-5418-16c796e19e32	Broken River 25	on loan	(38,45)	{old,wood}	{"year": 1780, "maker": "Moreau"}	{"b": 1, "a": [25]}	\N	\N	8088.78	\N	[2020-01-01,2024-01-01)
26	a1259f1f-748b-2fd5-48c3-a3e7f4eeca5d	Paper River 26	stored	(172,60)	{old}	{"year": 1809, "maker": "Berg"}	{"b": 1, "a": [26]}	\N	\N	3083.11	0.500	[2023-05-01,)
27	12277c63-8d9b-e6bd-35aa-b4840284f290	Last Garden 27	shown	(70,181)	{oil,"on paper"}	{"year": 1797, "maker": "Sato"}	\N	1	3	28.61	1.000	\N
28	b171380f-9187-8213-e52c-bae25020c1a3	Quiet Station 28	on loan	(191,160)	{oil}	{"year": 1603, "maker": "Moreau"}	\N	1	1	8737.18	0.500	\N
29	bd5ac52f-e167-66f2-95e1-921c4477bd66	Paper Station 29	stored	(188,16)	{oil,old,wood}	{"year": 1575, "maker": "Moreau"}	{"b": 1, "a": [29]}	\N	\N	6949.72	\N	\N
30	629c9c7d-a747-a5dd-8806-4dba9f8fe465	Golden River 30	shown	(151,44)	{old,"on paper"}	{"year": 1583, "maker": "Berg"}	{"b": 1, "a": [30]}	1	3	1576.21	\N	[2023-05-01,)
31	930e101a-912e-0a94-80b7-ab094f2d48f6	Broken Mirror 31	shown	(149,13)	{"on paper"}	{"year": 1621, "maker": "Berg"}	\N	0	3	70.24	0.500	[2020-01-01,2024-01-01)
32	6334be36-96c7-1d34-7a3a-0a05d5b78d10	Winter River 32	stored	(20,66)	\N	{"year": 1731, "maker": "Novak"}	\N	\N	\N	2514.41	\N	[2023-05-01,)
33	c12625c0-54e6-139c-c623-989b1508d991	Broken River 33	stored	(118,88)	{wood,old,oil}	{"year": 1656, "maker": "Berg"}	{"b": 1, "a": [33]}	1	1	1123.20	0.250	\N
34	bc238450-d8f5-7846-fd66-17a01f571180	Golden Harbour 34	shown	(20,95)	{"on paper"}	{"year": 1617, "maker": "Berg"}	\N	1	4	4553.49	1.000	[2023-05-01,)
35	a96fdca1-3904-8114-b39d-eae400e9eb11	Winter Garden 35	on loan	(32,147)	{old,oil}	{"year": 1838, "maker": "Okafor"}	\N	1	4	2344.03	\N	[2020-01-01,2024-01-01)
36	15b79a77-27de-0220-11b0-efa86e42f5e1	Broken Harbour 36	on loan	(77,170)	{old,oil,"on paper"}	{"year": 1973, "maker": "Sato"}	{"b": 1, "a": [36]}	\N	\N	8490.59	0.250	[2020-01-01,2024-01-01)
37	207db572-7938-2a2a-e450-b5e2d085015b	Golden Garden 37	shown	(42,178)	{oil}	{"year": 1904, "maker": "Sato"}	\N	2	2	1193.69	1.000	\N
38	44ac3173-b916-eebd-f2cb-e861953f8018	Paper Letter 38	shown	(103,114)	{wood,"on paper"}	{"year": 1591, "maker": "Lindt"}	{"b": 1, "a": [38]}	0	4	969.08	0.250	\N
39	1d7e1110-1df2-ebad-b783-0cda42bbdc2f	Winter Garden 39	stored	(10,49)	{oil,wood}	{"year": 1662, "maker": "Moreau"}	\N	\N	\N	7863.13	0.250	[2023-05-01,)
40	565f220f-ba39-bbba-7ba3-ad8e344473a2	Golden River 40	stored	(153,160)	\N	{"year": 1642, "maker": "Moreau"}	\N	\N	\N	1359.38	\N	[2020-01-01,2024-01-01)
41	4b0c49a5-8825-dfbe-0b29-e6552f78ca99	Hidden Garden 41	on loan	(190,124)	{wood,old,"on paper"}	{"year": 1648, "maker": "Moreau"}	{"b": 1, "a": [41]}	\N	\N	8713.38	\N	[2020-01-01,2024-01-01)
42	73b84242-bab1-efaf-3681-c45dae80a7f6	Paper Orchard 42	on loan	(32,102)	{wood}	{"year": 1835, "maker": "Lindt"}	\N	\N	\N	2692.35	1.000	[2023-05-01,)
43	5c51330c-577d-ee3a-0f95-3a6f8c64c72c	Winter Harbour 43	shown	(165,144)	{wood,"on paper"}	{"year": 1741, "maker": "Okafor"}	{"b": 1, "a": [43]}	1	1	8353.09	0.500	[2020-01-01,2024-01-01)
44	7cb95d0a-e576-8f32-4515-759132710e7b	Quiet Letter 44	shown	\N	{old,wood,oil}	{"year": 1578, "maker": "Okafor"}	\N	1	2	1932.75	0.500	[2020-01-01,2024-01-01)
45	096539b7-54dd-014d-3ed1-10f8da4ca297	Golden Harbour 45	stored	(59,48)	{oil,"on paper"}	{"year": 1725, "maker": "Okafor"}	\N	2	3	6251.90	1.000	\N
46	bc5a0d14-02d6-0749-c836-761e6118adf8	Paper Garden 46	on loan	(95,42)	{wood}	{"year": 1796, "maker": "Novak"}	\N	\N	\N	6416.66	0.500	[2020-01-01,2024-01-01)
47	e8c5f4f6-d953-afc6-daf7-3d6fb548efbd	Last Mountain 47	shown	(157,92)	{oil,old}	{"year": 1562, "maker": "Lindt"}	{"b": 1, "a": [47]}	0	4	4629.06	1.000	[2020-01-01,2024-01-01)
48	6641f7cc-fc84-00b7-54f9-6b3b1db26492	Last Station 48	stored	(160,71)	{}	{"year": 1907, "maker": "Moreau"}	\N	0	4	3195.22	1.000	[2020-01-01,2024-01-01)
49	615c73f3-a9d3-afbc-0deb-c419037c5aeb	Iron Mountain 49	on loan	(54,163)	{wood,oil,"on paper"}	{"year": 1725, "maker": "Sato"}	\N	\N	\N	963.61	1.000	[2020-01-01,2024-01-01)
50	174a686d-e7ad-b670-17ef-eb7f1146303b	Golden River 50	stored	(115,139)	{old,"on paper"}	{"year": 1551, "maker": "Berg"}	\N	\N	\N	5186.96	\N	[2020-01-01,2024-01-01)
51	6335877c-e0aa-af44-3871-3c7735a2e760	Paper River 51	stored	(153,154)	{}	{"year": 1989, "maker": "Moreau"}	\N	\N	\N	8853.25	\N	[2020-01-01,2024-01-01)
52	295152a3-56af-dfca-1d2a-f214d852d066	Winter Harbour 52	stored	\N	{oil,"on paper",old}	{"year": 1772, "maker": "Sato"}	{"b": 1, "a": [52]}	2	3	4266.13	1.000	\N
53	eab6b1bf-d4f8-24e7-2a22-ffe0750ea9c3	Paper Harbour 53	stored	(66,92)	{}	{"year": 1779, "maker": "Lindt"}	{"b": 1, "a": [53]}	\N	\N	2081.20	0.500	\N
54	80738106-a502-200d-cfae-c322423b2817	Golden Letter 54	stored	(90,84)	{"on paper"}	{"year": 1815, "maker": "Sato"}	{"b": 1, "a": [54]}	\N	\N	2880.27	1.000	[2020-01-01,2024-01-01)
55	f0b64855-c7a9-5ca7-c999-ad3c9de03f5a	Last Mirror 55	stored	(91,155)	{"on paper",wood}	{"year": 1584, "maker": "Moreau"}	\N	\N	\N	6855.34	\N	\N
56	831de292-f8d8-64f9-b05b-c16bef14c51d	Golden Orchard 56	shown	\N	{}	{"year": 1816, "maker": "Novak"}	\N	2	2	4624.02	\N	[2023-05-01,)
57	50643354-33fa-3bb5-2eb6-87e4dcc83be6	Paper Harbour 57	on loan	(105,26)	\N	{"year": 1819, "maker": "Novak"}	\N	\N	\N	540.54	0.500	[2023-05-01,)
58	e7c723f5-bc07-37da-eb8c-18d34cfb0154	Broken Mountain 58	stored	\N	{oil,"on paper"}	{"year": 1646, "maker": "Sato"}	{"b": 1, "a": [58]}	\N	\N	969.31	0.250	[2023-05-01,)
59	c93ba6c0-606e-fd2f-76c8-95f68af5698c	Iron Mountain 59	stored	\N	{wood,oil}	{"year": 1656, "maker": "Sato"}	{"b": 1, "a": [59]}	\N	\N	2359.60	\N	\N
60	5912bc12-8285-6176-7624-b4df5e4303f7	Iron Harbour 60	on loan	(200,191)	{wood}	{"year": 1754, "maker": "Okafor"}	\N	\N	\N	6909.49	0.250	\N
61	81be371b-f878-1b09-78ca-3e8b2f3f8069	Last Mountain 61	stored	(73,100)	{}	{"year": 1641, "maker": "Okafor"}	{"b": 1, "a": [61]}	\N	\N	1280.78	0.250	[2020-01-01,2024-01-01)
62	6ff7b8e8-50d2-c923-37be-4621d77bdbe9	Quiet Orchard 62	on loan	(45,151)	{wood}	{"year": 1844, "maker": "Okafor"}	\N	\N	\N	8255.63	0.250	[2020-01-01,2024-01-01)
63	306889e1-6fd1-81c2-f3ea-97bcb6a36320	Broken Letter 63	on loan	(140,48)	{"on paper",wood,oil}	{"year": 1593, "maker": "Novak"}	\N	\N	\N	8826.25	0.500	\N
64	80f2d511-a552-8c98-708e-498c3170a904	Iron Garden 64	on loan	(61,123)	{}	{"year": 1722, "maker": "Moreau"}	{"b": 1, "a": [64]}	\N	\N	8200.16	1.000	[2023-05-01,)
65	5f245e20-58c5-2816-a5f1-cf732c0539ef	Broken Mirror 65	stored	\N	\N	{"year": 1853, "maker": "Berg"}	{"b": 1, "a": [65]}	\N	\N	2657.32	\N	\N
66	4172a188-1585-3de7-34b1-0dcb3f97d973	Hidden Garden 66	shown	(56,74)	{wood,"on paper",oil}	{"year": 1711, "maker": "Sato"}	{"b": 1, "a": [66]}	0	4	2353.17	\N	\N
67	c7c3ce0f-7d84-9a70-b279-228173c6661f	Quiet Mountain 67	stored	(19,90)	{"on paper",oil,wood}	{"year": 1537, "maker": "Lindt"}	\N	\N	\N	8482.75	0.250	[2023-05-01,)
68	79da6448-c1f3-015c-d4b0-c0bd87e6017d	Hidden Letter 68	on loan	\N	\N	{"year": 1608, "maker": "Lindt"}	\N	\N	\N	5878.96	0.500	[2020-01-01,2024-01-01)
69	14712e9b-1e4f-77d3-dd5f-7a0d82346d48	Paper Station 69	stored	\N	{wood,oil,"on paper"}	{"year": 1947, "maker": "Berg"}	{"b": 1, "a": [69]}	\N	\N	7483.22	0.500	\N
70	61c70f53-059b-2fe8-4bd9-2fd8a86595a8	Iron River 70	on loan	(69,96)	{}	{"year": 1540, "maker": "Sato"}	{"b": 1, "a": [70]}	\N	\N	8300.70	1.000	[2020-01-01,2024-01-01)
\.


--
-- Data for Name: tours; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.tours (tour, room_floor, room_no, starts) FROM stdin;
1	1	3	2025-06-07 12:00:00+00
2	2	2	2025-07-23 14:00:00+00
3	1	4	2025-09-12 11:00:00+00
4	1	3	2025-02-10 15:00:00+00
5	1	1	2025-05-24 10:00:00+00
6	0	4	2025-07-11 16:00:00+00
7	1	1	2025-04-28 16:00:00+00
8	1	1	2025-07-20 10:00:00+00
9	0	2	2025-08-03 16:00:00+00
10	1	3	2025-05-16 13:00:00+00
11	1	3	2025-02-08 17:00:00+00
12	2	4	2025-11-06 17:00:00+00
13	1	3	2025-04-01 16:00:00+00
14	1	3	2025-06-13 10:00:00+00
15	2	1	2025-11-24 10:00:00+00
16	1	3	2025-11-05 13:00:00+00
17	1	3	2025-09-05 13:00:00+00
18	1	2	2025-08-27 16:00:00+00
19	1	1	2025-10-16 11:00:00+00
20	0	3	2025-05-21 17:00:00+00
21	0	1	2025-07-23 09:00:00+00
22	1	1	2025-09-27 16:00:00+00
23	1	2	2025-04-14 09:00:00+00
24	1	4	2025-07-24 12:00:00+00
25	2	4	2025-11-24 10:00:00+00
26	0	2	2025-11-08 13:00:00+00
27	1	3	2025-04-14 14:00:00+00
28	2	2	2025-11-22 16:00:00+00
29	2	3	2025-07-12 15:00:00+00
30	0	2	2025-04-03 13:00:00+00
31	2	1	2025-02-19 16:00:00+00
32	1	3	2025-11-12 15:00:00+00
33	2	3	2025-03-08 17:00:00+00
34	2	1	2025-07-11 13:00:00+00
35	1	3	2025-06-16 16:00:00+00
36	0	1	2025-08-19 17:00:00+00
37	0	4	2025-11-02 11:00:00+00
38	0	1	2025-06-10 10:00:00+00
39	0	4	2025-04-16 13:00:00+00
40	1	4	2025-09-14 17:00:00+00
41	0	2	2025-01-24 10:00:00+00
42	0	3	2025-11-07 10:00:00+00
43	1	3	2025-03-17 13:00:00+00
44	1	2	2025-02-05 17:00:00+00
45	1	2	2025-11-14 12:00:00+00
46	0	2	2025-01-03 16:00:00+00
47	1	2	2025-01-28 15:00:00+00
48	2	3	2025-12-09 14:00:00+00
49	1	4	2025-04-09 11:00:00+00
50	1	4	2025-03-06 16:00:00+00
51	2	4	2025-06-25 11:00:00+00
52	2	2	2025-12-21 15:00:00+00
53	2	1	2025-02-07 13:00:00+00
54	1	2	2025-11-09 17:00:00+00
55	0	4	2025-11-26 10:00:00+00
56	2	1	2025-06-13 12:00:00+00
57	2	2	2025-06-01 09:00:00+00
58	1	4	2025-12-28 15:00:00+00
59	2	3	2025-12-12 13:00:00+00
60	1	4	2025-04-19 12:00:00+00
\.


--
-- Data for Name: user; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public."user" ("select", "from", point) FROM stdin;
yes	2024-08-11 08:00:00+00	(2,8)
no	2024-06-11 08:00:00+00	(0,8)
no	2024-08-11 08:00:00+00	(0,1)
yes	2024-01-11 08:00:00+00	(6,8)
\N	2024-02-11 08:00:00+00	(5,5)
yes	2024-03-11 08:00:00+00	(6,2)
no	2024-09-11 08:00:00+00	(0,9)
yes	2024-08-11 08:00:00+00	(8,2)
no	2024-02-11 08:00:00+00	(3,2)
no	2024-04-11 08:00:00+00	(0,0)
no	2024-02-11 08:00:00+00	(2,7)
\N	2024-09-11 08:00:00+00	(5,2)
yes	2024-06-11 08:00:00+00	(6,2)
\N	2024-08-11 08:00:00+00	(4,4)
\N	2024-09-11 08:00:00+00	(2,2)
\N	2024-06-11 08:00:00+00	(2,3)
\N	2024-01-11 08:00:00+00	(1,3)
no	2024-01-11 08:00:00+00	(4,5)
yes	2024-05-11 08:00:00+00	(7,8)
yes	2024-08-11 08:00:00+00	(1,1)
no	2024-07-11 08:00:00+00	(2,2)
yes	2024-02-11 08:00:00+00	(0,1)
\N	2024-07-11 08:00:00+00	(1,2)
yes	2024-08-11 08:00:00+00	(0,6)
\N	2024-08-11 08:00:00+00	(1,0)
\.


--
-- Data for Name: visits_2024; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.visits_2024 (day, gate, visitors, note) FROM stdin;
2024-11-01	north	704	\N
2024-11-01	south	748	\N
2024-11-03	south	797	rain
2024-11-05	north	630	school trip
2024-11-05	south	757	school trip
2024-11-07	south	475	rain
2024-11-09	north	454	school trip
2024-11-09	south	233	school trip
2024-11-11	south	661	school trip
2024-11-13	north	773	rain
2024-11-15	north	667	school trip
2024-11-15	south	207	\N
2024-11-17	north	781	rain
2024-11-17	south	617	\N
2024-11-19	north	279	\N
2024-11-19	south	17	school trip
2024-11-21	north	628	school trip
2024-11-21	south	808	rain
2024-11-23	south	781	\N
2024-11-25	north	819	\N
2024-11-25	south	518	\N
2024-11-27	south	817	school trip
2024-11-29	north	27	\N
2024-11-29	south	653	\N
2024-12-01	south	618	\N
2024-12-03	north	840	school trip
2024-12-03	south	600	\N
2024-12-05	north	48	\N
2024-12-05	south	672	school trip
2024-12-07	north	59	\N
2024-12-07	south	65	\N
2024-12-09	north	738	rain
2024-12-09	south	296	\N
2024-12-11	north	21	rain
2024-12-11	south	333	rain
2024-12-13	north	653	\N
2024-12-13	south	528	school trip
2024-12-15	north	377	\N
2024-12-15	south	852	rain
2024-12-17	north	382	\N
2024-12-17	south	525	rain
2024-12-19	north	612	\N
2024-12-21	south	833	\N
2024-12-23	north	560	\N
2024-12-25	north	81	rain
2024-12-27	north	265	\N
2024-12-27	south	178	\N
2024-12-29	north	820	\N
2024-12-29	south	657	school trip
2024-12-31	north	195	school trip
2024-12-31	south	435	\N
\.


--
-- Data for Name: visits_2025; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.visits_2025 (day, gate, visitors, note) FROM stdin;
2025-01-02	north	712	rain
2025-01-02	south	583	school trip
2025-01-04	north	192	school trip
2025-01-06	south	569	school trip
2025-01-08	north	83	\N
2025-01-08	south	77	\N
2025-01-12	north	806	school trip
2025-01-12	south	319	rain
2025-01-16	north	558	\N
2025-01-16	south	159	\N
2025-01-18	north	885	\N
2025-01-18	south	146	\N
2025-01-22	south	84	rain
2025-01-24	north	12	school trip
2025-01-24	south	477	\N
2025-01-26	north	646	school trip
2025-01-26	south	96	\N
2025-01-28	north	246	\N
2025-01-28	south	473	school trip
2025-01-30	north	516	\N
2025-01-30	south	293	\N
2025-02-01	south	32	\N
2025-02-03	north	605	\N
2025-02-03	south	600	school trip
2025-02-05	north	832	school trip
2025-02-05	south	552	school trip
2025-02-07	north	408	\N
2025-02-07	south	725	rain
2025-02-09	north	198	rain
2025-02-09	south	333	\N
2025-02-11	south	104	\N
2025-02-13	north	723	rain
2025-02-13	south	440	school trip
2025-02-15	north	478	rain
2025-02-17	north	179	\N
2025-02-17	south	700	\N
2025-02-19	north	214	school trip
2025-02-19	south	192	rain
2025-02-21	south	812	\N
2025-02-23	north	177	\N
2025-02-23	south	77	\N
2025-02-25	north	18	school trip
2025-02-25	south	516	\N
2025-02-27	north	870	\N
2025-02-27	south	600	school trip
2025-03-01	north	312	school trip
2025-03-01	south	58	\N
2025-03-03	north	621	school trip
2025-03-03	south	343	\N
2025-03-05	north	862	\N
2025-03-07	south	504	rain
2025-03-09	south	594	rain
2025-03-11	north	392	rain
2025-03-11	south	67	school trip
2025-03-13	north	384	\N
2025-03-13	south	414	\N
2025-03-15	north	442	\N
2025-03-15	south	613	school trip
2025-03-19	north	46	school trip
2025-03-19	south	283	\N
2025-03-23	north	590	school trip
2025-03-23	south	303	\N
2025-03-25	north	556	\N
2025-03-27	north	579	\N
2025-03-27	south	565	\N
2025-03-29	north	489	rain
2025-03-29	south	546	\N
2025-03-31	north	682	\N
2025-03-31	south	726	\N
2025-04-02	north	250	\N
2025-04-04	north	268	\N
2025-04-04	south	857	\N
2025-04-06	north	735	rain
2025-04-06	south	145	\N
2025-04-08	north	528	school trip
\.


--
-- Name: pieces_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.pieces_id_seq', 70, true);


--
-- Name: Rooms Rooms_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public."Rooms"
    ADD CONSTRAINT "Rooms_pkey" PRIMARY KEY ("Floor", "No");


--
-- Name: empty_shelf empty_shelf_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.empty_shelf
    ADD CONSTRAINT empty_shelf_pkey PRIMARY KEY (id);


--
-- Name: pieces pieces_code_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.pieces
    ADD CONSTRAINT pieces_code_key UNIQUE (code);


--
-- Name: pieces pieces_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.pieces
    ADD CONSTRAINT pieces_pkey PRIMARY KEY (id);


--
-- Name: tours tours_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.tours
    ADD CONSTRAINT tours_pkey PRIMARY KEY (tour);


--
-- Name: tours tours_room_floor_room_no_starts_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.tours
    ADD CONSTRAINT tours_room_floor_room_no_starts_key UNIQUE (room_floor, room_no, starts) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (day, gate);


--
-- Name: visits_2024 visits_2024_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits_2024
    ADD CONSTRAINT visits_2024_pkey PRIMARY KEY (day, gate);


--
-- Name: visits_2025 visits_2025_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.visits_2025
    ADD CONSTRAINT visits_2025_pkey PRIMARY KEY (day, gate);


--
-- Name: one_title_shown; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX one_title_shown ON public.pieces USING btree (lower(title)) WHERE (state = 'shown'::public.state);


--
-- Name: pieces_about_idx; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX pieces_about_idx ON public.pieces USING gin (about);


--
-- Name: visits_2024_pkey; Type: INDEX ATTACH; Schema: public; Owner: postgres
--

ALTER INDEX public.visits_pkey ATTACH PARTITION public.visits_2024_pkey;


--
-- Name: visits_2025_pkey; Type: INDEX ATTACH; Schema: public; Owner: postgres
--

ALTER INDEX public.visits_pkey ATTACH PARTITION public.visits_2025_pkey;


--
-- Name: empty_shelf empty_shelf_piece_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.empty_shelf
    ADD CONSTRAINT empty_shelf_piece_fkey FOREIGN KEY (piece) REFERENCES public.pieces(id);


--
-- Name: pieces pieces_floor_room_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.pieces
    ADD CONSTRAINT pieces_floor_room_fkey FOREIGN KEY (floor, room) REFERENCES public."Rooms"("Floor", "No");


--
-- Name: tours tours_room_floor_room_no_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.tours
    ADD CONSTRAINT tours_room_floor_room_no_fkey FOREIGN KEY (room_floor, room_no) REFERENCES public."Rooms"("Floor", "No");


--
-- Name: worth; Type: MATERIALIZED VIEW DATA; Schema: public; Owner: postgres
--

REFRESH MATERIALIZED VIEW public.worth;


--
-- PostgreSQL database dump complete
--

\unrestrict 0bogUSmDgiknisPTebmSEDBWRg6oy3YfFo3ep5zOCuDIsNTulfaSgFmXHuBkjce

