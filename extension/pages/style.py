"""Define the stylesheet of all pages, for light and dark, phones and paper.

Every text has a contrast with its background of at least 4.5:1 (tests/test_trace_page.py measures it in a browser).
"""

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #f4f6f9; --card: #ffffff; --sunk: #f4f6f9; --ink: #18212d; --soft: #505c6b; --line: #d8dee6;
  --accent: #0a57a8; --good: #14663a; --fair: #7d4700; --bad: #a2232b;
  --good-ground: #ddf1e4; --fair-ground: #fcecc9; --bad-ground: #fbe0e0; --name-ground: #dce9fa;
  --keyword: #0a57a8; --string: #14663a; --number: #7a2d9e; --function: #7d4700; --comment: #596474;
  --prompt: #5b7fb4; --completion: #c77f14; --time: #4a8f6c; --track: #e6eaf0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #10151c; --card: #181f29; --sunk: #10151c; --ink: #e5eaf1; --soft: #a5b1c1; --line: #2f3947;
    --accent: #7db8ff; --good: #7fdca4; --fair: #f3bd6e; --bad: #ff9d98;
    --good-ground: #173b29; --fair-ground: #45330f; --bad-ground: #4a1d21; --name-ground: #1b3555;
    --keyword: #7db8ff; --string: #7fdca4; --number: #d7a4f5; --function: #f3bd6e; --comment: #96a3b5;
    --prompt: #6f95cf; --completion: #dd9a35; --time: #55a67e; --track: #2a3340;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main, footer, nav { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.25rem; }
h1 { margin: .25rem 0 1rem; font-size: clamp(1.45rem, 4.5vw, 2.1rem); line-height: 1.3; text-wrap: balance; }
h2 { margin: 0 0 .25rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .35rem 0; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent);
  outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.brow, .note, .facts, footer, caption, .legend { color: var(--soft); font-size: .9rem; }
.brow { font-weight: 600; letter-spacing: .02em; }
.facts { display: flex; flex-wrap: wrap; gap: .15rem 1.5rem; margin: .75rem 0 0; }
.facts div { display: flex; gap: .4rem; }
.facts dt::after { content: ":"; }
.facts dd { margin: 0; color: var(--ink); }
nav { position: sticky; top: 0; max-width: none; margin-top: 1.25rem; background: var(--ground);
  border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; max-width: 61.5rem; margin: 0 auto; padding: 0;
  list-style: none; }
nav a { display: block; padding: .5rem 0; text-decoration: none; font-weight: 600; font-size: .9rem; }
nav a:hover { text-decoration: underline; }
section { margin: 2rem 0; scroll-margin-top: 4rem; }
.card { margin: .9rem 0 0; padding: 1rem 1.15rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; min-width: 0; }
.card.chosen { border-color: var(--good); border-left-width: .35rem; }
.title + .sure { margin-top: .6rem; }
.card.failed { border-left: .35rem solid var(--bad); }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .6rem; }
.badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; font-size: .82rem; font-weight: 600;
  background: var(--name-ground); color: var(--ink); }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.fair { background: var(--fair-ground); color: var(--fair); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.error { padding: .6rem .8rem; border-radius: .5rem; background: var(--bad-ground); color: var(--bad);
  white-space: pre-wrap; }
pre { margin: .75rem 0 0; padding: .8rem .95rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--sunk);
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; }
pre, code, td.text { font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
  font-size: .875rem;
  line-height: 1.5; }
code code { font-size: 1em; }
.keyword { color: var(--keyword); font-weight: 600; }
.string { color: var(--string); }
.number { color: var(--number); }
.function { color: var(--function); }
.comment { color: var(--comment); font-style: italic; }
mark { padding: 0 .15em; border-radius: .2em; color: inherit; border-bottom: 3px solid transparent; }
.exact { background: var(--good-ground); border-bottom: 2px solid var(--good); }
.near { background: var(--fair-ground); border-bottom: 2px dashed var(--fair); }
.name { background: var(--name-ground); border-bottom: 2px dotted var(--accent); }
.how { padding: 0 .3em; border-radius: .2em; white-space: nowrap; }
figure { margin: 0; }
.scroll { margin-top: .75rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; }
table { width: 100%; overflow-wrap: break-word; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: .5rem .75rem; text-align: left; }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
table thead tr:first-child th { border-top: 0; }
caption + thead th, caption + tbody tr:first-child > * { border-top: 1px solid var(--line) !important; }
thead th { font-size: .85rem; color: var(--soft); white-space: nowrap; }
.rows td, .rows th { white-space: nowrap; max-width: 26rem; overflow: hidden; text-overflow: ellipsis; }
.right { text-align: right; }
.none { color: var(--soft); font-style: italic; }
.chart { table-layout: fixed; }
.chart th:first-child { width: 34%; }
.chart td, .chart th { overflow-wrap: anywhere; }
.chart tbody th { font-weight: 600; }
.chart small { display: block; font-weight: 400; color: var(--soft); font-size: .82rem; }
.bar { display: block; width: 100%; height: .65rem; margin: .45rem 0 .2rem; border-radius: .2rem; overflow: hidden; }
.bar .track { fill: var(--track); } .bar .time { fill: var(--time); } .bar .prompt { fill: var(--prompt); }
.bar .completion { fill: var(--completion); } .bar .good { fill: var(--good); } .bar .fair { fill: var(--completion); }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin-top: .5rem; }
.legend span::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border-radius: .15em; }
.legend .time::before { background: var(--time); } .legend .prompt::before { background: var(--prompt); }
.legend .completion::before { background: var(--completion); }
.sure { display: grid; grid-template-columns: minmax(4rem, 12rem) max-content; align-items: center; gap: .75rem;
  max-width: 24rem; }
.sure .bar { margin: 0; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .9rem; }
.two > * { min-width: 0; }
.two h4 { margin: .75rem 0 -.4rem; font-size: .85rem; color: var(--soft); }
del { background: var(--bad-ground); color: var(--bad); text-decoration: line-through; border-radius: .2em; }
ins { background: var(--good-ground); color: var(--good); text-decoration: underline; border-radius: .2em; }
del, ins { -webkit-box-decoration-break: clone; box-decoration-break: clone; padding: .05em .1em; }
details { margin-top: .75rem; }
summary { cursor: pointer; font-weight: 600; color: var(--accent); padding: .15rem 0; }
details.step { margin: .6rem 0 0; padding: .45rem .95rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem .4rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.chips li { padding: 0 .5rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .85rem;
  color: var(--soft); }
.chips .used { background: var(--good-ground); border-color: var(--good); color: var(--good); font-weight: 600; }
ul.plain { margin: .5rem 0 0; padding-left: 1.2rem; }
footer { padding-top: 1rem; padding-bottom: 2.5rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  header, main, footer, nav { padding-left: .9rem; padding-right: .9rem; }
  .card { padding: .85rem .9rem; }
  th, td { padding: .4rem .55rem; }
  nav { position: static; }
}
@media print {
  @page { margin: 15mm; }
  body { font-size: 10pt; background: none; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  nav, .skip { display: none; }
  pre { max-height: none; overflow: visible; }
  .scroll { overflow: visible; }
  .rows td { white-space: normal; }
  .card, .error, tr, figure { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  mark, .how, .badge, .chips li, del, ins, .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
