CREATE TABLE consultants (
  consultant_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  team TEXT,
  joined_on TEXT,
  mentor_id INTEGER REFERENCES consultants (consultant_id)
);

INSERT INTO consultants VALUES (1, 'Harriet Lowe', 'Tech', '2013-04-08', NULL);
INSERT INTO consultants VALUES (2, 'Bruno Marques', 'Finance', '2015-09-01', NULL);
INSERT INTO consultants VALUES (3, 'Simone Adler', 'Tech', '2019-02-18', 1);
INSERT INTO consultants VALUES (4, 'Kwame Boateng', 'Health', '2018-06-11', 2);
INSERT INTO consultants VALUES (5, 'Julie Renard', 'Finance', '2021-01-11', 2);
INSERT INTO consultants VALUES (6, 'Mikkel Dahl', 'Tech', '2022-10-03', 3);
INSERT INTO consultants VALUES (7, 'Ana Tavares', 'Health', '2023-05-15', 4);
INSERT INTO consultants VALUES (8, 'George Pike', 'Tech', '2024-02-05', 1);
INSERT INTO consultants VALUES (9, 'Rita Sol', 'Finance', '2024-08-19', 5);
INSERT INTO consultants VALUES (10, 'Owen Clark', NULL, '2020-03-02', NULL);

CREATE TABLE clients (
  client_id INTEGER PRIMARY KEY,
  company TEXT NOT NULL,
  sector TEXT,
  city TEXT,
  fee_percent DOUBLE,
  account_manager_id INTEGER REFERENCES consultants (consultant_id),
  client_since TEXT
);

INSERT INTO clients VALUES
(1, 'Belvoir Bank', 'finance', 'Lisbon', 20.0, 2, '2016-02-10'),
(2, 'Nordia Health', 'healthcare', 'Copenhagen', 18.5, 4, '2018-08-01'),
(3, 'Quantrix', 'software', 'Berlin', 22.5, 1, '2015-05-20'),
(4, 'Mar Azul Foods', 'food', 'Lisbon', 17.0, 5, '2021-03-15'),
(5, 'Heliodor Energy', 'energy', 'Madrid', 18.0, 2, '2022-06-30'),
(6, 'Pixelworks Studio', 'software', 'Berlin', 20.0, 3, '2020-11-09'),
(7, 'Carewell Clinics', 'healthcare', 'Madrid', 19.0, 4, '2019-01-25'),
(8, 'Osprey Insurance', 'finance', 'Dublin', 21.0, 5, '2023-02-17'),
(9, 'Tallboy Logistics', 'transport', 'Dublin', NULL, NULL, '2023-10-02'),
(10, 'Greenleaf Labs', 'biotech', 'Copenhagen', 22.0, 7, '2024-05-06'),
(11, 'Solis Retail', 'retail', 'Madrid', 15.5, 5, '2017-07-07');

CREATE TABLE candidates (
  candidate_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  city TEXT,
  years_experience INTEGER,
  expected_salary INTEGER,
  notice_weeks INTEGER,
  registered_on TEXT NOT NULL,
  will_relocate TEXT,
  referred_by_id INTEGER REFERENCES candidates (candidate_id)
);

