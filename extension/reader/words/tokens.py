"""Split a question into tokens: words, numbers, quotations and signs, with their stems."""

from __future__ import annotations

import re
from functools import lru_cache

import Stemmer
from askwhere.frozen import frozen
from askwhere.reader.words.glosses import with_definitions

_STEMMER = Stemmer.Stemmer("english", 0)  # without a cache of its own: `stem` has one
_CURLY = str.maketrans("\u201c\u201d\u201e\u2018\u2019`\u00b4", '"""' + "'" * 4)
_TOKEN = re.compile(
    r"""
      (?P<double>"+[^"\n]{1,200}"+)
    | (?P<single>(?<![\w'])'+[^'\n]{1,200}(?:'(?=\w)[^'\n]{1,200})*'+(?!\w))
    | (?P<address>(?<![\w.+-])[\w.+-]*@[\w-]+(?:\.[\w-]+)*
        | (?<![\w.])[a-z][a-z0-9-]+(?:\.[a-z][a-z0-9-]+)*\.[a-z]{2,6}(?![\w.]))
    | (?P<date>\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:\ \d{1,2}:\d{2}(?::\d{2})?)?)
    | (?P<number>(?:(?<!\S)-)?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|\d+(?:\.\d+)?[kK]?(?![\w.]*\w)))
    | (?P<own>'s\b|(?<=s)'(?!\w))
    | (?P<word>[^\W_]+)
    | (?P<mark>[()]|[,;:?!.%<>=*]+|(?<=\s)[-\u2013\u2014](?=\s))
    """,
    re.VERBOSE,
)


@frozen
class Token:
    """One token; `kind` is the group of `_TOKEN` that matched, with 'quoted' for quotations and addresses.

    `start` and `end` are offsets in the text.
    """

    text: str
    kind: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """Return the text in lower case."""
        return self.text.lower()

    @property
    def stem(self) -> str:
        """Return the stem of the text (see `stem`)."""
        return stem(self.text)


def unaccented(text: str) -> str:
    """Return a text without diacritics, folded as in the value index but in its own case: `Größe` is `Grosse`."""
    if text.isascii():
        return text
    return "".join(map(_unaccented_letter, text))


