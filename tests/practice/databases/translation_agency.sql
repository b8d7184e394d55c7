CREATE TABLE language (
  languageCode TEXT PRIMARY KEY,
  languageName TEXT NOT NULL
);

INSERT INTO language VALUES
('EN', 'English'),
('DE', 'German'),
('FR', 'French'),
('ES', 'Spanish'),
('IT', 'Italian'),
('PL', 'Polish'),
('JA', 'Japanese'),
('NL', 'Dutch'),
('PT', 'Portuguese'),
('FI', 'Finnish');

CREATE TABLE employee (
  employeeId INTEGER PRIMARY KEY,
  fullName TEXT NOT NULL,
  jobTitle TEXT NOT NULL,
  reportsTo INTEGER REFERENCES employee(employeeId)
);

INSERT INTO employee VALUES (1, 'Corinna Falk', 'Managing Director', NULL);
INSERT INTO employee VALUES (2, 'Piet Janssen', 'Head of Sales', 1);
INSERT INTO employee VALUES (3, 'Alma Ortega', 'Account Manager', 2);
INSERT INTO employee VALUES (4, 'Rupert Hale', 'Account Manager', 2);
INSERT INTO employee VALUES (5, 'Sanna Virtanen', 'Project Manager', 1);
INSERT INTO employee VALUES (6, 'Luca Ferri', 'Project Manager', 1);
INSERT INTO employee VALUES (7, 'Dorothea Kern', 'Account Manager', 2);
INSERT INTO employee VALUES (8, 'Ella Moss', 'Trainee', 5);
INSERT INTO employee VALUES (9, 'Bruno Vidal', 'Vendor Manager', 1);
INSERT INTO employee VALUES (10, 'Irene Katz', 'Accountant', 1);

CREATE TABLE translator (
  translatorId INTEGER PRIMARY KEY,
  fullName TEXT NOT NULL,
  homeCountry TEXT NOT NULL,
  centsPerWord INTEGER,
  joinedOn TEXT NOT NULL,
  isActive INTEGER NOT NULL
);

INSERT INTO translator VALUES
(1, 'Agnes Bauer', 'Germany', 11, '2016-02-01', 1),
(2, 'Julien Perrot', 'France', 12, '2017-05-15', 1),
(3, 'Carmen Soler', 'Spain', 9, '2018-09-03', 1),
(4, 'Giorgia Neri', 'Italy', 10, '2019-01-21', 1),
(5, 'Tomasz Wilk', 'Poland', 8, '2019-06-10', 1),
(6, 'Haruka Sato', 'Japan', 18, '2020-03-02', 1),
(7, 'Wouter de Vries', 'Netherlands', 12, '2020-11-16', 1),
(8, 'Rita Lopes', 'Portugal', 9, '2021-04-12', 0),
(9, 'Karl Steiner', 'Austria', 13, '2015-08-24', 1),
(10, 'Nadine Roux', 'Belgium', NULL, '2024-06-03', 1),
(11, 'Peter Ashworth', 'United Kingdom', 14, '2018-02-12', 1),
(12, 'Maria Brandt', 'Germany', 10, '2022-10-17', 1),
(13, 'Liam Doran', 'Ireland', 13, '2023-03-27', 0),
(14, 'Aino Laine', 'Finland', 15, '2024-09-09', 1);

CREATE TABLE translatorPair (
  translatorId INTEGER NOT NULL REFERENCES translator(translatorId),
  sourceLanguage TEXT NOT NULL REFERENCES language(languageCode),
  targetLanguage TEXT NOT NULL REFERENCES language(languageCode),
  PRIMARY KEY (translatorId, sourceLanguage, targetLanguage)
);

