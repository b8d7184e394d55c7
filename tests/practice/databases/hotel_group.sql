CREATE TABLE hotels (
  hotel_id INTEGER PRIMARY KEY,
  hotel_name TEXT NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  stars INTEGER,
  room_count INTEGER NOT NULL,
  opened_on TEXT NOT NULL
);

INSERT INTO hotels VALUES
(1, 'The Alder House', 'Leeds', 'England', 4, 62, '1998-05-01'),
(2, 'Harbour Lights', 'Whitby', 'England', 3, 38, '2006-04-14'),
(3, 'Castle Court', 'Edinburgh', 'Scotland', 5, 94, '1987-09-20'),
(4, 'The Loch Inn', 'Oban', 'Scotland', 3, 24, '2011-06-10'),
(5, 'Hotel Brennan', 'Galway', 'Ireland', 4, 71, '2015-03-17'),
(6, 'The Liffey Rooms', 'Dublin', 'Ireland', 4, 110, '2019-11-05'),
(7, 'Dune Lodge', 'Tenby', 'Wales', NULL, 18, '2024-05-24');

CREATE TABLE room_types (
  room_type TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  sleeps INTEGER NOT NULL,
  base_rate INTEGER NOT NULL
);

INSERT INTO room_types VALUES
('SGL', 'Single', 1, 75),
('DBL', 'Double', 2, 110),
('TWN', 'Twin', 2, 105),
('FAM', 'Family', 4, 160),
('STE', 'Suite', 3, 240);

CREATE TABLE guests (
  guest_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  nationality TEXT,
  birth_date TEXT,
  loyalty_level TEXT
);

INSERT INTO guests VALUES
(1, 'Clara', 'Vogel', 'German', '1975-03-28', 'silver'),
(2, 'Jonas', 'Brady', 'Irish', '1968-08-29', 'platinum'),
(3, 'Aoife', 'Keane', 'Irish', '1972-09-06', 'platinum'),
(4, 'Mateo', 'Ruiz', 'Spanish', '1965-03-15', NULL),
(5, 'Ingrid', 'Dahl', 'Norwegian', '1968-10-22', NULL),
(6, 'Pavel', 'Novak', 'Czech', NULL, NULL),
(7, 'Sophie', 'Martin', 'French', '1999-09-01', NULL),
(8, 'Kwame', 'Asante', 'Ghanaian', '1978-06-08', NULL),
(9, 'Beatrice', 'Holt', 'British', '1990-09-20', NULL),
(10, 'Lars', 'Eriksen', 'Danish', '1953-04-17', 'silver'),
(11, 'Niamh', 'Doyle', 'Irish', '1965-02-28', NULL),
(12, 'Hugo', 'Blanc', 'French', '1975-07-18', 'silver'),
(13, 'Yuki', 'Tanaka', 'Japanese', '1991-03-08', NULL),
(14, 'Elena', 'Rossi', 'Italian', '1975-01-11', 'silver'),
(15, 'Robert', 'Hume', 'British', '1972-12-29', 'silver'),
(16, 'Marta', 'Zielinska', 'Polish', '2001-04-25', 'gold'),
(17, 'Dylan', 'Evans', 'British', NULL, 'silver'),
(18, 'Petra', 'Kraus', 'German', '1984-09-03', 'silver'),
(19, 'Amir', 'Rahimi', 'British', '1980-02-24', 'platinum'),
(20, 'Judith', 'Black', 'British', '1962-07-12', 'silver'),
(21, 'Silvio', 'Conti', 'Italian', '1975-08-02', 'platinum'),
(22, 'Greta', 'Lind', NULL, '1992-03-23', 'gold');

CREATE TABLE staff (
  staff_id INTEGER PRIMARY KEY,
  staff_name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  hotel_id INTEGER NOT NULL REFERENCES hotels(hotel_id),
  boss_id INTEGER REFERENCES staff(staff_id),
  yearly_salary INTEGER NOT NULL,
  started_on TEXT NOT NULL
);

