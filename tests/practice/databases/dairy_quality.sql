CREATE TABLE dim_product (
  product_key INTEGER PRIMARY KEY,
  sku TEXT,
  product_name TEXT,
  family TEXT,
  shelf_life_days INTEGER
);
CREATE TABLE dim_line (
  line_key INTEGER PRIMARY KEY,
  line_name TEXT,
  hall TEXT,
  commissioned_year INTEGER
);
CREATE TABLE dim_farm (
  farm_key INTEGER PRIMARY KEY,
  farm_name TEXT,
  county TEXT,
  organic_flag TEXT,
  cows INTEGER
);
CREATE TABLE dim_analyst (
  analyst_key INTEGER PRIMARY KEY,
  analyst_name TEXT,
  shift TEXT,
  supervisor_key INTEGER
);
CREATE TABLE dim_parameter (
  param_code TEXT PRIMARY KEY,
  param_name TEXT,
  unit TEXT,
  lower_limit DECIMAL(8,2),
  upper_limit DECIMAL(8,2)
);
CREATE TABLE fact_milk_intake (
  intake_id INTEGER PRIMARY KEY,
  farm_key INTEGER REFERENCES dim_farm(farm_key),
  intake_date DATE,
  litres INTEGER,
  fat_pct DECIMAL(4,2),
  temp_c DECIMAL(4,1),
  accepted INTEGER
);
CREATE TABLE fact_batch (
  batch_no TEXT PRIMARY KEY,
  product_key INTEGER REFERENCES dim_product(product_key),
  line_key INTEGER REFERENCES dim_line(line_key),
  produced_on DATE,
  units INTEGER,
  batch_status TEXT,
  released_on DATE,
  reworked_from TEXT
);
CREATE TABLE fact_lab_test (
  test_id INTEGER PRIMARY KEY,
  batch_no TEXT REFERENCES fact_batch(batch_no),
  param_code TEXT REFERENCES dim_parameter(param_code),
  tested_by INTEGER REFERENCES dim_analyst(analyst_key),
  verified_by INTEGER REFERENCES dim_analyst(analyst_key),
  tested_on DATE,
  result_value DECIMAL(8,2)
);
INSERT INTO dim_product VALUES
(1,'YG-500','Natural yoghurt 500 g','yoghurt',28),(2,'YG-STR','Strawberry yoghurt 150 g','yoghurt',24),(3,'BT-250','Salted butter 250 g','butter',90),
(4,'CH-MLD','Mild cheddar block','cheese',180),(5,'CH-MTR','Mature cheddar block','cheese',365),(6,'MK-1L','Whole milk 1 l','milk',10),
(7,'MK-SK','Skimmed milk 1 l','milk',10),(8,'CR-DBL','Double cream 300 ml','cream',14),(9,'KF-500','Kefir 500 ml','cultured',21);
INSERT INTO dim_line VALUES
(1,'Bottling A','North',2009),(2,'Bottling B','North',2018),(3,'Cup filler','South',2015),(4,'Churn','South',1998),(5,'Cheese vats','East',2003),(6,'Pouch filler','East',2024),(7,'Carton line','North',2021),(8,'Packing 8','West',NULL);
INSERT INTO dim_farm VALUES
(1,'Hollybrook','Devon','Y',120),(2,'Upper Dean','Devon','N',240),(3,'Stonecroft','Somerset','N',310),(4,'Marsh End','Somerset','Y',85),
(5,'Langley Vale','Dorset','N',190),(6,'Thorn Hill','Dorset','Y',60),(7,'Westcombe','Cornwall','N',NULL),(8,'Barrow Farm','Cornwall','N',150);
INSERT INTO dim_analyst VALUES
(1,'Gwen Parry','day',NULL),(2,'Tariq Hussain','day',1),(3,'Joan Tremlett','night',1),(4,'Piotr Zielinski','night',3),(5,'Ella Moss','day',2),(6,'Sam Pascoe','late',2),(7,'Hazel Nunn','late',NULL),(8,'Vik Rao','night',3);
INSERT INTO dim_parameter VALUES
('PH','Acidity pH','pH',4.00,4.60),('FAT','Fat content','%',0.10,83.00),('TBC','Total bacterial count','cfu/ml',NULL,100.00),('SALT','Salt','%',1.40,1.90),
('MOIS','Moisture','%',NULL,39.00),('COLI','Coliforms','cfu/g',NULL,10.00),('VISC','Viscosity','mPas',900.00,1500.00),('ANTI','Antibiotic residue','ppb',NULL,4.00);
INSERT INTO fact_milk_intake VALUES
(1,1,'2023-01-05',4200,4.10,3.8,1),(2,2,'2023-01-05',8100,3.90,4.2,1),(3,3,'2023-01-06',10400,3.75,6.9,0),(4,4,'2023-02-11',2600,4.35,3.5,1),
(5,5,'2023-02-12',6700,3.82,4.0,1),(6,3,'2023-04-20',9900,3.80,4.1,1),(7,6,'2023-06-02',1900,4.52,5.6,1),(8,2,'2023-07-14',8800,3.70,7.4,0),
(9,1,'2023-09-30',3900,4.22,3.9,1),(10,5,'2023-11-11',7100,3.95,3.7,1),(11,3,'2024-01-04',11200,3.88,4.0,1),(12,7,'2024-01-04',5300,NULL,4.4,1),
(13,4,'2024-02-19',2450,4.41,3.6,1),(14,2,'2024-03-08',8300,3.85,4.3,1),(15,6,'2024-05-27',2050,4.48,8.1,0),(16,1,'2024-06-15',4450,4.05,4.1,1),
(17,3,'2024-07-01',10050,3.71,6.6,0),(18,5,'2024-07-02',6900,3.90,4.0,1);
INSERT INTO fact_batch VALUES
('B23001',6,1,'2023-01-06',9000,'released','2023-01-07',NULL),('B23002',1,3,'2023-01-07',4200,'released','2023-01-10',NULL),
('B23003',3,4,'2023-02-13',2600,'released','2023-02-20',NULL),('B23004',5,5,'2023-02-14',1100,'released','2024-02-16',NULL),
('B23005',2,3,'2023-04-21',6100,'rejected',NULL,NULL),('B23006',2,3,'2023-04-24',5800,'released','2023-04-27','B23005'),
('B23007',8,2,'2023-06-03',3000,'released','2023-06-05',NULL),('B23008',6,2,'2023-07-15',8700,'rejected',NULL,NULL),
('B23009',1,3,'2023-10-02',4400,'released','2023-10-06',NULL),('B23010',3,4,'2023-11-12',2500,'blocked',NULL,NULL),
('B24001',3,4,'2024-01-05',1900,'released','2024-01-12','B23010'),('B24002',6,1,'2024-01-05',9300,'released','2024-01-06',NULL),
('B24003',4,5,'2024-02-20',1300,'released','2024-05-21',NULL),('B24004',1,3,'2024-03-09',4600,'rejected',NULL,NULL),
('B24005',7,7,'2024-03-10',7200,'released','2024-03-11',NULL),('B24006',2,3,'2024-05-28',6000,'released','2024-05-31',NULL),
('B24007',8,2,'2024-06-16',2900,'blocked',NULL,NULL),('B24008',5,5,'2024-07-02',1200,'maturing',NULL,NULL);
INSERT INTO fact_lab_test VALUES
(1,'B23001','TBC',2,1,'2023-01-06',22.00),(2,'B23001','FAT',2,1,'2023-01-06',3.60),(3,'B23002','PH',3,1,'2023-01-08',4.32),(4,'B23002','VISC',3,NULL,'2023-01-08',1210.00),
(5,'B23003','SALT',4,3,'2023-02-14',1.65),(6,'B23003','FAT',4,3,'2023-02-14',82.10),(7,'B23005','PH',5,2,'2023-04-22',4.91),(8,'B23005','COLI',5,2,'2023-04-23',14.00),
(9,'B23006','PH',5,2,'2023-04-25',4.40),(10,'B23007','TBC',2,2,'2023-06-04',48.00),(11,'B23008','TBC',6,2,'2023-07-15',310.00),(12,'B23009','PH',3,1,'2023-10-03',4.28),
(13,'B23009','VISC',3,1,'2023-10-03',860.00),(14,'B23010','SALT',4,3,'2023-11-13',2.30),(15,'B24001','SALT',4,3,'2024-01-06',1.78),(16,'B24002','TBC',2,1,'2024-01-05',19.00),
(17,'B24003','MOIS',6,2,'2024-02-21',37.20),(18,'B24004','PH',5,NULL,'2024-03-10',3.85),(19,'B24004','COLI',5,2,'2024-03-10',2.00),(20,'B24006','PH',3,1,'2024-05-29',4.45),
(21,'B24007','TBC',2,NULL,'2024-06-17',96.00),(22,'B24007','COLI',6,NULL,'2024-06-17',11.00),(23,'B24008','MOIS',6,2,'2024-07-03',38.50);
