CREATE TABLE zone (
  zoneId INTEGER PRIMARY KEY,
  zoneName TEXT,
  borough TEXT,
  surchargeCents INTEGER
);
CREATE TABLE vehicle (
  vehicleId INTEGER PRIMARY KEY,
  plate TEXT,
  make TEXT,
  model TEXT,
  modelYear INTEGER,
  seats INTEGER,
  fuel TEXT,
  wheelchairAccessible INTEGER,
  retiredOn DATE
);
CREATE TABLE driver (
  driverId INTEGER PRIMARY KEY,
  firstName TEXT,
  lastName TEXT,
  licenceNo TEXT,
  hiredOn DATE,
  leftOn DATE,
  mentorId INTEGER,
  homeZoneId INTEGER
);
CREATE TABLE shift (
  shiftId INTEGER PRIMARY KEY,
  driverId INTEGER,
  vehicleId INTEGER,
  startedAt TIMESTAMP,
  endedAt TIMESTAMP,
  odoStart INTEGER,
  odoEnd INTEGER
);
CREATE TABLE account (
  accountId INTEGER PRIMARY KEY,
  companyName TEXT,
  creditLimitCents INTEGER,
  active TEXT
);
CREATE TABLE trip (
  tripId INTEGER PRIMARY KEY,
  shiftId INTEGER,
  pickupZoneId INTEGER,
  dropoffZoneId INTEGER,
  requestedAt TIMESTAMP,
  pickedUpAt TIMESTAMP,
  distanceKm DOUBLE,
  fareCents INTEGER,
  tipCents INTEGER,
  payType TEXT,
  accountId INTEGER,
  status TEXT,
  passengers INTEGER
);
CREATE TABLE complaint (
  complaintId INTEGER PRIMARY KEY,
  tripId INTEGER,
  receivedOn DATE,
  topic TEXT,
  resolvedOn DATE,
  refundCents INTEGER
);
INSERT INTO zone VALUES
(1,'Airport North','Outer',500),(2,'Central Station','Centre',0),(3,'Old Harbour','Centre',0),(4,'University','East',0),
(5,'Hospital Hill','East',0),(6,'Westgate','West',0),(7,'Trade Fair','West',250),(8,'Lakeside','Outer',100),(9,'Cedar Park','West',0);
INSERT INTO vehicle VALUES
(1,'TX-101','Toyota','Prius',2019,4,'hybrid',0,NULL),
(2,'TX-102','Toyota','Corolla',2020,4,'hybrid',0,NULL),
(3,'TX-103','Mercedes','Vito',2018,7,'diesel',1,NULL),
(4,'TX-104','Skoda','Octavia',2016,4,'diesel',0,'2024-03-31'),
(5,'TX-105','Tesla','Model 3',2022,4,'electric',0,NULL),
(6,'TX-106','Volkswagen','Caddy',2021,5,'diesel',1,NULL),
(7,'TX-107','Nissan','Leaf',2020,4,'electric',0,NULL),
(8,'TX-108','Toyota','Proace',2023,8,'electric',1,NULL),
(9,'TX-109','Skoda','Superb',2015,4,'diesel',0,'2023-08-15');
INSERT INTO driver VALUES
(1,'Bogdan','Ilic','L-4410','2015-04-01',NULL,NULL,2),
(2,'Carla','Mendes','L-4521','2017-09-15',NULL,1,4),
(3,'Dev','Patel','L-4602','2018-02-20',NULL,1,6),
(4,'Eileen','Shaw','L-4633','2019-11-04','2024-05-31',2,3),
(5,'Farid','Haddad','L-4720','2021-01-11',NULL,2,8),
(6,'Gwen','Price','L-4788','2022-06-01',NULL,3,5),
(7,'Hugo','Brandt','L-4811','2023-03-13',NULL,2,NULL),
(8,'Ines','Costa','L-4850','2024-02-05',NULL,5,4),
(9,'Jamal','Weston','L-4862','2024-06-17',NULL,NULL,9);
INSERT INTO shift VALUES
(1,1,1,'2023-10-06 06:00:00','2023-10-06 14:00:00',120300,120452),
(2,2,3,'2023-10-06 14:30:00','2023-10-06 23:00:00',98110,98265),
(3,4,4,'2023-11-18 07:00:00','2023-11-18 15:30:00',201840,201990),
(4,3,2,'2023-12-31 18:00:00','2024-01-01 04:00:00',60210,60451),
(5,5,5,'2023-12-31 20:00:00','2024-01-01 05:00:00',30500,30688),
(6,1,1,'2024-02-14 06:30:00','2024-02-14 14:00:00',128900,129034),
(7,6,6,'2024-03-09 12:00:00','2024-03-09 20:30:00',45120,45269),
(8,2,3,'2024-05-20 05:30:00','2024-05-20 13:30:00',104800,104983),
(9,7,7,'2024-06-28 16:00:00','2024-06-29 01:00:00',52005,52141),
(10,5,5,'2024-09-12 09:00:00','2024-09-12 17:00:00',44010,44175),
(11,8,8,'2024-11-02 13:00:00','2024-11-02 22:00:00',12200,12390),
(12,1,2,'2024-11-29 06:00:00',NULL,75120,NULL);
INSERT INTO trip VALUES
(1,1,2,1,'2023-10-06 06:10:00','2023-10-06 06:18:00',18.4,3650,400,'card',NULL,'completed',2),
(2,1,1,3,'2023-10-06 07:20:00','2023-10-06 07:26:00',19.1,3820,NULL,'account',3,'completed',1),
(3,1,4,5,'2023-10-06 09:05:00','2023-10-06 09:17:00',3.2,980,100,'cash',NULL,'completed',1),
(4,2,7,2,'2023-10-06 17:00:00','2023-10-06 17:24:00',7.5,1890,0,'account',2,'completed',5),
(5,2,2,6,'2023-10-06 19:40:00',NULL,NULL,NULL,NULL,NULL,NULL,'no-show',2),
(6,3,3,4,'2023-11-18 08:00:00','2023-11-18 08:09:00',4.8,1240,150,'card',NULL,'completed',1),
(7,3,5,5,'2023-11-18 10:30:00','2023-11-18 10:36:00',1.1,600,NULL,'cash',NULL,'completed',1),
(8,4,3,8,'2023-12-31 22:15:00','2023-12-31 22:50:00',14.2,4100,900,'card',NULL,'completed',4),
(9,4,2,9,'2024-01-01 00:30:00','2024-01-01 01:25:00',9.7,3300,1000,'cash',NULL,'completed',3),
(10,5,8,3,'2023-12-31 21:00:00','2023-12-31 21:21:00',13.8,3950,500,'card',NULL,'completed',4),
(11,5,3,1,'2024-01-01 01:10:00',NULL,NULL,NULL,NULL,NULL,NULL,'cancelled',2),
(12,6,6,2,'2024-02-14 07:45:00','2024-02-14 07:52:00',6.3,1560,200,'card',NULL,'completed',1),
(13,6,2,1,'2024-02-14 10:00:00','2024-02-14 10:05:00',18.2,3700,0,'account',1,'completed',1),
(14,7,5,9,'2024-03-09 12:40:00','2024-03-09 12:58:00',8.8,2050,300,'card',NULL,'completed',1),
(15,7,9,5,'2024-03-09 16:00:00','2024-03-09 16:10:00',8.9,2080,NULL,'account',4,'completed',2),
(16,8,2,1,'2024-05-20 05:50:00','2024-05-20 05:56:00',18.6,3790,350,'card',NULL,'completed',6),
(17,8,1,7,'2024-05-20 08:15:00','2024-05-20 08:41:00',22.5,4620,0,'account',2,'completed',6),
(18,9,3,4,'2024-06-28 22:05:00','2024-06-28 22:30:00',5.0,1420,250,'card',NULL,'completed',3),
(19,9,4,6,'2024-06-28 23:50:00',NULL,NULL,NULL,NULL,NULL,NULL,'cancelled',1),
(20,10,4,2,'2024-09-12 09:30:00','2024-09-12 09:34:00',4.1,1120,120,'card',NULL,'completed',1),
(21,10,2,1,'2024-09-12 12:00:00','2024-09-12 12:11:00',18.5,3720,500,'card',NULL,'completed',2),
(22,11,7,1,'2024-11-02 15:30:00','2024-11-02 15:49:00',21.7,4550,600,'account',2,'completed',7),
(23,11,6,3,'2024-11-02 20:20:00','2024-11-02 20:33:00',7.0,1710,180,'cash',NULL,'completed',4),
(24,12,2,5,'2024-11-29 06:25:00','2024-11-29 06:31:00',5.6,1480,NULL,'cash',NULL,'completed',1);
INSERT INTO account VALUES
(1,'Falk & Sons Law',200000,'Y'),(2,'Expo Events Ltd',500000,'Y'),(3,'Meridian Bank',800000,'Y'),(4,'St Anne Hospital',300000,'Y'),
(5,'Pixelworks Studio',100000,'N'),(6,'Harbour Hotel',250000,'Y'),(7,'Greenfield School',50000,'N'),(8,'Lakeside Clinic',NULL,'Y');
INSERT INTO complaint VALUES
(1,4,'2023-10-09','late pickup','2023-10-12',500),
(2,8,'2024-01-03','late pickup','2024-01-20',1000),
(3,9,'2024-01-02','late pickup',NULL,NULL),
(4,9,'2024-01-05','overcharged','2024-01-08',800),
(5,17,'2024-05-21','late pickup','2024-05-29',0),
(6,18,'2024-07-01','driving style','2024-07-15',NULL),
(7,14,'2024-03-11','lost property','2024-03-12',NULL),
(8,22,'2024-11-04','overcharged',NULL,NULL);
