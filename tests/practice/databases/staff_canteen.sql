CREATE TABLE department (
  dept_code TEXT PRIMARY KEY,
  dept_name TEXT,
  cost_centre INTEGER
);
CREATE TABLE employee (
  badge_no INTEGER PRIMARY KEY,
  name TEXT,
  dept_code TEXT REFERENCES department(dept_code),
  diet TEXT,
  card_balance DECIMAL(8,2),
  subsidised INTEGER,
  joined DATE
);
CREATE TABLE supplier (
  supplier_no INTEGER PRIMARY KEY,
  name TEXT,
  town TEXT,
  organic TEXT,
  min_order DECIMAL(8,2)
);
CREATE TABLE ingredient (
  ingredient_id INTEGER PRIMARY KEY,
  name TEXT,
  unit TEXT,
  price_per_unit DECIMAL(8,2),
  supplier_no INTEGER REFERENCES supplier(supplier_no),
  allergen TEXT
);
CREATE TABLE dish (
  dish_no INTEGER PRIMARY KEY,
  name TEXT,
  course TEXT,
  vegetarian INTEGER,
  kcal INTEGER,
  price DECIMAL(6,2),
  on_menu_since DATE
);
CREATE TABLE recipe (
  dish_no INTEGER REFERENCES dish(dish_no),
  ingredient_id INTEGER REFERENCES ingredient(ingredient_id),
  amount DECIMAL(8,3),
  PRIMARY KEY (dish_no, ingredient_id)
);
CREATE TABLE sale (
  sale_no INTEGER PRIMARY KEY,
  sold_at TIMESTAMP,
  till INTEGER,
  badge_no INTEGER REFERENCES employee(badge_no),
  dish_no INTEGER REFERENCES dish(dish_no),
  portions INTEGER,
  amount DECIMAL(8,2),
  paid_by TEXT
);
CREATE TABLE feedback (
  feedback_no INTEGER PRIMARY KEY,
  dish_no INTEGER REFERENCES dish(dish_no),
  badge_no INTEGER REFERENCES employee(badge_no),
  given_on DATE,
  stars INTEGER,
  remark TEXT
);
INSERT INTO department VALUES
('FIN','Finance',4100),('ENG','Engineering',4200),('HR','Human Resources',4300),('LOG','Logistics',4400),('MKT','Marketing',4500),('LEG','Legal',4600),('IT','IT Services',4700),('BRD','Board',NULL);
INSERT INTO employee VALUES
(5001,'Anke Vogel','FIN','none',12.40,1,'2018-03-01'),
(5002,'Ben Ortiz','ENG','vegan',3.10,1,'2021-06-15'),
(5003,'Cleo Marsh','ENG','none',45.00,0,'2016-09-01'),
(5004,'Dinesh Rao','IT','vegetarian',-2.20,1,'2022-01-10'),
(5005,'Ewa Nowak','LOG',NULL,8.75,1,'2019-11-04'),
(5006,'Finn Carlsen','LOG','none',0.00,1,'2023-05-02'),
(5007,'Gloria Stein','HR','vegetarian',27.30,0,'2015-02-16'),
(5008,'Hamid Azar','MKT','halal',19.90,1,'2020-08-01'),
(5009,'Ivy Turner','MKT','gluten-free',6.00,1,'2024-02-01'),
(5010,'Jonas Weber','BRD',NULL,150.00,0,'2012-01-01'),
(5011,'Kim Ferreira','IT','none',5.55,1,'2024-09-02');
INSERT INTO supplier VALUES
(1,'Greenfield Farms','Arden','Y',80.00),(2,'Metro Wholesale','Kingsford','N',250.00),(3,'Baker Lindt','Kingsford','N',30.00),(4,'Coastline Fish','Port Ellery','N',120.00),
(5,'Dairy Union','Arden','Y',60.00),(6,'Spice Route','Kingsford','Y',NULL),(7,'Hillside Butchers','Marlow','N',100.00),(8,'Tropic Fruits','Port Ellery','N',90.00);
INSERT INTO ingredient VALUES
(1,'Tomato','kg',2.40,1,NULL),(2,'Onion','kg',1.10,1,NULL),(3,'Beef mince','kg',8.90,7,NULL),(4,'Spaghetti','kg',1.80,2,'gluten'),(5,'Cod fillet','kg',14.50,4,'fish'),
(6,'Potato','kg',0.90,1,NULL),(7,'Cream','litre',3.60,5,'milk'),(8,'Butter','kg',7.20,5,'milk'),(9,'Chickpeas','kg',2.10,2,NULL),(10,'Curry powder','kg',16.00,NULL,'mustard'),
(11,'Flour','kg',0.80,3,'gluten'),(12,'Eggs','piece',0.25,1,'egg'),(13,'Chocolate','kg',9.80,2,'milk'),(14,'Rice','kg',1.90,2,NULL),(15,'Saffron','gram',4.50,6,NULL),(16,'Cucumber','kg',2.00,1,NULL);
INSERT INTO dish VALUES
(1,'Spaghetti Bolognese','main',0,720,6.20,'2020-01-06'),
(2,'Chickpea Curry','main',1,560,5.40,'2021-03-01'),
(3,'Baked Cod','main',0,480,7.90,'2022-04-04'),
(4,'Tomato Soup','starter',1,190,2.80,'2020-01-06'),
(5,'Potato Gratin','main',1,650,5.10,'2023-10-02'),
(6,'Chocolate Cake','dessert',1,430,2.50,'2020-09-14'),
(7,'Beef Chilli','main',0,690,6.40,'2023-01-16'),
(8,'Garden Salad','starter',1,120,NULL,'2024-05-06'),
(9,'Crème Brûlée','dessert',1,390,3.20,'2024-03-04'),
(10,'Fruit Cup','dessert',1,90,2.20,NULL);
INSERT INTO recipe VALUES
(1,1,0.150),(1,2,0.050),(1,3,0.140),(1,4,0.120),(1,11,0.010),
(2,9,0.180),(2,2,0.060),(2,10,0.008),(2,14,0.090),(2,1,0.080),
(3,5,0.200),(3,8,0.020),(3,6,0.220),
(4,1,0.250),(4,2,0.040),(4,7,0.030),
(5,6,0.320),(5,7,0.120),
(6,11,0.060),(6,13,0.050),(6,12,1.000),(6,8,0.040),
(7,3,0.160),(9,7,0.110),(9,12,1.500);
INSERT INTO sale VALUES
(1,'2023-03-06 12:05:00',1,5001,1,1,6.20,'card'),
(2,'2023-03-06 12:10:00',2,5002,2,1,5.40,'card'),
(3,'2023-03-06 12:40:00',1,NULL,4,2,5.60,'cash'),
(4,'2023-05-12 11:50:00',1,5003,3,1,7.90,'card'),
(5,'2023-05-12 12:20:00',2,5010,3,3,23.70,'invoice'),
(6,'2023-05-12 12:21:00',2,5010,6,3,7.50,'invoice'),
(7,'2023-09-19 12:00:00',1,5007,4,1,2.80,'card'),
(8,'2023-09-19 12:02:00',1,5007,6,1,2.50,'card'),
(9,'2023-10-05 13:10:00',2,5004,5,1,5.10,'card'),
(10,'2023-10-05 13:15:00',1,5005,7,1,6.40,'card'),
(11,'2024-01-15 12:30:00',1,5006,1,2,12.40,'cash'),
(12,'2024-01-15 12:35:00',2,5001,7,1,6.40,'card'),
(13,'2024-03-08 11:45:00',1,5008,3,1,7.90,'card'),
(14,'2024-03-08 12:15:00',1,5003,9,1,3.20,'card'),
(15,'2024-03-08 12:50:00',2,NULL,2,1,5.40,'cash'),
(16,'2024-06-18 12:10:00',2,5002,2,1,5.40,'card'),
(17,'2024-06-18 12:25:00',1,5009,5,1,5.10,'card'),
(18,'2024-06-18 13:05:00',1,5003,1,1,6.20,'card'),
(19,'2024-09-25 12:00:00',2,5004,2,1,5.40,'card'),
(20,'2024-09-25 12:45:00',1,5005,3,2,15.80,'card'),
(21,'2024-11-21 11:40:00',2,5010,1,4,24.80,'invoice'),
(22,'2024-11-21 12:10:00',1,5007,9,2,6.40,'card'),
(23,'2024-11-21 12:30:00',1,5003,6,1,2.50,'card');
INSERT INTO feedback VALUES
(1,1,5001,'2023-03-06',4,'Good sauce'),(2,3,5010,'2023-05-12',5,NULL),(3,6,5007,'2023-09-20',5,'Best cake in town'),(4,5,5004,'2023-10-05',3,'a bit salty'),
(5,7,5005,'2023-10-06',2,'Too spicy'),(6,7,5001,'2024-01-15',3,NULL),(7,9,5003,'2024-03-08',5,'Lovely'),(8,2,5002,'2024-06-18',4,'could use more spice'),
(9,5,5009,'2024-06-18',2,'Cold and salty'),(10,3,5005,'2024-09-26',4,NULL),(11,1,5006,'2024-01-16',3,'Too little sauce');
