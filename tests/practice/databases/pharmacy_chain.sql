CREATE TABLE phm (
  phm_id INTEGER PRIMARY KEY,
  phm_nm TEXT NOT NULL,
  twn TEXT NOT NULL,
  opn_dt TEXT NOT NULL,
  sun_opn TEXT NOT NULL,
  hrs_day INTEGER
);

INSERT INTO phm VALUES
(1, 'Station Road', 'Ashby', '2004-03-15', 'Y', 14),
(2, 'Market Square', 'Ashby', '1996-07-01', 'N', 9),
(3, 'Riverside', 'Colworth', '2011-10-10', 'Y', 12),
(4, 'Health Centre', 'Denby', '2018-05-21', 'N', 7),
(5, 'Old Town', 'Denby', '1989-01-09', 'N', NULL),
(6, 'Retail Park', 'Colworth', '2024-11-04', 'Y', 16);

CREATE TABLE drg_cat (
  cat_cd TEXT PRIMARY KEY,
  cat_dsc TEXT NOT NULL
);

INSERT INTO drg_cat VALUES
('PAIN', 'Pain relief'),
('ANTB', 'Antibiotics'),
('CARD', 'Heart and blood pressure'),
('DIAB', 'Diabetes'),
('RESP', 'Respiratory'),
('DERM', 'Skin'),
('VACC', 'Vaccines'),
('OTC', 'Over the counter sundries');

CREATE TABLE drg (
  drg_id INTEGER PRIMARY KEY,
  drg_nm TEXT NOT NULL,
  cat_cd TEXT REFERENCES drg_cat(cat_cd),
  prc_ct INTEGER NOT NULL,
  rx_only TEXT NOT NULL,
  frm TEXT,
  pack_sz INTEGER
);

INSERT INTO drg VALUES
(1, 'Paracetamol 500mg', 'PAIN', 185, 'N', 'tab', 32),
(2, 'Ibuprofen 400mg', 'PAIN', 260, 'N', 'tab', 24),
(3, 'Codeine 30mg', 'PAIN', 640, 'Y', 'tab', 28),
(4, 'Amoxicillin 500mg', 'ANTB', 520, 'Y', 'cap', 21),
(5, 'Doxycycline 100mg', 'ANTB', 710, 'Y', 'cap', 8),
(6, 'Ramipril 5mg', 'CARD', 390, 'Y', 'cap', 28),
(7, 'Amlodipine 5mg', 'CARD', 330, 'Y', 'tab', 28),
(8, 'Atorvastatin 20mg', 'CARD', 410, 'Y', 'tab', 28),
(9, 'Metformin 500mg', 'DIAB', 350, 'Y', 'tab', 56),
(10, 'Insulin glargine', 'DIAB', 3890, 'Y', 'inj', 5),
(11, 'Salbutamol inhaler', 'RESP', 480, 'Y', 'inh', 1),
(12, 'Beclometasone inhaler', 'RESP', 960, 'Y', 'inh', 1),
(13, 'Hydrocortisone 1% cream', 'DERM', 415, 'N', 'crm', NULL),
(14, 'Emollient cream', 'DERM', 725, 'N', 'crm', NULL),
(15, 'Cetirizine 10mg', 'RESP', 310, 'N', 'tab', 30),
(16, 'Throat lozenges', 'OTC', 275, 'N', 'loz', 24),
(17, 'Digital thermometer', 'OTC', 1150, 'N', NULL, 1),
(18, 'Sertraline 50mg', NULL, 445, 'Y', 'tab', 28);

CREATE TABLE sup (
  sup_id INTEGER PRIMARY KEY,
  sup_nm TEXT NOT NULL,
  ctry TEXT NOT NULL,
  lead_dys INTEGER NOT NULL
);

INSERT INTO sup VALUES
(1, 'Medlink Wholesale', 'UK', 2),
(2, 'Pharmora', 'Ireland', 4),
(3, 'Alvita Generics', 'India', 12),
(4, 'NordMed', 'Denmark', 6);

CREATE TABLE drg_sup (
  drg_id INTEGER NOT NULL REFERENCES drg(drg_id),
  sup_id INTEGER NOT NULL REFERENCES sup(sup_id),
  cst_ct INTEGER NOT NULL,
  PRIMARY KEY (drg_id, sup_id)
);

