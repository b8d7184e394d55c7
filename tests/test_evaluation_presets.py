"""The papers' ablations: their settings are settings, their figures the papers', and both stand in one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from askwhere import settings
from askwhere.errors import ArgumentError
from askwhere.evaluation import ablation, presets
from askwhere.evaluation.presets import PRESETS, Preset
from askwhere.evaluation.published import PUBLISHED
from evaluations import made

NEEDED = {"examples": "train.json", "eliminator": "gguf:/models/bias.gguf"}
BY_NAME = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)


def given(preset: Preset) -> dict[str, str]:
    return {name: NEEDED[name] for name in preset.needs}


@BY_NAME
def test_every_row_has_settings_of_its_own_that_there_are(preset: Preset) -> None:
    made_ = [preset.settings_of(row, given(preset)) for row in preset.rows]
    for one in made_:
        for name, value in one.items():
            settings.parse(name, value)
    parsed = [tuple((n, str(settings.parse(n, v))) for n, v in sorted(one.items())) for one in made_]
    assert len({(*one, row.oracle) for one, row in zip(parsed, preset.rows, strict=True)}) == len(preset.rows)
    assert len({row.name for row in preset.rows}) == len(preset.rows)


@BY_NAME
def test_no_question_may_cost_more_than_the_defaults_allow(preset: Preset) -> None:
    for row in preset.rows:
        loaded = settings.load(preset.settings_of(row, given(preset)), {}, Path("no such file"))
        if loaded["method"] == "mcs":
            assert loaded["mcs"].calls(loaded["leave_out"]) <= loaded["max_calls"]


@BY_NAME
def test_the_paper_has_a_figure_for_every_row(preset: Preset) -> None:
    for column in PUBLISHED[preset.name]:
        assert len(column.figures) == len(preset.rows)
        assert all(0 < figure < 100 for figure in column.figures)
    assert len({(c.set, c.model, c.level, c.score) for c in PUBLISHED[preset.name]}) == len(PUBLISHED[preset.name])


PAPERS = {"SEA-SQL": "sea_sql.txt", "DAC": "dac.txt", "MCS-SQL": "mcs_sql.txt"}


@BY_NAME
def test_each_figure_stands_in_the_paper_in_its_rows_order(preset: Preset, data: Path) -> None:
    """Each row's figures stand in one line of the paper's text, in their columns' order."""
    paper = data.parent / "papers" / PAPERS[preset.paper]
    if not paper.exists():
        pytest.skip("needs the papers' texts beside the data")
    lines = paper.read_text("utf-8").splitlines()
    for model in dict.fromkeys(c.model for c in PUBLISHED[preset.name]):
        for number in range(len(preset.rows)):
            printed = [c.figures[number] for c in PUBLISHED[preset.name] if c.model == model]
            assert any(_holds(line, printed) for line in lines), (model, preset.rows[number].name)


def _holds(line: str, printed: list[float]) -> bool:
    """Whether a line has these figures in their order; the texts have some of them several times, without a space."""
    place = 0
    for figure in printed:
        place = line.find(f"{figure:.1f}" if round(figure, 1) == figure else f"{figure:.2f}", place) + 1
        if not place:
            return False
    return True


def test_what_a_table_needs_is_said() -> None:
    with pytest.raises(ArgumentError, match="preset dac-table-3 needs the setting examples: the data set's questions"):
        presets.DAC_3.settings_of(presets.DAC_3.rows[0], {})
    with pytest.raises(ArgumentError, match="preset sea-table-3 needs the setting eliminator: the model that was"):
        presets.SEA_3.settings_of(presets.SEA_3.rows[0], {"examples": "x"})


def test_what_a_table_varies_cannot_be_set_beside_it() -> None:
    row = presets.DAC_3.rows[1]
    with pytest.raises(ArgumentError, match="dac-table-3 sets method itself, to 'dac'; leave --set method=sea out"):
        presets.DAC_3.settings_of(row, {"examples": "x", "method": "sea"})
    same = presets.DAC_3.settings_of(row, {"examples": "x", "method": "dac", "grammar": "off"})
    ours = {"examples": "x", "method": "dac", "grammar": "off"}
    assert same == {**ours, "values": "show", "leave_out": "entities, repair"}  # no paper has our repair


