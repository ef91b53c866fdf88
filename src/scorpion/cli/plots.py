"""The histograms of a survey, drawn by matplotlib (extra: plot)."""

from pathlib import Path
from typing import Final

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.figure import Figure

from scorpion import Survey

WIDER: Final = 1.25


def fault_of(file: str) -> str | None:
    """Why no plot can be written to that file, None if one can."""
    path = Path(file)
    kinds = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.lstrip(".").lower() not in kinds:
        return f"{file!r} must end in a kind of picture: {', '.join(sorted(kinds))}"
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r}"
    return None


def draw(survey: Survey, title: str, file: str) -> None:
    """Write a picture of the histograms; the file's name says of which kind."""
    figure(survey, title).savefig(file, dpi=120)


def figure(survey: Survey, title: str) -> Figure:
    """How many positions the deals took to settle, and how long the winning lines are."""
    drawn = Figure(figsize=(11, 4.5), layout="constrained")
    low, high = survey.interval
    drawn.suptitle(f"{title}: {survey.share:.2%} winnable ({low:.2%} to {high:.2%})")
    settled, lines = drawn.subplots(1, 2)

    nodes = survey.nodes.counts
    settled.hist([*nodes], bins=_edges(max(nodes, default=1)), weights=[*nodes.values()])
    settled.set(xlabel="positions seen", ylabel="deals")
    settled.set(xscale="log", yscale="log", ylim=(0.5, None))  # one deal is to be seen too

    lengths = survey.lengths.counts
    lines.bar([*lengths], [*lengths.values()], width=1.0, edgecolor="white", linewidth=0.5)
    lines.set(xlabel="moves of the winning line found", ylabel="winnable deals")
    return drawn


def _edges(most: float) -> list[float]:
    """Bins up to the largest value: a whole number each, then each WIDER than the one before."""
    edges = [0.5]
    while edges[-1] <= most:
        edges.append(max(edges[-1] + 1, round(WIDER * edges[-1]) + 0.5))
    return edges