INSERT INTO translatorPair VALUES
(1, 'EN', 'DE'),
(1, 'FR', 'DE'),
(2, 'EN', 'FR'),
(2, 'DE', 'FR'),
(3, 'EN', 'ES'),
(3, 'FR', 'ES'),
(4, 'EN', 'IT'),
(4, 'DE', 'IT'),
(5, 'EN', 'PL'),
(5, 'DE', 'PL'),
(6, 'EN', 'JA'),
(7, 'EN', 'NL'),
(7, 'DE', 'NL'),
(8, 'EN', 'PT'),
(8, 'ES', 'PT'),
(9, 'EN', 'DE'),
(9, 'IT', 'DE'),
(9, 'ES', 'DE'),
(10, 'EN', 'FR'),
(10, 'NL', 'FR'),
(11, 'DE', 'EN'),
(11, 'FR', 'EN'),
(12, 'EN', 'DE'),
(12, 'PL', 'DE'),
(13, 'ES', 'EN'),
(13, 'DE', 'EN'),
(14, 'EN', 'FI');

CREATE TABLE client (
  clientId INTEGER PRIMARY KEY,
  clientName TEXT NOT NULL,
  country TEXT NOT NULL,
  sector TEXT NOT NULL,
  accountManagerId INTEGER REFERENCES employee(employeeId)
);

INSERT INTO client VALUES
(1, 'Kessler Maschinenbau', 'Germany', 'manufacturing', 3),
(2, 'Bluefin Travel', 'United Kingdom', 'tourism', 4),
(3, 'Medivane Pharma', 'Switzerland', 'pharma', 3),
(4, 'Oakline Furniture', 'Sweden', 'retail', 7),
(5, 'Puente Legal', 'Spain', 'legal', 4),
(6, 'Novaris Games', 'France', 'software', 7),
(7, 'Tekstura', 'Poland', 'software', NULL),
(8, 'Hanami Foods', 'Japan', 'food', 3),
(9, 'Veldhuis Bank', 'Netherlands', 'finance', 4),
(10, 'Aurum Watches', 'Switzerland', 'retail', 7),
(11, 'Stadtwerke Linz', 'Austria', 'energy', 3),
(12, 'Castelo Wines', 'Portugal', 'food', NULL);

CREATE TABLE job (
  jobId INTEGER PRIMARY KEY,
  clientId INTEGER NOT NULL REFERENCES client(clientId),
  sourceLanguage TEXT NOT NULL REFERENCES language(languageCode),
  targetLanguage TEXT NOT NULL REFERENCES language(languageCode),
  translatorId INTEGER NOT NULL REFERENCES translator(translatorId),
  reviewerId INTEGER REFERENCES translator(translatorId),
  wordCount INTEGER NOT NULL,
  receivedOn TEXT NOT NULL,
  dueOn TEXT NOT NULL,
  deliveredOn TEXT,
  priceCents INTEGER NOT NULL,
  isUrgent INTEGER NOT NULL
);

