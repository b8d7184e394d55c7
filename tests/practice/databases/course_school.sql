CREATE TABLE category (
  categoryCode TEXT PRIMARY KEY,
  categoryName TEXT NOT NULL
);

INSERT INTO category VALUES
('PRG', 'Programming'),
('DES', 'Design'),
('BUS', 'Business'),
('LNG', 'Languages'),
('MUS', 'Music');

CREATE TABLE instructor (
  instructorId INTEGER PRIMARY KEY,
  fullName TEXT NOT NULL,
  country TEXT,
  revenueSharePercent DOUBLE,
  joinedDate DATE
);

INSERT INTO instructor VALUES
(1, 'Nadia Rahman', 'Bangladesh', 50.0, '2019-03-04'),
(2, 'Ole Henriksen', 'Denmark', 45.0, '2019-10-21'),
(3, 'Teresa Quispe', 'Peru', 50.0, '2020-05-11'),
(4, 'Marcus Webb', 'United Kingdom', 60.0, '2018-11-30'),
(5, 'Yuki Tanabe', 'Japan', 55.0, '2021-02-15'),
(6, 'Amadou Diallo', 'Senegal', 50.0, '2022-07-01'),
(7, 'Rosa Keller', 'Germany', NULL, '2023-09-12'),
(8, 'Ivan Petrov', 'Bulgaria', 40.0, '2020-01-27'),
(9, 'Lillian Shaw', 'Canada', 55.0, '2024-04-08'),
(10, 'Chen Wei', 'China', 50.0, '2021-08-19');

CREATE TABLE course (
  courseId INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  level TEXT,
  categoryCode TEXT REFERENCES category (categoryCode),
  instructorId INTEGER REFERENCES instructor (instructorId),
  priceCents INTEGER,
  hoursOfVideo DOUBLE,
  publishedDate DATE,
  prerequisiteId INTEGER REFERENCES course (courseId),
  isArchived INTEGER
);

INSERT INTO course VALUES (1, 'Python Basics', 'beginner', 'PRG', 1, 4900, 12.5, '2020-02-01', NULL, 0);
INSERT INTO course VALUES (2, 'Python for Data', 'intermediate', 'PRG', 1, 8900, 22.0, '2020-11-15', 1, 0);
INSERT INTO course VALUES (3, 'SQL from Zero', 'beginner', 'PRG', 8, 3900, 9.0, '2020-06-10', NULL, 0);
INSERT INTO course VALUES (4, 'Advanced SQL', 'advanced', 'PRG', 8, 9900, 18.5, '2021-09-01', 3, 0);
INSERT INTO course VALUES (5, 'Logo Design', 'beginner', 'DES', 5, 4500, 8.0, '2021-05-05', NULL, 0);
INSERT INTO course VALUES (6, 'Typography', 'intermediate', 'DES', 5, 6500, 14.0, '2022-03-17', 5, 0);
INSERT INTO course VALUES (7, 'Small Business Bookkeeping', 'beginner', 'BUS', 4, 5900, 16.0, '2019-08-22', NULL, 1);
INSERT INTO course VALUES (8, 'Negotiation Skills', 'intermediate', 'BUS', 4, 7900, 10.5, '2022-10-03', NULL, 0);
INSERT INTO course VALUES (9, 'Spanish A1', 'beginner', 'LNG', 3, 2900, 24.0, '2020-09-09', NULL, 0);
INSERT INTO course VALUES (10, 'Spanish A2', 'intermediate', 'LNG', 3, 3900, 27.5, '2021-09-09', 9, 0);
INSERT INTO course VALUES (11, 'French A1', 'beginner', 'LNG', 6, 2900, 25.0, '2022-09-01', NULL, 0);
INSERT INTO course VALUES (12, 'Guitar for Beginners', 'beginner', 'MUS', 2, 3500, 11.0, '2019-12-01', NULL, 0);
INSERT INTO course VALUES (13, 'Jazz Guitar', 'advanced', 'MUS', 2, 6900, 21.0, '2023-02-14', 12, 0);
INSERT INTO course VALUES (14, 'Flash Animation', 'intermediate', 'DES', 5, 4900, 13.0, '2021-07-07', 5, 1);
INSERT INTO course VALUES (15, 'Java Essentials', 'beginner', 'PRG', 10, 5500, 19.0, '2023-06-20', NULL, 0);
INSERT INTO course VALUES (16, 'Machine Learning', 'advanced', 'PRG', 1, 12900, 34.0, '2024-01-10', 2, 0);
INSERT INTO course VALUES (17, 'Startup Finance', 'advanced', 'BUS', 10, 9500, NULL, '2024-11-25', 7, 0);

