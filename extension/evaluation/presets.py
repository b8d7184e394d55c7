"""Define the papers' ablations as named presets: each is a tuple of runs, so that one command measures one table again.

The tables are SEA-SQL's 3 and 4, DAC's 3, 6 and 7, and MCS-SQL's 3 to 7. The papers' own figures are in `published`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from askwhere.errors import ArgumentError, suggestion

# The measures of a row: the run's first score; the share of questions whose query has gold's skeleton; the share whose
# skeleton parsed from the question is gold's; the share whose prompt shows all tables and columns that gold names.
RIGHT, SKELETON, PARSED, LINKED = "right", "skeleton", "parsed skeleton", "linked"


@dataclass(frozen=True)
class Row:
    """One run of an ablation, under the paper's name for it; `settings` come in addition to the preset's.

    `oracle` names the parts of the gold query that the method is given: 'entities', 'skeleton'. `score` is the score
    that the row measures.
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    oracle: tuple[str, ...] = ()
    score: str = RIGHT


@dataclass(frozen=True)
class Preset:
    """One table of a paper.

    `needs` are settings that the user has to give, each with a description of its value.
    """

    name: str
    paper: str
    table: int
    about: str
    settings: Mapping[str, str]
    rows: tuple[Row, ...]
    needs: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return the paper's name of the table."""
        return f"{self.paper}, Table {self.table}"

    def settings_of(self, row: Row, given: Mapping[str, str]) -> dict[str, str]:
        """Return the settings of one row's run: the user's, then the preset's and the row's.

        Raises `ArgumentError` where the user did not give a setting that the table needs, or gave another value for one
        that the table sets.
        """
        for name, description in self.needs.items():
            if not given.get(name):
                raise ArgumentError(f"preset {self.name} needs the setting {name}: {description}")
        varied = {name: "" for one in self.rows for name in one.settings}  # '' is the default
        own = {**varied, **self.settings, **row.settings}
        own["leave_out"] = ", ".join(filter(None, (own.get("leave_out"), "repair")))  # a step that no paper has
        for name in sorted(own.keys() & given.keys()):
            if given[name] != own[name]:
                raise ArgumentError(
                    f"preset {self.name} sets {name} itself, to {own[name]!r}; leave --set {name}={given[name]} out"
                )
        return {**given, **own}


# As in the papers, prompts show values of the database whatever the model is.
_SEA = {"method": "sea", "values": "show"}
_DAC = {"method": "dac", "values": "show"}
_MCS = {"method": "mcs", "values": "show"}
_ELIMINATOR = {"eliminator": "the model that was trained to rid queries of bias, such as lora:FILE"}
_EXAMPLES = {"examples": "the data set's questions for training, such as train_spider.json"}
_ONE = "prompts=1, samples=1"

