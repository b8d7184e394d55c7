"""Languages of the countries of Europe; a star marks one official in the whole country, by law or in practice."""

TEXT = """
ALB: Albanian*, Greek
AND: Catalan*, Spanish, French, Portuguese
AUT: German*, Slovene, Croatian, Hungarian
BLR: Belarusian*, Russian*
BEL: Dutch*, French*, German*
BIH: Bosnian*, Croatian*, Serbian*
BGR: Bulgarian*, Turkish
HRV: Croatian*, Serbian, Italian
CZE: Czech*, Slovak
DNK: Danish*, Greenlandic, German
EST: Estonian*, Russian
FIN: Finnish*, Swedish*, Sámi
FRA: French*, Basque, Catalan
DEU: German*, Danish, Turkish
GRC: Greek*, Turkish
HUN: Hungarian*, German
ISL: Icelandic*
IRL: Irish*, English*
ITA: Italian*, German, French, Slovene
LVA: Latvian*, Russian
LIE: German*
LTU: Lithuanian*, Polish, Russian
LUX: Luxembourgish*, French*, German*
MLT: Maltese*, English*, Italian
MDA: Romanian*, Russian, Ukrainian
MCO: French*, Italian
MNE: Montenegrin*, Serbian, Bosnian, Albanian, Croatian
NLD: Dutch*, Papiamento, English
MKD: Macedonian*, Albanian*, Turkish
NOR: Norwegian*, Sámi
POL: Polish*, German
PRT: Portuguese*
ROU: Romanian*, Hungarian
RUS: Russian*, Tatar
SMR: Italian*
SRB: Serbian*, Hungarian, Bosnian, Albanian, Slovak, Romanian
SVK: Slovak*, Hungarian
SVN: Slovene*, Italian, Hungarian
ESP: Spanish*, Catalan, Galician, Basque
SWE: Swedish*, Finnish, Sámi
CHE: German*, French*, Italian*, Romansh*
UKR: Ukrainian*, Russian
GBR: English*, Welsh
VAT: Italian*, Latin*
"""
