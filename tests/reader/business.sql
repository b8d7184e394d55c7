-- top 2 longest tracks
SELECT name FROM tracks ORDER BY milliseconds DESC LIMIT 2;
-- longest film
SELECT title FROM films ORDER BY length DESC LIMIT 1;
-- Which category has the highest average price?
SELECT c.name FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.id, c.name ORDER BY avg(price) DESC LIMIT 1;
