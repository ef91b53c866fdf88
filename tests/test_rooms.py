"""The rooms of the core: their order, what the parts of the face hold, and their examples."""

import re
from collections import Counter
from pathlib import Path

import pytest

import scorpion
from scorpion import _core
from scorpion.rules import Rules

PACKAGE = Path(scorpion.__file__).parent
ENGINE = PACKAGE / "engine"
CIMPORT = re.compile(r"^from scorpion\.engine\.(\w+) cimport", re.MULTILINE)
NAMED = re.compile(r"^cdef (?!enum:)(?:[\w* ]+[ *])?(\w+)(?=\(|:$)", re.MULTILINE)
# Pointers to structs, as parameters and locals.
LETTER = re.compile(r"\b([A-Z]\w+)\* ([a-z])\b")
# Rooms that open with a board: those that prove positions lost.
EXAMPLES = ["spaces", "kings", "twins", "closure", "nogoods"]


def order() -> list[str]:
    """The rooms as engine/__init__.pxd lists them, lowest first."""
    listed = (ENGINE / "__init__.pxd").read_text().split("\n#\n")[1]
    return [
        room
        for line in listed.splitlines()
        for room in re.findall(r"\w+", line.rpartition(":")[2].lstrip("# "))
    ]


def cimports_upward(rooms: list[str], texts: dict[str, str]) -> list[tuple[str, str]]:
    """What is cimported from a room that is not below the one that does."""
    return [
        (room, other)
        for room in rooms
        for other in CIMPORT.findall(texts[room])
        if other not in rooms[: rooms.index(room)]
    ]


def test_cimports_run_downward() -> None:
    rooms = order()
    texts = {path.stem: path.read_text() for path in ENGINE.glob("*.pxd") if path.stem[0] != "_"}
    assert sorted(rooms) == sorted(texts)
    assert sum(len(CIMPORT.findall(text)) for text in texts.values()) > 50
    assert cimports_upward(rooms, texts) == []
    # It would be noticed.
    texts["position"] += "\nfrom scorpion.engine.table cimport Table\n"
    assert cimports_upward(rooms, texts) == [("position", "table")]


def test_pxi_files_hold_entry_points_only() -> None:
    """Functions for Python, and classes of Python objects for these; no types of their own."""
    for path in PACKAGE.glob("*.pxi"):
        for line in path.read_text().splitlines():
            if line[:1].isalpha():
                assert re.match(r"def |cdef class ", line), f"{path.name}: {line}"


def texts_of_the_core() -> dict[str, str]:
    """Every file of the core by its name: the rooms, the face and its parts."""
    paths = [*ENGINE.glob("*.pxd"), *PACKAGE.glob("*.pyx"), *PACKAGE.glob("*.pxi")]
    return {path.name: path.read_text() for path in paths}


def test_a_name_means_one_thing() -> None:
    """No two functions or types of the core have one name."""
    found = Counter(name for text in texts_of_the_core().values() for name in NAMED.findall(text))
    assert len(found) > 300
    # A position is one in Python and one in the core, which the face calls packed.
    assert [name for name, times in found.items() if times > 1] == ["Position"]


def test_a_letter_means_one_type() -> None:
    meant: dict[str, set[str]] = {}
    for text in texts_of_the_core().values():
        for kind, letter in LETTER.findall(text):
            meant.setdefault(letter, set()).add("Position" if kind == "Packed" else kind)
    assert len(meant) > 8
    assert {letter: kinds for letter, kinds in meant.items() if len(kinds) > 1} == {}


def test_rooms_are_small() -> None:
    for name, text in texts_of_the_core().items():
        assert text.count("\n") <= 600, name


def example(room: str) -> tuple[str, _core.Position]:
    """The words before the board that a room opens with, and the position."""
    text = (ENGINE / f"{room}.pxd").read_text()
    found = re.search(r"# Example \(([^)]*)\), ([^:;]*).*\n#\n((?:#     .*\n)+)", text)
    assert found, room
    build, fill, *more = found[1].split(", ")
    ranks = int(more[0].split()[0])
    stock = [word.split()[0] for word in more[1:]]
    piles = [line[6:].split() for line in found[3].splitlines()]
    columns = [[card.strip("<>") for card in pile] for pile in piles]
    down = [sum(card.startswith("<") for card in pile) for pile in piles]
    rules = Rules(build, fill=fill)  # type: ignore[arg-type]
    return found[2], _core.Position(rules, columns, down, stock, ranks=ranks)


@pytest.mark.parametrize("room", EXAMPLES)
def test_the_example_of_a_room_is_what_it_says(room: str) -> None:
    words, position = example(room)
    limits = {"max_nodes": 100_000, "max_seconds": 1e9, "max_memory": 2**30}
    plain, _, _ = _core.search(position, **limits, prune=False, merge=False, learn=False)  # type: ignore[arg-type]
    assert plain == "lost"
    if room != "nogoods":
        assert words == "lost"
        assert position.is_dead
        return
    assert words == "lost after the deal and before"
    assert not position.is_dead
    after, before = _core.nogoods(position, max_nodes=100)
    deal = scorpion.DEAL
    assert deal in after[0]
    assert after[2] == {"2C": "AC"}
    assert deal in before[1]
    assert before[2] == {}
    assert position.after(deal).is_dead
