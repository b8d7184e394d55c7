CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, branch_name TEXT, city TEXT, region TEXT, opened_on DATE, has_safe_deposit INTEGER);
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, full_name TEXT, job_title TEXT, branch_id INTEGER REFERENCES branches(branch_id), manager_id INTEGER, hired_on DATE, salary INTEGER);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_name TEXT, birth_date DATE, city TEXT, email TEXT, segment TEXT, joined_on DATE);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, branch_id INTEGER REFERENCES branches(branch_id), account_type TEXT, opened_on DATE, closed_on DATE, balance_cents INTEGER, overdraft_limit_cents INTEGER);
CREATE TABLE account_holders (account_id INTEGER REFERENCES accounts(account_id), customer_id INTEGER REFERENCES customers(customer_id), holder_role TEXT, PRIMARY KEY (account_id, customer_id));
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), branch_id INTEGER REFERENCES branches(branch_id), officer_id INTEGER REFERENCES employees(employee_id), loan_type TEXT, principal DECIMAL(12,2), annual_rate DECIMAL(5,2), term_months INTEGER, applied_on DATE, approved_on DATE, status TEXT);
CREATE TABLE loan_payments (payment_id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loans(loan_id), due_on DATE, paid_on DATE, amount DECIMAL(10,2));
CREATE TABLE transfers (transfer_id INTEGER PRIMARY KEY, from_account_id INTEGER REFERENCES accounts(account_id), to_account_id INTEGER REFERENCES accounts(account_id), amount_cents INTEGER, made_on DATE, channel TEXT, memo TEXT);
INSERT INTO branches VALUES
(1,'Harbour Street','Portsea','South','2001-04-02',1),(2,'Market Square','Lindale','North','1998-09-14',1),(3,'Kingsway','Lindale','North','2011-06-20',0),(4,'Station Road','Ashbourne','Midlands','2015-01-12',0),
(5,'Cathedral Close','Wellham','West','1987-03-30',1),(6,'Airport Terminal','Portsea','South','2022-11-01',0),(7,'Old Mill','Brackton','Midlands','2009-08-17',0),(8,'Riverside Digital Hub','Wellham','West','2024-05-06',0);
INSERT INTO employees VALUES
(1,'Margaret Oduya','Regional Director',2,NULL,'2005-02-01',98000),(2,'Simon Fletcher','Branch Manager',1,1,'2010-05-17',61000),(3,'Aisha Rahman','Branch Manager',2,1,'2012-09-03',63500),(4,'Peter Nowak','Branch Manager',4,1,'2016-01-11',57000),
(5,'Chloe Bennett','Loan Officer',1,2,'2018-03-19',42000),(6,'Marcus Vale','Loan Officer',2,3,'2019-07-01',44500),(7,'Inga Larsen','Teller',1,2,'2021-10-04',27500),(8,'Tom Hargreaves','Teller',2,3,'2023-02-13',26500),
(9,'Priya Nair','Loan Officer',4,4,'2020-06-22',43000),(10,'Owen Price','Teller',4,4,'2024-01-08',26000),(11,'Lucia Marin','Branch Manager',5,1,'2014-04-28',60000),(12,'Felix Grant','Teller',5,11,'2022-08-15',27000),(13,'Hannah Cole','Loan Officer',5,11,'2023-11-20',41000);
INSERT INTO customers VALUES
(1,'Eleanor Whitfield','1958-07-12','Portsea','e.whitfield@postbox.test','premier','2006-03-01'),(2,'Daniel Osei','1987-02-25','Lindale','dan.osei@postbox.test','standard','2015-08-19'),(3,'Sofia Petrova','1993-11-08','Lindale',NULL,'standard','2021-01-27'),
(4,'Harold Finch','1949-05-30','Ashbourne',NULL,'premier','1999-10-11'),(5,'Yuki Tanaka','2001-09-17','Wellham','yuki.t@mailhub.test','student','2022-09-05'),(6,'Brightwell Bakery Ltd',NULL,'Portsea','accounts@brightwell.test','business','2017-04-24'),
(7,'Grace Adeyemi','1979-12-03','Wellham','grace.a@mailhub.test','premier','2010-06-14'),(8,'Liam Doherty','1990-04-21','Brackton','liam.d@mailhub.test','standard','2023-03-15'),(9,'Northgate Garage','1995-01-01','Lindale','office@northgate.test','business','2019-11-02'),
(10,'Amelia Osei','1989-06-16','Lindale','amelia.osei@postbox.test','standard','2016-02-08'),(11,'Conrad Mills','2003-03-03','Ashbourne',NULL,'student','2023-10-01'),(12,'Ruth Sandoval','1966-10-29','Portsea','ruth.s@postbox.test','standard','2008-07-07'),(13,'Viktor Hale','1972-08-08','Farnley','v.hale@postbox.test','premier','2024-02-20');
INSERT INTO accounts VALUES
(1001,1,'checking','2006-03-01',NULL,845320,50000),(1002,1,'savings','2007-05-15',NULL,5240000,0),(1003,2,'checking','2015-08-19',NULL,-12550,100000),(1004,2,'savings','2016-02-08',NULL,1830000,0),
(1005,3,'checking','2021-01-27',NULL,64015,0),(1006,4,'savings','2000-01-17',NULL,9120050,0),(1007,5,'checking','2022-09-05',NULL,21040,20000),(1008,1,'business','2017-04-24',NULL,2367500,500000),
(1009,5,'checking','2010-06-14',NULL,1500000,100000),(1010,5,'savings','2011-03-22','2024-03-22',0,0),(1011,7,'checking','2023-03-15',NULL,-30075,50000),(1012,2,'business','2019-11-02',NULL,705000,250000),
(1013,4,'checking','2023-10-01',NULL,8800,0),(1014,1,'checking','2008-07-07','2023-06-30',0,50000),(1015,6,'savings','2023-07-03',NULL,990000,0),(1016,5,'money market','2024-02-20',NULL,12500000,0);
INSERT INTO account_holders VALUES
(1001,1,'primary'),(1002,1,'primary'),(1003,2,'primary'),(1003,10,'joint'),(1004,10,'primary'),(1004,2,'joint'),(1005,3,'primary'),(1006,4,'primary'),(1007,5,'primary'),(1008,6,'primary'),(1009,7,'primary'),(1010,7,'primary'),(1011,8,'primary'),(1012,9,'primary'),(1013,11,'primary'),(1013,4,'guardian'),(1014,12,'primary'),(1015,12,'primary'),(1016,13,'primary'),(1016,7,'joint');
INSERT INTO loans VALUES
(1,2,2,6,'mortgage',185000.00,4.25,300,'2022-02-10','2022-03-04','active'),(2,6,1,5,'business',60000.00,6.80,60,'2022-05-18','2022-06-01','active'),(3,3,2,6,'personal',8000.00,9.90,36,'2023-01-09','2023-01-12','active'),
(4,4,4,9,'auto',22000.00,5.40,48,'2022-08-22','2022-08-30','paid off'),(5,5,5,13,'student',15000.00,3.10,120,'2023-12-04','2023-12-20','active'),(6,8,2,6,'auto',17500.00,6.10,60,'2023-04-03',NULL,'rejected'),
(7,9,2,6,'business',120000.00,7.25,84,'2023-06-19','2023-07-28','defaulted'),(8,7,5,13,'mortgage',290000.00,4.60,240,'2024-01-15','2024-02-19','active'),(9,12,1,5,'personal',5000.00,10.50,24,'2024-03-08',NULL,'pending'),
(10,1,1,5,'auto',35000.00,5.00,60,'2024-02-01','2024-02-06','active'),(11,11,4,9,'student',9000.00,3.10,96,'2024-04-16',NULL,'pending'),(12,2,2,6,'personal',12000.00,9.40,48,'2024-03-25','2024-03-29','active'),(13,8,7,NULL,'personal',3000.00,11.20,12,'2024-05-02',NULL,'rejected');
INSERT INTO loan_payments VALUES
(1,1,'2024-03-01','2024-03-01',1002.20),(2,1,'2024-04-01','2024-04-03',1002.20),(3,1,'2024-05-01','2024-05-01',1002.20),(4,2,'2024-03-15','2024-03-29',1182.40),(5,2,'2024-04-15','2024-04-15',1182.40),(6,2,'2024-05-15',NULL,1182.40),
(7,3,'2024-04-12','2024-04-12',257.75),(8,3,'2024-05-12','2024-05-20',257.75),(9,4,'2023-06-30','2023-06-28',510.10),(10,4,'2023-07-30','2023-07-30',510.10),(11,5,'2024-05-20','2024-05-20',145.60),(12,7,'2023-09-28','2023-10-30',1824.00),(13,7,'2023-10-28',NULL,1824.00),(14,7,'2023-11-28',NULL,1824.00),(15,8,'2024-04-19','2024-04-18',1978.00),(16,8,'2024-05-19','2024-05-19',1978.00),(17,10,'2024-04-06','2024-04-06',660.50),(18,12,'2024-05-29',NULL,301.00);
INSERT INTO transfers VALUES
(1,1001,1002,50000,'2023-11-03','online','savings top up'),(2,1003,1004,20000,'2023-12-01','online','monthly saving'),(3,1008,1012,125000,'2024-01-10','branch','van repair'),(4,1002,1001,200000,'2024-01-22','phone',NULL),(5,1005,1003,4500,'2024-02-14','mobile','dinner'),
(6,1009,1016,1000000,'2024-02-21','branch','new account'),(7,1003,1004,20000,'2024-03-01','online','monthly saving'),(8,1012,1008,32000,'2024-03-18','online','bread order refund'),(9,1011,1007,2500,'2024-04-02','mobile',NULL),(10,1006,1013,15000,'2024-04-05','branch','pocket money'),
(11,1001,1015,75000,'2024-04-26','online','birthday gift'),(12,1003,1004,20000,'2024-05-02','mobile','monthly saving'),(13,1008,1011,180000,'2024-05-15','online','wages may');
