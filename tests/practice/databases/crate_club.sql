CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, email TEXT, city TEXT, country TEXT, joined_on DATE, referred_by INTEGER, marketing_ok INTEGER);
CREATE TABLE box_types (box_code TEXT PRIMARY KEY, title TEXT, theme TEXT, monthly_cents INTEGER, retired_on DATE);
CREATE TABLE subscriptions (sub_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id), box_code TEXT REFERENCES box_types(box_code), started_on DATE, cancelled_on DATE, cancel_reason TEXT, status TEXT);
CREATE TABLE shipments (shipment_id INTEGER PRIMARY KEY, sub_id INTEGER REFERENCES subscriptions(sub_id), carrier TEXT, sent_on DATE, delivered_on DATE, postage_cents INTEGER, returned INTEGER);
CREATE TABLE products (sku TEXT PRIMARY KEY, product_name TEXT, maker TEXT, cost_cents INTEGER, weight_g INTEGER);
CREATE TABLE box_contents (box_code TEXT REFERENCES box_types(box_code), sku TEXT REFERENCES products(sku), qty INTEGER, PRIMARY KEY (box_code, sku));
CREATE TABLE reviews (review_id INTEGER PRIMARY KEY, shipment_id INTEGER REFERENCES shipments(shipment_id), stars INTEGER, comment TEXT, posted_on DATE);
INSERT INTO members VALUES
(1,'Hannah Pell','hannah.pell@postbox.com','Leeds','United Kingdom','2022-02-11',NULL,1),
(2,'Marco Reyes','mreyes@inbox.net','Austin','United States','2022-03-05',1,1),
(3,'Ingrid Solberg',NULL,'Bergen','Norway','2022-07-19',NULL,0),
(4,'Tom Okafor','tom.okafor@postbox.com','Leeds','United Kingdom','2022-11-30',1,0),
(5,'Priya Nair','priya@nairhome.org','Bristol','United Kingdom','2023-01-08',4,1),
(6,'Claire Dubois','claire.d@inbox.net','Lyon','France','2023-04-22',NULL,1),
(7,'Ben Whitlock',NULL,'Denver','United States','2023-06-01',2,1),
(8,'Sofia Marin','sofia.marin@postbox.com','Lyon','France','2023-09-14',6,0),
(9,'Daniel Frost','dfrost@frostmail.io','Austin','United States','2024-01-27',2,1),
(10,'Yuki Tanabe','yuki.t@inbox.net','Bristol','United Kingdom','2024-03-03',NULL,0),
(11,'Olga Brandt','olga@brandt.de','Hamburg','Germany','2024-05-16',NULL,1);
INSERT INTO box_types VALUES
('TEA','Leaf & Kettle','tea',1900,NULL),('CHO','Cocoa Crate','chocolate',2400,NULL),('CRA','Crafty Hands','crafts',2900,NULL),
('CHE','Cheese Cellar','cheese',3500,NULL),('PET','Happy Paws','pets',2100,NULL),('BKS','Bookworm','books',2700,'2023-12-31'),('VEG','Green Goods','vegan food',2600,NULL),('SPI','Spice Trail','spices',1700,NULL);
INSERT INTO subscriptions VALUES
(101,1,'TEA','2022-02-11',NULL,NULL,'Active'),(102,1,'BKS','2022-05-01','2023-12-31','box retired','Cancelled'),
(103,2,'CHO','2022-03-05','2022-12-05','too expensive','Cancelled'),(104,2,'PET','2023-01-15',NULL,NULL,'Active'),
(105,3,'CRA','2022-07-19',NULL,NULL,'Paused'),(106,4,'TEA','2022-12-01','2023-08-20','moved','Cancelled'),
(107,5,'CHE','2023-01-08',NULL,NULL,'Active'),(108,5,'CHO','2023-02-14',NULL,NULL,'Active'),
(109,6,'CHE','2023-04-22','2024-02-10','too expensive','Cancelled'),(110,7,'PET','2023-06-01',NULL,NULL,'Active'),
(111,8,'CHO','2023-09-14',NULL,NULL,'Paused'),(112,9,'CRA','2024-01-27','2024-04-30',NULL,'Cancelled'),
(113,9,'TEA','2024-02-01',NULL,NULL,'Active'),(114,10,'VEG','2024-03-03',NULL,NULL,'Active');
INSERT INTO shipments VALUES
(1,101,'Royal Mail','2022-03-01','2022-03-03',395,0),(2,103,'UPS','2022-03-20','2022-03-28',890,0),(3,102,'Royal Mail','2022-05-10','2022-05-12',420,0),
(4,105,'DHL','2022-08-02','2022-08-11',1240,1),(5,101,'Royal Mail','2022-09-01','2022-09-02',395,0),(6,106,'Evri','2022-12-12','2022-12-19',310,0),
(7,104,'UPS','2023-02-01','2023-02-06',910,0),(8,107,'Royal Mail','2023-02-01','2023-02-02',560,0),(9,108,'Evri','2023-03-01','2023-03-04',330,0),
(10,109,'DHL','2023-05-02','2023-05-05',980,0),(11,110,'UPS','2023-06-15','2023-06-21',905,1),(12,107,'Royal Mail','2023-07-03','2023-07-05',560,0),
(13,111,'DHL','2023-10-02','2023-10-06',985,0),(14,104,'UPS','2023-11-01',NULL,910,0),(15,112,'UPS','2024-02-05','2024-02-12',1150,1),
(16,113,'UPS','2024-02-15','2024-02-19',870,0),(17,114,'Evri','2024-03-15','2024-03-18',345,0),(18,107,'Royal Mail','2024-04-02','2024-04-04',575,0),(19,108,'Evri','2024-04-02',NULL,340,0);
INSERT INTO products VALUES
('TE-01','Smoky Lapsang','Hill & Sons',420,100),('TE-02','Mint Infusion','Hill & Sons',310,80),('CH-11','Sea Salt Dark Bar','Cacao Norte',280,90),
('CH-12','Hazelnut Truffles','Cacao Norte',650,150),('CR-21','Lino Cutting Kit','Makers Yard',1150,700),('CE-31','Aged Comte','Fromage Duval',980,250),
('CE-32','Oat Crackers','Green Mill',190,200),('PT-41','Rope Tug Toy','Waggle',360,220),('PT-42','Salmon Treats','Waggle',240,150),('BK-51','Mystery Paperback','Penhaligon Press',500,320),('VG-61','Cashew Spread','Green Mill',390,180),('XX-99','Gift Candle','Makers Yard',560,300);
INSERT INTO box_contents VALUES ('TEA','TE-01',1),('TEA','TE-02',2),('TEA','CE-32',1),('CHO','CH-11',3),('CHO','CH-12',1),('CRA','CR-21',1),('CHE','CE-31',1),('CHE','CE-32',2),('PET','PT-41',1),('PET','PT-42',3),('BKS','BK-51',2),('BKS','TE-02',1),('VEG','VG-61',2),('VEG','CE-32',1),('VEG','CH-11',1);
INSERT INTO reviews VALUES (1,1,5,'Lovely tea','2022-03-06'),(2,2,2,'Arrived melted','2022-03-30'),(3,3,4,NULL,'2022-05-20'),(4,4,1,'Broken kit','2022-08-14'),(5,7,4,'Dog is happy','2023-02-10'),(6,8,5,'Superb cheese','2023-02-05'),(7,10,3,'  a bit pricey ','2023-05-09'),(8,11,2,NULL,'2023-06-25'),(9,12,5,'Superb again','2023-07-08'),(10,16,4,'Good blend','2024-02-22'),(11,18,3,'Smaller than before','2024-04-07');
