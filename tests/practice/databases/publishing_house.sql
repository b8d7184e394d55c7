CREATE TABLE editors (
  editor_id INTEGER PRIMARY KEY,
  editor_name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  manager_id INTEGER REFERENCES editors(editor_id),
  hired_on TEXT NOT NULL
);

INSERT INTO editors VALUES (1, 'Winifred Ashe', 'Publisher', NULL, '1999-09-01');
INSERT INTO editors VALUES (2, 'Conrad Pym', 'Senior Editor', 1, '2006-03-13');
INSERT INTO editors VALUES (3, 'Delphine Marchand', 'Senior Editor', 1, '2010-01-18');
INSERT INTO editors VALUES (4, 'Theo Banerjee', 'Editor', 2, '2017-07-03');
INSERT INTO editors VALUES (5, 'Greta Olsen', 'Editor', 3, '2018-10-22');
INSERT INTO editors VALUES (6, 'Malik Osborne', 'Assistant Editor', 4, '2022-05-09');
INSERT INTO editors VALUES (7, 'Joan Pettifer', 'Assistant Editor', 5, '2023-09-04');
INSERT INTO editors VALUES (8, 'Hal Sutcliffe', 'Copy Editor', 2, '2013-06-17');

CREATE TABLE authors (
  author_id INTEGER PRIMARY KEY,
  author_name TEXT NOT NULL,
  country TEXT NOT NULL,
  birth_year INTEGER,
  agency TEXT
);

INSERT INTO authors VALUES
(1, 'Leonora Finch', 'UK', 1958, 'Marble & Reed'),
(2, 'Tadeusz Zaleski', 'Poland', 1971, 'Marble & Reed'),
(3, 'Abena Sarpong', 'Ghana', 1984, 'Orchard Lane'),
(4, 'Hugh Castell', 'UK', 1946, NULL),
(5, 'Mireille Caron', 'France', 1979, 'Quill House'),
(6, 'Dale Whitcombe', 'USA', 1965, 'Quill House'),
(7, 'Sunita Rao', 'India', 1990, 'Orchard Lane'),
(8, 'Erik Halvorsen', 'Norway', 1968, NULL),
(9, 'Philippa Gore', 'UK', 1987, 'Marble & Reed'),
(10, 'Joao Pinheiro', 'Portugal', NULL, 'Quill House'),
(11, 'Rebecca Stone', 'UK', 1993, NULL),
(12, 'Anders Lykke', 'Denmark', 1975, 'Orchard Lane');

CREATE TABLE genres (
  genre_code TEXT PRIMARY KEY,
  genre_name TEXT NOT NULL
);

INSERT INTO genres VALUES
('CRI', 'Crime'),
('HIS', 'History'),
('CHI', 'Children'),
('COO', 'Cookery'),
('POE', 'Poetry'),
('SCI', 'Popular science'),
('TRA', 'Travel'),
('BIO', 'Biography');

CREATE TABLE books (
  book_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  genre_code TEXT NOT NULL REFERENCES genres(genre_code),
  editor_id INTEGER REFERENCES editors(editor_id),
  published_on TEXT,
  pages INTEGER,
  advance INTEGER,
  sequel_to INTEGER REFERENCES books(book_id)
);

INSERT INTO books VALUES (1, 'The Salt Ledger', 'CRI', 2, '2018-04-12', 312, 5000, NULL);
INSERT INTO books VALUES (2, 'A Cold Inheritance', 'CRI', 2, '2020-09-17', 344, 8000, 1);
INSERT INTO books VALUES (3, 'The Drowned Clerk', 'CRI', 4, '2023-02-23', 356, 12000, 2);
INSERT INTO books VALUES (4, 'Roads of Amber', 'HIS', 3, '2017-10-05', 488, 6500, NULL);
INSERT INTO books VALUES (5, 'The Grain Republic', 'HIS', 3, '2022-03-31', 402, 9000, NULL);
INSERT INTO books VALUES (6, 'Pip and the Lighthouse', 'CHI', 5, '2019-05-16', 48, 3000, NULL);
INSERT INTO books VALUES (7, 'Pip Goes Inland', 'CHI', 5, '2021-06-03', 48, 3500, 6);
INSERT INTO books VALUES (8, 'Pip at Midnight', 'CHI', 5, '2024-04-25', 56, 4500, 7);
INSERT INTO books VALUES (9, 'Supper in Accra', 'COO', 4, '2021-10-14', 256, 7000, NULL);
INSERT INTO books VALUES (10, 'Butter, Smoke, Lemon', 'COO', 4, '2023-11-09', 288, 10000, NULL);
INSERT INTO books VALUES (11, 'Small Weather', 'POE', 8, '2020-02-20', 96, 800, NULL);
INSERT INTO books VALUES (12, 'Tide Tables', 'POE', 8, '2024-09-12', 88, NULL, NULL);
INSERT INTO books VALUES (13, 'The Patient Universe', 'SCI', 3, '2019-11-07', 320, 11000, NULL);
INSERT INTO books VALUES (14, 'How Moss Thinks', 'SCI', 4, '2022-08-18', 276, 9000, NULL);
INSERT INTO books VALUES (15, 'Slow Trains North', 'TRA', 2, '2018-06-21', 304, 4000, NULL);
INSERT INTO books VALUES (16, 'Walking the Minho', 'TRA', 5, '2024-06-06', 298, 5500, NULL);
INSERT INTO books VALUES (17, 'The Bridge Keeper', 'CRI', 2, '2024-10-17', 330, 15000, 3);
INSERT INTO books VALUES (18, 'Letters to a Young Baker', 'COO', NULL, NULL, NULL, 6000, NULL);
INSERT INTO books VALUES (19, 'Empire of Ice', 'HIS', 3, '2024-03-14', 510, 14000, NULL);
INSERT INTO books VALUES (20, 'The Compass Maker', 'HIS', NULL, NULL, NULL, NULL, NULL);

