"""Training of models on questions with known queries: the bias eliminator, and the small model that ships."""
