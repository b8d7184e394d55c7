CREATE TABLE lawyers (
  lawyer_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  grade TEXT NOT NULL,
  office TEXT NOT NULL,
  hourly_rate INTEGER NOT NULL,
  joined_on TEXT NOT NULL,
  left_on TEXT,
  mentor_id INTEGER REFERENCES lawyers(lawyer_id)
);

INSERT INTO lawyers VALUES (1, 'Harriet Lowell', 'Partner', 'Bristol', 420, '2009-03-02', NULL, NULL);
INSERT INTO lawyers VALUES (2, 'Desmond Achterberg', 'Partner', 'Cardiff', 390, '2011-09-12', NULL, 1);
INSERT INTO lawyers VALUES (3, 'Ines Caldeira', 'Partner', 'Bristol', 400, '2014-01-06', NULL, 1);
INSERT INTO lawyers VALUES (4, 'Tobias Wren', 'Senior Associate', 'Bristol', 290, '2016-05-16', NULL, 1);
INSERT INTO lawyers VALUES (5, 'Shabnam Farooq', 'Senior Associate', 'Cardiff', 285, '2017-02-01', NULL, 2);
INSERT INTO lawyers VALUES (6, 'Callum Price', 'Senior Associate', 'Exeter', 280, '2018-10-08', NULL, 3);
INSERT INTO lawyers VALUES (7, 'Miriam Stein', 'Associate', 'Bristol', 220, '2020-09-01', NULL, 4);
INSERT INTO lawyers VALUES (8, 'Oisin Kerr', 'Associate', 'Cardiff', 210, '2021-03-15', NULL, 5);
INSERT INTO lawyers VALUES (9, 'Yewande Bello', 'Associate', 'Exeter', 215, '2021-09-06', NULL, 6);
INSERT INTO lawyers VALUES (10, 'Felix Arden', 'Associate', 'Bristol', 220, '2019-06-03', '2024-02-29', 4);
INSERT INTO lawyers VALUES (11, 'Ruth Maddox', 'Paralegal', 'Bristol', 110, '2022-01-10', NULL, 7);
INSERT INTO lawyers VALUES (12, 'Owen Pryce', 'Paralegal', 'Cardiff', 105, '2023-07-03', NULL, 8);
INSERT INTO lawyers VALUES (13, 'Leila Haddad', 'Paralegal', 'Exeter', 110, '2022-11-21', '2024-08-30', 9);
INSERT INTO lawyers VALUES (14, 'Giles Thornbury', 'Associate', 'Exeter', 205, '2024-09-02', NULL, 6);

CREATE TABLE clients (
  client_id INTEGER PRIMARY KEY,
  client_name TEXT NOT NULL,
  client_type TEXT NOT NULL,
  industry TEXT,
  town TEXT,
  client_since TEXT NOT NULL,
  credit_hold TEXT NOT NULL
);

INSERT INTO clients VALUES
(1, 'Brunel Castings Ltd', 'company', 'manufacturing', 'Bristol', '2012-04-18', 'N'),
(2, 'Severn Dairies', 'company', 'food', 'Gloucester', '2015-06-30', 'N'),
(3, 'Margaret Ilott', 'private', NULL, 'Bath', '2019-02-11', 'N'),
(4, 'Taff Valley Housing Trust', 'charity', 'housing', 'Cardiff', '2016-10-03', 'N'),
(5, 'Northgate Logistics', 'company', 'transport', 'Avonmouth', '2018-01-22', 'Y'),
(6, 'Peter and Joan Amis', 'private', NULL, 'Exeter', '2022-05-05', 'N'),
(7, 'Moorland Energy', 'company', 'energy', 'Exeter', '2020-08-17', 'N'),
(8, 'Dr Samir Nasr', 'private', NULL, 'Cardiff', '2021-11-29', 'N'),
(9, 'Quayside Restaurants', 'company', 'food', 'Bristol', '2017-03-14', 'Y'),
(10, 'Exe Boatworks', 'company', 'manufacturing', 'Exmouth', '2023-01-16', 'N'),
(11, 'St Brannock Church Fund', 'charity', 'religion', 'Barnstaple', '2019-09-09', 'N'),
(12, 'Helen Trask', 'private', NULL, NULL, '2024-03-20', 'N'),
(13, 'Lumen Software', 'company', 'technology', 'Bristol', '2020-02-03', 'N'),
(14, 'Cotswold Stone Co', 'company', 'building', 'Cirencester', '2014-07-01', 'N'),
(15, 'Ray Bidwell', 'private', NULL, 'Newport', '2023-06-12', 'Y'),
(16, 'Penarth Pier Society', 'charity', 'heritage', 'Penarth', '2024-10-07', 'N');

