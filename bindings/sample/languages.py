"""Languages by family: a family, then its languages."""

TEXT = """
Indo-European: English, Spanish, French, Portuguese, German, Italian, Dutch, Russian, Ukrainian, Belarusian, Polish
Indo-European: Czech, Slovak, Slovene, Croatian, Serbian, Bosnian, Montenegrin, Macedonian, Bulgarian, Romanian
Indo-European: Catalan, Galician, Romansh, Luxembourgish, Danish, Norwegian, Swedish, Icelandic, Irish, Welsh
Indo-European: Latvian, Lithuanian, Greek, Albanian, Armenian, Persian, Tajik, Pashto, Kurdish, Afrikaans, Latin
Indo-European: Hindi, Urdu, Bengali, Punjabi, Marathi, Gujarati, Odia, Assamese, Nepali, Sinhala, Dhivehi, Sindhi
Indo-European: Balochi
Uralic: Hungarian, Finnish, Estonian, Sámi
Turkic: Turkish, Azerbaijani, Kazakh, Kyrgyz, Uzbek, Turkmen, Uyghur, Tatar
Afroasiatic: Arabic, Hebrew, Amharic, Oromo, Somali, Afar, Tigrinya, Hausa, Tamazight, Maltese
Niger-Congo: Swahili, Kinyarwanda, Kirundi, Lingala, Kikongo, Shona, Zulu, Xhosa, Sotho, Tswana, Swazi
Niger-Congo: Tsonga, Venda, Chewa, Yoruba, Igbo, Wolof, Akan, Ewe, Sango, Luganda, Fula, Umbundu, Makhuwa, Bemba
Niger-Congo: Northern Sotho, Northern Ndebele, Southern Ndebele, Mooré, Fon, Comorian
Mande: Bambara
Austronesian: Malay, Indonesian, Javanese, Sundanese, Filipino, Cebuano, Tetum, Malagasy, Māori, Samoan, Tongan, Fijian
Austronesian: Hiri Motu, Palauan, Marshallese, Nauruan, Gilbertese, Tuvaluan
Sino-Tibetan: Mandarin Chinese, Cantonese, Tibetan, Burmese, Dzongkha
Dravidian: Tamil, Telugu, Kannada, Malayalam
Kra-Dai: Thai, Lao, Zhuang
Austroasiatic: Khmer, Vietnamese, Khasi
Kartvelian: Georgian
Mongolic: Mongolian
Japonic: Japanese
Koreanic: Korean
Quechuan: Quechua
Aymaran: Aymara
Tupian: Guarani
Uto-Aztecan: Nahuatl
Mayan: Yucatec Maya, K'iche'
Basque (isolate): Basque
Northwest Caucasian: Abkhaz
Inuit-Yupik-Unangan: Inuktitut, Greenlandic
Creole: Haitian Creole, Tok Pisin, Bislama, Papiamento, Seychellois Creole, Cape Verdean Creole, Mauritian Creole
Creole: Solomons Pijin, Jamaican Patois, Krio, Sranan Tongo
"""
