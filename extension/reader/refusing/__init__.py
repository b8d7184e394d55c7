"""What a refusal advises: other words, fewer words, a key or a synonym with which the question is read."""
