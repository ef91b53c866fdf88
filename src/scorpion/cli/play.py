"""The command that plays a game in the terminal: play."""

import secrets
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

import click
from rich.text import Text

import scorpion
from scorpion import (
    DEAL,
    FairHint,
    Game,
    Hint,
    IllegalMoveError,
    Move,
    Rules,
    ScorpionError,
    Verdict,
)
from scorpion.cards import SPELLED
from scorpion.cli.boards import drawing
from scorpion.cli.given import Given, takes_board
from scorpion.cli.saved import SavedGame
from scorpion.cli.shown import show
from scorpion.words import count

PROMPT: Final = "> "
RANDOM_DEALS: Final = 10**9
COMMANDS: Final = (
    ("d", "deal", "deal the stock"),
    ("u", "undo", "take the last move back"),
    ("y", "redo", "play it again"),
    ("r", "restart", "take all moves back"),
    ("h", "hint", "what to play"),
    ("f", "fair", "the same, without a look at hidden cards"),
    ("n", "new", "a new board that can be won"),
    ("q", "quit", "leave"),
    ("?", "help", "this list"),
)
"""What can be typed but for moves: a letter or its word, and what that does."""
LETTERS: Final = {word: letter for letter, word, _ in COMMANDS}
KEYS: Final = "\n".join(
    [
        "6H          move the 6H, with all on it, to where it fits; again: elsewhere",
        "6H>3        move it to column 3",
        *(f"{letter} {word:<10}{does}" for letter, word, does in COMMANDS),
    ]
)
WELCOME: Final = "? lists what you can type."
UNKNOWN: Final = "{typed!r} is no move and no command. " + WELCOME


def _random(rules: Rules) -> Given:
    """A random board that can be won."""
    found = scorpion.winnable(rules, secrets.randbelow(RANDOM_DEALS) + 1)
    return Given(found.board, found.number, found.dealer)


@click.command("play")
@partial(takes_board, otherwise=_random)
@click.option("--save", metavar="FILE", help="Keep the game in FILE, and go on with it.")
def play_command(given: Given, *, save: str | None) -> None:
    """Play a game in the terminal.

    A board's text may come from a file. Without a board a random one is dealt that can
    be won. ? lists what you can type. Cards that lie face down or in the stock are shown
    as ??. With --save the game is kept after whatever is done, and the same command goes
    on with it.

    \b
      scorpion play --game wasp
      scorpion play --game scorpion --deal 5 --save game.json
    """
    kept = None if save is None else SavedGame(save)
    saved = None if kept is None else kept.read()
    asked = click.get_current_context().params
    if saved is not None and given.board != saved.start:
        if asked["number"] is not None or asked["file"] is not None:
            raise click.UsageError(f"{save} holds a game that began with another board")
        given = Given(saved.start)
    if saved is not None and saved.number is not None:
        given = Given(saved.start, saved.number, saved.dealer)
    seat = _Seat(given, _game(given) if saved is None else saved, kept)
    done = "" if saved is None else f"Going on after {count(len(saved.moves), 'move')}. "
    seat.show(done + WELCOME)
    prompt = PROMPT if sys.stdin.isatty() else ""
    while True:
        try:
            typed = click.prompt("", prompt_suffix=prompt, default="", show_default=False)
        except click.Abort:  # the input has ended, or Ctrl-C
            click.echo()
            return
        if _command(typed) == "q":
            return
        seat.do(typed)


def _game(given: Given) -> Game:
    if given.deal is None or given.dealer is None:
        return Game(given.board)
    return Game(given.board, number=given.deal, dealer=given.dealer)


def _command(typed: str) -> str:
    """What was typed, by its letter if it is a command's word."""
    typed = typed.strip().lower()
    return LETTERS.get(typed, typed)


class _Seat:
    """Where a player sits: a game, and what can be typed."""

    def __init__(self, given: Given, game: Game, kept: SavedGame | None) -> None:
        self._given = given
        self._game = game
        self._kept = kept
        self._keep()

    def do(self, typed: str) -> None:
        """Do what was typed, and show what came of it."""
        try:
            said = self._answer(typed)
        except ScorpionError as error:
            said = str(error)
        self._keep()
        self.show(said)

    def show(self, said: str = "") -> None:
        """Draw what the player sees, and below it what there is to say."""
        board = self._game.board
        seen = board.masked()
        if sys.stdout.isatty():
            click.clear()
        show(drawing(seen, self._given.title), seen.text().rstrip("\n"))
        if board.is_won:
            moves = count(len(self._game.moves), "move")
            said = f"Won in {moves}. n deals a new board, q quits."
        elif board.is_stuck and not said:
            said = "No move is left: u takes one back, r restarts, n deals a new board."
        if said:
            show(Text(f"\n{said}"), said)

    def _keep(self) -> None:
        if self._kept is not None:
            self._kept.keep(self._game)

    def _answer(self, typed: str) -> str:
        """Do what was typed; what there is to say of it."""
        game = self._game
        answers: dict[str, Callable[[], str]] = {
            "": lambda: "",
            "?": lambda: KEYS,
            "h": lambda: _advice(game.hint()),
            "f": lambda: _advice(game.fair_hint()),
            "u": lambda: f"{game.undo()} is taken back.",
            "y": lambda: f"{game.redo()} is played again.",
            "r": self._restart,
            "n": self._new,
            "d": lambda: self._play(DEAL),
        }
        if (command := _command(typed)) in answers:
            return answers[command]()
        return self._play(self._move(typed.strip()))

    def _play(self, move: Move) -> str:
        self._game.play(move)
        return ""

    def _restart(self) -> str:
        self._game.restart()
        return "From the start; y plays the moves again."

    def _new(self) -> str:
        self._given = _random(self._given.board.rules)
        self._game = _game(self._given)
        return WELCOME

    def _move(self, typed: str) -> Move:
        """A move as typed; of a card alone the one onto a card, else to an empty column."""
        board = self._game.board
        card = SPELLED.get(typed)
        move = None
        if card is None:
            try:
                move = Move.parse(typed)
            except IllegalMoveError:
                raise IllegalMoveError(UNKNOWN.format(typed=typed)) from None
            card = move.card
        piles = zip(board.columns, board.face_down, strict=True)
        if not any(card in cards[down:] for cards, down in piles):
            # Whether it lies face down or in the stock is not for the player to know.
            raise IllegalMoveError(f"{card} is not among the cards that lie face up")
        if move is not None:
            return move
        found = [move for move in board.legal_moves() if move.card == card]
        if not found:
            raise IllegalMoveError(f"{card} has nowhere to go")
        return min(found, key=lambda move: not board.columns[move.column - 1])


def _advice(hint: Hint | FairHint) -> str:
    if hint.move is None:
        return "There is no move to play."
    if isinstance(hint, FairHint):
        low, high = hint.interval
        return (
            f"{hint.move} keeps the win in {hint.share:.0%} ({low:.0%} to {high:.0%}) of"
            f" {count(hint.samples, 'way')} to deal the unseen cards."
        )
    if hint.verdict is Verdict.WINNABLE:
        return f"{hint.move}: this still wins."
    if hint.verdict is Verdict.LOST:
        return f"{hint.move}, but this board is lost: {hint.reason}"
    return f"{hint.move}: a guess."
