CREATE TABLE cinemas (
  cinema_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  town TEXT NOT NULL,
  opened_on TEXT,
  has_bar INTEGER NOT NULL
);

INSERT INTO cinemas VALUES
(1, 'Rialto', 'Marlow Bay', '1994-03-11', 1),
(2, 'Odeon Square', 'Marlow Bay', '2008-10-02', 1),
(3, 'The Lantern', 'Hexley', '1987-06-20', 0),
(4, 'Regal', 'Hexley', '1999-11-05', 0),
(5, 'Silver Dome', 'Port Arden', '2015-04-17', 1),
(6, 'Harbour Six', 'Port Arden', '2003-07-30', 0),
(7, 'Majestic', 'Kilburn Heath', '1992-12-12', 1),
(8, 'Vista', 'Stonebridge', '2019-05-03', 1),
(9, 'Phoenix', 'Stonebridge', NULL, 0),
(10, 'Electric', 'Wrayton', '2022-09-16', 1);

CREATE TABLE staff (
  staff_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  role TEXT NOT NULL,
  hourly_rate DOUBLE,
  cinema_id INTEGER REFERENCES cinemas (cinema_id),
  supervisor_id INTEGER REFERENCES staff (staff_id),
  started_on TEXT NOT NULL,
  left_on TEXT
);

INSERT INTO staff VALUES (1, 'Marta Kowal', 'manager', 24.5, 1, NULL, '2011-02-01', NULL);
INSERT INTO staff VALUES (2, 'Desmond Pryce', 'manager', 23.0, 3, NULL, '2014-08-18', NULL);
INSERT INTO staff VALUES (3, 'Ivy Thornton', 'manager', 25.0, 5, NULL, '2015-03-02', NULL);
INSERT INTO staff VALUES (4, 'Colm Brady', 'projectionist', 17.5, 1, 1, '2016-05-09', NULL);
INSERT INTO staff VALUES (5, 'Aisha Noor', 'usher', 12.4, 1, 1, '2021-09-13', NULL);
INSERT INTO staff VALUES (6, 'Peter Lund', 'bar staff', 12.8, 1, 1, '2022-06-01', '2024-02-29');
INSERT INTO staff VALUES (7, 'Gemma Walsh', 'usher', 12.4, 2, 1, '2023-03-20', NULL);
INSERT INTO staff VALUES (8, 'Tobias Reed', 'projectionist', 16.9, 3, 2, '2018-01-08', '2023-07-31');
INSERT INTO staff VALUES (9, 'Lena Fischer', 'projectionist', 17.1, 3, 2, '2023-08-07', NULL);
INSERT INTO staff VALUES (10, 'Omar Haddad', 'usher', 12.1, 4, 2, '2020-10-05', NULL);
INSERT INTO staff VALUES (11, 'Kate Molloy', 'cashier', 12.9, 4, 2, '2019-11-18', NULL);
INSERT INTO staff VALUES (12, 'Samir Patel', 'projectionist', 18.2, 5, 3, '2015-04-01', NULL);
INSERT INTO staff VALUES (13, 'Hana Sato', 'bar staff', 13.0, 5, 3, '2022-12-05', NULL);
INSERT INTO staff VALUES (14, 'Rory Quinn', 'usher', 12.2, 6, 3, '2024-01-15', NULL);
INSERT INTO staff VALUES (15, 'Beth Carver', 'cashier', 13.1, 6, 3, '2017-07-24', '2022-12-31');
INSERT INTO staff VALUES (16, 'Luis Ortega', 'usher', 12.2, 7, 1, '2024-01-15', NULL);
INSERT INTO staff VALUES (17, 'Nina Blom', 'cashier', NULL, 7, 1, '2024-06-03', NULL);
INSERT INTO staff VALUES (18, 'Frank Oduya', 'projectionist', 17.5, 8, 3, '2019-04-23', NULL);
INSERT INTO staff VALUES (19, 'Zoe Marsh', 'bar staff', 12.8, 8, 18, '2023-10-02', NULL);
INSERT INTO staff VALUES (20, 'Ellis Grant', 'usher', 11.9, 10, 2, '2022-09-01', NULL);
INSERT INTO staff VALUES (21, 'Priya Nair', 'usher', 12.4, 10, 2, '2023-11-11', '2024-08-15');

CREATE TABLE screens (
  screen_id INTEGER PRIMARY KEY,
  cinema_id INTEGER NOT NULL REFERENCES cinemas (cinema_id),
  screen_number INTEGER NOT NULL,
  seats INTEGER NOT NULL,
  format TEXT NOT NULL
);

