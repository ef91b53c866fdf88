"""The boards of the day that were found: none is searched for twice, as none ever changes."""

from collections import OrderedDict
from datetime import date
from typing import Final

from starlette.requests import Request

from scorpion import Rules, WinnableDeal
from scorpion.days import DAILY_VERSION, daily_winnable
from scorpion.web.searches import Searches

MOST_KEPT: Final = 1_000
"""Boards that are kept, some kilobytes each; beyond that the one longest not asked for goes."""


class DailyBoards:
    """Finds boards of the day, and keeps them."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._found: OrderedDict[tuple[str, date], WinnableDeal] = OrderedDict()

    async def board(self, request: Request, rules: Rules, day: date) -> WinnableDeal:
        """The board of a day. Raises what :meth:`Searches.run` raises."""
        key = (rules.word, day)
        found = self._found.get(key)
        if found is None:
            found = await self._searches.run(request, daily_winnable, rules, day, DAILY_VERSION)
            assert found is not None, "who cancels waits for no answer"
            self._found[key] = found
        self._found.move_to_end(key)
        if len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)
        return found