CREATE TABLE student (
  studentId INTEGER PRIMARY KEY,
  firstName TEXT NOT NULL,
  lastName TEXT NOT NULL,
  country TEXT,
  birthDate DATE,
  signupDate DATE,
  isPremium INTEGER
);

INSERT INTO student VALUES
(1, 'Ada', 'Otieno', 'Kenya', '1968-03-06', '2021-10-31', 0),
(2, 'Ben', 'Carter', 'United States', '1976-01-18', '2024-06-30', 0),
(3, 'Chidi', 'Okeke', 'Nigeria', '1976-06-27', '2024-06-23', 0),
(4, 'Divya', 'Rao', 'India', '1998-05-22', '2022-11-10', 1),
(5, 'Emil', 'Novak', 'Czechia', '1988-06-10', '2020-10-20', 0),
(6, 'Fatou', 'Sow', 'Senegal', NULL, '2024-02-06', 1),
(7, 'Gina', 'Rossi', 'Italy', '1981-04-20', '2024-03-02', 1),
(8, 'Hassan', 'Ali', 'Egypt', '1997-08-31', '2024-01-14', 0),
(9, 'Irene', 'Mwangi', 'Kenya', '1987-08-26', '2020-04-04', 0),
(10, 'Jonas', 'Beck', 'Germany', '2002-10-23', '2022-03-28', 0),
(11, 'Kavya', 'Iyer', 'India', '1981-08-13', '2020-03-20', 0),
(12, 'Leo', 'Martin', 'France', '1996-11-06', '2021-03-29', 0),
(13, 'Mina', 'Park', 'South Korea', '1992-08-06', '2021-03-27', 0),
(14, 'Noel', 'Brown', 'United States', '1992-02-03', '2022-10-17', 0),
(15, 'Olga', 'Ivanova', NULL, NULL, '2021-03-19', 1),
(16, 'Paul', 'Kim', 'South Korea', '1973-12-11', '2024-04-30', 0),
(17, 'Rahul', 'Desai', 'India', '1994-11-29', '2022-01-24', 0),
(18, 'Sara', 'Lindholm', 'Sweden', '1983-03-22', '2020-07-08', 1),
(19, 'Theo', 'Blanc', 'France', '1983-02-07', '2021-08-13', 1),
(20, 'Uma', 'Joshi', 'India', '1970-04-16', '2022-01-19', 0),
(21, 'Vera', 'Hahn', 'Germany', '1983-08-14', '2020-05-26', 0),
(22, 'Wanjiru', 'Kamau', 'Kenya', '1990-02-26', '2024-01-11', 1),
(23, 'Xenia', 'Pappas', 'Greece', '2003-01-21', '2023-06-22', 0),
(24, 'Yan', 'Li', 'China', '1986-06-15', '2024-09-11', 0);

CREATE TABLE coupon (
  couponCode TEXT PRIMARY KEY,
  discountPercent INTEGER,
  validFrom DATE,
  validTo DATE
);