def test_what_only_other_rows_vary_is_as_by_default_wherever_else_it_is_set() -> None:
    whole = presets.DAC_3.settings_of(presets.DAC_3.rows[0], {"examples": "x"})
    loaded = settings.load(whole, {"ASKWHERE_LEAVE_OUT": "skeleton"}, Path("no such file"))
    assert loaded["leave_out"] == ("repair",)


def test_a_preset_is_found_by_its_name() -> None:
    assert presets.named("mcs-table-5") is presets.MCS_5
    with pytest.raises(ArgumentError, match="there is no preset 'mcs-table5'; did you mean 'mcs-table-5'"):
        presets.named("mcs-table5")


def test_a_table_has_what_was_measured_beside_the_papers_figures() -> None:
    runs = [made(0.5, seed, set="spider/dev.jsonl", split="") for seed in range(6)]
    names, rows = ablation.table(presets.MCS_4, runs)
    assert names == ["run", "score", "questions", "here", "95 %", "Spider, GPT-4"]
    assert [row[0] for row in rows[::5]] == [row.name for row in presets.MCS_4.rows]
    easy = [r for r in runs[0].records if r.level == "easy"]
    share = 100 * sum(map(runs[0].right, easy)) / len(easy)
    assert rows[0][:4] == ["zero-shot", "EX easy", "30", f"{share:.1f}"]
    assert [row[1] for row in rows[:5]] == ["EX easy", "EX medium", "EX hard", "EX extra", "EX"]
    assert [row[-1] for row in rows[:5]] == ["79.0", "83.4", "66.7", "52.4", "74.6"]


def test_a_table_of_ones_own_questions_stands_beside_all_of_the_papers_sets() -> None:
    names, rows = ablation.table(presets.DAC_3, [made(0.5, set="own.jsonl", split="")])
    assert len(names) == 5 + 12
    assert "KaggleDBQA, Llama3-8B" in names
    assert len(rows) == 1


def test_a_level_that_the_questions_have_not_was_not_measured() -> None:
    _, rows = ablation.table(presets.MCS_3, [made(0.5, set="bird/dev.json", split="")])
    assert rows[0] == ["zero-shot", "EX simple", "0", "-", "-", "59.0"]


def test_ves_stands_in_the_table_where_it_was_measured() -> None:
    run = made(0.5, set="bird/dev.json", split="")
    rows = ablation.table(presets.SEA_3, [run] * 4)[1]
    assert [row[2:6] for row in rows if row[:2] == ["SEA-SQL", "VES"]] == [["120", "-", "-", "60.83"]]
    records = tuple(replace(r, scores={**r.scores, "ves": 4.0}) for r in run.records)
    timed = replace(run, header=replace(run.header, scores=("bird_ex", "ves")), records=records)
    rows = ablation.table(presets.SEA_3, [timed] * 4)[1]
    assert [row[2:6] for row in rows if row[:2] == ["SEA-SQL", "VES"]] == [["120", "200.0", "-", "60.83"]]


def test_rows_are_measured_by_what_the_paper_measures() -> None:
    run = made(0.5, asked=4)
    records = [
        replace(run.records[0], skeleton=True, parsed_skeleton=False, table_recall=1.0, column_recall=None),
        replace(run.records[1], skeleton=False, parsed_skeleton=True, table_recall=1.0, column_recall=0.9),
        replace(run.records[2], skeleton=True, parsed_skeleton=None, table_recall=1.0, column_recall=1.0),
    ]
    initial, parsed = presets.DAC_6.rows
    linked = presets.MCS_5.rows[0]
    assert [ablation.right(initial, run, r) for r in records] == [True, False, True]
    assert [ablation.right(parsed, run, r) for r in records] == [False, True, False]
    assert [ablation.right(linked, run, r) for r in records] == [True, False, True]
