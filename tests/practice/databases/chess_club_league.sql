CREATE TABLE Club (ClubId INTEGER PRIMARY KEY, ClubName TEXT, Town TEXT, Founded INTEGER, Venue TEXT, JuniorSection TEXT);
CREATE TABLE Player (PlayerId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, ClubId INTEGER, BirthYear INTEGER, Rating INTEGER, Title TEXT, CoachId INTEGER, JoinedOn DATE);
CREATE TABLE Division (DivisionCode TEXT PRIMARY KEY, DivisionName TEXT, Boards INTEGER);
CREATE TABLE Team (TeamId INTEGER PRIMARY KEY, ClubId INTEGER, TeamName TEXT, DivisionCode TEXT, CaptainId INTEGER);
CREATE TABLE Fixture (FixtureId INTEGER PRIMARY KEY, Season TEXT, PlayedOn DATE, HomeTeamId INTEGER, AwayTeamId INTEGER, HomePoints REAL, AwayPoints REAL, Status TEXT);
CREATE TABLE Game (GameId INTEGER PRIMARY KEY, FixtureId INTEGER, BoardNo INTEGER, WhiteId INTEGER, BlackId INTEGER, Result TEXT, Opening TEXT, Moves INTEGER);
CREATE TABLE Subscription (PlayerId INTEGER, SeasonName TEXT, FeeDue REAL, PaidOn DATE);
INSERT INTO Club VALUES
(1,'Elmswood Knights','Elmswood',1962,'Library Hall','Y'),(2,'Castle Street CC','Durnsford',1931,'The Rook Inn','N'),(3,'Riverbank Chess Society','Halton',1988,'Community Centre','Y'),(4,'Halton Pawns','Halton',2015,'Cafe Zugzwang','Y'),(5,'Old Mill Gambits','Brigg',1974,'Working Mens Club','N'),(6,'Fenwick Chess Circle','Fenwick',2023,NULL,'N');
INSERT INTO Player VALUES
(1,'Arthur','Penrose',1,1955,2105,'FM',NULL,'1989-09-01'),(2,'Nadia','Kowalska',1,1994,2210,'WIM',NULL,'2018-09-10'),(3,'Ben','Aldridge',1,2009,1540,NULL,2,'2021-10-02'),(4,'Ruby','Sharma',1,2010,1475,NULL,2,'2022-09-15'),
(5,'Victor','Lindqvist',2,1971,2325,'IM',NULL,'2004-01-20'),(6,'Geoffrey','Moss',2,1948,1820,NULL,NULL,'1979-09-05'),(7,'Dean','Fowler',2,1982,1935,NULL,NULL,'2011-10-11'),(8,'Oliver','Penrose',2,1986,1990,'CM',5,'2015-09-14'),
(9,'Helen','Abbott',3,1968,1765,NULL,NULL,'1999-09-20'),(10,'Samuel','Okoro',3,2001,2055,'CM',NULL,'2019-10-01'),(11,'Jade','Whitlock',3,2008,1690,NULL,10,'2020-09-12'),(12,'Tariq','Aziz',3,1990,1880,NULL,NULL,'2016-02-03'),
(13,'Leo','Marchetti',4,2011,1310,NULL,14,'2022-11-05'),(14,'Irina','Volkova',4,1979,2150,'WFM',NULL,'2015-09-01'),(15,'Finn','Gallagher',4,2007,1725,NULL,14,'2019-09-09'),(16,'Marta','Silva',4,1998,1600,NULL,NULL,'2023-01-16'),
(17,'Colin','Birch',5,1960,1700,NULL,NULL,'1992-09-07'),(18,'Walter','Dunn',5,1952,1655,NULL,NULL,'1985-09-02'),(19,'Stacey','Reid',5,1988,1840,NULL,NULL,'2017-10-10'),(20,'Ahmed','Farouk',5,1995,NULL,NULL,19,'2024-01-08'),(21,'Joyce','Tilley',NULL,1965,1580,NULL,NULL,'2010-09-01');
INSERT INTO Division VALUES ('D1','Premier Division',4),('D2','Second Division',4),('D3','Third Division',3),('JR','Junior League',2);
INSERT INTO Team VALUES
(1,1,'Elmswood A','D1',1),(2,2,'Castle Street A','D1',5),(3,3,'Riverbank A','D1',10),(4,4,'Halton Pawns A','D2',14),(5,5,'Gambits A','D2',19),(6,1,'Elmswood B','D2',NULL),(7,2,'Castle Street B','D2',7),(8,4,'Halton Pawns Juniors','JR',15),(9,3,'Riverbank Juniors','JR',11);
INSERT INTO Fixture VALUES
(1,'2022-23','2022-10-12',1,2,2.0,2.0,'played'),(2,'2022-23','2022-11-16',2,3,3.0,1.0,'played'),(3,'2022-23','2023-01-18',3,1,1.5,2.5,'played'),(4,'2022-23','2023-02-07',4,5,2.5,1.5,'played'),(5,'2022-23','2023-03-14',5,7,1.0,3.0,'played'),
(6,'2023-24','2023-10-11',2,1,2.5,1.5,'played'),(7,'2023-24','2023-11-08',1,3,3.0,1.0,'played'),(8,'2023-24','2023-12-06',3,2,2.0,2.0,'played'),(9,'2023-24','2024-01-16',7,4,1.5,2.5,'played'),(10,'2023-24','2024-02-13',5,4,0.0,4.0,'defaulted'),
(11,'2023-24','2024-02-21',4,6,3.5,0.5,'played'),(12,'2023-24','2024-03-02',8,9,1.0,1.0,'played'),(13,'2023-24',NULL,6,5,NULL,NULL,'postponed'),(14,'2023-24',NULL,7,6,NULL,NULL,'postponed');
INSERT INTO Game VALUES
(1,1,1,5,2,'1/2-1/2','Ruy Lopez',42),(2,1,2,1,8,'1-0','Queen''s Gambit',35),(3,1,3,7,3,'1-0','Sicilian Defence',28),(4,2,1,5,10,'1-0','Catalan',51),(5,2,2,12,8,'0-1','Sicilian Defence',39),(6,2,3,7,9,'1-0','London System',33),
(7,3,1,10,2,'0-1','King''s Indian',60),(8,3,2,1,12,'1/2-1/2','Ruy Lopez',24),(9,3,3,9,3,'1-0','Italian Game',44),(10,4,1,14,19,'1-0','French Defence',31),(11,4,2,17,15,'1/2-1/2','Italian Game',55),(12,5,1,19,7,'0-1','Sicilian Defence',29),
(13,6,1,2,5,'0-1','Catalan',47),(14,6,2,8,1,'1/2-1/2','Queen''s Gambit',20),(15,7,1,2,10,'1-0','Sicilian Defence',37),(16,7,2,12,1,'0-1','Caro-Kann',41),(17,8,1,10,5,'1/2-1/2','Ruy Lopez',65),(18,9,1,7,14,'0-1','French Defence',52),(19,9,2,15,6,'1-0','London System',26),(20,11,1,14,4,'1-0','Italian Game',18),(21,11,2,3,15,'0-1','Sicilian Defence',34),(22,12,1,15,11,'1-0','Ruy Lopez',40),(23,12,2,11,13,'1-0',NULL,22);
INSERT INTO Subscription VALUES
(1,'2022-23',45.0,'2022-09-03'),(1,'2023-24',50.0,'2023-09-05'),(2,'2022-23',45.0,'2022-10-01'),(2,'2023-24',50.0,NULL),(3,'2023-24',20.0,'2023-09-20'),(4,'2023-24',20.0,NULL),(5,'2022-23',45.0,'2022-09-10'),(5,'2023-24',50.0,'2023-09-01'),(6,'2022-23',30.0,'2022-12-15'),(6,'2023-24',35.0,'2023-09-30'),(7,'2023-24',50.0,'2024-01-12'),(10,'2022-23',45.0,'2022-09-12'),(10,'2023-24',50.0,'2023-10-04'),(14,'2023-24',50.0,'2023-09-09'),(15,'2023-24',20.0,'2023-09-09'),(19,'2022-23',45.0,NULL),(19,'2023-24',50.0,NULL);
