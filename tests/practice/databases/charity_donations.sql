CREATE TABLE donors (
  donor_no INTEGER,
  name TEXT,
  kind TEXT,
  town TEXT,
  email TEXT,
  birth_year INTEGER,
  first_contact TEXT,
  newsletter INTEGER,
  introduced_by INTEGER
);

INSERT INTO donors VALUES
(601, 'Margit Sorensen', 'person', 'Wend', 'mail01@post.example', 1983, '2020-05-29', 1, NULL),
(602, 'Albert Fenn', 'person', 'Crayle', 'mail02@post.example', 1981, '2021-02-10', 1, NULL),
(603, 'Lowell & Sons', 'company', 'Crayle', 'mail03@post.example', NULL, '2023-04-28', 1, NULL),
(604, 'The Hartley Trust', 'trust', 'Larkford', 'mail04@post.example', NULL, '2023-05-06', 0, NULL),
(605, 'Nora Beckett', 'person', 'Saltby', NULL, 1971, '2018-03-16', 0, 601),
(606, 'Ivo Marsh', 'person', 'Larkford', 'mail06@post.example', 1986, '2020-08-24', 1, NULL),
(607, 'Greenway Motors', 'company', 'Larkford', 'mail07@post.example', NULL, '2016-01-05', 1, NULL),
(608, 'Ruth Okoro', 'person', 'Larkford', 'mail08@post.example', 1938, '2023-08-14', 1, 601),
(609, 'Simon Pell', 'person', 'Saltby', 'mail09@post.example', NULL, '2022-04-29', 1, NULL),
(610, 'The Ash Foundation', 'trust', 'Larkford', NULL, NULL, '2018-04-04', 0, 604),
(611, 'Beryl Lacey', 'person', 'Crayle', 'mail11@post.example', 1954, '2021-12-20', 0, NULL),
(612, 'Quayside Brewery', 'company', 'Saltby', 'mail12@post.example', NULL, '2015-12-15', 1, NULL),
(613, 'Hugh Tarrant', 'person', 'Saltby', 'mail13@post.example', 2001, '2015-10-08', 0, 608),
(614, 'Dilys Rees', 'person', 'Crayle', 'mail14@post.example', 1989, '2020-07-21', 0, NULL),
(615, 'Farid Nazari', 'person', 'Larkford', NULL, 1970, '2016-02-26', 1, NULL),
(616, 'Clara Winter', 'person', 'Wend', 'mail16@post.example', 1998, '2022-11-22', 1, 601),
(617, 'Peter Oakes', 'person', 'Wend', 'mail17@post.example', 1942, '2021-06-27', 1, NULL),
(618, 'Maud Ellery', 'person', 'Wend', 'mail18@post.example', 1989, '2021-03-03', 0, NULL),
(619, 'Bright Dental', 'company', 'Wend', 'mail19@post.example', NULL, '2018-02-15', 0, NULL),
(620, 'Lionel Grey', 'person', 'Crayle', NULL, 1988, '2019-10-08', 1, NULL),
(621, 'Tessa Vane', 'person', 'Wend', 'mail21@post.example', 1997, '2019-02-14', 1, 608),
(622, 'Wilf Draper', 'person', 'Larkford', 'mail22@post.example', 1969, '2021-06-05', 0, NULL);

CREATE TABLE campaigns (
  code TEXT,
  title TEXT,
  start_on TEXT,
  end_on TEXT,
  goal_eur INTEGER,
  manager TEXT
);

INSERT INTO campaigns VALUES
('WIN22', 'Winter Warmth 2022', '2022-11-01', '2023-01-31', 5000, 'Jo Abbey'),
('WEL23', 'Wells for Wend', '2023-03-01', '2023-09-30', 8000, 'Sunil Kar'),
('SCH23', 'School Bags', '2023-07-15', '2023-09-15', 2000, 'Jo Abbey'),
('WIN23', 'Winter Warmth 2023', '2023-11-01', '2024-01-31', 6000, 'Jo Abbey'),
('HOS24', 'Hospice Garden', '2024-02-01', NULL, 12000, 'Petra Lyle'),
('RUN24', 'Charity Run', '2024-05-01', '2024-06-30', 3000, 'Sunil Kar'),
('WIN24', 'Winter Warmth 2024', '2024-11-01', NULL, 7000, NULL);

