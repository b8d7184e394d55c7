"""Train adapters of language models: for generation, and SEA-SQL's bias eliminator."""
