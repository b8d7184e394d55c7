CREATE TABLE Venue (
  VenueID INTEGER PRIMARY KEY,
  VenueName VARCHAR(50),
  Capacity INTEGER,
  WheelchairAccess INTEGER
);
CREATE TABLE Production (
  ProductionID INTEGER PRIMARY KEY,
  Title VARCHAR(80),
  Genre VARCHAR(20),
  DirectorName VARCHAR(50),
  RunningMinutes INTEGER,
  PremiereDate DATE,
  ProductionCost DECIMAL(10,2)
);
CREATE TABLE Performer (
  PerformerID INTEGER PRIMARY KEY,
  StageName VARCHAR(50),
  BirthDate DATE,
  AgencyName VARCHAR(40)
);
CREATE TABLE Casting (
  ProductionID INTEGER REFERENCES Production(ProductionID),
  PerformerID INTEGER REFERENCES Performer(PerformerID),
  CharacterName VARCHAR(50),
  UnderstudyForID INTEGER,
  WeeklyFee DECIMAL(8,2),
  PRIMARY KEY (ProductionID, PerformerID)
);
CREATE TABLE Performance (
  PerformanceID INTEGER PRIMARY KEY,
  ProductionID INTEGER REFERENCES Production(ProductionID),
  VenueID INTEGER REFERENCES Venue(VenueID),
  StartsAt TIMESTAMP,
  Status VARCHAR(12)
);
CREATE TABLE Patron (
  PatronID INTEGER PRIMARY KEY,
  FullName VARCHAR(50),
  Town VARCHAR(40),
  MemberLevel VARCHAR(10),
  JoinedOn DATE,
  ReferredByID INTEGER
);
CREATE TABLE Booking (
  BookingID INTEGER PRIMARY KEY,
  PatronID INTEGER REFERENCES Patron(PatronID),
  BookedAt TIMESTAMP,
  Channel VARCHAR(12),
  PaidWith VARCHAR(12)
);
CREATE TABLE Ticket (
  TicketID INTEGER PRIMARY KEY,
  BookingID INTEGER REFERENCES Booking(BookingID),
  PerformanceID INTEGER REFERENCES Performance(PerformanceID),
  SeatNo VARCHAR(6),
  PriceBand CHAR(1),
  PricePaid DECIMAL(6,2),
  Refunded INTEGER
);
INSERT INTO Venue VALUES
(1,'Main Stage',620,1),(2,'Studio',120,1),(3,'Cellar Bar',60,0),(4,'Garden Stage',200,1),
(5,'Rehearsal Room A',40,0),(6,'Rehearsal Room B',35,1),(7,'Chapel',150,0),(8,'Foyer',80,1);
INSERT INTO Production VALUES
(1,'Twelfth Night','Comedy','Imogen Hart',150,'2022-10-07',84000.00),
(2,'The Cherry Orchard','Drama','Pavel Orlov',165,'2023-02-17',97500.00),
(3,'Sweeney Todd','Musical','Imogen Hart',180,'2023-10-20',210000.00),
(4,'Laugh Cellar','Stand-up',NULL,75,'2023-05-05',3500.00),
(5,'A Christmas Carol','Family','Grace Lowell',120,'2023-12-01',118000.00),
(6,'Hedda Gabler','Drama','Pavel Orlov',155,'2024-03-08',76500.00),
(7,'Midsummer in the Garden','Comedy','Grace Lowell',140,'2024-06-21',52000.00),
(8,'Hamlet','Drama','Imogen Hart',215,NULL,NULL),
(9,'Into the Woods','Musical','Noah Beck',170,'2024-10-18',198000.00);
INSERT INTO Performer VALUES
(1,'Adele Rowan','1984-05-12','Spotlight Artists'),
(2,'Bram Oakley','1971-09-30','Curtain Call'),
(3,'Celeste Monroe','1995-01-22','Spotlight Artists'),
(4,'Dev Anand Rao','1989-07-04',NULL),
(5,'Esther Vale','1966-12-15','Curtain Call'),
(6,'Finn Gallagher','1998-03-19',NULL),
(7,'Gia Romano','1992-08-08','Northern Talent'),
(8,'Hugo Stern','1979-11-27','Northern Talent'),
(9,'Iris Bloom','2001-06-06',NULL);
INSERT INTO Casting VALUES
(1,1,'Viola',NULL,1150.00),(1,2,'Malvolio',NULL,1200.00),(1,6,'Sebastian',NULL,820.00),
(2,5,'Ranevskaya',NULL,1400.00),(2,2,'Lopakhin',NULL,1250.00),(2,3,'Varya',NULL,900.00),
(3,8,'Sweeney Todd',NULL,1500.00),(3,7,'Mrs Lovett',NULL,1450.00),(3,3,'Johanna',NULL,1000.00),(3,6,'Sweeney Todd',8,700.00),
(4,4,'Compere',NULL,400.00),
(5,2,'Scrooge',NULL,1350.00),(5,3,'Belle',NULL,950.00),
(6,1,'Hedda',NULL,1500.00),(6,8,'Tesman',NULL,1300.00),(6,3,'Hedda',1,850.00),
(7,7,'Titania',NULL,1100.00),(7,4,'Bottom',NULL,980.00),
(9,7,'The Witch',NULL,1550.00),(9,1,'Bakers Wife',NULL,1500.00);
INSERT INTO Performance VALUES
(1,1,1,'2022-10-07 19:30:00','played'),
(2,1,1,'2022-10-08 14:00:00','played'),
(3,2,1,'2023-02-17 19:30:00','played'),
(4,2,1,'2023-02-18 19:30:00','cancelled'),
(5,4,3,'2023-05-05 21:00:00','played'),
(6,3,1,'2023-10-20 19:00:00','played'),
(7,3,1,'2023-10-21 19:00:00','played'),
(8,5,1,'2023-12-02 14:00:00','played'),
(9,5,1,'2023-12-09 14:00:00','played'),
(10,6,2,'2024-03-08 19:30:00','played'),
(11,6,2,'2024-03-09 19:30:00','played'),
(12,7,4,'2024-06-21 20:00:00','played'),
(13,7,4,'2024-06-22 20:00:00','cancelled'),
(14,4,3,'2024-09-06 21:00:00','played'),
(15,9,1,'2024-10-18 19:00:00','on sale'),
(16,9,1,'2024-10-19 14:00:00','on sale'),
(17,2,7,'2024-11-08 19:30:00','on sale');
INSERT INTO Patron VALUES
(1,'Walter Finch','Ludford','Gold','2019-03-01',NULL),
(2,'Rosa Delgado','Castlebrook','Silver','2021-11-10',1),
(3,'Kenji Mori','Ludford',NULL,NULL,NULL),
(4,'Abigail Stone','Wick Heath','Gold','2020-02-14',1),
(5,'Pieter de Vries','Castlebrook',NULL,NULL,2),
(6,'Moira Kelly','Ludford','Silver','2022-09-05',NULL),
(7,'Jonas Weber',NULL,NULL,NULL,4),
(8,'Tamsin Grey','Wick Heath','Friend','2023-01-20',4),
(9,'Lionel Barnes','Ludford','Friend','2023-06-30',6),
(10,'Adele Rowan','Castlebrook','Friend','2024-01-05',NULL);
INSERT INTO Booking VALUES
(1,1,'2022-09-01 10:12:00','phone','card'),
(2,2,'2022-09-20 21:40:00','web','card'),
(3,3,'2022-10-08 13:30:00','counter','cash'),
(4,4,'2023-01-15 09:05:00','web','card'),
(5,1,'2023-02-01 11:00:00','phone','voucher'),
(6,5,'2023-05-05 20:45:00','counter','cash'),
(7,6,'2023-09-12 18:22:00','web','card'),
(8,4,'2023-10-01 12:00:00','web','card'),
(9,8,'2023-11-20 19:15:00','web','voucher'),
(10,2,'2023-11-28 08:30:00','phone','card'),
(11,1,'2024-02-03 16:10:00','web','card'),
(12,9,'2024-03-09 18:50:00','counter','cash'),
(13,6,'2024-06-01 14:00:00','web','card'),
(14,4,'2024-06-10 20:05:00','web','card'),
(15,8,'2024-09-02 22:17:00','web','card'),
(16,1,'2024-09-15 10:00:00','phone','card');
INSERT INTO Ticket VALUES
(1,1,1,'A12','A',42.00,0),(2,1,1,'A13','A',42.00,0),(3,2,1,'F4','B',28.00,0),(4,3,2,'K9','C',15.00,0),
(5,4,3,'B1','A',45.00,0),(6,4,3,'B2','A',45.00,0),(7,5,4,'A12','A',45.00,1),(8,5,4,'A13','A',45.00,1),
(9,6,5,'T3','C',12.00,0),(10,7,6,'C7','A',55.00,0),(11,8,7,'D5','B',38.00,0),(12,8,7,'D6','B',38.00,0),
(13,9,8,'H1','B',24.00,0),(14,9,8,'H2','B',24.00,0),(15,9,8,'H3','C',0.00,0),(16,10,9,'E8','B',24.00,1),
(17,11,10,'A2','A',32.00,0),(18,12,11,'C4','B',22.00,0),(19,13,12,'G1','B',26.00,0),(20,14,13,'G5','B',26.00,1),
(21,14,12,'G6','B',26.00,0),(22,15,14,'T1','C',14.00,0),(23,16,15,'A12','A',58.00,0),(24,16,15,'A13','A',58.00,0);
