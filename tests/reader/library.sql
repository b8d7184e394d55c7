CREATE TABLE branches (id INTEGER PRIMARY KEY, name VARCHAR(40), city VARCHAR(40), opened_year INTEGER);
CREATE TABLE authors (author_id INTEGER PRIMARY KEY, first_name VARCHAR(40), last_name VARCHAR(40), country VARCHAR(40), birth_date DATE);
CREATE TABLE books (
  book_id INTEGER PRIMARY KEY, title VARCHAR(80), genre VARCHAR(40), pages INTEGER, price DOUBLE, published_year INTEGER,
  author_id INTEGER REFERENCES authors (author_id)
);
CREATE TABLE members (
  member_id INTEGER PRIMARY KEY, name VARCHAR(40), age INTEGER, gender VARCHAR(1), email VARCHAR(60),
  branch_id INTEGER REFERENCES branches (id)
);
CREATE TABLE loans (
  loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members (member_id), book_id INTEGER REFERENCES books (book_id),
  loan_date DATE, fine DOUBLE
);
INSERT INTO branches VALUES (1, 'North', 'Leeds', 1990), (2, 'South', 'York', 2005), (3, 'Harbour', 'Hull', 2014), (4, 'Mill', 'Leeds', 2019);
INSERT INTO authors VALUES
  (1, 'Ann', 'Ford', 'Ireland', '1950-03-01'), (2, 'Boris', 'Lindt', 'Germany', '1971-07-21'), (3, 'Clara', 'Moreau', 'France', '1965-12-30'),
  (4, 'Dev', 'Rao', 'India', '1980-01-15'), (5, 'Ella', 'Stone', 'Ireland', '1990-06-06');
INSERT INTO books VALUES
  (1, 'Salt Water', 'Novel', 320, 12.5, 1999, 1), (2, 'Night Trains', 'Travel', 210, 18.0, 2005, 2), (3, 'The Glass Hill', 'Novel', 540, 9.99, 2010, 3),
  (4, 'Monsoon', 'Poetry', 96, 7.25, 2012, 4), (5, 'Deep Roots', 'Science', 410, 30.0, 2018, 1), (6, 'Small Engines', 'Science', 275, 24.0, 2020, 2),
  (7, 'Winter Light', 'Poetry', 120, 8.0, 2021, 3),
  (8, 'Tides', 'Poetry', 88, 6.5, 2022, 3);
INSERT INTO members VALUES
  (1, 'Maya', 34, 'F', 'maya@example.org', 1), (2, 'Noah', 19, 'M', 'noah@example.org', 1), (3, 'Olga', 61, 'F', 'olga@example.org', 2),
  (4, 'Petr', 45, 'M', NULL, 3), (5, 'Quinn', 27, 'F', 'quinn@example.org', 2), (6, 'Rosa', 52, 'F', 'rosa@example.org', 1);
INSERT INTO loans VALUES
  (1, 1, 1, '2023-01-10', 0), (2, 1, 5, '2023-02-11', 1.5), (3, 2, 3, '2023-03-12', 0), (4, 3, 1, '2024-01-05', 2.0), (5, 3, 2, '2024-02-08', 0),
  (6, 5, 7, '2024-03-30', 0.5), (7, 1, 3, '2024-05-01', 0), (8, 5, 1, '2024-06-17', 0);
