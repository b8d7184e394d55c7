"""A question, or a hint, that is too long to be one is refused before anything is asked."""

from __future__ import annotations

import pytest
from support import PER_COUNTRY, Make


def test_a_question_that_is_too_long_is_refused_and_no_model_is_asked(
    scripted: Make,
) -> None:
    con, model = scripted(PER_COUNTRY)
    fits = "customers per country " + "x" * (10_000 - 22)
    assert len(con.execute("SELECT * FROM ask(?)", (fits,)).fetchall()) == 2
    with pytest.raises(Exception, match=r"the question has 10,001 characters; it may have 10,000: what is true of"):
        con.execute("SELECT * FROM ask(?)", (fits + "x",)).fetchall()
    with pytest.raises(Exception, match=r"the hint has 20,000 characters; it may have 10,000"):
        con.execute("SELECT * FROM ask('q', hint := ?)", ("h" * 20_000,)).fetchall()
    assert len(model.prompts) == 1
    assert len(con.execute("SELECT * FROM ask_log()").fetchall()) == 1
