"""A question has the same readings in the same order in every process, so that `choose := 2` is always the same one."""

from __future__ import annotations

import os
import subprocess
import sys

SCHEMA = """
CREATE TABLE contributor (id INTEGER PRIMARY KEY, display_name TEXT);
CREATE TABLE repository (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE issue (id INTEGER PRIMARY KEY, repository_id INTEGER REFERENCES repository, state TEXT,
                    reporter_id INTEGER REFERENCES contributor);
INSERT INTO contributor VALUES (1, 'Ann'), (2, 'Bo');
INSERT INTO repository VALUES (1, 'core'), (2, 'docs');
INSERT INTO issue VALUES (1, 1, 'open', 1), (2, 1, 'closed', 2), (3, 2, 'open', 2);
"""
ASK = f"""
import apsw, askwhere
con = askwhere.connect(":memory:")
con.execute('''{SCHEMA}''')
rows = con.execute("SELECT sql, confidence FROM ask_candidates('percent of issues still open for each repo')")
print(*rows, sep="\\n")
"""


def test_short_forms_that_fit_equally_well_are_listed_in_one_order() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ASK],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(outputs) == 1
    assert "repository.name" in outputs.pop()