CREATE TABLE book_authors (
  book_id INTEGER NOT NULL REFERENCES books(book_id),
  author_id INTEGER NOT NULL REFERENCES authors(author_id),
  royalty_share_pct INTEGER NOT NULL,
  PRIMARY KEY (book_id, author_id)
);

INSERT INTO book_authors VALUES
(1, 1, 100),
(2, 1, 100),
(3, 1, 100),
(4, 2, 100),
(5, 2, 60),
(5, 4, 40),
(6, 9, 50),
(6, 12, 50),
(7, 9, 50),
(7, 12, 50),
(8, 9, 60),
(8, 12, 40),
(9, 3, 100),
(10, 3, 70),
(10, 5, 30),
(11, 7, 100),
(12, 7, 100),
(13, 6, 100),
(14, 6, 55),
(14, 8, 45),
(15, 8, 100),
(16, 10, 100),
(17, 1, 100),
(18, 5, 100),
(19, 8, 50),
(19, 2, 50),
(20, 4, 100);

CREATE TABLE editions (
  edition_id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books(book_id),
  format TEXT NOT NULL,
  list_price DOUBLE NOT NULL,
  released_on TEXT NOT NULL,
  print_run INTEGER
);

INSERT INTO editions VALUES
(1, 1, 'hardback', 19.99, '2018-04-12', 1500),
(2, 1, 'paperback', 10.99, '2018-12-08', 6000),
(3, 1, 'ebook', 5.99, '2018-04-12', NULL),
(4, 2, 'hardback', 19.99, '2020-09-17', 3000),
(5, 2, 'paperback', 10.99, '2021-09-17', 6000),
(6, 2, 'ebook', 5.99, '2020-09-17', NULL),
(7, 3, 'hardback', 19.99, '2023-02-23', 5000),
(8, 3, 'paperback', 10.99, '2023-10-21', 4000),
(9, 3, 'ebook', 5.99, '2023-02-23', NULL),
(10, 4, 'hardback', 22.99, '2017-10-05', 1500),
(11, 4, 'paperback', 13.99, '2018-08-01', 9000),
(12, 4, 'ebook', 5.99, '2017-10-05', NULL),
(13, 5, 'hardback', 22.99, '2022-03-31', 1500),
(14, 5, 'paperback', 13.99, '2023-03-31', 12000),
(15, 5, 'ebook', 5.99, '2022-03-31', NULL),
(16, 6, 'hardback', 13.99, '2019-05-16', 3000),
(17, 6, 'paperback', 7.99, '2020-05-15', 4000),
(18, 7, 'hardback', 13.99, '2021-06-03', 2000),
(19, 7, 'paperback', 7.99, '2022-06-03', 4000),
(20, 8, 'hardback', 13.99, '2024-04-25', 5000),
(21, 8, 'paperback', 7.99, '2025-04-25', 6000),
(22, 9, 'hardback', 22.99, '2021-10-14', 3000),
(23, 9, 'paperback', 13.99, '2022-06-11', 12000),
(24, 10, 'hardback', 22.99, '2023-11-09', 1500),
(25, 10, 'paperback', 13.99, '2024-09-04', 4000),
(26, 11, 'hardback', 12.99, '2020-02-20', 1500),
(27, 11, 'paperback', 7.99, '2021-02-19', 4000),
(28, 11, 'ebook', 5.99, '2020-02-20', NULL),
(29, 12, 'hardback', 12.99, '2024-09-12', 2000),
(30, 12, 'ebook', 5.99, '2024-09-12', NULL),
(31, 13, 'hardback', 19.99, '2019-11-07', 5000),
(32, 13, 'paperback', 10.99, '2020-07-04', 12000),
(33, 13, 'ebook', 5.99, '2019-11-07', NULL),
(34, 14, 'hardback', 19.99, '2022-08-18', 1500),
(35, 14, 'paperback', 10.99, '2023-04-15', 9000),
(36, 14, 'ebook', 5.99, '2022-08-18', NULL),
(37, 15, 'hardback', 19.99, '2018-06-21', 2000),
(38, 15, 'paperback', 10.99, '2019-02-16', 12000),
(39, 15, 'ebook', 5.99, '2018-06-21', NULL),
(40, 16, 'hardback', 19.99, '2024-06-06', 3000),
(41, 16, 'ebook', 5.99, '2024-06-06', NULL),
(42, 17, 'hardback', 19.99, '2024-10-17', 5000),
(43, 17, 'ebook', 5.99, '2024-10-17', NULL),
(44, 19, 'hardback', 22.99, '2024-03-14', 2000),
(45, 19, 'paperback', 13.99, '2025-03-14', 9000),
(46, 19, 'ebook', 5.99, '2024-03-14', NULL);

