"""Define the report's style sheet: that of the other pages, and plots."""

from askwhere.pages.style import STYLE

REPORT = (
    STYLE
    + """
.plane { padding: .6rem 1rem 1.6rem 3.2rem; }
.plot { display: block; width: 100%; height: 14rem; overflow: visible; }
.plot text { color: var(--soft); fill: currentColor; font-size: .8rem; }
.plot .label { color: var(--ink); font-weight: 600; }
.plot .grid { stroke: var(--line); stroke-width: 1; }
.plot .diagonal { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 5 4; }
.plot .whisker { stroke: var(--prompt); stroke-width: 2; }
.plot .dot { fill: var(--prompt); stroke: var(--card); stroke-width: 1.5; }
.span .interval { fill: var(--prompt); } .span .point { fill: var(--ink); }
.bar .wrong { fill: var(--completion); }
.figure { margin-top: .9rem; }
.chart th:first-child { width: 38%; }
.rows tbody th { font-weight: 400; }
h4 { margin: .9rem 0 -.4rem; font-size: .9rem; color: var(--soft); }
.card h3 + .note { margin-top: .1rem; }
section > h3 { margin-top: 1.4rem; }
@media print { .plot .dot, .plot .whisker { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
)