INSERT INTO job VALUES
(1201, 5, 'EN', 'DE', 1, 9, 3300, '2022-01-28', '2022-01-31', '2022-02-01', 77138, 1),
(1202, 5, 'EN', 'NL', 7, 11, 12500, '2022-02-01', '2022-02-22', '2022-02-23', 255000, 0),
(1203, 3, 'DE', 'IT', 4, NULL, 1200, '2022-02-27', '2022-03-09', '2022-03-10', 20400, 0),
(1204, 6, 'DE', 'PL', 5, NULL, 850, '2022-02-27', '2022-03-04', '2022-03-03', 11560, 0),
(1205, 2, 'DE', 'EN', 11, NULL, 21000, '2022-05-15', '2022-05-29', '2022-05-29', 499800, 0),
(1206, 4, 'FR', 'ES', 3, NULL, 1800, '2022-05-21', '2022-05-23', '2022-05-22', 34425, 1),
(1207, 11, 'EN', 'DE', 9, 12, 850, '2022-05-24', '2022-06-07', NULL, 18785, 0),
(1208, 1, 'EN', 'PL', 5, NULL, 21000, '2022-07-28', '2022-08-07', '2022-08-08', 285600, 0),
(1209, 10, 'EN', 'PT', 8, NULL, 7200, '2022-07-31', '2022-08-14', '2022-08-15', 110160, 0),
(1210, 6, 'DE', 'IT', 4, NULL, 3300, '2022-08-26', '2022-09-09', '2022-09-09', 56100, 0),
(1211, 3, 'ES', 'PT', 8, NULL, 4800, '2022-08-29', '2022-09-12', NULL, 73440, 0),
(1212, 1, 'FR', 'EN', 11, 13, 400, '2022-09-19', '2022-09-24', '2022-09-23', 9520, 0),
(1213, 1, 'EN', 'PT', 8, NULL, 4800, '2022-09-26', '2022-10-01', '2022-10-03', 73440, 0),
(1214, 1, 'ES', 'DE', 9, NULL, 850, '2022-10-12', '2022-11-02', '2022-11-02', 18785, 0),
(1215, 6, 'ES', 'DE', 9, 1, 2500, '2022-10-21', '2022-10-28', '2022-10-25', 55250, 0),
(1216, 11, 'DE', 'IT', 4, NULL, 4800, '2022-10-27', '2022-10-30', '2022-10-30', 102000, 1),
(1217, 1, 'EN', 'IT', 4, NULL, 400, '2022-11-13', '2022-11-27', '2022-11-27', 6800, 0),
(1218, 1, 'IT', 'DE', 9, 1, 3300, '2022-11-19', '2022-11-22', '2022-11-24', 91162, 1),
(1219, 1, 'DE', 'FR', 2, NULL, 850, '2022-11-22', '2022-12-13', '2022-12-14', 17340, 0),
(1220, 11, 'EN', 'JA', 6, NULL, 850, '2022-12-16', '2022-12-26', '2022-12-26', 26010, 0),
(1221, 6, 'EN', 'DE', 12, 9, 1200, '2022-12-31', '2023-01-05', '2023-01-04', 20400, 0),
(1222, 1, 'EN', 'FR', 2, NULL, 1800, '2023-02-04', '2023-02-09', '2023-02-08', 36720, 0),
(1223, 1, 'DE', 'NL', 7, NULL, 850, '2023-02-13', '2023-02-27', '2023-02-26', 17340, 0),
(1224, 6, 'EN', 'DE', 12, NULL, 1800, '2023-02-15', '2023-02-18', '2023-02-20', 38250, 1),
(1225, 6, 'EN', 'DE', 12, 9, 1800, '2023-02-16', '2023-02-18', '2023-02-19', 38250, 1),
(1226, 8, 'FR', 'DE', 1, NULL, 4800, '2023-02-17', '2023-02-27', '2023-02-27', 89760, 0),
(1227, 5, 'EN', 'DE', 12, 9, 21000, '2023-03-04', '2023-03-06', '2023-03-05', 446250, 1),
(1228, 9, 'EN', 'PL', 5, 11, 1800, '2023-03-12', '2023-04-02', '2023-04-02', 24480, 0),
(1229, 11, 'DE', 'NL', 7, 11, 21000, '2023-03-21', '2023-03-26', '2023-03-25', 428400, 0),
(1230, 2, 'DE', 'EN', 11, 13, 3300, '2023-04-21', '2023-04-26', '2023-04-26', 78540, 0),
(1231, 6, 'EN', 'FR', 2, NULL, 3300, '2023-04-29', '2023-05-04', '2023-05-01', 67320, 0),
(1232, 11, 'ES', 'EN', 13, 11, 1800, '2023-05-06', '2023-05-11', '2023-05-08', 39780, 0),
(1233, 3, 'FR', 'DE', 1, NULL, 400, '2023-05-11', '2023-05-18', '2023-05-23', 7480, 0),
(1234, 1, 'FR', 'EN', 11, 13, 1800, '2023-05-16', '2023-05-26', '2023-05-28', 42840, 0),
(1235, 9, 'ES', 'EN', 13, NULL, 21000, '2023-05-25', '2023-06-04', '2023-06-01', 464100, 0),
(1236, 9, 'DE', 'EN', 13, 11, 2500, '2023-07-11', '2023-07-14', '2023-07-14', 69062, 1),
(1237, 3, 'ES', 'EN', 13, NULL, 850, '2023-07-17', '2023-07-22', '2023-07-22', 18785, 0),
(1238, 11, 'EN', 'DE', 12, 9, 3300, '2023-08-09', '2023-08-14', '2023-08-19', 56100, 0),
(1239, 3, 'EN', 'DE', 9, 1, 3300, '2023-08-15', '2023-08-22', '2023-08-22', 72930, 0),
(1240, 5, 'IT', 'DE', 9, NULL, 21000, '2023-09-22', '2023-09-27', '2023-09-27', 464100, 0),
(1241, 3, 'FR', 'ES', 3, NULL, 7200, '2023-10-24', '2023-10-26', NULL, 137700, 1),
(1242, 5, 'EN', 'ES', 3, NULL, 850, '2023-11-12', '2023-11-19', '2023-11-21', 13005, 0),
(1243, 9, 'EN', 'ES', 3, 11, 400, '2024-01-07', '2024-01-12', '2024-01-12', 6120, 0),
(1244, 3, 'FR', 'EN', 11, NULL, 2500, '2024-01-21', '2024-01-26', '2024-01-28', 59500, 0),
(1245, 5, 'PL', 'DE', 12, NULL, 3300, '2024-01-25', '2024-02-04', '2024-02-05', 56100, 0),
(1246, 6, 'DE', 'EN', 11, 13, 400, '2024-02-14', '2024-02-21', '2024-02-26', 9520, 0),
(1247, 4, 'FR', 'EN', 11, NULL, 2500, '2024-02-16', '2024-02-18', '2024-02-19', 74375, 1),
(1248, 3, 'EN', 'DE', 1, 9, 3300, '2024-02-19', '2024-02-24', '2024-02-23', 61710, 0),
(1249, 3, 'EN', 'JA', 6, NULL, 1200, '2024-04-04', '2024-04-11', '2024-04-13', 36720, 0),
(1250, 6, 'EN', 'DE', 12, 1, 2500, '2024-04-06', '2024-04-09', '2024-04-09', 53125, 1),
(1251, 9, 'PL', 'DE', 12, 9, 850, '2024-04-19', '2024-04-26', '2024-04-25', 14450, 0),
(1252, 8, 'FR', 'DE', 1, NULL, 1800, '2024-05-17', '2024-05-24', '2024-05-24', 33660, 0),
(1253, 3, 'DE', 'EN', 11, 13, 7200, '2024-08-10', '2024-08-12', '2024-08-11', 214200, 1),
(1254, 6, 'IT', 'DE', 9, 1, 1200, '2024-10-21', '2024-11-04', '2024-11-05', 26520, 0),
(1255, 1, 'DE', 'FR', 2, NULL, 850, '2024-11-12', '2024-11-26', NULL, 17340, 0),
(1256, 1, 'DE', 'IT', 4, NULL, 2500, '2024-11-23', '2024-12-07', NULL, 42500, 0);

