"""The countries of Oceania: code, name, population, area in km2, currency, capital, its population."""

TEXT = """
AUS|Australia|26600000|7692024|AUD|Canberra|467000
FJI|Fiji|936000|18272|FJD|Suva|94000
KIR|Kiribati|133000|811|AUD|South Tarawa|63000
MHL|Marshall Islands|42000|181|USD|Majuro|23000
FSM|Micronesia|115000|702|USD|Palikir|6200
NRU|Nauru|12800|21|AUD|Yaren|800
NZL|New Zealand|5220000|268021|NZD|Wellington|215000
PLW|Palau|18000|459|USD|Ngerulmud|300
PNG|Papua New Guinea|10300000|462840|PGK|Port Moresby|365000
WSM|Samoa|218000|2842|WST|Apia|36000
SLB|Solomon Islands|740000|28896|SBD|Honiara|130000
TON|Tonga|105000|747|TOP|Nuku'alofa|23000
TUV|Tuvalu|11400|26|AUD|Funafuti|6300
VUT|Vanuatu|321000|12189|VUV|Port Vila|49000
"""
