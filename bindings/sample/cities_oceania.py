"""Large cities of Oceania: name, country, population."""

TEXT = """
Sydney|AUS|5450000
Melbourne|AUS|5200000
Brisbane|AUS|2710000
Perth|AUS|2310000
Adelaide|AUS|1450000
Gold Coast|AUS|650000
Hobart|AUS|254000
Darwin|AUS|150000
Auckland|NZL|1480000
Christchurch|NZL|396000
Dunedin|NZL|130000
Lae|PNG|149000
"""