INSERT INTO candidates VALUES (201, 'Tomas Vidal', 'Madrid', 11, 60000, 12, '2022-01-25', 'Y', NULL);
INSERT INTO candidates VALUES (202, 'Elena Marin', 'Madrid', 4, 45000, 0, '2022-09-04', 'Y', NULL);
INSERT INTO candidates VALUES (203, 'Jens Holm', 'Copenhagen', 1, 32000, 2, '2024-02-12', 'N', NULL);
INSERT INTO candidates VALUES (204, 'Clara Duarte', 'Berlin', 18, 75000, 4, '2024-09-23', 'Y', NULL);
INSERT INTO candidates VALUES (205, 'Patrick Nolan', NULL, 18, 75000, 4, '2023-06-04', 'Y', 201);
INSERT INTO candidates VALUES (206, 'Yara Haddad', 'Berlin', 5, 68000, 2, '2022-01-16', 'N', NULL);
INSERT INTO candidates VALUES (207, 'Marek Kowalski', 'Lisbon', 12, 32000, 4, '2023-03-08', 'Y', NULL);
INSERT INTO candidates VALUES (208, 'Sofia Reis', 'Dublin', 5, NULL, 4, '2023-07-31', 'Y', NULL);
INSERT INTO candidates VALUES (209, 'Lukas Bauer', 'Madrid', 9, 42000, 2, '2022-02-22', 'Y', 201);
INSERT INTO candidates VALUES (210, 'Niamh Doherty', 'Dublin', 4, NULL, 0, '2023-11-11', 'N', NULL);
INSERT INTO candidates VALUES (211, 'Diego Santos', 'Lisbon', 18, 82000, 12, '2023-04-05', 'Y', 204);
INSERT INTO candidates VALUES (212, 'Freja Lund', 'Lisbon', 9, 75000, 4, '2024-09-21', 'Y', NULL);
INSERT INTO candidates VALUES (213, 'Adam Whitfield', 'Lisbon', 4, 55000, 4, '2023-05-10', 'N', NULL);
INSERT INTO candidates VALUES (214, 'Ines Barros', NULL, 18, NULL, 4, '2022-04-19', 'Y', 201);
INSERT INTO candidates VALUES (215, 'Omar Saleh', 'Lisbon', 1, 68000, NULL, '2024-10-19', 'N', NULL);
INSERT INTO candidates VALUES (216, 'Katja Vogt', 'Copenhagen', 11, 45000, 4, '2024-07-29', 'Y', NULL);
INSERT INTO candidates VALUES (217, 'Rui Pinto', 'Madrid', 2, 48000, 4, '2022-01-17', 'Y', 208);
INSERT INTO candidates VALUES (218, 'Laura Gil', 'Copenhagen', 18, NULL, 4, '2021-09-07', 'N', NULL);
INSERT INTO candidates VALUES (219, 'Erik Strand', 'Copenhagen', 9, 32000, 2, '2022-06-03', 'N', NULL);
INSERT INTO candidates VALUES (220, 'Monica Paz', 'Dublin', 1, 68000, 12, '2023-01-23', 'N', 208);
INSERT INTO candidates VALUES (221, 'Declan Byrne', 'Lisbon', 5, 32000, 0, '2023-11-09', 'Y', NULL);
INSERT INTO candidates VALUES (222, 'Hanna Weber', 'Lisbon', 18, 60000, 12, '2022-06-30', 'Y', NULL);
INSERT INTO candidates VALUES (223, 'Victor Lima', 'Berlin', 9, 45000, 0, '2024-04-15', 'N', NULL);
INSERT INTO candidates VALUES (224, 'Tara Singh', 'Berlin', 11, 55000, 0, '2023-01-03', 'Y', NULL);
INSERT INTO candidates VALUES (225, 'Paulo Neves', 'Berlin', 8, 52000, 4, '2024-06-25', 'Y', NULL);
INSERT INTO candidates VALUES (226, 'Sara Conti', 'Lisbon', 6, 45000, 2, '2022-02-27', 'N', NULL);

CREATE TABLE skills (
  skill_id INTEGER PRIMARY KEY,
  skill_name TEXT NOT NULL,
  area TEXT
);

INSERT INTO skills VALUES
(1, 'Python', 'programming'),
(2, 'SQL', 'data'),
(3, 'Excel', 'data'),
(4, 'German', 'language'),
(5, 'Accounting', 'finance'),
(6, 'Nursing', 'care'),
(7, 'Project management', 'management'),
(8, 'Java', 'programming'),
(9, 'Statistics', 'data'),
(10, 'Sales', 'commercial'),
(11, 'Cobol', 'programming');

CREATE TABLE candidate_skills (
  candidate_id INTEGER NOT NULL REFERENCES candidates (candidate_id),
  skill_id INTEGER NOT NULL REFERENCES skills (skill_id),
  level INTEGER,
  PRIMARY KEY (candidate_id, skill_id)
);

