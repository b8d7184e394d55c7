-- Questions about the sample database as people type them, each with a query that gives the right rows.
-- The reader must answer those marked "answer"; those marked "never wrong" it may refuse.

-- answer: How many countries are there in each continent?
SELECT t.name, count(*) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: number of countries per continent
SELECT t.name, count(*) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: countries per continent
SELECT t.name, count(*) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: Which 5 cities have the largest population?
SELECT name FROM cities WHERE population IS NOT NULL ORDER BY population DESC LIMIT 5
-- answer: Which five cities have the largest population?
SELECT name FROM cities WHERE population IS NOT NULL ORDER BY population DESC LIMIT 5
-- answer: Show the 5 largest cities by population
SELECT name, population FROM cities WHERE population IS NOT NULL ORDER BY population DESC LIMIT 5
-- answer: top 5 cities by population
SELECT name, population FROM cities WHERE population IS NOT NULL ORDER BY population DESC LIMIT 5
-- answer: Which cities are in Japan?
SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE c.name = 'Japan'
-- answer: What languages are spoken in Switzerland?
SELECT l.name FROM languages l JOIN country_languages cl ON cl.language_id = l.id JOIN countries c ON c.code = cl.country_code WHERE c.name = 'Switzerland'
-- answer: languages of Switzerland
SELECT l.name FROM languages l JOIN country_languages cl ON cl.language_id = l.id JOIN countries c ON c.code = cl.country_code WHERE c.name = 'Switzerland'
-- answer: What are the official languages of Switzerland?
SELECT l.name FROM languages l JOIN country_languages cl ON cl.language_id = l.id JOIN countries c ON c.code = cl.country_code WHERE c.name = 'Switzerland' AND cl.is_official
-- answer: Which lake is the deepest?
SELECT name FROM lakes ORDER BY max_depth_m DESC LIMIT 1
-- answer: What is the highest mountain?
SELECT name FROM mountains ORDER BY height_m DESC LIMIT 1
-- answer: List the mountains higher than 8000 meters
SELECT name FROM mountains WHERE height_m > 8000
-- answer: mountains higher than 8000 m
SELECT name FROM mountains WHERE height_m > 8000
-- answer: Show the name and height of mountains higher than 8000 meters
SELECT name, height_m FROM mountains WHERE height_m > 8000
-- answer: What is the longest river?
SELECT name FROM rivers ORDER BY length_km DESC LIMIT 1
-- answer: What is the average area of countries in Africa?
SELECT avg(c.area_km2) FROM countries c JOIN continents t ON t.id = c.continent_id WHERE t.name = 'Africa'
-- answer: total population of each continent
SELECT t.name, sum(c.population) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: What is the total population of each continent?
SELECT t.name, sum(c.population) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: average population of countries per continent
SELECT t.name, avg(c.population) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- never wrong: population per continent
SELECT t.name, sum(c.population) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- never wrong: population of countries per continent
SELECT t.name, sum(c.population) FROM countries c JOIN continents t ON t.id = c.continent_id GROUP BY t.id, t.name
-- answer: Which countries have no rivers?
SELECT name FROM countries WHERE code NOT IN (SELECT country_code FROM river_countries)
-- answer: Which countries use the euro?
SELECT c.name FROM countries c JOIN currencies u ON u.code = c.currency_code WHERE u.name = 'Euro'
-- answer: How many countries use the Euro?
SELECT count(*) FROM countries c JOIN currencies u ON u.code = c.currency_code WHERE u.name = 'Euro'
-- answer: Which countries border Germany?
SELECT n.name FROM borders b JOIN countries c ON c.code = b.country_code JOIN countries n ON n.code = b.neighbour_code WHERE c.name = 'Germany'
-- never wrong: What is the capital of Australia?
SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE c.name = 'Australia' AND y.is_capital
-- never wrong: Which cities hosted the Olympic Games more than once?
SELECT y.name FROM olympic_games o JOIN cities y ON y.id = o.city_id GROUP BY y.id, y.name HAVING count(*) > 1
-- answer: Which countries have more than 5 rivers?
SELECT c.name FROM countries c JOIN river_countries r ON r.country_code = c.code GROUP BY c.code, c.name HAVING count(*) > 5
-- answer: What is the population of France and Germany?
SELECT population FROM countries WHERE name IN ('France', 'Germany')
-- answer: What is the population of France?
SELECT population FROM countries WHERE name = 'France'
-- answer: List countries in Europe with a population over 50 million
SELECT c.name FROM countries c JOIN continents t ON t.id = c.continent_id WHERE t.name = 'Europe' AND c.population > 50000000
-- answer: How many mountains are higher than 8000 metres?
SELECT count(*) FROM mountains WHERE height_m > 8000
-- never wrong: Which rivers flow through Germany, longest first?
SELECT r.name FROM rivers r JOIN river_countries rc ON rc.river_id = r.id JOIN countries c ON c.code = rc.country_code WHERE c.name = 'Germany' ORDER BY r.length_km DESC
-- never wrong: How many rivers flow through Germany?
SELECT count(*) FROM river_countries rc JOIN countries c ON c.code = rc.country_code WHERE c.name = 'Germany'
-- answer: list all rivers by length
SELECT name FROM rivers ORDER BY length_km
-- answer: rivers longer than 4000 km
SELECT name FROM rivers WHERE length_km > 4000
-- answer: How many cities does each country have?
SELECT c.name, count(*) FROM cities y JOIN countries c ON c.code = y.country_code GROUP BY c.code, c.name
-- answer: Which country has the most cities?
SELECT c.name FROM cities y JOIN countries c ON c.code = y.country_code GROUP BY c.code, c.name ORDER BY count(*) DESC LIMIT 1
-- answer: cities in Japan or Brazil
SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE c.name IN ('Japan', 'Brazil')
-- answer: countries that are not in Europe
SELECT c.name FROM countries c JOIN continents t ON t.id = c.continent_id WHERE t.name <> 'Europe'
-- answer: names of countries starting with 'Z'
SELECT name FROM countries WHERE name LIKE 'Z%'
-- answer: countries with a population between 1 million and 2 million
SELECT name FROM countries WHERE population BETWEEN 1000000 AND 2000000
-- answer: countries with population above the average
SELECT name FROM countries WHERE population > (SELECT avg(population) FROM countries)
-- never wrong: how big is France
SELECT area_km2 FROM countries WHERE name = 'France'
-- answer: smallest country by area
SELECT name FROM countries ORDER BY area_km2 LIMIT 1
-- answer: the three smallest countries by area
SELECT name, area_km2 FROM countries ORDER BY area_km2 LIMIT 3
-- never wrong: second largest country
SELECT name FROM countries ORDER BY area_km2 DESC LIMIT 1 OFFSET 1
-- never wrong: country with the most people
SELECT name FROM countries ORDER BY population DESC LIMIT 1
-- answer: in which city were the 2008 olympics
SELECT y.name FROM olympic_games o JOIN cities y ON y.id = o.city_id WHERE o.year = 2008
-- answer: Which city hosted the 2008 Olympic Games?
SELECT y.name FROM olympic_games o JOIN cities y ON y.id = o.city_id WHERE o.year = 2008
-- answer: cities that hosted 2 olympic games
SELECT y.name FROM olympic_games o JOIN cities y ON y.id = o.city_id GROUP BY y.id, y.name HAVING count(*) = 2
-- never wrong: first 5 countries
SELECT name FROM countries ORDER BY code LIMIT 5
-- answer: how many capitals are there
SELECT count(*) FROM cities WHERE is_capital
-- answer: number of capitals per continent
SELECT t.name, count(*) FROM cities y JOIN countries c ON c.code = y.country_code JOIN continents t ON t.id = c.continent_id WHERE y.is_capital GROUP BY t.id, t.name
-- answer: How many official languages does Switzerland have?
SELECT count(*) FROM country_languages cl JOIN countries c ON c.code = cl.country_code WHERE c.name = 'Switzerland' AND cl.is_official
-- answer: population of capitals
SELECT population FROM cities WHERE is_capital
-- never wrong: languages that are not official
SELECT name FROM languages WHERE id NOT IN (SELECT language_id FROM country_languages WHERE is_official)
-- answer: least populated country
SELECT name FROM countries ORDER BY population LIMIT 1
-- answer: most populous country
SELECT name FROM countries ORDER BY population DESC LIMIT 1
-- answer: the most populated city of Japan
SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE c.name = 'Japan' ORDER BY y.population DESC LIMIT 1
-- answer: highest population country
SELECT name FROM countries ORDER BY population DESC LIMIT 1
-- answer: the 3 most populated countries
SELECT name FROM countries ORDER BY population DESC LIMIT 3
-- answer: most populous city in each country
SELECT c.name, y.name FROM countries c JOIN cities y ON y.country_code = c.code WHERE y.population = (SELECT max(population) FROM cities WHERE country_code = c.code)
-- answer: longest river in Africa
SELECT DISTINCT r.name FROM rivers r JOIN river_countries rc ON rc.river_id = r.id JOIN countries c ON c.code = rc.country_code JOIN continents t ON t.id = c.continent_id WHERE t.name = 'Africa' AND r.length_km = (SELECT max(r.length_km) FROM rivers r JOIN river_countries rc ON rc.river_id = r.id JOIN countries c ON c.code = rc.country_code JOIN continents t ON t.id = c.continent_id WHERE t.name = 'Africa')
-- answer: highest mountain in each country
SELECT c.name, m.name FROM mountains m JOIN countries c ON c.code = m.country_code WHERE m.height_m = (SELECT max(height_m) FROM mountains WHERE country_code = c.code)
-- answer: second largest city in Germany
SELECT y.name FROM cities y JOIN countries c ON c.code = y.country_code WHERE c.name = 'Germany' ORDER BY y.population DESC LIMIT 1 OFFSET 1
-- answer: neighbours of Germany
SELECT n.name FROM borders b JOIN countries c ON c.code = b.country_code JOIN countries n ON n.code = b.neighbour_code WHERE c.name = 'Germany'
-- answer: How many countries border France?
SELECT count(*) FROM borders b JOIN countries c ON c.code = b.country_code WHERE c.name = 'France'
-- answer: largest country by area that borders Germany
SELECT n.name FROM borders b JOIN countries c ON c.code = b.country_code JOIN countries n ON n.code = b.neighbour_code WHERE c.name = 'Germany' ORDER BY n.area_km2 DESC LIMIT 1
-- answer: Which countries do not border Germany?
SELECT name FROM countries WHERE code NOT IN (SELECT neighbour_code FROM borders WHERE country_code = 'DEU')
-- never wrong: Which countries border Germany and France?
SELECT name FROM countries WHERE code IN (SELECT neighbour_code FROM borders WHERE country_code = 'DEU') AND code IN (SELECT neighbour_code FROM borders WHERE country_code = 'FRA')
-- answer: Which 3 continents have the most countries?
SELECT t.name FROM continents t JOIN countries c ON c.continent_id = t.id GROUP BY t.id, t.name ORDER BY count(*) DESC LIMIT 3
-- answer: which 3 currencies are used by the most countries?
SELECT y.name FROM currencies y JOIN countries c ON c.currency_code = y.code GROUP BY y.code, y.name ORDER BY count(*) DESC LIMIT 3
