"""The Olympic Games that were held: year and season, host city, its country.

The year is the one the Games are named after: those of Tokyo 2020 took place in 2021.  The Games of 1916, 1940 and
1944 were cancelled and are not here.  Melbourne alone stands for 1956, whose horse riding was in Stockholm.
"""

TEXT = """
1896 summer|Athens|GRC
1900 summer|Paris|FRA
1904 summer|St. Louis|USA
1908 summer|London|GBR
1912 summer|Stockholm|SWE
1920 summer|Antwerp|BEL
1924 summer|Paris|FRA
1924 winter|Chamonix|FRA
1928 summer|Amsterdam|NLD
1928 winter|St. Moritz|CHE
1932 summer|Los Angeles|USA
1932 winter|Lake Placid|USA
1936 summer|Berlin|DEU
1936 winter|Garmisch-Partenkirchen|DEU
1948 summer|London|GBR
1948 winter|St. Moritz|CHE
1952 summer|Helsinki|FIN
1952 winter|Oslo|NOR
1956 summer|Melbourne|AUS
1956 winter|Cortina d'Ampezzo|ITA
1960 summer|Rome|ITA
1960 winter|Squaw Valley|USA
1964 summer|Tokyo|JPN
1964 winter|Innsbruck|AUT
1968 summer|Mexico City|MEX
1968 winter|Grenoble|FRA
1972 summer|Munich|DEU
1972 winter|Sapporo|JPN
1976 summer|Montreal|CAN
1976 winter|Innsbruck|AUT
1980 summer|Moscow|RUS
1980 winter|Lake Placid|USA
1984 summer|Los Angeles|USA
1984 winter|Sarajevo|BIH
1988 summer|Seoul|KOR
1988 winter|Calgary|CAN
1992 summer|Barcelona|ESP
1992 winter|Albertville|FRA
1994 winter|Lillehammer|NOR
1996 summer|Atlanta|USA
1998 winter|Nagano|JPN
2000 summer|Sydney|AUS
2002 winter|Salt Lake City|USA
2004 summer|Athens|GRC
2006 winter|Turin|ITA
2008 summer|Beijing|CHN
2010 winter|Vancouver|CAN
2012 summer|London|GBR
2014 winter|Sochi|RUS
2016 summer|Rio de Janeiro|BRA
2018 winter|Pyeongchang|KOR
2020 summer|Tokyo|JPN
2022 winter|Beijing|CHN
2024 summer|Paris|FRA
"""