INSERT INTO staff VALUES (1, 'Moira Fenn', 'General Manager', 3, NULL, 68000, '2005-02-01');
INSERT INTO staff VALUES (2, 'Colm Brennan', 'Hotel Manager', 5, 1, 54000, '2015-02-02');
INSERT INTO staff VALUES (3, 'Isla Grant', 'Hotel Manager', 3, 1, 58000, '2010-08-16');
INSERT INTO staff VALUES (4, 'Anton Weiss', 'Hotel Manager', 1, 1, 52000, '2012-01-09');
INSERT INTO staff VALUES (5, 'Tess Oakley', 'Hotel Manager', 2, 1, 45000, '2018-03-05');
INSERT INTO staff VALUES (6, 'Rory Lamb', 'Hotel Manager', 4, 1, 43000, '2019-10-21');
INSERT INTO staff VALUES (7, 'Sinead Walsh', 'Hotel Manager', 6, 1, 60000, '2019-06-03');
INSERT INTO staff VALUES (8, 'Bianca Reyes', 'Receptionist', 3, 3, 27500, '2021-05-17');
INSERT INTO staff VALUES (9, 'Gareth Poole', 'Receptionist', 1, 4, 26800, '2020-02-24');
INSERT INTO staff VALUES (10, 'Fatima Idris', 'Receptionist', 6, 7, 28500, '2022-09-12');
INSERT INTO staff VALUES (11, 'Kenji Mori', 'Chef', 3, 3, 41000, '2014-11-03');
INSERT INTO staff VALUES (12, 'Louise Tran', 'Chef', 6, 7, 43500, '2020-01-13');
INSERT INTO staff VALUES (13, 'Pat Kilbride', 'Chef', 5, 2, 61000, '2016-04-25');
INSERT INTO staff VALUES (14, 'Zofia Lis', 'Housekeeper', 1, 4, 24200, '2023-03-06');
INSERT INTO staff VALUES (15, 'Ewan Mair', 'Housekeeper', 4, 6, 23800, '2022-06-27');
INSERT INTO staff VALUES (16, 'Nora Quill', 'Housekeeper', 5, 2, 24600, '2017-07-31');

CREATE TABLE bookings (
  booking_id INTEGER PRIMARY KEY,
  guest_id INTEGER NOT NULL REFERENCES guests(guest_id),
  hotel_id INTEGER NOT NULL REFERENCES hotels(hotel_id),
  room_type TEXT NOT NULL REFERENCES room_types(room_type),
  booked_on TEXT NOT NULL,
  check_in TEXT NOT NULL,
  check_out TEXT NOT NULL,
  adults INTEGER NOT NULL,
  children INTEGER NOT NULL,
  nightly_rate DOUBLE NOT NULL,
  channel TEXT NOT NULL,
  status TEXT NOT NULL
);

