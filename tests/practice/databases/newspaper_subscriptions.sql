CREATE TABLE subscr (
  subscr_id INTEGER,
  nm TEXT,
  addr TEXT,
  postcd TEXT,
  email TEXT,
  birth_yr INTEGER,
  ref_by INTEGER
);
CREATE TABLE pub (
  pub_cd TEXT,
  pub_nm TEXT,
  lang TEXT,
  freq TEXT
);
CREATE TABLE plan_prc (
  pub_cd TEXT,
  plan_cd TEXT,
  mth_prc DECIMAL(8,2),
  valid_fr DATE,
  valid_to DATE
);
CREATE TABLE sub_contr (
  contr_no TEXT,
  subscr_id INTEGER,
  pub_cd TEXT,
  plan_cd TEXT,
  start_dt DATE,
  end_dt DATE,
  canc_rsn TEXT,
  auto_renew TEXT
);
CREATE TABLE inv (
  inv_no INTEGER,
  contr_no TEXT,
  inv_dt DATE,
  due_dt DATE,
  paid_dt DATE,
  amt DECIMAL(8,2)
);
CREATE TABLE cmplnt (
  cmplnt_id INTEGER,
  contr_no TEXT,
  cmplnt_dt DATE,
  typ TEXT,
  rte_cd TEXT,
  resolved TEXT
);
CREATE TABLE dlv_rte (
  rte_cd TEXT,
  postcd TEXT,
  carrier_nm TEXT,
  km DECIMAL(5,1)
);
INSERT INTO subscr VALUES
(501,'Margaret Ellis','4 Mill Lane','HX1','mellis@news.example',1948,NULL),
(502,'Geoff Barlow','17 Canal Street','HX1',NULL,1955,501),
(503,'Nadia Rahman','Flat 2, 90 High Street','HX2','nadia.r@news.example',1987,NULL),
(504,'Colin Firthwood','1 Station Road','HX3','colin@fw.example',1962,501),
(505,'Beth Armitage','22 Moor View','HX3','beth.a@news.example',1991,503),
(506,'Town Library','Market Place','HX1','library@town.example',NULL,NULL),
(507,'Ian Sykes','8 Moor View','HX4',NULL,1950,NULL),
(508,'Helga Brandt','33 High Street','HX2','helga@brandt.example',1979,503),
(509,'Walter Nowak','5 Chapel Fold','HX5','wnowak@news.example',1941,507),
(510,'Rosie Whitaker','Old Vicarage','HX4','rosie@whit.example',1996,NULL),
(511,'Hotel Bellevue','Promenade 1','HX2','desk@bellevue.example',NULL,506);
INSERT INTO pub VALUES
('VC','Valley Courier','en','daily'),('SG','Sunday Gazette','en','weekly'),('FB','Farmers Bulletin','en','monthly'),
('DW','Die Woche','de','weekly'),('KT','Kids Times','en','monthly'),('SP','Sports Pink','en','weekly');
INSERT INTO plan_prc VALUES
('VC','PRN',24.50,'2022-01-01','2023-12-31'),('VC','PRN',27.90,'2024-01-01',NULL),('VC','DIG',12.00,'2022-01-01',NULL),
('VC','CMB',31.00,'2023-06-01',NULL),('SG','PRN',9.80,'2022-01-01','2023-12-31'),('SG','PRN',10.90,'2024-01-01',NULL),('SG','DIG',5.50,'2022-01-01',NULL),
('FB','PRN',4.20,'2022-01-01',NULL),('DW','PRN',14.60,'2022-01-01',NULL),('KT','PRN',3.90,'2022-09-01',NULL),('KT','DIG',2.00,'2022-09-01','2024-03-31');
INSERT INTO sub_contr VALUES
('C-001',501,'VC','PRN','2022-02-01',NULL,NULL,'Y'),('C-002',501,'SG','PRN','2022-02-01','2023-08-31','price','N'),
('C-003',502,'VC','PRN','2022-05-15','2024-02-29','price','N'),('C-004',503,'VC','DIG','2022-09-01',NULL,NULL,'Y'),
('C-005',503,'KT','PRN','2022-10-01',NULL,NULL,'Y'),('C-006',504,'FB','PRN','2022-11-10','2023-11-09','not read','N'),
('C-007',505,'VC','CMB','2023-07-01',NULL,NULL,'Y'),('C-008',506,'VC','PRN','2022-01-03',NULL,NULL,'Y'),
('C-009',506,'SG','PRN','2022-01-03',NULL,NULL,'Y'),('C-010',506,'DW','PRN','2023-03-01',NULL,NULL,'Y'),
('C-011',507,'SG','PRN','2023-01-08','2024-01-07','late delivery','N'),('C-012',508,'DW','PRN','2023-04-12',NULL,NULL,'N'),
('C-013',508,'VC','DIG','2024-01-20',NULL,NULL,'Y'),('C-014',509,'VC','PRN','2023-09-01','2024-05-14','moved','N'),
('C-015',504,'VC','PRN','2024-02-01',NULL,NULL,'Y'),('C-016',505,'KT','DIG','2023-02-01','2024-03-31','title closed','N'),
('C-017',502,'SG','DIG','2024-03-01',NULL,NULL,'N'),('C-018',505,'SG','DIG','2024-04-01',NULL,NULL,'Y');
INSERT INTO inv VALUES
(7001,'C-001','2023-01-02','2023-01-30','2023-01-20',24.50),(7002,'C-003','2023-01-02','2023-01-30','2023-02-14',24.50),
(7003,'C-008','2023-01-02','2023-01-30','2023-01-11',24.50),(7004,'C-009','2023-01-02','2023-01-30','2023-01-11',9.80),
(7005,'C-011','2023-02-01','2023-03-01','2023-03-20',9.80),(7006,'C-006','2023-02-01','2023-03-01','2023-02-27',4.20),
(7007,'C-007','2023-07-03','2023-07-31','2023-07-31',31.00),(7008,'C-012','2023-07-03','2023-07-31','2023-07-14',14.60),
(7009,'C-014','2023-10-02','2023-10-30','2023-12-01',24.50),(7010,'C-001','2024-01-02','2024-01-30','2024-01-15',27.90),
(7011,'C-003','2024-01-02','2024-01-30',NULL,27.90),(7012,'C-008','2024-01-02','2024-01-30','2024-01-09',27.90),
(7013,'C-010','2024-01-02','2024-01-30','2024-01-09',14.60),(7014,'C-013','2024-02-01','2024-02-29','2024-02-18',12.00),
(7015,'C-014','2024-04-02','2024-04-30',NULL,27.90),(7016,'C-015','2024-04-02','2024-04-30',NULL,27.90),
(7017,'C-017','2024-04-02','2024-04-30','2024-05-06',5.50),(7018,'C-004','2024-04-02','2024-04-30','2024-04-04',12.00);
INSERT INTO cmplnt VALUES
(1,'C-003','2023-01-16','late','R1','Y'),(2,'C-003','2023-02-06','wet','R1','Y'),(3,'C-011','2023-03-12','late','R4','Y'),
(4,'C-011','2023-06-18','missing','R4','N'),(5,'C-011','2023-10-29','missing','R4','N'),(6,'C-001','2023-12-23','missing','R1','Y'),
(7,'C-012','2024-01-13','wrong title','R2','Y'),(8,'C-014','2024-02-05','late','R5','N'),(9,'C-015','2024-03-11','missing','R3','Y'),
(10,'C-004','2024-03-15','login','','Y'),(11,'C-008','2024-04-22','late','R1','N');
INSERT INTO dlv_rte VALUES
('R1','HX1','Pete Dodds',11.4),('R2','HX2','Samira Aziz',8.9),('R3','HX3','Pete Dodds',14.2),('R4','HX4','Luke Hanley',23.7),('R5','HX5',NULL,19.0),('R6','HX6','Samira Aziz',6.5),('R7','HX7',NULL,9.1),('R8','HX8','Jo Pickles',12.8);