CREATE TABLE funds (
  code TEXT,
  purpose TEXT
);

INSERT INTO funds VALUES
('GEN', 'general purposes'),
('WAT', 'clean water'),
('EDU', 'education'),
('HOM', 'homelessness'),
('CAR', 'end of life care');

CREATE TABLE donations (
  receipt_no TEXT,
  donor_no INTEGER,
  given_on TEXT,
  amount_cents INTEGER,
  channel TEXT,
  campaign_code TEXT,
  fund_code TEXT,
  gift_aid TEXT,
  is_recurring INTEGER,
  in_memory_of TEXT,
  thanked_on TEXT
);

INSERT INTO donations VALUES
('R1001', NULL, '2024-05-10', 2500, 'website', 'RUN24', 'GEN', 'N', 1, NULL, NULL),
('R1002', 606, '2023-12-13', 5000, 'bank transfer', 'WIN23', 'HOM', 'Y', 0, NULL, '2023-12-18'),
('R1003', 602, '2023-07-19', 10000, 'bank transfer', 'SCH23', 'EDU', 'N', 0, NULL, '2023-08-18'),
('R1004', 619, '2023-09-26', 100000, 'website', 'WEL23', 'WAT', 'N', 0, NULL, '2023-10-03'),
('R1005', 613, '2024-04-04', 2500, 'post', 'HOS24', 'CAR', 'Y', 0, NULL, '2024-04-19'),
('R1006', 604, '2024-05-18', 60000, 'bank transfer', 'RUN24', 'GEN', 'N', 0, NULL, NULL),
('R1007', 619, '2024-05-08', 100000, 'cash', 'RUN24', 'GEN', 'N', 0, NULL, '2024-06-03'),
('R1008', 619, '2024-05-30', 60000, 'post', 'RUN24', 'GEN', 'N', 0, NULL, NULL),
('R1009', 612, '2023-12-16', 100000, 'website', NULL, 'HOM', 'N', 0, NULL, '2024-01-13'),
('R1010', 602, '2024-06-11', 2500, 'website', 'RUN24', 'GEN', 'Y', 0, NULL, '2024-06-22'),
('R1011', 612, '2023-01-28', 100000, 'cash', 'WIN22', 'HOM', 'N', 0, NULL, NULL),
('R1012', 608, '2023-08-03', 2000, 'bank transfer', 'WEL23', 'WAT', 'Y', 0, NULL, '2023-08-13'),
('R1013', 616, '2024-02-13', 15000, 'website', 'HOS24', 'CAR', 'Y', 1, 'Bella', NULL),
('R1014', 607, '2024-05-03', 250000, 'cash', 'RUN24', 'GEN', 'N', 0, NULL, NULL),
('R1015', 615, '2022-11-10', 1000, 'bank transfer', 'WIN22', 'HOM', 'Y', 0, NULL, '2022-11-21'),
('R1016', 613, '2023-01-23', 5000, 'website', 'WIN22', 'HOM', 'N', 0, NULL, '2023-02-13'),
('R1017', 618, '2023-12-04', 2500, 'cash', 'WIN23', 'HOM', 'Y', 0, NULL, '2023-12-23'),
('R1018', 615, '2023-07-15', 5000, 'website', 'WEL23', 'WAT', 'N', 0, 'Grandad Joe', '2023-07-18'),
('R1019', 609, '2023-04-26', 15000, 'website', 'WEL23', 'WAT', 'Y', 0, NULL, '2023-05-04'),
('R1020', NULL, '2023-07-21', 1000, 'cash', 'WEL23', 'WAT', 'N', 0, NULL, NULL),
('R1021', 604, '2023-07-09', 60000, 'post', 'WEL23', 'WAT', 'N', 1, NULL, '2023-07-13'),
('R1022', 602, '2023-07-24', 7500, 'bank transfer', 'SCH23', 'EDU', 'Y', 0, NULL, '2023-08-01'),
('R1023', 614, '2023-11-27', 5000, 'website', 'WIN23', 'HOM', 'N', 0, NULL, '2023-12-01'),
('R1024', 607, '2024-06-21', 25000, 'website', 'RUN24', 'GEN', 'N', 0, NULL, '2024-07-02'),
('R1025', 607, '2023-12-28', 25000, 'website', NULL, 'HOM', 'N', 0, NULL, '2024-01-05'),
('R1026', 601, '2024-10-12', 7500, 'cash', 'HOS24', 'CAR', 'N', 0, NULL, '2024-10-17'),
('R1027', 603, '2023-05-18', 25000, 'bank transfer', 'WEL23', 'WAT', 'N', 0, NULL, '2023-05-21'),
('R1028', 618, '2023-08-25', 10000, 'bank transfer', 'WEL23', 'WAT', 'Y', 0, 'Edna Marsh', '2023-09-01'),
('R1029', 605, '2024-09-24', 2000, 'post', 'HOS24', 'CAR', 'N', 0, NULL, '2024-10-21'),
('R1030', 616, '2023-01-12', 5000, 'bank transfer', 'WIN22', 'HOM', 'Y', 1, NULL, NULL),
('R1031', 617, '2023-09-15', 7500, 'cash', 'SCH23', 'EDU', 'N', 0, NULL, '2023-09-21'),
('R1032', NULL, '2023-08-27', 10000, 'bank transfer', 'WEL23', 'WAT', 'N', 0, 'Bella', NULL),
('R1033', 606, '2022-11-04', 1000, 'website', 'WIN22', 'HOM', 'N', 0, NULL, '2022-12-02'),
('R1034', 602, '2024-05-09', 1000, 'website', 'HOS24', 'CAR', 'Y', 1, NULL, '2024-05-15'),
('R1035', 611, '2024-07-22', 2000, 'bank transfer', 'HOS24', 'CAR', 'Y', 1, NULL, NULL),
('R1036', 610, '2023-09-24', 100000, 'cash', 'WEL23', 'WAT', 'N', 1, NULL, '2023-09-30'),
('R1037', NULL, '2024-08-31', 5000, 'cash', 'HOS24', 'CAR', 'N', 0, NULL, NULL),
('R1038', 612, '2023-09-12', 60000, 'cash', 'WEL23', 'WAT', 'N', 0, NULL, '2023-10-16'),
('R1039', NULL, '2024-09-30', 10000, 'website', 'HOS24', 'CAR', 'N', 0, NULL, NULL),
('R1040', 609, '2024-06-19', 7500, 'post', 'RUN24', 'GEN', 'Y', 0, NULL, '2024-07-02'),
('R1041', 602, '2024-05-06', 2500, 'post', 'HOS24', 'CAR', 'Y', 1, NULL, NULL),
('R1042', 603, '2024-05-26', 150000, 'bank transfer', 'HOS24', 'CAR', 'N', 0, NULL, NULL),
('R1043', 604, '2022-11-20', 100000, 'post', 'WIN22', 'HOM', 'N', 0, 'Grandad Joe', '2022-11-26'),
('R1044', NULL, '2023-07-31', 1000, 'cash', 'SCH23', 'EDU', 'N', 0, NULL, NULL),
('R1045', 607, '2023-03-24', 150000, 'cash', 'WEL23', 'WAT', 'N', 0, 'Bella', '2023-04-12'),
('R1046', NULL, '2023-06-29', 15000, 'post', 'WEL23', 'WAT', 'N', 0, NULL, NULL),
('R1047', 609, '2023-08-20', 2000, 'website', 'SCH23', 'EDU', 'Y', 0, NULL, NULL),
('R1048', 602, '2023-04-21', 7500, 'cash', 'WEL23', 'WAT', 'Y', 0, NULL, NULL),
('R1049', 604, '2024-02-04', 150000, 'bank transfer', 'HOS24', 'CAR', 'N', 1, NULL, '2024-02-23'),
('R1050', NULL, '2023-11-27', 15000, 'website', 'WIN23', 'HOM', 'N', 0, NULL, NULL),
('R1051', NULL, '2024-12-21', 5000, 'cash', NULL, 'HOM', 'N', 0, NULL, NULL),
('R1052', 618, '2024-12-09', 5000, 'website', 'WIN24', 'HOM', 'N', 0, 'Edna Marsh', '2024-12-16'),
('R1053', 601, '2024-12-12', 5000, 'post', 'WIN24', 'HOM', 'Y', 0, NULL, NULL),
('R1054', 608, '2024-12-02', 5000, 'cash', 'WIN24', 'HOM', 'Y', 0, NULL, '2024-12-12'),
('R1055', 605, '2024-11-04', 15000, 'website', 'WIN24', 'HOM', 'Y', 0, NULL, '2024-11-12'),
('R1056', 602, '2024-12-10', 7500, 'post', 'WIN24', 'HOM', 'Y', 1, NULL, '2025-01-06'),
('R1057', 611, '2024-11-25', 7500, 'website', 'WIN24', 'HOM', 'N', 0, NULL, NULL),
('R1058', 614, '2024-11-03', 2000, 'post', 'WIN24', 'HOM', 'N', 0, NULL, '2024-11-16'),
('R1059', 603, '2024-11-13', 150000, 'website', 'WIN24', 'HOM', 'N', 1, NULL, '2024-12-13'),
('R1060', 612, '2024-11-01', 250000, 'website', 'WIN24', 'HOM', 'N', 1, NULL, '2024-11-17');

