CREATE TABLE faculties (
  faculty_code TEXT PRIMARY KEY,
  faculty_name TEXT NOT NULL
);

INSERT INTO faculties VALUES
('ENG', 'Engineering'),
('HUM', 'Humanities'),
('LAW', 'Law'),
('MED', 'Medicine'),
('SCI', 'Science');

CREATE TABLE programmes (
  programme_id INTEGER PRIMARY KEY,
  programme_name TEXT NOT NULL,
  faculty_code TEXT NOT NULL REFERENCES faculties(faculty_code),
  level TEXT NOT NULL,
  total_credits INTEGER NOT NULL
);

INSERT INTO programmes VALUES
(1, 'BSc Mechanical Engineering', 'ENG', 'bachelor', 180),
(2, 'MSc Robotics', 'ENG', 'master', 120),
(3, 'BA History', 'HUM', 'bachelor', 180),
(4, 'LLB Law', 'LAW', 'bachelor', 240),
(5, 'BSc Biology', 'SCI', 'bachelor', 180),
(6, 'MSc Data Science', 'SCI', 'master', 90),
(7, 'BA Linguistics', 'HUM', 'bachelor', 180);

CREATE TABLE examiners (
  examiner_id INTEGER PRIMARY KEY,
  examiner_name TEXT NOT NULL,
  faculty_code TEXT REFERENCES faculties(faculty_code),
  position TEXT NOT NULL
);

INSERT INTO examiners VALUES
(1, 'Prof. Hanna Weiss', 'ENG', 'professor'),
(2, 'Dr. Lucas Boone', 'ENG', 'lecturer'),
(3, 'Prof. Mirela Stan', 'HUM', 'professor'),
(4, 'Dr. Ade Akande', 'LAW', 'lecturer'),
(5, 'Prof. Ian Cobb', 'SCI', 'professor'),
(6, 'Dr. Yara Haddad', 'SCI', 'lecturer'),
(7, 'Dr. Simon Frei', 'SCI', 'lecturer'),
(8, 'Prof. Noemi Costa', 'LAW', 'professor'),
(9, 'Dr. Bridget Lyle', 'HUM', 'lecturer'),
(10, 'Dr. Omar Sabri', NULL, 'external');

CREATE TABLE courses (
  course_code TEXT PRIMARY KEY,
  course_title TEXT NOT NULL,
  programme_id INTEGER NOT NULL REFERENCES programmes(programme_id),
  credits INTEGER NOT NULL,
  responsible_examiner_id INTEGER NOT NULL REFERENCES examiners(examiner_id),
  prerequisite_code TEXT REFERENCES courses(course_code)
);

INSERT INTO courses VALUES ('ME101', 'Statics', 1, 6, 1, NULL);
INSERT INTO courses VALUES ('ME205', 'Thermodynamics', 1, 8, 2, 'ME101');
INSERT INTO courses VALUES ('ME310', 'Machine Design', 1, 10, 1, 'ME205');
INSERT INTO courses VALUES ('RB501', 'Robot Kinematics', 2, 8, 2, NULL);
INSERT INTO courses VALUES ('HI110', 'Europe since 1789', 3, 10, 3, NULL);
INSERT INTO courses VALUES ('HI220', 'Reading Sources', 3, 5, 9, 'HI110');
INSERT INTO courses VALUES ('LW101', 'Contract Law', 4, 12, 4, NULL);
INSERT INTO courses VALUES ('LW240', 'Criminal Law', 4, 12, 8, 'LW101');
INSERT INTO courses VALUES ('BI120', 'Cell Biology', 5, 8, 5, NULL);
INSERT INTO courses VALUES ('BI230', 'Genetics', 5, 8, 7, 'BI120');
INSERT INTO courses VALUES ('DS510', 'Statistical Learning', 6, 9, 6, NULL);
INSERT INTO courses VALUES ('DS540', 'Databases', 6, 6, 7, NULL);
INSERT INTO courses VALUES ('LI105', 'Phonetics', 7, 5, 9, NULL);

CREATE TABLE rooms (
  room_code TEXT PRIMARY KEY,
  room_name TEXT NOT NULL,
  building TEXT,
  seats INTEGER
);

INSERT INTO rooms VALUES
('A1', 'Aula Maxima', 'Main Building', 220),
('B12', 'Lecture Hall B12', 'Science Wing', 90),
('C3', 'Seminar Room C3', 'Science Wing', 35),
('L07', 'Law Library Hall', 'Law Court', 60),
('S2', 'Sports Hall', 'Campus South', 300),
('X9', 'Online', NULL, NULL);

