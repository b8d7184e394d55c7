CREATE TABLE tbl_teacher (tch_id INTEGER PRIMARY KEY, tch_nm TEXT, initials TEXT, hired_dt DATE, left_dt DATE, ft_flag TEXT, mentor_id INTEGER);
CREATE TABLE tbl_subject (subj_cd TEXT PRIMARY KEY, subj_nm TEXT, dept TEXT);
CREATE TABLE tbl_room (room_no TEXT PRIMARY KEY, bldg TEXT, seats INTEGER, has_projector TEXT);
CREATE TABLE tbl_form (form_cd TEXT PRIMARY KEY, yr_grp INTEGER, tutor_id INTEGER, pupil_cnt INTEGER);
CREATE TABLE tbl_period (per_no INTEGER PRIMARY KEY, start_tm TEXT, end_tm TEXT);
CREATE TABLE tbl_lesson (lsn_id INTEGER PRIMARY KEY, wk_day TEXT, per_no INTEGER, form_cd TEXT, subj_cd TEXT, tch_id INTEGER, room_no TEXT);
CREATE TABLE tbl_teach_subj (tch_id INTEGER, subj_cd TEXT, main_yn TEXT, PRIMARY KEY (tch_id, subj_cd));
CREATE TABLE tbl_cover (cov_id INTEGER PRIMARY KEY, lsn_id INTEGER, cov_dt DATE, absent_tch INTEGER, cover_tch INTEGER, rsn TEXT);
INSERT INTO tbl_teacher VALUES (1,'Margaret Howe','MHO','2009-09-01',NULL,'Y',NULL),(2,'Simon Achebe','SAC','2015-09-01',NULL,'Y',1),(3,'Lucy Pemberton','LPE','2018-01-08',NULL,'N',1),(4,'Rafael Costa','RCO','2022-09-01',NULL,'Y',2),(5,'Grace Lim','GLI','2023-09-04',NULL,'Y',2),(6,'Peter Holroyd','PHO','2004-09-01','2024-07-19','Y',NULL),(7,'Anita Desai','ADE','2020-09-01',NULL,'N',3),(8,'Owen Griffiths','OGR','2024-01-08',NULL,'N',4),(9,'Lucy Marsh','LMA','2023-09-04',NULL,'Y',NULL);
INSERT INTO tbl_subject VALUES ('MAT','Mathematics','Science'),('PHY','Physics','Science'),('BIO','Biology','Science'),('ENG','English','Humanities'),('HIS','History','Humanities'),('GEO','Geography','Humanities'),('FRE','French','Languages'),('SPA','Spanish','Languages'),('ART','Art','Creative'),('MUS','Music','Creative'),('LAT','Latin','Languages');
INSERT INTO tbl_room VALUES ('101','Main',32,'Y'),('102','Main',30,'Y'),('103','Main',28,'N'),('L1','Science Block',24,'Y'),('L2','Science Block',24,'N'),('G1','Annex',20,'N'),('G2','Annex',16,NULL),('HALL','Main',180,'Y'),('M1','Annex',18,'Y');
INSERT INTO tbl_form VALUES ('7A',7,3,28),('7B',7,7,27),('8A',8,4,30),('8B',8,NULL,25),('9A',9,2,24),('9B',9,5,26),('10A',10,6,22),('10B',10,9,NULL);
INSERT INTO tbl_period VALUES (1,'08:45','09:40'),(2,'09:45','10:40'),(3,'11:00','11:55'),(4,'12:00','12:55'),(5,'13:50','14:45'),(6,'14:50','15:30'),(7,'15:35','16:15'),(0,'08:30','08:45');
INSERT INTO tbl_lesson VALUES
(1,'Mon',1,'7A','MAT',1,'101'),(2,'Mon',1,'7B','ENG',3,'102'),(3,'Mon',2,'7A','FRE',4,'103'),(4,'Mon',2,'8A','PHY',2,'L1'),(5,'Mon',3,'9A','BIO',5,'L2'),(6,'Mon',4,'9B','HIS',6,'102'),(7,'Tue',1,'8A','MAT',1,'101'),(8,'Tue',1,'8B','ART',7,'G1'),(9,'Tue',2,'7A','ENG',3,'102'),(10,'Tue',3,'10A','PHY',2,'L1'),
(11,'Tue',5,'10B','GEO',9,NULL),(12,'Wed',1,'9A','MAT',1,'101'),(13,'Wed',2,'9B','SPA',4,'103'),(14,'Wed',3,'7B','BIO',5,'L2'),(15,'Wed',4,'7A','HIS',6,'102'),(16,'Thu',1,'10A','MAT',2,'101'),(17,'Thu',2,'8B','FRE',4,'103'),(18,'Thu',2,'9A','ENG',3,'102'),(19,'Thu',5,'7B','ART',7,'G1'),
(20,'Fri',1,'7A','MAT',1,'101'),(21,'Fri',2,'8A','GEO',9,'103'),(22,'Fri',3,'9B','PHY',2,'L1'),(23,'Fri',6,'10B','HIS',6,'102'),(24,'Fri',3,'8B','MUS',8,'M1');
INSERT INTO tbl_teach_subj VALUES (1,'MAT','Y'),(2,'PHY','Y'),(2,'MAT','N'),(3,'ENG','Y'),(4,'FRE','Y'),(4,'SPA','N'),(5,'BIO','Y'),(5,'PHY','N'),(6,'HIS','Y'),(6,'ENG','N'),(7,'ART','Y'),(8,'MUS','Y'),(9,'GEO','Y'),(9,'HIS','N'),(9,'ENG','N');
INSERT INTO tbl_cover VALUES (1,1,'2023-10-02',1,2,'illness'),(2,9,'2023-11-14',3,6,'training'),(3,18,'2023-11-16',3,9,'illness'),(4,5,'2024-01-15',5,2,'illness'),(5,13,'2024-02-07',4,3,'family'),(6,3,'2024-03-04',4,3,'illness'),(7,17,'2024-03-07',4,9,'illness'),(8,6,'2024-05-13',6,9,NULL),(9,10,'2024-09-17',2,5,'training'),(10,21,'2024-10-04',9,NULL,'trip'),(11,22,'2024-10-11',2,5,'illness');
