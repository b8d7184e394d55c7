"""Measure how good a method and a model are over questions with gold SQL, by the official rule of each score."""
