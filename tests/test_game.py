"""A game being played: taking back and playing again, hints, judgements, saving."""

import contextlib
import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorpion import (
    DEAL,
    GAMES,
    Board,
    BoardError,
    DealError,
    Game,
    Hint,
    IllegalMoveError,
    Judgement,
    Move,
    ScorpionError,
    Verdict,
    _core,
    deal,
    fair_hint,
    fair_rate,
    hint,
    rate,
    solve,
)
from scorpion.board import position_of

WINNABLE = deal("scorpion", 5)
LOST = deal("scorpion", 1)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The positions that are searched for hints while a test runs."""
    seen: list[object] = []
    search = _core.search

    def counted(position: Any, **options: Any) -> Any:
        seen.append(position)
        return search(position, **options)

    monkeypatch.setattr("scorpion.hints.search", counted)
    return seen


# Playing.


def test_a_new_game_stands_at_its_start() -> None:
    game = Game(WINNABLE)
    assert (game.start, game.board, game.moves, game.undone) == (WINNABLE, WINNABLE, (), ())
    assert not game.is_won
    assert not game.is_stuck


@pytest.mark.parametrize("game_name", GAMES)
def test_a_game_is_played_taken_back_and_played_again(game_name: str) -> None:
    """Undo goes back across the deal and finished runs, down to what was face down."""
    board = next(b for b in (deal(game_name, n) for n in range(1, 100)) if solve(b).moves)
    line = solve(board).moves
    game = Game(board)
    boards = [board]
    for move in line:
        boards.append(game.play(move))
        assert game.board == boards[-1]
    assert game.is_won
    assert game.moves == line
    assert DEAL in line
    for at in range(len(line) - 1, -1, -1):
        assert game.undo() == line[at]
        assert (game.board, game.moves, game.undone) == (boards[at], line[:at], line[at:])
        assert game.board.face_down == boards[at].face_down
    for at, move in enumerate(line):
        assert game.redo() == move
        assert (game.board, game.moves) == (boards[at + 1], line[: at + 1])
    game.restart()
    assert (game.board, game.moves, game.undone) == (board, (), line)


def test_another_move_forgets_what_was_taken_back() -> None:
    first, second, third = WINNABLE.legal_moves()[:3]
    game = Game(WINNABLE)
    game.play(first)
    game.undo()
    game.play(second)
    assert (game.moves, game.undone) == ((second,), ())
    with pytest.raises(IllegalMoveError, match="there is no move to play again"):
        game.redo()
    game.restart()
    game.play(third)
    assert (game.moves, game.undone) == ((third,), ())


def test_a_refused_move_changes_nothing() -> None:
    game = Game(WINNABLE)
    game.play(WINNABLE.legal_moves()[0])
    game.undo()
    with pytest.raises(IllegalMoveError, match="5H fits only on 6H"):
        game.play(Move("5H", 2))
    with pytest.raises(IllegalMoveError, match="is not a move"):
        game.play("5H>1")  # type: ignore[arg-type]
    assert (game.board, len(game.undone)) == (WINNABLE, 1)
    with pytest.raises(IllegalMoveError, match="there is no move to take back"):
        game.undo()


def test_a_move_may_be_a_plain_pair() -> None:
    game = Game(WINNABLE)
    game.play(("5H", 3))  # type: ignore[arg-type]
    assert type(game.moves[0]) is Move


def idle_board() -> tuple[Board, Move]:
    """A board after the deal on which a King may be led from column 1 to an empty one."""
    text = "Foundations: KC KS KH / KD QD JD TD 9D 8D / 7D 6D 5D 4D 3D 2D AD / : / : / : / : / :"
    return Board.parse(text), Move("KD", 3)


def test_an_idle_move_is_played_and_leaves_the_verdict() -> None:
    board, idle = idle_board()
    game = Game(board)
    assert idle not in board.legal_moves()
    game.play(idle)
    judged = game.judge()
    assert (judged.before, judged.after) == (Verdict.WINNABLE, Verdict.WINNABLE)
    assert str(judged) == "KD>3 keeps the win, as it changes nothing"
    assert game.undo() == idle


@pytest.mark.parametrize("thing", [None, "scorpion", 5, WINNABLE.line(), position_of(WINNABLE)])
def test_a_game_begins_with_a_board(thing: Any) -> None:
    with pytest.raises(BoardError, match="a game begins with a Board, not"):
        Game(thing)


def test_a_game_needs_to_know_all_cards() -> None:
    with pytest.raises(BoardError, match="unknown cards: the 3 lowest of column 1"):
        Game(WINNABLE.masked())


# Hints.


def test_hints_follow_their_line_without_a_search(searches: list[object]) -> None:
    game = Game(WINNABLE)
    first = game.hint()
    assert first == hint(WINNABLE)
    searches.clear()
    for place, move in enumerate(first.line):
        found = game.hint()
        assert (found.move, found.verdict) == (move, Verdict.WINNABLE)
        assert (found.line, found.board) == (first.line[place:], game.board)
        game.play(move)
    last = game.hint()
    assert (last.move, last.verdict, last.line) == (None, Verdict.WINNABLE, ())
    assert game.is_won
    assert searches == []


def test_leaving_the_line_forgets_it_and_undo_leads_back(searches: list[object]) -> None:
    game = Game(WINNABLE)
    line = game.hint().line
    game.play(line[0])
    other = next(move for move in game.board.legal_moves() if move != line[1])
    game.play(other)
    found = game.hint()
    assert len(searches) == 2
    assert found == hint(game.board)
    searches.clear()
    game.undo()
    assert game.hint().line == line[1:]
    game.undo()
    assert game.hint().line == line
    game.redo()
    assert game.hint().line == line[1:]
    assert searches == []


def test_what_follows_a_lost_board_is_lost_without_a_search(searches: list[object]) -> None:
    game = Game(LOST)
    while (move := game.hint().move) is not None:
        assert game.hint() == Hint(move, Verdict.LOST, (), game.hint().nodes, None, game.board)
        assert move == hint(game.board).move
        game.play(move)
        searches.clear()
        game.hint()
        assert searches == []
    assert game.is_stuck


def test_an_undecided_hint_is_not_remembered() -> None:
    game = Game(WINNABLE)
    assert game.hint(max_nodes=5).is_guess
    assert game.hint().verdict is Verdict.WINNABLE
    assert game.rate(max_nodes=5) == rate(WINNABLE, max_nodes=5)


# Judgements.


def test_fair_advice_is_for_the_board_as_it_is_now(searches: list[object]) -> None:
    game = Game(WINNABLE)
    game.hint()
    game.play(game.hint().line[0])
    few: dict[str, Any] = {"samples": 20, "seed": 3, "max_nodes": 100}
    for asked in ({}, few):
        assert game.fair_hint(**asked) == fair_hint(game.board.masked(), **asked)
        assert game.fair_rate(**asked) == fair_rate(game.board.masked(), **asked)
    assert len(searches) == 1


def judged(board: Board, move: Move, **budgets: Any) -> Judgement:
    game = Game(board)
    game.play(move)
    return game.judge(**budgets)


def test_a_judgement_says_what_a_move_made_of_the_board() -> None:
    keeps = (Move("9H", 1), Move("5H", 3), Move("JC", 5))
    good = judged(WINNABLE, Move("5H", 3))
    bad = judged(WINNABLE, DEAL)
    assert good == Judgement(Move("5H", 3), Verdict.WINNABLE, Verdict.WINNABLE, keeps, ())
    assert bad == Judgement(DEAL, Verdict.WINNABLE, Verdict.LOST, keeps, ())
    assert (good.is_blunder, bad.is_blunder) == (False, True)
    assert str(good) == "5H>3 keeps the win, one of 3 winning moves"
    assert str(bad) == "deal throws the win away; 3 other moves kept it"


def test_a_judgement_of_a_lost_board() -> None:
    found = judged(LOST, LOST.legal_moves()[0])
    assert (found.before, found.after, found.winning) == (Verdict.LOST, Verdict.LOST, ())
    assert not found.is_blunder
    assert str(found) == "7D>1 changes nothing: the board was lost before it"


def test_a_judgement_within_a_small_budget_is_open() -> None:
    found = judged(WINNABLE, Move("5H", 3), max_nodes=1)
    assert found.before is found.after is Verdict.UNDECIDED
    assert set(found.open) == set(WINNABLE.legal_moves())
    assert str(found) == "5H>3 leads to a board that is not settled"


def test_the_only_winning_moves_are_counted() -> None:
    """All along a line: the move of the line wins, and the sentence counts what else does."""
    game = Game(WINNABLE)
    counts = set()
    for move in solve(WINNABLE).moves:
        winning = [m for m, v in rate(game.board).items() if v is Verdict.WINNABLE]
        game.play(move)
        found = game.judge()
        assert found.winning == tuple(winning)
        ways = f"one of {len(winning)} winning moves"
        expected = ways if len(winning) > 1 else "the only winning move"
        assert str(found) == f"{move} keeps the win, {expected}"
        counts.add(min(len(winning), 2))
    assert counts == {1, 2}


def test_there_is_nothing_to_judge_at_the_start() -> None:
    with pytest.raises(IllegalMoveError, match="there is no move to judge"):
        Game(WINNABLE).judge()


# Saving.


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_game_goes_on_where_it_was(name: str) -> None:
    chance = random.Random(name)
    game = Game(deal(name, 7))
    for _ in range(15):
        if game.board.legal_moves():
            game.play(chance.choice(game.board.legal_moves()))
    for _ in range(4):
        game.undo()
    read = Game.from_dict(json.loads(json.dumps(game.to_dict())))
    assert (read.start, read.board) == (game.start, game.board)
    assert (read.moves, read.undone) == (game.moves, game.undone)
    assert read.to_dict() == game.to_dict()
    assert read.redo() == game.redo()
    assert read.board == game.board


def saved() -> dict[str, Any]:
    game = Game(WINNABLE)
    for move in game.hint().line[:3]:
        game.play(move)
    game.undo()
    return game.to_dict()


def test_what_a_saved_game_looks_like() -> None:
    data = saved()
    assert data["version"] == 1
    assert data["moves"] == ["5H>3", "9H>3"]
    assert data["undone"] == ["JC>5"]
    assert data["board"] == WINNABLE.line()
    assert data["rules"] == {
        "build": "suit",
        "fill": "king",
        "face_down": [3, 3, 3, 3, 0, 0, 0],
        "runs": "leave",
        "stock": "any-time",
    }


@pytest.mark.parametrize(
    ("dealer", "number"), [("pysolfc", 5), ("ms", 2**33 - 1), ("cardgames", 1), ("pysolfc", 10**20)]
)
def test_a_game_remembers_which_deal_it_is(dealer: str, number: int) -> None:
    game = Game(deal("wasp", number, dealer=dealer), number=number, dealer=dealer)
    game.play(DEAL)
    assert (game.number, game.dealer) == (number, dealer)
    data = game.to_dict()
    # As text: JavaScript reads 100000000000000000001 as 100000000000000000000.
    assert (data["deal"], data["dealer"]) == (str(number), dealer)
    for written in data, data | {"deal": number}:
        read = Game.from_dict(json.loads(json.dumps(written)))
        assert (read.number, read.dealer, read.moves) == (number, dealer, (DEAL,))
    assert repr(game) == (
        f"<Game of wasp, {dealer} deal {number}, 1 move played: {game.board.line()}>"
    )


def test_a_game_may_begin_with_any_board() -> None:
    game = Game(WINNABLE.play(DEAL))
    assert (game.number, game.dealer) == (None, None)
    assert not {"deal", "dealer"} & set(game.to_dict())
    assert repr(game) == f"<Game of scorpion, 0 moves played: {game.board.line()}>"


@pytest.mark.parametrize(
    ("board", "number", "dealer", "complaint"),
    [
        (deal("scorpion", 6), 5, "pysolfc", "the game did not begin with pysolfc deal 5"),
        (deal("scorpion", 5), 5, "cardgames", "the game did not begin with cardgames deal 5"),
        (WINNABLE.play(DEAL), 5, "pysolfc", "the game did not begin with pysolfc deal 5"),
        (WINNABLE, 5, "mine", "there is no dealer 'mine'"),
        (WINNABLE, "5", "pysolfc", "a deal number is a whole number, not '5'"),
        (WINNABLE, 0, "pysolfc", "there is no pysolfc deal 0; its numbers are 1 to "),
    ],
)
def test_a_game_is_not_called_a_deal_that_it_is_not(
    board: Board, number: Any, dealer: str, complaint: str
) -> None:
    with pytest.raises(DealError) as error:
        Game(board, number=number, dealer=dealer)
    assert str(error.value).startswith(complaint)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "another deal": (
        {"deal": "6", "dealer": "pysolfc"},
        "the game did not begin with pysolfc deal 6",
    ),
    "a number of no kind": (
        {"deal": "5.0", "dealer": "pysolfc"},
        "a deal number is a whole number, not '5.0'",
    ),
    "a number nobody has": ({"deal": "9" * 30, "dealer": "ms"}, f"there is no ms deal {'9' * 30}"),
    "a number that takes long to read": (
        {"deal": "9" * 10_000, "dealer": "ms"},
        "a deal number is a whole number, not '9",
    ),
    "no dealer": ({"deal": "5"}, "a saved game lacks 'dealer'"),
    "no number": ({"dealer": "pysolfc"}, "a saved game lacks 'deal'"),
    "a dealer of no kind": ({"deal": "5", "dealer": ["ms"]}, "there is no dealer ['ms']"),
    "newer": ({"version": 2}, "a saved game of version 2; this reads 1"),
    "version of no kind": ({"version": True}, "a saved game of version True; this reads 1"),
    "no rules": ({"rules": None}, "the rules of a saved game is a dict, not NoneType"),
    "rules without fields": ({"rules": {}}, "the rules of a saved game lacks 'build'"),
    "board of no kind": ({"board": 7}, "the board of a saved game is text"),
    "board cut off": ({"board": "KS / :"}, "a board has 7 columns, this one 2"),
    "moves of no kind": ({"moves": "5H>3"}, "moves in a saved game is a list of moves"),
    "a move that is none": ({"moves": ["5H>3", 7]}, "step 2: 7 is not a move"),
    "a move not allowed": ({"moves": ["5H>3", "5H>3"]}, "step 2: 5H lies in column 3 already"),
    "an undone move not allowed": ({"undone": ["5H>3"]}, "step 3: 5H lies in column 3 already"),
    "something else": ({"score": 7}, "a saved game has no 'score'"),
}


@pytest.mark.parametrize("change", BAD)
def test_a_bad_saved_game_is_one_clear_error(change: str) -> None:
    changed, complaint = BAD[change]
    with pytest.raises(ScorpionError) as error:
        Game.from_dict(saved() | changed)
    assert complaint in str(error.value)


@pytest.mark.parametrize("name", ["version", "rules", "board", "moves", "undone"])
def test_a_saved_game_needs_all_its_fields(name: str) -> None:
    data = saved()
    del data[name]
    with pytest.raises(BoardError, match=f"a saved game lacks '{name}'"):
        Game.from_dict(data)


@pytest.mark.parametrize("field", ["build", "fill", "face_down", "runs", "stock"])
@pytest.mark.parametrize("value", [None, 7, "x", [], [[]], {}, [9] * 7])
def test_bad_rules_in_a_saved_game_are_refused(field: str, value: object) -> None:
    data = saved()
    data["rules"][field] = value
    with pytest.raises(ScorpionError):
        Game.from_dict(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@settings(max_examples=100)
@given(value=JSON, place=st.sampled_from(["", *saved(), "deal", "dealer"]))
def test_no_other_exception_escapes_from_bad_json(value: Any, place: str) -> None:
    data: Any = copy.deepcopy(saved())
    if place in {"deal", "dealer"}:
        data |= {"deal": "5", "dealer": "pysolfc"}
    if place:
        data[place] = value
    else:
        data = value
    with contextlib.suppress(ScorpionError):
        assert isinstance(Game.from_dict(data), Game)