INSERT INTO screens VALUES
(1, 1, 1, 110, 'standard'),
(2, 1, 2, 180, '3D'),
(3, 1, 3, 140, 'standard'),
(4, 1, 4, 110, 'standard'),
(5, 2, 1, 110, 'standard'),
(6, 2, 2, 180, '3D'),
(7, 2, 3, 140, 'standard'),
(8, 3, 1, 140, 'standard'),
(9, 3, 2, 85, 'standard'),
(10, 4, 1, 85, 'standard'),
(11, 4, 2, 140, 'standard'),
(12, 5, 1, 320, 'IMAX'),
(13, 5, 2, 180, '3D'),
(14, 5, 3, 110, 'standard'),
(15, 5, 4, 210, 'standard'),
(16, 5, 5, 140, 'standard'),
(17, 6, 1, 85, 'standard'),
(18, 6, 2, 180, '3D'),
(19, 6, 3, 60, 'standard'),
(20, 7, 1, 110, 'standard'),
(21, 7, 2, 85, 'standard'),
(22, 7, 3, 85, 'standard'),
(23, 8, 1, 320, 'IMAX'),
(24, 8, 2, 180, '3D'),
(25, 8, 3, 60, 'standard'),
(26, 8, 4, 140, 'standard'),
(27, 9, 1, 210, 'standard'),
(28, 10, 1, 210, 'standard'),
(29, 10, 2, 60, 'standard');

CREATE TABLE distributors (
  distributor_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT,
  rental_percent DOUBLE
);

INSERT INTO distributors VALUES
(1, 'Northgate Pictures', 'United Kingdom', 52.5),
(2, 'Paloma Films', 'Spain', 48.0),
(3, 'Grand Meridian', 'United States', 60.0),
(4, 'Lumen Releasing', 'France', 45.0),
(5, 'Kestrel Screen', 'Ireland', NULL),
(6, 'Tidewater', 'United States', 55.0);

CREATE TABLE films (
  film_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  genre TEXT,
  director TEXT,
  running_minutes INTEGER,
  certificate TEXT,
  released_on TEXT,
  distributor_id INTEGER REFERENCES distributors (distributor_id)
);

INSERT INTO films VALUES
(1, 'The Salt Road', 'drama', 'Anouk Perrin', 128, '12', '2022-03-18', 4),
(2, 'Night Ferry', 'thriller', 'Joel Hastings', 104, '15', '2022-10-07', 1),
(3, 'Paper Kites', 'family', 'Mei Tan', 92, 'U', '2023-07-14', 3),
(4, 'Colossus Rising', 'science fiction', 'Brad Keller', 162, '12', '2023-12-15', 3),
(5, 'Laughing Matter', 'comedy', 'Tess Moran', 97, '15', '2023-02-10', 5),
(6, 'The Hollow House', 'horror', 'Viktor Stahl', 101, '18', '2023-10-27', 6),
(7, 'Abuela', 'drama', 'Ines Cobo', 115, 'PG', '2024-02-02', 2),
(8, 'Bear and Badger', 'family', 'Mei Tan', 84, 'U', '2024-03-29', 3),
(9, 'Iron Harvest', 'war', 'Piotr Zielak', 151, '15', '2024-11-08', 1),
(10, 'Second Wedding', 'comedy', 'Tess Moran', 103, '12', '2024-06-14', 1),
(11, 'Dust Planet', 'science fiction', 'Brad Keller', 139, '12', '2024-05-24', 3),
(12, 'The Quiet Hour', 'thriller', 'Joel Hastings', 110, '15', '2024-09-20', 1),
(13, 'Grave Tide', 'horror', 'Viktor Stahl', 95, '18', '2024-10-25', 6),
(14, 'Café Minuit', 'drama', 'Anouk Perrin', 121, '12', '2024-01-19', 4),
(15, 'Little Comet', 'family', 'Sara Whitlock', 89, 'U', '2022-12-09', 3),
(16, 'The Ninth Wave', 'drama', 'Ines Cobo', 178, '15', NULL, 2),
(17, 'Mad About Mondays', 'comedy', 'Owen Price', 94, 'PG', '2023-08-18', 5);

CREATE TABLE showings (
  showing_id INTEGER PRIMARY KEY,
  film_id INTEGER NOT NULL REFERENCES films (film_id),
  screen_id INTEGER NOT NULL REFERENCES screens (screen_id),
  shown_on TEXT NOT NULL,
  starts_at TEXT,
  subtitled TEXT NOT NULL,
  attendance INTEGER,
  cancelled INTEGER NOT NULL
);

