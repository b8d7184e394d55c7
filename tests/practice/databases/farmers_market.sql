CREATE TABLE farms (
  farm_id INTEGER PRIMARY KEY,
  farm_name TEXT NOT NULL,
  owner TEXT,
  village TEXT,
  hectares DECIMAL(6,1),
  certified_organic TEXT,
  member_since DATE,
  taken_over_from INTEGER
);
CREATE TABLE markets (
  market_id INTEGER PRIMARY KEY,
  market_name TEXT,
  town TEXT,
  weekday TEXT,
  pitches INTEGER,
  covered TEXT
);
CREATE TABLE produce (
  produce_id INTEGER PRIMARY KEY,
  produce_name TEXT,
  kind TEXT,
  sold_by TEXT
);
CREATE TABLE grows (
  farm_id INTEGER REFERENCES farms(farm_id),
  produce_id INTEGER REFERENCES produce(produce_id),
  season_start_month INTEGER,
  season_end_month INTEGER
);
CREATE TABLE pitch_bookings (
  booking_id INTEGER PRIMARY KEY,
  market_id INTEGER REFERENCES markets(market_id),
  farm_id INTEGER REFERENCES farms(farm_id),
  market_day DATE,
  pitch_no INTEGER,
  pitch_fee DECIMAL(6,2),
  fee_paid INTEGER,
  attended INTEGER
);
CREATE TABLE sales (
  sale_id INTEGER PRIMARY KEY,
  booking_id INTEGER REFERENCES pitch_bookings(booking_id),
  produce_id INTEGER REFERENCES produce(produce_id),
  amount DECIMAL(7,2),
  unit_price DECIMAL(6,2)
);
CREATE TABLE inspections (
  inspection_id INTEGER PRIMARY KEY,
  farm_id INTEGER REFERENCES farms(farm_id),
  market_id INTEGER REFERENCES markets(market_id),
  inspected_on DATE,
  inspector TEXT,
  grade TEXT,
  remarks TEXT
);
INSERT INTO farms VALUES
(1,'Applegarth','Nell Whitby','Thornby',12.5,'Y','2019-03-01',NULL),(2,'Brook Bottom','George Askew','Thornby',48.0,'N','2018-05-20',NULL),(3,'Cuckoo Hill','Rowan Pike','Market Leigh',6.2,'Y','2021-02-14',NULL),
(4,'Dovecote Dairy','Sheila Grant','Alderford',85.0,'N','2020-07-01',NULL),(5,'Eastfield','Tomasz Lis','Alderford',31.4,NULL,'2022-01-10',NULL),(6,'Fox Covert','Nell Whitby','Market Leigh',9.9,'N','2022-04-04',NULL),
(7,'Greenacre','Abi Lomax','Little Orme',15.0,'Y','2023-03-15',8),(8,'Old Greenacre','Stan Lomax','Little Orme',15.0,'N','2018-05-20',NULL),(9,'Hive & Hedge','Joss Merry','Thornby',2.3,'Y','2023-09-01',NULL),(10,'Ivy House','Petra Vance',NULL,20.7,'N','2024-02-02',NULL);
INSERT INTO markets VALUES
(1,'Cross Square','Alderford','Saturday',20,'N'),(2,'Butter Hall','Market Leigh','Wednesday',12,'Y'),(3,'Riverside','Orme','Sunday',25,'N'),(4,'Station Yard','Alderford','Thursday',8,'N'),(5,'Old Tannery','Orme','Friday',15,'Y'),(6,'Village Green','Thornby','Saturday',10,'N'),(7,'Corn Hall','Hexley','Tuesday',18,'Y'),(8,'Abbey Court','Hexley','Saturday',14,'N');
INSERT INTO produce VALUES
(1,'Bramley apples','fruit','kg'),(2,'Conference pears','fruit','kg'),(3,'Maincrop potatoes','vegetable','kg'),(4,'Rainbow chard','vegetable','bunch'),(5,'Goat cheese','dairy','piece'),(6,'Unsalted butter','dairy','piece'),
(7,'Heather honey','honey','jar'),(8,'Free range eggs','eggs','dozen'),(9,'Strawberries','fruit','punnet'),(10,'Purple garlic','vegetable','bunch'),(11,'Cut dahlias','flowers','bunch'),(12,'Lamb chops','meat','kg');
INSERT INTO grows VALUES
(1,1,9,12),(1,2,9,11),(1,9,6,7),(2,3,7,12),(2,12,4,10),(3,4,5,10),(3,10,6,9),(3,9,6,8),(4,5,1,12),(4,6,1,12),(5,3,6,11),(5,8,1,12),(6,8,1,12),(6,1,10,11),(7,4,4,11),(7,3,7,10),(9,7,7,9),(9,9,6,7);
INSERT INTO pitch_bookings VALUES
(1,1,1,'2022-10-01',3,18.00,1,1),(2,1,4,'2022-10-01',4,18.00,1,1),(3,2,3,'2022-10-05',1,22.50,1,1),(4,3,2,'2023-05-14',9,15.00,1,0),(5,1,1,'2023-06-17',3,18.00,1,1),(6,1,3,'2023-06-17',5,18.00,1,1),
(7,1,5,'2023-06-17',6,18.00,0,1),(8,3,4,'2023-07-02',2,15.00,1,1),(9,2,6,'2023-09-06',2,22.50,1,1),(10,6,9,'2023-09-16',1,10.00,1,1),(11,1,2,'2023-10-07',7,18.00,1,1),(12,1,1,'2023-10-07',3,18.00,0,1),
(13,3,7,'2024-04-28',4,16.50,1,1),(14,2,4,'2024-05-01',3,24.00,1,1),(15,1,3,'2024-06-15',5,20.00,1,1),(16,1,9,'2024-06-15',8,20.00,0,0),(17,5,5,'2024-06-21',1,19.00,0,1),(18,1,1,'2024-06-22',3,20.00,NULL,NULL),(19,6,2,'2024-06-22',2,12.00,1,NULL);
INSERT INTO sales VALUES
(1,1,1,85.00,1.80),(2,1,2,40.00,2.20),(3,2,5,32.00,4.50),(4,2,6,25.00,2.90),(5,3,4,28.00,1.60),(6,5,9,60.00,3.00),(7,6,9,45.00,3.20),(8,6,10,30.00,1.90),(9,7,3,110.00,0.95),(10,7,8,36.00,3.10),
(11,8,5,41.00,4.60),(12,9,8,22.00,3.40),(13,9,1,15.00,1.70),(14,10,7,38.00,6.50),(15,11,3,140.00,0.90),(16,11,12,18.50,13.80),(17,12,1,92.00,1.95),(18,13,4,33.00,1.80),(19,14,6,29.00,3.20),(20,14,5,20.00,4.90),(21,15,9,52.00,3.40),(22,17,3,75.00,1.05),(23,17,8,30.00,3.50),(24,15,10,24.00,2.10),(25,10,11,14.00,5.00),(26,15,8,12.00,3.60);
INSERT INTO inspections VALUES
(1,1,1,'2022-10-01','C. Doyle','A',NULL),(2,4,1,'2022-10-01','C. Doyle','B','thermometer missing'),(3,4,3,'2023-07-02','M. Okoro','A',NULL),(4,5,1,'2023-06-17','C. Doyle','C','no price labels'),(5,6,2,'2023-09-06','M. Okoro','B',NULL),(6,2,1,'2023-10-07','M. Okoro','A',NULL),(7,3,1,'2024-06-15','C. Doyle','A',NULL),(8,5,5,'2024-06-21','M. Okoro','B','scales not sealed'),(9,7,3,'2024-04-28','L. Hart',NULL,'stall closed early');