INSERT INTO drg_sup VALUES
(1, 1, 62),
(1, 3, 48),
(2, 1, 95),
(2, 3, 80),
(3, 1, 310),
(4, 1, 240),
(4, 2, 225),
(5, 2, 350),
(6, 3, 120),
(6, 1, 150),
(7, 3, 110),
(8, 3, 140),
(9, 3, 105),
(9, 2, 130),
(10, 4, 2650),
(11, 1, 190),
(11, 4, 205),
(12, 4, 420),
(13, 1, 160),
(14, 2, 290),
(15, 3, 90),
(16, 1, 110),
(17, 1, 520),
(18, 2, 150);

CREATE TABLE stf (
  stf_id INTEGER PRIMARY KEY,
  stf_nm TEXT NOT NULL,
  role TEXT NOT NULL,
  phm_id INTEGER NOT NULL REFERENCES phm(phm_id),
  sup_by INTEGER REFERENCES stf(stf_id),
  mth_pay INTEGER,
  strt_dt TEXT NOT NULL
);

INSERT INTO stf VALUES (1, 'Nisha Rao', 'PH', 1, NULL, 5200, '2008-06-02');
INSERT INTO stf VALUES (2, 'Edward Blythe', 'PH', 2, 1, 4700, '2012-09-17');
INSERT INTO stf VALUES (3, 'Marguerite Sole', 'PH', 3, 1, 4800, '2014-02-03');
INSERT INTO stf VALUES (4, 'Jin Park', 'PH', 4, 1, 4550, '2019-11-11');
INSERT INTO stf VALUES (5, 'Hilary Moss', 'PH', 5, 1, 4650, '2001-04-30');
INSERT INTO stf VALUES (6, 'Tariq Anwar', 'TE', 1, 1, 2650, '2020-01-20');
INSERT INTO stf VALUES (7, 'Bronagh Daly', 'TE', 2, 2, 2700, '2017-05-08');
INSERT INTO stf VALUES (8, 'Pia Lundgren', 'TE', 3, 3, 2600, '2021-08-02');
INSERT INTO stf VALUES (9, 'Oscar Wells', 'DR', 1, 1, 2150, '2022-03-14');
INSERT INTO stf VALUES (10, 'Gwen Tapper', 'DR', 3, 3, 2100, '2023-10-09');
INSERT INTO stf VALUES (11, 'Sol Marsh', 'DR', 4, 4, NULL, '2024-09-02');
INSERT INTO stf VALUES (12, 'Ania Krol', 'TE', 5, 5, 2750, '2016-12-05');

CREATE TABLE pat (
  pat_id INTEGER PRIMARY KEY,
  pat_nm TEXT NOT NULL,
  dob TEXT NOT NULL,
  twn TEXT,
  tel TEXT,
  exmpt_fl TEXT NOT NULL
);

INSERT INTO pat VALUES
(1, 'Arthur Dunn', '1937-02-06', 'Denby', NULL, 'N'),
(2, 'Bella Crewe', '1997-05-08', 'Ashby', NULL, 'Y'),
(3, 'Cyril Hope', '1956-10-17', 'Wick', '07700 900174', 'Y'),
(4, 'Doreen Platt', '2002-06-12', 'Ashby', '07700 900211', 'Y'),
(5, 'Ewan Sharp', '1984-01-21', 'Wick', '07700 900248', 'N'),
(6, 'Farida Aziz', '1989-03-17', 'Ashby', NULL, 'N'),
(7, 'Glenda Moor', '1972-02-24', 'Colworth', NULL, 'Y'),
(8, 'Harold Finch', '1968-09-25', 'Denby', '07700 900359', 'Y'),
(9, 'Ivy Chambers', '1955-06-18', 'Denby', '07700 900396', 'N'),
(10, 'Jack Tolley', '1940-08-16', 'Ashby', '07700 900433', 'Y'),
(11, 'Kiran Dhaliwal', '2011-01-14', 'Denby', NULL, 'N'),
(12, 'Lena Vogt', '1975-05-10', 'Wick', '07700 900507', 'Y'),
(13, 'Maurice Bell', '1974-10-16', 'Wick', '07700 900544', 'Y'),
(14, 'Nancy Drake', '2009-06-17', 'Ashby', '07700 900581', 'Y'),
(15, 'Oliver Stott', '1962-04-27', 'Colworth', '07700 900618', 'N'),
(16, 'Phyllis Grant', '1994-05-20', 'Colworth', '07700 900655', 'N'),
(17, 'Rosa Lima', '1944-07-20', 'Colworth', '07700 900692', 'N'),
(18, 'Stan Hobbs', '1984-12-19', 'Wick', '07700 900729', 'Y'),
(19, 'Tilly Marsh', '1938-07-31', 'Denby', '07700 900766', 'N'),
(20, 'Vera Coates', '1996-01-26', 'Denby', '07700 900803', 'Y');

