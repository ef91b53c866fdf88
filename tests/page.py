"""Drives the page as a player does: a browser, the service behind it, and its table."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from scorpion import DEAL, Board, Move, Verdict, deal, solve

DESKTOP = ViewportSize(width=1200, height=800)
PHONE = ViewportSize(width=360, height=740)

# A slow machine is no fault: wait for what has to come, however long it takes.
PATIENCE = 60_000  # milliseconds
expect.set_options(timeout=PATIENCE)

# What a browser's own window shows costs half of its time, with a process for each of its parts.
# The last list of features counts, so what Playwright switches off has to be named once more.
WITHOUT = [
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
QUIET = [
    f"--disable-features={','.join(WITHOUT)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; where there is none the tests are skipped, unless they must not be.

    Without windows of its own it takes a fifth less time.
    """
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        stop = pytest.fail if os.environ.get("SCORPION_CHROMIUM") == "must" else pytest.skip
        stop("the tests of the page need chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def service(**settings: str) -> Iterator[str]:
    """The address of `scorpion serve`, started as a user starts it."""
    scorpion = Path(sys.executable).with_name("scorpion")
    chosen = {f"SCORPION_{name.upper()}": value for name, value in settings.items()}
    with subprocess.Popen(
        [scorpion, "serve", "--port", "0"],
        env={**os.environ, **chosen},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("scorpion listens on http://"), "the service ended at its start"
            yield said.split()[3]
        finally:
            process.terminate()


def new_page(context: BrowserContext) -> Page:
    """A page that is waited for with patience."""
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    return opened


def forget(page: Page, address: str) -> None:
    """Remove what the browser keeps for the service."""
    tools = page.context.new_cdp_session(page)
    tools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
    tools.detach()


@contextmanager
def unbroken_page(context: BrowserContext) -> Iterator[Page]:
    """A page on which nothing may break, its security policy included."""
    opened = new_page(context)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text))
    yield opened
    # The browser notes every refusal; the tests say which of them are right.
    assert [text for text in complaints if "Failed to load resource" not in text] == []


class Table:
    """What lies on the page, and a player's hands."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wait(self) -> None:
        """Until a table is shown and no move is under way."""
        self.page.wait_for_selector(".card, #ending:not([hidden])")

    def columns(self) -> list[list[str]]:
        """The cards in the columns, ``??`` for one face down."""
        shown: list[list[str]] = self.page.evaluate(
            "[...document.querySelectorAll('.column')].map("
            "column => [...column.querySelectorAll('.card')].map(card => card.dataset.card))"
        )
        return shown

    def expect(self, board: Board) -> None:
        """Wait until the page shows this board, hidden cards hidden."""
        wanted = [
            ["??" if index < down else card for index, card in enumerate(cards)]
            for cards, down in zip(board.columns, board.face_down, strict=True)
        ]
        self.page.wait_for_function(
            "wanted => JSON.stringify([...document.querySelectorAll('.column')].map("
            "column => [...column.querySelectorAll('.card')].map(card => card.dataset.card)))"
            " === wanted",
            arg=json_of(wanted),
        )

    def card(self, card: str) -> Locator:
        """A face-up card."""
        return self.page.locator(f'[data-card="{card}"]')

    def tap(self, card: str) -> None:
        """Touch a card where it shows, near its top."""
        self.card(card).tap(position={"x": 8, "y": 6})

    def drag(self, move: Move) -> None:
        """Drag a card and all on it to the foot of a column."""
        start, column = self.page.evaluate(
            "([card, at]) => [document.querySelector(`[data-card='${card}']`),"
            "document.querySelectorAll('.column')[at]].map(shown => shown.getBoundingClientRect())",
            [move.card, move.column - 1],
        )
        mouse = self.page.mouse
        grip = (start["x"] + 8, start["y"] + 6)
        mouse.move(*grip)
        mouse.down()
        mouse.move(grip[0] + 12, grip[1] + 12)
        mouse.move(column["x"] + 8, column["y"] + column["height"] / 2)
        mouse.up()

    def walk_to(self, card: str) -> None:
        """Lead the focus to a card with the arrow keys."""
        keyboard = self.page.keyboard
        wanted = next(
            (column, cards.index(card))
            for column, cards in enumerate(self.columns())
            if card in cards
        )
        for _ in range(60):
            column, index = self.page.evaluate(
                "(() => { const item = document.activeElement.parentElement;"
                "const column = item.parentElement;"
                "return [[...column.parentElement.children].indexOf(column),"
                "[...column.children].indexOf(item)]; })()"
            )
            if (column, index) == wanted:
                return
            if column != wanted[0]:
                keyboard.press("ArrowRight")
            for _ in range(abs(index - wanted[1]) if column == wanted[0] else 0):
                keyboard.press("ArrowDown" if index < wanted[1] else "ArrowUp")
        raise AssertionError(f"the arrow keys do not lead to {card}")


def json_of(columns: list[list[str]]) -> str:
    """As JavaScript writes it."""
    return "[" + ",".join("[" + ",".join(f'"{c}"' for c in cards) + "]" for cards in columns) + "]"


def tapped(board: Board, card: str) -> Move | None:
    """The move that a tap on a card stands for: onto a card before an empty column."""
    found = [move for move in board.legal_moves() if move != DEAL and move.card == card]
    onto = [move for move in found if board.columns[move.column - 1]]
    return next(iter(onto or found), None)


def line_by_taps(game: str) -> tuple[int, list[Move]]:
    """The first deal whose winning line can be played by taps alone, and that line."""
    for number in range(1, 500):
        board = deal(game, number)
        solution = solve(board)
        if solution.verdict is not Verdict.WINNABLE:
            continue
        for move in solution.moves:
            if move != DEAL and tapped(board, move.card) != move:
                break
            board = board.play(move)
        else:
            return number, [*solution.moves]
    raise AssertionError("no deal is won by taps alone")


def opened(page: Page, address: str, game: str, number: int) -> tuple[Table, Board]:
    """A deal by its shared link."""
    page.goto(f"{address}?game={game}&deal={number}&dealer=pysolfc")
    table = Table(page)
    board = deal(game, number)
    table.expect(board)
    return table, board


def played(page: Page, board: Board, moves: Sequence[Move]) -> Board:
    """The board on the page after these moves, played without hands and then reloaded."""
    page.evaluate(
        """async moves => {
            const key = 'scorpion.game.' + document.getElementById('game').value;
            const game = JSON.parse(localStorage[key]);
            for (const move of moves) {
                const position = { token: game.tables.at(-1).token };
                const answer = await fetch('api/play', {
                    method: 'POST',
                    headers: { 'Content-Type': 'application/json' },
                    body: JSON.stringify({ position, moves: [move] }),
                });
                game.tables.push(await answer.json());
                game.moves.push(move);
            }
            game.at = game.moves.length;
            addEventListener('pagehide', () => { localStorage[key] = JSON.stringify(game); });
        }""",
        [str(move) for move in moves],
    )
    page.reload()
    for move in moves:
        board = board.play(move)
    Table(page).expect(board)
    return board


def saved(page: Page, key: str) -> dict[str, int]:
    """What the browser keeps under a name."""
    found: dict[str, int] = json.loads(page.evaluate(f"localStorage.getItem('scorpion.{key}')"))
    return found


def won(page: Page, moves: int) -> None:
    """Wait until the page says that so many moves have won."""
    expect(page.locator("#ending-text")).to_contain_text(f"Won in {moves} moves")