@lru_cache(maxsize=20_000)
def _unaccented_letter(letter: str) -> str:
    """Return one letter without diacritics."""
    from askwhere.indexer.words import fold  # imported here because it loads numpy

    return fold(letter).upper() if letter.isupper() else fold(letter)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without case, accents and inflection: the same for `Cities` and `city`.

    >>> stem("Cities") == stem("city")
    True
    """
    lower = unaccented(word).lower()
    try:
        return _IRREGULAR.get(lower) or str(_STEMMER.stemWord(lower))
    except UnicodeEncodeError:  # half of a surrogate pair
        return lower


# The stems of plurals without an s.
_PLURALS = {
    "people": "peopl", "children": "child", "men": "man", "women": "woman", "geese": "goos", "mice": "mous",
    "feet": "foot", "teeth": "tooth", "criteria": "criterion", "phenomena": "phenomenon", "alumni": "alumnus",
}  # fmt: skip
_IRREGULAR = _PLURALS | {
    "person": "peopl", "persons": "peopl", "kids": "child", "aircraft": "aircraft", "aircrafts": "aircraft",
    "staff": "staff", "series": "seri", "movies": "movi", "movie": "movi", "countries": "countri", "born": "birth",
    "wives": "wife", "absence": "absent", "absences": "absent", "activity": "activiti", "activities": "activiti",
    "lives": "live", "data": "data", "bought": "buy", "sold": "sell", "won": "win", "winning": "win",
    "winner": "winner", "taught": "teach", "written": "write", "wrote": "write", "made": "make",
    "took": "take", "taken": "take", "gave": "give", "given": "give", "spoke": "speak", "spoken": "speak",
    "flew": "fli", "flown": "fli", "spent": "spend", "paid": "pay", "lent": "lend", "led": "lead", "held": "hold",
    "left": "leav", "drove": "drive", "driven": "drive", "kept": "keep", "met": "meet", "ran": "run", "wore": "wear",
    "chose": "choos", "chosen": "choos", "built": "build", "sent": "send", "brought": "bring",
    "broadcasted": "broadcast", "analyses": "analysi", "indices": "index", "gas": "gas",
    "withdrew": "withdraw", "withdrawn": "withdraw", "stole": "steal", "stolen": "steal", "broke": "break",
    "broken": "break", "began": "begin", "begun": "begin", "fell": "fall", "fallen": "fall", "rode": "ride",
    "ridden": "ride", "drew": "draw", "drawn": "draw", "threw": "throw", "thrown": "throw", "caught": "catch",
    "bus": "bus", "buses": "bus", "gases": "gas", "ins": "ins",
}  # fmt: skip


def irregular_forms(stemmed: str) -> tuple[str, ...]:
    """Return the irregular forms of the word that has a stem: "left" of `leav`."""
    return tuple(form for form, base in _IRREGULAR.items() if base == stemmed)


def is_singular(word: str) -> bool:
    """Return whether an English noun is singular, as far as its ending shows."""
    if word.lower() in _PLURALS:
        return False
    return word.endswith("ss") or not word.endswith("s") or stem(word) == word.lower()


# What `plain` writes out, so that the grammar knows one form of it.
_SHORTENED = re.compile(
    r"(?i)\b(?:(ca)n't|(wo)n't|(\w+)n't|(?:(do|does|did|is|are|was|were|has|have|had)nt)"
    r"|(i|you|he|she|we|they)'(d|m)|(\w+)'(ll|re|ve)|(who|what|where)s|(it|that|there)'s)\b"
)
_GLOSSED = re.compile(r"(?i)\bi\.e\.,? ?")
_SPELT = re.compile(r"(?i)\be-mail|\bincl\b\.?|(?:\b(?:no|nr)\.|#)\s?(?=\d)")
_YET = re.compile(r"(?i)\b(have|has|had) yet to\b")
_LACKING = re.compile(
    r"(?i)\bwe (?:have|hold|got|know) (?:no|not any) ([\w ]{2,40}?) (?:for|of|on|from)(?=\s*(?:[,.;:?!]|$))"
    r"|\bwhose ([\w ]{2,40}?) (?:we|you) do not (?:know|have)\b"
)
_NEITHER = re.compile(r"(?i)(?:,? (?:or )?\b(nor)|\bneither)\b(?: (?:an?|the|any)\b)?")
_AREA = re.compile(
    r"(?i)\b(?:square|sq\.?) ?(?:(?P<m>met(?:re|er)s?|m)|(?P<ft>feet|foot|ft)|(?P<km>kilomet(?:re|er)s?|km))\b"
    r"|(?<=\d)\s?(?:(?P<m2>m)|(?P<ft2>ft)|(?P<km2>km))\u00b2"
)
_ONE_OR_MORE = re.compile(r"(?i)(?<=\w)\((e?s)\)(?!\w)")  # "the best customer(s)"
_OWED = re.compile(
    r"(?i)\b(?:do )?we still (?:have|need) to (?:collect|receive|get)\b|\bwe have yet to (?:collect|receive|get)\b"
)
_OUTSTANDING = re.compile(r"(?i)\b(?:still|yet) to be (?:paid|collected|received)\b(?= by | from |[?.]?$)")
_AND_MORE = re.compile(r"(?<![\w.])(\d+)\+(?= )")
_WRITTEN_OUT = {"d": "would", "ll": "will", "m": "am", "re": "are", "ve": "have"}


def plain(question: str) -> str:
    """Return the question with straight quotes, without "i.e.", verbs written out, and "without" for what is lacking.

    >>> plain("who's late, i.e. who hasn't paid"), plain("we dont, I'd say"), plain("whats her e-mail"), plain("no. 7")
    ("who's late, who has not paid", 'we do not, I would say', 'what is her email', 'number 7')
    >>> plain("clients we have no email for"), plain("pets whose age we don't know"), plain("who has yet to pay")
    ('clients without email', 'pets without age', 'who has never pay')
    >>> plain("how much do we still have to collect from Ann"), plain("what is still to be paid")
    ('how much are we owed from Ann', 'what is outstanding')
    >>> plain("shops with neither a lift nor a ramp"), plain("those with 3+ beds")
    ('shops with no lift and no ramp', 'those with at least 3 beds')
    """
    text = _SHORTENED.sub(_in_full, _GLOSSED.sub("", _SPELT.sub(_whole, question.translate(_CURLY))))
    text = _AND_MORE.sub(r"at least \1", _YET.sub(r"\1 never", text))
    text = _AREA.sub(lambda match: f" sq{str(match.lastgroup).removesuffix('2')}", text)
    text = _ONE_OR_MORE.sub(r"\1", text)
    text = _OWED.sub("are we owed", _OUTSTANDING.sub("outstanding", text))
    text = _NEITHER.sub(lambda match: " and no" if match[1] else "no", text)
    return with_definitions(_LACKING.sub(lambda match: f"without {match[1] or match[2]}", text))


def _whole(match: re.Match[str]) -> str:
    """Return the word that a match of `_SPELT` stands for."""
    if match[0].lower() == "e-mail":
        return "email"
    return "including" if match[0].lower().startswith("incl") else "number "


def _in_full(match: re.Match[str]) -> str:
    """Return the words that a match of `_SHORTENED` stands for."""
    if match[5]:
        return f"{match[5]} {_WRITTEN_OUT[match[6].lower()]}"
    if match[7]:
        return f"{match[7]} {_WRITTEN_OUT[match[8].lower()]}"
    if match[9] or match[10]:
        return f"{match[9] or match[10]} is"
    return f"{match[3] or match[4] or ('can' if match[1] else 'will')} not"


def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text that `plain` has returned, in order.

    A quotation is one token without its quotes, and none where it is blank.
    """
    return tuple(token for token in map(_token, _TOKEN.finditer(text)) if token.text)


