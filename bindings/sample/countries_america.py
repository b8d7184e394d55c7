"""The countries of the Americas: code, name, population, area in km2, currency, capital, its population.

North America holds Central America and the Caribbean too.
"""

NORTH = """
ATG|Antigua and Barbuda|94000|442|XCD|St. John's|22000
BHS|Bahamas|413000|13943|BSD|Nassau|275000
BRB|Barbados|282000|430|BBD|Bridgetown|110000
BLZ|Belize|411000|22966|BZD|Belmopan|20600
CAN|Canada|40100000|9984670|CAD|Ottawa|1020000
CRI|Costa Rica|5210000|51100|CRC|San José|343000
CUB|Cuba|11200000|109884|CUP|Havana|2100000
DMA|Dominica|73000|750|XCD|Roseau|15000
DOM|Dominican Republic|11300000|48671|DOP|Santo Domingo|1030000
SLV|El Salvador|6360000|21041|USD|San Salvador|526000
GRD|Grenada|126000|344|XCD|St. George's|34000
GTM|Guatemala|18100000|108889|GTQ|Guatemala City|1220000
HTI|Haiti|11700000|27750|HTG|Port-au-Prince|987000
HND|Honduras|10600000|112492|HNL|Tegucigalpa|1280000
JAM|Jamaica|2830000|10991|JMD|Kingston|662000
MEX|Mexico|129700000|1964375|MXN|Mexico City|9210000
NIC|Nicaragua|6820000|130373|NIO|Managua|1060000
PAN|Panama|4460000|75417|PAB|Panama City|410000
KNA|Saint Kitts and Nevis|47000|261|XCD|Basseterre|14000
LCA|Saint Lucia|180000|617|XCD|Castries|20000
VCT|Saint Vincent and the Grenadines|104000|389|XCD|Kingstown|13000
TTO|Trinidad and Tobago|1370000|5131|TTD|Port of Spain|37000
USA|United States|334900000|9833517|USD|Washington, D.C.|679000
"""

SOUTH = """
ARG|Argentina|46300000|2780400|ARS|Buenos Aires|3120000
BOL|Bolivia|12200000|1098581|BOB|Sucre|261000
BRA|Brazil|211000000|8510346|BRL|Brasília|2820000
CHL|Chile|19600000|756102|CLP|Santiago|6260000
COL|Colombia|52300000|1141748|COP|Bogotá|7900000
ECU|Ecuador|18000000|256370|USD|Quito|1760000
GUY|Guyana|814000|214969|GYD|Georgetown|118000
PRY|Paraguay|6860000|406752|PYG|Asunción|462000
PER|Peru|34000000|1285216|PEN|Lima|10000000
SUR|Suriname|623000|163820|SRD|Paramaribo|241000
URY|Uruguay|3420000|176215|UYU|Montevideo|1300000
VEN|Venezuela|28800000|916445|VES|Caracas|2080000
"""