CREATE TABLE pledges (
  pledge_no INTEGER,
  donor_no INTEGER,
  campaign_code TEXT,
  monthly_cents INTEGER,
  from_on TEXT,
  until_on TEXT,
  status TEXT
);

INSERT INTO pledges VALUES
(1, 603, NULL, 1000, '2021-11-23', '2022-06-26', 'ended'),
(2, 621, 'WEL23', 5000, '2022-03-08', NULL, 'active'),
(3, 615, 'WIN22', 1000, '2022-08-11', '2023-03-03', 'ended'),
(4, 609, NULL, 500, '2024-05-27', NULL, 'active'),
(5, 601, 'WIN24', 1000, '2021-12-24', NULL, 'active'),
(6, 618, 'WEL23', 500, '2022-06-10', NULL, 'active'),
(7, 611, NULL, 500, '2023-11-11', NULL, 'active'),
(8, 602, NULL, 5000, '2022-03-19', NULL, 'active'),
(9, 604, 'WIN23', 1000, '2024-02-05', NULL, 'paused'),
(10, 612, 'WIN23', 500, '2021-11-30', NULL, 'active'),
(11, 608, NULL, 1000, '2021-09-29', NULL, 'paused'),
(12, 606, 'SCH23', 500, '2023-11-17', NULL, 'active'),
(13, 605, NULL, 2000, '2024-08-28', '2025-05-25', 'paused'),
(14, 622, NULL, 2000, '2023-11-06', NULL, 'active');