CREATE TABLE exams (
  exam_id INTEGER PRIMARY KEY,
  course_code TEXT NOT NULL REFERENCES courses(course_code),
  exam_date TEXT NOT NULL,
  start_time TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL,
  room_code TEXT REFERENCES rooms(room_code),
  first_examiner_id INTEGER NOT NULL REFERENCES examiners(examiner_id),
  second_examiner_id INTEGER REFERENCES examiners(examiner_id),
  exam_form TEXT NOT NULL
);

INSERT INTO exams VALUES
(301, 'RB501', '2022-02-08', '13:30', 120, 'A1', 2, 10, 'written'),
(302, 'BI120', '2022-02-08', '09:00', 120, 'S2', 5, NULL, 'written'),
(303, 'BI230', '2022-02-09', '13:30', 180, 'A1', 7, 6, 'written'),
(304, 'ME101', '2022-02-10', '09:00', 90, 'A1', 1, 2, 'written'),
(305, 'DS510', '2022-02-10', '09:00', 120, 'A1', 6, 5, 'written'),
(306, 'RB501', '2022-07-06', '13:30', 180, 'A1', 2, 10, 'written'),
(307, 'BI230', '2022-07-07', '09:00', 120, 'S2', 7, NULL, 'oral'),
(308, 'HI110', '2022-07-11', '09:00', 120, 'A1', 3, NULL, 'written'),
(309, 'ME310', '2022-07-14', '13:30', 90, 'A1', 1, NULL, 'oral'),
(310, 'LW240', '2022-07-19', '09:00', 90, 'A1', 8, 10, 'written'),
(311, 'BI230', '2023-02-10', '09:00', 180, 'A1', 7, 5, 'written'),
(312, 'HI220', '2023-02-11', '09:00', 120, 'B12', 9, 3, 'oral'),
(313, 'ME310', '2023-02-13', '09:00', 180, 'A1', 1, 2, 'written'),
(314, 'BI120', '2023-02-19', '13:30', 120, 'B12', 5, 6, 'written'),
(315, 'ME101', '2023-02-21', '09:00', 90, 'A1', 1, 10, 'written'),
(316, 'BI120', '2023-07-08', '13:30', 180, 'A1', 5, 6, 'written'),
(317, 'DS540', '2023-07-09', '09:00', 180, 'C3', 7, 5, 'oral'),
(318, 'HI220', '2023-07-15', '16:00', 120, 'C3', 9, NULL, 'written'),
(319, 'DS510', '2023-07-21', '09:00', 90, 'A1', 6, 7, 'written'),
(320, 'ME205', '2024-02-03', '09:00', 180, 'B12', 2, NULL, 'oral'),
(321, 'RB501', '2024-02-04', '09:00', 120, 'A1', 2, NULL, 'written'),
(322, 'LW101', '2024-02-07', '16:00', 90, 'A1', 4, NULL, 'written'),
(323, 'DS510', '2024-02-10', '13:30', 90, 'S2', 6, 5, 'written'),
(324, 'ME310', '2024-02-20', '16:00', 90, 'S2', 1, 2, 'written'),
(325, 'HI110', '2024-02-20', '09:00', 120, 'L07', 3, NULL, 'oral'),
(326, 'DS510', '2024-07-11', '09:00', 120, 'A1', 6, NULL, 'oral'),
(327, 'LI105', '2024-07-13', '09:00', 120, 'B12', 9, 3, 'oral'),
(328, 'DS540', '2024-07-16', '09:00', 90, 'A1', 7, NULL, 'oral'),
(329, 'LW101', '2024-07-20', '16:00', 180, 'C3', 4, 10, 'written'),
(330, 'ME205', '2024-07-21', '09:00', 120, 'A1', 2, 10, 'oral'),
(331, 'LW240', '2024-07-24', '09:00', 180, 'L07', 8, 10, 'oral'),
(332, 'LI105', '2025-02-11', '09:00', 90, NULL, 9, NULL, 'written');

CREATE TABLE students (
  student_no INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  programme_id INTEGER NOT NULL REFERENCES programmes(programme_id),
  entry_year INTEGER NOT NULL,
  study_status TEXT NOT NULL,
  extra_time TEXT NOT NULL,
  email TEXT
);

