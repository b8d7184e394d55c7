"""Large cities of the Americas and hosts of Olympic Games: name, country, population (none where unsure).

A star marks a capital beside the first one: La Paz is the seat of government of Bolivia.
"""

TEXT = """
Toronto|CAN|2790000
Montreal|CAN|1760000
Calgary|CAN|1310000
Edmonton|CAN|1010000
Winnipeg|CAN|750000
Vancouver|CAN|662000
Quebec City|CAN|549000
Halifax|CAN|439000
Santiago de Cuba|CUB|507000
San Pedro Sula|HND|800000
Tijuana|MEX|1810000
León|MEX|1580000
Puebla|MEX|1540000
Ciudad Juárez|MEX|1500000
Guadalajara|MEX|1390000
Monterrey|MEX|1140000
Cancún|MEX|889000
New York City|USA|8260000
Los Angeles|USA|3820000
Chicago|USA|2660000
Houston|USA|2310000
Phoenix|USA|1650000
Philadelphia|USA|1550000
San Antonio|USA|1500000
San Diego|USA|1390000
Dallas|USA|1300000
Austin|USA|980000
San Jose|USA|970000
San Francisco|USA|809000
Seattle|USA|755000
Denver|USA|717000
Boston|USA|654000
Detroit|USA|633000
Las Vegas|USA|660000
Miami|USA|456000
Atlanta|USA|511000
New Orleans|USA|364000
Honolulu|USA|342000
Anchorage|USA|286000
St. Louis|USA|282000
Salt Lake City|USA|210000
Lake Placid|USA|2200
Squaw Valley|USA|
Córdoba|ARG|1500000
Rosario|ARG|1300000
Mendoza|ARG|115000
Ushuaia|ARG|80000
Santa Cruz de la Sierra|BOL|1600000
La Paz|BOL|756000*
São Paulo|BRA|11450000
Rio de Janeiro|BRA|6210000
Fortaleza|BRA|2430000
Salvador|BRA|2420000
Belo Horizonte|BRA|2320000
Manaus|BRA|2060000
Curitiba|BRA|1770000
Recife|BRA|1490000
Porto Alegre|BRA|1330000
Belém|BRA|1300000
Valparaíso|CHL|297000
Medellín|COL|2570000
Cali|COL|2280000
Barranquilla|COL|1330000
Cartagena|COL|1050000
Guayaquil|ECU|2650000
Arequipa|PER|1010000
Cusco|PER|428000
Ciudad del Este|PRY|325000
Maracaibo|VEN|1600000
"""
