"""Assemble what a method works with: what a prompt shows of question and database, the models, the demonstrations."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from askwhere.indexer import forms
from askwhere.indexer.catalog import Catalog
from askwhere.memory import Memory
from askwhere.models import Model, flag, named
from askwhere.pipeline import demonstrations, prompts
from askwhere.pipeline.asking import Asker, since
from askwhere.pipeline.binding.grammar import grammar
from askwhere.pipeline.binding.reading import bound
from askwhere.pipeline.demonstrations import Pool
from askwhere.pipeline.facts import Candidate, Linked
from askwhere.pipeline.link import cut, enhance
from askwhere.pipeline.methods import method
from askwhere.pipeline.steps import Retrieval, StepContext
from askwhere.session import trials
from askwhere.session.database import Database
from askwhere.session.questions import Turn
from askwhere.settings import Settings

# By the setting `grammar`: the grammar of replies for a schema and a dialect, None for no grammar.
_GRAMMARS: dict[str, Callable[[Catalog, str], str | None]] = {
    "binding": bound,
    "names": grammar,
    "off": lambda catalog, dialect: None,
}


class Showing:
    """Demonstrations and prompts of one connection. Without `use_pins` pins are not used as demonstrations."""

    def __init__(self, database: Database, memory: Memory, use_pins: bool) -> None:
        self._database = database
        self._memory = memory
        self._use_pins = use_pins
        self._demonstrations: tuple[object, Pool] | None = None
        self._vectors: dict[tuple[str, str], Any] = {}

    def shown(self, turn: Turn) -> Linked:
        """Return the question with what a prompt shows of the schema and the values. No model is called."""
        return self._enhanced(self._database.linked(turn), turn.settings, named.open_model(turn.settings, "model"))

    def prompt(self, turn: Turn) -> str:
        """Return the first prompt that a model would be sent for a question.

        The budget of `turn` is 0, so that no model is called to choose demonstrations.
        """
        settings = turn.settings
        if settings["model"] == "reader":  # the prompt that a model would be sent, if one were set
            return prompts.generation(self.shown(turn))
        tried = trials.trier(turn, self._database.catalog(turn.engine, settings))
        shown, context = self.context(turn, self._database.linked(turn), tried)
        return method(settings["method"], settings["effort"]).prompt(shown, context)

    def context(
        self, turn: Turn, linked: Linked, tried: Callable[[Candidate], Candidate]
    ) -> tuple[Linked, StepContext]:
        """Return the question with what a prompt shows to the settings' model, and the context of the steps."""
        engine, settings, asker = turn.engine, turn.settings, turn.asker
        model = _opened(asker, settings, "model")
        assert model is not None  # the reader answers where none is set
        began = monotonic()
        shown = self._enhanced(linked, settings, model)
        asker.note("schema", cut(shown) or _whole(shown), since(began))
        asker.fixed = prompts.fixed(shown)
        eliminator = _opened(asker, settings, "eliminator")
        for asked in filter(None, (model, eliminator)):
            if flag(asked, "prompts_learned") not in (None, prompts.VERSION):
                asker.note("model", prompts.outdated(asked.name, flag(asked, "prompts_learned")))
        embedder = (_opened(asker, settings, "embedder") if settings["examples_by"] == "embeddings" else None) or model
        catalog = self._database.catalog(engine, settings)
        return shown, StepContext(
            model=model,
            eliminator=eliminator,
            asker=asker,
            tried=tried,
            grammar=lambda: _GRAMMARS[settings["grammar"]](shown.schema, engine.dialect),
            rounds=method(settings["method"], settings["effort"]).rounds,
            pool=lambda: self._pool(turn, any(_shows(settings, m) != "show" for m in (model, embedder))),
            run=trials.runner(turn, catalog),
            leave_out=frozenset(settings["leave_out"]),
            mcs=settings["mcs"],
            retrieval=Retrieval(settings["examples_by"], embedder, self._vectors),
        )

    def _pool(self, turn: Turn, hide: bool) -> Pool:
        """Return the pool of demonstrations: the database's pins, then those of the file that the settings name.

        With `hide` the values in pins are masked, as they come from cells of this database. For an unpinned question,
        demonstrations of the same question are left out, as they would give the answer.
        """
        engine, settings = turn.engine, turn.settings
        listed = self._memory.pins(engine, self._database.catalog(engine, settings)) if self._use_pins else ()
        pins = tuple(pin for pin, changes in listed if not changes)
        file = demonstrations.read(settings["examples"]) if settings["examples"] else ()
        if turn.question.unpinned:
            own_form = forms.form(turn.question.text)
            pins = tuple(pin for pin in pins if pin.form != own_form)
            file = tuple(shot for shot in file if forms.form(shot.question) != own_form)
        if self._demonstrations is None or self._demonstrations[0] != (pins, file, hide):
            values_in = self._database.values_in(engine, settings) if hide else None
            own = demonstrations.of_pins(pins, engine.dialect, values_in)
            self._demonstrations = ((pins, file, hide), Pool((*own, *file), engine.dialect))
        return self._demonstrations[1]

    def _enhanced(self, linked: Linked, settings: Settings, model: Model | None) -> Linked:
        """Return the question with what a prompt for `model` shows, within half of the model's context."""
        show = _shows(settings, model)
        context = flag(model, "context")
        room = min(settings["schema_tokens"], context // 2) if context else settings["schema_tokens"]
        best = settings["values_shown"]
        return enhance(linked, show, room, self._database.examples_of(linked, best) if show == "show" else (), best)


def _shows(settings: Settings, model: Model | None) -> str:
    """Return which values a prompt may hold: as set, else 'matched' for a remote model and 'show' for others."""
    return settings["values"] or ("matched" if flag(model, "remote") else "show")


def _opened(asker: Asker, settings: Settings, setting: str) -> Model | None:
    """Return the model that a setting names; that of a file is a step, with the time that loading it takes."""
    began = monotonic()
    model = named.open_model(settings, setting)
    if model is not None and isinstance(settings[setting], str) and not flag(model, "remote"):
        asker.note("load", model.name, since(began))
    return model


def _whole(shown: Linked) -> str:
    """Return a sentence on a schema that is shown whole."""
    number = len(shown.schema.tables)
    return f"shows all {number} tables" if number > 1 else "shows the only table"