INSERT INTO bookings VALUES
(7001, 1, 6, 'STE', '2021-09-08', '2022-01-06', '2022-01-16', 2, 0, 300.0, 'phone', 'cancelled'),
(7002, 3, 3, 'SGL', '2022-01-30', '2022-03-16', '2022-03-23', 1, 0, 112.5, 'Booking.com', 'stayed'),
(7003, 13, 6, 'FAM', '2022-01-31', '2022-05-01', '2022-05-05', 1, 2, 200.0, 'Booking.com', 'stayed'),
(7004, 18, 5, 'STE', '2022-02-01', '2022-02-01', '2022-02-06', 2, 0, 226.8, 'website', 'stayed'),
(7005, 10, 1, 'FAM', '2022-02-08', '2022-03-25', '2022-03-28', 1, 2, 160, 'website', 'stayed'),
(7006, 12, 6, 'DBL', '2022-02-22', '2022-03-01', '2022-03-05', 1, 0, 151.25, 'phone', 'cancelled'),
(7007, 13, 6, 'SGL', '2022-03-01', '2022-04-30', '2022-05-02', 1, 0, 103.13, 'travel agent', 'stayed'),
(7008, 5, 3, 'DBL', '2022-03-25', '2022-04-15', '2022-04-17', 1, 0, 148.5, 'website', 'stayed'),
(7009, 1, 1, 'TWN', '2022-03-29', '2022-06-27', '2022-06-29', 2, 0, 115.5, 'Booking.com', 'stayed'),
(7010, 2, 2, 'DBL', '2022-04-21', '2022-04-22', '2022-04-25', 2, 0, 102.85, 'phone', 'stayed'),
(7011, 5, 3, 'STE', '2022-04-28', '2022-06-12', '2022-06-19', 2, 0, 360.0, 'website', 'stayed'),
(7012, 18, 3, 'DBL', '2022-07-07', '2022-07-28', '2022-08-02', 2, 0, 148.5, 'Booking.com', 'stayed'),
(7013, 8, 1, 'STE', '2022-07-09', '2022-07-16', '2022-07-19', 2, 0, 240, 'Booking.com', 'no-show'),
(7014, 18, 4, 'STE', '2022-08-18', '2022-10-02', '2022-10-03', 1, 0, 211.2, 'Expedia', 'stayed'),
(7015, 2, 1, 'FAM', '2022-08-30', '2022-08-31', '2022-09-10', 1, 2, 160, 'Booking.com', 'cancelled'),
(7016, 6, 6, 'SGL', '2022-09-24', '2022-09-25', '2022-10-02', 1, 0, 84.38, 'website', 'stayed'),
(7017, 8, 2, 'SGL', '2022-10-05', '2023-01-03', '2023-01-04', 1, 0, 70.12, 'website', 'stayed'),
(7018, 1, 6, 'SGL', '2022-11-02', '2023-03-02', '2023-03-05', 1, 0, 103.13, 'Booking.com', 'stayed'),
(7019, 14, 5, 'STE', '2022-11-17', '2022-11-18', '2022-11-19', 1, 0, 252.0, 'travel agent', 'no-show'),
(7020, 10, 1, 'SGL', '2022-11-30', '2022-11-30', '2022-12-01', 1, 0, 75, 'travel agent', 'stayed'),
(7021, 14, 6, 'TWN', '2022-12-15', '2023-01-29', '2023-02-03', 2, 0, 131.25, 'website', 'stayed'),
(7022, 14, 6, 'STE', '2022-12-27', '2022-12-30', '2023-01-01', 2, 0, 270.0, 'Expedia', 'stayed'),
(7023, 18, 5, 'DBL', '2023-01-05', '2023-01-19', '2023-01-20', 2, 0, 115.5, 'website', 'stayed'),
(7024, 19, 5, 'DBL', '2023-03-22', '2023-05-06', '2023-05-08', 2, 0, 103.95, 'Expedia', 'no-show'),
(7025, 3, 1, 'SGL', '2023-03-24', '2023-04-23', '2023-05-03', 1, 0, 82.5, 'travel agent', 'stayed'),
(7026, 10, 6, 'DBL', '2023-05-19', '2023-06-18', '2023-06-20', 2, 0, 137.5, 'phone', 'stayed'),
(7027, 12, 5, 'FAM', '2023-06-05', '2023-06-08', '2023-06-12', 1, 2, 168.0, 'travel agent', 'stayed'),
(7028, 6, 5, 'SGL', '2023-06-05', '2023-06-19', '2023-06-22', 1, 0, 78.75, 'travel agent', 'stayed'),
(7029, 16, 1, 'DBL', '2023-06-09', '2023-09-07', '2023-09-09', 1, 0, 110, 'Booking.com', 'stayed'),
(7030, 16, 5, 'FAM', '2023-06-21', '2023-06-24', '2023-06-29', 2, 2, 168.0, 'Booking.com', 'stayed'),
(7031, 12, 5, 'TWN', '2023-07-02', '2023-08-01', '2023-08-03', 1, 0, 110.25, 'Booking.com', 'stayed'),
(7032, 4, 1, 'STE', '2023-07-13', '2023-07-14', '2023-07-17', 1, 0, 240, 'Booking.com', 'stayed'),
(7033, 3, 5, 'TWN', '2023-07-13', '2023-09-11', '2023-09-13', 2, 0, 110.25, 'website', 'stayed'),
(7034, 3, 6, 'FAM', '2023-07-13', '2023-07-14', '2023-07-16', 1, 1, 220.0, 'phone', 'cancelled'),
(7035, 7, 3, 'FAM', '2023-08-30', '2023-09-06', '2023-09-09', 2, 2, 264.0, 'Booking.com', 'stayed'),
(7036, 1, 5, 'FAM', '2023-09-07', '2023-09-10', '2023-09-17', 1, 2, 151.2, 'website', 'stayed'),
(7037, 9, 3, 'FAM', '2023-10-25', '2023-11-15', '2023-11-16', 2, 1, 216.0, 'Booking.com', 'cancelled'),
(7038, 1, 4, 'DBL', '2023-11-24', '2023-12-24', '2023-12-25', 2, 0, 79.2, 'website', 'stayed'),
(7039, 15, 6, 'SGL', '2023-11-27', '2024-02-25', '2024-02-27', 1, 0, 93.75, 'Expedia', 'stayed'),
(7040, 6, 6, 'STE', '2023-12-02', '2023-12-05', '2023-12-08', 1, 0, 270.0, 'Booking.com', 'stayed'),
(7041, 6, 3, 'DBL', '2023-12-05', '2023-12-12', '2023-12-15', 2, 0, 165.0, 'website', 'stayed'),
(7042, 12, 5, 'DBL', '2023-12-21', '2024-03-20', '2024-03-21', 2, 0, 115.5, 'website', 'stayed'),
(7043, 6, 1, 'TWN', '2023-12-26', '2024-01-16', '2024-01-19', 2, 0, 105, 'Expedia', 'stayed'),
(7044, 15, 5, 'DBL', '2024-01-03', '2024-04-02', '2024-04-06', 1, 0, 103.95, 'Booking.com', 'stayed'),
(7045, 13, 3, 'FAM', '2024-01-04', '2024-04-03', '2024-04-05', 1, 2, 264.0, 'travel agent', 'stayed'),
(7046, 17, 1, 'FAM', '2024-02-04', '2024-02-05', '2024-02-08', 2, 1, 160, 'website', 'stayed'),
(7047, 5, 2, 'SGL', '2024-02-05', '2024-06-04', '2024-06-09', 1, 0, 57.38, 'travel agent', 'stayed'),
(7048, 5, 6, 'FAM', '2024-02-11', '2024-03-12', '2024-03-17', 1, 1, 200.0, 'website', 'stayed'),
(7049, 12, 6, 'DBL', '2024-02-25', '2024-06-24', '2024-06-29', 2, 0, 137.5, 'website', 'stayed'),
(7050, 18, 1, 'FAM', '2024-02-29', '2024-03-21', '2024-03-25', 1, 2, 176.0, 'website', 'stayed'),
(7051, 1, 1, 'TWN', '2024-03-15', '2024-04-14', '2024-04-19', 2, 0, 115.5, 'website', 'stayed'),
(7052, 13, 3, 'DBL', '2024-05-13', '2024-05-20', '2024-05-21', 2, 0, 181.5, 'website', 'cancelled'),
(7053, 14, 5, 'SGL', '2024-05-14', '2024-05-17', '2024-05-18', 1, 0, 78.75, 'phone', 'stayed'),
(7054, 18, 1, 'FAM', '2024-06-24', '2024-06-25', '2024-07-02', 2, 1, 160, 'Booking.com', 'stayed'),
(7055, 13, 6, 'STE', '2024-07-25', '2024-10-23', '2024-10-30', 2, 0, 300.0, 'Booking.com', 'stayed'),
(7056, 16, 1, 'SGL', '2024-08-26', '2024-10-10', '2024-10-20', 1, 0, 82.5, 'Expedia', 'cancelled'),
(7057, 5, 3, 'FAM', '2024-09-14', '2024-09-14', '2024-09-18', 2, 1, 264.0, 'Expedia', 'stayed'),
(7058, 6, 5, 'STE', '2024-10-14', '2024-11-28', '2024-11-30', 2, 0, 277.2, 'website', 'stayed'),
(7059, 15, 6, 'SGL', '2024-11-14', '2024-12-14', '2024-12-16', 1, 0, 93.75, 'website', 'stayed'),
(7060, 18, 5, 'STE', '2024-12-07', '2024-12-07', '2024-12-09', 1, 0, 277.2, 'Expedia', 'stayed');

