"""The service and the playable page (extra: web): ``app`` is the ASGI app to run or mount.

It is made when it is first asked for, with settings from the environment;
:func:`~scorpion.web.service.create_app` makes one with settings of your own.
"""

from typing import TYPE_CHECKING

from scorpion.web.service import create_app
from scorpion.web.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    app: FastAPI

__all__ = ["Settings", "app", "create_app"]


def __getattr__(name: str) -> "FastAPI":
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()["app"] = create_app()
    return made