CREATE TABLE rx (
  rx_no INTEGER PRIMARY KEY,
  pat_id INTEGER NOT NULL REFERENCES pat(pat_id),
  phm_id INTEGER NOT NULL REFERENCES phm(phm_id),
  gp_nm TEXT NOT NULL,
  iss_dt TEXT NOT NULL,
  dsp_dt TEXT,
  dsp_by INTEGER REFERENCES stf(stf_id),
  rx_typ TEXT NOT NULL
);

INSERT INTO rx VALUES
(20001, 10, 1, 'Dr Osei', '2022-03-25', '2022-03-29', 6, 'A'),
(20002, 16, 4, 'Dr Osei', '2022-03-28', '2022-03-30', 11, 'A'),
(20003, 9, 4, 'Dr Nair', '2022-03-28', NULL, NULL, 'A'),
(20004, 14, 1, 'Dr Kemp', '2022-04-17', '2022-05-03', 6, 'R'),
(20005, 10, 3, 'Dr Nair', '2022-05-11', '2022-05-11', 10, 'A'),
(20006, 4, 2, 'Dr Kemp', '2022-07-31', '2022-08-09', 2, 'R'),
(20007, 11, 2, 'Dr Lambert', '2022-08-19', '2022-08-19', 2, 'A'),
(20008, 2, 5, 'Dr Osei', '2022-09-10', '2022-09-10', 5, 'R'),
(20009, 15, 3, 'Dr Farrell', '2022-10-26', NULL, NULL, 'A'),
(20010, 8, 1, 'Dr Lambert', '2022-10-28', '2022-11-01', 1, 'A'),
(20011, 5, 3, 'Dr Osei', '2022-10-28', '2022-10-28', 8, 'A'),
(20012, 6, 4, 'Dr Nair', '2022-11-17', '2022-11-19', 11, 'A'),
(20013, 14, 3, 'Dr Nair', '2022-11-25', NULL, NULL, 'R'),
(20014, 10, 5, 'Dr Kemp', '2022-12-21', NULL, NULL, 'A'),
(20015, 17, 3, 'Dr Lambert', '2023-01-09', '2023-01-13', 8, 'A'),
(20016, 12, 3, 'Dr Farrell', '2023-01-13', '2023-01-14', 8, 'R'),
(20017, 12, 4, 'Dr Lambert', '2023-01-29', '2023-01-31', 4, 'R'),
(20018, 10, 5, 'Dr Farrell', '2023-02-15', '2023-02-17', 5, 'R'),
(20019, 15, 3, 'Dr Lambert', '2023-02-20', '2023-02-21', 8, 'A'),
(20020, 9, 2, 'Dr Lambert', '2023-02-28', '2023-03-09', 2, 'R'),
(20021, 2, 3, 'Dr Lambert', '2023-03-08', '2023-03-24', 10, 'R'),
(20022, 12, 1, 'Dr Osei', '2023-03-28', NULL, NULL, 'A'),
(20023, 3, 1, 'Dr Osei', '2023-04-18', '2023-05-04', 1, 'A'),
(20024, 2, 5, 'Dr Kemp', '2023-05-21', '2023-05-21', 12, 'A'),
(20025, 11, 5, 'Dr Nair', '2023-06-24', '2023-07-03', 5, 'R'),
(20026, 13, 3, 'Dr Osei', '2023-08-11', '2023-08-11', 3, 'A'),
(20027, 9, 5, 'Dr Nair', '2023-08-15', '2023-08-15', 12, 'R'),
(20028, 16, 1, 'Dr Kemp', '2023-09-10', '2023-09-26', 1, 'R'),
(20029, 4, 4, 'Dr Farrell', '2023-10-07', '2023-10-23', 11, 'R'),
(20030, 11, 3, 'Dr Farrell', '2023-10-13', '2023-10-17', 10, 'R'),
(20031, 17, 1, 'Dr Farrell', '2023-11-24', '2023-11-28', 6, 'R'),
(20032, 4, 3, 'Dr Farrell', '2023-12-21', '2023-12-22', 10, 'A'),
(20033, 3, 3, 'Dr Nair', '2024-01-15', NULL, NULL, 'R'),
(20034, 7, 1, 'Dr Lambert', '2024-02-13', '2024-02-15', 9, 'A'),
(20035, 9, 2, 'Dr Nair', '2024-03-13', '2024-03-13', 2, 'A'),
(20036, 11, 3, 'Dr Kemp', '2024-03-16', '2024-03-16', 10, 'A'),
(20037, 12, 5, 'Dr Farrell', '2024-03-17', '2024-03-17', 12, 'R'),
(20038, 2, 2, 'Dr Kemp', '2024-04-08', '2024-04-08', 7, 'R'),
(20039, 15, 1, 'Dr Osei', '2024-05-03', '2024-05-05', 9, 'A'),
(20040, 10, 1, 'Dr Nair', '2024-05-30', '2024-05-31', 9, 'R'),
(20041, 17, 2, 'Dr Kemp', '2024-06-04', '2024-06-05', 7, 'R'),
(20042, 16, 3, 'Dr Osei', '2024-07-23', '2024-07-24', 8, 'R'),
(20043, 7, 1, 'Dr Farrell', '2024-07-29', '2024-07-30', 6, 'A'),
(20044, 4, 4, 'Dr Osei', '2024-08-11', '2024-08-12', 4, 'A'),
(20045, 7, 4, 'Dr Farrell', '2024-08-12', '2024-08-28', 11, 'R'),
(20046, 15, 2, 'Dr Kemp', '2024-09-19', '2024-09-28', 7, 'R'),
(20047, 1, 2, 'Dr Lambert', '2024-10-09', '2024-10-11', 2, 'R'),
(20048, 15, 3, 'Dr Nair', '2024-11-26', '2024-12-12', 8, 'R');

