CREATE TABLE nation (
  iso CHAR(3) PRIMARY KEY,
  nation_name VARCHAR(40),
  continent VARCHAR(20)
);
CREATE TABLE club (
  club_id INTEGER PRIMARY KEY,
  club_name VARCHAR(60),
  town VARCHAR(40),
  founded INTEGER
);
CREATE TABLE athlete (
  athlete_id INTEGER PRIMARY KEY,
  first_name VARCHAR(40),
  last_name VARCHAR(40),
  sex CHAR(1),
  born DATE,
  iso CHAR(3) REFERENCES nation(iso),
  club_id INTEGER REFERENCES club(club_id),
  pb_seconds INTEGER,
  coach_id INTEGER
);
CREATE TABLE event (
  event_id INTEGER PRIMARY KEY,
  event_name VARCHAR(60),
  distance_m INTEGER,
  held_on DATE,
  start_time VARCHAR(5),
  entry_limit INTEGER,
  fee_eur DECIMAL(6,2),
  temp_c DECIMAL(4,1)
);
CREATE TABLE entry (
  entry_id INTEGER PRIMARY KEY,
  event_id INTEGER REFERENCES event(event_id),
  athlete_id INTEGER REFERENCES athlete(athlete_id),
  bib INTEGER,
  age_class VARCHAR(4),
  registered_on DATE,
  paid CHAR(1),
  gun_seconds INTEGER,
  net_seconds INTEGER,
  outcome VARCHAR(4)
);
CREATE TABLE split (
  entry_id INTEGER REFERENCES entry(entry_id),
  km INTEGER,
  elapsed_seconds INTEGER,
  PRIMARY KEY (entry_id, km)
);
CREATE TABLE sponsor (
  sponsor_id INTEGER PRIMARY KEY,
  sponsor_name VARCHAR(60),
  sector VARCHAR(30)
);
CREATE TABLE event_sponsor (
  event_id INTEGER REFERENCES event(event_id),
  sponsor_id INTEGER REFERENCES sponsor(sponsor_id),
  amount_eur INTEGER,
  tier VARCHAR(10),
  PRIMARY KEY (event_id, sponsor_id)
);
INSERT INTO nation VALUES
('KEN','Kenya','Africa'),('ETH','Ethiopia','Africa'),('GBR','Great Britain','Europe'),('GER','Germany','Europe'),('NOR','Norway','Europe'),('JPN','Japan','Asia'),('USA','United States','North America'),('BRA','Brazil','South America'),('AUS','Australia','Oceania'),('FRA','France','Europe');
INSERT INTO club VALUES
(1,'Riverbank Harriers','Linden',1954),(2,'Linden Road Runners','Linden',1998),(3,'Hilltop Striders','Grafton',2007),(4,'Fjord Running','Bergen',1983),(5,'Sunday Joggers','Grafton',2015),(6,'TSV Altdorf','Altdorf',1921),(7,'Night Owls','Linden',NULL),(8,'Marsh Lane AC','Marshfield',1976);
INSERT INTO athlete VALUES
(1,'Joseph','Kiprono','M','1995-04-12','KEN',NULL,7660,NULL),
(2,'Almaz','Tadesse','F','1997-09-03','ETH',NULL,8580,NULL),
(3,'Emma','Hartley','F','1989-02-21','GBR',1,10320,8),
(4,'Lars','Nilsen','M','1984-06-30','NOR',4,9480,NULL),
(5,'Greta','Vogt','F','1976-11-15','GER',6,11940,NULL),
(6,'Paul','Denham','M','1968-01-09','GBR',2,11400,8),
(7,'Kenji','Mori','M','1992-12-01','JPN',NULL,8940,NULL),
(8,'Fiona','Blake','F','1971-07-18','GBR',1,10950,NULL),
(9,'Marcus','Odell','M','1999-05-25','GBR',3,NULL,8),
(10,'Rita','Campos','F','1986-03-08','BRA',5,13200,9),
(11,'Nils','Aune','M','1959-10-10','NOR',4,14100,4),
(12,'Sam','Whitby','M','2001-08-27','GBR',2,10120,6),
(13,'Helen','Denham','F','1970-04-04','GBR',2,12900,6),
(14,'Tyler','Brooks','M','1990-01-31','USA',NULL,10860,NULL);
INSERT INTO event VALUES
(1,'Linden Marathon',42195,'2022-10-09','09:00',500,65.00,12.5),
(2,'Linden Half',21098,'2023-04-16','10:00',800,38.00,9.0),
(3,'Linden Marathon',42195,'2023-10-08','09:00',500,68.00,16.0),
(4,'Night Run 10K',10000,'2024-03-22','20:30',300,22.00,NULL),
(5,'Linden Half',21098,'2024-04-14','10:00',800,40.00,17.5),
(6,'Linden Marathon',42195,'2024-10-13','09:00',600,72.00,10.0),
(7,'Winter Relay',30000,'2025-01-19','11:00',NULL,90.00,NULL),
(8,'Castle 5K',5000,'2024-06-07','19:00',250,NULL,22.0);
INSERT INTO entry VALUES
(1,1,1,1,'MHK','2022-03-01','Y',7745,7744,'FIN'),
(2,1,3,102,'W30','2022-05-11','Y',10630,10575,'FIN'),
(3,1,4,57,'M35','2022-04-20','Y',9660,9641,'FIN'),
(4,1,6,211,'M50','2022-09-30','Y',NULL,NULL,'DNF'),
(5,2,8,33,'W50','2023-01-05','Y',5310,5288,'FIN'),
(6,2,9,140,'MHK','2023-04-01','Y',5650,5571,'FIN'),
(7,2,13,141,'W50','2023-03-30','Y',6420,6349,'FIN'),
(8,3,1,1,'MHK','2023-02-14','Y',7688,7688,'FIN'),
(9,3,2,2,'WHK','2023-02-20','Y',8655,8654,'FIN'),
(10,3,3,98,'W30','2023-06-01','Y',10410,10322,'FIN'),
(11,3,5,120,'W45','2023-05-18','Y',12150,12066,'FIN'),
(12,3,11,305,'M60','2023-07-07','Y',14590,14470,'FIN'),
(13,3,4,59,'M35','2023-09-28','N',NULL,NULL,'DNS'),
(14,4,9,12,'MHK','2024-02-01','Y',2385,2377,'FIN'),
(15,4,12,19,'MHK','2024-03-10','Y',2290,2284,'FIN'),
(16,5,3,21,'W35','2023-12-30','Y',4975,4951,'FIN'),
(17,5,6,88,'M55','2024-02-17','Y',5520,5466,'FIN'),
(18,4,10,150,'W35','2024-02-20','N',NULL,NULL,'DNF'),
(19,6,1,1,'MHK','2024-02-28','Y',7640,7639,'FIN'),
(20,6,2,2,'WHK','2024-03-05','Y',NULL,NULL,'DNF'),
(21,6,3,60,'W35','2024-05-20','Y',10395,10340,'FIN'),
(22,6,4,58,'M40','2024-04-11','Y',9555,9541,'FIN'),
(23,6,7,5,'M30','2024-06-15','Y',8990,8987,'FIN'),
(24,6,12,230,'MHK','2024-08-01','Y',10180,10095,'FIN'),
(25,6,13,231,'W50','2024-08-01','Y',13150,13046,'FIN');
INSERT INTO split VALUES
(1,10,1820),(1,21,3850),(1,30,5480),(2,10,2490),(2,21,5260),(2,30,7505),(4,10,2700),(4,21,5840),(8,10,1815),(8,21,3835),
(9,10,2050),(9,21,4330),(10,10,2440),(10,21,5150),(19,10,1800),(19,21,3815),(20,10,2030),(21,10,2450),(21,21,5180),(22,10,2255),(22,21,4765),(23,10,2120),(23,21,4480),(24,10,2300),(24,21,4900);
INSERT INTO sponsor VALUES
(1,'Veloce Shoes','sportswear'),(2,'Linden Savings Bank','finance'),(3,'Spring Valley Water','drinks'),(4,'Hartley Foods','food'),(5,'CityNet','telecom'),(6,'Pulse Watches','electronics'),(7,'Altdorf Brewery','drinks'),(8,'Nightlight Lamps','electronics');
INSERT INTO event_sponsor VALUES
(1,1,20000,'gold'),(1,3,5000,'bronze'),(2,2,8000,'gold'),(2,4,6000,'silver'),(5,6,2500,'bronze'),(1,8,1500,'bronze'),(3,1,22000,'gold'),(3,3,5000,'bronze'),(3,6,9000,'silver'),(4,8,3000,'gold'),(5,2,8500,'gold'),(5,7,NULL,'bronze'),(6,1,18000,'gold'),(6,2,10000,'silver'),(6,5,12000,'silver'),(6,7,NULL,'bronze');
