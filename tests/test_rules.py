"""Rules as a value, and the presets of rules.md."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from scorpion.errors import RulesError
from scorpion.rules import GAMES, Rules, rules_of

STANDARD = (3, 3, 3, 3, 0, 0, 0)
OPEN = (0, 0, 0, 0, 0, 0, 0)
THREE = (3, 3, 3, 0, 0, 0, 0)
PRESETS = ["scorpion", "wasp", "open-wasp", "scorpion-tail", "scorpion-ii", "pysol-wasp"]


# rules.md, "The presets".
@pytest.mark.parametrize(
    ("name", "build", "fill", "face_down"),
    [
        ("scorpion", "suit", "king", STANDARD),
        ("wasp", "suit", "any", STANDARD),
        ("open-wasp", "suit", "king", OPEN),
        ("scorpion-tail", "alternating", "king", STANDARD),
        ("scorpion-ii", "suit", "king", THREE),
        ("pysol-wasp", "suit", "any", THREE),
    ],
)
def test_presets(name: str, build: str, fill: str, face_down: tuple[int, ...]) -> None:
    rules = GAMES[name]
    assert dataclasses.astuple(rules) == (build, fill, face_down, "leave", "any-time")
    assert rules.name == name
    assert rules_of(name) is rules


def test_there_are_six_presets_and_nobody_can_add_one() -> None:
    assert list(GAMES) == PRESETS
    writable: Any = GAMES
    with pytest.raises(TypeError):
        writable["tarantula"] = Rules()
    with pytest.raises(TypeError):
        del writable["wasp"]
    assert list(GAMES) == PRESETS


@pytest.mark.parametrize("field", ["build", "fill", "face_down", "runs", "stock"])
def test_no_field_can_be_set(field: str) -> None:
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(rules, field, getattr(GAMES["scorpion-tail"], field))
    assert rules == GAMES["scorpion"]


def test_fields_must_be_possible_also_when_replaced() -> None:
    rules = dataclasses.replace(GAMES["scorpion"], runs="stay", stock="when-stuck")
    assert rules == Rules(runs="stay", stock="when-stuck")
    assert GAMES["scorpion"].runs == "leave"
    with pytest.raises(RulesError, match=r"^runs is 'go'; it must be 'leave' or 'stay'$"):
        dataclasses.replace(rules, runs="go")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["", "Suit", "any-time ", None, True, 0, b"suit", ["suit"], {}])
@pytest.mark.parametrize(
    ("field", "allowed"),
    [
        ("build", "'suit' or 'alternating'"),
        ("fill", "'king' or 'any'"),
        ("runs", "'leave' or 'stay'"),
        ("stock", "'any-time' or 'when-stuck'"),
    ],
)
def test_impossible_words(field: str, allowed: str, value: object) -> None:
    wrong: dict[str, Any] = {field: value}
    with pytest.raises(RulesError) as caught:
        Rules(**wrong)
    assert str(caught.value) == f"{field} is {value!r}; it must be {allowed}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "face_down is None; it must be seven counts"),
        (3, "face_down is 3; it must be seven counts"),
        ((), "face_down is (); it must be seven counts from 0 to 6"),
        ((0,) * 6, "face_down is (0, 0, 0, 0, 0, 0); it must be seven counts from 0 to 6"),
        ((0,) * 8, "face_down is (0, 0, 0, 0, 0, 0, 0, 0); it must be seven counts from 0 to 6"),
        (
            (0, 0, 0, 0, 0, 0, 7),
            "face_down is (0, 0, 0, 0, 0, 0, 7); it must be seven counts from 0 to 6",
        ),
        (
            (-1, 0, 0, 0, 0, 0, 0),
            "face_down is (-1, 0, 0, 0, 0, 0, 0); it must be seven counts from 0 to 6",
        ),
        (
            (True, 0, 0, 0, 0, 0, 0),
            "face_down is (True, 0, 0, 0, 0, 0, 0); it must be seven counts from 0 to 6",
        ),
        (
            (0, 0, 0, 2.0, 0, 0, 0),
            "face_down is (0, 0, 0, 2.0, 0, 0, 0); it must be seven counts from 0 to 6",
        ),
        (
            "3333000",
            "face_down is ('3', '3', '3', '3', '0', '0', '0'); it must be seven counts from 0 to 6",
        ),
    ],
)
def test_impossible_face_down_counts(value: Any, text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(face_down=value)
    assert str(caught.value) == text


@pytest.mark.parametrize("counts", [[0, 1, 2, 3, 4, 5, 6], range(7), iter(range(7))])
def test_face_down_counts_become_a_tuple(counts: Any) -> None:
    rules = Rules(face_down=counts)
    assert rules.face_down == (0, 1, 2, 3, 4, 5, 6)
    assert rules == Rules(face_down=(0, 1, 2, 3, 4, 5, 6))
    assert hash(rules) == hash(Rules(face_down=(0, 1, 2, 3, 4, 5, 6)))


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (Rules(), "scorpion"),
        (Rules(face_down=OPEN), "open-wasp"),
        (Rules(face_down=THREE, stock="when-stuck"), "scorpion-ii with stock when-stuck"),
        (Rules(runs="stay"), "scorpion with runs stay"),
        (Rules(runs="stay", stock="when-stuck"), "scorpion with runs stay, stock when-stuck"),
        (Rules(fill="any", stock="when-stuck"), "wasp with stock when-stuck"),
        (Rules(face_down=OPEN, runs="stay"), "open-wasp with runs stay"),
        (Rules(build="alternating", runs="stay"), "scorpion-tail with runs stay"),
        (Rules(face_down=(6,) * 7), "scorpion with face_down (6, 6, 6, 6, 6, 6, 6)"),
        # As near to two presets: the one that comes first in GAMES.
        (Rules(build="alternating", fill="any"), "wasp with build alternating"),
        (Rules(fill="any", face_down=OPEN), "wasp with face_down (0, 0, 0, 0, 0, 0, 0)"),
    ],
)
def test_names(rules: Rules, name: str) -> None:
    assert rules.name == name


def test_rules_from_words() -> None:
    assert Rules.parse() is GAMES["scorpion"]
    assert Rules.parse("wasp") is GAMES["wasp"]
    assert Rules.parse("wasp", runs="stay", face_down="0123456") == Rules(
        fill="any", face_down=(0, 1, 2, 3, 4, 5, 6), runs="stay"
    )
    words = {"build": "alternating", "fill": "any", "runs": "stay", "stock": "when-stuck"}
    assert Rules.parse("open-wasp", **words) == Rules(face_down=OPEN, **words)  # type: ignore[arg-type]
    # Fields that are the preset's own may be said too, or be None.
    assert Rules.parse("scorpion-tail", build="alternating", fill=None) == GAMES["scorpion-tail"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"game": "spider"}, "there is no game 'spider'; the games are "),
        ({"build": "up"}, "build is 'up'; it must be 'suit' or 'alternating'"),
        ({"fill": ""}, "fill is ''; it must be 'king' or 'any'"),
        ({"runs": "go"}, "runs is 'go'; it must be 'leave' or 'stay'"),
        ({"stock": "never"}, "stock is 'never'; it must be 'any-time' or 'when-stuck'"),
        *(
            (
                {"face_down": wrong},
                f"face_down is {wrong!r}; it must be seven digits from 0 to 6, one for each column",
            )
            for wrong in ("", "333000", "33330000", "3333007", "3 3 3 3", "3333000\n", "٣٣٣٣٠٠٠", 0)
        ),
    ],
)
def test_words_that_are_no_rules(words: dict[str, Any], text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(**words)
    assert str(caught.value).startswith(text)


def test_rules_stand_for_themselves() -> None:
    rules = Rules(runs="stay")
    assert rules_of(rules) is rules


@pytest.mark.parametrize(
    "game", ["tarantula", "Scorpion", "wasp ", "", None, 1, b"wasp", ["wasp"], {}]
)
def test_unknown_games(game: Any) -> None:
    with pytest.raises(RulesError) as caught:
        rules_of(game)
    games = "scorpion, wasp, open-wasp, scorpion-tail, scorpion-ii, pysol-wasp"
    assert str(caught.value) == f"there is no game {game!r}; the games are {games}"


@pytest.mark.parametrize("rules", [*GAMES.values(), Rules(runs="stay", face_down=(6,) * 7)])
def test_copies_are_equal(rules: Rules) -> None:
    for twin in (copy.copy(rules), copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert twin == rules
        assert hash(twin) == hash(rules)


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        (GAMES["scorpion"], "suit-king-3333000-leave-any-time"),
        (GAMES["wasp"], "suit-any-3333000-leave-any-time"),
        (GAMES["open-wasp"], "suit-king-0000000-leave-any-time"),
        (GAMES["scorpion-tail"], "alternating-king-3333000-leave-any-time"),
        (GAMES["scorpion-ii"], "suit-king-3330000-leave-any-time"),
        (GAMES["pysol-wasp"], "suit-any-3330000-leave-any-time"),
        (
            Rules("alternating", "any", (0, 1, 2, 3, 4, 5, 6), "stay", "when-stuck"),
            "alternating-any-0123456-stay-when-stuck",
        ),
    ],
)
def test_the_word_is_all_fields_for_ever(rules: Rules, word: str) -> None:
    """Keys of stores and daily boards are made of it: it may never change."""
    assert rules.word == word
    assert Rules(*dataclasses.astuple(rules)).word == word
