"""Marks: what each run of words of a question may be, a name, a value, a number or an operator phrase."""
