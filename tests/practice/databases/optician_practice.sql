CREATE TABLE tbl_branch (
  br_cd VARCHAR(3) PRIMARY KEY,
  br_nm VARCHAR(40),
  town VARCHAR(40),
  tel VARCHAR(20)
);
CREATE TABLE tbl_staff (
  stf_id INTEGER PRIMARY KEY,
  stf_nm VARCHAR(60),
  role_cd VARCHAR(3),
  br_cd VARCHAR(3) REFERENCES tbl_branch(br_cd),
  strt_dt DATE,
  end_dt DATE
);
CREATE TABLE tbl_patient (
  pat_id INTEGER PRIMARY KEY,
  pat_nm VARCHAR(60),
  dob DATE,
  town VARCHAR(40),
  email VARCHAR(60),
  diab_flg CHAR(1),
  rcl_mths INTEGER
);
CREATE TABLE tbl_exam (
  ex_id INTEGER PRIMARY KEY,
  pat_id INTEGER REFERENCES tbl_patient(pat_id),
  optom_id INTEGER REFERENCES tbl_staff(stf_id),
  br_cd VARCHAR(3) REFERENCES tbl_branch(br_cd),
  ex_dt DATE,
  sph_r DECIMAL(5,2),
  sph_l DECIMAL(5,2),
  iop_r INTEGER,
  iop_l INTEGER,
  fee DECIMAL(8,2),
  refd CHAR(1)
);
CREATE TABLE tbl_frame (
  frm_id INTEGER PRIMARY KEY,
  brand VARCHAR(30),
  mdl VARCHAR(30),
  matl VARCHAR(20),
  rrp DECIMAL(8,2),
  cost DECIMAL(8,2),
  stk_qty INTEGER
);
CREATE TABLE tbl_order (
  ord_id INTEGER PRIMARY KEY,
  pat_id INTEGER REFERENCES tbl_patient(pat_id),
  disp_id INTEGER REFERENCES tbl_staff(stf_id),
  frm_id INTEGER REFERENCES tbl_frame(frm_id),
  lens_typ VARCHAR(12),
  ord_dt DATE,
  coll_dt DATE,
  tot_amt DECIMAL(8,2),
  pd_amt DECIMAL(8,2),
  sts CHAR(1)
);
CREATE TABLE tbl_order_sts (
  sts CHAR(1) PRIMARY KEY,
  sts_desc VARCHAR(30)
);
INSERT INTO tbl_branch VALUES
('HGS','High Street','Ludlow','01584 550101'),('MKT','Market Square','Hereford','01432 550102'),('RIV','Riverside','Shrewsbury','01743 550103'),
('STN','Station Road','Leominster','01568 550104'),('ABB','Abbey View','Tewkesbury','01684 550105'),('CAS','Castle Gate','Ludlow',NULL),
('GRN','The Green','Ross-on-Wye','01989 550107'),('PLZ','Plaza','Telford','01952 550108');
INSERT INTO tbl_staff VALUES
(1,'Helena Voss','OPT','HGS','2014-03-03',NULL),
(2,'Samir Gupta','OPT','MKT','2017-08-21',NULL),
(3,'Nora Byrne','OPT','RIV','2019-01-07','2024-06-30'),
(4,'Callum Reid','DSP','HGS','2018-05-14',NULL),
(5,'Yasmin Ali','DSP','MKT','2020-09-01',NULL),
(6,'Pete Lawson','DSP','RIV','2021-11-15',NULL),
(7,'Joan Mercer','REC','HGS','2010-02-01',NULL),
(8,'Tariq Hassan','OPT','STN','2022-10-10',NULL),
(9,'Bea Collins','REC','PLZ','2023-04-17','2024-02-29'),
(10,'Lucy Farr','MGR','RIV','2016-07-01',NULL),
(11,'Owen Tudor','DSP','STN','2024-03-11',NULL);
INSERT INTO tbl_patient VALUES
(101,'Agnes Morley','1948-05-12','Ludlow',NULL,'Y',12),
(102,'Brian Foss','1975-11-30','Hereford','bfoss@mail.test','N',24),
(103,'Chloe Danvers','2009-07-04','Ludlow','danvers@mail.test','N',12),
(104,'Derek Onslow','1962-01-22','Shrewsbury',NULL,'Y',12),
(105,'Emily Strand','1990-09-15','Hereford','emstrand@mail.test','N',24),
(106,'Frank Healey','1955-03-28','Leominster','fhealey@mail.test','N',24),
(107,'Gita Sharma','1983-12-02','Shrewsbury','gita.s@mail.test','N',24),
(108,'Harold Pym','1939-08-19','Ludlow',NULL,'N',12),
(109,'Isla Munro','2014-02-10','Leominster','munro@mail.test','N',6),
(110,'Jack Bowen','1998-06-25','Hereford','jbowen@mail.test','N',NULL),
(111,'Karen Ellis','1970-10-08','Telford','kellis@mail.test','Y',12),
(112,'Louis Grant','1987-04-17','Shrewsbury',NULL,'N',24),
(113,'Mona Keating','2001-03-06','Hereford','mkeating@mail.test','N',NULL);
INSERT INTO tbl_exam VALUES
(1,101,1,'HGS','2022-09-14',1.75,2.00,21,22,35.00,'N'),
(2,102,2,'MKT','2022-10-03',-2.25,-2.50,15,14,35.00,'N'),
(3,103,1,'HGS','2023-01-20',-1.00,-0.75,NULL,NULL,0.00,'N'),
(4,104,3,'RIV','2023-02-16',0.50,0.75,24,26,35.00,'Y'),
(5,105,2,'MKT','2023-03-09',-4.50,-4.25,13,13,35.00,'N'),
(6,106,8,'STN','2023-05-24',2.25,2.00,17,18,35.00,'N'),
(7,107,3,'RIV','2023-06-12',-3.00,-3.25,16,16,35.00,'N'),
(8,101,1,'HGS','2023-09-20',2.00,2.25,22,25,38.00,'Y'),
(9,108,1,'HGS','2023-11-08',3.00,2.75,19,18,0.00,'N'),
(10,103,1,'HGS','2024-01-23',-1.50,-1.25,NULL,NULL,0.00,'N'),
(11,109,8,'STN','2024-02-13',0.75,1.00,NULL,NULL,0.00,'N'),
(12,104,3,'RIV','2024-02-19',0.75,0.75,22,21,38.00,'N'),
(13,111,3,'RIV','2024-04-15',-0.50,-0.25,18,23,38.00,'Y'),
(14,109,8,'STN','2024-08-20',0.75,1.25,NULL,NULL,0.00,'N'),
(15,101,1,'HGS','2024-09-25',2.00,2.50,20,20,38.00,'N'),
(16,102,2,'MKT','2024-10-09',-2.50,-2.75,15,15,38.00,'N'),
(17,110,2,'MKT','2024-11-11',-1.25,-1.25,14,NULL,38.00,'N'),
(18,112,3,'RIV','2024-05-02',-0.75,-0.50,17,17,38.00,'N'),
(19,111,3,'RIV','2023-04-11',-0.25,-0.25,17,19,35.00,'N');
INSERT INTO tbl_frame VALUES
(1,'Lumera','Aria','acetate',129.00,48.00,6),
(2,'Lumera','Vento','titanium',189.00,82.00,3),
(3,'Kestrel','K12','metal',79.00,22.00,11),
(4,'Kestrel','K15','metal',89.00,26.00,0),
(5,'Bramble','Junior Fox','plastic',49.00,14.00,8),
(6,'Bramble','Junior Owl','plastic',49.00,15.00,2),
(7,'Orlando','Siena','acetate',215.00,97.00,4),
(8,'Orlando','Prato','titanium',259.00,120.00,NULL),
(9,'Nordlys','Fjord','titanium',299.00,140.00,1),
(10,'Nordlys','Skerry','metal',279.00,131.00,2),
(11,'Orlando','Como','acetate',229.00,99.00,0);
INSERT INTO tbl_order_sts VALUES
('O','on order'),('L','at the lab'),('R','ready to collect'),('C','collected'),('X','cancelled'),('W','warranty return'),('H','on hold'),('Q','quote only');
INSERT INTO tbl_order VALUES
(1001,101,4,1,'varifocal','2022-09-14','2022-09-28',328.00,328.00,'C'),
(1002,102,5,3,'single','2022-10-03','2022-10-12',339.00,339.00,'C'),
(1003,103,4,5,'single','2023-01-20','2023-01-30',49.00,49.00,'C'),
(1004,104,6,7,'varifocal','2023-02-20','2023-03-13',455.00,455.00,'C'),
(1005,105,5,2,'single','2023-03-09','2023-03-21',289.00,289.00,'C'),
(1006,105,NULL,NULL,'contact','2023-04-02','2023-04-06',96.00,96.00,'C'),
(1007,106,5,3,'bifocal','2023-05-24',NULL,469.00,0.00,'X'),
(1008,107,6,9,'single','2023-06-15','2023-07-04',389.00,389.00,'C'),
(1009,101,4,2,'varifocal','2023-09-25','2023-10-18',419.00,419.00,'C'),
(1010,108,4,1,'bifocal','2023-11-08','2023-11-20',239.00,239.00,'C'),
(1011,103,4,6,'single','2024-01-23','2024-02-01',49.00,49.00,'C'),
(1012,109,11,5,'single','2024-03-14','2024-03-25',49.00,49.00,'C'),
(1013,105,5,NULL,'contact','2024-04-03','2024-04-08',102.00,102.00,'C'),
(1014,111,6,7,'varifocal','2024-04-22',NULL,465.00,200.00,'R'),
(1015,101,4,9,'varifocal','2024-09-30',NULL,529.00,100.00,'L'),
(1016,102,5,4,'single','2024-10-09',NULL,149.00,149.00,'R'),
(1017,110,5,3,'single','2024-11-11',NULL,139.00,0.00,'O'),
(1018,104,6,8,'single','2024-02-26','2024-03-11',379.00,379.00,'C');
