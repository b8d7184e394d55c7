CREATE TABLE Items (
  itemNo VARCHAR(8) PRIMARY KEY,
  itemDesc VARCHAR(60),
  itemGroup VARCHAR(20),
  unitWeightKg DECIMAL(8,3),
  reorderLevel INTEGER,
  unitCost DECIMAL(8,2),
  hazardous CHAR(1),
  replacedBy VARCHAR(8)
);
CREATE TABLE Locations (
  locCode VARCHAR(8) PRIMARY KEY,
  aisle VARCHAR(2),
  bay INTEGER,
  lvl INTEGER,
  zone VARCHAR(10),
  maxKg INTEGER,
  blocked INTEGER
);
CREATE TABLE Stock (
  locCode VARCHAR(8),
  itemNo VARCHAR(8),
  qtyOnHand INTEGER,
  qtyReserved INTEGER,
  bestBefore DATE,
  lastCounted DATE,
  PRIMARY KEY (locCode, itemNo)
);
CREATE TABLE Workers (
  workerId INTEGER PRIMARY KEY,
  workerName VARCHAR(60),
  shiftCode CHAR(1),
  forklift CHAR(1),
  teamLeadId INTEGER,
  startDate DATE
);
CREATE TABLE Customers (
  custId INTEGER PRIMARY KEY,
  custName VARCHAR(60),
  city VARCHAR(40),
  priority INTEGER
);
CREATE TABLE PickOrders (
  orderNo INTEGER PRIMARY KEY,
  custId INTEGER,
  releasedAt TIMESTAMP,
  completedAt TIMESTAMP,
  pickerId INTEGER,
  checkerId INTEGER,
  carrier VARCHAR(20),
  orderStatus VARCHAR(10)
);
CREATE TABLE PickLines (
  orderNo INTEGER,
  lineNo INTEGER,
  itemNo VARCHAR(8),
  locCode VARCHAR(8),
  qtyOrdered INTEGER,
  qtyPicked INTEGER,
  shortReason VARCHAR(12),
  PRIMARY KEY (orderNo, lineNo)
);
CREATE TABLE StockMoves (
  moveId INTEGER PRIMARY KEY,
  itemNo VARCHAR(8),
  fromLoc VARCHAR(8),
  toLoc VARCHAR(8),
  qty INTEGER,
  movedOn DATE,
  workerId INTEGER
);
INSERT INTO Items VALUES
('A100','Cordless drill','tools',1.800,20,54.00,'N',NULL),
('A101','Hammer 500g','tools',0.720,30,6.50,'N',NULL),
('A102','Cordless drill mk1','tools',2.100,0,48.00,'N','A100'),
('B200','White wall paint 10L','paint',14.500,15,21.00,'N',NULL),
('B201','Paint thinner 1L','paint',0.950,25,3.20,'Y',NULL),
('B202','Wood varnish 2L','paint',2.200,12,11.80,'Y',NULL),
('C300','Screws 4x40 box','fixings',0.600,100,2.10,'N',NULL),
('C301','Wall plugs box','fixings',0.250,80,1.40,'N',NULL),
('D400','Garden hose 25m','garden',3.900,10,13.50,'N',NULL),
('D401','Grass seed 5kg','garden',5.000,8,17.00,'N',NULL),
('D402','Rake','garden',1.300,NULL,7.90,'N',NULL),
('E500','LED work light','electrical',1.150,15,24.50,'N',NULL);
INSERT INTO Locations VALUES
('A-01-1','A',1,1,'bulk',900,0),('A-01-2','A',1,2,'bulk',600,0),('A-02-1','A',2,1,'bulk',900,0),('B-01-1','B',1,1,'pick',250,0),('B-01-2','B',1,2,'pick',150,0),
('B-02-1','B',2,1,'pick',250,1),('C-01-1','C',1,1,'hazmat',400,0),('C-01-2','C',1,2,'hazmat',300,0),('D-01-1','D',1,1,'returns',200,0),('D-02-1','D',2,1,'returns',200,1),('B-02-2','B',2,2,'pick',150,0),('A-03-1','A',3,1,'bulk',900,0);
INSERT INTO Stock VALUES
('A-01-1','B200',38,5,'2026-06-30','2024-09-30'),('A-01-2','D401',6,0,'2025-03-31','2024-06-28'),('A-02-1','A100',44,10,NULL,'2024-09-30'),('B-01-1','A101',25,4,NULL,'2024-10-21'),
('B-01-1','C300',140,20,NULL,'2024-10-21'),('B-01-2','C301',60,0,NULL,'2024-10-21'),('B-01-2','A100',8,2,NULL,NULL),('B-02-1','D400',4,0,NULL,'2024-03-15'),
('C-01-1','B201',50,6,'2025-01-31','2024-09-12'),('C-01-2','B202',10,3,'2025-11-30','2024-09-12'),('D-01-1','A102',3,0,NULL,NULL),('A-02-1','D400',9,1,NULL,'2024-09-30'),('D-01-1','B200',2,0,'2024-12-31','2024-08-05');
INSERT INTO Workers VALUES
(11,'Oksana Bilyk','E','Y',NULL,'2016-05-02'),(12,'Ray Dunmore','E','N',11,'2019-10-14'),(13,'Tunde Bello','L','Y',NULL,'2018-01-22'),(14,'Sara Lindholm','L','N',13,'2021-07-05'),
(15,'Pavel Hruska','N','Y',13,'2022-03-28'),(16,'Mick Tanner','E','N',11,'2023-11-06'),(17,'Ayesha Khan','L','Y',13,'2024-02-19'),(18,'Dora Feld','N',NULL,15,'2024-09-02');
INSERT INTO Customers VALUES
(1,'BuildRight Stores','Derby',1),(2,'Handy Home','Leicester',2),(3,'Parkside Garden Centre','Derby',2),(4,'Colour Corner','Stoke',3),(5,'Fix-It Felix','Leicester',3),(6,'Mason Brothers','Burton',1),(7,'Toolshed Online','Coventry',1),(8,'Greenacre Nursery','Stoke',NULL);
INSERT INTO PickOrders VALUES
(9001,1,'2023-08-14 07:30:00','2023-08-14 09:10:00',12,11,'NorthFreight','shipped'),
(9002,2,'2023-09-05 14:15:00','2023-09-05 15:00:00',14,13,'ParcelPro','shipped'),
(9003,3,'2023-11-20 08:00:00','2023-11-20 11:30:00',12,12,'NorthFreight','shipped'),
(9004,4,'2024-01-16 15:20:00','2024-01-16 16:05:00',14,13,'ParcelPro','shipped'),
(9005,1,'2024-03-11 07:45:00','2024-03-11 10:15:00',16,11,'NorthFreight','shipped'),
(9006,6,'2024-05-27 22:10:00','2024-05-28 01:40:00',15,NULL,'NorthFreight','shipped'),
(9007,7,'2024-08-06 13:00:00','2024-08-06 13:35:00',17,13,'ParcelPro','shipped'),
(9008,5,'2024-09-18 09:25:00',NULL,NULL,NULL,NULL,'cancelled'),
(9009,7,'2024-10-22 14:40:00','2024-10-22 15:50:00',14,17,'ParcelPro','shipped'),
(9010,2,'2024-11-28 06:50:00','2024-11-28 08:00:00',12,11,NULL,'packed'),
(9011,3,'2024-11-28 07:05:00',NULL,16,NULL,NULL,'picking'),
(9012,6,'2024-11-28 07:20:00',NULL,NULL,NULL,NULL,'released');
INSERT INTO PickLines VALUES
(9001,1,'A100','A-02-1',10,10,NULL),(9001,2,'A101','B-01-1',20,20,NULL),(9001,3,'C300','B-01-1',50,50,NULL),
(9002,1,'C301','B-01-2',30,30,NULL),(9002,2,'B201','C-01-1',12,10,'damaged'),
(9003,1,'D400','A-02-1',8,8,NULL),(9003,2,'D401','A-01-2',10,6,'no stock'),
(9004,1,'B200','A-01-1',15,15,NULL),(9004,2,'B202','C-01-2',6,6,NULL),
(9005,1,'A100','B-01-2',12,9,'no stock'),(9005,2,'C300','B-01-1',40,40,NULL),
(9006,1,'B200','A-01-1',24,24,NULL),(9006,2,'A100','A-02-1',6,6,NULL),(9006,3,'D400','B-02-1',3,0,'blocked'),
(9007,1,'A101','B-01-1',5,5,NULL),
(9008,1,'C301','B-01-2',10,0,NULL),
(9009,1,'A100','A-02-1',4,4,NULL),(9009,2,'B201','C-01-1',8,8,NULL),
(9010,1,'C300','B-01-1',25,25,NULL),(9010,2,'A101','B-01-1',6,6,NULL),
(9011,1,'D401','A-01-2',4,NULL,NULL),(9012,1,'B202','C-01-2',3,NULL,NULL);
INSERT INTO StockMoves VALUES
(1,'A100','A-02-1','B-01-2',20,'2023-07-10',15),(2,'B200',NULL,'A-01-1',60,'2023-12-04',13),(3,'C300',NULL,'B-01-1',200,'2023-12-04',13),(4,'D400','B-02-1','A-02-1',12,'2024-02-20',17),
(5,'A102','B-01-1','D-01-1',3,'2024-03-02',11),(6,'B201','C-01-2','C-01-1',18,'2024-04-09',15),(7,'B200','A-01-1','D-01-1',2,'2024-08-05',17),(8,'D401','A-01-2',NULL,1,'2024-08-30',11),(9,'A100','A-02-1','B-01-2',10,'2024-10-01',15);