INSERT INTO candidate_skills VALUES
(201, 2, 4),
(201, 8, 3),
(202, 2, 3),
(202, 3, 5),
(202, 5, 5),
(203, 1, 2),
(203, 4, 5),
(204, 2, 4),
(204, 5, 2),
(204, 9, 4),
(205, 3, 5),
(205, 4, 3),
(206, 2, 4),
(206, 6, 2),
(206, 9, 1),
(207, 7, 4),
(208, 8, 2),
(208, 9, 2),
(208, 10, 2),
(209, 1, 3),
(209, 6, 1),
(210, 3, 2),
(210, 4, 5),
(210, 9, 1),
(211, 2, 1),
(212, 1, 3),
(212, 9, 4),
(212, 10, 2),
(213, 2, 3),
(213, 3, 5),
(214, 1, 1),
(214, 5, 2),
(214, 6, 1),
(215, 1, 1),
(215, 3, 2),
(216, 2, 3),
(216, 3, 4),
(216, 7, 3),
(217, 5, 2),
(217, 10, 3),
(218, 3, 2),
(218, 7, 4),
(219, 5, 4),
(219, 8, 4),
(220, 5, 4),
(220, 8, 4),
(221, 2, 5),
(221, 5, 2),
(221, 8, 3),
(222, 3, 3),
(222, 8, 1),
(223, 4, 4),
(223, 7, 3),
(224, 5, 5),
(225, 1, 5),
(225, 2, 3),
(225, 4, 1),
(226, 4, 3),
(226, 6, 4);

CREATE TABLE vacancies (
  vacancy_id INTEGER PRIMARY KEY,
  client_id INTEGER NOT NULL REFERENCES clients (client_id),
  title TEXT NOT NULL,
  city TEXT,
  salary_min INTEGER,
  salary_max INTEGER,
  contract_type TEXT,
  opened_on TEXT NOT NULL,
  closed_on TEXT,
  remote_ok INTEGER
);

INSERT INTO vacancies VALUES
(1, 1, 'Data Engineer', 'Lisbon', 48000, 62000, 'permanent', '2023-02-06', '2023-05-12', 0),
(2, 1, 'Credit Analyst', 'Lisbon', 36000, 45000, 'permanent', '2024-01-15', NULL, 0),
(3, 2, 'Ward Nurse', 'Copenhagen', 41000, 47000, 'permanent', '2022-09-01', '2023-01-20', 0),
(4, 2, 'Clinic Manager', 'Copenhagen', 58000, 70000, 'permanent', '2024-03-04', NULL, 0),
(5, 3, 'Backend Developer', 'Berlin', 60000, 78000, 'permanent', '2022-05-16', '2022-08-30', 1),
(6, 3, 'Machine Learning Engineer', 'Berlin', 65000, 90000, 'permanent', '2024-04-22', NULL, 1),
(7, 3, 'QA Tester', 'Berlin', 38000, 50000, 'contract', '2023-06-12', '2023-09-01', 1),
(8, 4, 'Export Sales Rep', 'Lisbon', 28000, 38000, 'permanent', '2023-09-18', '2023-12-04', 0),
(9, 5, 'Project Lead', 'Madrid', 55000, 68000, 'contract', '2024-02-19', '2024-06-10', 0),
(10, 6, 'Java Developer', 'Berlin', 52000, 66000, 'permanent', '2023-01-30', '2023-04-28', 1),
(11, 6, 'Office Assistant', 'Berlin', 26000, 32000, 'temporary', '2024-07-01', NULL, 0),
(12, 7, 'Nurse', 'Madrid', 30000, 36000, 'temporary', '2023-11-06', '2024-02-16', 0),
(13, 7, 'Head of Finance', 'Madrid', 70000, NULL, 'permanent', '2024-09-02', NULL, 0),
(14, 8, 'Actuary', 'Dublin', 66000, 85000, 'permanent', '2023-03-20', '2023-08-11', 1),
(15, 8, 'Claims Analyst', 'Dublin', 35000, 44000, 'contract', '2024-05-27', NULL, 1),
(16, 10, 'Lab Statistician', 'Copenhagen', 50000, 61000, 'contract', '2024-06-17', '2024-10-25', 0),
(17, 4, 'Accountant', 'Lisbon', 33000, 41000, 'permanent', '2022-10-10', '2023-02-03', 0),
(18, 3, 'Product Manager', 'Berlin', 70000, 88000, 'permanent', '2024-10-07', NULL, 0);

