CREATE TABLE "Concert Hall" (
  "Hall ID" INTEGER PRIMARY KEY,
  "Hall Name" TEXT,
  "Town" TEXT,
  "Seats" INTEGER
);
CREATE TABLE Conductor (
  "Conductor ID" INTEGER PRIMARY KEY,
  "Full Name" TEXT,
  "Nationality" TEXT,
  "Fee per Concert" INTEGER
);
CREATE TABLE Musician (
  "Musician ID" INTEGER PRIMARY KEY,
  "Full Name" TEXT,
  "Instrument" TEXT,
  "Section" TEXT,
  "Joined" DATE,
  "Left" DATE,
  "Salary" INTEGER,
  "Section Leader ID" INTEGER
);
CREATE TABLE Work (
  "Work ID" INTEGER PRIMARY KEY,
  "Title" TEXT,
  "Composer" TEXT,
  "Composed Year" INTEGER,
  "Minutes" INTEGER,
  "Needs Choir" TEXT
);
CREATE TABLE Concert (
  "Concert ID" INTEGER PRIMARY KEY,
  "Concert Date" DATE,
  "Start Time" TEXT,
  "Hall ID" INTEGER REFERENCES "Concert Hall"("Hall ID"),
  "Conductor ID" INTEGER REFERENCES Conductor("Conductor ID"),
  "Stand-in Conductor ID" INTEGER REFERENCES Conductor("Conductor ID"),
  "Series" TEXT,
  "Tickets Sold" INTEGER,
  "Box Office" DECIMAL(10,2)
);
CREATE TABLE Programme (
  "Concert ID" INTEGER REFERENCES Concert("Concert ID"),
  "Work ID" INTEGER REFERENCES Work("Work ID"),
  "Order No" INTEGER,
  "Soloist" TEXT,
  PRIMARY KEY ("Concert ID", "Work ID")
);
CREATE TABLE Absence (
  "Musician ID" INTEGER REFERENCES Musician("Musician ID"),
  "Concert ID" INTEGER REFERENCES Concert("Concert ID"),
  "Reason" TEXT,
  "Replaced" TEXT
);
INSERT INTO "Concert Hall" VALUES
(1,'Corn Exchange','Ipswich',1100),(2,'St Andrew''s Church','Norwich',650),(3,'Maltings','Snape',830),(4,'Town Hall','Colchester',900),(5,'Guildhall','Cambridge',700),(6,'Open Air Theatre','Felixstowe',2000),(7,'Arts Centre','Norwich',300),(8,'Royal Pavilion','Lowestoft',1200);
INSERT INTO Conductor VALUES
(1,'Helena Varga','Hungarian',6500),(2,'Robert Ashcombe','British',4800),(3,'Yuki Tanabe','Japanese',7200),(4,'Bruno Calli','Italian',5900),(5,'Elspeth Moir','British',3500),(6,'Pavel Dusek','Czech',5200),(7,'Grace Odhiambo','Kenyan',NULL),(8,'Ole Brandvik','Norwegian',4100);
INSERT INTO Musician VALUES
(1,'Judith Frame','Violin','Strings','2009-09-01',NULL,48500,NULL),(2,'Marek Havel','Violin','Strings','2015-09-01',NULL,36200,1),(3,'Olivia Penn','Viola','Strings','2018-01-15',NULL,34800,1),
(4,'Simon Achebe','Cello','Strings','2012-09-01','2024-03-31',38900,1),(5,'Rhona Gill','Double bass','Strings','2020-09-01',NULL,33400,1),(6,'Theo Lamb','Flute','Woodwind','2011-04-01',NULL,41000,NULL),
(7,'Bianca Rossi','Oboe','Woodwind','2019-09-01',NULL,35100,6),(8,'Kenji Mori','Clarinet','Woodwind','2022-09-01',NULL,31900,6),(9,'Douglas Petrie','Trumpet','Brass','2006-09-01','2023-07-31',43000,NULL),
(10,'Hanna Lofgren','Horn','Brass','2014-09-01',NULL,44200,9),(11,'Wes Carter','Trombone','Brass','2021-02-01',NULL,32600,9),(12,'Imani Clarke','Timpani','Percussion','2017-09-01',NULL,37700,NULL),(13,'Freddie Noakes','Violin','Strings','2023-10-01',NULL,30500,1);
INSERT INTO Work VALUES
(1,'Symphony No. 5','Beethoven',1808,33,'N'),(2,'Symphony No. 9','Beethoven',1824,68,'Y'),(3,'Cello Concerto','Elgar',1919,30,'N'),(4,'Enigma Variations','Elgar',1899,31,'N'),(5,'The Planets','Holst',1916,51,'Y'),
(6,'Violin Concerto','Sibelius',1905,32,'N'),(7,'Symphony No. 9','Dvorak',1893,42,'N'),(8,'The Lark Ascending','Vaughan Williams',1914,15,'N'),(9,'Requiem','Mozart',1791,52,'Y'),(10,'Bolero','Ravel',1928,15,'N'),(11,'Tide Music','Anna Threlfall',2022,12,'N'),(12,'Finlandia','Sibelius',1899,8,'N'),(13,'The Sea','Bridge',1911,22,'N');
INSERT INTO Concert VALUES
(1,'2022-09-24','19:30',1,1,NULL,'Main',982,24350.50),(2,'2022-10-22','19:30',4,2,NULL,'Main',610,13420.00),(3,'2022-12-10','18:00',2,5,NULL,'Christmas',650,11700.00),
(4,'2023-02-18','19:30',3,3,NULL,'Main',790,21330.00),(5,'2023-05-06','15:00',7,2,5,'Family',212,1908.00),(6,'2023-07-08','20:00',6,4,NULL,'Summer',1430,35750.00),
(7,'2023-09-30','19:30',1,1,NULL,'Main',1045,27170.00),(8,'2023-11-18','19:30',5,6,NULL,'Main',488,11224.00),(9,'2023-12-09','18:00',2,5,NULL,'Christmas',631,11989.00),
(10,'2024-02-17','19:30',4,3,1,'Main',702,16146.00),(11,'2024-04-20','15:00',7,2,NULL,'Family',300,3000.00),(12,'2024-05-25','19:30',3,4,NULL,'Main',655,18340.00),(13,'2024-07-13','20:00',6,1,2,'Summer',0,0.00),(14,'2024-10-05','19:30',1,NULL,NULL,'Main',NULL,NULL);
INSERT INTO Programme VALUES
(1,12,1,NULL),(1,6,2,'Clara Winfield'),(1,1,3,NULL),(2,8,1,'Judith Frame'),(2,4,2,NULL),(3,9,1,'Alice Thorne'),(4,3,1,'Simon Achebe'),(4,7,2,NULL),(5,10,1,NULL),(6,5,1,NULL),(6,10,2,NULL),
(7,11,1,NULL),(7,2,2,'Alice Thorne'),(8,3,1,'Noel Baptiste'),(8,1,2,NULL),(9,9,1,'Ruth Vane'),(10,6,1,'Clara Winfield'),(10,7,2,NULL),(11,8,1,'Marek Havel'),(11,10,2,NULL),(12,11,1,NULL),(12,4,2,NULL),(13,5,1,NULL),(14,2,1,NULL),(14,4,2,NULL);
INSERT INTO Absence VALUES
(2,1,'sick','Y'),(2,4,'sick','Y'),(4,2,'leave','Y'),(7,3,'sick','N'),(9,4,'injury','Y'),(9,5,'injury','N'),(9,6,'injury','Y'),(10,7,'leave','N'),(11,8,NULL,'Y'),(8,9,'sick','Y'),(2,10,'sick','N'),(12,11,'leave','Y'),(3,12,'sick','N');
