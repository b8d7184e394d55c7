"""Evaluation: how good a method and a model are over questions with gold SQL, by the official rules of each score."""