CREATE TABLE volunteers (
  vol_no INTEGER,
  name TEXT,
  town TEXT,
  joined_on TEXT,
  mentor_no INTEGER
);

INSERT INTO volunteers VALUES
(1, 'Agnes Toft', 'Larkford', '2018-02-10', NULL),
(2, 'Bram Kuiper', 'Larkford', '2022-06-18', 1),
(3, 'Cleo Marsden', 'Saltby', '2023-01-30', 1),
(4, 'Dev Malik', 'Wend', '2021-09-05', NULL),
(5, 'Esther Quaye', 'Larkford', '2023-05-22', 4),
(6, 'Finn Hardy', 'Crayle', '2020-11-14', 4),
(7, 'Gwen Parry', 'Saltby', '2024-03-03', 3),
(8, 'Hal Jessop', 'Larkford', '2019-07-27', 1),
(9, 'Ida Norling', 'Wend', '2024-09-09', 6),
(10, 'Joss Whitlam', NULL, '2022-02-02', NULL);

CREATE TABLE events (
  event_no INTEGER,
  title TEXT,
  held_on TEXT,
  venue TEXT,
  campaign_code TEXT,
  ticket_cents INTEGER,
  cost_cents INTEGER
);

INSERT INTO events VALUES
(1, 'Spring Gala', '2023-04-22', 'Town Hall', 'WEL23', 4500, 38000),
(2, 'Quiz Night', '2023-08-11', 'The Anchor', 'SCH23', 800, 9500),
(3, 'Carol Concert', '2023-12-15', 'St Mark', 'WIN23', 1200, 4000),
(4, 'Garden Party', '2024-06-01', 'Ellery House', 'HOS24', 2500, 15500),
(5, 'Fun Run', '2024-06-16', 'Larkford Park', 'RUN24', 1500, 6000),
(6, 'Auction Dinner', '2024-10-12', 'Town Hall', 'HOS24', 6000, 22000),
(7, 'Carol Concert 2024', '2024-12-14', 'St Mark', 'WIN24', 1200, 4200),
(8, 'Coffee Morning', '2025-02-08', NULL, NULL, NULL, 2500);

