CREATE TABLE site (
  site_cd VARCHAR(6) PRIMARY KEY,
  site_nm VARCHAR(60),
  city VARCHAR(40),
  ctry_cd CHAR(2),
  actv_dt DATE,
  trgt_enrl INTEGER
);
CREATE TABLE invstgtr (
  inv_id INTEGER PRIMARY KEY,
  inv_nm VARCHAR(60),
  spclty VARCHAR(30),
  site_cd VARCHAR(6),
  pi_flg CHAR(1)
);
CREATE TABLE arm (
  arm_cd CHAR(1) PRIMARY KEY,
  arm_desc VARCHAR(40),
  dose_mg INTEGER
);
CREATE TABLE subj (
  subj_id VARCHAR(10) PRIMARY KEY,
  site_cd VARCHAR(6),
  arm_cd CHAR(1),
  sex CHAR(1),
  birth_yr INTEGER,
  wt_kg DECIMAL(5,1),
  scrn_dt DATE,
  rand_dt DATE,
  subj_stat VARCHAR(12),
  disc_rsn VARCHAR(30)
);
CREATE TABLE visit (
  visit_id INTEGER PRIMARY KEY,
  subj_id VARCHAR(10),
  visit_no INTEGER,
  plan_dt DATE,
  act_dt DATE,
  inv_id INTEGER
);
CREATE TABLE lab_rslt (
  visit_id INTEGER,
  test_cd VARCHAR(8),
  val DECIMAL(8,2),
  unit VARCHAR(10),
  abn_flg CHAR(1),
  PRIMARY KEY (visit_id, test_cd)
);
CREATE TABLE test_ref (
  test_cd VARCHAR(8) PRIMARY KEY,
  test_nm VARCHAR(40),
  lo DECIMAL(8,2),
  hi DECIMAL(8,2)
);
CREATE TABLE adv_evt (
  ae_id INTEGER PRIMARY KEY,
  subj_id VARCHAR(10),
  ae_term VARCHAR(40),
  onset_dt DATE,
  rslv_dt DATE,
  grade INTEGER,
  ser_flg CHAR(1),
  rel_cd CHAR(1)
);
INSERT INTO site VALUES
('S01','St. Brigid Hospital','Dublin','IE','2022-03-01',8),
('S02','Karolinen Clinic','Vienna','AT','2022-04-15',6),
('S03','Lakeside Medical Center','Chicago','US','2022-02-20',10),
('S04','Hopital Saint-Louis','Paris','FR','2022-07-05',5),
('S05','Bayview Research Unit','San Diego','US','2022-09-12',6),
('S06','Mater Infirmary','Cork','IE','2023-01-30',4),
('S07','Tatra Health Institute','Krakow','PL',NULL,4),
('S08','Prairie Heart Clinic','Omaha','US','2023-05-10',3);
INSERT INTO invstgtr VALUES
(1,'Dr. Aoife Brennan','Cardiology','S01','Y'),
(2,'Dr. Lukas Gruber','Endocrinology','S02','Y'),
(3,'Dr. Denise Carter','Cardiology','S03','Y'),
(4,'Dr. Mark Feldman','Internal medicine','S03','N'),
(5,'Dr. Claire Dumont','Cardiology','S04','Y'),
(6,'Dr. Victor Ruiz','Endocrinology','S05','Y'),
(7,'Dr. Niamh Walsh','Internal medicine','S06','Y'),
(8,'Dr. Ewa Nowak','Cardiology','S07','Y'),
(9,'Dr. Peter Quinn','Nephrology','S01','N'),
(10,'Dr. Sofia Lind',NULL,NULL,'N');
INSERT INTO arm VALUES
('A','Placebo',0),
('B','Low dose',50),
('C','High dose',100),
('D','Open label',100);
INSERT INTO subj VALUES
('S01-001','S01','A','F',1958,71.5,'2022-03-10','2022-03-24','COMPLETED',NULL),
('S01-002','S01','B','M',1949,88.0,'2022-03-28','2022-04-11','COMPLETED',NULL),
('S01-003','S01','C','M',1963,95.2,'2022-05-02','2022-05-19','WITHDRAWN','Adverse event'),
('S01-004','S01',NULL,'F',1970,64.3,'2022-06-07',NULL,'SCRN FAIL','Renal function'),
('S02-001','S02','B','F',1955,69.9,'2022-05-03','2022-05-16','COMPLETED',NULL),
('S02-002','S02','C','M',1961,82.4,'2022-06-13','2022-06-30','ONGOING',NULL),
('S02-003','S02','A','F',1972,58.7,'2022-09-01','2022-09-12','LOST','Lost to follow-up'),
('S03-001','S03','C','M',1946,101.3,'2022-03-07','2022-03-21','COMPLETED',NULL),
('S03-002','S03','A','M',1951,92.6,'2022-03-15','2022-04-04','COMPLETED',NULL),
('S03-003','S03','B','F',1966,77.0,'2022-04-20','2022-05-04','WITHDRAWN','Consent withdrawn'),
('S03-004','S03','C','F',1959,84.1,'2022-08-09','2022-08-22','ONGOING',NULL),
('S03-005','S03',NULL,'M',1968,NULL,'2022-10-11',NULL,'SCRN FAIL','High blood pressure'),
('S04-001','S04','B','M',1953,79.8,'2022-08-01','2022-08-15','ONGOING',NULL),
('S04-002','S04','A','F',1964,66.2,'2022-09-19','2022-10-03','ONGOING',NULL),
('S05-001','S05','C','F',1957,73.4,'2022-10-24','2022-11-07','ONGOING',NULL),
('S05-002','S05','B','M',1971,105.9,'2023-01-16','2023-01-30','WITHDRAWN','Adverse event'),
('S06-001','S06','A','M',1960,86.7,'2023-02-20','2023-03-06','ONGOING',NULL),
('S06-002','S06',NULL,'F',1948,NULL,'2023-03-13',NULL,'SCREENING',NULL);
INSERT INTO visit VALUES
(101,'S01-001',1,'2022-03-24','2022-03-24',1),
(102,'S01-001',2,'2022-04-21','2022-04-25',1),
(103,'S01-001',3,'2022-06-16','2022-06-16',9),
(104,'S01-002',1,'2022-04-11','2022-04-11',1),
(105,'S01-002',2,'2022-05-09','2022-05-06',9),
(106,'S01-003',1,'2022-05-19','2022-05-19',1),
(107,'S01-003',2,'2022-06-16','2022-06-28',1),
(108,'S02-001',1,'2022-05-16','2022-05-16',2),
(109,'S02-001',2,'2022-06-13','2022-06-14',2),
(110,'S02-002',1,'2022-06-30','2022-06-30',2),
(111,'S02-003',1,'2022-09-12','2022-09-12',2),
(112,'S02-003',2,'2022-10-10',NULL,NULL),
(113,'S03-001',1,'2022-03-21','2022-03-21',3),
(114,'S03-001',2,'2022-04-18','2022-04-19',4),
(115,'S03-002',1,'2022-04-04','2022-04-04',3),
(116,'S03-003',1,'2022-05-04','2022-05-04',4),
(117,'S03-004',1,'2022-08-22','2022-08-22',3),
(118,'S03-004',2,'2022-09-19','2022-09-23',3),
(119,'S04-001',1,'2022-08-15','2022-08-15',5),
(120,'S04-002',1,'2022-10-03','2022-10-04',5),
(121,'S05-001',1,'2022-11-07','2022-11-07',6),
(122,'S05-002',1,'2023-01-30','2023-01-30',6),
(123,'S05-002',2,'2023-02-27','2023-03-09',6),
(124,'S06-001',1,'2023-03-06','2023-03-06',7),
(125,'S06-001',2,'2023-04-03',NULL,NULL);
INSERT INTO test_ref VALUES
('HGB','Hemoglobin',12.00,17.50),
('ALT','Alanine aminotransferase',7.00,55.00),
('CREA','Creatinine',0.60,1.30),
('HBA1C','Glycated hemoglobin',4.00,5.60),
('K','Potassium',3.50,5.10),
('TSH','Thyroid stimulating hormone',0.40,4.00),
('LDL','LDL cholesterol',NULL,130.00),
('NA','Sodium',135.00,145.00);
INSERT INTO lab_rslt VALUES
(101,'HGB',13.10,'g/dL','N'),
(101,'ALT',31.00,'U/L','N'),
(102,'ALT',62.00,'U/L','Y'),
(103,'ALT',40.00,'U/L','N'),
(104,'CREA',1.10,'mg/dL','N'),
(105,'CREA',1.42,'mg/dL','Y'),
(106,'HBA1C',7.90,'%','Y'),
(107,'HBA1C',7.20,'%','Y'),
(107,'ALT',118.00,'U/L','Y'),
(108,'HGB',11.60,'g/dL','Y'),
(109,'HGB',12.40,'g/dL','N'),
(110,'K',4.20,'mmol/L','N'),
(113,'LDL',162.00,'mg/dL','Y'),
(114,'LDL',127.00,'mg/dL','N'),
(115,'LDL',148.00,'mg/dL','Y'),
(116,'K',3.30,'mmol/L','Y'),
(117,'HBA1C',5.40,'%','N'),
(118,'HBA1C',5.30,'%','N'),
(119,'HGB',15.20,'g/dL','N'),
(121,'ALT',28.00,'U/L','N'),
(122,'K',4.90,'mmol/L','N'),
(123,'K',5.60,'mmol/L','Y'),
(123,'CREA',1.70,'mg/dL','Y'),
(124,'HGB',14.00,'g/dL',NULL);
INSERT INTO adv_evt VALUES
(1,'S01-001','Headache','2022-04-02','2022-04-05',1,'N','N'),
(2,'S01-001','Nausea','2022-05-11','2022-05-14',2,'N','P'),
(3,'S01-003','Liver enzyme increase','2022-06-20','2022-07-30',3,'Y','R'),
(4,'S01-002','Dizziness','2022-04-30','2022-05-02',1,'N','P'),
(5,'S02-001','Headache','2022-05-25','2022-05-25',1,'N','N'),
(6,'S02-002','Hypotension','2022-08-14','2022-08-20',2,'N','R'),
(7,'S03-001','Fall','2022-05-01','2022-05-22',2,'Y','N'),
(8,'S03-002','Influenza','2022-12-10','2022-12-19',2,'N','N'),
(9,'S03-003','Nausea','2022-05-10','2022-05-20',2,'N','R'),
(10,'S03-004','Dizziness','2022-09-05',NULL,1,'N','P'),
(11,'S04-001','Atrial fibrillation','2022-11-18','2022-11-29',3,'Y','P'),
(12,'S05-001','Headache','2022-12-01','2022-12-02',1,'N',NULL),
(13,'S05-002','Kidney injury','2023-03-05',NULL,4,'Y','R'),
(14,'S05-002','Nausea','2023-02-12','2023-02-15',1,'N','R'),
(15,'S06-001','Rash','2023-03-28',NULL,2,'N','P');
