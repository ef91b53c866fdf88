"""Figures in words, for reprs, sentences and tables."""


def count(number: int, noun: str) -> str:
    """How many there are of what: "1 deal", "1,000 deals"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def figure(value: float) -> str:
    """A figure of any size to three digits, all those before its point."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"
