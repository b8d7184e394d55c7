CREATE TABLE tblCustomer (
  custId INTEGER PRIMARY KEY,
  custName TEXT,
  custType TEXT,
  city TEXT,
  birthDate DATE,
  creditScore INTEGER
);
CREATE TABLE tblTariff (
  tariffId INTEGER PRIMARY KEY,
  tariffName TEXT,
  monthlyFee DECIMAL(8,2),
  dataGb INTEGER,
  freeMinutes INTEGER,
  isActive INTEGER
);
CREATE TABLE tblHandset (
  imei TEXT PRIMARY KEY,
  brand TEXT,
  model TEXT,
  is5g INTEGER
);
CREATE TABLE tblSim (
  msisdn TEXT PRIMARY KEY,
  custId INTEGER,
  tariffId INTEGER,
  prevTariffId INTEGER,
  imei TEXT,
  activatedOn DATE,
  deactivatedOn DATE,
  portedFrom TEXT
);
CREATE TABLE tblCellSite (
  siteId TEXT PRIMARY KEY,
  siteName TEXT,
  city TEXT,
  technology TEXT,
  parentSiteId TEXT,
  onAirSince DATE
);
CREATE TABLE tblCall (
  callId INTEGER PRIMARY KEY,
  callerNo TEXT,
  calledNo TEXT,
  siteId TEXT,
  startedAt TIMESTAMP,
  durationSec INTEGER,
  endReason TEXT
);
CREATE TABLE tblDataUse (
  msisdn TEXT,
  usageMonth TEXT,
  usedMb INTEGER,
  roamingMb INTEGER
);
CREATE TABLE tblOutage (
  outageId INTEGER PRIMARY KEY,
  siteId TEXT,
  beganAt TIMESTAMP,
  endedAt TIMESTAMP,
  cause TEXT
);
INSERT INTO tblCustomer VALUES
(1,'Aoife Brennan','P','Galway','1990-04-12',710),(2,'Declan Foley','P','Cork','1975-09-30',640),(3,'Shannon Freight Ltd','B','Limerick',NULL,780),
(4,'Niamh Casey','P','Cork','2001-01-25',NULL),(5,'Oran Taxis','B','Dublin',NULL,590),(6,'Pawel Wojcik','P','Dublin','1983-12-03',690),
(7,'Maeve Tierney','P','Galway','1958-06-17',745),(8,'Liam Dunne','P','Dublin','1996-02-08',520),(9,'Cara Studio','B','Cork',NULL,NULL),(10,'Eoin Walsh','P','Sligo','2003-11-19',605);
INSERT INTO tblTariff VALUES
(1,'Chat Light',9.99,2,100,0),(2,'Surf M',19.99,20,500,1),(3,'Surf XL',34.99,100,NULL,1),(4,'Biz Fleet',27.50,30,NULL,1),(5,'Senior Talk',12.50,3,600,1),(6,'Student Max',17.00,60,200,1),(7,'Prepaid Go',0.00,0,0,1),(8,'Surf S',14.99,8,300,0);
INSERT INTO tblHandset VALUES
('H1','Nordic','N20',1),('H2','Nordic','N10',0),('H3','Pearl','P7',1),('H4','Pearl','P5',0),('H5','Kyro','Tough',0),('H6','Kyro','Flip',0),('H7','Pearl','P8',1),('H8','Nordic','N30',1),('H9','Zeta','Z1',1);
INSERT INTO tblSim VALUES
('0851000001',1,2,1,'H1','2021-03-01',NULL,NULL),('0851000002',2,8,NULL,'H4','2022-02-14','2023-12-31',NULL),('0851000003',3,4,NULL,'H5','2022-06-01',NULL,'VodaTel'),
('0851000004',3,4,NULL,'H5','2022-06-01',NULL,'VodaTel'),('0851000005',4,6,8,'H3','2022-09-20',NULL,NULL),('0851000006',5,4,2,'H2','2021-11-11',NULL,NULL),
('0851000007',5,4,NULL,NULL,'2023-05-05','2024-01-31',NULL),('0851000008',6,3,2,'H7','2022-01-10',NULL,'GreenMobile'),('0851000009',7,5,1,'H6','2021-07-07',NULL,NULL),
('0851000010',8,1,NULL,'H2','2022-12-24','2023-08-15',NULL),('0851000011',8,2,NULL,'H8','2023-08-16',NULL,NULL),('0851000012',2,3,NULL,'H8','2024-01-01',NULL,'VodaTel'),
('0851000013',10,6,NULL,NULL,'2024-03-18',NULL,NULL),('0851000014',NULL,7,NULL,NULL,'2024-04-02',NULL,NULL);
INSERT INTO tblCellSite VALUES
('D01','Dublin Docks','Dublin','5G',NULL,'2015-04-01'),('D02','Phibsborough','Dublin','4G','D01','2016-08-12'),('D03','Tallaght','Dublin','5G','D01','2022-10-03'),
('C01','Cork Shandon','Cork','5G',NULL,'2015-06-20'),('C02','Douglas','Cork','4G','C01','2017-03-03'),('G01','Galway Eyre','Galway','4G',NULL,'2016-01-15'),
('G02','Salthill','Galway','3G','G01','2012-05-09'),('L01','Limerick Quay','Limerick','4G',NULL,'2018-11-27'),('S01','Sligo Hill','Sligo','3G',NULL,NULL);
INSERT INTO tblCall VALUES
(1,'0851000001','0851000009','G01','2023-05-02 09:10:00',340,'normal'),(2,'0851000009','0851000001','G02','2023-05-02 18:45:00',1260,'normal'),
(3,'0851000003','0851000004','L01','2023-05-03 06:30:00',45,'normal'),(4,'0851000006','0851000007','D01','2023-06-10 23:15:00',75,'dropped'),
(5,'0851000006','0851000007','D01','2023-06-10 23:18:00',210,'normal'),(6,'0851000008','0851000005','D02','2023-09-01 12:00:00',0,'no answer'),
(7,'0851000005','0851000008','C01','2023-09-01 12:20:00',615,'normal'),(8,'0851000002','0851000005','C02','2023-11-19 20:05:00',130,'normal'),
(9,'0851000011','0851000008','D03','2024-01-14 10:10:00',95,'dropped'),(10,'0851000001','0851000012','G01','2024-02-02 17:40:00',505,'normal'),
(11,'0851000012','0851000001','C01','2024-02-03 08:00:00',0,'no answer'),(12,'0851000004','0851000003','L01','2024-02-20 05:55:00',38,'normal'),
(13,'0851000009','0851000001','G02','2024-03-17 11:11:00',2210,'normal'),(14,'0851000006','0851000011','D02','2024-04-05 22:30:00',160,'dropped'),
(15,'0851000013','0851000005','C01','2024-04-06 16:00:00',780,'normal'),(16,'0851000011','0851000011','D03','2024-04-08 09:00:00',4,'normal');
INSERT INTO tblDataUse VALUES
('0851000001','2024-01',14200,0),('0851000001','2024-02',21900,350),('0851000003','2024-01',4100,1800),('0851000003','2024-02',3900,2600),
('0851000004','2024-01',2500,0),('0851000005','2024-01',48000,0),('0851000005','2024-02',63500,0),('0851000006','2024-01',9800,NULL),
('0851000008','2024-01',71000,5200),('0851000008','2024-02',66000,0),('0851000009','2024-01',150,0),('0851000009','2024-02',210,0),
('0851000011','2024-01',18700,0),('0851000011','2024-02',23100,0),('0851000012','2024-01',30500,900),('0851000012','2024-02',28800,0);
INSERT INTO tblOutage VALUES
(1,'D02','2023-02-11 03:00:00','2023-02-11 07:30:00','power'),(2,'G02','2023-07-22 14:00:00','2023-07-23 02:00:00','storm'),(3,'L01','2023-10-30 09:15:00','2023-10-30 09:45:00','software'),
(4,'D01','2024-01-06 22:00:00','2024-01-07 01:00:00','power'),(5,'G02','2024-02-14 10:00:00','2024-02-14 19:00:00','fibre cut'),(6,'S01','2024-03-01 00:30:00',NULL,'power'),
(7,'C02','2024-03-19 12:00:00','2024-03-19 12:20:00','software'),(8,'G01','2024-04-09 08:00:00',NULL,NULL);
