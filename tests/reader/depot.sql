CREATE TABLE warehouse (wh_id INTEGER PRIMARY KEY, wh_name TEXT, city TEXT);
INSERT INTO warehouse VALUES (1,'North Hall','Leeds'),(2,'Dockside','Hull'),(3,'Old Mill','Leeds');
CREATE TABLE product (prod_id INTEGER PRIMARY KEY, prod_name TEXT, category TEXT, unit_pr REAL, cost REAL);
INSERT INTO product VALUES
    (1,'Kettle','kitchen',20.0,11.0),
    (2,'Lamp','lighting',35.0,20.0),
    (3,'Chair','furniture',60.0,41.0),
    (4,'Rug','furniture',80.0,50.0);
CREATE TABLE stock (wh_id INTEGER REFERENCES warehouse(wh_id), prod_id INTEGER REFERENCES product(prod_id), qty INTEGER, PRIMARY KEY (wh_id, prod_id));
INSERT INTO stock VALUES (1,1,5),(1,2,4),(1,3,6),(2,1,90),(2,3,10),(3,2,30);
CREATE TABLE client (client_id INTEGER PRIMARY KEY, client_name TEXT, gender TEXT, town TEXT, referred_by INTEGER REFERENCES client(client_id));
INSERT INTO client VALUES (1,'Ann Lee','F','Leeds',NULL), (5,'Ed Poe','M','Leeds',NULL);
INSERT INTO client VALUES (2,'Bo Kim','M','York',1);
INSERT INTO client VALUES (3,'Cy Fox','M','Hull',1);
INSERT INTO client VALUES (4,'Di Ray','F','York',2);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client(client_id), ordered_at TEXT, shipped_at TEXT, status TEXT);
INSERT INTO orders VALUES
    (1,1,'2022-03-04 10:00:00','2022-03-06 16:00:00','shipped'),
    (2,1,'2023-03-10 09:00:00','2023-03-11 09:00:00','shipped'),
    (3,2,'2023-05-02 11:00:00',NULL,'open'),
    (4,3,'2023-06-01 08:00:00','2023-06-05 08:00:00','shipped'),
    (5,4,'2024-03-15 12:00:00',NULL,'cancelled'),
    (6,2,'2024-04-15 12:00:00','2024-04-16 18:00:00','shipped');
CREATE TABLE order_line (order_id INTEGER REFERENCES orders(order_id), prod_id INTEGER REFERENCES product(prod_id), qty INTEGER, unit_pr REAL, PRIMARY KEY (order_id, prod_id));
INSERT INTO order_line VALUES
    (1,1,2,20.0),
    (1,3,1,60.0),
    (2,2,3,35.0),
    (3,1,10,20.0),
    (4,3,4,60.0),
    (5,2,1,35.0),
    (6,1,1,20.0);