CREATE TABLE vacancy_skills (
  vacancy_id INTEGER NOT NULL REFERENCES vacancies (vacancy_id),
  skill_id INTEGER NOT NULL REFERENCES skills (skill_id),
  mandatory TEXT NOT NULL,
  PRIMARY KEY (vacancy_id, skill_id)
);

INSERT INTO vacancy_skills VALUES
(1, 1, 'Y'),
(1, 2, 'Y'),
(1, 9, 'N'),
(2, 3, 'Y'),
(2, 9, 'N'),
(3, 6, 'Y'),
(4, 7, 'Y'),
(4, 6, 'N'),
(5, 1, 'Y'),
(5, 8, 'N'),
(6, 1, 'Y'),
(6, 9, 'Y'),
(7, 2, 'N'),
(8, 10, 'Y'),
(8, 4, 'N'),
(9, 7, 'Y'),
(10, 8, 'Y'),
(11, 3, 'N'),
(12, 6, 'Y'),
(13, 5, 'Y'),
(13, 7, 'Y'),
(14, 9, 'Y'),
(15, 3, 'Y'),
(16, 9, 'Y'),
(17, 5, 'Y'),
(17, 3, 'Y'),
(18, 7, 'Y');

CREATE TABLE applications (
  application_id INTEGER PRIMARY KEY,
  candidate_id INTEGER NOT NULL REFERENCES candidates (candidate_id),
  vacancy_id INTEGER NOT NULL REFERENCES vacancies (vacancy_id),
  consultant_id INTEGER REFERENCES consultants (consultant_id),
  applied_on TEXT NOT NULL,
  stage TEXT NOT NULL,
  agreed_salary INTEGER,
  starts_on TEXT
);

INSERT INTO applications VALUES
(301, 201, 16, 7, '2024-07-25', 'rejected', NULL, NULL),
(302, 206, 12, 4, '2023-11-11', 'interview', NULL, NULL),
(303, 206, 4, 4, '2024-04-03', 'applied', NULL, NULL),
(304, 203, 12, 6, '2023-12-29', 'rejected', NULL, NULL),
(305, 204, 16, 3, '2024-07-23', 'applied', NULL, NULL),
(306, 202, 1, 2, '2023-02-08', 'applied', NULL, NULL),
(307, 220, 4, 4, '2024-04-24', 'rejected', NULL, NULL),
(308, 216, 13, 6, '2024-10-26', 'interview', NULL, NULL),
(309, 221, 4, 4, '2024-04-08', 'rejected', NULL, NULL),
(310, 218, 8, 5, '2023-10-11', 'rejected', NULL, NULL),
(311, 207, 11, 3, '2024-07-29', 'rejected', NULL, NULL),
(312, 213, 1, 5, '2023-02-23', 'rejected', NULL, NULL),
(313, 211, 14, 5, '2023-05-17', 'rejected', NULL, NULL),
(314, 216, 2, 3, '2024-03-05', 'hired', 36000, '2024-06-10'),
(315, 207, 3, 4, '2022-10-04', 'applied', NULL, NULL),
(316, 206, 11, 1, '2024-07-20', 'rejected', NULL, NULL),
(317, 218, 16, 6, '2024-08-07', 'hired', 52000, '2024-10-27'),
(318, 221, 10, 6, '2023-03-28', 'hired', 60000, '2023-04-29'),
(319, 218, 13, 4, '2024-10-14', 'hired', 76500, '2024-11-21'),
(320, 218, 9, 7, '2024-02-25', 'rejected', NULL, NULL),
(321, 206, 1, 2, '2023-02-14', 'interview', NULL, NULL),
(322, 206, 2, 2, '2024-02-08', 'hired', 37500, '2024-05-06'),
(323, 213, 15, 3, '2024-06-26', 'hired', 43000, '2024-09-13'),
(324, 217, 10, 6, '2023-02-25', 'rejected', NULL, NULL),
(325, 201, 10, 7, '2023-03-17', 'offer', NULL, NULL),
(326, 217, 4, 4, '2024-05-03', 'rejected', NULL, NULL),
(327, 205, 5, 1, '2022-06-03', 'interview', NULL, NULL),
(328, 214, 8, 1, '2023-11-15', 'rejected', NULL, NULL),
(329, 215, 12, 4, '2023-12-30', 'hired', 33000, '2024-03-01'),
(330, 223, 9, 8, '2024-03-15', 'offer', NULL, NULL),
(331, 212, 5, 4, '2022-06-24', 'rejected', NULL, NULL),
(332, 207, 2, 8, '2024-01-23', 'offer', NULL, NULL),
(333, 213, 2, 2, '2024-01-25', 'interview', NULL, NULL),
(334, 206, 3, 4, '2022-09-16', 'applied', NULL, NULL),
(335, 202, 9, 2, '2024-04-02', 'hired', 59500, '2024-07-06'),
(336, 220, 14, 5, '2023-03-26', 'rejected', NULL, NULL),
(337, 205, 8, 1, '2023-09-26', 'interview', NULL, NULL),
(338, 220, 8, 7, '2023-09-22', 'rejected', NULL, NULL),
(339, 208, 7, 7, '2023-08-02', 'rejected', NULL, NULL),
(340, 214, 6, 1, '2024-05-08', 'hired', 83500, '2024-07-20'),
(341, 214, 1, 2, '2023-03-27', 'hired', 54500, '2023-06-03'),
(342, 215, 13, 8, '2024-10-14', 'hired', 71500, '2024-12-17'),
(343, 206, 5, 8, '2022-05-27', 'hired', 75000, '2022-08-17'),
(344, 212, 1, 2, '2023-03-12', 'rejected', NULL, NULL),
(345, 213, 12, 4, '2023-11-19', 'rejected', NULL, NULL),
(346, 223, 1, 5, '2023-02-13', 'rejected', NULL, NULL),
(347, 207, 10, 4, '2023-03-19', 'rejected', NULL, NULL),
(348, 212, 14, 5, '2023-05-13', 'hired', 83500, '2023-08-19'),
(349, 211, 17, 3, '2022-11-21', 'rejected', NULL, NULL),
(350, 202, 10, 6, '2023-03-01', 'hired', 54500, '2023-06-08'),
(351, 214, 7, 5, '2023-07-05', 'rejected', NULL, NULL),
(352, 210, 2, 2, '2024-02-02', 'rejected', NULL, NULL);