CREATE TABLE practice_areas (
  area_code TEXT PRIMARY KEY,
  area_name TEXT NOT NULL
);

INSERT INTO practice_areas VALUES
('EMP', 'Employment'),
('PROP', 'Property'),
('CORP', 'Corporate'),
('FAM', 'Family'),
('LIT', 'Litigation'),
('TAX', 'Tax'),
('WILL', 'Wills and probate'),
('IP', 'Intellectual property');

CREATE TABLE matters (
  matter_no TEXT PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients(client_id),
  area_code TEXT NOT NULL REFERENCES practice_areas(area_code),
  title TEXT NOT NULL,
  lead_lawyer_id INTEGER NOT NULL REFERENCES lawyers(lawyer_id),
  supervising_partner_id INTEGER NOT NULL REFERENCES lawyers(lawyer_id),
  opened_on TEXT NOT NULL,
  closed_on TEXT,
  fee_arrangement TEXT NOT NULL,
  budget INTEGER
);

INSERT INTO matters VALUES
('M-101', 1, 'EMP', 'Redundancy at the foundry', 4, 1, '2022-01-17', '2022-09-30', 'hourly', 18000),
('M-102', 1, 'CORP', 'Purchase of Wye Foundry', 3, 1, '2022-03-08', '2023-02-14', 'fixed', 60000),
('M-103', 2, 'LIT', 'Spoiled milk claim', 5, 2, '2022-04-04', '2023-11-20', 'hourly', 45000),
('M-104', 3, 'WILL', 'Estate of George Ilott', 7, 3, '2022-05-23', '2023-01-31', 'fixed', 6500),
('M-105', 4, 'PROP', 'Sale of Canal Street flats', 5, 2, '2022-06-13', '2022-12-19', 'fixed', 22000),
('M-106', 5, 'LIT', 'Lost container dispute', 4, 1, '2022-08-29', NULL, 'contingency', NULL),
('M-107', 6, 'FAM', 'Separation agreement', 9, 3, '2022-09-12', '2023-06-02', 'hourly', 9000),
('M-108', 7, 'PROP', 'Lease for Haldon wind farm', 6, 3, '2022-10-10', '2024-01-26', 'hourly', 52000),
('M-109', 8, 'EMP', 'Unfair dismissal at clinic', 8, 2, '2023-01-09', '2023-12-15', 'contingency', NULL),
('M-110', 9, 'PROP', 'Harbourside rent review', 7, 1, '2023-02-20', '2023-08-11', 'fixed', 8000),
('M-111', 10, 'CORP', 'Shareholder agreement', 6, 3, '2023-03-06', '2023-05-30', 'fixed', 7500),
('M-112', 11, 'PROP', 'Vicarage boundary', 9, 3, '2023-04-17', NULL, 'hourly', 12000),
('M-113', 13, 'IP', 'Trade mark Lumen', 4, 1, '2023-05-22', '2024-04-05', 'fixed', 14000),
('M-114', 13, 'EMP', 'Share option scheme', 10, 1, '2023-06-19', '2024-01-12', 'hourly', 16000),
('M-115', 14, 'LIT', 'Quarry noise injunction', 5, 2, '2023-07-03', NULL, 'hourly', 70000),
('M-116', 15, 'FAM', 'Child arrangements', 8, 2, '2023-08-14', '2024-05-17', 'hourly', 11000),
('M-117', 1, 'LIT', 'Defective furnace claim', 4, 1, '2023-09-25', NULL, 'hourly', 85000),
('M-118', 2, 'CORP', 'Merger with Vale Creamery', 3, 1, '2023-10-16', '2024-07-19', 'fixed', 75000),
('M-119', 4, 'EMP', 'Caretaker pay dispute', 8, 2, '2023-11-06', '2024-03-22', 'hourly', 10000),
('M-120', 7, 'CORP', 'Sale of solar subsidiary', 6, 3, '2024-01-15', '2024-10-31', 'fixed', 64000),
('M-121', 12, 'WILL', 'Lasting power of attorney', 7, 3, '2024-03-25', '2024-05-03', 'fixed', 1200),
('M-122', 9, 'EMP', 'Kitchen staff holiday pay', 7, 1, '2024-04-22', NULL, 'hourly', 13000),
('M-123', 5, 'CORP', 'Refinancing of lorries', 3, 1, '2024-05-13', '2024-09-27', 'fixed', 28000),
('M-124', 10, 'IP', 'Hull design licence', 6, 3, '2024-06-24', NULL, 'hourly', 20000),
('M-125', 3, 'PROP', 'Purchase of Walcot cottage', 7, 3, '2024-08-05', '2024-11-29', 'fixed', 3800),
('M-126', 14, 'EMP', 'Driver grievance', 5, 2, '2024-09-16', NULL, 'hourly', 7000),
('M-127', 16, 'PROP', 'Pier pavilion lease', 8, 2, '2024-10-21', NULL, 'fixed', 9500),
('M-128', 8, 'WILL', 'Will of Dr Nasr', 8, 2, '2024-11-11', NULL, 'fixed', 1500);

