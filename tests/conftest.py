"""What several test files share."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from parts import pytest_addoption, pytest_configure

from scorpion.board import Board
from scorpion.cards import DECK, RANKS, is_red
from scorpion.deals import deal
from scorpion.errors import BoardError
from scorpion.rules import GAMES, Rules

__all__ = ["pytest_addoption", "pytest_configure"]  # for pytest, which looks for them here

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

# A slow machine is no fault; a failure prints what repeats it.
settings.register_profile("scorpion", deadline=None, print_blob=True)
settings.load_profile("scorpion")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Of single files all tests run in this process: it starts sooner, and shows what they print.

    Of folders they run in one process more than there are cores, as tests wait for browsers,
    services and other processes.
    """
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    return 0 if all(path.is_file() for path in named) else (os.cpu_count() or 1) + 1


def pytest_xdist_setupnodes() -> None:
    """A whole run starts hundreds of processes: let one compile Python files for the others.

    Not where sources change within a second, as in `mutate.py`, which runs one process.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


_RULES = st.sampled_from(list(GAMES.values())) | st.builds(
    Rules,
    build=st.sampled_from(["suit", "alternating"]),
    fill=st.sampled_from(["king", "any"]),
    face_down=st.tuples(*[st.integers(0, 6)] * 7),
    runs=st.sampled_from(["leave", "stay"]),
    stock=st.sampled_from(["any-time", "when-stuck"]),
)


@st.composite
def _late(draw: st.DrawFn, rules: Rules) -> Board:
    """Any legal position: some runs gone, the other cards anyhow, face down or in the stock."""
    left = list(DECK)
    kings = draw(st.sets(st.sampled_from(DECK[-4:]))) if rules.runs == "leave" else set()
    for king in sorted(kings):
        card = king
        left.remove(king)
        for rank in reversed(RANKS[:-1]):
            if rules.build == "suit":
                fitting = [rank + king[1]]
            else:
                fitting = [c for c in left if c[0] == rank and is_red(c) != is_red(card)]
            card = draw(st.sampled_from(fitting))
            left.remove(card)
    left = draw(st.permutations(left))
    undealt = len(left) > 0 and draw(st.booleans())
    stock = [left.pop() for _ in range(3)] if undealt else []
    ends = sorted(draw(st.integers(0, len(left))) for _ in range(6))
    columns = [left[a:b] for a, b in zip([0, *ends], [*ends, len(left)], strict=True)]
    face_down = [draw(st.integers(0, max(len(cards) - 1, 0))) for cards in columns]
    try:
        return Board(rules, columns, face_down, stock, sorted(kings))
    except BoardError as error:
        assume("finished run" not in str(error))
        raise


@st.composite
def _positions(draw: st.DrawFn) -> Board:
    """A deal or a late position, and then some legal moves."""
    rules = draw(_RULES)
    if draw(st.booleans()):
        board = draw(_late(rules))
    else:
        board = deal(rules, draw(st.integers(1, 10**6)))
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=100)):
        legal = board.legal_moves()
        if not legal:
            break
        board = board.play(legal[choice % len(legal)])
    return board


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_reaches_children() -> None:
    """A shell that runs the tests in the background has them, and their children, ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def positions() -> st.SearchStrategy[Board]:
    """Legal positions by all rules, from the deal to the end."""
    return _positions()


# The page in a browser, for the files that test it; the others need no playwright.


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    from page import chromium  # noqa: PLC0415

    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    from page import service  # noqa: PLC0415

    with service() as started:
        yield started


@pytest.fixture(scope="module")
def _shared_context(browser: "Browser") -> "Iterator[BrowserContext]":
    """A new one takes as long to start as most tests take, and every page in it."""
    from page import DESKTOP  # noqa: PLC0415

    opened = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.fixture
def context(_shared_context: "BrowserContext") -> "Iterator[BrowserContext]":
    yield _shared_context
    _shared_context.set_offline(offline=False)
    _shared_context.clear_permissions()


@pytest.fixture
def page(context: "BrowserContext", address: str) -> "Iterator[Page]":
    """An empty page, of a browser that keeps nothing from before."""
    from page import forget, unbroken_page  # noqa: PLC0415

    with unbroken_page(context) as started:
        forget(started, address)
        yield started
        started.close()


@pytest.fixture
def timed_page(browser: "Browser") -> "Iterator[Page]":
    """A page whose time stands still at noon of March 14, 2026, until a test moves it."""
    from page import DESKTOP, unbroken_page  # noqa: PLC0415

    # Its clock goes for all pages of a context, so this one has its own.
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    with unbroken_page(context) as started:
        started.clock.install(time="2026-03-14T11:59:00")
        started.clock.pause_at("2026-03-14T12:00:00")
        yield started
    context.close()
