CREATE TABLE member (member_id INTEGER PRIMARY KEY, f_nm TEXT, l_nm TEXT, sex TEXT, joined_on DATE, sponsor_id INTEGER REFERENCES member(member_id));
INSERT INTO member VALUES (1,'Ada','Bell','F','2021-03-02',NULL), (5,'Eve','Ford','F','2024-03-09',NULL);
INSERT INTO member VALUES (2,'Ben','Cole','M','2022-07-01',1);
INSERT INTO member VALUES (3,'Cleo','Dunn','F','2022-03-15',1);
INSERT INTO member VALUES (4,'Dov','Eden','M','2023-01-20',2);
CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, length INTEGER, is_subtitled INTEGER, price REAL);
INSERT INTO film VALUES
    (1,'Salt','drama',95,1,5.0),
    (2,'Deep','drama',150,0,7.0),
    (3,'Glow','comedy',88,0,4.5),
    (4,'Rise','comedy',121,1,6.0);
CREATE TABLE screening (screening_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES film(film_id), starts_at TIMESTAMP, ends_at TIMESTAMP, state TEXT);
INSERT INTO screening VALUES
    (1,1,'2023-03-05 18:00:00','2023-03-05 20:00:00','held'),
    (2,1,'2024-05-05 18:00:00','2024-05-05 19:30:00','cancelled'),
    (3,2,'2024-03-07 20:00:00','2024-03-07 23:00:00','held'),
    (4,3,'2024-03-08 20:00:00','2024-03-08 22:00:00','planned');
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member(member_id), screening_id INTEGER REFERENCES screening(screening_id), booked_on DATE, seats INTEGER, total_price REAL, paid_on DATE);
INSERT INTO booking VALUES
    (1,1,1,'2023-03-01',2,10.0,'2023-03-02'),
    (2,1,3,'2024-03-01',1,7.0,NULL),
    (3,2,3,'2024-03-02',4,28.0,'2024-03-04'),
    (4,3,2,'2024-04-30',2,10.0,'2024-05-01'),
    (5,2,1,'2023-03-03',1,5.0,'2023-03-03');
CREATE TABLE team (team_id INTEGER PRIMARY KEY, team_name TEXT, town TEXT);
INSERT INTO team VALUES (1,'Lions','Ely'),(2,'Bears','Bath'),(3,'Foxes','Deal');
CREATE TABLE fixture (fixture_id INTEGER PRIMARY KEY, home_team_id INTEGER REFERENCES team(team_id), away_team_id INTEGER REFERENCES team(team_id), played_on DATE, home_goals INTEGER, away_goals INTEGER);
INSERT INTO fixture VALUES
    (1,1,2,'2024-03-01',2,1),
    (2,2,3,'2024-04-01',0,0),
    (3,3,1,'2024-05-01',1,3),
    (4,1,3,'2024-06-01',4,0);
