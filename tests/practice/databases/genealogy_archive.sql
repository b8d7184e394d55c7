CREATE TABLE Place (
  PlaceID INTEGER PRIMARY KEY,
  PlaceName TEXT,
  PlaceType TEXT,
  WithinPlaceID INTEGER
);
CREATE TABLE Person (
  PersonID INTEGER PRIMARY KEY,
  GivenNames TEXT,
  Surname TEXT,
  Sex TEXT,
  BirthYear INTEGER,
  BirthPlaceID INTEGER,
  DeathYear INTEGER,
  DeathPlaceID INTEGER,
  FatherID INTEGER,
  MotherID INTEGER,
  Occupation TEXT
);
CREATE TABLE Marriage (
  MarriageID INTEGER PRIMARY KEY,
  HusbandID INTEGER,
  WifeID INTEGER,
  MarriedOn DATE,
  PlaceID INTEGER,
  EndedYear INTEGER,
  EndReason TEXT
);
CREATE TABLE SourceDoc (
  SourceID INTEGER PRIMARY KEY,
  Title TEXT,
  DocType TEXT,
  DocYear INTEGER,
  ShelfMark TEXT,
  Digitised TEXT
);
CREATE TABLE Citation (
  PersonID INTEGER,
  SourceID INTEGER,
  PageNo INTEGER,
  Fact TEXT,
  Confidence INTEGER
);
CREATE TABLE Volunteer (
  VolunteerID INTEGER PRIMARY KEY,
  FullName TEXT,
  JoinedOn DATE,
  Email TEXT
);
CREATE TABLE Enquiry (
  EnquiryID INTEGER PRIMARY KEY,
  ReceivedOn DATE,
  FromName TEXT,
  FromCountry TEXT,
  PersonID INTEGER,
  VolunteerID INTEGER,
  AnsweredOn DATE,
  FeePence INTEGER
);
INSERT INTO Place VALUES
(1,'Northshire','county',NULL),(2,'Eastmoor','county',NULL),(3,'Haddon','parish',1),(4,'Crossley','parish',1),(5,'Wickby','parish',2),
(6,'Millthorpe','town',1),(7,'Portsea Bay','town',2),(8,'Halifax','town',9),(9,'Nova Scotia','province',NULL),(10,'Far Haddon','hamlet',3);
INSERT INTO Person VALUES
(1,'William','Thackeray','M',1788,3,1851,3,NULL,NULL,'farmer'),
(2,'Martha','Lowe','F',1792,4,1866,3,NULL,NULL,NULL),
(3,'John','Thackeray','M',1814,3,1889,6,1,2,'weaver'),
(4,'Sarah','Thackeray','F',1817,3,1818,3,1,2,NULL),
(5,'Thomas','Thackeray','M',1821,3,1897,8,1,2,'mariner'),
(6,'Hannah','Birkett','F',1819,5,1880,6,NULL,NULL,'dressmaker'),
(7,'Elizabeth','Moss','F',1825,7,1903,8,NULL,NULL,NULL),
(8,'George','Thackeray','M',1843,6,1912,6,3,6,'weaver'),
(9,'Mary Ann','Thackeray','F',1846,6,1931,5,3,6,'schoolteacher'),
(10,'Alice','Thackeray','F',1851,6,NULL,NULL,3,6,NULL),
(11,'Robert','Thackeray','M',1850,7,1916,8,5,7,'mariner'),
(12,'Emma','Thackeray','F',1856,8,1940,8,5,7,'nurse'),
(13,'Jane','Crowther','F',1848,6,1920,6,14,NULL,NULL),
(14,'Amos','Crowther','M',1815,4,1870,6,NULL,NULL,'miller'),
(15,'Arthur','Thackeray','M',1872,6,1917,NULL,8,13,'soldier'),
(16,'Florence','Thackeray','F',1875,6,1962,7,8,13,'schoolteacher'),
(17,'Henry','Pask','M',1842,5,1899,5,NULL,NULL,'farmer'),
(18,'Edith','Pask','F',1874,5,1955,5,17,9,'farmer'),
(19,'Ada','Crowther','F',1853,6,1853,6,14,NULL,NULL),
(20,'Unknown','Lowe','M',NULL,NULL,NULL,NULL,NULL,NULL,'labourer'),
(21,'Grace','Moss','F',NULL,NULL,1860,7,NULL,NULL,NULL),
(22,'John','Crowther','M',1844,6,1902,6,14,NULL,'miller'),
(23,'Lucy','Crowther','F',1871,6,1951,6,22,NULL,NULL);
INSERT INTO Marriage VALUES
(1,1,2,'1812-05-18',3,1851,'death'),(2,3,6,'1841-09-25',5,1880,'death'),(3,5,7,'1848-04-10',7,1897,'death'),(4,8,13,'1870-06-04',6,1912,'death'),
(5,17,9,'1871-10-14',5,1899,'death'),(6,11,10,'1880-01-01',8,1880,'annulled'),(7,15,18,'1898-07-30',NULL,1904,'divorce'),(8,14,NULL,'1846-02-08',6,1853,'death');
INSERT INTO SourceDoc VALUES
(1,'Haddon Baptisms 1780-1830','parish register',1830,'NR/12','Y'),(2,'Census of Millthorpe','census',1851,'CE/51-7','Y'),(3,'Census of Millthorpe','census',1881,'CE/81-7','N'),
(4,'Crossley Burials','parish register',1870,'NR/31','N'),(5,'Will of Amos Crowther','will',1870,'W/1870/22','Y'),(6,'Passenger list SS Alderney','passenger list',1855,'PL/203','Y'),
(7,'Millthorpe Grammar staff book','school record',1905,NULL,'N'),(8,'Millthorpe war memorial','memorial',1921,'M/4','Y'),(9,'Letters of Martha Lowe','letters',NULL,'L/77','N');
INSERT INTO Citation VALUES
(1,1,4,'birth',2),(3,1,88,'birth',3),(4,1,93,'birth',3),(5,1,102,'birth',3),(3,2,12,'residence',3),(6,2,12,'residence',3),(8,2,12,'residence',3),(9,2,12,'residence',2),
(8,3,31,'occupation',3),(13,3,31,'residence',3),(14,5,1,'death',3),(13,5,2,'parentage',2),(5,6,NULL,'emigration',1),(7,6,NULL,'emigration',1),(11,6,NULL,'emigration',2),
(16,7,57,'occupation',3),(15,8,NULL,'death',3),(14,4,19,'burial',2);
INSERT INTO Volunteer VALUES
(1,'Margaret Holt','2015-01-12','mholt@archive.test'),(2,'Peter Lowe','2018-06-03','plowe@archive.test'),(3,'Sunita Varma','2020-10-20',NULL),(4,'Colin Pask','2021-03-15','cpask@archive.test'),
(5,'Irene Dodd','2022-09-01','idodd@archive.test'),(6,'Joseph Kerr','2023-05-09',NULL),(7,'Tilda Frost','2024-01-22','tfrost@archive.test'),(8,'Basil Greaves','2024-08-30',NULL);
INSERT INTO Enquiry VALUES
(1,'2022-11-08','Nancy Thackeray','Canada',5,1,'2022-12-01',2500),
(2,'2023-01-17','Colin Pask','UK',17,2,'2023-01-30',0),
(3,'2023-03-02','Drew Mossman','USA',7,1,'2023-05-11',2500),
(4,'2023-06-21','Nancy Thackeray','Canada',11,3,'2023-07-01',1500),
(5,'2023-10-05','Helen Crowther','UK',14,NULL,NULL,NULL),
(6,'2024-01-09','Ted Birkett','Australia',6,4,'2024-02-20',3000),
(7,'2024-02-14','Paula Grant','UK',NULL,5,'2024-02-16',0),
(8,'2024-05-27','Drew Mossman','USA',12,1,'2024-06-28',2500),
(9,'2024-08-19','Simon Lowe','UK',2,2,NULL,1500),
(10,'2024-10-03','Nancy Thackeray','Canada',3,3,'2024-10-24',1500),
(11,'2024-11-12','Yuki Tanabe','Japan',16,5,NULL,NULL);
