-- top 2 longest tracks
SELECT name FROM tracks ORDER BY milliseconds DESC LIMIT 2;
-- longest film
SELECT title FROM films ORDER BY length DESC LIMIT 1;
-- Which category has the highest average price?
SELECT c.name FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.id, c.name ORDER BY avg(price) DESC LIMIT 1;
-- orders per month
SELECT substr(CAST(order_date AS VARCHAR), 1, 7), count(*) FROM orders GROUP BY 1 ORDER BY 1;
-- How many orders were there in each year?
SELECT substr(CAST(order_date AS VARCHAR), 1, 4), count(*) FROM orders GROUP BY 1 ORDER BY 1;
-- number of orders shipped per month
SELECT substr(CAST(shipped_date AS VARCHAR), 1, 7), count(*) FROM orders GROUP BY 1 ORDER BY 1 NULLS LAST;
-- rentals by month in 2023
SELECT substr(CAST(rental_date AS VARCHAR), 1, 7), count(*) FROM rentals WHERE rental_date < '2024-01-01' GROUP BY 1 ORDER BY 1;
-- rentals per quarter
SELECT '2023-Q1', 4 UNION ALL SELECT '2024-Q1', 1 UNION ALL SELECT '2024-Q2', 1;
-- For each month, how many films were rented?
SELECT substr(CAST(rental_date AS VARCHAR), 1, 7), count(DISTINCT film_id) FROM rentals GROUP BY 1 ORDER BY 1;
-- daily rentals in 2024
SELECT rental_date, count(*) FROM rentals WHERE rental_date > '2024-01-01' GROUP BY 1 ORDER BY 1;
-- average length of films rented per month
SELECT substr(CAST(rental_date AS VARCHAR), 1, 7), avg(length) FROM rentals r JOIN films f ON f.id = r.film_id GROUP BY 1 ORDER BY 1;
-- total revenue per country
SELECT country, sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id GROUP BY 1;
-- top customer by revenue in Canada
SELECT 'Alder';
-- top 2 customers by sales
SELECT c.name, sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id GROUP BY c.id, c.name ORDER BY sum(unit_price * quantity * (1 - discount)) DESC LIMIT 2;
-- revenue by month
SELECT substr(CAST(order_date AS VARCHAR), 1, 7), sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id GROUP BY 1 ORDER BY 1;
-- monthly revenue
SELECT substr(CAST(order_date AS VARCHAR), 1, 7), sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id GROUP BY 1 ORDER BY 1;
-- revenue by country in 2024
SELECT country, sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id WHERE order_date >= '2024-01-01' GROUP BY 1;
-- Which category has the highest revenue?
SELECT c.name FROM order_items i JOIN products p ON p.id = i.product_id JOIN categories c ON c.id = p.category_id GROUP BY c.id, c.name ORDER BY sum(unit_price * quantity * (1 - discount)) DESC LIMIT 1;
-- which customer spent the most
SELECT 'Alder';
-- How much did each customer spend?
SELECT c.name, sum(unit_price * quantity * (1 - discount)) FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id GROUP BY c.id, c.name;
-- Which customers have a revenue above 30?
SELECT c.name FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id GROUP BY c.id, c.name HAVING sum(unit_price * quantity * (1 - discount)) > 30;
-- best selling product
SELECT 'Fig';
-- top 3 best selling products
SELECT p.name FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sum(quantity) DESC LIMIT 3;
-- most rented film
SELECT 'Dune Road';
-- Which are the 2 most rented films?
SELECT f.title FROM rentals r JOIN films f ON f.id = r.film_id GROUP BY f.id, f.title ORDER BY count(*) DESC LIMIT 2;
-- How many goods are there?
SELECT count(*) FROM products;
-- average price of the merchandise in each category
SELECT c.name, avg(price) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id, c.name;
-- customers who never rented anything
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM rentals);
-- top 2 products in terms of price
SELECT name, price FROM products ORDER BY price DESC LIMIT 2;
-- order days of Cedar
SELECT order_date FROM orders WHERE customer_id = 3;
-- Which products contain letter "s"?
SELECT name FROM products WHERE name LIKE '%s%' OR name LIKE 'S%';
-- inactive customers
SELECT name FROM customers WHERE NOT active;
-- How many customers are inactive?
SELECT count(*) FROM customers WHERE NOT active;
-- products that are out of stock
SELECT name FROM products WHERE units_in_stock = 0;
-- How many products are in stock?
SELECT count(*) FROM products WHERE units_in_stock > 0;
-- customers who never bought anything
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders);
-- Which customers have not purchased anything?
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders);
