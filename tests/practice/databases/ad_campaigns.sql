CREATE TABLE advertiser (
  advertiser_id INTEGER PRIMARY KEY,
  advertiser_name VARCHAR(60),
  industry VARCHAR(30),
  country CHAR(2),
  parent_id INTEGER,
  signed_on DATE
);
CREATE TABLE account_manager (
  manager_id INTEGER PRIMARY KEY,
  full_name VARCHAR(60),
  team VARCHAR(20),
  reports_to INTEGER
);
CREATE TABLE campaign (
  campaign_id INTEGER PRIMARY KEY,
  campaign_name VARCHAR(80),
  advertiser_id INTEGER REFERENCES advertiser(advertiser_id),
  manager_id INTEGER REFERENCES account_manager(manager_id),
  objective VARCHAR(20),
  start_date DATE,
  end_date DATE,
  budget INTEGER,
  status VARCHAR(12)
);
CREATE TABLE channel (
  channel_code VARCHAR(4) PRIMARY KEY,
  channel_name VARCHAR(30),
  pricing VARCHAR(4)
);
CREATE TABLE ad (
  ad_id INTEGER PRIMARY KEY,
  campaign_id INTEGER REFERENCES campaign(campaign_id),
  channel_code VARCHAR(4) REFERENCES channel(channel_code),
  headline VARCHAR(80),
  format VARCHAR(12),
  approved INTEGER
);
CREATE TABLE daily_stats (
  ad_id INTEGER REFERENCES ad(ad_id),
  stat_date DATE,
  impressions INTEGER,
  clicks INTEGER,
  conversions INTEGER,
  spend DECIMAL(10,2),
  PRIMARY KEY (ad_id, stat_date)
);
CREATE TABLE audience (
  audience_id INTEGER PRIMARY KEY,
  label VARCHAR(40),
  min_age INTEGER,
  max_age INTEGER,
  est_size INTEGER
);
CREATE TABLE campaign_audience (
  campaign_id INTEGER REFERENCES campaign(campaign_id),
  audience_id INTEGER REFERENCES audience(audience_id),
  excluded CHAR(1),
  PRIMARY KEY (campaign_id, audience_id)
);
INSERT INTO advertiser VALUES
(1,'Brightside Group','holding','GB',NULL,'2019-03-01'),
(2,'Brightside Energy','utilities','GB',1,'2020-05-12'),
(3,'Brightside Mobile','telecom','IE',1,'2021-02-08'),
(4,'Noodle House','restaurants','GB',NULL,'2022-06-20'),
(5,'Velo & Co','retail','NL',NULL,'2021-09-14'),
(6,'Lumen Optics','retail','DE',NULL,'2023-01-30'),
(7,'Hotel Marina','travel','ES',NULL,'2022-11-03'),
(8,'Kite Insurance','finance','GB',NULL,'2024-04-15'),
(9,'Paws Petfood','retail','FR',5,'2023-08-21');
INSERT INTO account_manager VALUES
(1,'Rosa Lindqvist','Brands',NULL),(2,'Eamon Kelly','Brands',1),(3,'Tessa Moreau','Growth',1),(4,'Victor Amadi','Growth',3),
(5,'Julia Sorensen','Growth',3),(6,'Milan Horvat','Brands',2),(7,'Penny Cho','Search',1),(8,'Gareth Munn','Search',7);
INSERT INTO campaign VALUES
(1,'Winter Warm Deal',2,2,'leads','2022-11-01','2023-01-31',12000,'ended'),
(2,'Unlimited Spring',3,3,'sales','2023-03-01','2023-05-31',20000,'ended'),
(3,'Lunch for a Tenner',4,4,'traffic','2023-06-01','2023-08-31',3500,'ended'),
(4,'E-bike Launch',5,2,'awareness','2023-09-01','2023-11-15',18000,'ended'),
(5,'Black Week Bikes',5,3,'sales','2023-11-20','2023-11-30',9000,'ended'),
(6,'See Better 2024',6,5,'leads','2024-02-01','2024-04-30',7500,'ended'),
(7,'Summer by the Sea',7,7,'sales','2024-05-01','2024-07-31',15000,'ended'),
(8,'Noodle Nights',4,4,'traffic','2024-09-01',NULL,4000,'running'),
(9,'Switch to Green',2,2,'leads','2024-10-01',NULL,16000,'running'),
(10,'Winter Warm Deal',2,7,'leads','2024-11-01','2025-01-31',NULL,'paused'),
(11,'Hello Kite',8,NULL,'awareness','2025-01-06',NULL,25000,'draft'),
(12,'Big City Kibble',9,5,'sales','2024-08-15','2024-10-15',5200,'cancelled');
INSERT INTO channel VALUES
('SRCH','Search','CPC'),('SOCL','Social','CPM'),('VID','Video','CPV'),('DISP','Display','CPM'),('AUD','Podcast','CPM'),('MAIL','Newsletter','FLAT'),('OOH','Billboards','FLAT'),('AFFL','Affiliate','CPA');
INSERT INTO ad VALUES
(101,1,'SRCH','Cut your heating bill','text',1),
(102,1,'DISP','Warm home, small bill','banner',1),
(103,2,'SOCL','Unlimited data, one price','carousel',1),
(104,2,'VID','Never run out again','video',1),
(105,3,'SOCL','Ramen at noon','image',1),
(106,4,'VID','Ride the hill like it is flat','video',1),
(107,4,'DISP','Meet the new Velo','banner',1),
(108,5,'SRCH','Black Week: bikes -30%','text',1),
(109,6,'SRCH','Free eye test','text',1),
(110,6,'SOCL','Glasses you will love','image',0),
(111,7,'SOCL','Your room with a sea view','carousel',1),
(112,7,'SRCH','Hotel deals on the coast','text',1),
(113,8,'SOCL','Late night noodles','image',1),
(114,9,'SRCH','Green power, fair price','text',1),
(115,9,'AUD','Switch in five minutes','audio',1),
(116,11,'VID','Insurance that flies','video',0),
(117,12,'SOCL','Kibble for city dogs','image',1),
(118,10,'SRCH','Cut your heating bill','text',1);
INSERT INTO daily_stats VALUES
(101,'2022-11-07',4200,310,22,465.00),
(101,'2023-01-10',3900,262,15,393.00),
(102,'2022-11-07',52000,180,3,312.00),
(103,'2023-03-15',88000,1320,41,704.00),
(103,'2023-05-02',61000,915,38,488.00),
(104,'2023-03-15',40000,240,6,820.00),
(105,'2023-07-14',23500,611,NULL,188.00),
(106,'2023-09-20',72000,390,2,1490.00),
(107,'2023-09-20',95000,260,0,570.00),
(108,'2023-11-24',6100,854,77,1281.00),
(108,'2023-11-27',5400,702,58,1053.00),
(109,'2024-02-12',2800,196,31,235.20),
(109,'2024-04-08',3100,201,28,241.20),
(111,'2024-05-20',64000,1180,19,512.00),
(111,'2024-07-01',71500,1430,33,572.00),
(112,'2024-05-20',5200,468,44,608.40),
(113,'2024-09-13',18000,504,NULL,144.00),
(113,'2024-10-11',17200,430,NULL,137.60),
(114,'2024-10-14',4700,329,26,427.70),
(114,'2024-12-02',5100,408,36,530.40),
(115,'2024-10-14',30000,45,4,540.00),
(117,'2024-08-19',0,0,0,0.00),
(118,'2024-11-12',2500,170,9,255.00);
INSERT INTO audience VALUES
(1,'Homeowners',35,65,420000),(2,'Students',18,25,310000),(3,'Commuters',25,55,680000),(4,'Cyclists',20,60,150000),(5,'Glasses wearers',40,NULL,520000),
(6,'Foodies',20,45,275000),(7,'Beach travellers',25,60,340000),(8,'Dog owners',NULL,NULL,390000),(9,'Night shift workers',18,60,NULL),(10,'Teens',13,19,210000);
INSERT INTO campaign_audience VALUES
(1,1,'N'),(2,2,'N'),(2,3,'N'),(3,3,'N'),(3,6,'N'),(4,4,'N'),(4,3,'N'),(4,2,'Y'),(5,4,'N'),(6,5,'N'),(6,2,'Y'),(7,7,'N'),(8,6,'N'),(8,2,'N'),(9,1,'N'),(10,1,'N'),(12,8,'N'),(5,3,'Y'),(8,9,'Y');
