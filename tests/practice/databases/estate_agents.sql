CREATE TABLE branch (
  branchId INTEGER PRIMARY KEY,
  branchName VARCHAR(40),
  town VARCHAR(40)
);
CREATE TABLE agent (
  agentId INTEGER PRIMARY KEY,
  agentName VARCHAR(50),
  branchId INTEGER,
  commissionPct DECIMAL(4,2),
  joinedOn DATE,
  mentorId INTEGER
);
CREATE TABLE person (
  personId INTEGER PRIMARY KEY,
  personName VARCHAR(50),
  phone VARCHAR(20),
  email VARCHAR(60)
);
CREATE TABLE property (
  propertyId INTEGER PRIMARY KEY,
  address VARCHAR(80),
  town VARCHAR(40),
  propertyType VARCHAR(20),
  bedrooms INTEGER,
  floorAreaSqm DECIMAL(7,1),
  hasGarden INTEGER,
  energyRating CHAR(1),
  builtYear INTEGER,
  ownerId INTEGER
);
CREATE TABLE listing (
  listingId INTEGER PRIMARY KEY,
  propertyId INTEGER,
  agentId INTEGER,
  listingType CHAR(1),
  askingPrice INTEGER,
  listedOn DATE,
  withdrawnOn DATE,
  status VARCHAR(15)
);
CREATE TABLE viewing (
  viewingId INTEGER PRIMARY KEY,
  listingId INTEGER,
  viewerId INTEGER,
  viewedAt TIMESTAMP,
  feedback VARCHAR(100),
  score INTEGER
);
CREATE TABLE offer (
  offerId INTEGER PRIMARY KEY,
  listingId INTEGER,
  buyerId INTEGER,
  amount INTEGER,
  madeOn DATE,
  outcome VARCHAR(12)
);
CREATE TABLE sale (
  saleId INTEGER PRIMARY KEY,
  listingId INTEGER,
  buyerId INTEGER,
  salePrice INTEGER,
  completedOn DATE
);
INSERT INTO branch VALUES
(1,'High Street','Ashford'),(2,'Quayside','Whitcombe'),(3,'Castle Gate','Lynton'),(4,'Lettings Hub','Ashford'),
(5,'Coastal','Pelham Bay'),(6,'Village Office','Marden'),(7,'Premier','Lynton'),(8,'Online',NULL);
INSERT INTO agent VALUES
(1,'Oliver Grant',1,1.50,'2016-05-02',NULL),
(2,'Beth Saunders',1,1.25,'2019-08-12',1),
(3,'Callum Reid',2,1.40,'2018-02-05',1),
(4,'Zara Khan',3,1.75,'2017-11-20',NULL),
(5,'Dominic Page',3,1.20,'2022-06-13',4),
(6,'Freya Holt',4,1.00,'2023-03-01',2),
(7,'Marcus Lee',5,1.50,'2020-10-19',4),
(8,'Nina Farrow',6,1.10,'2023-09-25',3),
(9,'Will Carver',NULL,1.00,'2024-11-04',1);
INSERT INTO person VALUES
(1,'Edith Palmer','01632 960101','edith.palmer@mailbox.test'),
(2,'Robert Sykes','01632 960102',NULL),
(3,'Amara Obi',NULL,'amara@obi.test'),
(4,'Henry Clarke','01632 960104','hclarke@mailbox.test'),
(5,'Julia Novak','01632 960105','julia.novak@fastpost.test'),
(6,'Gareth Pugh','01632 960106',NULL),
(7,'Simone Adler',NULL,'s.adler@fastpost.test'),
(8,'Daniel Price','01632 960108','dprice@mailbox.test'),
(9,'Mei Tan','01632 960109','mei.tan@fastpost.test'),
(10,'Victor Hughes','01632 960110',NULL),
(11,'Lorna Bell','01632 960111','lorna@bell.test'),
(12,'Thomas Ireland','01632 960112','tom.ireland@mailbox.test'),
(13,'Ruth Ashford','01632 960113',NULL);
INSERT INTO property VALUES
(1,'12 Elm Road','Ashford','House',3,98.0,1,'C',1936,1),
(2,'4 Harbour View','Whitcombe','Flat',2,64.5,0,'B',2008,2),
(3,'The Old Mill','Marden','House',5,240.0,1,'F',1820,4),
(4,'27 Castle Street','Lynton','Flat',1,41.0,0,'D',1978,1),
(5,'9 Meadow Close','Ashford','Bungalow',2,80.0,1,'D',1965,5),
(6,'Flat 3, Mariner House','Pelham Bay','Flat',2,70.0,0,'A',2021,7),
(7,'31 Victoria Terrace','Lynton','House',4,135.5,1,'E',1898,8),
(8,'Plot 6, Orchard Lane','Marden','Land',NULL,NULL,NULL,NULL,NULL,4),
(9,'18 Station Road','Ashford','Flat',1,38.0,0,'C',1999,10),
(10,'2 Beacon Hill','Pelham Bay','House',4,150.0,1,'B',2015,11),
(11,'55 Elm Road','Ashford','House',2,76.0,1,'E',1936,6),
(12,'Rose Cottage','Marden','House',2,69.0,1,NULL,1790,12),
(13,'8 Quay Lofts','Whitcombe','Flat',3,101.0,0,'C',2003,2);
INSERT INTO listing VALUES
(1,1,1,'S',325000,'2022-09-05',NULL,'sold'),
(2,2,3,'S',240000,'2023-01-16',NULL,'sold'),
(3,3,8,'S',895000,'2023-10-02','2024-06-30','withdrawn'),
(4,4,5,'R',725,'2023-02-20',NULL,'let'),
(5,5,2,'S',285000,'2023-05-08',NULL,'sold'),
(6,6,7,'S',310000,'2024-03-11',NULL,'under offer'),
(7,7,4,'S',460000,'2023-11-13',NULL,'sold'),
(8,8,8,'S',150000,'2024-02-01',NULL,'available'),
(9,9,6,'R',680,'2024-01-08',NULL,'let'),
(10,10,7,'S',575000,'2024-05-20',NULL,'available'),
(11,11,2,'S',230000,'2024-04-15',NULL,'sold'),
(12,12,8,'S',265000,'2024-07-22',NULL,'under offer'),
(13,3,4,'S',845000,'2024-08-05',NULL,'available'),
(14,9,6,'R',710,'2024-10-14',NULL,'available'),
(15,2,3,'R',950,'2024-09-09',NULL,'available');
INSERT INTO viewing VALUES
(1,1,4,'2022-09-12 10:00:00','Liked the kitchen',4),
(2,1,5,'2022-09-13 17:30:00',NULL,3),
(3,2,9,'2023-01-28 11:00:00','Lovely view',5),
(4,3,11,'2023-10-21 14:00:00','Too much work',2),
(5,3,10,'2023-11-04 12:15:00','Too expensive',2),
(6,5,6,'2023-05-20 09:30:00',NULL,4),
(7,7,12,'2023-11-25 10:45:00','Noisy street',3),
(8,7,9,'2023-12-02 11:30:00',NULL,4),
(9,6,3,'2024-03-23 13:00:00','Perfect',5),
(10,6,13,'2024-03-24 15:00:00','No parking',3),
(11,10,7,'2024-06-08 10:00:00','Too expensive',3),
(12,11,13,'2024-04-27 16:00:00','Garden too small',3),
(13,11,3,'2024-04-28 11:00:00',NULL,NULL),
(14,12,4,'2024-08-03 12:00:00','Charming',5),
(15,13,11,'2024-08-17 14:30:00','Better price now',4),
(16,12,10,'2024-08-04 10:30:00','Low ceilings',2),
(17,9,13,'2024-01-15 18:00:00',NULL,4);
INSERT INTO offer VALUES
(1,1,4,315000,'2022-09-15','rejected'),
(2,1,5,320000,'2022-09-19','accepted'),
(3,2,9,240000,'2023-01-30','accepted'),
(4,3,11,780000,'2023-11-10','rejected'),
(5,5,6,278000,'2023-05-25','accepted'),
(6,7,12,440000,'2023-12-01','rejected'),
(7,7,9,452000,'2023-12-06','accepted'),
(8,6,3,310000,'2024-03-26','accepted'),
(9,6,13,295000,'2024-03-27','rejected'),
(10,11,13,224000,'2024-05-02','accepted'),
(11,12,4,268000,'2024-08-06','accepted'),
(12,13,11,800000,'2024-08-27','pending'),
(13,10,7,540000,'2024-06-17','rejected');
INSERT INTO sale VALUES
(1,1,5,320000,'2022-12-16'),
(2,2,9,240000,'2023-04-21'),
(3,5,6,278000,'2023-09-01'),
(4,7,9,452000,'2024-03-28'),
(5,11,13,224000,'2024-08-30');
