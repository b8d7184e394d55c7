"""The currencies that are some country's own or adopted money in 2023: ISO 4217 code and name."""

TEXT = """
AED|United Arab Emirates dirham
AFN|Afghan afghani
ALL|Albanian lek
AMD|Armenian dram
AOA|Angolan kwanza
ARS|Argentine peso
AUD|Australian dollar
AZN|Azerbaijani manat
BAM|Bosnian convertible mark
BBD|Barbadian dollar
BDT|Bangladeshi taka
BGN|Bulgarian lev
BHD|Bahraini dinar
BIF|Burundian franc
BND|Brunei dollar
BOB|Boliviano
BRL|Brazilian real
BSD|Bahamian dollar
BTN|Bhutanese ngultrum
BWP|Botswana pula
BYN|Belarusian ruble
BZD|Belize dollar
CAD|Canadian dollar
CDF|Congolese franc
CHF|Swiss franc
CLP|Chilean peso
CNY|Chinese yuan
COP|Colombian peso
CRC|Costa Rican colón
CUP|Cuban peso
CVE|Cape Verdean escudo
CZK|Czech koruna
DJF|Djiboutian franc
DKK|Danish krone
DOP|Dominican peso
DZD|Algerian dinar
EGP|Egyptian pound
ERN|Eritrean nakfa
ETB|Ethiopian birr
EUR|Euro
FJD|Fijian dollar
GBP|Pound sterling
GEL|Georgian lari
GHS|Ghanaian cedi
GMD|Gambian dalasi
GNF|Guinean franc
GTQ|Guatemalan quetzal
GYD|Guyanese dollar
HNL|Honduran lempira
HTG|Haitian gourde
HUF|Hungarian forint
IDR|Indonesian rupiah
ILS|Israeli new shekel
INR|Indian rupee
IQD|Iraqi dinar
IRR|Iranian rial
ISK|Icelandic króna
JMD|Jamaican dollar
JOD|Jordanian dinar
JPY|Japanese yen
KES|Kenyan shilling
KGS|Kyrgyzstani som
KHR|Cambodian riel
KMF|Comorian franc
KPW|North Korean won
KRW|South Korean won
KWD|Kuwaiti dinar
KZT|Kazakhstani tenge
LAK|Lao kip
LBP|Lebanese pound
LKR|Sri Lankan rupee
LRD|Liberian dollar
LSL|Lesotho loti
LYD|Libyan dinar
MAD|Moroccan dirham
MDL|Moldovan leu
MGA|Malagasy ariary
MKD|Macedonian denar
MMK|Myanmar kyat
MNT|Mongolian tögrög
MRU|Mauritanian ouguiya
MUR|Mauritian rupee
MVR|Maldivian rufiyaa
MWK|Malawian kwacha
MXN|Mexican peso
MYR|Malaysian ringgit
MZN|Mozambican metical
NAD|Namibian dollar
NGN|Nigerian naira
NIO|Nicaraguan córdoba
NOK|Norwegian krone
NPR|Nepalese rupee
NZD|New Zealand dollar
OMR|Omani rial
PAB|Panamanian balboa
PEN|Peruvian sol
PGK|Papua New Guinean kina
PHP|Philippine peso
PKR|Pakistani rupee
PLN|Polish złoty
PYG|Paraguayan guaraní
QAR|Qatari riyal
RON|Romanian leu
RSD|Serbian dinar
RUB|Russian ruble
RWF|Rwandan franc
SAR|Saudi riyal
SBD|Solomon Islands dollar
SCR|Seychellois rupee
SDG|Sudanese pound
SEK|Swedish krona
SGD|Singapore dollar
SLE|Sierra Leonean leone
SOS|Somali shilling
SRD|Surinamese dollar
SSP|South Sudanese pound
STN|São Tomé and Príncipe dobra
SYP|Syrian pound
SZL|Swazi lilangeni
THB|Thai baht
TJS|Tajikistani somoni
TMT|Turkmenistani manat
TND|Tunisian dinar
TOP|Tongan pa'anga
TRY|Turkish lira
TTD|Trinidad and Tobago dollar
TZS|Tanzanian shilling
UAH|Ukrainian hryvnia
UGX|Ugandan shilling
USD|United States dollar
UYU|Uruguayan peso
UZS|Uzbekistani som
VES|Venezuelan bolívar
VND|Vietnamese dong
VUV|Vanuatu vatu
WST|Samoan tala
XAF|Central African CFA franc
XCD|East Caribbean dollar
XOF|West African CFA franc
YER|Yemeni rial
ZAR|South African rand
ZMW|Zambian kwacha
ZWL|Zimbabwean dollar
"""