CREATE TABLE time_entries (
  entry_id INTEGER PRIMARY KEY,
  matter_no TEXT NOT NULL REFERENCES matters(matter_no),
  lawyer_id INTEGER NOT NULL REFERENCES lawyers(lawyer_id),
  work_date TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  billable INTEGER NOT NULL,
  activity TEXT NOT NULL
);

INSERT INTO time_entries VALUES
(1, 'M-101', 11, '2022-09-12', 90, 1, 'correspondence'),
(2, 'M-102', 3, '2022-06-10', 120, 1, 'correspondence'),
(3, 'M-103', 5, '2022-07-09', 90, 1, 'drafting'),
(4, 'M-104', 7, '2022-12-16', 300, 1, 'correspondence'),
(5, 'M-105', 11, '2022-10-06', 240, 1, 'negotiation'),
(6, 'M-106', 4, '2024-05-28', 12, 1, 'drafting'),
(7, 'M-107', 9, '2022-09-30', 30, 1, 'correspondence'),
(8, 'M-108', 6, '2023-11-12', 90, 1, 'correspondence'),
(9, 'M-109', 8, '2023-10-01', 30, 1, 'court attendance'),
(10, 'M-110', 7, '2023-08-08', 18, 1, 'client call'),
(11, 'M-111', 11, '2023-05-15', 18, 1, 'client call'),
(12, 'M-112', 9, '2024-09-23', 45, 0, 'correspondence'),
(13, 'M-113', 4, '2023-12-13', 18, 1, 'court attendance'),
(14, 'M-114', 10, '2023-06-23', 240, 0, 'research'),
(15, 'M-115', 5, '2024-10-26', 60, 1, 'court attendance'),
(16, 'M-116', 11, '2023-09-20', 150, 1, 'negotiation'),
(17, 'M-117', 1, '2024-03-15', 18, 1, 'drafting'),
(18, 'M-118', 11, '2023-12-15', 30, 1, 'drafting'),
(19, 'M-119', 8, '2023-11-21', 90, 1, 'research'),
(20, 'M-120', 8, '2024-10-27', 30, 1, 'research'),
(21, 'M-121', 8, '2024-04-02', 60, 1, 'drafting'),
(22, 'M-122', 11, '2024-08-07', 30, 0, 'correspondence'),
(23, 'M-123', 1, '2024-05-18', 30, 0, 'correspondence'),
(24, 'M-124', 8, '2024-11-18', 18, 0, 'research'),
(25, 'M-125', 7, '2024-09-30', 45, 0, 'correspondence'),
(26, 'M-126', 2, '2024-12-31', 45, 1, 'drafting'),
(27, 'M-127', 8, '2024-11-16', 150, 1, 'drafting'),
(28, 'M-128', 12, '2024-12-04', 60, 1, 'research'),
(29, 'M-119', 11, '2023-12-10', 60, 0, 'research'),
(30, 'M-110', 7, '2023-07-26', 30, 1, 'research'),
(31, 'M-124', 8, '2024-11-12', 30, 1, 'court attendance'),
(32, 'M-116', 12, '2023-09-23', 60, 0, 'drafting'),
(33, 'M-102', 3, '2022-07-16', 30, 1, 'court attendance'),
(34, 'M-109', 11, '2023-11-10', 90, 1, 'research'),
(35, 'M-124', 6, '2024-07-26', 30, 1, 'negotiation'),
(36, 'M-128', 12, '2024-12-20', 18, 1, 'research'),
(37, 'M-124', 6, '2024-07-11', 45, 1, 'research'),
(38, 'M-102', 3, '2022-06-06', 45, 1, 'correspondence'),
(39, 'M-105', 5, '2022-09-13', 30, 1, 'client call'),
(40, 'M-122', 8, '2024-10-15', 120, 1, 'research'),
(41, 'M-119', 8, '2023-11-10', 90, 1, 'negotiation'),
(42, 'M-110', 7, '2023-02-25', 150, 1, 'court attendance'),
(43, 'M-103', 8, '2023-02-16', 60, 0, 'drafting'),
(44, 'M-103', 11, '2023-10-15', 60, 1, 'negotiation'),
(45, 'M-124', 8, '2024-07-27', 60, 1, 'negotiation'),
(46, 'M-116', 8, '2024-03-14', 12, 1, 'correspondence'),
(47, 'M-101', 4, '2022-07-31', 60, 1, 'correspondence'),
(48, 'M-103', 5, '2022-07-05', 240, 0, 'client call'),
(49, 'M-114', 8, '2023-09-11', 60, 1, 'negotiation'),
(50, 'M-119', 11, '2024-02-26', 90, 1, 'drafting'),
(51, 'M-117', 12, '2023-10-10', 45, 1, 'court attendance'),
(52, 'M-101', 4, '2022-03-15', 90, 1, 'negotiation'),
(53, 'M-116', 2, '2023-08-19', 60, 1, 'negotiation'),
(54, 'M-120', 6, '2024-10-06', 30, 1, 'client call'),
(55, 'M-122', 11, '2024-08-27', 30, 1, 'negotiation'),
(56, 'M-109', 8, '2023-11-29', 60, 1, 'research'),
(57, 'M-107', 11, '2023-01-02', 150, 1, 'research'),
(58, 'M-105', 5, '2022-10-18', 60, 1, 'drafting'),
(59, 'M-123', 3, '2024-07-22', 30, 0, 'court attendance'),
(60, 'M-109', 8, '2023-08-08', 60, 1, 'court attendance');

