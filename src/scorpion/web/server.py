"""The server that `scorpion serve` starts: uvicorn, with an end that searches hear of."""

import asyncio
import socket
from typing import Final

import uvicorn
from fastapi import FastAPI

LAST_ANSWERS: Final = 2.0
"""Seconds that searches under way may still take when the server is to stop."""


class Server(uvicorn.Server):
    """Serves an app of :func:`~scorpion.web.create_app` until a signal ends it."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(uvicorn.Config(app, log_level="warning", server_header=False))
        self._searches = app.state.context.searches

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers under way be given; what is still searched for after a while is not."""
        patience = asyncio.get_running_loop().call_later(LAST_ANSWERS, self._searches.stop)
        try:
            await super().shutdown(sockets)
        finally:
            patience.cancel()