INSERT INTO showings VALUES
(1, 10, 13, '2024-08-10', '20:15', 'N', 45, 0),
(2, 10, 1, '2024-08-20', '11:00', 'N', NULL, 1),
(3, 4, 29, '2024-01-14', '21:30', 'N', 60, 0),
(4, 6, 15, '2024-01-10', '20:15', 'N', 45, 0),
(5, 11, 10, '2024-07-26', '11:00', 'N', NULL, 1),
(6, 8, 12, '2024-05-20', '21:30', 'N', 32, 0),
(7, 12, 9, '2024-10-30', '20:15', 'N', 58, 0),
(8, 1, 3, '2022-05-29', '18:00', 'Y', 58, 0),
(9, 7, 3, '2024-02-04', '11:00', 'Y', 18, 0),
(10, 8, 13, '2024-05-18', '20:15', 'N', 45, 0),
(11, 13, 22, '2024-11-28', '17:15', 'N', 77, 0),
(12, 1, 24, '2022-04-02', '20:45', 'Y', NULL, 1),
(13, 1, 15, '2022-05-19', '20:15', 'Y', 160, 0),
(14, 4, 24, '2023-12-31', '18:00', 'N', 32, 0),
(15, 7, 14, '2024-02-29', '21:30', 'N', NULL, 1),
(16, 13, 19, '2024-12-02', '11:00', 'N', 45, 0),
(17, 3, 13, '2023-09-25', '14:30', 'N', NULL, 1),
(18, 4, 12, '2023-12-16', '17:15', 'N', 58, 0),
(19, 7, 3, '2024-02-11', '20:15', 'Y', NULL, 1),
(20, 1, 20, '2022-05-04', '18:00', 'Y', 110, 0),
(21, 8, 27, '2024-06-10', '18:00', 'N', NULL, 1),
(22, 3, 21, '2023-08-02', '14:30', 'N', 85, 0),
(23, 4, 24, '2024-01-08', '20:45', 'N', 160, 0),
(24, 4, 13, '2024-02-14', '18:00', 'N', 18, 0),
(25, 2, 4, '2022-10-11', '17:15', 'N', 45, 0),
(26, 12, 23, '2024-11-09', '21:30', 'N', 240, 0),
(27, 8, 10, '2024-06-03', '20:45', 'N', 32, 0),
(28, 3, 8, '2023-09-13', '21:30', 'N', 140, 0),
(29, 10, 3, '2024-07-19', '14:30', 'N', 18, 0),
(30, 2, 13, '2022-12-03', '11:00', 'N', 45, 0),
(31, 5, 12, '2023-04-18', '14:30', 'N', 32, 0),
(32, 6, 5, '2023-12-23', '20:45', 'N', 110, 0),
(33, 10, 5, '2024-08-28', '11:00', 'N', NULL, 1),
(34, 8, 12, '2024-05-07', '11:00', 'N', 240, 0),
(35, 11, 3, '2024-07-24', '17:15', 'N', NULL, 1),
(36, 6, 2, '2023-11-05', '17:15', 'N', 18, 0),
(37, 15, 24, '2022-12-25', '17:15', 'N', 77, 0),
(38, 2, 22, '2022-12-06', '21:30', 'N', 85, 0),
(39, 13, 1, '2024-12-27', '20:15', 'N', 85, 0),
(40, 7, 19, '2024-02-03', '11:00', 'Y', 32, 0),
(41, 5, 29, '2023-04-04', '18:00', 'N', 60, 0),
(42, 8, 13, '2024-06-06', '21:30', 'N', NULL, 1),
(43, 9, 1, '2024-12-17', '18:00', 'N', 18, 0),
(44, 4, 23, '2023-12-29', '20:15', 'N', 120, 0),
(45, 5, 29, '2023-02-11', '14:30', 'N', 60, 0),
(46, 4, 17, '2024-01-05', '17:15', 'N', 85, 0),
(47, 8, 29, '2024-04-28', '20:45', 'N', 58, 0),
(48, 4, 13, '2024-01-09', '18:00', 'N', 45, 0),
(49, 10, 11, '2024-07-10', '18:00', 'N', NULL, 1),
(50, 6, 27, '2023-11-01', '17:15', 'N', 45, 0),
(51, 2, 15, '2022-12-06', '14:30', 'N', 85, 0),
(52, 7, 21, '2024-04-08', '17:15', 'N', 85, 0),
(53, 9, 11, '2024-12-27', '20:15', 'N', 18, 0),
(54, 4, 12, '2024-12-12', '20:15', 'N', 18, 0),
(55, 13, 5, '2024-12-15', '21:30', 'N', NULL, 1),
(56, 9, 8, '2024-12-26', '11:00', 'N', 120, 0),
(57, 4, 21, '2024-12-21', '20:45', 'N', 45, 0),
(58, 13, 27, '2024-12-09', '21:30', 'N', 120, 0),
(59, 13, 23, '2024-12-06', '17:15', 'N', 160, 0),
(60, 13, 18, '2024-12-13', '20:45', 'N', NULL, 1);