CREATE TABLE invoices (
  invoice_no INTEGER PRIMARY KEY,
  matter_no TEXT NOT NULL REFERENCES matters(matter_no),
  issued_on TEXT NOT NULL,
  due_on TEXT NOT NULL,
  amount INTEGER NOT NULL,
  paid_on TEXT
);

INSERT INTO invoices VALUES
(4001, 'M-101', '2022-04-28', '2022-05-28', 1200, '2022-05-28'),
(4002, 'M-101', '2022-05-07', '2022-06-06', 15500, '2022-05-13'),
(4003, 'M-104', '2022-07-21', '2022-08-20', 15500, NULL),
(4004, 'M-102', '2022-10-05', '2022-11-04', 6400, '2022-10-11'),
(4005, 'M-104', '2022-11-06', '2022-12-06', 9150, '2022-12-04'),
(4006, 'M-105', '2022-11-11', '2022-12-11', 6400, NULL),
(4007, 'M-107', '2022-12-08', '2023-01-07', 6400, '2023-02-21'),
(4008, 'M-103', '2023-01-31', '2023-03-02', 6400, '2023-02-06'),
(4009, 'M-102', '2023-03-01', '2023-03-31', 4800, '2023-03-29'),
(4010, 'M-111', '2023-04-20', '2023-05-20', 6400, '2023-06-06'),
(4011, 'M-108', '2023-05-29', '2023-06-28', 6400, NULL),
(4012, 'M-110', '2023-07-18', '2023-08-17', 9150, '2023-08-15'),
(4013, 'M-108', '2023-08-02', '2023-09-01', 21000, '2023-08-23'),
(4014, 'M-109', '2023-08-25', '2023-09-24', 4800, '2023-09-22'),
(4015, 'M-116', '2023-09-27', '2023-10-27', 6400, '2023-10-11'),
(4016, 'M-113', '2023-11-26', '2023-12-26', 21000, '2023-12-31'),
(4017, 'M-109', '2023-12-25', '2024-01-24', 1200, '2024-03-09'),
(4018, 'M-114', '2024-01-18', '2024-02-17', 1200, '2024-02-01'),
(4019, 'M-118', '2024-01-25', '2024-02-24', 15500, NULL),
(4020, 'M-119', '2024-01-31', '2024-03-01', 15500, '2024-03-01'),
(4021, 'M-119', '2024-03-27', '2024-04-26', 15500, '2024-04-10'),
(4022, 'M-120', '2024-05-08', '2024-06-07', 21000, '2024-07-22'),
(4023, 'M-121', '2024-05-21', '2024-06-20', 950, '2024-08-04'),
(4024, 'M-123', '2024-06-23', '2024-07-23', 21000, '2024-09-06'),
(4025, 'M-120', '2024-06-24', '2024-07-24', 6400, '2024-07-22'),
(4026, 'M-123', '2024-07-13', '2024-08-12', 15500, NULL),
(4027, 'M-124', '2024-08-09', '2024-09-08', 21000, '2024-09-25'),
(4028, 'M-122', '2024-09-26', '2024-10-26', 6400, '2024-10-10'),
(4029, 'M-122', '2024-09-27', '2024-10-27', 1200, '2024-10-03'),
(4030, 'M-125', '2024-10-05', '2024-11-04', 950, '2024-11-09'),
(4031, 'M-115', '2024-10-26', '2024-11-25', 9150, '2024-11-25'),
(4032, 'M-106', '2024-11-09', '2024-12-09', 15500, '2024-11-15'),
(4033, 'M-117', '2024-12-07', '2025-01-06', 1200, NULL),
(4034, 'M-126', '2024-12-22', '2025-01-21', 9150, NULL);

