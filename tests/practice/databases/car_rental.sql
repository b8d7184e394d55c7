CREATE TABLE branches (
  branch_id INTEGER PRIMARY KEY,
  branch_name TEXT NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  opened_on DATE,
  phone TEXT
);
INSERT INTO branches VALUES
(1, 'Lisbon Airport', 'Lisbon', 'Portugal', '2012-05-02', '+351 21 555 010'),
(2, 'Porto Central', 'Porto', 'Portugal', '2014-09-15', '+351 22 555 233'),
(3, 'Madrid Atocha', 'Madrid', 'Spain', '2015-03-01', '+34 91 555 118'),
(4, 'Madrid Airport', 'Madrid', 'Spain', '2016-06-20', '+34 91 555 902'),
(5, 'Seville Downtown', 'Seville', 'Spain', '2018-04-11', NULL),
(6, 'Lyon Part-Dieu', 'Lyon', 'France', '2019-10-07', '+33 4 5550 71'),
(7, 'Nice Harbour', 'Nice', 'France', '2021-05-28', '+33 4 5550 44'),
(8, 'Faro Beach', 'Faro', 'Portugal', '2023-03-17', NULL);

CREATE TABLE vehicle_categories (
  category_id INTEGER PRIMARY KEY,
  category_name TEXT NOT NULL,
  daily_rate DECIMAL(8,2),
  seats INTEGER
);
INSERT INTO vehicle_categories VALUES
(1, 'Economy', 29.0, 5),
(2, 'Compact', 36.5, 5),
(3, 'SUV', 64.0, 5),
(4, 'Luxury', 129.0, 5),
(5, 'Minivan', 78.0, 8),
(6, 'Convertible', 95.0, 4),
(7, 'Pickup', 70.0, 5);

CREATE TABLE vehicles (
  vehicle_id INTEGER PRIMARY KEY,
  license_plate TEXT NOT NULL,
  make TEXT,
  model TEXT,
  model_year INTEGER,
  color TEXT,
  fuel_type TEXT,
  mileage INTEGER,
  category_id INTEGER REFERENCES vehicle_categories (category_id),
  branch_id INTEGER REFERENCES branches (branch_id),
  is_available INTEGER
);
INSERT INTO vehicles VALUES
(1, 'HT-75-TB', 'Renault', 'Clio', 2020, 'blue', 'petrol', 69765, 1, 5, 0),
(2, 'HP-28-RE', 'Fiat', 'Panda', 2017, 'silver', 'petrol', 135939, 1, 5, 0),
(3, 'CK-77-RA', 'Toyota', 'Yaris', 2020, 'white', 'hybrid', 52076, 1, 2, 1),
(4, 'HR-66-TE', 'Volkswagen', 'Golf', 2023, 'black', 'diesel', 20704, 2, 4, 1),
(5, 'HP-62-RF', 'Toyota', 'Corolla', 2017, 'grey', 'hybrid', 102269, 2, 2, 1),
(6, 'BL-61-RC', 'Peugeot', '308', 2017, 'red', 'petrol', 74592, 2, 1, 0),
(7, 'DN-16-ZD', 'Nissan', 'Qashqai', 2017, 'silver', 'petrol', 110306, 3, 1, 1),
(8, 'ER-21-UC', 'Kia', 'Niro', 2018, 'white', 'electric', 97422, 3, 1, 1),
(9, 'BK-17-ZD', 'Volvo', 'XC60', 2022, 'black', 'hybrid', NULL, 3, 6, 1),
(10, 'DM-63-XA', 'BMW', '530d', 2020, 'red', 'diesel', 64453, 4, 1, 1),
(11, 'EK-36-SD', 'Mercedes', 'E 220', 2023, 'blue', 'diesel', 21888, 4, 1, 1),
(12, 'DT-43-QE', 'Tesla', 'Model 3', 2018, 'grey', 'electric', 84715, 4, 1, 1),
(13, 'DK-86-VC', 'Volkswagen', 'Sharan', 2018, 'blue', 'diesel', 99081, 5, 5, 1),
(14, 'CS-33-SC', 'Citroen', 'Berlingo', 2021, 'black', 'diesel', 58034, 5, 6, 1),
(15, 'DS-71-RD', 'Mazda', 'MX-5', 2022, 'white', 'petrol', 21858, 6, 1, 1),
(16, 'DS-42-XE', 'BMW', 'Z4', 2019, 'red', 'petrol', 71175, 6, 2, 0),
(17, 'DT-81-RC', 'Toyota', 'Yaris', 2018, 'black', 'hybrid', 77123, 1, 1, 1),
(18, 'DK-15-SC', 'Citroen', 'Berlingo', 2020, 'grey', 'diesel', 73149, 5, 2, 1),
(19, 'FM-85-QA', 'Toyota', 'Corolla', 2020, 'red', 'hybrid', 62305, 2, 3, 0),
(20, 'BT-18-UC', 'Renault', 'Clio', 2021, 'black', 'petrol', 30876, 1, 4, 1),
(21, 'CR-55-RF', 'Fiat', 'Panda', 2022, 'red', 'petrol', 24122, 1, 7, 1),
(22, 'HK-89-XD', 'Renault', 'Clio', 2023, 'blue', 'petrol', 11706, 1, 1, 1),
(23, 'GR-59-ZD', 'Volkswagen', 'Golf', 2019, 'red', 'diesel', 89688, 2, 5, 0),
(24, 'BT-12-TF', 'Renault', 'Clio', 2019, 'white', 'petrol', 88934, 1, 5, 1),
(25, 'AR-48-SF', 'BMW', 'Z4', 2019, 'blue', 'petrol', 63723, 6, 2, 0),
(26, 'HT-40-VD', 'Mercedes', 'E 220', 2022, 'silver', 'diesel', 27033, 4, 6, 1),
(27, 'GN-84-VB', 'Nissan', 'Qashqai', 2018, 'black', 'petrol', 69267, 3, 3, 0),
(28, 'BP-31-RD', 'Fiat', 'Panda', 2022, 'red', 'petrol', 30817, 1, 2, 0),
(29, 'HR-89-ZC', 'Volkswagen', 'Sharan', 2022, 'white', 'diesel', 20179, 5, 7, 1),
(30, 'FP-93-QF', 'Volvo', 'XC60', 2021, 'black', 'hybrid', NULL, 3, 4, 1),
(31, 'EN-28-QF', 'Renault', 'Clio', 2023, 'white', 'petrol', 16771, 1, 6, 1),
(32, 'DN-70-UB', 'Tesla', 'Model 3', 2017, 'silver', 'electric', 67334, 4, 4, 1),
(33, 'DP-54-SD', 'Fiat', 'Panda', 2018, 'silver', 'petrol', 76375, 1, 4, 0),
(34, 'HT-35-QD', 'Volkswagen', 'Sharan', 2018, 'blue', 'diesel', 112597, 5, 5, 0),
(35, 'FN-22-RB', 'Mercedes', 'E 220', 2020, 'black', 'diesel', 61941, 4, 3, 1),
(36, 'AR-74-RA', 'Mercedes', 'E 220', 2019, 'red', 'diesel', 75284, 4, 4, 0);

CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  first_name TEXT,
  last_name TEXT,
  email TEXT,
  birth_date DATE,
  city TEXT,
  country TEXT,
  registered_on DATE
);
INSERT INTO customers VALUES
(1, 'Ana', 'Silva', 'ana.silva1@mail.com', '1967-10-17', 'Barcelona', 'Spain', '2023-07-20'),
(2, 'João', 'Pereira', 'joao.pereira@post.eu', '1993-11-17', 'Lisbon', 'Portugal', '2019-03-17'),
(3, 'Miguel', 'Costa', 'miguel.costa@webbox.net', '1973-01-10', 'Porto', 'Portugal', '2022-11-11'),
(4, 'Sofia', 'Ferreira', NULL, '1979-02-09', 'Porto', 'Portugal', '2019-11-05'),
(5, 'Carlos', 'Garcia', 'carlos.garcia@webbox.net', '1981-03-31', 'Lyon', 'France', '2023-09-21'),
(6, 'Lucía', 'Lopez', 'lucia.lopez@webbox.net', '1988-12-03', 'Coimbra', 'Portugal', '2021-06-24'),
(7, 'Pierre', 'Martin', 'pierre.martin@webbox.net', '2000-07-29', 'Barcelona', 'Spain', '2022-11-16'),
(8, 'Camille', 'Dubois', 'camille.dubois@mail.com', '1977-09-17', 'Lisbon', 'Portugal', '2021-12-18'),
(9, 'Emma', 'Schmidt', 'emma.schmidt@post.eu', '1995-04-14', 'Berlin', 'Germany', '2023-02-05'),
(10, 'Lukas', 'Weber', 'lukas.weber@webbox.net', '1965-05-16', 'Munich', 'Germany', '2021-12-10'),
(11, 'Marta', 'Rossi', 'marta.rossi@webbox.net', '1969-07-04', 'Milan', 'Italy', '2020-10-04'),
(12, 'Pedro', 'Silva', 'pedro.silva@webbox.net', '1975-02-06', 'Coimbra', 'Portugal', '2023-10-02'),
(13, 'Inês', 'Almeida', NULL, '1967-05-05', 'Lyon', 'France', '2020-09-19'),
(14, 'Hugo', 'Bernard', 'hugo.bernard@webbox.net', '1981-07-07', 'Porto', 'Portugal', '2020-07-17'),
(15, 'Chloé', 'Moreau', 'chloe.moreau@post.eu', '1967-01-06', 'Lyon', 'France', '2021-04-25'),
(16, 'Diego', 'Fernandez', 'diego.fernandez@mail.com', '1980-07-28', 'Lyon', 'France', '2019-01-15'),
(17, 'Laura', 'Ruiz', 'laura.ruiz@post.eu', '1959-03-31', 'Lyon', 'France', '2022-01-11'),
(18, 'Nuno', 'Santos', 'nuno.santos@mail.com', '1981-02-23', 'Coimbra', 'Portugal', '2021-04-04'),
(19, 'Elena', 'Navarro', 'elena.navarro@webbox.net', '1963-06-21', 'Lyon', 'France', '2021-10-06'),
(20, 'Tomás', 'Novak', 'tomas.novak@webbox.net', '1965-06-25', 'Lisbon', 'Portugal', '2019-05-19'),
(21, 'Ana', 'Costa', 'ana.costa21@post.eu', '1976-07-24', 'Lyon', 'France', '2023-07-02'),
(22, 'Olivia', 'Brown', NULL, '1970-01-28', 'Barcelona', 'Spain', '2020-05-23'),
(23, 'Oscar', 'Lindqvist', 'oscar.lindqvist@post.eu', '1963-09-12', 'Barcelona', 'Spain', '2020-11-30'),
(24, 'Julia', 'Keller', 'julia.keller@post.eu', '1998-05-31', 'Berlin', 'Germany', '2023-08-02'),
(25, 'Marco', 'Bianchi', 'marco.bianchi@webbox.net', '1972-03-25', 'Milan', 'Italy', '2019-08-15');

CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  job_title TEXT,
  salary INTEGER,
  hire_date DATE,
  branch_id INTEGER REFERENCES branches (branch_id),
  manager_id INTEGER REFERENCES employees (employee_id)
);
INSERT INTO employees VALUES (1, 'Beatriz Nunes', 'Regional Director', 72000, '2012-04-01', 1, NULL);
INSERT INTO employees VALUES (2, 'Rui Carvalho', 'Branch Manager', 48000, '2014-08-18', 1, 1);
INSERT INTO employees VALUES (3, 'Helena Sousa', 'Branch Manager', 46500, '2016-01-11', 2, 1);
INSERT INTO employees VALUES (4, 'Javier Ortega', 'Branch Manager', 51000, '2015-02-16', 3, 1);
INSERT INTO employees VALUES (5, 'Carmen Vidal', 'Branch Manager', 49500, '2017-09-04', 4, 1);
INSERT INTO employees VALUES (6, 'Antoine Leroy', 'Branch Manager', 50500, '2019-09-09', 6, 1);
INSERT INTO employees VALUES (7, 'Tiago Moura', 'Rental Agent', 27500, '2018-05-21', 1, 2);
INSERT INTO employees VALUES (8, 'Marta Reis', 'Rental Agent', 28800, '2019-03-04', 1, 2);
INSERT INTO employees VALUES (9, 'Filipe Rocha', 'Rental Agent', 26900, '2021-07-12', 2, 3);
INSERT INTO employees VALUES (10, 'Lucía Blanco', 'Rental Agent', 30200, '2016-10-03', 3, 4);
INSERT INTO employees VALUES (11, 'Pablo Serrano', 'Rental Agent', 29100, '2020-02-17', 3, 4);
INSERT INTO employees VALUES (12, 'Irene Molina', 'Rental Agent', 28300, '2022-04-25', 4, 5);
INSERT INTO employees VALUES (13, 'Claire Fontaine', 'Rental Agent', 31000, '2019-11-18', 6, 6);
INSERT INTO employees VALUES (14, 'Julien Petit', 'Mechanic', 33500, '2020-06-08', 6, 6);
INSERT INTO employees VALUES (15, 'Sergio Ramos Gil', 'Mechanic', 32000, '2018-01-29', 3, 4);
INSERT INTO employees VALUES (16, 'Paulo Teixeira', 'Mechanic', 29900, '2023-02-13', 1, 2);
INSERT INTO employees VALUES (17, 'Noemie Girard', 'Rental Agent', 28800, '2021-06-14', 7, 6);
INSERT INTO employees VALUES (18, 'Alba Castro', 'Rental Agent', 27500, '2023-09-18', 5, 5);

