"""Well-known mountains: name, height in m, country of the summit (of a summit on a border, the better-known side)."""

TEXT = """
Mount Everest|8849|NPL
K2|8611|PAK
Kangchenjunga|8586|NPL
Lhotse|8516|NPL
Makalu|8485|NPL
Cho Oyu|8188|NPL
Dhaulagiri|8167|NPL
Manaslu|8163|NPL
Nanga Parbat|8126|PAK
Annapurna|8091|NPL
Gasherbrum I|8080|PAK
Broad Peak|8051|PAK
Gasherbrum II|8034|PAK
Shishapangma|8027|CHN
Nanda Devi|7816|IND
Tirich Mir|7708|PAK
Gangkhar Puensum|7570|BTN
Ismoil Somoni Peak|7495|TJK
Jengish Chokusu|7439|KGZ
Khan Tengri|7010|KAZ
Aconcagua|6961|ARG
Ojos del Salado|6893|CHL
Huascarán|6768|PER
Llullaillaco|6739|CHL
Sajama|6542|BOL
Illimani|6438|BOL
Chimborazo|6263|ECU
Cotopaxi|5897|ECU
Denali|6190|USA
Mount Logan|5959|CAN
Pico de Orizaba|5636|MEX
Popocatépetl|5426|MEX
Mount Whitney|4421|USA
Mount Elbert|4401|USA
Mount Rainier|4392|USA
Pikes Peak|4302|USA
Mauna Kea|4207|USA
Mauna Loa|4169|USA
Mount Robson|3954|CAN
Kilimanjaro|5895|TZA
Mount Kenya|5199|KEN
Mount Stanley|5109|UGA
Mount Meru|4566|TZA
Ras Dashen|4550|ETH
Toubkal|4167|MAR
Mount Cameroon|4040|CMR
Table Mountain|1085|ZAF
Elbrus|5642|RUS
Klyuchevskaya Sopka|4754|RUS
Kazbek|5054|GEO
Ararat|5137|TUR
Aragats|4090|ARM
Damavand|5610|IRN
Mount Fuji|3776|JPN
Puncak Jaya|4884|IDN
Mount Kinabalu|4095|MYS
Kerinci|3805|IDN
Rinjani|3726|IDN
Mount Apo|2954|PHL
Fansipan|3143|VNM
Hallasan|1947|KOR
Paektu|2744|PRK
Mont Blanc|4806|FRA
Dufourspitze|4634|CHE
Matterhorn|4478|CHE
Finsteraarhorn|4274|CHE
Jungfrau|4158|CHE
Eiger|3967|CHE
Gran Paradiso|4061|ITA
Marmolada|3343|ITA
Grossglockner|3798|AUT
Zugspitze|2962|DEU
Triglav|2864|SVN
Teide|3715|ESP
Mulhacén|3479|ESP
Aneto|3404|ESP
Vesuvius|1281|ITA
Mount Olympus|2917|GRC
Musala|2925|BGR
Korab|2764|ALB
Moldoveanu|2544|ROU
Gerlachovský štít|2655|SVK
Rysy|2501|POL
Hoverla|2061|UKR
Galdhøpiggen|2469|NOR
Kebnekaise|2096|SWE
Hvannadalshnúkur|2110|ISL
Ben Nevis|1345|GBR
Snowdon|1085|GBR
Carrauntoohil|1039|IRL
Pico|2351|PRT
Mount Cook|3724|NZL
Mount Taranaki|2518|NZL
Mount Kosciuszko|2228|AUS
Mount Wilhelm|4509|PNG
"""
