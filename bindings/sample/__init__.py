"""A sample database of the world, for a first try: countries, cities, languages, borders, rivers and more.

The facts are those of about 2023, typed by hand and rounded.  What they mean:

- The 195 countries are the members of the United Nations and its two observer states; Hong Kong and Macau are cities.
- A city's population is that of the city as its own state commonly reports it, at the latest count or estimate (in
  India, of 2011); boundaries are drawn so differently that close ranks mean little.  NULL where unsure.
- A few countries have more than one capital (South Africa three, Bolivia two).  Where a seat of government differs
  from the capital in law, as in the Netherlands, the capital in law is meant.
- A language is official if the whole state works in it, by law or in practice; the other languages listed are a choice.
- The currency is the main one.  A mountain on a border has one country, and a river has those along its main stem.

`TABLES` holds it all, in an order in which every row comes after those that it refers to.
"""

from __future__ import annotations

from askwhere.bindings.sample.build import TABLES, build_duckdb, build_sqlite
from askwhere.bindings.sample.table import SampleTable

__all__ = ["TABLES", "SampleTable", "build_duckdb", "build_sqlite"]
