CREATE TABLE department (
  deptCode TEXT PRIMARY KEY,
  deptName TEXT,
  costCentre INTEGER,
  parentDept TEXT
);
CREATE TABLE employee (
  empNo INTEGER PRIMARY KEY,
  givenName TEXT,
  familyName TEXT,
  deptCode TEXT REFERENCES department(deptCode),
  officeCity TEXT,
  startDate DATE,
  leaveDate DATE,
  managerNo INTEGER
);
CREATE TABLE vendor (
  vendorId INTEGER PRIMARY KEY,
  vendorName TEXT,
  country TEXT,
  supportPhone TEXT
);
CREATE TABLE asset (
  assetTag TEXT PRIMARY KEY,
  assetType TEXT,
  model TEXT,
  vendorId INTEGER REFERENCES vendor(vendorId),
  purchasedOn DATE,
  priceEur DECIMAL(10,2),
  warrantyMonths INTEGER,
  state TEXT,
  ramGb INTEGER
);
CREATE TABLE assignment (
  assignmentId INTEGER PRIMARY KEY,
  assetTag TEXT REFERENCES asset(assetTag),
  empNo INTEGER REFERENCES employee(empNo),
  fromDate DATE,
  toDate DATE
);
CREATE TABLE software (
  softwareId INTEGER PRIMARY KEY,
  title TEXT,
  licenceType TEXT,
  seatsBought INTEGER,
  yearlyCostEur DECIMAL(10,2),
  expiresOn DATE
);
CREATE TABLE installation (
  assetTag TEXT REFERENCES asset(assetTag),
  softwareId INTEGER REFERENCES software(softwareId),
  version TEXT,
  installedOn DATE,
  PRIMARY KEY (assetTag, softwareId)
);
CREATE TABLE ticket (
  ticketNo INTEGER PRIMARY KEY,
  assetTag TEXT REFERENCES asset(assetTag),
  openedBy INTEGER REFERENCES employee(empNo),
  handledBy INTEGER REFERENCES employee(empNo),
  openedAt TIMESTAMP,
  closedAt TIMESTAMP,
  priority INTEGER,
  subject TEXT
);
INSERT INTO department VALUES
('FIN','Finance',4100,'ADM'),('HR','Human Resources',4200,'ADM'),('ENG','Engineering',5100,NULL),('SUP','IT Support',5200,'ENG'),('SAL','Sales',6100,NULL),('ADM','Administration',4000,NULL),('LEG','Legal',4300,'ADM'),('QA','Quality Assurance',5300,'ENG');
INSERT INTO employee VALUES
(100,'Renata','Fuchs','ADM','Vienna','2012-02-01',NULL,NULL),(101,'Miguel','Santos','ENG','Lisbon','2015-06-15',NULL,100),(102,'Tessa','Vermeer','SUP','Vienna','2018-03-01',NULL,101),
(103,'Arjun','Mehta','SUP','Lisbon','2021-09-01',NULL,102),(104,'Claire','Dubois','FIN','Vienna','2016-10-10',NULL,100),(105,'Stefan','Huber','SAL','Graz','2019-01-07','2024-02-29',100),
(106,'Lucia','Santos','SAL','Lisbon','2022-05-02',NULL,105),(107,'Owen','Price','ENG','Graz','2020-11-16',NULL,101),(108,'Hana','Novak','QA','Vienna','2023-02-01',NULL,101),
(109,'Bert','Maas','ENG','Lisbon','2017-04-03','2023-06-30',101),(110,'Julia','Egger','HR','Vienna','2024-01-15',NULL,100),(111,'Victor','Lind','SUP','Graz','2023-08-21',NULL,102);
INSERT INTO vendor VALUES
(1,'Lumaro','Taiwan','+886 2 555 010'),(2,'Bergtech','Austria','+43 1 555 020'),(3,'Officio Print','Germany',NULL),(4,'Netwell','Finland','+358 9 555 040'),(5,'Kestrel Displays','Korea','+82 2 555 050'),(6,'Oldbyte Refurb','Austria',NULL),(7,'Pixelforge','Taiwan','+886 2 555 070'),(8,'Cabletown','Germany','+49 30 555 080');
INSERT INTO asset VALUES
('LT-001','laptop','Aero 13',1,'2020-03-10',1290.00,36,'in use',16),('LT-002','laptop','Aero 13',1,'2021-04-22',1349.00,36,'in use',16),('LT-003','laptop','Berg Pro 15',2,'2022-09-05',2190.00,48,'in use',32),
('LT-004','laptop','Berg Pro 15',2,'2023-02-01',2240.00,48,'in stock',32),('LT-005','laptop','Retro X',6,'2019-07-30',480.00,12,'scrapped',8),('LT-006','laptop','Aero 14',1,'2024-01-09',1420.00,36,'in use',16),
('MN-001','monitor','Kes 27',5,'2021-01-18',329.00,24,'in use',NULL),('MN-002','monitor','Kes 27',5,'2021-01-18',329.00,24,'in use',NULL),('MN-003','monitor','Kes 34 Wide',5,'2023-11-02',689.00,36,'in stock',NULL),
('PR-001','printer','OfficeJet B',3,'2018-05-14',899.00,24,'in repair',NULL),('PR-002','printer','LabelOne',3,'2022-06-30',249.00,NULL,'in use',NULL),('SV-001','server','Rack 2U',2,'2020-12-01',6480.00,60,'in use',128),
('SV-002','server','Rack 2U',2,'2023-08-15',7150.00,60,'in use',256),('PH-001','phone','Pico 5',1,'2022-02-25',410.00,24,'lost',6),('PH-002','phone','Pico 6',1,'2023-10-10',455.00,24,'in use',8),('SW-001','switch','NW-48',4,'2019-10-21',1875.00,60,'in use',NULL);
INSERT INTO assignment VALUES
(1,'LT-001',101,'2020-03-16','2022-09-11'),(2,'LT-001',107,'2022-09-12',NULL),(3,'LT-002',104,'2021-05-01',NULL),(4,'LT-003',101,'2022-09-12',NULL),(5,'LT-004',109,'2023-02-06','2023-06-30'),
(6,'LT-005',105,'2019-08-05','2022-01-31'),(7,'LT-006',110,'2024-01-15',NULL),(8,'MN-001',104,'2021-02-01',NULL),(9,'MN-002',105,'2021-02-01','2024-02-29'),(10,'MN-002',106,'2024-03-04',NULL),
(11,'PH-001',105,'2022-03-01','2023-09-30'),(12,'PH-002',105,'2023-10-12','2024-02-29'),(13,'PH-002',106,'2024-03-04',NULL),(14,'LT-005',102,'2022-02-01','2023-03-15');
INSERT INTO software VALUES
(1,'DrawCAD','subscription',3,5400.00,'2024-12-31'),(2,'LedgerPlus','subscription',2,1900.00,'2024-03-31'),(3,'Opentext Editor','free',NULL,0.00,NULL),(4,'GuardAV','subscription',50,2250.00,'2025-06-30'),(5,'StatBench','perpetual',5,0.00,NULL),(6,'MailPro','subscription',40,3120.00,'2024-09-30'),(7,'BackupVault','subscription',2,1480.00,'2023-12-31'),(8,'TeamBoard','subscription',25,990.00,'2025-01-31');
INSERT INTO installation VALUES
('LT-001',1,'11.2','2020-03-12'),('LT-001',4,'8.0','2020-03-12'),('LT-002',2,'5.4','2021-04-29'),('LT-002',4,'8.1','2021-04-29'),('LT-003',1,'12.0','2022-09-08'),('LT-003',3,'2.2','2022-09-09'),('LT-003',4,'8.4','2022-09-08'),
('LT-004',1,'12.1','2023-02-03'),('LT-004',4,'8.5','2023-02-03'),('LT-005',2,'5.1','2019-08-01'),('LT-006',6,'3.0','2024-01-11'),('LT-006',2,'6.0','2024-01-11'),('SV-001',7,'4.4','2020-12-10'),('SV-002',7,'4.9','2023-08-20'),('SV-002',4,'8.6','2023-08-20');
INSERT INTO ticket VALUES
(9001,'LT-001',101,102,'2022-03-07 08:50:00','2022-03-07 10:20:00',2,'Battery drains fast'),(9002,'PR-001',104,103,'2022-05-19 14:00:00','2022-05-23 14:00:00',3,'Paper jam'),
(9003,'SV-001',102,102,'2022-11-02 02:10:00','2022-11-02 05:40:00',1,'Disk failure'),(9004,'LT-005',102,103,'2023-01-30 09:05:00','2023-02-02 09:05:00',3,'Slow start'),
(9005,'MN-002',105,103,'2023-04-11 11:11:00','2023-04-11 12:41:00',3,'Flickering screen'),(9006,'PH-001',105,102,'2023-09-29 17:00:00','2023-10-02 09:00:00',2,'Phone lost'),
(9007,'PR-001',110,111,'2024-01-22 10:00:00',NULL,2,'Paper jam'),(9008,'LT-003',101,111,'2024-02-05 13:30:00','2024-02-06 10:30:00',2,'Battery swollen'),
(9009,'SV-002',103,102,'2024-02-18 23:45:00','2024-02-19 01:15:00',1,'Network down'),(9010,NULL,106,NULL,'2024-03-04 09:20:00',NULL,3,'New starter access'),(9011,'SW-001',107,103,'2024-03-11 07:40:00','2024-03-11 08:10:00',1,'Network down'),(9012,'LT-002',104,NULL,'2024-03-12 15:05:00',NULL,2,'Screen cracked');
