CREATE TABLE Airport (
  IataCode TEXT PRIMARY KEY,
  AirportName TEXT,
  City TEXT,
  Country TEXT,
  Runways INTEGER
);
CREATE TABLE AircraftType (
  TypeCode TEXT PRIMARY KEY,
  Maker TEXT,
  Seats INTEGER,
  RangeKm INTEGER
);
CREATE TABLE Aircraft (
  TailNo TEXT PRIMARY KEY,
  TypeCode TEXT,
  DeliveredOn DATE,
  HomeBase TEXT,
  Leased TEXT,
  FOREIGN KEY (TypeCode) REFERENCES AircraftType(TypeCode),
  FOREIGN KEY (HomeBase) REFERENCES Airport(IataCode)
);
CREATE TABLE CrewMember (
  CrewId INTEGER PRIMARY KEY,
  FullName TEXT,
  Rank TEXT,
  HomeBase TEXT,
  HiredOn DATE,
  MentorId INTEGER,
  FOREIGN KEY (HomeBase) REFERENCES Airport(IataCode)
);
CREATE TABLE Flight (
  FlightId INTEGER PRIMARY KEY,
  FlightNo TEXT,
  Origin TEXT,
  Destination TEXT,
  TailNo TEXT,
  ScheduledDeparture TIMESTAMP,
  ActualDeparture TIMESTAMP,
  Passengers INTEGER,
  FlightStatus TEXT,
  DelayCode TEXT,
  FOREIGN KEY (Origin) REFERENCES Airport(IataCode),
  FOREIGN KEY (Destination) REFERENCES Airport(IataCode),
  FOREIGN KEY (TailNo) REFERENCES Aircraft(TailNo)
);
CREATE TABLE DelayReason (
  DelayCode TEXT PRIMARY KEY,
  Description TEXT,
  Avoidable TEXT
);
CREATE TABLE FlightCrew (
  FlightId INTEGER,
  CrewId INTEGER,
  Duty TEXT,
  PRIMARY KEY (FlightId, CrewId),
  FOREIGN KEY (FlightId) REFERENCES Flight(FlightId),
  FOREIGN KEY (CrewId) REFERENCES CrewMember(CrewId)
);
INSERT INTO Airport VALUES
('OSL','Gardermoen','Oslo','Norway',2),('BGO','Flesland','Bergen','Norway',1),('TRD','Vaernes','Trondheim','Norway',1),
('CPH','Kastrup','Copenhagen','Denmark',3),('LHR','Heathrow','London','United Kingdom',2),('LGW','Gatwick','London','United Kingdom',1),
('AMS','Schiphol','Amsterdam','Netherlands',6),('FAO','Faro','Faro','Portugal',1),('TOS','Langnes','Tromso','Norway',1);
INSERT INTO AircraftType VALUES
('A320','Airbus',180,6100),('A321','Airbus',220,7400),('B738','Boeing',186,5700),('AT76','ATR',70,1500),('E190','Embraer',100,4500);
INSERT INTO Aircraft VALUES
('LN-ABA','A320','2016-04-12','OSL','N'),('LN-ABB','A320','2017-09-01','OSL','Y'),('LN-ABC','A321','2021-06-18','OSL','Y'),
('LN-BTA','AT76','2012-02-27','BGO','N'),('LN-BTB','AT76','2013-05-30','TRD','N'),('LN-BOA','B738','2010-11-05','CPH','N'),
('LN-BOB','B738','2014-08-22','OSL','N'),('LN-ABD','A321',NULL,NULL,'Y');
INSERT INTO CrewMember VALUES
(1,'Ingrid Solberg','Captain','OSL','2005-03-01',NULL),
(2,'Henrik Dahl','Captain','BGO','2008-10-15',1),
(3,'Mette Krogh','First Officer','CPH','2016-05-09',1),
(4,'Lars Eide','First Officer','OSL','2019-01-21',2),
(5,'Sara Moen','Purser','OSL','2011-08-04',NULL),
(6,'Peter Holm','Purser','CPH','2014-02-11',5),
(7,'Anna Lie','Cabin Crew','BGO','2021-06-01',5),
(8,'Jakob Berg','Cabin Crew','OSL','2022-03-14',6),
(9,'Emily Ward','Cabin Crew','TRD','2023-04-03',NULL),
(10,'Nils Aas','Captain','TRD','2004-12-01',1),
(11,'Oda Vik','First Officer','TRD','2024-01-08',10),
(12,'Karin Lund','Cabin Crew','OSL','2024-02-19',5);
INSERT INTO DelayReason VALUES
('WX','Weather at departure or arrival','N'),('TE','Technical fault on the aircraft','Y'),('CR','Crew late or missing','Y'),
('AT','Air traffic control slot','N'),('BG','Baggage loading','Y'),('SE','Security alert','N');
INSERT INTO Flight VALUES
(1,'NF101','OSL','BGO','LN-BTA','2023-01-09 07:00:00','2023-01-09 07:04:00',61,'Arrived',NULL),
(2,'NF102','BGO','OSL','LN-BTA','2023-01-09 09:00:00','2023-01-09 09:47:00',66,'Arrived','WX'),
(3,'NF301','OSL','LHR','LN-ABA','2023-02-14 08:30:00','2023-02-14 08:30:00',171,'Arrived',NULL),
(4,'NF302','LHR','OSL','LN-ABA','2023-02-14 12:15:00','2023-02-14 13:05:00',165,'Arrived','AT'),
(5,'NF501','OSL','FAO','LN-ABC','2023-07-01 06:10:00','2023-07-01 06:25:00',214,'Arrived','BG'),
(6,'NF502','FAO','OSL','LN-ABC','2023-07-01 11:40:00','2023-07-01 14:10:00',199,'Arrived','TE'),
(7,'NF201','CPH','AMS','LN-BOA','2023-10-20 17:00:00','2023-10-20 17:12:00',120,'Arrived','AT'),
(8,'NF202','AMS','CPH','LN-BOA','2023-10-20 20:00:00',NULL,0,'Cancelled','WX'),
(9,'NF101','OSL','BGO','LN-BTB','2024-01-08 07:00:00','2024-01-08 07:00:00',58,'Arrived',NULL),
(10,'NF110','OSL','TRD','LN-BOB','2024-01-08 10:20:00','2024-01-08 10:55:00',140,'Arrived','CR'),
(11,'NF111','TRD','OSL','LN-BOB','2024-01-08 13:00:00','2024-01-08 13:20:00',152,'Arrived','CR'),
(12,'NF120','OSL','TOS','LN-ABB','2024-03-02 09:00:00',NULL,0,'Cancelled','WX'),
(13,'NF301','OSL','LGW','LN-ABB','2024-05-17 08:30:00','2024-05-17 08:41:00',133,'Arrived','BG'),
(14,'NF302','LGW','OSL','LN-ABB','2024-05-17 12:15:00','2024-05-17 12:15:00',178,'Arrived',NULL),
(15,'NF501','OSL','FAO','LN-ABC','2024-07-06 06:10:00','2024-07-06 07:40:00',220,'Diverted','TE'),
(16,'NF210','CPH','OSL','LN-BOA','2024-07-06 18:00:00','2024-07-06 18:03:00',98,'Arrived',NULL),
(17,'NF102','BGO','OSL','LN-BTA','2024-09-30 09:00:00',NULL,NULL,'Scheduled',NULL),
(18,'NF201','CPH','AMS',NULL,'2024-09-30 17:00:00',NULL,NULL,'Scheduled',NULL);
INSERT INTO FlightCrew VALUES
(1,2,'PIC'),(1,4,'FO'),(1,7,'CC'),(2,2,'PIC'),(2,4,'FO'),(2,7,'CC'),(3,1,'PIC'),(3,4,'FO'),(3,5,'SCC'),(4,1,'PIC'),(4,4,'FO'),
(5,1,'PIC'),(5,3,'FO'),(5,5,'SCC'),(5,8,'CC'),(6,1,'PIC'),(6,3,'FO'),(7,10,'PIC'),(7,3,'FO'),(7,6,'SCC'),
(10,10,'PIC'),(10,11,'FO'),(13,1,'PIC'),(13,2,'FO'),(15,1,'PIC'),(15,4,'FO'),(15,5,'SCC');
