"""Large cities of Africa: name, country, population; a star marks a capital beside the first one.

Pretoria, Cape Town and Bloemfontein are the executive, legislative and judicial capitals of South Africa.
"""

TEXT = """
Oran|DZA|800000
Cotonou|BEN|680000
Bujumbura|BDI|370000
Douala|CMR|2800000
Pointe-Noire|COG|720000
Lubumbashi|COD|2600000
Alexandria|EGY|5400000
Giza|EGY|4400000
Kumasi|GHA|440000
Abidjan|CIV|5600000
Mombasa|KEN|1200000
Benghazi|LBY|630000
Blantyre|MWI|800000
Casablanca|MAR|3360000
Fez|MAR|1110000
Marrakesh|MAR|929000
Tangier|MAR|948000
Lagos|NGA|15000000
Kano|NGA|4000000
Ibadan|NGA|3600000
Omdurman|SDN|2400000
Dar es Salaam|TZA|5400000
Mwanza|TZA|1100000
Johannesburg|ZAF|5600000
Cape Town|ZAF|4800000*
Durban|ZAF|3700000
Bloemfontein|ZAF|256000*
Ndola|ZMB|475000
Kitwe|ZMB|517000
Bulawayo|ZWE|665000
"""
