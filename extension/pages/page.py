"""Write the frame of a page: a document that can load nothing and run no script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from askwhere.pages.markup import Markup, tag
from askwhere.pages.style import STYLE

STARTS = "<!doctype html>"


def page(
    title: str, header: Markup, sections: Sequence[tuple[str, str, Markup]], footer: Markup, style: str = STYLE
) -> str:
    """Return the document; `sections` are (identifier, name in the navigation, content).

    Its content security policy allows the stylesheet in it, by its hash, and nothing else: no script, image, font,
    frame, form or connection, whatever the content is.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    links = (tag("li", tag("a", name, href=f"#{identifier}")) for identifier, name, _ in sections)
    body = tag(
        "body",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", header),
        tag("nav", tag("ul", *links), aria_label="On this page"),
        tag("main", *(content for *_, content in sections), id="content", tabindex=-1),
        tag("footer", footer),
    )
    return f"{STARTS}\n{tag('html', head, body, lang='en')}\n"


def section(identifier: str, heading: str, *content: str) -> Markup:
    """Return a section with its heading; the navigation links to its identifier."""
    return tag(
        "section",
        tag("h2", heading, id=f"{identifier}-heading"),
        *content,
        id=identifier,
        aria_labelledby=f"{identifier}-heading",
    )


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
