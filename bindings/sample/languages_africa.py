"""Languages of the countries of Africa; a star marks one that is official in the whole country, by law or in practice.

Of countries with many languages only the official ones and a few of the largest are listed.
"""

TEXT = """
DZA: Arabic*, Tamazight*, French
AGO: Portuguese*, Umbundu
BEN: French*, Fon, Yoruba
BWA: English*, Tswana
BFA: French*, Mooré
BDI: Kirundi*, French*, English*, Swahili
CMR: French*, English*, Fula
CPV: Portuguese*, Cape Verdean Creole
CAF: French*, Sango*
TCD: French*, Arabic*
COM: Comorian*, Arabic*, French*
COG: French*, Lingala, Kikongo
COD: French*, Lingala, Swahili, Kikongo
DJI: French*, Arabic*, Somali, Afar
EGY: Arabic*
GNQ: Spanish*, French*, Portuguese*
ERI: Tigrinya*, Arabic*, English*, Afar
SWZ: Swazi*, English*
ETH: Amharic*, Oromo*, Somali*, Tigrinya*, Afar*
GAB: French*
GMB: English*, Wolof, Fula
GHA: English*, Akan, Ewe
GIN: French*, Fula
GNB: Portuguese*, Fula
CIV: French*
KEN: Swahili*, English*
LSO: Sotho*, English*
LBR: English*
LBY: Arabic*
MDG: Malagasy*, French*
MWI: English*, Chewa
MLI: French, Bambara*, Fula*
MRT: Arabic*, Fula, Wolof
MUS: English*, French, Mauritian Creole
MAR: Arabic*, Tamazight*, French
MOZ: Portuguese*, Makhuwa
NAM: English*, Afrikaans, German
NER: French*, Hausa
NGA: English*, Hausa, Yoruba, Igbo, Fula
RWA: Kinyarwanda*, English*, French*, Swahili*
STP: Portuguese*
SEN: French*, Wolof, Fula
SYC: Seychellois Creole*, English*, French*
SLE: English*, Krio
SOM: Somali*, Arabic
ZAF: Afrikaans*, English*, Southern Ndebele*, Northern Sotho*, Sotho*, Swazi*, Tsonga*, Tswana*, Venda*, Xhosa*, Zulu*
SSD: English*, Arabic
SDN: Arabic*, English*
TZA: Swahili*, English*
TGO: French*, Ewe
TUN: Arabic*, French
UGA: English*, Swahili*, Luganda
ZMB: English*, Bemba, Chewa
ZWE: English*, Shona*, Northern Ndebele*, Chewa*, Tswana*, Venda*, Xhosa*, Tsonga*, Sotho*
"""
