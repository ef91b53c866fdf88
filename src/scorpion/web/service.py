"""The service: the routes, what stands around them, and the page at the root."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException

import scorpion
from scorpion import ScorpionError
from scorpion.web import answers, tables
from scorpion.web.context import Context, Served
from scorpion.web.guards import Guard, Metrics
from scorpion.web.models import Health, Problem
from scorpion.web.searches import BusyError, ClientGoneError, Searches
from scorpion.web.settings import Settings
from scorpion.web.tokens import Tokens

STATIC: Final = Path(__file__).parent / "static"
RETRY_AFTER: Final = 1
"""Seconds after which a client may come again when all searches were taken."""
CLIENT_LEFT: Final = 499
"""The status, known from nginx, of an answer that nobody waits for any more."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service as an ASGI app, to run or to mount in another one.

    ``settings`` come from the environment if they are not given. Each app has its own
    threads, keys and counters. Raises :class:`TokenError` for a token key that is none.
    """
    chosen = Settings() if settings is None else settings
    key = chosen.token_key
    searches = Searches(chosen.workers, chosen.waiting)
    context = Context(
        settings=chosen,
        tokens=Tokens(None if key is None else key.get_secret_value()),
        searches=searches,
        metrics=Metrics(searches),
    )
    app = FastAPI(
        title="scorpion",
        version=scorpion.__version__,
        description="Deals, plays and settles Scorpion, Wasp and Scorpion Tail.",
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=_lifespan,
        exception_handlers={
            ScorpionError: _bad_request,
            BusyError: _busy,
            ClientGoneError: _client_left,
            RequestValidationError: _unreadable,
            HTTPException: _refused,
        },
    )
    app.state.context = context
    app.add_middleware(Guard, metrics=context.metrics, max_body=chosen.max_body)
    app.include_router(tables.router)
    app.include_router(answers.router)
    app.add_api_route("/health", health)
    app.add_api_route("/metrics", metrics, response_class=Response)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.context.searches.close()


async def health() -> Health:
    """That the service is up."""
    return Health(status="ok", version=scorpion.__version__)


async def metrics(served: Served) -> Response:
    """What is counted, for Prometheus."""
    return Response(generate_latest(served.metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _problem(status: int, problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem.model_dump(), status, headers)


async def _bad_request(_: Request, error: Exception) -> Response:
    return _problem(
        400,
        Problem(
            error=type(error).__name__,
            message=getattr(error, "message", str(error)),
            line=getattr(error, "line", None),
            column=getattr(error, "column", None),
            step=getattr(error, "step", None),
        ),
    )


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return _problem(422, Problem(error="RequestError", message=f"{place}: {first['msg']}"))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(error="HTTPError", message=error.detail)
    return _problem(error.status_code, problem, dict(error.headers or {}))


async def _busy(_: Request, __: Exception) -> Response:
    problem = Problem(error="Busy", message="too many searches are under way; come again soon")
    return _problem(503, problem, {"Retry-After": str(RETRY_AFTER)})


async def _client_left(_: Request, __: Exception) -> Response:
    return Response(status_code=CLIENT_LEFT)