INSERT INTO coupon VALUES
('WELCOME10', 10, '2020-01-01', '2025-12-31'),
('SUMMER24', 30, '2024-06-15', '2024-08-31'),
('BLACK23', 50, '2023-11-20', '2023-11-30'),
('BLACK24', 50, '2024-11-22', '2024-12-02'),
('STUDENT', 25, '2022-09-01', NULL),
('SPRING22', 20, '2022-03-01', '2022-05-31'),
('OLDIE', 15, '2019-01-01', '2019-12-31');

CREATE TABLE enrolment (
  enrolmentId INTEGER PRIMARY KEY,
  studentId INTEGER NOT NULL REFERENCES student (studentId),
  courseId INTEGER NOT NULL REFERENCES course (courseId),
  enrolledDate DATE NOT NULL,
  completedDate DATE,
  progressPercent INTEGER,
  pricePaidCents INTEGER,
  couponCode TEXT REFERENCES coupon (couponCode)
);

INSERT INTO enrolment VALUES
(700, 12, 16, '2024-04-30', '2024-08-02', 100, 12900, NULL),
(701, 1, 5, '2023-08-20', NULL, 0, 4500, NULL),
(702, 20, 9, '2023-09-01', '2023-10-11', 100, 2900, NULL),
(703, 12, 13, '2024-07-22', '2024-09-13', 100, 4830, 'SUMMER24'),
(704, 22, 12, '2024-03-02', NULL, 10, 3150, 'WELCOME10'),
(705, 13, 16, '2024-11-12', '2024-12-11', 100, 12900, NULL),
(706, 22, 2, '2024-10-21', NULL, 85, 8010, 'WELCOME10'),
(707, 9, 7, '2021-10-06', '2022-01-16', 100, 5900, NULL),
(708, 6, 7, '2024-05-24', NULL, 0, 5900, NULL),
(709, 1, 15, '2024-07-19', NULL, 0, 3850, 'SUMMER24'),
(710, 18, 10, '2024-05-17', NULL, 25, 3900, NULL),
(711, 14, 13, '2024-02-25', '2024-05-28', 100, 6900, NULL),
(712, 9, 1, '2022-07-06', NULL, 10, 4900, NULL),
(713, 18, 15, '2023-09-25', '2023-11-30', 100, 5500, NULL),
(714, 14, 9, '2024-11-07', NULL, 60, 2900, NULL),
(715, 3, 7, '2024-09-07', NULL, 85, 5900, NULL),
(716, 8, 4, '2024-10-14', '2024-12-09', 100, 9900, NULL),
(717, 5, 6, '2024-07-14', NULL, 25, 4550, 'SUMMER24'),
(718, 11, 9, '2024-08-22', NULL, 85, 2030, 'SUMMER24'),
(719, 19, 7, '2024-08-19', '2024-10-28', 100, 4130, 'SUMMER24'),
(720, 19, 8, '2022-11-06', NULL, 0, 7900, NULL),
(721, 13, 6, '2024-05-11', NULL, 0, 6500, NULL),
(722, 16, 2, '2024-12-07', NULL, 10, 8900, NULL),
(723, 10, 2, '2022-07-17', NULL, 85, 8900, NULL),
(724, 11, 13, '2024-07-05', NULL, 60, 4830, 'SUMMER24'),
(725, 10, 1, '2023-12-22', NULL, 40, 4900, NULL),
(726, 6, 6, '2024-08-24', '2024-11-24', 100, 4550, 'SUMMER24'),
(727, 11, 16, '2024-08-07', NULL, 60, 11610, 'WELCOME10'),
(728, 21, 4, '2024-07-09', NULL, 85, 6930, 'SUMMER24'),
(729, 19, 4, '2024-12-07', NULL, 25, 7425, 'STUDENT'),
(730, 1, 9, '2024-03-18', '2024-07-21', 100, 2175, 'STUDENT'),
(731, 18, 4, '2024-08-12', '2024-10-16', 100, 8910, 'WELCOME10'),
(732, 6, 9, '2024-09-05', NULL, 0, 2900, NULL),
(733, 21, 8, '2023-03-24', NULL, 40, 5925, 'STUDENT'),
(734, 4, 9, '2024-07-26', '2024-10-28', 100, 2175, 'STUDENT'),
(735, 4, 11, '2022-11-12', '2023-01-29', 100, 2175, 'STUDENT'),
(736, 4, 10, '2024-02-17', NULL, 25, 3900, NULL),
(737, 5, 1, '2024-01-16', NULL, 25, 3675, 'STUDENT'),
(738, 19, 6, '2024-04-01', '2024-08-24', 100, 6500, NULL),
(739, 12, 1, '2024-08-23', NULL, 0, 3430, 'SUMMER24'),
(740, 22, 5, '2024-05-20', NULL, 40, 4500, NULL),
(741, 14, 3, '2024-11-10', NULL, 60, 2925, 'STUDENT'),
(742, 9, 12, '2023-01-09', NULL, 0, 3500, NULL),
(743, 9, 8, '2024-02-10', '2024-05-24', 100, 7900, NULL),
(744, 3, 3, '2024-08-04', '2024-10-28', 100, 2730, 'SUMMER24'),
(745, 19, 1, '2024-02-10', '2024-03-27', 100, 4900, NULL),
(746, 11, 7, '2020-09-04', '2021-01-19', 100, 5900, NULL),
(747, 1, 7, '2023-12-12', '2024-01-06', 100, 5900, NULL),
(748, 20, 16, '2024-05-30', NULL, 25, 12900, NULL),
(749, 14, 16, '2024-07-28', NULL, 0, 9030, 'SUMMER24'),
(750, 4, 2, '2023-01-07', '2023-03-19', 100, 8900, NULL),
(751, 2, 16, '2024-09-05', NULL, 60, 12900, NULL),
(752, 9, 4, '2022-08-15', NULL, 25, 9900, NULL),
(753, 17, 2, '2024-02-10', '2024-05-15', 100, 8900, NULL),
(754, 22, 3, '2024-11-30', NULL, 0, 3900, NULL),
(755, 13, 4, '2022-01-21', '2022-02-06', 100, 7425, 'STUDENT'),
(756, 8, 10, '2024-10-16', NULL, 25, 3900, NULL),
(757, 10, 3, '2024-11-05', NULL, 60, 3900, NULL);

