"""From a question to a chosen query: link, generate, select. Each step is a plain function over frozen dataclasses."""