def _token(match: re.Match[str]) -> Token:
    """Return the token of one match of `_TOKEN`."""
    kind = match.lastgroup or "word"
    text = match.group()
    if kind in ("double", "single"):
        return Token(text.strip("\"'").strip(), "quoted", match.start(), match.end())
    if kind == "address":  # "@shop.com", "gmail.com"
        return Token(text, "quoted", match.start(), match.end())
    return Token(text, kind, match.start(), match.end())


def is_initials(token: Token) -> bool:
    """Return whether a word is in capitals like initials: `AS` and `A` are, but `I`, `AND`, `OR` and `NOT` are not."""
    return token.kind == "word" and token.text.isupper() and token.text not in ("I", "AND", "OR", "NOT")


NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "million": 1_000_000,
    "dozen": 12, "once": 1, "twice": 2, "billion": 1_000_000_000,
}  # fmt: skip


def number(token: Token) -> int | float | None:
    """Return the number that a token is, in digits or as a word; None for others and for more than 18 characters."""
    if token.kind == "number":
        plain, times = token.text.replace(",", ""), 1
        if plain[-1] in "kK":  # "20k"
            plain, times = plain[:-1], 1000
        if len(plain) > 18:  # beyond 64 bits: no engine compares it
            return None
        written = float(plain) if "." in plain else int(plain)
        return written * times
    return NUMBERS.get(token.lower) if token.kind == "word" else None


def multiplier(token: Token) -> int:
    """Return the factor that a word applies to the number before it: 1,000,000 for `million`, else 1."""
    return {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}.get(token.lower, 1)
