CREATE TABLE shop (
  shop_id INTEGER PRIMARY KEY,
  shop_name VARCHAR(50) NOT NULL,
  district VARCHAR(40),
  opened_on DATE,
  closed_on DATE,
  seats INTEGER
);
CREATE TABLE product_category (
  category_id INTEGER PRIMARY KEY,
  category_name VARCHAR(30),
  parent_category_id INTEGER
);
CREATE TABLE product (
  product_id INTEGER PRIMARY KEY,
  product_name VARCHAR(50),
  category_id INTEGER,
  price_cents INTEGER,
  is_vegan CHAR(1),
  shelf_life_days INTEGER,
  FOREIGN KEY (category_id) REFERENCES product_category(category_id)
);
CREATE TABLE ingredient (
  ingredient_id INTEGER PRIMARY KEY,
  ingredient_name VARCHAR(40),
  unit VARCHAR(8),
  cost_per_unit_cents INTEGER,
  allergen VARCHAR(20)
);
CREATE TABLE product_ingredient (
  product_id INTEGER,
  ingredient_id INTEGER,
  quantity DECIMAL(6,3),
  PRIMARY KEY (product_id, ingredient_id),
  FOREIGN KEY (product_id) REFERENCES product(product_id),
  FOREIGN KEY (ingredient_id) REFERENCES ingredient(ingredient_id)
);
CREATE TABLE baker (
  baker_id INTEGER PRIMARY KEY,
  first_name VARCHAR(30),
  last_name VARCHAR(30),
  shop_id INTEGER,
  position VARCHAR(30),
  monthly_wage_cents INTEGER,
  start_date DATE,
  FOREIGN KEY (shop_id) REFERENCES shop(shop_id)
);
CREATE TABLE daily_sale (
  sale_date DATE,
  shop_id INTEGER,
  product_id INTEGER,
  baked INTEGER,
  sold INTEGER,
  PRIMARY KEY (sale_date, shop_id, product_id),
  FOREIGN KEY (shop_id) REFERENCES shop(shop_id),
  FOREIGN KEY (product_id) REFERENCES product(product_id)
);
CREATE TABLE shop_transfer (
  transfer_id INTEGER PRIMARY KEY,
  from_shop_id INTEGER,
  to_shop_id INTEGER,
  product_id INTEGER,
  pieces INTEGER,
  transferred_at TIMESTAMP,
  FOREIGN KEY (from_shop_id) REFERENCES shop(shop_id),
  FOREIGN KEY (to_shop_id) REFERENCES shop(shop_id)
);
INSERT INTO shop VALUES
(1,'Market Square','Old Town','2018-04-01',NULL,24),
(2,'Station','Centre','2019-09-15',NULL,6),
(3,'Riverside','Old Town','2020-06-20',NULL,18),
(4,'University','North End','2021-10-01',NULL,30),
(5,'Harbour','Docklands','2022-03-12','2024-01-31',12),
(6,'Hilltop','North End','2023-05-05',NULL,NULL),
(7,'Airport','Outskirts','2024-06-01',NULL,10),
(8,'Mill Lane','Centre','2024-09-02',NULL,14);
INSERT INTO product_category VALUES
(1,'Bread',NULL),(2,'Sweet',NULL),(3,'Savoury',NULL),
(4,'Rye bread',1),(5,'White bread',1),(6,'Cakes',2),(7,'Pastries',2),(8,'Seasonal',2),(9,'Drinks',NULL);
INSERT INTO product VALUES
(1,'Sourdough loaf',5,420,'Y',4),
(2,'Dark rye',4,480,'Y',7),
(3,'Baguette',5,190,'Y',1),
(4,'Butter croissant',7,180,'N',1),
(5,'Cinnamon roll',7,260,'N',2),
(6,'Carrot cake slice',6,390,'N',3),
(7,'Chocolate cake',6,2850,'N',4),
(8,'Cheese twist',3,240,'N',1),
(9,'Spinach pie',3,450,'N',2),
(10,'Pumpernickel',4,510,'Y',10),
(11,'Vegan muffin',6,310,'Y',3),
(12,'Gingerbread house',8,1990,'N',30),
(13,'Hot cross bun',8,150,'N',2),
(14,'Olive focaccia',3,360,'Y',2);
INSERT INTO ingredient VALUES
(1,'Wheat flour','kg',90,'gluten'),
(2,'Rye flour','kg',110,'gluten'),
(3,'Butter','kg',880,'milk'),
(4,'Sugar','kg',120,NULL),
(5,'Eggs','piece',28,'egg'),
(6,'Yeast','kg',400,NULL),
(7,'Cinnamon','kg',1900,NULL),
(8,'Dark chocolate','kg',1250,'soy'),
(9,'Feta','kg',1100,'milk'),
(10,'Spinach','kg',350,NULL),
(11,'Walnuts','kg',1500,'nuts'),
(12,'Olives','kg',700,NULL),
(13,'Poppy seeds','kg',980,NULL);
INSERT INTO product_ingredient VALUES
(1,1,0.600),(1,6,0.005),(2,2,0.700),(2,6,0.006),(3,1,0.250),(3,6,0.004),
(4,1,0.050),(4,3,0.030),(4,5,0.200),(5,1,0.070),(5,3,0.020),(5,4,0.020),(5,7,0.003),
(6,1,0.050),(6,4,0.040),(6,5,0.500),(6,11,0.020),(7,8,0.350),(7,3,0.200),(7,5,6.000),
(8,1,0.060),(8,3,0.015),(9,9,0.060),(9,10,0.100),(14,12,0.050);
INSERT INTO baker VALUES
(1,'Agnes','Thorne',1,'Master baker',345000,'2018-04-01'),
(2,'Ben','Ackroyd',1,'Baker',262000,'2019-02-11'),
(3,'Carla','Mendes',2,'Baker',258000,'2019-10-01'),
(4,'Dmitri','Volkov',3,'Master baker',338000,'2020-06-20'),
(5,'Ella','Finch',3,'Apprentice',118000,'2023-09-01'),
(6,'Farah','Aziz',4,'Baker',265000,'2021-10-01'),
(7,'George','Finch',4,'Sales assistant',205000,'2022-01-10'),
(8,'Heidi','Brandt',6,'Baker',259500,'2023-05-05'),
(9,'Ivan','Petrov',7,'Sales assistant',201000,'2024-06-01'),
(10,'June','Marsh',1,'Sales assistant',210000,'2020-11-23'),
(11,'Karl','Brandt',NULL,'Driver',228000,'2021-03-15'),
(12,'Lena','Hofer',2,'Apprentice',112000,'2024-09-01');
INSERT INTO daily_sale VALUES
('2023-12-22',1,12,15,14),
('2023-12-22',3,12,10,6),
('2023-12-22',5,1,40,31),
('2024-03-28',1,13,120,118),
('2024-03-28',2,13,80,80),
('2024-03-28',4,13,90,64),
('2024-05-03',1,1,60,58),
('2024-05-03',1,4,100,97),
('2024-05-03',2,4,150,150),
('2024-05-03',2,3,120,101),
('2024-05-03',3,2,25,19),
('2024-05-03',4,11,45,44),
('2024-05-04',1,1,90,82),
('2024-05-04',1,7,6,5),
('2024-05-04',2,4,90,71),
('2024-05-04',3,1,50,50),
('2024-05-04',3,9,30,22),
('2024-05-04',4,5,60,33),
('2024-10-11',6,2,20,12),
('2024-10-11',6,6,16,15),
('2024-10-11',7,4,140,139),
('2024-10-11',7,8,60,48),
('2024-10-12',7,4,160,128),
('2024-10-12',1,10,18,18),
('2024-10-12',4,5,50,41);
INSERT INTO shop_transfer VALUES
(1,1,2,4,20,'2024-05-03 09:15:00'),
(2,1,4,13,30,'2024-03-28 08:40:00'),
(3,3,1,1,12,'2024-05-04 11:05:00'),
(4,2,1,3,15,'2024-05-03 13:30:00'),
(5,1,7,4,40,'2024-10-11 06:50:00'),
(6,2,7,4,25,'2024-10-12 07:10:00'),
(7,4,6,5,10,'2024-10-12 15:45:00'),
(8,3,5,12,4,'2023-12-22 10:00:00');