CREATE TABLE rx_ln (
  rx_no INTEGER NOT NULL REFERENCES rx(rx_no),
  drg_id INTEGER NOT NULL REFERENCES drg(drg_id),
  qty INTEGER NOT NULL,
  chg_ct INTEGER NOT NULL,
  PRIMARY KEY (rx_no, drg_id)
);

INSERT INTO rx_ln VALUES
(20001, 9, 1, 990),
(20002, 9, 2, 990),
(20002, 12, 1, 0),
(20003, 12, 1, 0),
(20004, 6, 3, 0),
(20005, 8, 1, 990),
(20006, 11, 1, 990),
(20007, 7, 1, 0),
(20008, 11, 1, 0),
(20009, 7, 2, 0),
(20009, 10, 1, 990),
(20010, 12, 3, 0),
(20011, 10, 3, 0),
(20011, 4, 3, 0),
(20012, 11, 3, 0),
(20012, 12, 1, 990),
(20013, 10, 1, 0),
(20014, 8, 2, 990),
(20014, 4, 2, 0),
(20015, 6, 1, 990),
(20015, 11, 3, 990),
(20016, 3, 1, 0),
(20017, 3, 2, 990),
(20018, 12, 2, 990),
(20018, 4, 3, 990),
(20019, 8, 1, 990),
(20019, 6, 1, 0),
(20020, 8, 1, 990),
(20021, 18, 1, 990),
(20022, 11, 1, 990),
(20023, 7, 1, 0),
(20023, 8, 3, 990),
(20024, 3, 1, 0),
(20025, 8, 1, 990),
(20026, 4, 1, 990),
(20027, 9, 2, 0),
(20028, 9, 1, 0),
(20029, 18, 1, 0),
(20030, 12, 1, 0),
(20030, 11, 1, 0),
(20031, 3, 3, 0),
(20032, 18, 1, 990),
(20033, 6, 3, 990),
(20033, 4, 3, 990),
(20034, 11, 1, 990),
(20035, 12, 3, 0),
(20036, 4, 2, 0),
(20037, 9, 1, 0),
(20038, 4, 2, 990),
(20039, 9, 3, 0),
(20040, 3, 1, 0),
(20041, 10, 3, 0),
(20041, 8, 1, 0),
(20042, 4, 2, 0),
(20043, 12, 1, 0),
(20044, 12, 2, 0),
(20045, 12, 1, 0),
(20046, 18, 1, 990),
(20047, 18, 3, 0),
(20047, 3, 3, 0),
(20048, 18, 1, 990),
(20048, 9, 1, 0);

