"""Position tokens: a board with its hidden cards, sealed for the way through a browser."""

import json
from dataclasses import asdict, dataclass

from cryptography.fernet import Fernet, InvalidToken

from scorpion import Board, BoardError, ScorpionError


class TokenError(ScorpionError):
    """A position token that this service did not make, or that was changed since."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a board came from, so far as it has a number; ``date`` is that of a daily board."""

    deal: int | None = None
    dealer: str | None = None
    date: str | None = None


class Tokens:
    """Seals boards and opens them again.

    A token is encrypted and authenticated (Fernet: AES-128-CBC and HMAC-SHA256), so
    whoever carries it can neither read the hidden cards nor change or make one up.
    """

    def __init__(self, key: str | None) -> None:
        try:
            self._fernet = Fernet(key if key is not None else Fernet.generate_key())
        except ValueError:
            raise TokenError(
                "the token key is no Fernet key: 32 bytes in URL-safe base64"
            ) from None

    def seal(self, board: Board, source: Source) -> str:
        """The token of a board."""
        facts = json.dumps({name: value for name, value in asdict(source).items() if value})
        return self._fernet.encrypt(facts.encode() + b"\0" + board.to_bytes()).decode()

    def open(self, token: str) -> tuple[Board, Source]:
        """The board of a token and where it came from. Raises :class:`TokenError`."""
        try:
            facts, _, stored = self._fernet.decrypt(token.encode()).partition(b"\0")
            return Board.from_bytes(stored), Source(**json.loads(facts))
        except (InvalidToken, UnicodeError):
            raise TokenError(
                "this token was not made by this service, or was changed since"
            ) from None
        except (BoardError, ValueError, TypeError):
            raise TokenError("this token is of a version that this service does not read") from None
