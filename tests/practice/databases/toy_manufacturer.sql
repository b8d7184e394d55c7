CREATE TABLE dim_factory (
  factory_key INTEGER PRIMARY KEY,
  factory_name VARCHAR(40),
  country VARCHAR(30),
  opened_year INTEGER,
  lines_cnt INTEGER
);
CREATE TABLE dim_toy (
  toy_key INTEGER PRIMARY KEY,
  sku VARCHAR(10),
  toy_name VARCHAR(50),
  toy_line VARCHAR(30),
  min_age INTEGER,
  max_age INTEGER,
  list_price DECIMAL(7,2),
  unit_cost DECIMAL(7,2),
  launch_dt DATE,
  discontinued_dt DATE,
  replaces_toy_key INTEGER
);
CREATE TABLE dim_retailer (
  retailer_key INTEGER PRIMARY KEY,
  retailer_name VARCHAR(50),
  country VARCHAR(30),
  channel VARCHAR(15),
  credit_limit DECIMAL(10,2)
);
CREATE TABLE dim_material (
  material_key INTEGER PRIMARY KEY,
  material_name VARCHAR(30),
  recycled_flag INTEGER
);
CREATE TABLE bridge_toy_material (
  toy_key INTEGER REFERENCES dim_toy(toy_key),
  material_key INTEGER REFERENCES dim_material(material_key),
  grams DECIMAL(7,1),
  PRIMARY KEY (toy_key, material_key)
);
CREATE TABLE fact_production (
  prod_id INTEGER PRIMARY KEY,
  prod_dt DATE,
  factory_key INTEGER REFERENCES dim_factory(factory_key),
  toy_key INTEGER REFERENCES dim_toy(toy_key),
  units_made INTEGER,
  units_rejected INTEGER,
  machine_hours DECIMAL(6,1)
);
CREATE TABLE fact_shipment (
  ship_id INTEGER PRIMARY KEY,
  order_dt DATE,
  ship_dt DATE,
  retailer_key INTEGER REFERENCES dim_retailer(retailer_key),
  toy_key INTEGER REFERENCES dim_toy(toy_key),
  factory_key INTEGER REFERENCES dim_factory(factory_key),
  qty INTEGER,
  unit_price DECIMAL(7,2),
  discount_pct INTEGER
);
CREATE TABLE fact_safety_test (
  test_id INTEGER PRIMARY KEY,
  toy_key INTEGER REFERENCES dim_toy(toy_key),
  test_dt DATE,
  test_type VARCHAR(20),
  lab_name VARCHAR(30),
  passed INTEGER
);
INSERT INTO dim_factory VALUES
(1,'Nuremberg Works','Germany',1988,6),(2,'Lodz Plant','Poland',2004,9),(3,'Porto Workshop','Portugal',2012,3),(4,'Shenzhen Partner','China',2009,14),
(5,'Brno Plastics','Czechia',2016,4),(6,'Leeds Studio','United Kingdom',2021,1),(7,'Hanoi Partner','Vietnam',2023,5),(8,'Old Fuerth Mill','Germany',1952,NULL);
INSERT INTO dim_toy VALUES
(1,'WD-100','Wooden Train Set','Timberland',3,8,49.90,17.20,'2019-03-01',NULL,NULL),
(2,'WD-110','Stacking Rings','Timberland',1,3,14.90,4.10,'2018-09-15',NULL,NULL),
(3,'PL-200','Space Rover','Galaxy Crew',5,10,34.50,11.00,'2020-10-01','2023-06-30',NULL),
(4,'PL-201','Space Rover II','Galaxy Crew',5,10,39.50,12.40,'2023-07-01',NULL,3),
(5,'PL-210','Alien Figures 4-pack','Galaxy Crew',4,9,12.50,2.90,'2021-04-12',NULL,NULL),
(6,'PS-300','Benny Bear','Cuddle Club',0,NULL,24.00,7.80,'2017-11-01',NULL,NULL),
(7,'PS-305','Mini Benny','Cuddle Club',0,NULL,11.00,3.60,'2022-10-10',NULL,NULL),
(8,'BG-400','Castle Quest','Game Night',7,NULL,32.00,9.50,'2021-09-01',NULL,NULL),
(9,'BG-401','Castle Quest Junior','Game Night',4,7,22.00,7.10,'2023-09-15',NULL,NULL),
(10,'WD-120','Balance Bike','Timberland',2,5,89.00,38.00,'2022-03-20','2024-05-31',NULL),
(11,'WD-121','Balance Bike Plus','Timberland',2,6,99.00,40.50,'2024-06-01',NULL,10),
(12,'PZ-500','Puzzle World Map','Game Night',6,NULL,18.50,NULL,'2024-11-01',NULL,NULL);
INSERT INTO dim_retailer VALUES
(1,'Spielwelt','Germany','chain',80000.00),(2,'Hopscotch Toys','United Kingdom','chain',60000.00),(3,'La Petite Boutique','France','independent',8000.00),
(4,'ToyHarbor.com','United Kingdom','online',120000.00),(5,'Zabawki24','Poland','online',30000.00),(6,'Casa dos Brinquedos','Portugal','independent',5000.00),
(7,'Museum Shop Vienna','Austria','independent',NULL),(8,'Magasin Lyon','France','department',45000.00),(9,'Kinderland','Germany','independent',12000.00);
INSERT INTO dim_material VALUES
(1,'Beech wood',0),(2,'ABS plastic',0),(3,'Recycled plastic',1),(4,'Cotton plush',0),(5,'Recycled cardboard',1),(6,'Steel',0),(7,'Natural rubber',0),(8,'Recycled polyester fill',1);
INSERT INTO bridge_toy_material VALUES
(1,1,820.0),(1,6,60.0),(2,1,240.0),(3,2,410.0),(3,6,35.0),(4,3,395.0),(4,6,30.0),(5,3,95.0),(6,4,210.0),(6,8,150.0),
(7,4,80.0),(7,8,45.0),(8,5,560.0),(8,2,120.0),(9,5,430.0),(10,1,2600.0),(10,6,700.0),(11,1,2450.0),(11,6,650.0),(11,3,180.0);
INSERT INTO fact_production VALUES
(1,'2022-09-05',1,1,1200,18,64.0),(2,'2022-10-03',2,6,3000,45,80.0),(3,'2022-10-17',4,3,5000,190,72.5),(4,'2022-11-14',2,7,4200,50,75.0),
(5,'2023-02-06',3,2,1500,12,40.0),(6,'2023-03-13',4,5,8000,320,90.0),(7,'2023-07-10',5,4,2600,60,55.5),(8,'2023-09-04',2,9,3500,28,48.0),
(9,'2023-09-18',1,1,1400,14,70.0),(10,'2023-10-16',2,6,3600,40,92.0),(11,'2024-02-12',1,10,400,16,58.0),(12,'2024-04-15',5,4,3100,93,61.0),
(13,'2024-06-10',1,11,650,9,77.0),(14,'2024-08-19',7,5,6000,330,NULL),(15,'2024-09-09',2,8,2800,22,46.5),(16,'2024-10-07',3,2,1700,10,44.0);
INSERT INTO fact_shipment VALUES
(1,'2022-09-20','2022-09-27',1,1,1,300,31.00,5),(2,'2022-10-04','2022-10-18',4,6,2,900,14.50,10),(3,'2022-11-02','2022-11-09',2,3,4,700,21.00,0),
(4,'2022-11-21','2022-11-25',5,7,2,650,6.60,0),(5,'2023-03-01','2023-03-08',6,2,3,80,9.50,0),(6,'2023-04-11','2023-05-02',4,5,4,1500,7.20,12),
(7,'2023-08-14','2023-08-21',1,4,5,420,24.80,5),(8,'2023-09-25','2023-10-02',8,9,2,500,13.90,8),(9,'2023-10-09','2023-10-16',9,1,1,60,33.50,0),
(10,'2023-11-06','2023-11-10',2,6,2,800,14.80,5),(11,'2023-11-20','2023-12-08',4,9,2,950,13.00,15),(12,'2024-03-04','2024-03-19',1,10,1,90,57.00,0),
(13,'2024-05-13','2024-05-17',3,2,3,40,10.40,NULL),(14,'2024-07-01','2024-07-12',9,11,1,35,66.00,0),(15,'2024-09-16','2024-09-23',8,8,2,380,20.50,5),
(16,'2024-09-30','2024-10-21',4,5,7,2000,7.00,15),(17,'2024-10-28',NULL,5,6,2,400,15.20,0),(18,'2024-11-04',NULL,2,4,5,600,25.50,5);
INSERT INTO fact_safety_test VALUES
(1,1,'2022-08-10','small parts','TestHaus',1),(2,3,'2022-10-20','chemical','TestHaus',0),(3,3,'2022-11-01','chemical','EuroLab',1),(4,6,'2022-10-10','flammability','EuroLab',1),
(5,7,'2022-11-18','small parts','EuroLab',1),(6,5,'2023-03-20','chemical','TestHaus',0),(7,4,'2023-07-15','drop','TestHaus',1),(8,9,'2023-09-08','small parts','TestHaus',1),
(9,10,'2024-02-20','load','EuroLab',0),(10,10,'2024-03-01','load','EuroLab',1),(11,11,'2024-06-18','load','EuroLab',1),(12,5,'2024-08-27','chemical','Hanoi Quality',0),(13,8,'2024-09-12','chemical','TestHaus',1);