CREATE TABLE jobStatusHistory (
  jobId INTEGER NOT NULL REFERENCES job(jobId),
  statusName TEXT NOT NULL,
  changedOn TEXT NOT NULL
);

INSERT INTO jobStatusHistory VALUES
(1219, 'received', '2022-11-22'),
(1219, 'in translation', '2022-11-22'),
(1219, 'delivered', '2022-12-14'),
(1220, 'received', '2022-12-16'),
(1220, 'in translation', '2022-12-17'),
(1220, 'delivered', '2022-12-26'),
(1221, 'received', '2022-12-31'),
(1221, 'in translation', '2022-12-31'),
(1221, 'in review', '2023-01-02'),
(1221, 'delivered', '2023-01-04'),
(1222, 'received', '2023-02-04'),
(1222, 'in translation', '2023-02-04'),
(1222, 'delivered', '2023-02-08'),
(1223, 'received', '2023-02-13'),
(1223, 'in translation', '2023-02-14'),
(1224, 'received', '2023-02-15'),
(1224, 'in translation', '2023-02-16'),
(1224, 'delivered', '2023-02-20'),
(1225, 'received', '2023-02-16'),
(1225, 'in translation', '2023-02-17'),
(1225, 'in review', '2023-02-19'),
(1225, 'delivered', '2023-02-19'),
(1226, 'received', '2023-02-17'),
(1226, 'in translation', '2023-02-18'),
(1226, 'delivered', '2023-02-27'),
(1227, 'received', '2023-03-04'),
(1227, 'in translation', '2023-03-04'),
(1227, 'in review', '2023-03-05'),
(1227, 'delivered', '2023-03-05'),
(1228, 'received', '2023-03-12'),
(1228, 'in translation', '2023-03-12'),
(1228, 'in review', '2023-03-13'),
(1228, 'delivered', '2023-04-02'),
(1229, 'received', '2023-03-21'),
(1229, 'in translation', '2023-03-21'),
(1229, 'in review', '2023-03-22'),
(1229, 'on hold', '2023-03-23'),
(1230, 'received', '2023-04-21'),
(1230, 'in translation', '2023-04-21'),
(1230, 'in review', '2023-04-25'),
(1230, 'delivered', '2023-04-26'),
(1231, 'received', '2023-04-29'),
(1231, 'in translation', '2023-04-30'),
(1231, 'delivered', '2023-05-01'),
(1232, 'received', '2023-05-06'),
(1232, 'in translation', '2023-05-07'),
(1232, 'in review', '2023-05-08'),
(1232, 'delivered', '2023-05-08'),
(1233, 'received', '2023-05-11'),
(1233, 'in translation', '2023-05-11'),
(1233, 'delivered', '2023-05-23'),
(1234, 'received', '2023-05-16'),
(1234, 'in translation', '2023-05-16'),
(1234, 'in review', '2023-05-20'),
(1234, 'delivered', '2023-05-28'),
(1235, 'received', '2023-05-25'),
(1235, 'in translation', '2023-05-26'),
(1235, 'delivered', '2023-06-01'),
(1236, 'received', '2023-07-11'),
(1236, 'in translation', '2023-07-12'),
(1236, 'in review', '2023-07-14'),
(1236, 'delivered', '2023-07-14');

