"""Long and well-known rivers: name, length in km, countries along the main stem.

Lengths follow the usual reckoning, which counts the headstreams of some rivers (the Nile from Burundi, the Congo from
Zambia); the Missouri is a river of its own.
"""

TEXT = """
Nile|6650|BDI EGY RWA SDN SSD TZA UGA
Amazon|6400|BRA COL PER
Yangtze|6300|CHN
Yellow River|5464|CHN
Congo|4700|AGO COD COG ZMB
Amur|2824|CHN RUS
Lena|4294|RUS
Yenisei|3487|RUS
Ob|3650|RUS
Irtysh|4248|CHN KAZ RUS
Mekong|4350|CHN KHM LAO MMR THA VNM
Mackenzie|1738|CAN
Niger|4180|BEN GIN MLI NER NGA
Missouri|3767|USA
Mississippi|3766|USA
Paraná|4880|ARG BRA PRY
Paraguay|2621|ARG BOL BRA PRY
Uruguay|1838|ARG BRA URY
Volga|3530|RUS
Ural|2428|KAZ RUS
Danube|2850|AUT BGR DEU HRV HUN MDA ROU SRB SVK UKR
Dnieper|2201|BLR RUS UKR
Don|1870|RUS
Dniester|1362|MDA UKR
Rhine|1233|AUT CHE DEU FRA LIE NLD
Elbe|1094|CZE DEU
Oder|854|CZE DEU POL
Vistula|1047|POL
Loire|1006|FRA
Seine|777|FRA
Rhône|813|CHE FRA
Meuse|925|BEL FRA NLD
Moselle|544|DEU FRA LUX
Main|527|DEU
Po|652|ITA
Tiber|405|ITA
Ebro|930|ESP
Tagus|1007|ESP PRT
Douro|897|ESP PRT
Thames|346|GBR
Severn|354|GBR
Shannon|360|IRL
Euphrates|2800|IRQ SYR TUR
Tigris|1900|IRQ SYR TUR
Jordan|251|ISR JOR PSE SYR
Indus|3180|CHN IND PAK
Ganges|2525|BGD IND
Brahmaputra|2900|BGD CHN IND
Godavari|1465|IND
Irrawaddy|2170|MMR
Salween|2815|CHN MMR THA
Zambezi|2574|AGO BWA MOZ NAM ZMB ZWE
Orange|2200|LSO NAM ZAF
Limpopo|1750|BWA MOZ ZAF ZWE
Senegal|1086|MLI MRT SEN
Okavango|1600|AGO BWA NAM
Yukon|3190|CAN USA
Saint Lawrence|1197|CAN USA
Columbia|2000|CAN USA
Colorado|2330|MEX USA
Rio Grande|3051|MEX USA
Snake|1735|USA
Ohio|1579|USA
Arkansas|2364|USA
Orinoco|2140|COL VEN
Magdalena|1528|COL
São Francisco|2830|BRA
Murray|2508|AUS
Darling|1472|AUS
Waikato|425|NZL
"""
