"""Fill in the templates of pages. Each text is escaped, and a name that a template does not get is an error."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Sequence
from typing import Any

from askwhere.cells import written
from askwhere.pages import parts
from askwhere.pages.colour import coloured, laid_out
from askwhere.pages.markup import printable
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

STARTS = "<!doctype html>"


def page(template: str, sections: Sequence[tuple[str, str]], **facts: Any) -> str:
    """Return the document of a template that extends `page.html`; `sections` are (identifier, name in the navigation).

    Its content security policy allows the stylesheet in it, by its hash, and nothing else: no script, image, font,
    frame, form or connection, whatever the content is.
    """
    found = templates()
    style = found.get_template(template.replace(".html", ".css")).render().strip()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    filled = found.get_template(template).render(sections=sections, style=Markup(style), policy=policy, **facts)
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
        "count": parts.count,
        "laid_out": laid_out,
        "likely_kind": parts.likely_kind,
        "numeric": parts.numeric,
        "time": parts.time,
        "written": written,
    }
    return made