CREATE TABLE hearings (
  hearing_id INTEGER PRIMARY KEY,
  matter_no TEXT NOT NULL REFERENCES matters(matter_no),
  hearing_date TEXT NOT NULL,
  court TEXT NOT NULL,
  outcome TEXT
);

INSERT INTO hearings VALUES
(1, 'M-101', '2022-07-14', 'Employment Tribunal', 'won'),
(2, 'M-101', '2022-09-30', 'Employment Tribunal', 'settled'),
(3, 'M-101', '2022-03-11', 'Employment Tribunal', 'won'),
(4, 'M-103', '2022-11-08', 'Bristol County Court', 'lost'),
(5, 'M-106', '2024-08-21', 'Cardiff Crown Court', 'settled'),
(6, 'M-107', '2022-12-03', 'Exeter Combined Court', 'adjourned'),
(7, 'M-107', '2022-10-28', 'Cardiff Crown Court', 'adjourned'),
(8, 'M-109', '2023-10-17', 'Employment Tribunal', 'adjourned'),
(9, 'M-114', '2024-01-08', 'Employment Tribunal', 'lost'),
(10, 'M-114', '2024-01-04', 'Employment Tribunal', 'adjourned'),
(11, 'M-115', '2023-08-15', 'Cardiff Crown Court', 'adjourned'),
(12, 'M-115', '2025-01-15', 'Exeter Combined Court', NULL),
(13, 'M-115', '2024-01-02', 'Exeter Combined Court', 'lost'),
(14, 'M-116', '2023-12-22', 'Exeter Combined Court', 'adjourned'),
(15, 'M-117', '2024-02-11', 'Exeter Combined Court', 'settled'),
(16, 'M-119', '2024-01-05', 'Employment Tribunal', 'adjourned'),
(17, 'M-122', '2024-08-19', 'Employment Tribunal', 'lost'),
(18, 'M-122', '2024-08-19', 'Employment Tribunal', 'won'),
(19, 'M-126', '2024-12-06', 'Employment Tribunal', 'lost');
