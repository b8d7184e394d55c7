CREATE TABLE Course (
  CourseID INTEGER PRIMARY KEY,
  CourseName VARCHAR(40),
  County VARCHAR(40),
  Direction VARCHAR(5),
  SurfaceType VARCHAR(20)
);
CREATE TABLE Trainer (
  TrainerID INTEGER PRIMARY KEY,
  TrainerName VARCHAR(60),
  YardLocation VARCHAR(40),
  LicensedSince INTEGER
);
CREATE TABLE Owner (
  OwnerID INTEGER PRIMARY KEY,
  OwnerName VARCHAR(60),
  Colours VARCHAR(60),
  IsSyndicate INTEGER
);
CREATE TABLE Jockey (
  JockeyID INTEGER PRIMARY KEY,
  JockeyName VARCHAR(60),
  BirthDate DATE,
  ClaimLbs INTEGER,
  RetainedByOwnerID INTEGER
);
CREATE TABLE Horse (
  HorseID INTEGER PRIMARY KEY,
  HorseName VARCHAR(60),
  FoaledYear INTEGER,
  Sex VARCHAR(1),
  Colour VARCHAR(10),
  SireID INTEGER,
  DamID INTEGER,
  TrainerID INTEGER,
  Rating INTEGER,
  RetiredOn DATE
);
CREATE TABLE HorseOwner (
  HorseID INTEGER,
  OwnerID INTEGER,
  SharePct INTEGER,
  PRIMARY KEY (HorseID, OwnerID)
);
CREATE TABLE Race (
  RaceID INTEGER PRIMARY KEY,
  RaceName VARCHAR(60),
  CourseID INTEGER,
  RaceDate DATE,
  DistanceFurlongs DECIMAL(4,1),
  RaceClass INTEGER,
  Going VARCHAR(20),
  PrizeFund INTEGER,
  Abandoned INTEGER
);
CREATE TABLE Runner (
  RaceID INTEGER,
  HorseID INTEGER,
  JockeyID INTEGER,
  StallNo INTEGER,
  WeightLbs INTEGER,
  StartingPrice DECIMAL(6,2),
  FinishPos INTEGER,
  Outcome VARCHAR(12),
  PrizeWon INTEGER,
  PRIMARY KEY (RaceID, HorseID)
);
INSERT INTO Course VALUES
(1,'Ashdown Park','Kent','left','turf'),(2,'Millbrook','Surrey','right','turf'),(3,'Fenham Downs','Norfolk','left','all-weather'),
(4,'Carrick Vale','Yorkshire','left','turf'),(5,'Silverton','Devon','right','turf'),(6,'Thornley','Lancashire','left','all-weather'),
(7,'Westmere','Dorset','right','turf'),(8,'Pendle Bank','Lancashire','left','turf');
INSERT INTO Trainer VALUES
(1,'Marcus Fennell','Newbury',1998),(2,'Diana Crosse','Lambourn',2006),(3,'Paddy Roche','Malton',1989),(4,'Ellen Whitcombe','Lambourn',2015),
(5,'Giles Ashworth','Epsom',2010),(6,'Ravi Menon','Newmarket',2019),(7,'Stella Quirke','Malton',2022),(8,'Hugh Lander','Newmarket',2001);
INSERT INTO Owner VALUES
(1,'Lady Pemberton','royal blue, white sleeves',0),(2,'The Early Risers','green and gold hoops',1),(3,'Victor Salih','red, black cap',0),
(4,'Marcus Fennell','white, purple star',0),(5,'Saturday Club','yellow, blue spots',1),(6,'Ashby Bloodstock','maroon',0),(7,'Noreen Walsh','pink and grey',0),
(8,'Four Friends','orange, white cross',1);
INSERT INTO Jockey VALUES
(1,'Kieran Doyle','1990-03-14',NULL,1),(2,'Beth Langley','1996-08-02',NULL,NULL),(3,'Luca Ferri','1988-12-25',NULL,3),
(4,'Tom Ashby','2003-05-19',5,NULL),(5,'Mia Hartnell','2004-11-07',7,NULL),(6,'Sean Cole','1985-01-30',NULL,NULL),
(7,'Arjun Bose','1999-06-11',3,NULL),(8,'Gary Pike','1979-09-09',NULL,NULL);
INSERT INTO Horse VALUES
(1,'Iron Tempest',2008,'H','bay',NULL,NULL,3,NULL,'2014-09-30'),
(2,'Silver Lullaby',2010,'M','grey',NULL,NULL,2,NULL,'2015-06-12'),
(3,'Copper Moon',2011,'M','chestnut',NULL,NULL,3,NULL,'2016-10-01'),
(4,'Night Courier',2018,'G','bay',1,2,1,92,NULL),
(5,'Lullaby Lane',2019,'F','grey',1,2,2,88,NULL),
(6,'Tempest Moon',2019,'C','bay',1,3,3,97,NULL),
(7,'Harvest Bell',2020,'F','chestnut',NULL,3,2,81,NULL),
(8,'Quick Ledger',2018,'G','black',NULL,NULL,5,74,'2024-08-31'),
(9,'Paper Lantern',2020,'G','bay',NULL,NULL,4,85,NULL),
(10,'Duke of Thornley',2017,'G','grey',NULL,NULL,1,79,NULL),
(11,'Saffron Sky',2021,'F','chestnut',6,5,4,NULL,NULL),
(12,'Bramble Jack',2019,'G','bay',NULL,NULL,6,70,NULL),
(13,'Velvet Hour',2021,'F','brown',NULL,7,7,NULL,NULL);
INSERT INTO HorseOwner VALUES
(4,1,100),(5,2,60),(5,7,40),(6,3,100),(7,2,100),(8,5,100),(9,6,50),(9,7,50),(10,4,100),(11,3,100),(12,5,70),(12,3,30),(13,3,100);
INSERT INTO Race VALUES
(1,'Spring Handicap',1,'2023-04-15',8.0,3,'good',15000,0),
(2,'Millbrook Stakes',2,'2023-06-10',10.0,2,'good to firm',40000,0),
(3,'Fenham Evening Dash',3,'2022-11-02',6.0,5,'standard',8000,0),
(4,'Winter Trophy',4,'2023-12-09',12.0,2,'heavy',30000,1),
(5,'Spring Handicap',1,'2024-04-13',8.0,3,'soft',16000,0),
(6,'Carrick Gold Cup',4,'2024-06-22',12.0,1,'good',90000,0),
(7,'Silverton Fillies Plate',5,'2024-07-27',8.0,4,'good to firm',12000,0),
(8,'Thornley Sprint',6,'2024-10-17',5.0,5,'standard',7500,0),
(9,'Harvest Cup',7,'2024-10-19',10.0,2,NULL,35000,0);
INSERT INTO Runner VALUES
(1,4,1,3,126,4.50,1,'finished',9000),
(1,5,2,1,121,7.00,3,'finished',1500),
(1,8,4,5,112,13.00,2,'finished',3000),
(1,10,6,2,118,9.00,4,'finished',NULL),
(2,4,1,2,128,3.25,2,'finished',9000),
(2,6,3,4,129,2.50,1,'finished',24000),
(2,5,2,1,122,11.00,NULL,'pulled up',NULL),
(3,8,5,6,110,6.00,1,'finished',5000),
(3,12,7,3,117,15.00,5,'finished',NULL),
(3,9,2,2,119,4.00,2,'finished',1600),
(5,4,1,1,127,3.00,3,'finished',1600),
(5,9,6,4,120,8.00,1,'finished',9600),
(5,10,4,2,113,21.00,NULL,'unseated',NULL),
(6,6,3,3,130,1.80,1,'finished',54000),
(6,4,1,1,126,6.50,2,'finished',20000),
(6,5,2,5,121,17.00,4,'finished',5000),
(6,9,6,2,120,12.00,3,'finished',10000),
(7,5,2,4,126,2.75,2,'finished',2500),
(7,7,7,1,118,5.50,1,'finished',7200),
(7,11,3,2,115,9.50,3,'finished',1200),
(8,12,4,7,117,10.00,1,'finished',4500),
(8,10,8,3,109,5.00,2,'finished',1500),
(9,13,3,2,132,2.00,NULL,'non-runner',NULL),
(9,7,2,1,120,6.00,2,'finished',7500),
(9,9,6,5,123,3.50,1,'finished',21000);