SEA_3 = Preset(
    "sea-table-3",
    "SEA-SQL",
    3,
    "bias elimination (ABE) and execution adjustment (DEA)",
    _SEA,
    (
        Row("SEA-SQL"),
        Row("w/o ABE", {"leave_out": "elimination"}),
        Row("w/o DEA", {"leave_out": "adjustment"}),
        Row("w/o ABE & DEA", {"leave_out": "elimination, adjustment"}),
    ),
    _ELIMINATOR,
)
SEA_4 = Preset(
    "sea-table-4",
    "SEA-SQL",
    4,
    "how many values of each column the schema shows; of the first query",
    {**_SEA, "leave_out": "elimination, adjustment"},
    tuple(Row(name, {"values_shown": str(n)}) for n, name in enumerate(("zero", "one", "two", "three"))),
)
DAC_3 = Preset(
    "dac-table-3",
    "DAC",
    3,
    "entities and skeleton",
    _DAC,
    (
        Row("DAC"),
        Row("- Entity", {"leave_out": "entities"}),
        Row("- Skeleton", {"leave_out": "skeleton"}),
    ),
    _EXAMPLES,
)
DAC_6 = Preset(
    "dac-table-6",
    "DAC",
    6,
    "whether the skeleton that is parsed from the question is right more often than the first query's",
    _DAC,
    (
        Row("Initial", {"leave_out": "entities, skeleton, execution"}, score=SKELETON),
        Row("Parsed", {"leave_out": "entities, execution"}, score=PARSED),
    ),
    _EXAMPLES,
)
DAC_7 = Preset(
    "dac-table-7",
    "DAC",
    7,
    "entities and skeleton of the gold query in place of the model's",
    _DAC,
    (
        Row("DAC"),
        Row("+ Oracle Entity", oracle=("entities",)),
        Row("+ Oracle Skeleton", oracle=("skeleton",)),
        Row("+ Oracle Both", oracle=("entities", "skeleton")),
    ),
    _EXAMPLES,
)
# Each row adds one part; in the first four a single completion writes the query (MCS-SQL, section 5.2).
_PARTS = (
    Row("zero-shot", {"mcs": _ONE, "leave_out": "linking, rows, examples, choice"}),
    Row("+ schema linking", {"mcs": _ONE, "leave_out": "rows, examples, choice"}),
    Row("+ sample table contents", {"mcs": _ONE, "leave_out": "examples, choice"}),
    Row("+ few-shot examples", {"mcs": _ONE, "leave_out": "nearest, choice"}),
    Row("+ MCS (1 prompt, 20 samples)", {"mcs": "prompts=1", "leave_out": "nearest"}),
    Row("+ MCS (5 prompts, 20 samples)"),
)
MCS_3 = Preset("mcs-table-3", "MCS-SQL", 3, "each part, one after the other; BIRD", _MCS, _PARTS, _EXAMPLES)
MCS_4 = replace(MCS_3, name="mcs-table-4", table=4, about="each part, one after the other; Spider")
_LINKING = "table_prompts=1, column_prompts=1"
MCS_5 = Preset(
    "mcs-table-5",
    "MCS-SQL",
    5,
    "recall of schema linking by how often it is asked",
    {**_MCS, "leave_out": "rows, examples, choice"},
    (
        Row("1 prompt, 1 sample", {"mcs": f"{_LINKING}, link_samples=1, temperature=0, {_ONE}"}, score=LINKED),
        Row("1 prompt, 20 samples", {"mcs": f"{_LINKING}, {_ONE}"}, score=LINKED),
        Row("3 prompts, 20 samples", {"mcs": _ONE}, score=LINKED),
    ),
)
MCS_6 = Preset(
    "mcs-table-6",
    "MCS-SQL",
    6,
    "how examples are chosen",
    {**_MCS, "mcs": _ONE},
    (
        Row("Random", {"leave_out": "nearest, masked, choice"}),
        Row("Question Similarity", {"leave_out": "masked, choice"}),
        Row("Masked Question Similarity", {"leave_out": "nearest, choice"}),
    ),
    _EXAMPLES,
)
MCS_7 = Preset(
    "mcs-table-7",
    "MCS-SQL",
    7,
    "how the answer is chosen among the queries",
    _MCS,
    (
        Row("Majority Vote", {"leave_out": "choice"}),
        Row("MCS w/o confidence filtering", {"leave_out": "filter"}),
        Row("MCS w/ confidence filtering"),
    ),
    _EXAMPLES,
)
PRESETS = (SEA_3, SEA_4, DAC_3, DAC_6, DAC_7, MCS_3, MCS_4, MCS_5, MCS_6, MCS_7)


def named(name: str) -> Preset:
    """Return the preset of a name. Raises `ArgumentError`, with the nearest name."""
    by_name = {preset.name: preset for preset in PRESETS}
    if name not in by_name:
        hint = suggestion(name, by_name) or f"; expected one of {', '.join(by_name)}"
        raise ArgumentError(f"there is no preset {name!r}{hint}")
    return by_name[name]