CREATE TABLE members (
  member_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  joined_on TEXT NOT NULL,
  tier TEXT NOT NULL,
  email TEXT,
  birth_date TEXT,
  favourite_cinema_id INTEGER REFERENCES cinemas (cinema_id)
);

INSERT INTO members VALUES
(1, 'Alan Birch', '2021-03-05', 'basic', 'alan.birch@mail.example', '1990-06-02', 8),
(2, 'Cora Finch', '2020-02-08', 'basic', 'cora.finch@mail.example', '1983-10-22', 9),
(3, 'Dmitri Volkov', '2022-03-10', 'silver', 'dmitri.volkov@mail.example', '1991-08-08', 6),
(4, 'Elsie Hart', '2022-08-26', 'basic', NULL, '1958-11-17', 2),
(5, 'Farah Aziz', '2020-03-12', 'basic', 'farah.aziz@mail.example', '1985-01-03', 2),
(6, 'Glen Tully', '2024-06-24', 'silver', 'glen.tully@mail.example', NULL, 9),
(7, 'Holly Crane', '2024-06-23', 'silver', 'holly.crane@mail.example', '1973-06-30', NULL),
(8, 'Ian Mercer', '2024-02-07', 'basic', 'ian.mercer@mail.example', '1981-04-07', 9),
(9, 'June Abbott', '2019-06-19', 'basic', NULL, '1989-07-22', 6),
(10, 'Karl Nyberg', '2022-02-01', 'gold', 'karl.nyberg@mail.example', '1974-09-11', 8),
(11, 'Lucia Romano', '2024-02-27', 'basic', 'lucia.romano@mail.example', '1969-08-02', 2),
(12, 'Mo Farouk', '2021-05-28', 'basic', 'mo.farouk@mail.example', '1965-07-06', 9),
(13, 'Nell Garvey', '2020-11-17', 'basic', 'nell.garvey@mail.example', '1992-03-20', 3),
(14, 'Otto Weiss', '2021-11-23', 'gold', 'otto.weiss@mail.example', '1994-03-11', NULL),
(15, 'Pia Lindgren', '2022-03-31', 'basic', 'pia.lindgren@mail.example', '1969-11-12', 8),
(16, 'Quentin Shaw', '2021-12-14', 'silver', 'quentin.shaw@mail.example', '2000-05-18', 3),
(17, 'Ruth Adeyemi', '2021-12-06', 'silver', NULL, '1977-12-18', 7),
(18, 'Steve Holt', '2024-05-09', 'basic', 'steve.holt@mail.example', '1977-04-25', 3),
(19, 'Tamsin Yeo', '2024-06-06', 'silver', 'tamsin.yeo@mail.example', '2001-05-28', 8),
(20, 'Una Devlin', '2020-02-16', 'gold', 'una.devlin@mail.example', '1998-01-29', 2),
(21, 'Vera Costa', '2021-10-27', 'basic', 'vera.costa@mail.example', '2004-04-19', NULL),
(22, 'Will Embry', '2021-02-11', 'basic', 'will.embry@mail.example', '1998-04-18', 1);

CREATE TABLE ticket_sales (
  sale_id INTEGER PRIMARY KEY,
  showing_id INTEGER NOT NULL REFERENCES showings (showing_id),
  member_id INTEGER REFERENCES members (member_id),
  ticket_type TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  price_each DOUBLE NOT NULL,
  sold_via TEXT NOT NULL,
  sold_on TEXT NOT NULL
);

