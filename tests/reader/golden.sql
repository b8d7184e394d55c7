-- How many books are there?
SELECT count(*) FROM books;
-- How many members do we have?
SELECT count(*) FROM members;
-- What are the names and ages of all members?
SELECT name, age FROM members;
-- List the title and price of all books.
SELECT title, price FROM books;
-- What are the different genres of books?
SELECT DISTINCT genre FROM books;
-- How many different genres are there?
SELECT count(DISTINCT genre) FROM books;
-- Show the names of members older than 40.
SELECT name FROM members WHERE age > 40;
-- Which members are younger than 30?
SELECT name FROM members WHERE age < 30;
-- List the titles of novels.
SELECT title FROM books WHERE genre = 'Novel';
-- Which books have more than 300 pages?
SELECT title FROM books WHERE pages > 300;
-- Show the titles of books with at least 210 and at most 320 pages
SELECT title FROM books WHERE pages >= 210 AND pages <= 320;
-- What are the titles of the books with price between 8 and 20?
SELECT title FROM books WHERE price BETWEEN 8 AND 20;
-- What is the average price of all books?
SELECT avg(price) FROM books;
-- What are the average, minimum and maximum age of members?
SELECT avg(age), min(age), max(age) FROM members;
-- What is the average price of books for each genre?
SELECT genre, avg(price) FROM books GROUP BY genre;
-- What is the total fine per member?
SELECT members.name, sum(fine) FROM loans JOIN members ON members.member_id = loans.member_id GROUP BY members.member_id, members.name;
-- How many books does each author have?
SELECT first_name, last_name, count(*) FROM books JOIN authors ON authors.author_id = books.author_id GROUP BY authors.author_id, first_name, last_name;
-- How many members are there in each branch?
SELECT branches.name, count(*) FROM members JOIN branches ON branches.id = members.branch_id GROUP BY branches.id, branches.name;
-- For each genre, how many books are there?
SELECT genre, count(*) FROM books GROUP BY genre;
-- Count the books of each genre
SELECT genre, count(*) FROM books GROUP BY genre;
-- What is the title of the most expensive book?
SELECT title FROM books ORDER BY price DESC LIMIT 1;
-- What is the title of the book with the most pages?
SELECT title FROM books ORDER BY pages DESC LIMIT 1;
-- Who is the youngest member?
SELECT name FROM members ORDER BY age LIMIT 1;
-- What are the titles of the 3 most expensive books?
SELECT title FROM books ORDER BY price DESC LIMIT 3;
-- Show the top 3 books by price.
SELECT title, price FROM books ORDER BY price DESC LIMIT 3;
-- Which author has the most books?
SELECT first_name, last_name FROM authors WHERE author_id = 3;
-- List the names of all members in alphabetical order.
SELECT name FROM members ORDER BY name;
-- Show the titles of all books sorted by pages in descending order.
SELECT title FROM books ORDER BY pages DESC;
-- List the names of members from the oldest to the youngest.
SELECT name FROM members ORDER BY age DESC;
-- Sort the member names by their age in descending order.
SELECT name FROM members ORDER BY age DESC;
-- What are the names of members who have no loans?
SELECT name FROM members WHERE member_id NOT IN (SELECT member_id FROM loans);
-- Which members never borrowed a book of the Poetry genre?
SELECT name FROM members WHERE member_id NOT IN (SELECT member_id FROM loans JOIN books ON books.book_id = loans.book_id WHERE genre = 'Poetry');
-- Which branches do not have any members?
SELECT name FROM branches WHERE id NOT IN (SELECT branch_id FROM members);
-- How many branches have no members?
SELECT count(*) FROM branches WHERE id NOT IN (SELECT branch_id FROM members);
-- What are the names of members who have at least two loans?
SELECT name FROM members JOIN loans ON loans.member_id = members.member_id GROUP BY members.member_id, name HAVING count(*) >= 2;
-- How many members have at least two loans?
SELECT count(*) FROM (SELECT member_id FROM loans GROUP BY member_id HAVING count(*) >= 2) AS t;
-- Which genres have more than one book?
SELECT genre FROM books GROUP BY genre HAVING count(*) > 1;
-- Which books cost more than the average price?
SELECT title FROM books WHERE price > (SELECT avg(price) FROM books);
-- Show the titles of books whose price is above the average
SELECT title FROM books WHERE price > (SELECT avg(price) FROM books);
-- What are the emails of members from the branch "North"?
SELECT email FROM members JOIN branches ON branches.id = members.branch_id WHERE branches.name = 'North';
-- Show the titles of books written by authors from Ireland or France.
SELECT title FROM books JOIN authors ON authors.author_id = books.author_id WHERE country = 'Ireland' OR country = 'France';
-- Show the names of authors who are not from Ireland.
SELECT first_name, last_name FROM authors WHERE country <> 'Ireland';
-- What are the names of branches that opened after 2000?
SELECT name FROM branches WHERE opened_year > 2000;
-- Which books were published in 2010?
SELECT title FROM books WHERE published_year = 2010;
-- How many loans were made in 2023?
SELECT count(*) FROM loans WHERE loan_date BETWEEN '2023-01-01' AND '2023-12-31';
-- Show the titles of books whose title contains "Light".
SELECT title FROM books WHERE title LIKE '%Light%';
-- Find the titles of all books that start with 'S'
SELECT title FROM books WHERE title LIKE 'S%';
-- How many female members are there?
SELECT count(*) FROM members WHERE gender = 'F';
-- What are the names of the members who borrowed both "Salt Water" and "Deep Roots"?
SELECT name FROM members WHERE member_id IN (SELECT member_id FROM loans WHERE book_id = 1 INTERSECT SELECT member_id FROM loans WHERE book_id = 5);
-- Which genres have both a book with more than 500 pages and a book with less than 400 pages?
SELECT genre FROM books WHERE pages > 500 INTERSECT SELECT genre FROM books WHERE pages < 400;
-- What is the most common genre?
SELECT 'Poetry';
-- Which city has the most branches?
SELECT city FROM branches GROUP BY city ORDER BY count(*) DESC LIMIT 1;
-- How many books were written by Ann Ford?
SELECT count(*) FROM books WHERE author_id = 1;
-- Give the number of books by authors from Ireland
SELECT count(*) FROM books JOIN authors ON authors.author_id = books.author_id WHERE country = 'Ireland';
-- Show all information about the branches in Leeds.
SELECT * FROM branches WHERE city = 'Leeds';
-- Which members have a missing email?
SELECT name FROM members WHERE email IS NULL;
-- Show the names of members who are older than 30 and are female
SELECT name FROM members WHERE age > 30 AND gender = 'F';
-- What is the number of loans of the oldest member?
SELECT count(*) FROM loans WHERE member_id IN (SELECT member_id FROM members ORDER BY age DESC LIMIT 1);
-- What are the first names of authors born before 1970?
SELECT first_name FROM authors WHERE birth_date < '1970-01-01';
-- books per genre
SELECT genre, count(*) FROM books GROUP BY genre;
-- branches in York
SELECT name FROM branches WHERE city = 'York';
-- average age of members
SELECT avg(age) FROM members;
-- What is the average age of members who have loans?
SELECT avg(age) FROM members WHERE member_id IN (SELECT member_id FROM loans);
-- Which members did not borrow any Novel books?
SELECT name FROM members WHERE member_id NOT IN (SELECT member_id FROM loans JOIN books ON books.book_id = loans.book_id WHERE genre = 'Novel');
-- What are the ages of Maya and Olga?
SELECT age FROM members WHERE name IN ('Maya', 'Olga');
-- total fines by member in 2023
SELECT members.name, sum(fine) FROM loans JOIN members ON members.member_id = loans.member_id WHERE loan_date BETWEEN '2023-01-01' AND '2023-12-31' GROUP BY members.member_id, members.name;
-- Which books have 96 pages?
SELECT title FROM books WHERE pages = 96;
-- last 3 loans
SELECT loan_id FROM loans ORDER BY loan_date DESC LIMIT 3;
-- Show the first 2 members
SELECT name FROM members ORDER BY member_id LIMIT 2;
-- What is the last loan of Maya?
SELECT loan_id FROM loans WHERE member_id = 1 ORDER BY loan_date DESC LIMIT 1;
-- Which members have 2 loans?
SELECT name FROM members WHERE member_id IN (SELECT member_id FROM loans GROUP BY member_id HAVING count(*) = 2);
-- Show the first names of authors.
SELECT first_name FROM authors;
-- List the name, the age and the number of loans of each member.
SELECT name, age, count(*) FROM members JOIN loans ON loans.member_id = members.member_id GROUP BY members.member_id, name, age;
-- What are the names of genres with more than one book?
SELECT genre FROM books GROUP BY genre HAVING count(*) > 1;
-- Find the number of different genres and prices of books.
SELECT count(DISTINCT genre), count(DISTINCT price) FROM books;
-- Which members have never had a fine above 1?
SELECT name FROM members WHERE member_id NOT IN (SELECT member_id FROM loans WHERE fine > 1);
-- Show the titles of books sorted by published year from the oldest to the latest.
SELECT title FROM books ORDER BY published_year;
-- Which book has the most pages? And what is its price?
SELECT title, price FROM books ORDER BY pages DESC LIMIT 1;
-- Show the fines of loans with fine between -1 and 0
SELECT fine FROM loans WHERE fine BETWEEN -1 AND 0;
-- What are the titles of books that have either less than 100 pages or more than 500 pages?
SELECT title FROM books WHERE pages < 100 OR pages > 500;
-- What is the average age of members by different branch?
SELECT branches.name, avg(age) FROM members JOIN branches ON branches.id = members.branch_id GROUP BY branches.id, branches.name;
-- Show the names of members in the branch with the latest opened year.
SELECT name FROM members WHERE branch_id = (SELECT id FROM branches ORDER BY opened_year DESC LIMIT 1);
-- What are the names of members above age 40?
SELECT name FROM members WHERE age > 40;
-- Which members are 34 years old?
SELECT name FROM members WHERE age = 34;
-- What is the average number of pages of books?
SELECT avg(pages) FROM books;
-- Which members have between 2 and 3 loans?
SELECT name FROM members WHERE member_id IN (SELECT member_id FROM loans GROUP BY member_id HAVING count(*) BETWEEN 2 AND 3);
-- Which members have only one loan?
SELECT name FROM members WHERE member_id IN (SELECT member_id FROM loans GROUP BY member_id HAVING count(*) = 1);
-- What is the author with the most books and how many does he have?
SELECT first_name, last_name, count(*) FROM authors JOIN books ON books.author_id = authors.author_id GROUP BY authors.author_id, first_name, last_name ORDER BY count(*) DESC LIMIT 1;
-- Count the books for each genre type
SELECT genre, count(*) FROM books GROUP BY genre;
-- What are the names and ages for each member?
SELECT name, age FROM members;
-- What are the names of the members, and how many loans does each have?
SELECT name, count(*) FROM members JOIN loans ON loans.member_id = members.member_id GROUP BY members.member_id, name;
-- How many members are under 30 years old?
SELECT count(*) FROM members WHERE age < 30;
-- What are the maximum and minimum number of pages of books?
SELECT max(pages), min(pages) FROM books;
-- Show the titles of books with a price larger than or equal to 18
SELECT title FROM books WHERE price >= 18;
-- Which books cost more than the average price of books in the Poetry genre?
SELECT title FROM books WHERE price > (SELECT avg(price) FROM books WHERE genre = 'Poetry');
-- Show the names of members who are older than the average age of members in the branch "North"
SELECT name FROM members WHERE age > (SELECT avg(age) FROM members JOIN branches ON branches.id = members.branch_id WHERE branches.name = 'North');
-- Which books have a higher than average price?
SELECT title FROM books WHERE price > (SELECT avg(price) FROM books);
-- Which books have more than the average number of pages?
SELECT title FROM books WHERE pages > (SELECT avg(pages) FROM books);
-- Who is the oldest author?
SELECT first_name, last_name FROM authors ORDER BY birth_date LIMIT 1;
-- Show the youngest author from Ireland
SELECT first_name, last_name FROM authors WHERE country = 'Ireland' ORDER BY birth_date DESC LIMIT 1;
-- Which members borrowed books more than once?
SELECT name FROM members WHERE member_id IN (SELECT member_id FROM loans GROUP BY member_id HAVING count(*) > 1);
-- Which books were borrowed at least twice?
SELECT title FROM books WHERE book_id IN (SELECT book_id FROM loans GROUP BY book_id HAVING count(*) >= 2);
-- books that were borrowed exactly 2 times
SELECT title FROM books WHERE book_id IN (SELECT book_id FROM loans GROUP BY book_id HAVING count(*) = 2);
-- Show the second oldest member
SELECT name FROM members ORDER BY age DESC LIMIT 1 OFFSET 1;
-- Which book has the third most pages?
SELECT title FROM books ORDER BY pages DESC LIMIT 1 OFFSET 2;
-- What is the cheapest book in each genre?
SELECT genre, title FROM books b WHERE price = (SELECT min(price) FROM books WHERE genre = b.genre);
-- Show the name and age of the oldest member of each branch
SELECT branches.name, m.name, age FROM members m JOIN branches ON branches.id = branch_id WHERE age = (SELECT max(age) FROM members WHERE branch_id = m.branch_id);
-- For each author, what is the most expensive book?
SELECT first_name, last_name, title FROM authors a JOIN books b ON b.author_id = a.author_id WHERE price = (SELECT max(price) FROM books WHERE author_id = a.author_id);
-- What is the most expensive book published after 2010 in each genre?
SELECT genre, title FROM books b WHERE published_year > 2010 AND price = (SELECT max(price) FROM books WHERE genre = b.genre AND published_year > 2010);
-- the first loan of each member
SELECT name, loan_id FROM members m JOIN loans l ON l.member_id = m.member_id WHERE loan_date = (SELECT min(loan_date) FROM loans WHERE member_id = m.member_id);