CREATE TABLE lesson (
  lessonId INTEGER PRIMARY KEY,
  courseId INTEGER NOT NULL REFERENCES course (courseId),
  lessonNumber INTEGER,
  lessonTitle TEXT,
  minutes INTEGER,
  isFreePreview INTEGER
);

INSERT INTO lesson VALUES
(1, 1, 1, 'Welcome', 8, 1),
(2, 1, 2, 'First steps', 22, 0),
(3, 1, 3, 'Core ideas', 30, 0),
(4, 2, 1, 'Welcome', 22, 1),
(5, 2, 2, 'First steps', 30, 0),
(6, 2, 3, 'Core ideas', 22, 0),
(7, 2, 4, 'Practice', 6, 0),
(8, 2, 5, 'Common mistakes', 6, 0),
(9, 3, 1, 'Welcome', 15, 1),
(10, 3, 2, 'First steps', 30, 0),
(11, 3, 3, 'Core ideas', 8, 0),
(12, 3, 4, 'Practice', 30, 0),
(13, 3, 5, 'Common mistakes', 22, 0),
(14, 4, 1, 'Welcome', 12, 1),
(15, 4, 2, 'First steps', 15, 0),
(16, 4, 3, 'Core ideas', 30, 0),
(17, 4, 4, 'Practice', 30, 0),
(18, 5, 1, 'Welcome', 12, 1),
(19, 5, 2, 'First steps', 8, 0),
(20, 5, 3, 'Core ideas', 30, 0),
(21, 5, 4, 'Practice', 6, 0),
(22, 6, 1, 'Welcome', 22, 1),
(23, 6, 2, 'First steps', 6, 0),
(24, 6, 3, 'Core ideas', 8, 0),
(25, 6, 4, 'Practice', 12, 0),
(26, 7, 1, 'Welcome', 30, 1),
(27, 7, 2, 'First steps', 12, 0),
(28, 7, 3, 'Core ideas', 30, 0),
(29, 7, 4, 'Practice', 15, 0),
(30, 7, 5, 'Common mistakes', 12, 0),
(31, 8, 1, 'Welcome', 12, 1),
(32, 8, 2, 'First steps', 18, 0),
(33, 8, 3, 'Core ideas', 30, 0),
(34, 8, 4, 'Practice', 22, 0),
(35, 9, 1, 'Welcome', 12, 1),
(36, 9, 2, 'First steps', 12, 0),
(37, 9, 3, 'Core ideas', 18, 0),
(38, 9, 4, 'Practice', 18, 0),
(39, 10, 1, 'Welcome', 22, 1),
(40, 10, 2, 'First steps', 30, 0),
(41, 10, 3, 'Core ideas', 8, 0),
(42, 10, 4, 'Practice', 6, 0),
(43, 11, 1, 'Welcome', 12, 1),
(44, 11, 2, 'First steps', 18, 0),
(45, 11, 3, 'Core ideas', 15, 0),
(46, 12, 1, 'Welcome', 22, 1),
(47, 12, 2, 'First steps', 22, 0),
(48, 12, 3, 'Core ideas', 18, 0),
(49, 13, 1, 'Welcome', 30, 1),
(50, 13, 2, 'First steps', 12, 0),
(51, 13, 3, 'Core ideas', 22, 0),
(52, 13, 4, 'Practice', 15, 0);

