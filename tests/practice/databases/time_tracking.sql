CREATE TABLE clients (
  client_id INTEGER PRIMARY KEY,
  client_name VARCHAR(80) NOT NULL,
  industry VARCHAR(40),
  country VARCHAR(40),
  signed_on DATE
);
CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  full_name VARCHAR(60) NOT NULL,
  job_title VARCHAR(40),
  manager_id INTEGER,
  hourly_cost DECIMAL(8,2),
  hired_on DATE,
  left_on DATE
);
CREATE TABLE projects (
  project_id INTEGER PRIMARY KEY,
  client_id INTEGER REFERENCES clients(client_id),
  project_name VARCHAR(80),
  lead_id INTEGER REFERENCES employees(employee_id),
  status VARCHAR(20),
  budget_hours INTEGER,
  hourly_rate DECIMAL(8,2),
  start_date DATE,
  end_date DATE
);
CREATE TABLE project_members (
  project_id INTEGER REFERENCES projects(project_id),
  employee_id INTEGER REFERENCES employees(employee_id),
  role VARCHAR(30),
  PRIMARY KEY (project_id, employee_id)
);
CREATE TABLE tasks (
  task_id INTEGER PRIMARY KEY,
  project_id INTEGER REFERENCES projects(project_id),
  title VARCHAR(100),
  assignee_id INTEGER REFERENCES employees(employee_id),
  priority VARCHAR(10),
  estimate_hours DECIMAL(6,1),
  due_date DATE,
  done_on DATE
);
CREATE TABLE timesheets (
  entry_id INTEGER PRIMARY KEY,
  task_id INTEGER REFERENCES tasks(task_id),
  employee_id INTEGER REFERENCES employees(employee_id),
  work_date DATE,
  hours DECIMAL(4,2),
  billable INTEGER,
  note VARCHAR(100)
);
INSERT INTO clients VALUES
(1,'Northwind Logistics','Transport','United Kingdom','2022-02-14'),
(2,'Helix Pharma','Healthcare','Germany','2022-06-01'),
(3,'Blue Harbor Bank','Finance','United Kingdom','2022-09-20'),
(4,'Verdant Foods','Retail','France','2023-01-11'),
(5,'City of Marlow','Public sector','United Kingdom','2023-03-30'),
(6,'Kestrel Energy','Utilities','Norway','2023-08-08'),
(7,'Orchid Hotels','Hospitality',NULL,'2024-02-05'),
(8,'Fjord Shipping','Transport','Norway','2024-05-16');
INSERT INTO employees VALUES
(1,'Margaret Doyle','Managing Director',NULL,95.00,'2019-01-07',NULL),
(2,'Samir Patel','Delivery Manager',1,70.00,'2020-03-16',NULL),
(3,'Ingrid Larsen','Delivery Manager',1,68.50,'2020-09-01',NULL),
(4,'Tom Baxter','Developer',2,48.00,'2021-05-10',NULL),
(5,'Lucy Chen','Developer',2,52.00,'2021-11-22',NULL),
(6,'Rafael Gomez','Designer',3,45.00,'2022-01-17',NULL),
(7,'Hannah Weiss','Analyst',3,44.50,'2022-04-04','2024-03-29'),
(8,'Omar Haddad','Developer',2,41.00,'2023-02-06',NULL),
(9,'Priya Nair','Tester',3,38.00,'2023-06-19',NULL),
(10,'Jack Osborne','Designer',3,39.00,'2024-07-01',NULL);
INSERT INTO projects VALUES
(1,1,'Fleet Tracker',2,'completed',400,95.00,'2022-03-01','2023-01-31'),
(2,2,'Trial Data Portal',3,'active',600,110.00,'2023-04-03',NULL),
(3,3,'Mobile Banking Refresh',2,'active',800,120.00,'2023-09-11',NULL),
(4,3,'Fraud Dashboard',3,'on hold',250,120.00,'2024-01-15',NULL),
(5,4,'Supplier Website',2,'completed',180,85.00,'2023-02-01','2023-08-18'),
(6,5,'Parking Permits Online',3,'active',320,80.00,'2024-02-12',NULL),
(7,6,'Smart Meter App',2,'cancelled',500,105.00,'2023-10-02','2024-01-12'),
(8,1,'Warehouse Scanner',2,'active',220,98.00,'2024-05-06',NULL),
(9,7,'Booking Engine Audit',NULL,'proposed',60,100.00,NULL,NULL);
INSERT INTO project_members VALUES
(1,4,'developer'),(1,6,'designer'),(1,2,'lead'),
(2,3,'lead'),(2,5,'developer'),(2,7,'analyst'),(2,9,'tester'),
(3,2,'lead'),(3,4,'developer'),(3,5,'developer'),(3,6,'designer'),(3,9,'tester'),
(4,3,'lead'),(4,7,'analyst'),
(5,4,'developer'),(5,6,'designer'),
(6,3,'lead'),(6,8,'developer'),(6,9,'tester'),
(7,8,'developer'),(7,2,'lead'),
(8,8,'developer'),(8,4,'reviewer');
INSERT INTO tasks VALUES
(1,1,'Map view',4,'high',60.0,'2022-06-30','2022-07-05'),
(2,1,'Driver login',4,'medium',24.0,'2022-08-15','2022-08-12'),
(3,1,'Icon set',6,'low',16.0,'2022-05-20','2022-05-18'),
(4,2,'Upload service',5,'high',80.0,'2023-07-31','2023-08-14'),
(5,2,'Audit trail',5,'high',40.0,'2024-02-28','2024-02-27'),
(6,2,'Requirements workshop',7,'medium',20.0,'2023-04-28','2023-04-26'),
(7,3,'New login screen',6,'high',30.0,'2023-11-10','2023-11-20'),
(8,3,'Card freeze feature',4,'high',70.0,'2024-03-15','2024-04-02'),
(9,3,'Regression tests',9,'medium',50.0,'2024-06-28',NULL),
(10,3,'Payments API',5,'high',90.0,'2024-09-30',NULL),
(11,4,'Alert rules',7,'medium',35.0,'2024-03-22',NULL),
(12,5,'Product catalogue',4,'medium',45.0,'2023-05-31','2023-05-30'),
(13,5,'Landing page',6,'low',12.0,'2023-03-17','2023-03-17'),
(14,6,'Permit form',8,'high',55.0,'2024-05-31','2024-06-10'),
(15,6,'Accessibility check',9,'low',18.0,'2024-07-15',NULL),
(16,7,'Meter pairing',8,'medium',40.0,'2023-12-15',NULL),
(17,8,'Barcode reader',8,'high',48.0,'2024-08-30',NULL),
(18,8,'Label printing',NULL,'low',NULL,NULL,NULL);
INSERT INTO timesheets VALUES
(1,1,4,'2022-06-13',7.50,1,'tiles and markers'),
(2,1,4,'2022-06-14',8.00,1,NULL),
(3,3,6,'2022-05-16',6.00,1,'first drafts'),
(4,2,4,'2022-08-10',5.50,1,NULL),
(5,6,7,'2023-04-24',7.00,1,'workshop in Berlin'),
(6,6,3,'2023-04-24',4.00,0,'travel'),
(7,4,5,'2023-07-10',8.00,1,NULL),
(8,4,5,'2023-07-11',7.50,1,'chunked uploads'),
(9,13,6,'2023-03-15',6.50,1,NULL),
(10,12,4,'2023-05-22',7.00,1,NULL),
(11,7,6,'2023-11-06',7.50,1,NULL),
(12,7,6,'2023-11-13',3.00,0,'rework'),
(13,16,8,'2023-11-20',6.00,1,NULL),
(14,16,8,'2023-11-21',2.50,0,'training'),
(15,5,5,'2024-02-19',8.00,1,NULL),
(16,8,4,'2024-03-11',8.50,1,NULL),
(17,8,4,'2024-03-12',4.00,0,'rework'),
(18,11,7,'2024-03-18',5.00,1,'rule catalogue'),
(19,14,8,'2024-05-20',7.25,1,NULL),
(20,14,8,'2024-06-03',6.75,1,NULL),
(21,9,9,'2024-06-10',7.00,1,NULL),
(22,15,9,'2024-06-17',3.50,1,'screen reader'),
(23,10,5,'2024-07-08',8.00,1,NULL),
(24,10,5,'2024-07-09',7.75,1,NULL),
(25,17,8,'2024-07-15',6.00,0,'prototype');