INSERT INTO students VALUES
(4401, 'Alina', 'Arnold', 2, 2022, 'active', 'N', 'alina.arnold@uni.example'),
(4402, 'Bruno', 'Berger', 1, 2022, 'graduated', 'Y', 'bruno.berger@uni.example'),
(4403, 'Chloe', 'Carter', 5, 2020, 'active', 'N', 'chloe.carter@uni.example'),
(4404, 'Daniel', 'Dietz', 2, 2022, 'on leave', 'N', 'daniel.dietz@uni.example'),
(4405, 'Esra', 'Erdem', 1, 2021, 'active', 'Y', 'esra.erdem@uni.example'),
(4406, 'Florian', 'Frank', 4, 2021, 'active', 'N', 'florian.frank@uni.example'),
(4407, 'Gemma', 'Gibson', 5, 2023, 'on leave', 'N', 'gemma.gibson@uni.example'),
(4408, 'Henrik', 'Holm', 1, 2022, 'graduated', 'Y', 'henrik.holm@uni.example'),
(4409, 'Iris', 'Ivanova', 1, 2022, 'on leave', 'N', 'iris.ivanova@uni.example'),
(4410, 'Jakob', 'Jung', 2, 2020, 'graduated', 'Y', 'jakob.jung@uni.example'),
(4411, 'Katja', 'Keller', 5, 2020, 'active', 'N', 'katja.keller@uni.example'),
(4412, 'Luis', 'Lopez', 5, 2021, 'withdrawn', 'N', 'luis.lopez@uni.example'),
(4413, 'Milena', 'Marin', 4, 2023, 'withdrawn', 'N', 'milena.marin@uni.example'),
(4414, 'Nils', 'Nowak', 3, 2021, 'active', 'N', 'nils.nowak@uni.example'),
(4415, 'Oriana', 'Orsini', 6, 2023, 'active', 'N', 'oriana.orsini@uni.example'),
(4416, 'Paul', 'Peters', 1, 2020, 'on leave', 'N', 'paul.peters@uni.example'),
(4417, 'Qadir', 'Rahman', 1, 2020, 'graduated', 'N', 'qadir.rahman@uni.example'),
(4418, 'Romy', 'Schulz', 3, 2020, 'active', 'N', 'romy.schulz@uni.example'),
(4419, 'Stefan', 'Stein', 5, 2023, 'active', 'N', 'stefan.stein@uni.example'),
(4420, 'Tara', 'Thapa', 6, 2022, 'active', 'N', 'tara.thapa@uni.example'),
(4421, 'Uwe', 'Ulrich', 6, 2020, 'active', 'N', 'uwe.ulrich@uni.example'),
(4422, 'Vera', 'Vidic', 6, 2022, 'active', 'N', 'vera.vidic@uni.example'),
(4423, 'Willem', 'Winter', 6, 2021, 'active', 'N', 'willem.winter@uni.example'),
(4424, 'Xenia', 'Xu', 5, 2022, 'active', 'N', 'xenia.xu@uni.example'),
(4425, 'Yusuf', 'Yilmaz', 1, 2023, 'active', 'N', NULL),
(4426, 'Zoe', 'Zeller', 3, 2021, 'active', 'N', 'zoe.zeller@uni.example');

CREATE TABLE exam_registrations (
  student_no INTEGER NOT NULL REFERENCES students(student_no),
  exam_id INTEGER NOT NULL REFERENCES exams(exam_id),
  registered_on TEXT NOT NULL,
  attendance TEXT NOT NULL,
  mark INTEGER,
  PRIMARY KEY (student_no, exam_id)
);