CREATE TABLE quizAttempt (
  attemptId INTEGER PRIMARY KEY,
  enrolmentId INTEGER NOT NULL REFERENCES enrolment (enrolmentId),
  lessonId INTEGER NOT NULL REFERENCES lesson (lessonId),
  attemptedDate DATE,
  scorePercent INTEGER,
  passed TEXT
);

INSERT INTO quizAttempt VALUES
(1, 723, 7, '2022-08-10', 70, 'Y'),
(2, 723, 8, '2022-07-29', 70, 'Y'),
(3, 744, 9, '2024-09-01', 80, 'Y'),
(4, 703, 51, '2024-08-06', 70, 'Y'),
(5, 702, 35, '2023-09-20', 35, 'N'),
(6, 714, 38, '2024-11-18', 62, 'N'),
(7, 721, 24, '2024-05-28', 88, 'Y'),
(8, 718, 35, '2024-09-05', 70, 'Y'),
(9, 731, 14, '2024-08-27', 48, 'N'),
(10, 714, 38, '2024-11-17', 74, 'Y'),
(11, 745, 3, '2024-03-17', 100, 'Y'),
(12, 707, 26, '2021-10-20', 100, 'Y'),
(13, 729, 16, '2024-12-21', 55, 'N'),
(14, 735, 44, '2022-12-08', 35, 'N'),
(15, 741, 10, '2024-12-02', 88, 'Y'),
(16, 706, 4, '2024-10-24', 74, 'Y'),
(17, 733, 33, '2023-04-24', 55, 'N'),
(18, 747, 26, '2023-12-29', 88, 'Y'),
(19, 742, 47, '2023-01-12', 48, 'N'),
(20, 734, 37, '2024-08-26', 70, 'Y'),
(21, 739, 1, '2024-09-21', 70, 'Y'),
(22, 741, 12, '2024-12-06', 100, 'Y'),
(23, 718, 37, '2024-09-06', 55, 'N'),
(24, 732, 36, '2024-09-26', 80, 'Y'),
(25, 729, 16, '2025-01-12', 88, 'Y'),
(26, 735, 44, '2022-11-17', 48, 'N'),
(27, 712, 3, '2022-07-26', 80, 'Y'),
(28, 726, 23, '2024-09-21', 70, 'Y'),
(29, 725, 1, '2024-01-08', 100, 'Y'),
(30, 722, 7, '2025-01-15', 62, 'N'),
(31, 742, 48, '2023-01-31', 62, 'N'),
(32, 721, 23, '2024-06-13', 100, 'Y'),
(33, 718, 35, '2024-09-29', 74, 'Y'),
(34, 741, 12, '2024-12-17', 70, 'Y'),
(35, 728, 16, '2024-07-28', 88, 'Y'),
(36, 742, 48, '2023-02-03', 100, 'Y'),
(37, 703, 52, '2024-08-23', 74, 'Y'),
(38, 706, 4, '2024-11-04', 70, 'Y'),
(39, 719, 29, '2024-08-31', 55, 'N'),
(40, 724, 50, '2024-07-15', 95, 'Y'),
(41, 718, 37, '2024-08-28', 55, 'N'),
(42, 730, 38, '2024-04-12', 55, 'N'),
(43, 723, 6, '2022-07-25', 62, 'N'),
(44, 741, 9, '2024-11-15', 80, 'Y'),
(45, 747, 29, '2024-01-17', 74, 'Y'),
(46, 725, 3, '2024-01-04', 62, 'N'),
(47, 707, 27, '2021-10-22', 88, 'Y'),
(48, 745, 1, '2024-02-15', 95, 'Y'),
(49, 731, 15, '2024-08-21', 48, 'N'),
(50, 744, 10, '2024-08-10', 74, 'Y');

