"""Land borders of the countries of Europe: a country and all its neighbours.

Territories count with their country: France borders Brazil and Suriname (French Guiana), Spain borders Morocco (Ceuta
and Melilla), the United Kingdom borders Spain (Gibraltar) and Cyprus (Akrotiri and Dhekelia), Denmark borders Canada
(Hans Island).  Sint Maarten is a country of its own within its kingdom and does not count.  Kosovo, which is no member
of the United Nations, has no row; its borders are nobody's here.
"""

TEXT = """
ALB: GRC MKD MNE
AND: ESP FRA
AUT: CHE CZE DEU HUN ITA LIE SVK SVN
BLR: LTU LVA POL RUS UKR
BEL: DEU FRA LUX NLD
BIH: HRV MNE SRB
BGR: GRC MKD ROU SRB TUR
HRV: BIH HUN MNE SRB SVN
CZE: AUT DEU POL SVK
DNK: CAN DEU
EST: LVA RUS
FIN: NOR RUS SWE
FRA: AND BEL BRA CHE DEU ESP ITA LUX MCO SUR
DEU: AUT BEL CHE CZE DNK FRA LUX NLD POL
GRC: ALB BGR MKD TUR
HUN: AUT HRV ROU SRB SVK SVN UKR
IRL: GBR
ITA: AUT CHE FRA SMR SVN VAT
LVA: BLR EST LTU RUS
LIE: AUT CHE
LTU: BLR LVA POL RUS
LUX: BEL DEU FRA
MDA: ROU UKR
MCO: FRA
MNE: ALB BIH HRV SRB
NLD: BEL DEU
MKD: ALB BGR GRC SRB
NOR: FIN RUS SWE
POL: BLR CZE DEU LTU RUS SVK UKR
PRT: ESP
ROU: BGR HUN MDA SRB UKR
RUS: AZE BLR CHN EST FIN GEO KAZ LTU LVA MNG NOR POL PRK UKR
SMR: ITA
SRB: BGR BIH HRV HUN MKD MNE ROU
SVK: AUT CZE HUN POL UKR
SVN: AUT HRV HUN ITA
ESP: AND FRA GBR MAR PRT
SWE: FIN NOR
CHE: AUT DEU FRA ITA LIE
UKR: BLR HUN MDA POL ROU RUS SVK
GBR: CYP ESP IRL
VAT: ITA
"""