CREATE TABLE stk (
  phm_id INTEGER NOT NULL REFERENCES phm(phm_id),
  drg_id INTEGER NOT NULL REFERENCES drg(drg_id),
  qty INTEGER NOT NULL,
  min_qty INTEGER NOT NULL,
  exp_dt TEXT,
  PRIMARY KEY (phm_id, drg_id)
);

INSERT INTO stk VALUES
(1, 11, 20, 20, '2026-10-24'),
(1, 12, 35, 20, '2026-07-20'),
(1, 7, 12, 10, '2025-02-17'),
(1, 1, 0, 10, '2026-07-28'),
(1, 16, 0, 10, '2025-11-29'),
(1, 15, 0, 20, '2026-06-08'),
(1, 14, 60, 20, '2026-09-26'),
(1, 17, 8, 10, NULL),
(1, 2, 0, 10, '2026-01-14'),
(1, 5, 12, 20, '2026-09-30'),
(1, 9, 0, 10, '2025-07-18'),
(2, 6, 12, 10, '2026-12-08'),
(2, 1, 8, 5, '2026-08-23'),
(2, 12, 20, 10, '2026-01-25'),
(2, 14, 2, 10, '2025-05-27'),
(2, 17, 35, 5, NULL),
(2, 10, 35, 5, '2026-10-10'),
(2, 2, 35, 10, '2027-05-25'),
(2, 13, 8, 10, '2027-03-07'),
(2, 7, 8, 20, '2025-02-16'),
(2, 3, 2, 10, '2024-11-27'),
(2, 15, 5, 20, '2024-11-05'),
(3, 2, 0, 10, '2026-09-05'),
(3, 12, 5, 5, '2025-11-25'),
(3, 8, 35, 10, '2026-09-03'),
(3, 1, 8, 10, '2025-08-04'),
(3, 13, 20, 10, '2027-05-05'),
(3, 16, 8, 20, '2025-09-27'),
(3, 5, 2, 10, '2026-04-30'),
(3, 11, 35, 10, '2025-07-10'),
(3, 15, 12, 10, '2026-12-18'),
(3, 3, 8, 10, '2026-04-01'),
(3, 9, 8, 5, '2025-08-09'),
(4, 9, 0, 5, '2027-04-01'),
(4, 8, 5, 5, '2025-11-01'),
(4, 2, 20, 5, '2026-09-19'),
(4, 10, 20, 20, '2025-05-01'),
(4, 3, 35, 20, '2026-07-29'),
(4, 4, 8, 10, '2026-06-30'),
(4, 6, 35, 10, '2025-03-23'),
(4, 14, 2, 10, '2026-07-05'),
(4, 16, 2, 10, '2026-09-28'),
(4, 1, 5, 20, '2024-11-11'),
(4, 12, 20, 20, '2027-04-15'),
(5, 9, 8, 20, '2025-08-15'),
(5, 3, 2, 10, '2027-05-11'),
(5, 6, 12, 20, '2024-11-09'),
(5, 12, 8, 5, '2027-02-06'),
(5, 17, 20, 5, NULL),
(5, 1, 60, 10, '2027-06-15'),
(5, 8, 60, 10, '2025-05-06'),
(5, 11, 5, 20, '2025-05-09'),
(5, 2, 35, 10, '2026-02-22'),
(5, 15, 5, 10, '2024-12-16'),
(5, 10, 0, 20, '2027-03-03');