CREATE TABLE half_year_sales (
  edition_id INTEGER NOT NULL REFERENCES editions(edition_id),
  period_end TEXT NOT NULL,
  sales_channel TEXT NOT NULL,
  copies_sold INTEGER NOT NULL,
  copies_returned INTEGER NOT NULL,
  net_receipts DOUBLE NOT NULL,
  PRIMARY KEY (edition_id, period_end, sales_channel)
);

INSERT INTO half_year_sales VALUES
(1, '2022-06-30', 'independent', 2300, 5, 22988.5),
(4, '2022-06-30', 'chain', 560, 12, 5037.48),
(12, '2022-06-30', 'online', 45, 0, 121.3),
(15, '2022-06-30', 'online', 900, 0, 2695.5),
(16, '2022-06-30', 'export', 45, 0, 283.3),
(4, '2022-12-31', 'chain', 1400, 0, 15392.3),
(10, '2022-12-31', 'chain', 210, 12, 2172.55),
(26, '2022-12-31', 'chain', 560, 12, 4000.92),
(28, '2022-12-31', 'online', 560, 0, 1677.2),
(33, '2022-12-31', 'online', 210, 0, 628.95),
(36, '2022-12-31', 'online', 80, 0, 215.64),
(38, '2022-12-31', 'online', 900, 0, 4450.95),
(7, '2023-06-30', 'independent', 900, 30, 8995.5),
(10, '2023-06-30', 'online', 2300, 0, 23794.65),
(15, '2023-06-30', 'online', 560, 0, 1509.48),
(18, '2023-06-30', 'chain', 2300, 75, 14479.65),
(35, '2023-06-30', 'chain', 2300, 5, 12638.5),
(37, '2023-06-30', 'online', 80, 0, 719.64),
(4, '2023-12-31', 'chain', 45, 12, 449.77),
(5, '2023-12-31', 'chain', 120, 12, 593.46),
(11, '2023-12-31', 'chain', 120, 30, 923.34),
(14, '2023-12-31', 'online', 80, 0, 615.56),
(23, '2023-12-31', 'independent', 80, 75, 615.56),
(27, '2023-12-31', 'export', 120, 0, 479.4),
(34, '2023-12-31', 'online', 1400, 0, 13993.0),
(1, '2024-06-30', 'online', 45, 0, 404.8),
(2, '2024-06-30', 'chain', 120, 5, 593.46),
(2, '2024-06-30', 'export', 900, 5, 5440.05),
(4, '2024-06-30', 'online', 120, 0, 1199.4),
(6, '2024-06-30', 'online', 45, 0, 148.25),
(9, '2024-06-30', 'online', 1400, 0, 4612.3),
(16, '2024-06-30', 'online', 2300, 0, 17697.35),
(20, '2024-06-30', 'independent', 2300, 0, 14479.65),
(24, '2024-06-30', 'chain', 45, 30, 465.55),
(36, '2024-06-30', 'online', 80, 0, 239.6),
(37, '2024-06-30', 'chain', 45, 30, 449.77),
(41, '2024-06-30', 'online', 1400, 0, 4612.3),
(44, '2024-06-30', 'online', 120, 0, 1379.4),
(44, '2024-06-30', 'chain', 80, 30, 1011.56),
(46, '2024-06-30', 'online', 120, 0, 323.46),
(2, '2024-12-31', 'online', 45, 0, 272.0),
(2, '2024-12-31', 'chain', 900, 5, 5440.05),
(4, '2024-12-31', 'independent', 1400, 5, 15392.3),
(6, '2024-12-31', 'online', 2300, 0, 6199.65),
(8, '2024-12-31', 'independent', 560, 75, 2769.48),
(13, '2024-12-31', 'independent', 210, 30, 2413.95),
(16, '2024-12-31', 'export', 340, 12, 2616.13),
(18, '2024-12-31', 'independent', 210, 12, 1468.95),
(20, '2024-12-31', 'independent', 45, 75, 314.77),
(21, '2024-12-31', 'online', 120, 0, 527.34),
(25, '2024-12-31', 'independent', 2300, 0, 17697.35),
(25, '2024-12-31', 'online', 1400, 0, 10772.3),
(27, '2024-12-31', 'chain', 210, 0, 838.95),
(30, '2024-12-31', 'online', 80, 0, 239.6),
(36, '2024-12-31', 'online', 45, 0, 121.3),
(40, '2024-12-31', 'online', 900, 0, 9895.05),
(44, '2024-12-31', 'online', 120, 0, 1517.34),
(45, '2024-12-31', 'chain', 120, 75, 839.4);

