"""Draw the losses of a run of `askwhere train lora` as a picture (SVG).

python tests/benchmarks/losses.py training/lora/log.jsonl docs/images/adapter-loss-0.5b.svg --held-out 0=0.380 96=0.163
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

WIDTH, HEIGHT, LEFT, BELOW = 720, 280, 50, 40
Point = tuple[float, float]


def drawn(steps: Sequence[Point], held: Sequence[Point], title: str) -> str:
    """Return the picture: the loss of each step, and that on the databases held out."""
    last, top = max(x for x, _ in (*steps, *held)), max(y for _, y in (*steps, *held))

    def place(point: Point) -> str:
        x, y = point
        return f"{LEFT + (WIDTH - LEFT - 20) * x / last:.1f},{(HEIGHT - BELOW) * (1 - y / top) + 10:.1f}"

    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 20}" font-family="sans-serif" '
            f'font-size="12"><title>{title}</title><rect width="100%" height="100%" fill="#fff"/>',
            *_axes(last, top),
            f'<polyline fill="none" stroke="#9ab" points="{" ".join(map(place, steps))}"/>',
            f'<polyline fill="none" stroke="#c30" stroke-width="2" points="{" ".join(map(place, held))}"/>',
            f'<text x="{WIDTH - 250}" y="24" fill="#678">loss of a step</text>',
            f'<text x="{WIDTH - 250}" y="42" fill="#c30">loss on the databases held out</text>',
            "</svg>\n",
        ]
    )


def _axes(last: float, top: float) -> Iterator[str]:
    """Yield the lines and numbers of both axes."""
    for part in range(5):
        y = 10 + (HEIGHT - BELOW) * (1 - part / 4)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - 20}" stroke="#eee"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * part / 4:.2f}</text>'
        x = LEFT + (WIDTH - LEFT - 20) * part / 4
        yield f'<text x="{x:.1f}" y="{HEIGHT - 10}" text-anchor="middle">{last * part / 4:.0f}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 10}" text-anchor="middle">steps</text>'


def main() -> None:
    """Draw the picture that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--held-out", nargs="+", default=[], metavar="STEP=LOSS")
    parsed = parser.parse_args()
    records = [json.loads(line) for line in parsed.log.read_text().splitlines()]
    held = [(float(step), float(loss)) for step, _, loss in (one.partition("=") for one in parsed.held_out)]
    parsed.output.parent.mkdir(exist_ok=True)
    parsed.output.write_text(drawn([(r["step"], r["loss"]) for r in records], held, "Losses of the adapter's training"))


if __name__ == "__main__":
    main()
