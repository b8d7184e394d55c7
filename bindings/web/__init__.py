"""`askwhere web`: one local page to ask a database, for one person."""
