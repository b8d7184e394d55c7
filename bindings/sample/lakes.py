"""Well-known lakes: name, area in km2, greatest depth in m, countries on the shore.

Areas are rounded, and change with the seasons and the years; the Caspian Sea is counted as a lake.
"""

TEXT = """
Caspian Sea|371000|1025|AZE IRN KAZ RUS TKM
Lake Superior|82100|406|CAN USA
Lake Victoria|68800|84|KEN TZA UGA
Lake Huron|59600|229|CAN USA
Lake Michigan|58000|281|USA
Lake Tanganyika|32900|1470|BDI COD TZA ZMB
Lake Baikal|31700|1642|RUS
Great Bear Lake|31000|446|CAN
Lake Malawi|29600|706|MOZ MWI TZA
Great Slave Lake|27200|614|CAN
Lake Erie|25700|64|CAN USA
Lake Winnipeg|24500|36|CAN
Lake Ontario|19000|244|CAN USA
Lake Ladoga|17700|230|RUS
Lake Onega|9700|127|RUS
Lake Titicaca|8370|281|BOL PER
Lake Nicaragua|8260|26|NIC
Issyk-Kul|6240|668|KGZ
Lake Turkana|6400|109|ETH KEN
Vänern|5650|106|SWE
Lake Albert|5300|58|COD UGA
Lake Kivu|2700|480|COD RWA
Lake Van|3750|451|TUR
Lake Peipus|3550|15|EST RUS
Lake Balaton|592|12|HUN
Lake Constance|536|251|AUT CHE DEU
Lake Geneva|580|310|CHE FRA
Lake Garda|370|346|ITA
Lake Maggiore|212|372|CHE ITA
Lake Como|146|425|ITA
Lake Ohrid|358|288|ALB MKD
Lake Prespa|259|54|ALB GRC MKD
Loch Ness|56|230|GBR
Lough Neagh|392|25|GBR
Dead Sea|605|304|ISR JOR PSE
Sea of Galilee|166|43|ISR
Lake Biwa|670|104|JPN
Lake Toba|1130|505|IDN
Lake Sevan|1240|79|ARM
Lake Tahoe|490|501|USA
Crater Lake|53|594|USA
Lake Taupō|616|186|NZL
"""