CREATE TABLE rentals (
  rental_id INTEGER PRIMARY KEY,
  customer_id INTEGER REFERENCES customers (customer_id),
  vehicle_id INTEGER REFERENCES vehicles (vehicle_id),
  pickup_branch_id INTEGER REFERENCES branches (branch_id),
  return_branch_id INTEGER REFERENCES branches (branch_id),
  employee_id INTEGER REFERENCES employees (employee_id),
  pickup_date DATE,
  due_date DATE,
  return_date DATE,
  total_price DECIMAL(8,2),
  status TEXT
);
INSERT INTO rentals VALUES
(1, 12, 8, 1, 1, 7, '2021-02-25', '2021-02-28', '2021-03-01', 192.0, 'completed'),
(2, 1, 11, 1, 1, 7, '2021-03-09', '2021-03-12', '2021-03-12', 348.3, 'completed'),
(3, 24, 24, 5, 5, 18, '2021-03-19', '2021-03-24', '2021-03-26', 145.0, 'completed'),
(4, 3, 29, 7, NULL, 17, '2021-03-20', '2021-03-23', NULL, 210.6, 'cancelled'),
(5, 7, 14, 6, 6, 13, '2021-04-02', '2021-04-09', '2021-04-09', 546.0, 'completed'),
(6, 13, 13, 5, 5, NULL, '2021-04-14', '2021-04-19', '2021-04-20', 390.0, 'completed'),
(7, 14, 13, 5, 5, NULL, '2021-07-31', '2021-08-07', '2021-08-06', 546.0, 'completed'),
(8, 4, 19, 3, NULL, 11, '2021-08-18', '2021-08-25', NULL, 255.5, 'cancelled'),
(9, 1, 25, 2, 2, 9, '2021-08-18', '2021-08-25', '2021-08-25', 665.0, 'completed'),
(10, 19, 12, 1, 1, 8, '2021-09-03', '2021-09-10', '2021-09-12', 812.7, 'completed'),
(11, 24, 22, 1, 1, 8, '2021-10-10', '2021-10-24', '2021-10-24', 365.4, 'completed'),
(12, 14, 31, 6, 6, 13, '2021-10-17', '2021-10-24', '2021-10-24', 203.0, 'completed'),
(13, 16, 34, 5, NULL, 18, '2021-10-24', '2021-10-26', NULL, 156.0, 'cancelled'),
(14, 3, 34, 5, 5, NULL, '2021-10-30', '2021-11-09', '2021-11-11', 780.0, 'completed'),
(15, 3, 20, 4, 4, NULL, '2021-11-02', '2021-11-05', '2021-11-05', 87.0, 'completed'),
(16, 10, 1, 5, NULL, 18, '2021-11-07', '2021-11-10', NULL, 87.0, 'cancelled'),
(17, 12, 12, 1, 1, 7, '2021-12-16', '2021-12-23', '2021-12-22', 903.0, 'completed'),
(18, 22, 15, 1, 1, 7, '2021-12-25', '2022-01-01', '2022-01-01', 665.0, 'completed'),
(19, 1, 24, 5, 5, 18, '2022-02-06', '2022-02-08', '2022-02-07', 52.2, 'completed'),
(20, 4, 36, 4, 4, 12, '2022-02-28', '2022-03-04', '2022-03-05', 516.0, 'completed'),
(21, 1, 23, 5, 5, 18, '2022-03-05', '2022-03-12', '2022-03-12', 255.5, 'completed'),
(22, 1, 11, 1, 1, 7, '2022-03-06', '2022-03-16', '2022-03-15', 1161.0, 'completed'),
(23, 4, 31, 6, 6, 13, '2022-03-06', '2022-03-08', '2022-03-08', 58.0, 'completed'),
(24, 12, 31, 6, 6, 13, '2022-03-12', '2022-03-15', '2022-03-16', 78.3, 'completed'),
(25, 1, 6, 1, 4, 7, '2022-03-18', '2022-03-28', '2022-03-29', 328.5, 'completed'),
(26, 14, 30, 4, 4, 12, '2022-03-26', '2022-03-28', '2022-03-30', 128.0, 'completed'),
(27, 1, 9, 6, 6, 13, '2022-04-19', '2022-04-22', '2022-04-22', 172.8, 'completed'),
(28, 7, 14, 6, 6, 13, '2022-04-23', '2022-04-25', '2022-04-24', 156.0, 'completed'),
(29, 2, 36, 4, 3, 12, '2022-04-24', '2022-04-29', '2022-04-29', 645.0, 'completed'),
(30, 15, 4, 4, 1, 12, '2022-05-12', '2022-05-26', '2022-05-27', 511.0, 'completed'),
(31, 3, 4, 4, 4, 12, '2022-05-23', '2022-05-25', '2022-05-25', 65.7, 'completed'),
(32, 8, 34, 5, 5, 18, '2022-06-06', '2022-06-08', '2022-06-08', 156.0, 'completed'),
(33, 3, 24, 5, 5, 18, '2022-06-16', '2022-06-19', '2022-06-18', 87.0, 'completed'),
(34, 1, 1, 5, 5, 18, '2022-06-29', '2022-07-04', '2022-07-04', 145.0, 'completed'),
(35, 4, 23, 5, 5, 18, '2022-07-17', '2022-07-21', '2022-07-21', 146.0, 'completed'),
(36, 3, 7, 1, NULL, 7, '2022-07-18', '2022-07-20', NULL, 128.0, 'cancelled'),
(37, 14, 34, 5, NULL, 18, '2022-09-05', '2022-09-15', NULL, 780.0, 'cancelled'),
(38, 12, 25, 2, 2, 9, '2022-11-08', '2022-11-13', '2022-11-13', 427.5, 'completed'),
(39, 11, 24, 5, 5, 18, '2022-11-09', '2022-11-12', '2022-11-12', 87.0, 'completed'),
(40, 19, 8, 1, 1, 7, '2022-11-22', '2022-12-02', '2022-12-02', 640.0, 'completed'),
(41, 12, 2, 5, 5, 18, '2023-01-13', '2023-01-27', '2023-01-27', 406.0, 'completed'),
(42, 12, 10, 1, 5, 7, '2023-01-29', '2023-02-01', '2023-02-01', 387.0, 'completed'),
(43, 14, 27, 3, 3, 10, '2023-03-12', '2023-03-15', '2023-03-15', 192.0, 'completed'),
(44, 2, 28, 2, 2, 9, '2023-04-06', '2023-04-16', '2023-04-16', 290.0, 'completed'),
(45, 25, 10, 1, 1, 8, '2023-05-06', '2023-05-09', '2023-05-09', 387.0, 'completed'),
(46, 14, 30, 4, 5, 12, '2023-05-28', '2023-06-07', '2023-06-07', 640.0, 'completed'),
(47, 14, 31, 6, 3, 13, '2023-06-10', '2023-06-15', '2023-06-15', 130.5, 'completed'),
(48, 1, 35, 3, 3, NULL, '2023-06-14', '2023-06-16', '2023-06-16', 258.0, 'completed'),
(49, 5, 12, 1, 1, 8, '2023-07-11', '2023-07-14', '2023-07-14', 348.3, 'completed'),
(50, 9, 13, 5, 5, 18, '2023-07-15', '2023-07-17', '2023-07-19', 156.0, 'completed'),
(51, 9, 11, 1, 2, 7, '2023-11-19', '2023-11-26', '2023-11-26', 903.0, 'completed'),
(52, 10, 18, 2, 1, 9, '2023-11-21', '2023-11-24', '2023-11-24', 210.6, 'completed'),
(53, 25, 20, 4, 4, 12, '2023-12-13', '2023-12-15', '2023-12-15', 52.2, 'completed'),
(54, 19, 13, 5, 5, 18, '2024-01-21', '2024-02-04', '2024-02-04', 1092.0, 'completed'),
(55, 20, 31, 6, 6, 13, '2024-01-21', '2024-01-31', '2024-01-31', 290.0, 'completed'),
(56, 24, 28, 2, 4, 9, '2024-01-23', '2024-01-24', NULL, 29.0, 'active'),
(57, 3, 35, 3, 3, 10, '2024-01-30', '2024-01-31', NULL, 129.0, 'active'),
(58, 9, 32, 4, 7, 12, '2024-02-08', '2024-02-15', NULL, 812.7, 'active'),
(59, 14, 36, 4, 4, 12, '2024-02-17', '2024-02-20', NULL, 387.0, 'active'),
(60, 1, 36, 4, 4, 12, '2024-02-18', '2024-02-23', NULL, 580.5, 'active');

CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY,
  rental_id INTEGER REFERENCES rentals (rental_id),
  amount DECIMAL(8,2),
  payment_method TEXT,
  paid_on DATE
);
INSERT INTO payments VALUES
(1, 1, 192.0, 'cash', '2021-02-25'),
(2, 2, 174.15, 'cash', '2021-03-09'),
(3, 3, 145.0, 'cash', '2021-03-20'),
(4, 6, 195.0, 'credit card', '2021-04-14'),
(5, 7, 546.0, 'bank transfer', '2021-07-31'),
(6, 9, 665.0, 'credit card', '2021-08-23'),
(7, 10, 812.7, 'debit card', '2021-09-08'),
(8, 11, 365.4, 'debit card', '2021-10-15'),
(9, 12, 203.0, 'credit card', '2021-10-17'),
(10, 14, 780.0, 'credit card', '2021-11-04'),
(11, 15, 87.0, 'credit card', '2021-11-02'),
(12, 17, 903.0, 'credit card', '2021-12-16'),
(13, 18, 665.0, 'debit card', '2021-12-25'),
(14, 19, 26.1, 'bank transfer', '2022-02-06'),
(15, 20, 516.0, 'debit card', '2022-03-05'),
(16, 21, 255.5, 'credit card', '2022-03-06'),
(17, 22, 1161.0, 'bank transfer', '2022-03-07'),
(18, 23, 58.0, 'credit card', '2022-03-06'),
(19, 24, 78.3, 'cash', '2022-03-17'),
(20, 25, 328.5, 'credit card', '2022-03-18'),
(21, 26, 128.0, 'credit card', '2022-03-31'),
(22, 28, 156.0, 'debit card', '2022-04-28'),
(23, 29, 645.0, 'cash', '2022-04-25'),
(24, 30, 511.0, 'debit card', '2022-05-12'),
(25, 31, 65.7, 'bank transfer', '2022-05-23'),
(26, 32, 156.0, 'cash', '2022-06-06'),
(27, 33, 87.0, 'cash', '2022-06-16'),
(28, 34, 72.5, 'credit card', '2022-06-30'),
(29, 35, 146.0, 'debit card', '2022-07-22'),
(30, 39, 87.0, 'credit card', '2022-11-10'),
(31, 40, 320.0, 'bank transfer', '2022-11-22'),
(32, 41, 406.0, 'credit card', '2023-01-18'),
(33, 42, 193.5, 'credit card', '2023-01-30'),
(34, 43, 192.0, 'credit card', '2023-03-13'),
(35, 44, 290.0, 'cash', '2023-04-06'),
(36, 45, 193.5, 'bank transfer', '2023-05-06'),
(37, 46, 640.0, 'bank transfer', '2023-05-29'),
(38, 47, 65.25, 'credit card', '2023-06-10'),
(39, 48, 258.0, 'debit card', '2023-06-19'),
(40, 50, 156.0, 'debit card', '2023-07-16'),
(41, 51, 903.0, 'bank transfer', '2023-11-19'),
(42, 52, 210.6, 'cash', '2023-11-26'),
(43, 53, 52.2, 'credit card', '2023-12-14'),
(44, 54, 1092.0, 'bank transfer', '2024-01-22'),
(45, 55, 145.0, 'credit card', '2024-01-26'),
(46, 57, 129.0, 'cash', '2024-01-30'),
(47, 59, 387.0, 'bank transfer', '2024-02-17');

CREATE TABLE damage_reports (
  report_id INTEGER PRIMARY KEY,
  rental_id INTEGER REFERENCES rentals (rental_id),
  description TEXT,
  repair_cost DECIMAL(8,2),
  reported_on DATE
);
INSERT INTO damage_reports VALUES
(1, 1, 'flat tyre', 765, '2021-03-02'),
(2, 5, 'dented bumper', 510, '2021-04-10'),
(3, 6, 'stained seats', 315, '2021-04-21'),
(4, 11, 'stained seats', 130, '2021-10-24'),
(5, 14, 'dented bumper', 835, '2021-11-12'),
(6, 30, 'flat tyre', NULL, '2022-05-28'),
(7, 32, 'cracked windscreen', 240, '2022-06-09'),
(8, 47, 'cracked windscreen', 545, '2023-06-15'),
(9, 49, 'broken mirror', 70, '2023-07-15'),
(10, 52, 'broken mirror', 190, '2023-11-24');