CREATE TABLE event_helpers (
  event_no INTEGER,
  vol_no INTEGER,
  job TEXT,
  hours DOUBLE
);

INSERT INTO event_helpers VALUES
(1, 1, 'catering', 3.5),
(1, 6, 'stewarding', 3.0),
(1, 8, 'stewarding', 4.0),
(2, 1, 'music', 6.5),
(2, 2, 'door', 5.0),
(2, 3, 'door', 5.0),
(3, 2, 'music', 3.5),
(3, 3, 'music', 2.0),
(4, 1, 'door', 6.5),
(4, 3, 'door', 3.0),
(4, 7, 'catering', 4.0),
(5, 2, 'stewarding', 3.0),
(5, 6, 'catering', 6.5),
(5, 7, 'music', 6.5),
(6, 1, 'door', 4.0),
(6, 8, 'music', 6.5),
(6, 9, 'stewarding', 6.5),
(7, 3, 'stewarding', 3.5),
(7, 4, 'door', 5.0),
(7, 7, 'music', 6.5);

CREATE TABLE event_guests (
  event_no INTEGER,
  donor_no INTEGER,
  attended TEXT
);

INSERT INTO event_guests VALUES
(1, 602, 'Y'),
(1, 603, 'Y'),
(1, 605, 'N'),
(1, 609, 'Y'),
(1, 611, 'Y'),
(1, 612, 'N'),
(1, 616, 'N'),
(1, 617, 'Y'),
(1, 620, 'Y'),
(2, 607, 'Y'),
(2, 608, 'N'),
(2, 613, 'Y'),
(2, 615, 'Y'),
(2, 616, 'Y'),
(2, 621, 'Y'),
(2, 622, 'Y'),
(3, 604, 'N'),
(3, 608, 'N'),
(3, 611, 'Y'),
(3, 616, 'N'),
(3, 618, 'Y'),
(3, 621, 'Y'),
(3, 622, 'N'),
(4, 602, 'Y'),
(4, 608, 'N'),
(4, 609, 'N'),
(4, 610, 'Y'),
(4, 612, 'Y'),
(4, 615, 'Y'),
(4, 620, 'Y'),
(4, 621, 'Y'),
(5, 603, 'N'),
(5, 606, 'Y'),
(5, 607, 'Y'),
(5, 615, 'Y'),
(5, 616, 'Y'),
(5, 619, 'Y'),
(6, 605, 'N'),
(6, 606, 'Y'),
(6, 608, 'Y'),
(6, 610, 'Y'),
(6, 613, 'N'),
(6, 616, 'N'),
(6, 620, 'N'),
(6, 621, 'Y'),
(7, 603, 'Y'),
(7, 606, 'Y'),
(7, 609, 'Y'),
(7, 611, 'Y'),
(7, 613, 'Y'),
(7, 615, 'Y');
