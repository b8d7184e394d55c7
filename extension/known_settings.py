"""List every setting: its name, default, allowed values and meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from askwhere import setting_values as values
from askwhere.frozen import frozen

# Named as `askwhere.models.servers`, which is above this module, lists them.
SERVERS = ("openai", "azure", "vllm", "llama-server", "llama-cpp-python", "ollama", "other")


@frozen
class Setting:
    """One setting. `parse` returns the value that the code uses for a user's value, or raises ValueError.

    The error's text says what was expected. SQL cannot change a `guarded` setting: whoever may only ask must not change
    where questions are sent. `example` is a value as a user would write it.
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
        "the address of an OpenAI-compatible server; empty is OpenAI's own",
        example="http://127.0.0.1:8080/v1",
    ),
    Setting(
        "allowed_hosts",
        values.LOOPBACK,
        values.hosts,
        "hosts beside this machine that SQL may set base_url to, and that may be reached without TLS",
        guarded=True,
        example="models.example.com",
    ),
    Setting(
        "server",
        "",
        values.one_of("", *SERVERS),
        "the kind of server at base_url; empty recognises it by its host",
        example="vllm",
    ),
    Setting(
        "effort",
        "balanced",
        values.one_of(*values.EFFORTS),
        "how much work a question may take: 'fast', 'balanced' or 'thorough' (docs/methods.md)",
        example="fast",
    ),
    Setting(
        "method",
        "",
        values.one_of("", "plain", "sea", "dac", "mcs"),
        "a published method: 'sea' is SEA-SQL, 'dac' DAC, 'mcs' MCS-SQL; 'plain' is a baseline, which sends only the"
        " tables and the question; empty composes one by effort",
        example="sea",
    ),
    Setting(
        "mcs",
        values.Mcs(),
        values.mcs,
        "parameters of the method 'mcs' that differ from the paper's",
        example="prompts=3, samples=5",
    ),
    Setting(
        "leave_out",
        (),
        values.parts,
        "steps to leave out of a method, to measure what each contributes",
        example="skeleton",
    ),
    Setting(
        "examples",
        "",
        values.stripped,
        "a file of questions with SQL, as JSON lines, which prompts show as examples beside the pins",
        guarded=True,
        example="/data/examples.jsonl",
    ),
    Setting(
        "examples_by",
        "bm25",
        values.one_of("bm25", "masked", "embeddings"),
        "how the examples nearest to a question are found: 'bm25' by words, 'masked' by words with names and values"
        " masked, 'embeddings' by a model's vectors",
        example="masked",
    ),
    Setting(
        "embedder",
        "",
        values.model_or_none,
        "the model that makes the vectors for examples_by = 'embeddings', named as in model; empty is the model itself",
        example="openai:text-embedding-3-small",
    ),
    Setting(
        "eliminator",
        "",
        values.model_or_none,
        "the model of SEA-SQL's bias elimination, named as in model; 'lora:FILE' is the model with an adapter",
        example="lora:/models/bias.gguf",
    ),
    Setting(
        "adapter",
        "auto",
        values.adapter,
        "the LoRA adapter of a model in a file: 'auto' is the one that comes with askwhere, if there is one for it"
        " (docs/adapters.md); 'off' is none; or a GGUF file",
        guarded=True,
        example="off",
    ),
    Setting(
        "grammar",
        "binding",
        values.one_of("binding", "names", "off"),
        "how replies are constrained: 'names' by a grammar of your tables' and columns' names, if the model takes one;"
        " 'binding', for a model in this process, also to columns that the query's tables have (a server gets the"
        " grammar of names); 'off' not at all",
        example="off",
    ),
    Setting(
        "threads",
        0,
        values.number(int, 0, 512),
        "threads that evaluate a model in a file; 0 chooses by the number of cores, and leaves one to other programs"
        " (`askwhere doctor` shows it)",
        guarded=True,
        example="2",
    ),
    Setting(
        "prompt_cache",
        "disk",
        values.one_of("disk", "memory", "off"),
        "where a model in a file caches the prompts that it has evaluated: 'memory' until the process ends; 'disk' also"
        " on disk, the part that all questions share (`askwhere model cache`); 'off' nowhere",
        guarded=True,
        example="memory",
    ),
    Setting(
        "max_calls",
        values.ByEffort(8, 40, 300),
        values.number(int, 1),
        "the most completions for one question",
        example="10",
    ),
    Setting(
        "max_tokens",
        values.ByEffort(8_000, 40_000, 300_000),
        values.number(int, 1),
        "the most tokens of its completions",
        example="20000",
    ),
    Setting(
        "max_seconds",
        values.ByEffort(60, 180, 900),
        values.number(float, 0.01),
        "the most seconds to find its query",
        example="30",
    ),
    Setting(
        "values",
        "",
        values.one_of("", "show", "matched", "hide"),
        "which cell values a prompt may contain: 'show' the best of every column, 'matched' those that the question"
        " mentions, 'hide' none; empty is 'show' for a model in this process and 'matched' for a server",
        example="hide",
    ),
    Setting(
        "values_shown",
        2,
        values.number(int, 0, 100),
        "how many example values of each column a prompt shows, and how many values found for the question",
        example="1",
    ),
    Setting(
        "schema_tokens",
        4_000,
        values.number(int, 100),
        "about how many tokens of the schema a prompt shows",
        example="8000",
    ),
    Setting(
        "hide_columns",
        (),
        values.columns,
        "columns never read or shown, as table.column; * is any text, and an entry that ends in ? may match nothing",
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
        "a column with more different values is not indexed",
        example="100000",
    ),
    Setting(
        "index_numbers",
        "off",
        values.one_of("on", "off"),
        "whether ask_index() indexes numeric columns too",
        example="on",
    ),
    Setting(
        "query_timeout",
        30.0,
        values.number(float, 0.01),
        "the most seconds that one generated query may run",
        example="5",
    ),
    Setting("max_rows", 1_000_000, values.number(int, 1), "a larger answer is an error, never cut", example="1000"),
    Setting(
        "min_confidence", 0.0, values.number(float, 0, 1), "an answer with less confidence is an error", example="0.6"
    ),
    Setting(
        "stale_pins",
        "fail",
        values.one_of("fail", "run", "ask"),
        "what happens to a pin whose tables have changed: 'fail' is an error, 'run' runs it if it gives the same"
        " columns, 'ask' asks its question again",
        example="run",
    ),
    Setting(
        "remember",
        "connection",
        values.one_of("connection", "database"),
        "where answers are kept: by the 'connection', or in the 'database' file for all connections",
        example="database",
    ),
    Setting(
        "log",
        "connection",
        values.one_of("connection", "database"),
        "where ask_log() is kept: by the 'connection', or in the 'database' file",
        example="database",
    ),
    Setting(
        "isolation",
        "",
        values.one_of("", "process"),
        "'process' runs generated SQL in a process of its own, with hard limits",
        example="process",
    ),
    Setting(
        "dynamic_columns",
        "on",
        values.one_of("on", "off"),
        "whether ask() of the loadable SQLite extension shows the answer's own columns, for which it prepares the"
        " statement again; 'off' is for hosts that read the columns before the first step (docs/hosts.md)",
        example="off",
    ),
)
