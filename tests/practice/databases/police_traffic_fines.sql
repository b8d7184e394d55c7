CREATE TABLE stations (
  station_id INTEGER PRIMARY KEY,
  station_name VARCHAR(40),
  region VARCHAR(20)
);
CREATE TABLE officers (
  badge_no VARCHAR(8) PRIMARY KEY,
  officer_name VARCHAR(50),
  rank_title VARCHAR(20),
  station_id INTEGER REFERENCES stations(station_id),
  supervisor_badge VARCHAR(8),
  joined DATE
);
CREATE TABLE persons (
  person_id INTEGER PRIMARY KEY,
  full_name VARCHAR(50),
  birth_date DATE,
  licence_no VARCHAR(12),
  licence_points INTEGER,
  city VARCHAR(30)
);
CREATE TABLE vehicles (
  plate VARCHAR(10) PRIMARY KEY,
  make VARCHAR(20),
  model VARCHAR(20),
  vehicle_class CHAR(1),
  owner_id INTEGER REFERENCES persons(person_id),
  registered_on DATE,
  insured_until DATE
);
CREATE TABLE offence_types (
  offence_code VARCHAR(6) PRIMARY KEY,
  description VARCHAR(60),
  base_fine DECIMAL(8,2),
  points INTEGER
);
CREATE TABLE cameras (
  camera_id INTEGER PRIMARY KEY,
  road VARCHAR(40),
  speed_limit INTEGER,
  installed_on DATE,
  active CHAR(1)
);
CREATE TABLE fines (
  fine_no INTEGER PRIMARY KEY,
  issued_at TIMESTAMP,
  plate VARCHAR(10) REFERENCES vehicles(plate),
  driver_id INTEGER REFERENCES persons(person_id),
  offence_code VARCHAR(6) REFERENCES offence_types(offence_code),
  issued_by VARCHAR(8) REFERENCES officers(badge_no),
  approved_by VARCHAR(8) REFERENCES officers(badge_no),
  camera_id INTEGER REFERENCES cameras(camera_id),
  measured_speed INTEGER,
  amount DECIMAL(8,2),
  due_on DATE,
  status VARCHAR(12)
);
CREATE TABLE fine_payments (
  payment_id INTEGER PRIMARY KEY,
  fine_no INTEGER REFERENCES fines(fine_no),
  paid_on DATE,
  amount DECIMAL(8,2),
  method VARCHAR(10)
);
CREATE TABLE appeals (
  appeal_id INTEGER PRIMARY KEY,
  fine_no INTEGER REFERENCES fines(fine_no),
  filed_on DATE,
  decided_on DATE,
  grounds VARCHAR(60),
  outcome VARCHAR(12)
);
INSERT INTO stations VALUES
(1,'Central','North'),(2,'Riverside','North'),(3,'Oakfield','South'),(4,'Harbour','South'),(5,'Motorway Unit','East'),(6,'Airport','East'),(7,'Hill Street','West'),(8,'Mounted Branch',NULL);
INSERT INTO officers VALUES
('B1001','Helen Marsh','Inspector',1,NULL,'2006-09-01'),
('B1002','Patrick Doyle','Sergeant',1,'B1001','2012-03-12'),
('B1003','Yusuf Ali','Constable',1,'B1002','2019-06-03'),
('B1004','Katie Brown','Constable',2,'B1002','2021-01-18'),
('B1005','George Lamb','Sergeant',3,'B1001','2010-05-24'),
('B1006','Anna Petrova','Constable',3,'B1005','2020-10-05'),
('B1007','Miles Cooper','Constable',5,'B1005','2018-02-19'),
('B1008','Sandra Kim','Constable',4,'B1005','2023-04-11'),
('B1009','Edward Frost','Inspector',5,NULL,'2004-01-09'),
('B1010','Ravi Shah','Constable',7,'B1002','2024-02-26');
INSERT INTO persons VALUES
(1,'Alan Whitby','1969-04-02','WH690402A',3,'Norwood'),
(2,'Bella Santos','1990-12-11','SA901211B',0,'Norwood'),
(3,'Chris Lamb','1985-06-30','LA850630C',6,'Easton'),
(4,'Diana Frost','1998-09-17','FR980917D',9,'Southmere'),
(5,'Emeka Udo','1979-01-25','UD790125E',0,'Easton'),
(6,'Fiona Grant','2003-03-03','GR030303F',3,'Southmere'),
(7,'Gilbert Nash','1947-11-08',NULL,NULL,'Norwood'),
(8,'Hana Suzuki','1994-07-14','SU940714H',12,NULL),
(9,'Igor Belov','1988-02-28','BE880228I',0,'Westbury'),
(10,'Joan Whitby','1972-08-19','WH720819J',0,'Norwood'),
(11,'Kyle Reeves','2001-05-05','RE010505K',6,'Westbury');
INSERT INTO vehicles VALUES
('NW12 ABC','Ford','Focus','B',1,'2016-05-01','2025-04-30'),
('NW55 XYZ','Toyota','Yaris','B',2,'2021-07-15','2025-07-14'),
('EA88 QRS','BMW','M3','B',3,'2022-03-10','2024-03-09'),
('SM07 LMN','Honda','CB500','A',4,'2023-04-22','2025-04-21'),
('EA21 TRK','Volvo','FH16','C',5,'2019-09-09','2025-09-08'),
('SM33 KLP','Fiat','Panda','B',6,'2020-02-14','2024-02-13'),
('NW01 OLD','Ford','Fiesta','B',7,'1999-06-01',NULL),
('SU94 HAN','Tesla','Model 3','B',8,'2023-01-05','2025-01-04'),
('WB10 VAN','Ford','Transit','C',9,'2018-11-30','2024-11-29'),
('NW72 JWB','Toyota','Corolla','B',10,'2017-03-03','2025-03-02'),
('WB66 MOT','Yamaha','MT-07','A',11,'2024-04-04','2025-04-03'),
('EA99 SPR','Toyota','Supra','B',3,'2023-08-01','2025-07-31');
INSERT INTO offence_types VALUES
('SP30','Exceeding speed limit',120.00,3),
('SP50','Speeding on a motorway',180.00,3),
('TS10','Running a red light',150.00,3),
('CU80','Using a phone while driving',200.00,6),
('PK01','Parking on double lines',60.00,0),
('PK02','Parking in a disabled bay',90.00,0),
('IN10','Driving without insurance',300.00,6),
('MS50','Street racing',500.00,9),
('SB01','No seat belt',80.00,0),
('ND20','Dangerous overtaking',250.00,4),
('TR05','Bald tyres',100.00,3);
INSERT INTO cameras VALUES
(1,'Ring Road North',60,'2019-04-01','Y'),(2,'Harbour Street',30,'2020-08-15','Y'),(3,'Motorway 4 km 12',110,'2018-06-01','Y'),(4,'School Lane',20,'2022-09-01','Y'),
(5,'Motorway 4 km 31',110,'2018-06-01','N'),(6,'Bridge Avenue',50,'2023-03-20','Y'),(7,'Old Mill Road',40,'2015-01-10','N'),(8,'Airport Approach',60,'2024-05-12','Y');
INSERT INTO fines VALUES
(50001,'2022-11-04 08:12:00','NW12 ABC',1,'SP30',NULL,'B1002',1,74,120.00,'2022-12-04','paid'),
(50002,'2023-01-20 17:45:00','EA88 QRS',3,'SP50','B1007','B1009',NULL,148,220.00,'2023-02-19','paid'),
(50003,'2023-03-02 09:30:00','NW55 XYZ',2,'PK01','B1004','B1002',NULL,NULL,60.00,'2023-04-01','paid'),
(50004,'2023-05-14 23:50:00','SM07 LMN',4,'MS50','B1006','B1005',NULL,NULL,500.00,'2023-06-13','overdue'),
(50005,'2023-06-08 12:05:00','EA21 TRK',5,'SB01','B1007','B1009',NULL,NULL,80.00,'2023-07-08','paid'),
(50006,'2023-08-19 16:22:00','SU94 HAN',8,'CU80','B1003','B1002',NULL,NULL,200.00,'2023-09-18','paid'),
(50007,'2023-09-11 08:03:00','SM33 KLP',6,'SP30',NULL,'B1005',4,31,120.00,'2023-10-11','paid'),
(50008,'2023-10-30 18:40:00','SU94 HAN',8,'TS10','B1003','B1001',NULL,NULL,150.00,'2023-11-29','cancelled'),
(50009,'2023-12-15 10:15:00','NW72 JWB',1,'PK02','B1004','B1002',NULL,NULL,90.00,'2024-01-14','paid'),
(50010,'2024-02-09 21:10:00','EA99 SPR',3,'MS50','B1007','B1005',NULL,NULL,500.00,'2024-03-10','open'),
(50011,'2024-03-18 07:55:00','EA88 QRS',3,'IN10','B1006','B1005',NULL,NULL,300.00,'2024-04-17','overdue'),
(50012,'2024-04-05 13:30:00','SU94 HAN',8,'SP50',NULL,'B1009',3,139,180.00,'2024-05-05','paid'),
(50013,'2024-05-21 08:20:00','WB10 VAN',9,'SP30',NULL,'B1005',2,46,120.00,'2024-06-20','cancelled'),
(50014,'2024-06-16 15:05:00','SM07 LMN',4,'CU80','B1008','B1005',NULL,NULL,200.00,'2024-07-16','paid'),
(50015,'2024-07-07 19:45:00','WB66 MOT',11,'SP30',NULL,NULL,1,97,160.00,'2024-08-06','open'),
(50016,'2024-08-12 11:11:00','NW01 OLD',NULL,'PK01','B1003','B1001',NULL,NULL,60.00,'2024-09-11','overdue'),
(50017,'2024-09-02 08:08:00','NW12 ABC',10,'SP30',NULL,'B1002',4,29,120.00,'2024-10-02','paid'),
(50018,'2024-10-10 22:30:00','SM33 KLP',6,'IN10','B1008',NULL,NULL,NULL,300.00,'2024-11-09','open'),
(50019,'2024-10-25 14:00:00','WB66 MOT',11,'TS10','B1010','B1002',NULL,NULL,150.00,'2024-11-24','open');
INSERT INTO fine_payments VALUES
(1,50001,'2022-11-20',120.00,'online'),(2,50002,'2023-02-10',100.00,'online'),(3,50002,'2023-03-01',120.00,'online'),(4,50003,'2023-03-05',60.00,'cash'),
(5,50005,'2023-07-01',80.00,'transfer'),(6,50006,'2023-09-30',200.00,'online'),(7,50007,'2023-10-02',120.00,'online'),(8,50009,'2024-01-02',90.00,'cash'),
(9,50004,'2023-07-20',150.00,'transfer'),(10,50012,'2024-05-04',180.00,'online'),(11,50014,'2024-08-01',100.00,'transfer'),(12,50014,'2024-08-30',100.00,'transfer'),
(13,50017,'2024-09-19',120.00,'online'),(14,50011,'2024-05-02',50.00,'online');
INSERT INTO appeals VALUES
(1,50008,'2023-11-05','2023-12-12','Light was amber','upheld'),
(2,50004,'2023-06-01','2023-08-30','Not racing','rejected'),
(3,50013,'2024-05-30','2024-06-28','Ambulance behind me','upheld'),
(4,50011,'2024-03-25','2024-05-10','Policy renewed that day','rejected'),
(5,50010,'2024-02-20',NULL,'Mistaken identity','pending'),
(6,50019,'2024-11-02',NULL,'Sun glare','pending'),
(7,50002,'2023-02-01','2023-02-15','Faulty radar','rejected'),
(8,50016,'2024-08-30',NULL,'Car was stolen','pending');
