-- top 2 longest tracks
SELECT name FROM tracks ORDER BY milliseconds DESC LIMIT 2;
-- longest film
SELECT title FROM films ORDER BY length DESC LIMIT 1;
-- Which category has the highest average price?
SELECT c.name FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.id, c.name ORDER BY avg(price) DESC LIMIT 1;
-- orders per month
SELECT substr(CAST(order_date AS VARCHAR), 1, 7), count(*) FROM orders GROUP BY 1 ORDER BY 1;
-- How many orders were there in each year?
SELECT CAST(substr(CAST(order_date AS VARCHAR), 1, 4) AS INTEGER), count(*) FROM orders GROUP BY 1 ORDER BY 1;
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