INSERT INTO ticket_sales VALUES
(1, 44, 4, 'child', 5, 9.5, 'online', '2023-12-22'),
(2, 7, 13, 'senior', 2, 8.5, 'online', '2024-10-28'),
(3, 41, 16, 'adult', 3, 11.5, 'online', '2023-03-29'),
(4, 36, 9, 'senior', 2, 11.0, 'online', '2023-10-27'),
(5, 18, 10, 'adult', 3, 14.0, 'app', '2023-12-10'),
(6, 51, 4, 'child', 2, 7.0, 'online', '2022-12-05'),
(7, 37, 14, 'adult', 2, 14.0, 'online', '2022-12-24'),
(8, 52, 18, 'adult', 2, 11.5, 'online', '2024-04-04'),
(9, 16, 7, 'adult', 2, 11.5, 'online', '2024-11-24'),
(10, 11, 3, 'adult', 2, 11.5, 'counter', '2024-11-20'),
(11, 37, 5, 'child', 2, 9.5, 'counter', '2022-12-16'),
(12, 9, 12, 'adult', 3, 11.5, 'online', '2024-02-03'),
(13, 52, 7, 'adult', 1, 11.5, 'counter', '2024-03-31'),
(14, 3, NULL, 'adult', 5, 11.5, 'online', '2024-01-08'),
(15, 16, 6, 'adult', 2, 11.5, 'online', '2024-12-02'),
(16, 6, NULL, 'adult', 5, 14.0, 'online', '2024-05-12'),
(17, 28, 17, 'child', 3, 7.0, 'counter', '2023-09-07'),
(18, 50, 2, 'adult', 2, 11.5, 'online', '2023-10-29'),
(19, 39, NULL, 'adult', 4, 11.5, 'online', '2024-12-27'),
(20, 14, 1, 'adult', 3, 14.0, 'online', '2023-12-28'),
(21, 47, 11, 'senior', 2, 8.5, 'app', '2024-04-20'),
(22, 14, 11, 'child', 3, 9.5, 'counter', '2023-12-24'),
(23, 34, NULL, 'adult', 1, 14.0, 'app', '2024-05-02'),
(24, 40, 12, 'adult', 1, 11.5, 'online', '2024-01-29'),
(25, 54, 13, 'adult', 2, 14.0, 'online', '2024-12-09'),
(26, 43, 4, 'child', 4, 7.0, 'online', '2024-12-09'),
(27, 51, NULL, 'adult', 2, 11.5, 'counter', '2022-12-03'),
(28, 43, NULL, 'adult', 4, 11.5, 'online', '2024-12-09'),
(29, 24, 11, 'adult', 4, 14.0, 'online', '2024-02-12'),
(30, 53, 2, 'adult', 4, 11.5, 'online', '2024-12-24'),
(31, 40, NULL, 'adult', 1, 11.5, 'counter', '2024-02-01'),
(32, 36, 10, 'adult', 3, 14.0, 'app', '2023-11-03'),
(33, 53, 10, 'adult', 2, 11.5, 'online', '2024-12-18'),
(34, 23, 6, 'senior', 4, 11.0, 'counter', '2023-12-30'),
(35, 28, 11, 'student', 1, 9.0, 'online', '2023-09-10'),
(36, 59, 8, 'child', 1, 9.5, 'online', '2024-12-04'),
(37, 13, 4, 'adult', 1, 11.5, 'counter', '2022-05-17'),
(38, 10, NULL, 'adult', 3, 14.0, 'online', '2024-05-10'),
(39, 31, 14, 'child', 5, 9.5, 'app', '2023-04-18'),
(40, 56, 17, 'child', 2, 7.0, 'app', '2024-12-19'),
(41, 23, 10, 'child', 3, 9.5, 'app', '2024-01-03'),
(42, 51, NULL, 'student', 2, 9.0, 'app', '2022-11-30'),
(43, 18, 7, 'adult', 1, 14.0, 'online', '2023-12-07'),
(44, 25, 2, 'adult', 1, 11.5, 'online', '2022-10-10'),
(45, 25, NULL, 'adult', 2, 11.5, 'online', '2022-10-07'),
(46, 40, 11, 'child', 3, 7.0, 'counter', '2024-01-27'),
(47, 7, 7, 'adult', 5, 11.5, 'counter', '2024-10-25'),
(48, 32, 11, 'adult', 2, 11.5, 'online', '2023-12-20'),
(49, 53, 15, 'adult', 3, 11.5, 'online', '2024-12-26'),
(50, 8, 16, 'child', 5, 7.0, 'app', '2022-05-20'),
(51, 7, 3, 'adult', 2, 11.5, 'counter', '2024-10-26'),
(52, 26, 11, 'adult', 3, 14.0, 'online', '2024-11-05'),
(53, 58, 9, 'child', 5, 7.0, 'app', '2024-12-07'),
(54, 28, 17, 'adult', 2, 11.5, 'online', '2023-09-09'),
(55, 31, 13, 'adult', 4, 14.0, 'online', '2023-04-18'),
(56, 31, 6, 'child', 2, 9.5, 'online', '2023-04-16'),
(57, 26, 2, 'adult', 2, 14.0, 'app', '2024-10-31'),
(58, 53, 18, 'child', 2, 7.0, 'online', '2024-12-23'),
(59, 8, NULL, 'adult', 3, 11.5, 'online', '2022-05-20'),
(60, 52, 14, 'student', 2, 9.0, 'online', '2024-04-06');
