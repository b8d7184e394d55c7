CREATE TABLE oper (
  oper_no INTEGER PRIMARY KEY,
  oper_nm VARCHAR(50),
  hq_st CHAR(2),
  bond_amt DECIMAL(12,2),
  parent_oper_no INTEGER
);
CREATE TABLE fld (
  fld_cd VARCHAR(6) PRIMARY KEY,
  fld_nm VARCHAR(40),
  basin VARCHAR(30),
  disc_yr INTEGER
);
CREATE TABLE well (
  api_no VARCHAR(14) PRIMARY KEY,
  well_nm VARCHAR(40),
  oper_no INTEGER,
  fld_cd VARCHAR(6),
  cnty VARCHAR(30),
  well_typ CHAR(3),
  orient CHAR(1),
  stat_cd CHAR(2),
  spud_dt DATE,
  comp_dt DATE,
  plug_dt DATE,
  td_ft INTEGER
);
CREATE TABLE stat_ref (
  stat_cd CHAR(2) PRIMARY KEY,
  stat_desc VARCHAR(30)
);
CREATE TABLE prod_mth (
  api_no VARCHAR(14),
  prod_mth DATE,
  oil_bbl INTEGER,
  gas_mcf INTEGER,
  wtr_bbl INTEGER,
  days_on INTEGER,
  PRIMARY KEY (api_no, prod_mth)
);
CREATE TABLE wrkovr (
  wo_id INTEGER PRIMARY KEY,
  api_no VARCHAR(14),
  wo_typ VARCHAR(20),
  start_dt DATE,
  end_dt DATE,
  cost_usd DECIMAL(10,2),
  contr_nm VARCHAR(40)
);
CREATE TABLE insp (
  insp_id INTEGER PRIMARY KEY,
  api_no VARCHAR(14),
  insp_dt DATE,
  insptr VARCHAR(40),
  rslt CHAR(1),
  viol_cnt INTEGER,
  remark VARCHAR(80)
);
CREATE TABLE own_int (
  api_no VARCHAR(14),
  oper_no INTEGER,
  wi_pct DECIMAL(5,2),
  PRIMARY KEY (api_no, oper_no)
);
INSERT INTO oper VALUES
(10,'Bluestem Energy','OK',250000.00,NULL),
(20,'Caprock Resources','TX',500000.00,NULL),
(30,'Red Fork Oil','OK',50000.00,10),
(40,'Pinyon Gas Partners','NM',100000.00,20),
(50,'Longhorn Legacy','TX',25000.00,NULL),
(60,'High Plains Drilling','KS',NULL,10),
(70,'Mesa Verde Petroleum','NM',150000.00,NULL),
(80,'Prairie Dog Exploration','KS',25000.00,NULL);
INSERT INTO fld VALUES
('SPRAB','Spraberry Trend','Permian',1949),
('WOLFB','Wolfbone','Permian',2009),
('SOONR','Sooner Trend','Anadarko',1945),
('HUGOT','Hugoton','Anadarko',1922),
('BLNCO','Blanco','San Juan',1927),
('FULCO','Fulcher Kutz','San Juan',1928),
('EAGLF','Eagleville','Gulf Coast',2008),
('GOLDN','Golden Lane','Arkoma',1913);
INSERT INTO well VALUES
('42-329-10001','Tate Ranch 1H',20,'SPRAB','Midland','OIL','H','PR','2022-01-15','2022-03-20',NULL,18250),
('42-329-10002','Tate Ranch 2H',20,'SPRAB','Midland','OIL','H','PR','2022-04-02','2022-06-11',NULL,18640),
('42-371-10003','Coyote State 4',50,'WOLFB','Pecos','OIL','V','SI','1998-07-20','1998-09-14',NULL,8900),
('42-371-10004','Wolf Draw 12H',20,'WOLFB','Pecos','GAS','H','PR','2023-02-10','2023-05-05',NULL,20110),
('35-073-20001','Kingfisher 1-22',10,'SOONR','Kingfisher','OIL','V','PR','2005-03-03','2005-04-30',NULL,7450),
('35-073-20002','Hennessey 9H',30,'SOONR','Kingfisher','OIL','H','PR','2022-09-08','2022-12-01',NULL,15900),
('35-139-20003','Guymon 3',10,'HUGOT','Texas','GAS','V','PA','1976-05-11','1976-06-25','2023-08-17',3020),
('20-189-30001','Moscow Unit 7',60,'HUGOT','Stevens','GAS','V','PR','1988-10-01','1988-11-12',NULL,2890),
('30-045-40001','Largo Canyon 15',40,'BLNCO','San Juan','GAS','D','PR','2011-06-06','2011-08-29',NULL,6770),
('30-045-40002','Kutz Wash 2',40,'FULCO','San Juan','GAS','V','TA','1995-02-14','1995-03-30',NULL,2350),
('30-045-40003','Largo Canyon 16',70,'BLNCO','San Juan','GAS','D','DR','2024-09-16',NULL,NULL,NULL),
('42-127-10005','Dimmit Deep 1',50,'EAGLF','Dimmit','OIL','H','PA','2013-01-09','2013-04-02','2024-02-22',16880),
('35-073-20004','Red Bird SWD',30,'SOONR','Kingfisher','SWD','V','PR','2019-08-19','2019-09-27',NULL,9200),
('42-329-10006','Midland Dry 1',50,'SPRAB','Midland','OIL','V','PA','2022-05-05',NULL,'2022-06-30',10400);
INSERT INTO stat_ref VALUES
('PR','Producing'),('SI','Shut in'),('PA','Plugged and abandoned'),('TA','Temporarily abandoned'),('DR','Drilling'),('PM','Permitted'),('EX','Expired permit'),('OR','Orphan');
INSERT INTO prod_mth VALUES
('42-329-10001','2023-01-01',14200,21300,30500,31),
('42-329-10001','2023-07-01',10850,17900,26100,31),
('42-329-10001','2024-01-01',8120,14500,21900,30),
('42-329-10002','2023-01-01',16900,24800,33700,31),
('42-329-10002','2023-07-01',12400,19050,27800,28),
('42-329-10002','2024-01-01',9300,15620,22450,31),
('42-371-10003','2023-01-01',210,480,1900,22),
('42-371-10003','2023-07-01',0,0,0,0),
('42-371-10004','2023-07-01',3100,98000,15400,29),
('42-371-10004','2024-01-01',2150,76300,11800,31),
('35-073-20001','2023-01-01',640,2100,NULL,31),
('35-073-20001','2023-07-01',615,2040,NULL,31),
('35-073-20001','2024-01-01',598,1985,NULL,31),
('35-073-20002','2023-01-01',9400,30200,18700,27),
('35-073-20002','2024-01-01',5200,19900,12300,31),
('35-139-20003','2023-01-01',0,850,40,19),
('20-189-30001','2023-01-01',0,3300,120,31),
('20-189-30001','2024-01-01',0,3050,135,31),
('30-045-40001','2023-01-01',35,12700,210,31),
('30-045-40001','2023-07-01',30,11900,205,31),
('30-045-40001','2024-01-01',28,11350,220,26),
('42-127-10005','2023-01-01',390,1200,2800,15),
('42-127-10005','2023-07-01',270,900,2650,11);
INSERT INTO wrkovr VALUES
(1,'42-371-10003','Rod repair','2023-01-23','2023-01-27',18500.00,'Basin Well Service'),
(2,'42-329-10001','Pump change','2023-09-04','2023-09-09',64200.00,'Basin Well Service'),
(3,'35-139-20003','Plugging','2023-08-07','2023-08-17',92000.00,'Panhandle Pluggers'),
(4,'42-329-10002','Acid job','2023-07-12','2023-07-15',41000.00,'Stimco'),
(5,'30-045-40001','Compressor tie-in','2024-01-08','2024-01-13',120500.00,'Four Corners Rig'),
(6,'42-127-10005','Plugging','2024-02-10','2024-02-22',138000.00,'Gulf Rig Company'),
(7,'35-073-20002','Pump change','2023-05-15','2023-05-19',58700.00,'Sooner Service'),
(8,'42-371-10003','Casing repair','2024-06-03',NULL,NULL,'Basin Well Service'),
(9,'35-073-20002','Acid job','2024-03-18','2024-03-20',36500.00,'Stimco');
INSERT INTO insp VALUES
(1,'42-329-10001','2023-02-14','D. Escobar','P',0,NULL),
(2,'42-371-10003','2023-03-08','D. Escobar','F',3,'Leaking flowline, no well sign'),
(3,'42-371-10003','2023-06-21','L. Whitaker','F',1,'Well sign still missing'),
(4,'35-139-20003','2023-08-18','K. Standing Bear','P',0,'Plug verified'),
(5,'30-045-40002','2023-10-11','R. Begay','F',2,'Open pit'),
(6,'30-045-40002','2024-04-09','R. Begay','P',0,NULL),
(7,'42-127-10005','2024-02-23','L. Whitaker','P',0,'Plug verified'),
(8,'35-073-20004','2024-05-30','K. Standing Bear','P',1,'Pressure gauge cracked'),
(9,'20-189-30001','2024-07-16','J. Hoffman','P',0,NULL),
(10,'42-371-10004','2024-08-01','D. Escobar','F',4,'Flare permit expired'),
(11,'35-073-20001','2022-11-09','K. Standing Bear','P',0,NULL);
INSERT INTO own_int VALUES
('42-329-10001',20,75.00),('42-329-10001',50,25.00),('42-329-10002',20,75.00),('42-329-10002',50,15.00),('42-329-10002',70,10.00),
('42-371-10003',50,100.00),('42-371-10004',20,60.00),('42-371-10004',40,40.00),('35-073-20001',10,100.00),
('35-073-20002',30,55.00),('35-073-20002',10,45.00),('20-189-30001',60,80.00),('20-189-30001',10,20.00),('30-045-40001',40,100.00),('42-127-10005',50,62.50),('42-127-10005',20,37.50);