CREATE TABLE stage_history (
  application_id INTEGER NOT NULL REFERENCES applications (application_id),
  stage TEXT NOT NULL,
  entered_on TEXT NOT NULL
);

INSERT INTO stage_history VALUES
(301, 'applied', '2024-07-25'),
(301, 'interview', '2024-08-05'),
(301, 'rejected', '2024-08-19'),
(302, 'applied', '2023-11-11'),
(302, 'interview', '2023-11-17'),
(303, 'applied', '2024-04-03'),
(304, 'applied', '2023-12-29'),
(304, 'rejected', '2024-01-02'),
(305, 'applied', '2024-07-23'),
(306, 'applied', '2023-02-08'),
(307, 'applied', '2024-04-24'),
(307, 'rejected', '2024-05-15'),
(308, 'applied', '2024-10-26'),
(308, 'interview', '2024-11-01'),
(309, 'applied', '2024-04-08'),
(309, 'interview', '2024-04-15'),
(309, 'rejected', '2024-04-27'),
(310, 'applied', '2023-10-11'),
(310, 'rejected', '2023-10-31'),
(311, 'applied', '2024-07-29'),
(311, 'rejected', '2024-08-16'),
(312, 'applied', '2023-02-23'),
(312, 'rejected', '2023-03-09'),
(313, 'applied', '2023-05-17'),
(313, 'rejected', '2023-05-31'),
(314, 'applied', '2024-03-05'),
(314, 'interview', '2024-03-16'),
(314, 'offer', '2024-03-29'),
(314, 'hired', '2024-04-18'),
(315, 'applied', '2022-10-04'),
(316, 'applied', '2024-07-20'),
(316, 'rejected', '2024-08-10'),
(317, 'applied', '2024-08-07'),
(317, 'interview', '2024-08-17'),
(317, 'offer', '2024-09-05'),
(317, 'hired', '2024-09-18'),
(318, 'applied', '2023-03-28'),
(318, 'interview', '2023-04-03'),
(318, 'offer', '2023-04-08'),
(318, 'hired', '2023-04-14'),
(319, 'applied', '2024-10-14'),
(319, 'interview', '2024-10-23'),
(319, 'offer', '2024-10-27'),
(319, 'hired', '2024-11-05'),
(320, 'applied', '2024-02-25'),
(320, 'rejected', '2024-03-12'),
(321, 'applied', '2023-02-14'),
(321, 'interview', '2023-02-24'),
(322, 'applied', '2024-02-08'),
(322, 'interview', '2024-02-21'),
(322, 'offer', '2024-02-25'),
(322, 'hired', '2024-03-13'),
(323, 'applied', '2024-06-26'),
(323, 'interview', '2024-07-11'),
(323, 'offer', '2024-07-27'),
(323, 'hired', '2024-07-31'),
(324, 'applied', '2023-02-25'),
(324, 'rejected', '2023-03-08'),
(325, 'applied', '2023-03-17'),
(325, 'interview', '2023-04-04'),
(325, 'offer', '2023-04-11'),
(326, 'applied', '2024-05-03'),
(326, 'interview', '2024-05-09'),
(326, 'rejected', '2024-05-14'),
(327, 'applied', '2022-06-03'),
(327, 'interview', '2022-06-13'),
(328, 'applied', '2023-11-15'),
(328, 'rejected', '2023-11-24'),
(329, 'applied', '2023-12-30'),
(329, 'interview', '2024-01-07'),
(329, 'offer', '2024-01-13'),
(329, 'hired', '2024-02-01'),
(330, 'applied', '2024-03-15'),
(330, 'interview', '2024-03-28'),
(330, 'offer', '2024-04-01'),
(331, 'applied', '2022-06-24'),
(331, 'rejected', '2022-07-02'),
(332, 'applied', '2024-01-23'),
(332, 'interview', '2024-02-05'),
(332, 'offer', '2024-02-22'),
(333, 'applied', '2024-01-25'),
(333, 'interview', '2024-02-05'),
(334, 'applied', '2022-09-16'),
(335, 'applied', '2024-04-02'),
(335, 'interview', '2024-04-17'),
(335, 'offer', '2024-04-29'),
(335, 'hired', '2024-05-10'),
(336, 'applied', '2023-03-26'),
(336, 'rejected', '2023-04-07'),
(337, 'applied', '2023-09-26'),
(337, 'interview', '2023-10-12'),
(338, 'applied', '2023-09-22'),
(338, 'interview', '2023-10-05'),
(338, 'rejected', '2023-10-21'),
(339, 'applied', '2023-08-02'),
(339, 'rejected', '2023-08-07'),
(340, 'applied', '2024-05-08'),
(340, 'interview', '2024-05-19'),
(340, 'offer', '2024-05-24'),
(340, 'hired', '2024-06-13'),
(341, 'applied', '2023-03-27'),
(341, 'interview', '2023-04-12'),
(341, 'offer', '2023-04-27'),
(341, 'hired', '2023-05-17'),
(342, 'applied', '2024-10-14'),
(342, 'interview', '2024-10-25'),
(342, 'offer', '2024-11-11'),
(342, 'hired', '2024-11-20'),
(343, 'applied', '2022-05-27'),
(343, 'interview', '2022-06-15'),
(343, 'offer', '2022-06-20'),
(343, 'hired', '2022-07-10'),
(344, 'applied', '2023-03-12'),
(344, 'rejected', '2023-03-17'),
(345, 'applied', '2023-11-19'),
(345, 'interview', '2023-11-28'),
(345, 'rejected', '2023-12-17'),
(346, 'applied', '2023-02-13'),
(346, 'rejected', '2023-02-26'),
(347, 'applied', '2023-03-19'),
(347, 'rejected', '2023-04-03'),
(348, 'applied', '2023-05-13'),
(348, 'interview', '2023-05-21'),
(348, 'offer', '2023-06-08'),
(348, 'hired', '2023-06-28'),
(349, 'applied', '2022-11-21'),
(349, 'rejected', '2022-11-25'),
(350, 'applied', '2023-03-01'),
(350, 'interview', '2023-03-11'),
(350, 'offer', '2023-03-25'),
(350, 'hired', '2023-04-12'),
(351, 'applied', '2023-07-05'),
(351, 'rejected', '2023-07-13'),
(352, 'applied', '2024-02-02'),
(352, 'rejected', '2024-02-19');
