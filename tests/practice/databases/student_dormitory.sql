CREATE TABLE tbl_building (
  building_code VARCHAR(4) PRIMARY KEY,
  building_name VARCHAR(40),
  floors INTEGER,
  has_lift CHAR(1),
  warden_name VARCHAR(50)
);
CREATE TABLE tbl_room (
  room_id INTEGER PRIMARY KEY,
  building_code VARCHAR(4),
  room_no VARCHAR(6),
  floor_no INTEGER,
  beds INTEGER,
  monthly_rent DECIMAL(7,2),
  ensuite CHAR(1)
);
CREATE TABLE tbl_student (
  student_id INTEGER PRIMARY KEY,
  first_name VARCHAR(30),
  surname VARCHAR(30),
  home_country VARCHAR(30),
  faculty VARCHAR(30),
  year_of_study INTEGER,
  date_of_birth DATE,
  buddy_id INTEGER
);
CREATE TABLE tbl_lease (
  lease_id INTEGER PRIMARY KEY,
  student_id INTEGER,
  room_id INTEGER,
  move_in DATE,
  move_out DATE,
  deposit DECIMAL(7,2),
  deposit_returned CHAR(1)
);
CREATE TABLE tbl_payment (
  payment_id INTEGER PRIMARY KEY,
  lease_id INTEGER,
  for_month VARCHAR(7),
  amount DECIMAL(7,2),
  paid_on DATE,
  method VARCHAR(15)
);
CREATE TABLE tbl_repair (
  repair_id INTEGER PRIMARY KEY,
  room_id INTEGER,
  reported_by INTEGER,
  category VARCHAR(20),
  reported_on DATE,
  fixed_on DATE,
  cost DECIMAL(7,2)
);
CREATE TABLE tbl_room_swap (
  swap_id INTEGER PRIMARY KEY,
  student_id INTEGER,
  old_room_id INTEGER,
  new_room_id INTEGER,
  requested_on DATE,
  decision VARCHAR(10)
);
CREATE TABLE tbl_club (
  club_id INTEGER PRIMARY KEY,
  club_name VARCHAR(30),
  building_code VARCHAR(4)
);
CREATE TABLE tbl_club_member (
  club_id INTEGER,
  student_id INTEGER,
  is_chair CHAR(1),
  PRIMARY KEY (club_id, student_id)
);
INSERT INTO tbl_building VALUES
('ASH','Ash House',4,'Y','Mrs. Conway'),
('BCH','Beech Hall',3,'N','Mr. Tiller'),
('CED','Cedar Court',6,'Y','Mrs. Conway'),
('DOG','Dogwood Lodge',2,'N',NULL),
('ELM','Elm Tower',9,'Y','Mr. Sadiq'),
('FIR','Fir Cottage',1,'N','Ms. Lund'),
('GUM','Gumtree House',3,'N',NULL),
('HAZ','Hazel House',4,'Y','Ms. Lund');
INSERT INTO tbl_room VALUES
(1,'ASH','A101',1,1,520.00,'Y'),
(2,'ASH','A102',1,2,390.00,'N'),
(3,'ASH','A310',3,1,540.00,'Y'),
(4,'BCH','B12',1,2,350.00,'N'),
(5,'BCH','B25',2,3,295.00,'N'),
(6,'CED','C501',5,1,610.00,'Y'),
(7,'CED','C502',5,2,430.00,'Y'),
(8,'DOG','D3',1,4,260.00,'N'),
(9,'ELM','E807',8,1,575.00,'Y'),
(10,'ELM','E101',1,2,405.00,NULL),
(11,'FIR','F1',1,2,330.00,'N'),
(12,'HAZ','H204',2,1,498.00,'Y');
INSERT INTO tbl_student VALUES
(1001,'Amelie','Dupont','France','Law',2,'2003-04-11',NULL),
(1002,'Bo','Zhang','China','Engineering',3,'2002-09-30',NULL),
(1003,'Ciara','Nolan','Ireland','Medicine',1,'2005-01-19',1001),
(1004,'David','Okafor','Nigeria','Engineering',1,'2004-12-02',1002),
(1005,'Elif','Yilmaz','Turkey','Arts',2,'2003-07-23',NULL),
(1006,'Fabio','Conti','Italy','Law',1,'2005-03-08',1001),
(1007,'Greta','Holm','Sweden','Medicine',4,'2001-05-14',NULL),
(1008,'Haruto','Sato','Japan','Engineering',2,'2003-11-05',1002),
(1009,'Isla','Murray',NULL,'Arts',1,'2005-08-27',1005),
(1010,'Jonas','Keller','Germany','Economics',3,'2002-02-16',NULL),
(1011,'Khadija','Alami','Morocco','Economics',1,'2004-10-10',1010),
(1012,'Liam','Nolan','Ireland','Arts',4,'2001-06-21',NULL),
(1013,'Maya','Shapiro','Israel','Medicine',5,'2000-12-12',NULL);
INSERT INTO tbl_lease VALUES
(1,1001,1,'2022-09-15','2023-06-30',520.00,'Y'),
(2,1001,3,'2023-09-15',NULL,540.00,NULL),
(3,1002,4,'2022-09-18','2023-08-31',350.00,'N'),
(4,1002,9,'2023-09-01',NULL,575.00,NULL),
(5,1003,2,'2024-09-14',NULL,390.00,NULL),
(6,1004,5,'2024-09-16',NULL,295.00,NULL),
(7,1005,4,'2023-09-10','2024-06-15',350.00,'Y'),
(8,1006,2,'2024-09-15',NULL,390.00,NULL),
(9,1007,6,'2022-02-01','2024-07-31',610.00,'Y'),
(10,1008,5,'2023-09-20',NULL,295.00,NULL),
(11,1009,8,'2024-09-13',NULL,NULL,NULL),
(12,1010,7,'2022-09-12','2024-09-01',430.00,'N'),
(13,1011,10,'2024-09-17',NULL,405.00,NULL),
(14,1012,8,'2022-09-14','2023-01-31',260.00,'N');
INSERT INTO tbl_payment VALUES
(1,1,'2022-10',520.00,'2022-10-03','bank transfer'),
(2,1,'2022-11',520.00,'2022-11-09','bank transfer'),
(3,3,'2022-10',350.00,'2022-10-01','card'),
(4,3,'2022-11',200.00,'2022-11-15','cash'),
(5,9,'2022-10',610.00,'2022-10-04','direct debit'),
(6,12,'2022-10',430.00,'2022-10-20','card'),
(7,14,'2022-10',260.00,'2022-10-31','cash'),
(8,2,'2023-10',540.00,'2023-10-02','bank transfer'),
(9,4,'2023-10',575.00,'2023-10-05','card'),
(10,7,'2023-10',350.00,'2023-10-06','card'),
(11,10,'2023-10',295.00,'2023-10-16','direct debit'),
(12,12,'2023-10',430.00,'2023-10-03','card'),
(13,2,'2024-10',540.00,'2024-10-01','bank transfer'),
(14,4,'2024-10',500.00,'2024-10-14','card'),
(15,5,'2024-10',390.00,'2024-10-02','card'),
(16,6,'2024-10',295.00,'2024-10-08','direct debit'),
(17,8,'2024-10',390.00,'2024-10-21','cash'),
(18,13,'2024-10',405.00,NULL,'bank transfer');
INSERT INTO tbl_repair VALUES
(1,4,1002,'plumbing','2022-11-02','2022-11-04',85.00),
(2,4,1002,'heating','2023-01-16','2023-01-30',240.00),
(3,8,1012,'electrical','2022-12-05','2022-12-06',60.00),
(4,6,1007,'furniture','2023-03-21','2023-04-18',130.00),
(5,3,1001,'heating','2023-12-11','2023-12-12',95.00),
(6,5,1008,'plumbing','2024-02-08','2024-02-08',40.00),
(7,9,1002,'internet','2024-03-03','2024-03-05',0.00),
(8,2,1006,'furniture','2024-10-07',NULL,NULL),
(9,8,1009,'heating','2024-10-19',NULL,NULL),
(10,1,NULL,'painting','2023-07-10','2023-07-21',310.00),
(11,5,1004,'electrical','2024-10-01','2024-10-09',75.00);
INSERT INTO tbl_room_swap VALUES
(1,1002,4,9,'2023-05-20','approved'),
(2,1001,1,3,'2023-06-01','approved'),
(3,1005,4,7,'2023-12-02','refused'),
(4,1008,5,12,'2024-03-11','refused'),
(5,1009,8,11,'2024-10-21','pending'),
(6,1006,2,12,'2024-10-25','pending'),
(7,1010,7,6,'2023-02-14','refused'),
(8,1004,5,10,'2024-11-04','pending');
INSERT INTO tbl_club VALUES
(1,'Chess','ASH'),(2,'Film','ELM'),(3,'Running',NULL),(4,'Cooking','BCH'),(5,'Choir','CED'),(6,'Gardening','FIR'),(7,'Debating','ASH'),(8,'Board games','ELM');
INSERT INTO tbl_club_member VALUES
(1,1002,'Y'),(1,1008,'N'),(1,1010,'N'),(2,1005,'Y'),(2,1009,'N'),(2,1001,'N'),(3,1007,'Y'),(3,1003,'N'),
(4,1006,'Y'),(4,1005,'N'),(4,1011,'N'),(4,1001,'N'),(5,1003,'Y'),(7,1001,'Y'),(7,1006,'N'),(8,1008,'N');