INSERT INTO exam_registrations VALUES
(4410, 301, '2022-01-25', 'sat', 74),
(4411, 302, '2022-01-04', 'sat', 47),
(4412, 302, '2022-01-25', 'sat', 47),
(4403, 303, '2022-01-20', 'absent', NULL),
(4411, 303, '2022-01-12', 'sat', 55),
(4405, 304, '2022-01-13', 'sat', 88),
(4417, 304, '2022-01-06', 'sat', 62),
(4423, 305, '2022-01-27', 'sat', 81),
(4410, 306, '2022-06-16', 'sat', 18),
(4403, 307, '2022-05-23', 'sat', 58),
(4412, 307, '2022-06-09', 'sat', 47),
(4414, 308, '2022-06-06', 'sat', 18),
(4406, 310, '2022-06-21', 'sat', 32),
(4411, 311, '2023-01-06', 'sat', 50),
(4412, 311, '2023-01-21', 'sat', 93),
(4424, 311, '2023-01-13', 'sat', 41),
(4414, 312, '2023-01-22', 'absent', NULL),
(4418, 312, '2023-01-07', 'absent', NULL),
(4402, 313, '2023-01-09', 'sat', 55),
(4409, 313, '2023-01-30', 'sat', 70),
(4416, 313, '2023-01-24', 'absent', NULL),
(4402, 315, '2023-02-07', 'sat', 66),
(4405, 315, '2023-01-07', 'sat', 47),
(4409, 315, '2023-02-07', 'sat', 58),
(4403, 316, '2023-06-24', 'withdrawn', NULL),
(4412, 316, '2023-05-24', 'sat', 55),
(4422, 317, '2023-06-04', 'sat', 66),
(4414, 318, '2023-05-31', 'sat', 66),
(4422, 319, '2023-06-16', 'sat', 32),
(4408, 320, '2023-12-30', 'sat', 58),
(4409, 320, '2024-01-14', 'sat', 41),
(4401, 321, '2024-01-07', 'absent', NULL),
(4404, 321, '2024-01-07', 'sat', 18),
(4410, 321, '2024-01-21', 'sat', 93),
(4416, 321, '2024-01-15', 'sat', 41),
(4406, 322, '2024-01-24', 'sat', 41),
(4413, 322, '2023-12-24', 'sat', 81),
(4420, 323, '2024-01-06', 'withdrawn', NULL),
(4421, 323, '2024-01-13', 'sat', 47),
(4422, 323, '2023-12-27', 'sat', 41),
(4423, 323, '2024-01-13', 'sat', 66),
(4402, 324, '2024-01-16', 'sat', 32),
(4408, 324, '2024-02-06', 'sat', 88),
(4409, 324, '2024-01-06', 'sat', 18),
(4417, 324, '2024-01-23', 'withdrawn', NULL),
(4414, 325, '2024-01-06', 'sat', 47),
(4418, 325, '2024-01-16', 'absent', NULL),
(4420, 326, '2024-06-06', 'absent', NULL),
(4422, 326, '2024-06-27', 'sat', 32),
(4423, 326, '2024-06-21', 'withdrawn', NULL),
(4415, 328, '2024-06-01', 'sat', 62),
(4421, 328, '2024-06-11', 'sat', 58),
(4422, 328, '2024-06-01', 'sat', 50),
(4413, 329, '2024-06-15', 'sat', 66),
(4405, 330, '2024-06-06', 'sat', 66),
(4408, 330, '2024-06-06', 'sat', 70),
(4409, 330, '2024-06-06', 'sat', 62),
(4416, 330, '2024-06-23', 'absent', NULL),
(4406, 331, '2024-06-09', 'sat', 88),
(4413, 331, '2024-06-19', 'sat', 41);

CREATE TABLE appeals (
  appeal_id INTEGER PRIMARY KEY,
  student_no INTEGER NOT NULL REFERENCES students(student_no),
  exam_id INTEGER NOT NULL REFERENCES exams(exam_id),
  filed_on TEXT NOT NULL,
  reason TEXT NOT NULL,
  decided_on TEXT,
  outcome TEXT,
  new_mark INTEGER
);

INSERT INTO appeals VALUES
(1, 4412, 316, '2023-07-29', 'marking error', '2023-09-11', 'upheld', 67),
(2, 4406, 322, '2024-02-28', 'marking error', '2024-04-12', 'rejected', NULL),
(3, 4410, 306, '2022-08-05', 'marking error', '2022-08-12', 'rejected', NULL),
(4, 4406, 310, '2022-08-18', 'noise in the room', NULL, NULL, NULL),
(5, 4422, 326, '2024-08-01', 'illness', '2024-08-08', 'upheld', 44),
(6, 4422, 328, '2024-07-26', 'marking error', '2024-08-23', 'rejected', NULL),
(7, 4411, 303, '2022-02-23', 'marking error', '2022-04-08', 'rejected', NULL),
(8, 4412, 302, '2022-03-01', 'marking error', '2022-03-16', 'rejected', NULL),
(9, 4403, 307, '2022-08-06', 'marking error', NULL, NULL, NULL),
(10, 4411, 311, '2023-03-12', 'noise in the room', '2023-04-09', 'rejected', NULL),
(11, 4416, 321, '2024-02-25', 'noise in the room', '2024-03-03', 'upheld', 49),
(12, 4404, 321, '2024-03-05', 'marking error', '2024-04-02', 'rejected', NULL);
