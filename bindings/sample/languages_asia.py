"""Languages of the countries of Asia; a star marks one that is official in the whole country, by law or in practice."""

TEXT = """
AFG: Pashto*, Persian*, Uzbek, Turkmen, Balochi
ARM: Armenian*, Russian
AZE: Azerbaijani*, Russian
BHR: Arabic*, English
BGD: Bengali*
BTN: Dzongkha*, Nepali
BRN: Malay*, English
KHM: Khmer*
CHN: Mandarin Chinese*, Cantonese, Tibetan, Uyghur, Mongolian, Zhuang, Kazakh, Korean
CYP: Greek*, Turkish*, English
GEO: Georgian*, Abkhaz, Armenian, Azerbaijani
IND: Hindi*, English*, Bengali, Marathi, Telugu, Tamil, Gujarati, Urdu, Kannada, Odia, Malayalam, Punjabi, Assamese
IND: Nepali, Sindhi, Khasi
IDN: Indonesian*, Javanese, Sundanese
IRN: Persian*, Azerbaijani, Kurdish, Balochi, Arabic
IRQ: Arabic*, Kurdish*
ISR: Hebrew*, Arabic, Russian
JPN: Japanese*
JOR: Arabic*
KAZ: Kazakh*, Russian*
KWT: Arabic*
KGZ: Kyrgyz*, Russian*, Uzbek
LAO: Lao*
LBN: Arabic*, French, Armenian
MYS: Malay*, English, Tamil, Mandarin Chinese
MDV: Dhivehi*
MNG: Mongolian*, Kazakh
MMR: Burmese*
NPL: Nepali*
PRK: Korean*
OMN: Arabic*, Balochi
PAK: Urdu*, English*, Punjabi, Pashto, Sindhi, Balochi
PSE: Arabic*
PHL: Filipino*, English*, Cebuano
QAT: Arabic*
SAU: Arabic*
SGP: English*, Malay*, Mandarin Chinese*, Tamil*
KOR: Korean*
LKA: Sinhala*, Tamil*, English
SYR: Arabic*, Kurdish
TJK: Tajik*, Russian, Uzbek
THA: Thai*
TLS: Tetum*, Portuguese*, Indonesian, English
TUR: Turkish*, Kurdish
TKM: Turkmen*, Russian
ARE: Arabic*, English
UZB: Uzbek*, Russian, Tajik
VNM: Vietnamese*
YEM: Arabic*
"""
