"""Train models on questions with known queries: the bias eliminator of SEA-SQL, and the small model that is shipped."""
