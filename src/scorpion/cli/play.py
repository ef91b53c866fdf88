"""The command that plays a game in the terminal: play."""

import json
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.text import Text

import scorpion
from scorpion import DEAL, FairHint, Game, Hint, Move, Rules, ScorpionError, Verdict
from scorpion.cli.boards import drawing
from scorpion.cli.given import Given, takes_board
from scorpion.cli.shown import count, show

PROMPT: Final = "> "
RANDOM_DEALS: Final = 10**9
KEYS: Final = """\
6H      move the 6H, with all on it, to where it fits; again: to the other place
6H>3    move it to column 3
d       deal the stock           h   a hint              f   a hint that does not peek
u       undo                     y   redo                r   restart
n       a new board that can be won                      q   quit"""


def _random(rules: Rules) -> Given:
    """A random board that can be won."""
    found = scorpion.winnable(rules, secrets.randbelow(RANDOM_DEALS) + 1)
    return Given(found.board, found.number, found.dealer)


@click.command("play")
@partial(takes_board, otherwise=_random)
@click.option("--save", metavar="FILE", help="Keep the game in FILE, and go on with it.")
def play_command(given: Given, *, save: str | None) -> None:
    """Play a game in the terminal.

    FILE holds a board's text. Without a board a random one is dealt that can be won.
    ? lists what you can type.

    \b
      scorpion play --game wasp
      scorpion play --game scorpion --deal 5 --save game.json
    """
    seat = _Seat(given, None if save is None else Path(save))
    seat.show()
    while True:
        try:
            typed = click.prompt("", prompt_suffix=PROMPT, default="", show_default=False).strip()
        except click.Abort:
            return
        if typed in {"q", "quit"}:
            return
        seat.do(typed)


class _Seat:
    """Where a player sits: a game, and what can be typed."""

    def __init__(self, given: Given, save: Path | None) -> None:
        self._save = save
        self._given = given
        self._game = Game(given.board)
        if save is not None and save.exists():
            self._game = _saved(save)
            self._given = Given(self._game.board)

    def _answer(self, typed: str) -> str:
        """Do what was typed; what there is to say of it."""
        game = self._game
        acts: dict[str, Callable[[], object]] = {
            "d": lambda: game.play(DEAL),
            "u": game.undo,
            "y": game.redo,
            "r": game.restart,
            "n": self._new,
        }
        questions: dict[str, Callable[[], str]] = {
            "": lambda: "",
            "?": lambda: KEYS,
            "h": lambda: _advice(game.hint()),
            "f": lambda: _advice(scorpion.hint(game.board, peek=False)),
        }
        if typed in questions:
            return questions[typed]()
        if typed in acts:
            acts[typed]()
        else:
            game.play(self._move(typed))
        return ""

    def _new(self) -> None:
        self._given = _random(self._given.board.rules)
        self._game = Game(self._given.board)

    def do(self, typed: str) -> None:
        """Do what was typed, and show what came of it."""
        try:
            said = self._answer(typed.lower())
        except ScorpionError as error:
            said = str(error)
        if self._save is not None:
            self._save.write_text(json.dumps(self._game.to_dict()))
        self.show(said)

    def show(self, said: str = "") -> None:
        """Draw the board, and below it what there is to say."""
        board = self._game.board
        show(drawing(board, self._given.title), board.text().rstrip("\n"))
        if board.is_won:
            said = f"Won in {count(len(self._game.moves), 'move')}."
        elif board.is_stuck and not said:
            said = "No move is left: u takes one back, r restarts, n deals a new board."
        if said:
            show(Text(f"\n{said}"), said)

    def _move(self, typed: str) -> Move:
        """A move as typed; of a card alone the one onto a card, else to an empty column."""
        card = typed.upper().replace("10", "T")
        found = [move for move in self._game.board.legal_moves() if move.card == card]
        columns = self._game.board.columns
        found.sort(key=lambda move: not columns[move.column - 1])
        return found[0] if found else Move.parse(typed)


def _saved(path: Path) -> Game:
    try:
        return Game.from_dict(json.loads(path.read_text()))
    except (OSError, ValueError) as error:
        raise click.UsageError(f"cannot go on with {path}: {error}") from None


def _advice(hint: Hint | FairHint) -> str:
    if hint.move is None:
        return "There is no move to play."
    if isinstance(hint, FairHint):
        low, high = hint.interval
        samples = f"{hint.share:.0%} of {hint.samples} samples ({low:.0%} to {high:.0%})"
        return f"{hint.move} keeps the win in {samples}."
    if hint.verdict is Verdict.WINNABLE:
        return f"{hint.move}: this still wins."
    if hint.verdict is Verdict.LOST:
        return f"{hint.move}, but this board is lost: {hint.reason}"
    return f"{hint.move}: a guess."
