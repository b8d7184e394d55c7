"""List every setting: its name, default, what its value may be, and its meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askwhere import setting_values as values

# Named as `askwhere.models.servers`, which is above this module, lists them.
SERVERS = ("openai", "azure", "vllm", "llama-server", "llama-cpp-python", "ollama", "other")


@dataclass(frozen=True)
class Setting:
    """One setting; `parse` turns a user's value into the one used, or raises ValueError with what it expected.

    `guarded` settings cannot be set from SQL: a user who may only ask must not change where questions go. `example` is
    a value as a user would write it.
    """

    name: str
    default: Any
    parse: Callable[[Any], Any]
    description: str
    guarded: bool = False
    example: str = ""


SETTINGS = (
    Setting(
        "model",
        "reader",
        values.model,
        "what writes the SQL: 'reader', a name of `askwhere model list`, 'hf:OWNER/REPO:QUANT',"
        " 'gguf:/path/model.gguf', 'openai:NAME', 'ollama:NAME', or in Python a model object",
        example="openai:gpt-5-mini",
    ),
    Setting(
        "base_url",
        "",
        values.address,
        "where an OpenAI-compatible server listens; empty is OpenAI itself",
        example="http://127.0.0.1:8080/v1",
    ),
    Setting(
        "allowed_hosts",
        values.LOOPBACK,
        values.hosts,
        "beside this machine, the hosts that base_url may be set to from SQL, and that may be spoken to without TLS",
        guarded=True,
        example="models.example.com",
    ),
    Setting(
        "server",
        "",
        values.one_of("", *SERVERS),
        "what kind of server listens there; empty goes by its host",
        example="vllm",
    ),
    Setting(
        "effort",
        "balanced",
        values.one_of(*values.EFFORTS),
        "how far a question goes: 'fast', 'balanced' or 'thorough' (docs/methods.md)",
        example="fast",
    ),
    Setting(
        "method",
        "",
        values.one_of("", "plain", "sea", "dac", "mcs"),
        "a method as published: 'sea' is SEA-SQL's, 'dac' DAC's, 'mcs' MCS-SQL's; 'plain' sends tables and question and"
        " no more, to compare with; empty goes by effort",
        example="sea",
    ),
    Setting(
        "mcs",
        values.Mcs(),
        values.mcs,
        "parameters of the method 'mcs', those that are not to be the paper's",
        example="prompts=3, samples=5",
    ),
    Setting(
        "leave_out",
        (),
        values.parts,
        "steps that a method is left without, to see what each is worth",
        example="skeleton",
    ),
    Setting(
        "examples",
        "",
        values.stripped,
        "a file of questions with SQL, as JSON lines, that prompts show beside the pins",
        guarded=True,
        example="/data/examples.jsonl",
    ),
    Setting(
        "examples_by",
        "bm25",
        values.one_of("bm25", "masked", "embeddings"),
        "by what the nearest examples are found: 'bm25' by words, 'masked' by words but for names and values, or"
        " 'embeddings' by a model's vectors",
        example="masked",
    ),
    Setting(
        "embedder",
        "",
        values.model_or_none,
        "the model whose vectors examples_by 'embeddings' compares, as model; empty is the model itself",
        example="openai:text-embedding-3-small",
    ),
    Setting(
        "eliminator",
        "",
        values.model_or_none,
        "the model that rids queries of bias, as model; or 'lora:FILE' for it",
        example="lora:/models/bias.gguf",
    ),
    Setting(
        "adapter",
        "auto",
        values.adapter,
        "the LoRA adapter of a model of a file: 'auto' is the one that askwhere brings for it, if any"
        " (docs/adapters.md); 'off' is none; or a GGUF file",
        guarded=True,
        example="off",
    ),
    Setting(
        "grammar",
        "binding",
        values.one_of("binding", "names", "off"),
        "what replies are held to: 'names' to a grammar of your tables' names, where a model takes one; 'binding' in"
        " this process also to columns that the tables of a query have (a server is sent the grammar of names)",
        example="off",
    ),
    Setting(
        "threads",
        0,
        values.number(int, 0, 512),
        "how many threads evaluate a model of a file; 0 goes by the cores, of which one is left to others"
        " (`askwhere doctor` shows it)",
        guarded=True,
        example="2",
    ),
    Setting(
        "prompt_cache",
        "disk",
        values.one_of("disk", "memory", "off"),
        "where a model of a file keeps what it has read of prompts: 'disk' for the next process too, what is the same"
        " for every question (`askwhere model cache`), 'memory' while this one lives, 'off' nowhere",
        guarded=True,
        example="memory",
    ),
    Setting(
        "max_calls",
        values.ByEffort(8, 40, 300),
        values.number(int, 1),
        "completions that one question may cost",
        example="10",
    ),
    Setting(
        "max_tokens",
        values.ByEffort(8_000, 40_000, 300_000),
        values.number(int, 1),
        "tokens that its completions may have",
        example="20000",
    ),
    Setting(
        "max_seconds",
        values.ByEffort(60, 180, 900),
        values.number(float, 0.01),
        "seconds that finding its query may take",
        example="30",
    ),
    Setting(
        "values",
        "",
        values.one_of("", "show", "matched", "hide"),
        "which cell values a prompt may hold; empty shows the best of every column to a model in this process, and to"
        " a server those that the question mentions",
        example="hide",
    ),
    Setting(
        "values_shown",
        2,
        values.number(int, 0, 100),
        "how many example values of each column a prompt shows, and how many that were found for the question",
        example="1",
    ),
    Setting(
        "schema_tokens",
        4_000,
        values.number(int, 100),
        "how much of the schema a prompt shows, in tokens, about",
        example="8000",
    ),
    Setting(
        "hide_columns",
        (),
        values.columns,
        "columns never read or shown, as table.column; * is any text, and what ends in ? need not be there",
        example="customers.email, *.token",
    ),
    Setting("include_tables", (), values.names, "only these tables may be asked; * is any text", example="v_*"),
    Setting(
        "exclude_tables", (), values.names, "these tables may not be asked; * is any text", example="staging_*, audit"
    ),
    Setting(
        "allow_functions", (), values.names, "your own SQL functions that generated SQL may call", example="distance_km"
    ),
    Setting(
        "index_columns",
        (),
        values.columns,
        "ask_index() indexes only these columns, as table.column; * is any text",
        example="customers.name, *.city",
    ),
    Setting(
        "index_values",
        1_000_000,
        values.number(int, 1),
        "a column of more different values is not indexed",
        example="100000",
    ),
    Setting(
        "index_numbers",
        "off",
        values.one_of("on", "off"),
        "whether ask_index() indexes numeric columns too",
        example="on",
    ),
    Setting("query_timeout", 30.0, values.number(float, 0.01), "seconds that one generated query may run", example="5"),
    Setting("max_rows", 1_000_000, values.number(int, 1), "a larger answer is an error, never cut", example="1000"),
    Setting(
        "min_confidence", 0.0, values.number(float, 0, 1), "an answer of less confidence is an error", example="0.6"
    ),
    Setting(
        "stale_pins",
        "fail",
        values.one_of("fail", "run", "ask"),
        "what a pin does whose tables have changed: 'fail', 'run' where it gives the same columns, or 'ask' again",
        example="run",
    ),
    Setting(
        "remember",
        "connection",
        values.one_of("connection", "database"),
        "where answers already given are kept; 'database' keeps them in the file, for all connections",
        example="database",
    ),
    Setting(
        "log",
        "connection",
        values.one_of("connection", "database"),
        "where ask_log() is kept; 'database' is the file",
        example="database",
    ),
    Setting(
        "isolation",
        "",
        values.one_of("", "process"),
        "'process' runs generated SQL in a process with hard limits",
        example="process",
    ),
    Setting(
        "dynamic_columns",
        "on",
        values.one_of("on", "off"),
        "whether ask() of the loadable SQLite extension shows the answer's own columns, which it prepares the statement"
        " again for; 'off' is for hosts that read columns before the first step (docs/hosts.md)",
        example="off",
    ),
)
