CREATE TABLE "supply zone" (
  "zone code" VARCHAR(4) PRIMARY KEY,
  "zone name" VARCHAR(40),
  "hardness mg" INTEGER,
  "feeds from" VARCHAR(4)
);
CREATE TABLE cust (
  cust_no INTEGER PRIMARY KEY,
  cust_nm VARCHAR(60),
  cust_typ CHAR(1),
  pay_mthd VARCHAR(4),
  since_dt DATE,
  vuln_flg CHAR(1)
);
CREATE TABLE premise (
  prem_no INTEGER PRIMARY KEY,
  addr VARCHAR(60),
  zone_cd VARCHAR(4),
  own_cust_no INTEGER,
  bill_cust_no INTEGER,
  occupants INTEGER
);
CREATE TABLE meter (
  mtr_srl VARCHAR(10) PRIMARY KEY,
  prem_no INTEGER,
  mtr_sz_mm INTEGER,
  mtr_typ VARCHAR(6),
  inst_dt DATE,
  rmv_dt DATE
);
CREATE TABLE reading (
  rdg_id INTEGER PRIMARY KEY,
  mtr_srl VARCHAR(10),
  rdg_dt DATE,
  rdg_m3 INTEGER,
  rdg_src CHAR(1)
);
CREATE TABLE tariff (
  trf_cd VARCHAR(6) PRIMARY KEY,
  trf_desc VARCHAR(40),
  cust_typ CHAR(1),
  stdg_chg DECIMAL(8,2),
  m3_rate DECIMAL(8,4),
  eff_frm DATE,
  eff_to DATE
);
CREATE TABLE bill (
  bill_no INTEGER PRIMARY KEY,
  prem_no INTEGER,
  cust_no INTEGER,
  trf_cd VARCHAR(6),
  prd_frm DATE,
  prd_to DATE,
  used_m3 INTEGER,
  amt DECIMAL(10,2),
  due_dt DATE,
  est_flg CHAR(1)
);
CREATE TABLE payment (
  pmt_id INTEGER PRIMARY KEY,
  bill_no INTEGER,
  pmt_dt DATE,
  pmt_amt DECIMAL(10,2),
  pmt_mthd VARCHAR(4)
);
CREATE TABLE leak (
  leak_id INTEGER PRIMARY KEY,
  zone_cd VARCHAR(4),
  prem_no INTEGER,
  rptd_on DATE,
  fixed_on DATE,
  sev INTEGER,
  lost_m3 INTEGER
);
INSERT INTO "supply zone" VALUES
('RSV1','Hilltop Reservoir',180,NULL),('RSV2','Moor Reservoir',95,NULL),('TWN','Old Town',182,'RSV1'),('EST','East Estate',178,'RSV1'),
('VAL','Valley',98,'RSV2'),('IND','Industrial Park',176,'TWN'),('HAR','Harbour',184,'TWN'),('FEL','Fellside',NULL,'VAL');
INSERT INTO cust VALUES
(2001,'Janet Mowbray','H','DD','2009-04-01','N'),
(2002,'Raymond Tull','H','CHQ','2012-10-15','Y'),
(2003,'Corby Plastics Ltd','B','BACS','2015-01-05','N'),
(2004,'Stella Abiola','H','DD','2019-06-20','N'),
(2005,'Mowbray Lettings','B','DD','2011-03-11','N'),
(2006,'Hugo Bastien','H','CARD','2021-09-01','N'),
(2007,'Seagull Cafe','B','CARD','2020-02-28','N'),
(2008,'Edith Farrow','H','DD','2005-11-30','Y'),
(2009,'Valley Primary School','B','BACS','2008-09-01','N'),
(2010,'Liam Okoro','H',NULL,'2024-08-12','N');
INSERT INTO premise VALUES
(301,'4 Church Lane','TWN',2001,2001,3),
(302,'19 Church Lane','TWN',2005,2002,1),
(303,'Unit 7 Forge Way','IND',2003,2003,NULL),
(304,'22 Beech Avenue','EST',2004,2004,4),
(305,'24 Beech Avenue','EST',2005,2006,2),
(306,'1 Quay Parade','HAR',2005,2007,NULL),
(307,'Rose Cottage','VAL',2008,2008,1),
(308,'School House, Valley Road','VAL',2009,2009,NULL),
(309,'3 Quay Parade','HAR',2005,2010,2),
(310,'High Barn','FEL',2001,NULL,NULL),
(311,'Unit 9 Forge Way','IND',2003,2003,NULL);
INSERT INTO meter VALUES
('M10001',301,15,'manual','2010-05-10','2023-06-30'),
('M20001',301,15,'smart','2023-06-30',NULL),
('M10002',302,15,'manual','2012-10-20',NULL),
('M10003',303,40,'smart','2019-02-01',NULL),
('M10004',304,15,'smart','2020-03-15',NULL),
('M09904',304,15,'smart','2018-01-05','2020-03-15'),
('M10005',305,15,'manual','2014-08-08',NULL),
('M10006',306,25,'smart','2021-01-20',NULL),
('M10007',307,15,'manual','2006-01-12',NULL),
('M10008',308,25,'manual','2009-09-09',NULL),
('M10009',309,15,'smart','2024-08-12',NULL),
('M10011',311,40,'manual','2017-07-01',NULL);
INSERT INTO reading VALUES
(1,'M10001','2023-01-04',1402,'A'),(2,'M10001','2023-06-30',1471,'A'),(3,'M20001','2023-12-31',66,'S'),(4,'M20001','2024-06-30',140,'S'),
(5,'M10002','2023-01-05',388,'A'),(6,'M10002','2023-07-03',405,'E'),(7,'M10002','2024-01-08',421,'A'),
(8,'M10003','2023-06-30',9120,'S'),(9,'M10003','2023-12-31',9980,'S'),(10,'M10003','2024-06-30',10890,'S'),
(11,'M10004','2023-12-31',610,'S'),(12,'M10004','2024-06-30',702,'S'),
(13,'M10005','2023-07-04',877,'C'),(14,'M10005','2024-01-09',921,'E'),(15,'M10005','2024-07-02',960,'C'),
(16,'M10006','2024-06-30',1310,'S'),(17,'M10007','2023-07-06',540,'A'),(18,'M10007','2024-01-11',556,'E'),(19,'M10007','2024-07-09',570,'A'),
(20,'M10008','2024-01-11',4020,'A'),(21,'M10008','2024-07-09',4310,'A');
INSERT INTO tariff VALUES
('H22','Household 2022/23','H',28.00,1.4200,'2022-04-01','2023-03-31'),
('H23','Household 2023/24','H',30.00,1.5500,'2023-04-01','2024-03-31'),
('H24','Household 2024/25','H',32.50,1.6800,'2024-04-01',NULL),
('HS','Household social','H',10.00,1.1000,'2023-04-01',NULL),
('B22','Business 2022/23','B',75.00,1.2500,'2022-04-01','2023-03-31'),
('B23','Business 2023/24','B',80.00,1.3300,'2023-04-01','2024-03-31'),
('B24','Business 2024/25','B',86.00,1.4100,'2024-04-01',NULL),
('BT','Trade effluent','B',120.00,2.0500,'2023-04-01',NULL);
INSERT INTO bill VALUES
(70001,301,2001,'H23','2023-01-05','2023-06-30',69,136.95,'2023-07-28','N'),
(70002,302,2002,'HS','2023-01-06','2023-07-03',17,28.70,'2023-07-31','Y'),
(70003,303,2003,'B23','2023-07-01','2023-12-31',860,1223.80,'2024-01-28','N'),
(70004,301,2001,'H23','2023-07-01','2023-12-31',66,132.30,'2024-01-28','N'),
(70005,302,2002,'HS','2023-07-04','2024-01-08',16,27.60,'2024-02-05','N'),
(70006,305,2006,'H23','2023-07-05','2024-01-09',44,98.20,'2024-02-06','Y'),
(70007,307,2008,'HS','2023-07-07','2024-01-11',16,27.60,'2024-02-08','Y'),
(70008,303,2003,'B24','2024-01-01','2024-06-30',910,1369.10,'2024-07-28','N'),
(70009,301,2001,'H24','2024-01-01','2024-06-30',74,156.82,'2024-07-28','N'),
(70010,304,2004,'H24','2024-01-01','2024-06-30',92,187.06,'2024-07-28','N'),
(70011,305,2006,'H24','2024-01-10','2024-07-02',39,98.02,'2024-07-30','N'),
(70012,307,2008,'HS','2024-01-12','2024-07-09',14,25.40,'2024-08-06','N'),
(70013,308,2009,'B24','2024-01-12','2024-07-09',290,494.90,'2024-08-06','N'),
(70014,306,2007,'BT','2024-01-01','2024-06-30',140,407.00,'2024-07-28','N');
INSERT INTO payment VALUES
(1,70001,'2023-07-20',136.95,'DD'),(2,70002,'2023-08-10',28.70,'CHQ'),(3,70003,'2024-01-25',1223.80,'BACS'),(4,70004,'2024-01-20',132.30,'DD'),
(5,70005,'2024-02-20',20.00,'CHQ'),(6,70006,'2024-02-01',50.00,'CARD'),(7,70006,'2024-03-01',48.20,'CARD'),(8,70007,'2024-02-01',27.60,'DD'),
(9,70008,'2024-08-15',1369.10,'BACS'),(10,70009,'2024-07-20',156.82,'DD'),(11,70010,'2024-07-20',187.06,'DD'),(12,70012,'2024-08-01',25.40,'DD'),(13,70014,'2024-07-25',200.00,'CARD');
INSERT INTO leak VALUES
(1,'TWN',301,'2023-02-11','2023-02-14',2,40),(2,'TWN',NULL,'2023-05-03','2023-05-04',3,310),(3,'IND',303,'2023-08-19','2023-09-02',2,225),(4,'VAL',NULL,'2023-12-27','2024-01-05',1,90),
(5,'HAR',306,'2024-03-16','2024-03-18',1,15),(6,'EST',NULL,'2024-06-09',NULL,2,NULL),(7,'FEL',310,'2024-07-22','2024-08-19',1,60),(8,'TWN',NULL,'2024-09-30',NULL,3,NULL),(9,'VAL',307,'2024-10-02','2024-10-03',1,5),(10,'RSV1',NULL,'2022-11-20','2022-11-25',2,150);
