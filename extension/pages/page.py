"""Fill in the templates of pages, and word the figures in them: times, counts, confidences.

Each text is escaped, and a name that a template does not get is an error.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Sequence
from typing import Any

from askwhere.cells import counted, is_numeric, written
from askwhere.pages.colour import coloured, laid_out
from askwhere.pages.markup import printable
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

STARTS = "<!doctype html>"


def policy(style: str, forms: str) -> str:
    """Return the content security policy of a page with this stylesheet; `forms` says where its forms may be sent."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action {forms}"


def page(template: str, sections: Sequence[tuple[str, str]], forms: str = "'none'", **facts: Any) -> str:
    """Return the document of a template that extends `page.html`; `sections` are (identifier, name in the navigation).

    Its content security policy allows the stylesheet in it, by its hash, and nothing else: no script, image, font,
    frame or connection, and no form unless `forms` allows it, whatever the content is.
    """
    environment = templates()
    style = environment.get_template(f"{template.removesuffix('.html').partition('_')[0]}.css").render().strip()
    allowed = policy(style, forms)
    filled = environment.get_template(template).render(sections=sections, style=Markup(style), policy=allowed, **facts)
    return f"{filled.strip()}\n"


@functools.cache
def templates() -> Environment:
    """Return the templates of this package, with the functions that they call."""
    made = Environment(
        loader=PackageLoader("askwhere.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "coloured": coloured,
        "count": counted,
        "laid_out": laid_out,
        "likely_kind": likely_kind,
        "numeric": numeric,
        "time": time,
        "written": written,
    }
    return made


# A confidence below this is shown as a warning.
_SURE = 0.8


def numeric(columns: Sequence[str], shown: Sequence[Sequence[Any]]) -> list[bool]:
    """Return for each column of some rows whether it holds numbers."""
    return [is_numeric(shown, place) for place in range(len(columns))]


def likely_kind(confidence: float) -> str:
    """Return the CSS class of a confidence: 'good', or 'fair' below `_SURE`."""
    return "good" if confidence >= _SURE else "fair"


def time(ms: float) -> str:
    """Return a time in milliseconds as text, in seconds from one second on."""
    return f"{ms / 1000:,.2f} s" if ms >= 1000 else f"{ms:.3g} ms" if ms >= 0.01 else "0 ms"