CREATE TABLE extras (
  extra_id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings(booking_id),
  item TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  unit_price DOUBLE NOT NULL,
  charged_on TEXT NOT NULL
);

INSERT INTO extras VALUES
(1, 7038, 'dinner', 1, 42.0, '2023-12-24'),
(2, 7044, 'spa', 1, 65.0, '2024-04-04'),
(3, 7008, 'parking', 3, 18.0, '2022-04-15'),
(4, 7047, 'breakfast', 2, 14.5, '2024-06-05'),
(5, 7010, 'dinner', 1, 42.0, '2022-04-22'),
(6, 7031, 'dinner', 2, 42.0, '2023-08-02'),
(7, 7025, 'spa', 1, 65.0, '2023-04-29'),
(8, 7017, 'parking', 1, 18.0, '2023-01-03'),
(9, 7045, 'dinner', 3, 42.0, '2024-04-04'),
(10, 7004, 'breakfast', 2, 14.5, '2022-02-04'),
(11, 7017, 'parking', 1, 18.0, '2023-01-03'),
(12, 7035, 'dinner', 1, 42.0, '2023-09-07'),
(13, 7048, 'minibar', 1, 9.8, '2024-03-12'),
(14, 7047, 'dinner', 2, 42.0, '2024-06-04'),
(15, 7026, 'parking', 1, 18.0, '2023-06-18'),
(16, 7042, 'minibar', 1, 9.8, '2024-03-20'),
(17, 7058, 'laundry', 3, 12.0, '2024-11-28'),
(18, 7035, 'breakfast', 3, 14.5, '2023-09-06'),
(19, 7030, 'breakfast', 1, 14.5, '2023-06-26'),
(20, 7060, 'spa', 1, 65.0, '2024-12-08'),
(21, 7021, 'minibar', 3, 9.8, '2023-01-30'),
(22, 7003, 'breakfast', 2, 14.5, '2022-05-02'),
(23, 7005, 'breakfast', 1, 14.5, '2022-03-26'),
(24, 7029, 'laundry', 3, 12.0, '2023-09-08'),
(25, 7002, 'breakfast', 1, 14.5, '2022-03-22'),
(26, 7022, 'breakfast', 1, 14.5, '2022-12-30'),
(27, 7009, 'parking', 3, 18.0, '2022-06-28'),
(28, 7025, 'minibar', 2, 9.8, '2023-04-24'),
(29, 7054, 'parking', 2, 18.0, '2024-06-30'),
(30, 7020, 'laundry', 3, 12.0, '2022-11-30'),
(31, 7039, 'breakfast', 1, 14.5, '2024-02-25'),
(32, 7018, 'breakfast', 2, 14.5, '2023-03-02'),
(33, 7014, 'spa', 1, 65.0, '2022-10-02'),
(34, 7050, 'minibar', 3, 9.8, '2024-03-22'),
(35, 7017, 'dinner', 2, 42.0, '2023-01-03'),
(36, 7008, 'spa', 1, 65.0, '2022-04-16'),
(37, 7033, 'parking', 3, 18.0, '2023-09-12'),
(38, 7032, 'breakfast', 2, 14.5, '2023-07-16'),
(39, 7033, 'dinner', 1, 42.0, '2023-09-12'),
(40, 7025, 'laundry', 3, 12.0, '2023-04-30'),
(41, 7043, 'breakfast', 1, 14.5, '2024-01-16'),
(42, 7029, 'spa', 1, 65.0, '2023-09-07'),
(43, 7049, 'minibar', 2, 9.8, '2024-06-27'),
(44, 7046, 'parking', 3, 18.0, '2024-02-05'),
(45, 7009, 'spa', 1, 65.0, '2022-06-27'),
(46, 7057, 'parking', 1, 18.0, '2024-09-15'),
(47, 7010, 'spa', 1, 65.0, '2022-04-24'),
(48, 7032, 'parking', 3, 18.0, '2023-07-16');

