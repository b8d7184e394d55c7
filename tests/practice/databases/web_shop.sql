CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  parent_id INTEGER
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT,
  city TEXT,
  country_code TEXT,
  registered_on DATE,
  newsletter INTEGER
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  category_id INTEGER REFERENCES categories(id),
  name TEXT NOT NULL,
  price_cents INTEGER NOT NULL,
  stock INTEGER NOT NULL,
  discontinued INTEGER NOT NULL
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(id),
  ordered_at TIMESTAMP NOT NULL,
  shipped_at TIMESTAMP,
  status TEXT NOT NULL,
  shipping_cents INTEGER NOT NULL,
  voucher_code TEXT
);
CREATE TABLE order_lines (
  order_id INTEGER NOT NULL REFERENCES orders(id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL,
  unit_price_cents INTEGER NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE returns (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  received_on DATE,
  quantity INTEGER NOT NULL,
  reason TEXT,
  refunded_cents INTEGER
);
INSERT INTO categories VALUES
(1,'Home',NULL),(2,'Kitchen',1),(3,'Lighting',1),(4,'Garden',NULL),(5,'Tools',4),(6,'Pots and planters',4),(7,'Gifts',NULL),(8,'Bathroom',1);
INSERT INTO customers VALUES
(1,'Amelia','Hart','amelia.hart@mailbox.example','Leeds','GB','2022-03-14',1),
(2,'Jonas','Weber','jweber@post.example','Hamburg','DE','2022-05-02',0),
(3,'Priya','Nair','priya.n@inbox.example','London','GB','2022-07-21',1),
(4,'Callum','Reid',NULL,'Glasgow','GB','2022-11-09',0),
(5,'Sofie','Jansen','sofie@jansen.example','Utrecht','NL','2023-01-17',1),
(6,'Marta','Kowalska','marta.k@inbox.example','Leeds','GB','2023-02-28',NULL),
(7,'Daniel','Hart','dan.hart@post.example','London','GB','2023-06-05',0),
(8,'Lena','Schulz','lena.schulz@post.example','Berlin','DE','2023-08-30',1),
(9,'Oscar','Lindqvist','oscar@lind.example',NULL,'SE','2023-10-11',0),
(10,'Fatima','Bello',NULL,'Manchester','GB','2024-01-08',1),
(11,'Tom','de Vries','tdv@mailbox.example','Rotterdam','NL','2024-04-19',0),
(12,'Ruth','Okafor','ruth.okafor@inbox.example','Leeds','GB','2024-06-25',1);
INSERT INTO products VALUES
(1,2,'Cast iron skillet',4990,14,0),
(2,2,'Bamboo chopping board',1850,0,0),
(3,2,'Copper kettle',7900,5,0),
(4,3,'Desk lamp Orion',5450,22,0),
(5,3,'Lantern string',2200,40,0),
(6,5,'Hand trowel',1290,60,0),
(7,5,'Secateurs',2490,18,0),
(8,6,'Terracotta planter',1650,33,0),
(9,6,'Hanging basket',990,0,1),
(10,7,'Gift card',2500,999,0),
(11,8,'Linen bath towel',2950,12,0),
(12,3,'Floor lamp Vega',12900,3,1),
(13,8,'Soap dish',750,0,0);
INSERT INTO orders VALUES
(1001,1,'2022-11-25 09:12:00','2022-11-26 14:00:00','delivered',495,'BLACKFRIDAY'),
(1002,2,'2022-12-03 20:40:00','2022-12-06 10:30:00','delivered',995,NULL),
(1003,3,'2023-01-15 11:05:00','2023-01-16 09:00:00','delivered',0,NULL),
(1004,1,'2023-03-08 18:22:00','2023-03-09 16:10:00','delivered',495,NULL),
(1005,4,'2023-04-01 07:55:00',NULL,'cancelled',495,'SPRING10'),
(1006,5,'2023-05-19 13:31:00','2023-05-24 12:00:00','delivered',995,'SPRING10'),
(1007,3,'2023-07-02 21:17:00','2023-07-03 11:45:00','delivered',495,NULL),
(1008,7,'2023-09-14 10:00:00','2023-09-15 10:00:00','delivered',495,NULL),
(1009,8,'2023-11-24 08:03:00','2023-11-28 15:20:00','delivered',995,'BLACKFRIDAY'),
(1010,1,'2023-11-24 12:48:00','2023-11-27 09:30:00','delivered',0,'BLACKFRIDAY'),
(1011,6,'2024-01-20 16:36:00','2024-01-22 13:00:00','delivered',495,NULL),
(1012,10,'2024-02-11 19:09:00',NULL,'cancelled',495,NULL),
(1013,3,'2024-03-30 09:41:00','2024-04-02 08:15:00','delivered',495,'SPRING10'),
(1014,11,'2024-05-06 22:50:00','2024-05-08 17:00:00','delivered',995,NULL),
(1015,8,'2024-06-18 14:14:00','2024-06-19 10:10:00','shipped',995,NULL),
(1016,7,'2024-07-01 12:00:00','2024-07-02 09:00:00','shipped',0,NULL),
(1017,10,'2024-07-03 15:27:00',NULL,'paid',495,NULL),
(1018,5,'2024-07-04 08:45:00',NULL,'paid',995,NULL),
(1019,1,'2024-07-04 17:33:00',NULL,'pending',495,NULL);
INSERT INTO order_lines VALUES
(1001,1,1,1,4490),(1001,2,2,2,1650),
(1002,1,4,1,5450),
(1003,1,3,1,7900),(1003,2,11,4,2750),
(1004,1,8,6,1650),(1004,2,6,1,1290),(1004,3,7,1,2490),
(1005,1,9,3,990),
(1006,1,5,2,2200),(1006,2,8,2,1485),
(1007,1,12,1,11900),
(1008,1,10,2,2500),
(1009,1,4,2,4900),(1009,2,5,4,1980),
(1010,1,12,1,9900),(1010,2,1,1,4490),
(1011,1,2,1,1850),
(1012,1,3,1,7900),
(1013,1,7,1,2490),(1013,2,6,2,1290),(1013,3,8,4,1485),
(1014,1,11,2,2950),(1014,2,1,1,4990),
(1015,1,4,1,5450),
(1016,1,12,1,12900),(1016,2,10,1,2500),
(1017,1,2,2,1850),
(1018,1,5,1,2200),(1018,2,6,1,1290),
(1019,1,3,1,7900);
INSERT INTO returns VALUES
(1,1001,2,'2022-12-05',1,'damaged',1650),
(2,1003,2,'2023-01-29',2,'changed mind',5500),
(3,1004,1,'2023-03-21',1,'damaged',1650),
(4,1007,1,'2023-07-17',1,'too large',11900),
(5,1009,1,'2023-12-11',1,'faulty',4900),
(6,1009,2,'2023-12-11',1,NULL,1980),
(7,1010,1,'2023-12-08',1,'faulty',9900),
(8,1014,1,'2024-05-22',1,'changed mind',2950),
(9,1015,1,NULL,1,'faulty',NULL),
(10,1016,1,NULL,1,'too large',NULL);
