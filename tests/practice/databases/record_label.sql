CREATE TABLE genres (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, parent_genre_id INTEGER);
CREATE TABLE artists (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, home_city VARCHAR, genre_id INTEGER REFERENCES genres(id), signed_on DATE, dropped_on DATE, is_band INTEGER NOT NULL);
CREATE TABLE albums (id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artists(id), title VARCHAR NOT NULL, catalogue_no VARCHAR, released_on DATE, list_price DECIMAL(8,2), producer VARCHAR);
CREATE TABLE tracks (id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES albums(id), position INTEGER, title VARCHAR, length_sec INTEGER, explicit INTEGER, streams INTEGER);
CREATE TABLE track_guests (track_id INTEGER REFERENCES tracks(id), artist_id INTEGER REFERENCES artists(id), role VARCHAR);
CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name VARCHAR, email VARCHAR, city VARCHAR, joined_on DATE);
CREATE TABLE sales (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), sold_on DATE, channel VARCHAR, status VARCHAR);
CREATE TABLE sale_lines (sale_id INTEGER REFERENCES sales(id), album_id INTEGER REFERENCES albums(id), medium VARCHAR, qty INTEGER, unit_price DECIMAL(8,2));
INSERT INTO genres VALUES (1,'Rock',NULL),(2,'Indie Rock',1),(3,'Post-Punk',1),(4,'Electronic',NULL),(5,'Ambient',4),(6,'House',4),(7,'Jazz',NULL),(8,'Folk',NULL);
INSERT INTO artists VALUES
(1,'The Paper Kites Club','Leeds',2,'2021-03-01',NULL,1),(2,'Ines Duarte','Lisbon',7,'2021-06-15',NULL,0),(3,'Cold Harbour','Glasgow',3,'2020-11-20','2023-12-31',1),
(4,'Moth Circuit','Berlin',5,'2022-02-10',NULL,1),(5,'Jonah Pryce','Bristol',8,'2022-05-05',NULL,0),(6,'Velvet Tram','Leeds',2,'2022-09-12','2024-06-30',1),
(7,'DJ Okafor','London',6,'2023-01-18',NULL,0),(8,'Saltmarsh','Bristol',8,'2023-04-22',NULL,1),(9,'Nina Halvorsen','Oslo',5,'2023-08-30',NULL,0),(10,'Brass Lantern','London',7,'2024-02-14',NULL,1),(11,'Eddie Marsh',NULL,1,NULL,NULL,0),(12,'Low Season','Glasgow',3,'2024-07-01',NULL,1);
INSERT INTO albums VALUES
(1,1,'Window Seat','RL-001','2021-10-08',19.99,'Tom Ashby'),(2,1,'Second Floor','RL-009','2023-05-19',21.50,'Tom Ashby'),(3,2,'Mar Alto','RL-002','2022-01-28',18.00,'Carla Nunes'),
(4,3,'Rust Belt Hymns','RL-003','2022-03-11',20.00,'Greg Stahl'),(5,4,'Night Bus','RL-004','2022-10-21',16.50,NULL),(6,5,'Hedgerow','RL-005','2022-11-04',17.25,'Tom Ashby'),
(7,6,'Velvet Tram','RL-006','2023-02-17',19.00,'Greg Stahl'),(8,7,'Basement Hours','RL-007','2023-06-30',15.00,'DJ Okafor'),(9,8,'Tidelines','RL-008','2023-09-15',18.75,'Carla Nunes'),
(10,9,'Polar Night','RL-010','2024-01-26',22.00,'Nina Halvorsen'),(11,2,'Casa Vazia','RL-011','2024-04-12',19.50,'Carla Nunes'),(12,4,'Signal Loss','RL-012','2024-09-20',NULL,NULL),(13,10,'Untitled Session',NULL,NULL,NULL,'Tom Ashby');
INSERT INTO tracks VALUES
(1,1,1,'Window Seat',214,0,820000),(2,1,2,'Cheap Coffee',187,0,410500),(3,1,3,'Slow Train Home',302,0,1250000),(4,2,1,'Landlord',198,1,960000),(5,2,2,'Second Floor',241,0,530000),
(6,3,1,'Maré',355,0,275000),(7,3,2,'Blue Tile',288,0,198000),(8,4,1,'Foundry',176,1,640000),(9,4,2,'Hymn for Nobody',263,1,333000),(10,5,1,'N29',412,0,150000),(11,5,2,'Last Stop',530,0,98000),
(12,6,1,'Hedgerow',205,0,720000),(13,6,2,'Blackthorn',231,0,NULL),(14,7,1,'Tramlines',194,0,305000),(15,8,1,'Warehouse Door',378,0,2100000),(16,8,2,'Four on the Floor',402,1,880000),
(17,9,1,'Estuary',256,0,415000),(18,9,2,'Slow Tide',319,0,367000),(19,10,1,'Polar Night',487,0,1340000),(20,11,1,'Casa Vazia',298,0,226000),(21,11,2,'Rua Nova',274,0,NULL),(22,12,1,'Static Prayer',445,0,121000);
INSERT INTO track_guests VALUES (3,5,'vocals'),(4,7,'remix'),(6,10,'trumpet'),(10,9,'synths'),(15,2,'vocals'),(16,4,'synths'),(17,5,'guitar'),(18,1,'vocals'),(19,4,'remix'),(20,10,'trumpet'),(22,9,'vocals'),(5,5,'guitar');
INSERT INTO customers VALUES (1,'Hannah Boyle','hannah@boyle.example','Leeds','2021-09-01'),(2,'Marcus Webb','mwebb@mailbox.example','London','2021-12-11'),(3,'Priya Raman',NULL,'Bristol','2022-02-20'),
(4,'Owen Tully','owen.t@post.example','Glasgow','2022-04-03'),(5,'Lucia Ferro','lucia@ferro.example','Lisbon','2022-08-17'),(6,'Sam Delaney','sam@mailbox.example','London','2023-01-09'),
(7,'Greta Lindqvist','greta@post.example','Oslo','2023-03-27'),(8,'Tom Ashby','tom@ashbysound.example','Leeds','2023-07-14'),(9,'Farah Aziz',NULL,'Bristol','2024-01-30'),(10,'Ben Coyle','ben@mailbox.example',NULL,'2024-05-02');
INSERT INTO sales VALUES (1,1,'2021-10-09','web','paid'),(2,2,'2022-01-30','shop','paid'),(3,4,'2022-04-05','web','paid'),(4,3,'2022-11-06','web','refunded'),(5,1,'2022-11-12','shop','paid'),(6,5,'2022-12-18','web','paid'),
(7,6,'2023-02-20','shop','paid'),(8,2,'2023-05-21','web','paid'),(9,7,'2023-07-01','market','paid'),(10,1,'2023-09-16','web','paid'),(11,6,'2023-12-09','shop','refunded'),(12,7,'2024-01-27','web','paid'),
(13,8,'2024-02-03','shop','paid'),(14,5,'2024-04-13','web','paid'),(15,9,'2024-06-08','market','paid'),(16,2,'2024-08-24','web','paid'),(17,NULL,'2024-09-21','market','paid'),(18,6,'2024-10-02','web','pending');
INSERT INTO sale_lines VALUES (1,1,'vinyl',1,19.99),(2,3,'cd',1,12.00),(2,1,'vinyl',2,19.99),(3,4,'vinyl',1,20.00),(4,6,'cd',1,11.00),(5,6,'vinyl',1,17.25),(5,5,'cassette',2,8.50),(6,3,'vinyl',3,18.00),(7,7,'vinyl',1,19.00),
(8,2,'vinyl',1,21.50),(8,4,'cd',1,12.50),(9,8,'vinyl',4,15.00),(10,9,'vinyl',1,18.75),(10,2,'cd',1,13.00),(11,8,'cassette',1,8.00),(12,10,'vinyl',2,22.00),(13,1,'cd',1,12.00),(14,11,'vinyl',2,19.50),(15,9,'cd',1,11.50),(15,6,'cassette',1,7.50),(16,10,'vinyl',1,22.00),(16,8,'vinyl',1,14.00),(17,5,'vinyl',1,16.50),(18,11,'cd',2,12.00);