CREATE TABLE review (
  reviewId INTEGER PRIMARY KEY,
  enrolmentId INTEGER NOT NULL REFERENCES enrolment (enrolmentId),
  stars INTEGER NOT NULL,
  writtenDate DATE,
  comment TEXT
);

INSERT INTO review VALUES
(1, 726, 1, '2024-10-12', NULL),
(2, 711, 5, '2024-04-09', 'Too fast'),
(3, 739, 5, '2024-09-25', 'Sound quality poor'),
(4, 717, 4, '2024-07-31', 'Too fast'),
(5, 729, 5, '2024-12-26', 'Clear and helpful'),
(6, 756, 4, '2024-12-09', NULL),
(7, 745, 3, '2024-02-19', 'Great course'),
(8, 732, 5, '2024-10-20', 'Too fast'),
(9, 737, 5, '2024-03-09', 'Sound quality poor'),
(10, 705, 5, '2024-12-15', 'Too fast'),
(11, 719, 3, '2024-09-17', NULL),
(12, 713, 4, '2023-11-17', 'Great course'),
(13, 708, 2, '2024-07-08', 'Great course'),
(14, 712, 5, '2022-07-22', NULL),
(15, 730, 1, '2024-04-15', 'Clear and helpful'),
(16, 757, 5, '2024-11-13', 'Great course'),
(17, 754, 1, '2025-01-27', 'Clear and helpful'),
(18, 702, 1, '2023-09-11', 'Sound quality poor'),
(19, 706, 2, '2024-11-01', NULL),
(20, 753, 5, '2024-03-27', 'Clear and helpful'),
(21, 749, 5, '2024-09-07', NULL),
(22, 714, 4, '2024-12-12', 'Sound quality poor'),
(23, 721, 4, '2024-06-21', 'Clear and helpful'),
(24, 707, 4, '2021-10-23', 'Too fast'),
(25, 731, 3, '2024-08-23', 'Clear and helpful'),
(26, 700, 5, '2024-06-12', 'Too fast'),
(27, 744, 4, '2024-09-10', NULL),
(28, 746, 4, '2020-09-12', 'Sound quality poor'),
(29, 723, 3, '2022-08-29', 'Great course'),
(30, 715, 3, '2024-10-14', 'Great course'),
(31, 740, 1, '2024-07-05', 'Sound quality poor'),
(32, 743, 3, '2024-02-23', NULL);
