"""The file that keeps a game between two sittings."""

import json
import os
import tempfile
from pathlib import Path

import click

from scorpion import Game


class SavedGame:
    """A game in a file, which holds either all of the last state or all of the one before."""

    def __init__(self, file: str) -> None:
        self._path = Path(file)
        self._name = click.format_filename(file)

    def read(self) -> Game | None:
        """The game in the file; None where there is no file yet."""
        try:
            return Game.from_dict(json.loads(self._path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = os.strerror(error.errno or 0)
        except (ValueError, RecursionError) as error:
            reason = f"it holds no saved game: {error}"
        raise click.UsageError(f"cannot go on with {self._name}: {reason}")

    def keep(self, game: Game) -> None:
        """Put a game in the file's place, at once and as a whole."""
        target = self._path.resolve()  # a link stays one
        try:
            handle, fresh = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as stream:
                    json.dump(game.to_dict(), stream)
                    stream.flush()
                    os.fsync(stream.fileno())
                Path(fresh).replace(target)
            except BaseException:
                Path(fresh).unlink(missing_ok=True)
                raise
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise click.UsageError(f"cannot save to {self._name}: {reason}") from None
