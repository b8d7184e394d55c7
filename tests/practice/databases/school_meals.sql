CREATE TABLE class (
  class_id INTEGER PRIMARY KEY,
  label TEXT,
  year_group INTEGER,
  teacher TEXT,
  room TEXT
);
CREATE TABLE pupil (
  pupil_id INTEGER PRIMARY KEY,
  first_name TEXT,
  surname TEXT,
  class_id INTEGER REFERENCES class(class_id),
  date_of_birth DATE,
  free_meals TEXT,
  sibling_of INTEGER
);
CREATE TABLE diet (
  diet_code TEXT PRIMARY KEY,
  meaning TEXT
);
CREATE TABLE pupil_diet (
  pupil_id INTEGER REFERENCES pupil(pupil_id),
  diet_code TEXT REFERENCES diet(diet_code),
  noted_on DATE,
  PRIMARY KEY (pupil_id, diet_code)
);
CREATE TABLE dish (
  dish_id INTEGER PRIMARY KEY,
  dish_name TEXT,
  course TEXT,
  kcal INTEGER,
  cost_pence INTEGER,
  vegetarian TEXT
);
CREATE TABLE dish_allergen (
  dish_id INTEGER REFERENCES dish(dish_id),
  allergen TEXT
);
CREATE TABLE menu_day (
  menu_date DATE,
  dish_id INTEGER REFERENCES dish(dish_id),
  portions_cooked INTEGER,
  portions_left INTEGER,
  PRIMARY KEY (menu_date, dish_id)
);
CREATE TABLE meal (
  meal_id INTEGER PRIMARY KEY,
  pupil_id INTEGER REFERENCES pupil(pupil_id),
  meal_date DATE,
  dish_id INTEGER REFERENCES dish(dish_id),
  price_pence INTEGER,
  collected TEXT
);
CREATE TABLE payment (
  payment_id INTEGER PRIMARY KEY,
  pupil_id INTEGER REFERENCES pupil(pupil_id),
  paid_on DATE,
  amount_pence INTEGER,
  method TEXT
);
INSERT INTO class VALUES
(1,'Acorns',1,'Mrs Tilley','G1'),(2,'Beeches',2,'Mr Olawale','G2'),(3,'Cedars',3,'Miss Farr','F1'),(4,'Elms',4,'Mrs Singh','F2'),
(5,'Oaks',5,'Mr Gough','F3'),(6,'Rowans',6,'Mr Olawale','F4'),(7,'Willows',1,'Ms Dutta',NULL),(8,'Nursery',0,'Mrs Tilley','G1');
INSERT INTO pupil VALUES
(1,'Alfie','Marsh',1,'2017-10-02','N',NULL),(2,'Bella','Marsh',4,'2014-12-11','N',1),(3,'Cyrus','Rashidi',2,'2016-09-30','Y',NULL),
(4,'Dilys','Pugh',3,'2016-03-15','N',NULL),(5,'Ewan','Baird',6,'2013-05-27','Y',NULL),(6,'Freya','Baird',3,'2015-11-08','Y',5),
(7,'Gita','Desai',5,'2014-02-19','N',NULL),(8,'Harvey','Cole',5,'2013-10-23','N',NULL),(9,'Imogen','Cole',1,'2018-06-14','N',8),
(10,'Joel','Stein',4,'2015-01-06','N',NULL),(11,'Keira','Quinn',NULL,'2016-08-21','Y',NULL),(12,'Leo','Fontaine',2,'2017-04-03','N',NULL),
(13,'Maya','Owusu',6,'2012-12-30','N',NULL),(14,'Noah','Desai',2,'2017-02-09','N',7);
INSERT INTO diet VALUES
('V','Vegetarian'),('VG','Vegan'),('H','Halal'),('K','Kosher'),('GF','No gluten'),('NF','No nuts'),('DF','No dairy'),('EF','No egg');
INSERT INTO pupil_diet VALUES
(3,'H','2022-09-05'),(4,'GF','2022-09-06'),(4,'DF','2023-02-13'),(7,'V','2022-09-05'),(14,'V','2023-09-04'),(10,'K','2022-09-05'),
(12,'NF','2023-10-10'),(1,'NF','2023-01-09'),(13,'VG','2024-01-08'),(13,'NF',NULL);
INSERT INTO dish VALUES
(1,'Fish fingers and chips','main',610,145,'N'),(2,'Vegetable lasagne','main',480,120,'Y'),(3,'Chicken curry','main',530,165,'N'),(4,'Jacket potato with beans','main',420,85,'Y'),
(5,'Roast beef','main',640,210,'N'),(6,'Apple crumble','dessert',310,48,'Y'),(7,'Fruit salad','dessert',110,60,'Y'),(8,'Chocolate brownie','dessert',390,42,'Y'),
(9,'Tomato soup','starter',150,35,'Y'),(10,'Lentil dhal','main',450,95,'Y'),(11,'Pea risotto','main',470,110,'Y');
INSERT INTO dish_allergen VALUES
(1,'fish'),(1,'gluten'),(2,'gluten'),(2,'milk'),(3,'milk'),(6,'gluten'),(6,'milk'),(8,'gluten'),(8,'egg'),(8,'nuts'),(9,'celery'),(5,'mustard');
INSERT INTO menu_day VALUES
('2023-01-16',1,120,6),('2023-01-16',4,40,11),('2023-01-16',6,150,3),('2023-01-17',3,95,12),('2023-01-17',2,60,25),
('2023-06-05',1,130,0),('2023-06-05',7,110,31),('2023-06-06',5,90,8),('2023-06-06',10,35,14),('2023-11-13',3,100,9),
('2023-11-13',8,140,1),('2024-02-05',1,125,4),('2024-02-05',4,45,9),('2024-02-06',2,70,33),('2024-02-06',6,145,5),('2024-05-20',5,85,NULL),('2024-05-20',9,60,22);
INSERT INTO meal VALUES
(1,1,'2023-01-16',1,240,'Y'),(2,2,'2023-01-16',1,240,'Y'),(3,3,'2023-01-16',4,0,'Y'),(4,4,'2023-01-16',4,240,'Y'),(5,5,'2023-01-17',3,0,'Y'),
(6,7,'2023-01-17',2,240,'Y'),(7,8,'2023-01-17',3,240,'N'),(8,8,'2023-06-05',1,240,'Y'),(9,9,'2023-06-05',1,240,'Y'),(10,6,'2023-06-05',1,0,'N'),
(11,7,'2023-06-06',10,240,'Y'),(12,2,'2023-06-06',5,240,'Y'),(13,5,'2023-06-06',5,0,'Y'),(14,3,'2023-11-13',3,0,'Y'),(15,10,'2023-11-13',3,255,'Y'),
(16,1,'2023-11-13',3,255,'N'),(17,12,'2024-02-05',1,255,'Y'),(18,1,'2024-02-05',1,255,'Y'),(19,4,'2024-02-05',4,255,'Y'),(20,14,'2024-02-06',2,255,'Y'),
(21,7,'2024-02-06',2,255,'N'),(22,2,'2024-05-20',5,255,'Y'),(23,8,'2024-05-20',5,255,'Y'),(24,5,'2024-05-20',5,0,'Y'),(25,1,'2024-05-20',5,255,'Y');
INSERT INTO payment VALUES
(1,1,'2023-01-10',2000,'online'),(2,2,'2023-01-10',1000,'online'),(3,4,'2023-01-12',500,'cash'),(4,7,'2023-01-13',480,'online'),(5,8,'2023-01-20',240,'cash'),
(6,8,'2023-06-09',500,'cheque'),(7,9,'2023-06-05',240,'cash'),(8,10,'2023-11-20',1000,'online'),(9,12,'2024-02-01',255,'cash'),(10,7,'2024-02-02',255,'online'),(11,2,'2024-05-01',500,'online');