CREATE TABLE submissions (
  submission_id INTEGER PRIMARY KEY,
  working_title TEXT NOT NULL,
  genre_code TEXT NOT NULL REFERENCES genres(genre_code),
  agency TEXT,
  received_on TEXT NOT NULL,
  reader_id INTEGER NOT NULL REFERENCES editors(editor_id),
  decided_on TEXT,
  decision TEXT
);

INSERT INTO submissions VALUES
(14, 'Ways of Salt', 'HIS', 'Orchard Lane', '2023-01-26', 5, '2023-03-07', 'accepted'),
(16, 'Magpie Sums', 'HIS', 'Marble & Reed', '2023-02-22', 3, NULL, NULL),
(10, 'Paper Orchard', 'CHI', 'Marble & Reed', '2023-02-23', 2, '2023-04-30', 'rejected'),
(11, 'Half the Sea', 'COO', 'Marble & Reed', '2023-03-14', 2, NULL, NULL),
(4, 'Bread Weather', 'CHI', 'Quill House', '2023-04-13', 5, NULL, NULL),
(5, 'The Clockless House', 'HIS', 'Marble & Reed', '2023-04-23', 5, '2023-07-27', 'rejected'),
(9, 'The Otter Year', 'HIS', 'Orchard Lane', '2023-06-12', 7, NULL, NULL),
(2, 'Cinder Path', 'SCI', 'Marble & Reed', '2023-08-13', 3, '2023-09-22', 'accepted'),
(1, 'The Lamp Room', 'CRI', 'Orchard Lane', '2023-08-25', 4, '2023-10-30', 'accepted'),
(12, 'Queen of Nettles', 'HIS', NULL, '2023-10-13', 3, '2024-01-16', 'rejected'),
(8, 'A Short History of Fog', 'CHI', 'Marble & Reed', '2023-11-10', 5, NULL, NULL),
(7, 'Under Granite', 'COO', 'Quill House', '2023-12-08', 4, '2024-02-12', 'rejected'),
(6, 'Saints of the Fen', 'HIS', 'Quill House', '2024-02-05', 3, '2024-02-14', 'revise'),
(15, 'The Last Ferry Home', 'HIS', 'Quill House', '2024-03-13', 7, '2024-05-18', 'revise'),
(13, 'Static', 'HIS', 'Marble & Reed', '2024-06-11', 5, '2024-07-21', 'rejected'),
(3, 'Nine Harbours', 'COO', 'Marble & Reed', '2024-08-07', 5, '2024-11-10', 'rejected');

CREATE TABLE prizes (
  prize_id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES books(book_id),
  prize_name TEXT NOT NULL,
  prize_year INTEGER NOT NULL,
  result TEXT NOT NULL
);

INSERT INTO prizes VALUES
(1, 3, 'Northern Dagger', 2023, 'won'),
(2, 2, 'Northern Dagger', 2021, 'shortlisted'),
(3, 5, 'Clio Medal', 2022, 'shortlisted'),
(4, 11, 'Larkspur Prize', 2020, 'longlisted'),
(5, 14, 'Beacon Science Award', 2023, 'won'),
(6, 13, 'Beacon Science Award', 2020, 'shortlisted'),
(7, 9, 'Golden Ladle', 2022, 'won'),
(8, 10, 'Golden Ladle', 2024, 'shortlisted'),
(9, 7, 'Small Readers Prize', 2022, 'shortlisted'),
(10, 19, 'Clio Medal', 2024, 'won'),
(11, 3, 'Book of the Year', 2023, 'longlisted'),
(12, 14, 'Book of the Year', 2023, 'shortlisted');
