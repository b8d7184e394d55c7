CREATE TABLE users (
  userId INTEGER PRIMARY KEY,
  userName VARCHAR(30),
  displayName VARCHAR(50),
  countryCode CHAR(2),
  signupDate TEXT,
  isPremium INTEGER,
  invitedBy INTEGER
);
CREATE TABLE recipes (
  recipeId INTEGER PRIMARY KEY,
  recipeTitle VARCHAR(80),
  authorId INTEGER,
  cuisine VARCHAR(20),
  course VARCHAR(15),
  prepMin INTEGER,
  cookMin INTEGER,
  servings INTEGER,
  skill INTEGER,
  publishedOn TEXT,
  basedOnRecipeId INTEGER
);
CREATE TABLE ingredients (
  ingredientId INTEGER PRIMARY KEY,
  ingredientName VARCHAR(40),
  foodGroup VARCHAR(20),
  isAnimal INTEGER,
  glutenFree INTEGER
);
CREATE TABLE "Nutrition Facts" (
  ingredientId INTEGER PRIMARY KEY,
  "kcal per 100g" INTEGER,
  "protein g" DECIMAL(5,1),
  "fat g" DECIMAL(5,1),
  "carbs g" DECIMAL(5,1),
  "sodium mg" INTEGER
);
CREATE TABLE recipeIngredients (
  recipeId INTEGER,
  ingredientId INTEGER,
  grams DECIMAL(7,1),
  optional INTEGER,
  PRIMARY KEY (recipeId, ingredientId)
);
CREATE TABLE ratings (
  recipeId INTEGER,
  userId INTEGER,
  stars INTEGER,
  ratedOn TEXT,
  comment VARCHAR(120),
  PRIMARY KEY (recipeId, userId)
);
CREATE TABLE collections (
  collectionId INTEGER PRIMARY KEY,
  ownerId INTEGER,
  collectionName VARCHAR(40),
  isPublic INTEGER
);
CREATE TABLE collectionItems (
  collectionId INTEGER,
  recipeId INTEGER,
  addedOn TEXT,
  PRIMARY KEY (collectionId, recipeId)
);
INSERT INTO users VALUES
(1,'chef_marta','Marta Kowal','PL','2022-01-09',1,NULL),
(2,'spoonful','Ben Archer','GB','2022-03-21',0,1),
(3,'lentil_lover','Anjali Rao','IN','2022-05-30',1,1),
(4,'nonna77','Lucia Ferri','IT','2022-11-02',0,NULL),
(5,'quickbites','Tyler Moss','US','2023-02-14',0,2),
(6,'greenplate','Sofie Dahl','SE','2023-04-18',1,3),
(7,'grillmaster','Hank Doyle','US','2023-07-04',0,5),
(8,'sugarhigh','Chloe Petit','FR','2023-12-24',1,4),
(9,'lurker01',NULL,NULL,'2024-02-29',0,NULL),
(10,'kimchi_kid','Min-jun Park','KR','2024-06-10',0,6);
INSERT INTO recipes VALUES
(1,'Red Lentil Dal',3,'Indian','main',10,30,4,1,'2022-06-15',NULL),
(2,'Pierogi with Potato',1,'Polish','main',60,15,4,3,'2022-02-01',NULL),
(3,'Spaghetti Aglio e Olio',4,'Italian','main',5,15,2,1,'2022-11-20',NULL),
(4,'Vegan Pierogi',6,'Polish','main',70,15,4,3,'2023-05-05',2),
(5,'Smoky Ribs',7,'American','main',20,240,6,2,'2023-07-10',NULL),
(6,'Overnight Oats',5,NULL,'breakfast',5,0,1,1,'2023-03-01',NULL),
(7,'Lemon Tart',8,'French','dessert',45,35,8,3,'2024-01-06',NULL),
(8,'Tomato Soup',2,NULL,'starter',15,25,4,1,'2022-04-12',NULL),
(9,'Creamy Tomato Soup',1,NULL,'starter',15,30,4,1,'2023-10-15',8),
(10,'Kimchi Fried Rice',10,'Korean','main',10,10,2,1,'2024-07-01',NULL),
(11,'Chickpea Dal',3,'Indian','main',15,40,4,2,'2024-03-18',1),
(12,'Chocolate Mousse',8,'French','dessert',25,0,6,2,'2024-02-14',NULL),
(13,'Secret Stew',4,NULL,'main',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO ingredients VALUES
(1,'Red lentils','legume',0,1),(2,'Onion','vegetable',0,1),(3,'Wheat flour','grain',0,0),(4,'Potato','vegetable',0,1),(5,'Curd cheese','dairy',1,1),
(6,'Spaghetti','grain',0,0),(7,'Olive oil','fat',0,1),(8,'Garlic','vegetable',0,1),(9,'Pork ribs','meat',1,1),(10,'Rolled oats','grain',0,NULL),
(11,'Milk','dairy',1,1),(12,'Butter','fat',1,1),(13,'Lemon','fruit',0,1),(14,'Egg','egg',1,1),(15,'Tomato','vegetable',0,1),
(16,'Cream','dairy',1,1),(17,'Kimchi','vegetable',0,1),(18,'Rice','grain',0,1),(19,'Chickpeas','legume',0,1),(20,'Dark chocolate','sweet',0,1),
(21,'Sugar','sweet',0,1),(22,'Saffron','spice',0,1),(23,'Tofu','legume',0,1);
INSERT INTO "Nutrition Facts" VALUES
(1,352,24.6,1.1,60.1,6),(2,40,1.1,0.1,9.3,4),(3,364,10.3,1.0,76.3,2),(4,77,2.0,0.1,17.5,6),(5,98,11.1,4.3,3.4,364),(6,371,13.0,1.5,74.7,6),
(7,884,0.0,100.0,0.0,2),(8,149,6.4,0.5,33.1,17),(9,277,15.5,23.4,0.0,75),(10,379,13.2,6.5,67.7,6),(11,61,3.2,3.3,4.8,43),(12,717,0.9,81.1,0.1,643),
(13,29,1.1,0.3,9.3,2),(14,143,12.6,9.5,0.7,142),(15,18,0.9,0.2,3.9,5),(16,340,2.8,36.1,2.7,27),(17,15,1.1,0.5,2.4,498),(18,365,7.1,0.7,80.0,5),
(19,364,19.3,6.0,60.7,24),(20,598,7.8,42.6,45.9,20),(21,387,0.0,0.0,100.0,1),(23,76,8.1,4.8,1.9,NULL);
INSERT INTO recipeIngredients VALUES
(1,1,300.0,0),(1,2,150.0,0),(1,8,15.0,0),(2,3,400.0,0),(2,4,500.0,0),(2,5,250.0,0),(2,12,40.0,1),
(3,6,200.0,0),(3,7,40.0,0),(3,8,20.0,0),(4,3,400.0,0),(4,4,600.0,0),(4,23,200.0,0),(5,9,2000.0,0),(5,21,60.0,1),
(6,10,60.0,0),(6,11,180.0,0),(7,3,200.0,0),(7,12,150.0,0),(7,13,250.0,0),(7,14,220.0,0),(7,21,180.0,0),
(8,15,800.0,0),(8,2,100.0,0),(8,7,20.0,1),(9,15,800.0,0),(9,16,150.0,0),(9,2,100.0,0),(10,17,200.0,0),(10,18,250.0,0),(10,14,110.0,1),
(11,19,400.0,0),(11,2,150.0,0),(11,15,200.0,0),(12,20,200.0,0),(12,14,240.0,0),(12,21,40.0,1);
INSERT INTO ratings VALUES
(1,1,5,'2022-07-01','Comfort in a bowl'),(1,2,4,'2022-08-11',NULL),(1,6,5,'2023-05-01','So cheap and filling'),(1,10,4,'2024-06-15',NULL),
(2,2,5,'2022-03-30','Worth the work'),(2,3,4,'2022-06-20',NULL),(2,4,3,'2022-12-01','Too salty'),
(3,5,5,'2023-02-20','Ready in 20 minutes'),(3,8,4,'2024-01-01',NULL),(4,3,5,'2023-06-06',NULL),(4,1,2,'2023-06-08','Not real pierogi'),
(5,5,5,'2023-07-20','Best ribs ever'),(5,6,1,'2023-08-01','No meat for me'),(6,2,3,'2023-03-15',NULL),(7,4,5,'2024-01-20','Elegant'),
(7,1,4,'2024-02-02',NULL),(8,5,3,'2023-02-28','A bit thin'),(9,2,4,'2023-11-01','Better than mine'),(9,5,4,'2023-11-15',NULL),
(10,6,4,'2024-08-01','I left out the egg'),(12,4,5,'2024-03-01',NULL),(12,7,5,'2024-03-10','Wow'),(11,1,4,'2024-04-02','Good but salty');
INSERT INTO collections VALUES
(1,2,'Weeknight dinners',1),(2,3,'Vegetarian favourites',1),(3,5,'Under 30 minutes',1),(4,8,'Sweet things',0),(5,6,'Plant based',1),(6,7,'BBQ',0),(7,9,'To try',0),(8,1,'Soups',1);
INSERT INTO collectionItems VALUES
(1,1,'2022-08-11'),(1,3,'2023-01-05'),(1,8,'2022-04-13'),(2,1,'2022-06-16'),(2,2,'2022-06-21'),(2,11,'2024-03-18'),
(3,3,'2023-02-20'),(3,6,'2023-03-02'),(3,10,'2024-07-09'),(4,7,'2024-01-07'),(4,12,'2024-02-15'),(5,1,'2023-05-02'),(5,4,'2023-05-06'),(6,5,'2023-07-11'),(8,8,'2023-10-01'),(8,9,'2023-10-16');
