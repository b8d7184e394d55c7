"""The built-in reader: a question in plain language as SQL, with no model, or a refusal that says why."""

from askwhere.reader.chained import read_after, refines
from askwhere.reader.read import read
from askwhere.reader.readings import Reading

__all__ = ["Reading", "read", "read_after", "refines"]
