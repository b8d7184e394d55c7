"""Languages of the Americas and Oceania; a star marks one official in the whole country, by law or in practice."""

TEXT = """
ATG: English*
BHS: English*
BRB: English*
BLZ: English*, Spanish
CAN: English*, French*, Inuktitut
CRI: Spanish*
CUB: Spanish*
DMA: English*
DOM: Spanish*
SLV: Spanish*
GRD: English*
GTM: Spanish*, K'iche'
HTI: French*, Haitian Creole*
HND: Spanish*
JAM: English*, Jamaican Patois
MEX: Spanish*, Nahuatl, Yucatec Maya
NIC: Spanish*
PAN: Spanish*
KNA: English*
LCA: English*
VCT: English*
TTO: English*
USA: English*, Spanish, Mandarin Chinese
ARG: Spanish*, Guarani, Quechua
BOL: Spanish*, Quechua*, Aymara*, Guarani*
BRA: Portuguese*
CHL: Spanish*
COL: Spanish*
ECU: Spanish*, Quechua
GUY: English*
PRY: Spanish*, Guarani*
PER: Spanish*, Quechua, Aymara
SUR: Dutch*, Sranan Tongo
URY: Spanish*
VEN: Spanish*
AUS: English*
FJI: English*, Fijian*, Hindi*
KIR: Gilbertese*, English*
MHL: Marshallese*, English*
FSM: English*
NRU: Nauruan*, English*
NZL: English*, Māori*
PLW: Palauan*, English*
PNG: English*, Tok Pisin*, Hiri Motu*
WSM: Samoan*, English*
SLB: English*, Solomons Pijin
TON: Tongan*, English*
TUV: Tuvaluan*, English*
VUT: Bislama*, English*, French*
"""
