CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR(40), title VARCHAR(40), hired DATE);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY, name VARCHAR(40), country VARCHAR(40), active BOOLEAN, employee_id INTEGER REFERENCES employees (id)
);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name VARCHAR(40));
CREATE TABLE products (
  id INTEGER PRIMARY KEY, name VARCHAR(40), price DOUBLE, category_id INTEGER REFERENCES categories (id),
  units_in_stock INTEGER
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), order_date DATE, shipped_date DATE
);
CREATE TABLE order_items (
  order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES products (id), unit_price DOUBLE, quantity INTEGER,
  discount DOUBLE, PRIMARY KEY (order_id, product_id)
);
CREATE TABLE films (
  id INTEGER PRIMARY KEY, title VARCHAR(40), length INTEGER, rental_duration INTEGER, rental_rate DOUBLE
);
CREATE TABLE rentals (
  id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES films (id), customer_id INTEGER REFERENCES customers (id), rental_date DATE
);
CREATE TABLE tracks (id INTEGER PRIMARY KEY, name VARCHAR(40), milliseconds INTEGER);
INSERT INTO employees VALUES (1, 'Ida', 'Manager', '2015-03-01'), (2, 'Jon', 'Clerk', '2019-07-15');
INSERT INTO customers VALUES
  (1, 'Alder', 'Canada', TRUE, 1), (2, 'Birch', 'Canada', FALSE, 2), (3, 'Cedar', 'Spain', TRUE, 1), (4, 'Doe', 'Norway', TRUE, 2);
INSERT INTO categories VALUES (1, 'Tea'), (2, 'Jam'), (3, 'Bread');
INSERT INTO products VALUES
  (1, 'Assam', 8.0, 1, 10), (2, 'Mint', 5.0, 1, 0), (3, 'Plum', 4.0, 2, 3), (4, 'Fig', 6.0, 2, 0), (5, 'Rye', 3.0, 3, 7);
INSERT INTO orders VALUES
  (1, 1, '2023-01-05', '2023-01-09'), (2, 1, '2023-02-10', '2023-02-20'), (3, 2, '2023-02-11', '2023-03-01'),
  (4, 3, '2024-01-20', '2024-01-25'), (5, 1, '2024-01-28', NULL);
INSERT INTO order_items VALUES
  (1, 1, 8.0, 2, 0), (1, 3, 4.0, 1, 0.5), (2, 2, 5.0, 5, 0), (3, 4, 6.0, 9, 0.1), (4, 1, 7.0, 1, 0), (5, 3, 4.0, 3, 0), (5, 5, 3.0, 1, 0);
INSERT INTO films VALUES (1, 'Dune Road', 90, 7, 2.0), (2, 'Low Tide', 140, 3, 4.0), (3, 'Old Oak', 120, 5, 3.0), (4, 'Red Sky', 60, 6, 1.0);
INSERT INTO rentals VALUES
  (1, 1, 1, '2023-01-02'), (2, 1, 2, '2023-01-15'), (3, 1, 3, '2023-03-01'), (4, 2, 1, '2023-03-02'), (5, 3, 3, '2024-03-05'),
  (6, 3, 3, '2024-04-01');
INSERT INTO tracks VALUES (1, 'Dawn', 200000), (2, 'Noon', 310000), (3, 'Dusk', 150000);