CREATE TABLE complaint (
  complaintId INTEGER PRIMARY KEY,
  jobId INTEGER NOT NULL REFERENCES job(jobId),
  raisedOn TEXT NOT NULL,
  kind TEXT NOT NULL,
  refundCents INTEGER,
  wasJustified INTEGER NOT NULL
);

INSERT INTO complaint VALUES
(1, 1252, '2024-06-08', 'late delivery', 12000, 1),
(2, 1235, '2023-06-09', 'late delivery', 0, 1),
(3, 1254, '2024-11-13', 'terminology', 12000, 0),
(4, 1218, '2022-11-25', 'terminology', 2500, 1),
(5, 1214, '2022-11-17', 'terminology', NULL, 1),
(6, 1223, '2023-03-13', 'formatting', 12000, 0),
(7, 1219, '2022-12-22', 'terminology', 5000, 1),
(8, 1203, '2022-03-18', 'terminology', 0, 0),
(9, 1249, '2024-04-16', 'terminology', 2500, 0),
(10, 1213, '2022-10-18', 'spelling', 2500, 1),
(11, 1206, '2022-05-23', 'spelling', 2500, 1),
(12, 1204, '2022-03-11', 'terminology', 2500, 1),
(13, 1237, '2023-07-30', 'spelling', 2500, 1);
