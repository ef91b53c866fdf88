"""The rules of a game as a value, and the presets.

A game is a set of rules, not a class of its own. Programs that offer these games
differ in exactly these fields, and each difference changes which deals can be won.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from scorpion.errors import RulesError

COLUMNS: Final = 7
FACE_DOWN: Final = f"[0-{COLUMNS - 1}]{{{COLUMNS}}}"
"""The counts of face-down cards as one word, a digit for each column."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be done in a game. Raises :class:`RulesError` on an impossible value.

    ``build``
        a card fits on a card one rank higher, ``"suit"``: of its own suit,
        ``"alternating"``: of the other colour.
    ``fill``
        an empty column takes ``"king"``: a King with its pile, ``"any"``: any
        face-up card with its pile.
    ``face_down``
        how many cards lie face down at the bottom of each of the seven columns
        when the cards are dealt, 0 to 6 each.
    ``runs``
        ``"leave"``: a finished run leaves the table at once; ``"stay"``: it stays,
        and the game is won when four columns hold a run each and the rest nothing.
    ``stock``
        may be dealt ``"any-time"``, or only ``"when-stuck"``: when no move exists
        but the relabelling of whole columns.
    """

    build: Literal["suit", "alternating"] = "suit"
    fill: Literal["king", "any"] = "king"
    face_down: tuple[int, ...] = (3, 3, 3, 3, 0, 0, 0)
    runs: Literal["leave", "stay"] = "leave"
    stock: Literal["any-time", "when-stuck"] = "any-time"

    def __post_init__(self) -> None:
        for field, values in CHOICES.items():
            value = getattr(self, field)
            if not isinstance(value, str) or value not in values:
                allowed = " or ".join(map(repr, values))
                raise RulesError(f"{field} is {value!r}; it must be {allowed}")
        counts = self.face_down
        if not isinstance(counts, tuple):
            try:
                counts = tuple(counts)
            except TypeError:
                raise RulesError(f"face_down is {counts!r}; it must be seven counts") from None
            object.__setattr__(self, "face_down", counts)
        if len(counts) != COLUMNS or any(
            type(count) is not int or not 0 <= count <= COLUMNS - 1 for count in counts
        ):
            raise RulesError(f"face_down is {counts!r}; it must be seven counts from 0 to 6")

    @classmethod
    def parse(
        cls,
        game: str = "scorpion",
        *,
        build: str | None = None,
        fill: str | None = None,
        face_down: str | None = None,
        runs: str | None = None,
        stock: str | None = None,
    ) -> "Rules":
        """The rules that words stand for: a preset's name, and what differs from the preset.

        ``face_down`` is a digit for each column, ``"3330000"``; the others are the values
        of their fields. What is None is the preset's own. Command lines, addresses and
        links are read by this.

        Raises :class:`RulesError`, which names the word that is wrong and what it may be.
        """
        preset = rules_of(game)
        given: dict[str, Any] = {"build": build, "fill": fill, "runs": runs, "stock": stock}
        words = {field: word for field, word in given.items() if word is not None}
        if face_down is not None:
            if not isinstance(face_down, str) or not re.fullmatch(FACE_DOWN, face_down):
                what = "seven digits from 0 to 6, one for each column"
                raise RulesError(f"face_down is {face_down!r}; it must be {what}")
            words["face_down"] = tuple(map(int, face_down))
        return replace(preset, **words) if words else preset

    @property
    def name(self) -> str:
        """The preset these rules are, or the nearest one with the fields that differ."""
        own = asdict(self)
        differing = {
            name: {
                field: own[field] for field, value in asdict(preset).items() if own[field] != value
            }
            for name, preset in GAMES.items()
        }
        nearest = min(differing, key=lambda name: len(differing[name]))
        fields = ", ".join(f"{field} {value}" for field, value in differing[nearest].items())
        return f"{nearest} with {fields}" if fields else nearest

    @property
    def word(self) -> str:
        """All fields in one word, equal for equal rules and for ever: what keys are made of.

        ``suit-any-3333000-leave-any-time`` is Wasp. Unlike :attr:`name` it does not
        depend on which presets there are.
        """
        counts = "".join(map(str, self.face_down))
        return f"{self.build}-{self.fill}-{counts}-{self.runs}-{self.stock}"


CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        field: get_args(kind)
        for field, kind in get_type_hints(Rules).items()
        if get_origin(kind) is Literal
    }
)
"""The values that each field of :class:`Rules` may have, but for ``face_down``."""

GAMES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "scorpion": Rules(),
        "wasp": Rules(fill="any"),
        "open-wasp": Rules(face_down=(0,) * COLUMNS),
        "scorpion-tail": Rules(build="alternating"),
        "scorpion-ii": Rules(face_down=(3, 3, 3, 0, 0, 0, 0)),
        "pysol-wasp": Rules(fill="any", face_down=(3, 3, 3, 0, 0, 0, 0)),
    }
)
"""The presets by name."""


def rules_of(game: str | Rules) -> Rules:
    """The rules that a preset's name stands for; rules stand for themselves.

    Raises :class:`RulesError` for anything else.
    """
    if isinstance(game, Rules):
        return game
    if isinstance(game, str) and game in GAMES:
        return GAMES[game]
    raise RulesError(f"there is no game {game!r}; the games are {', '.join(GAMES)}")