CREATE TABLE reviews (
  booking_id INTEGER PRIMARY KEY REFERENCES bookings(booking_id),
  score INTEGER NOT NULL,
  reviewed_on TEXT NOT NULL,
  remark TEXT
);

INSERT INTO reviews VALUES
(7002, 9, '2022-03-25', NULL),
(7003, 9, '2022-05-14', 'Bathroom needs work'),
(7004, 6, '2022-02-11', 'Bathroom needs work'),
(7007, 8, '2022-05-11', NULL),
(7008, 7, '2022-04-22', 'Would come again'),
(7014, 8, '2022-10-08', 'Noisy street'),
(7016, 8, '2022-10-03', 'Bathroom needs work'),
(7017, 6, '2023-01-09', NULL),
(7018, 8, '2023-03-06', 'Noisy street'),
(7022, 8, '2023-01-10', NULL),
(7023, 4, '2023-01-25', NULL),
(7025, 10, '2023-05-12', 'Great breakfast'),
(7028, 5, '2023-07-01', NULL),
(7030, 7, '2023-07-08', 'Would come again'),
(7031, 10, '2023-08-04', NULL),
(7032, 5, '2023-07-19', 'Great breakfast'),
(7033, 8, '2023-09-22', 'Would come again'),
(7036, 7, '2023-09-18', 'Would come again'),
(7040, 5, '2023-12-09', 'Noisy street'),
(7042, 7, '2024-03-26', 'Lovely staff'),
(7045, 9, '2024-04-14', 'Noisy street'),
(7047, 5, '2024-06-18', 'Great breakfast'),
(7049, 8, '2024-07-04', NULL),
(7053, 4, '2024-05-19', NULL),
(7054, 9, '2024-07-03', 'Noisy street'),
(7055, 9, '2024-11-01', 'Would come again');
