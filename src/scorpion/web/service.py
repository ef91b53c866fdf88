"""The service: the routes, what stands around them, and the page at the root."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.routing import Route

import scorpion
from scorpion.web import answers, tables
from scorpion.web.context import Context, Served
from scorpion.web.daily import DailyBoards
from scorpion.web.guards import Guard, Metrics
from scorpion.web.models import Health
from scorpion.web.problems import HANDLERS
from scorpion.web.searches import Searches
from scorpion.web.settings import Settings
from scorpion.web.tokens import Tokens

STATIC: Final = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service as an ASGI app, to run or to mount in another one.

    ``settings`` come from the environment if they are not given. Each app has its own
    threads, keys and counters. Raises
    :class:`~scorpion.web.tokens.TokenError` for a token key that is none.
    """
    chosen = Settings() if settings is None else settings
    key = chosen.token_key
    searches = Searches(chosen.workers, chosen.waiting)
    replays = Searches(1, chosen.waiting)
    context = Context(
        settings=chosen,
        tokens=Tokens(None if key is None else key.get_secret_value()),
        searches=searches,
        replays=replays,
        days=DailyBoards(searches),
        metrics=Metrics(searches),
    )
    app = FastAPI(
        title="scorpion",
        version=scorpion.__version__,
        description="Deals, plays and settles Scorpion, Wasp and Scorpion Tail.",
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        lifespan=_lifespan,
        exception_handlers=HANDLERS,
        generate_unique_id_function=_operation,
    )
    app.state.context = context
    app.add_middleware(Guard, metrics=context.metrics, max_body=chosen.max_body)
    app.include_router(tables.router)
    app.include_router(answers.router)
    app.add_api_route("/health", health)
    app.add_api_route("/health", health, methods=["HEAD"], include_in_schema=False)
    app.add_api_route("/metrics", metrics, response_class=PlainTextResponse)
    # Not mounted, which would answer for all paths and methods that the routes do not know.
    page = StaticFiles(directory=STATIC, html=True)
    for path in ("/", "/{file}"):
        app.router.routes.append(Route(path, page, methods=["GET"], include_in_schema=False))
    return app


def _operation(route: APIRoute) -> str:
    """The name of an operation in clients that are made from the description."""
    return route.name


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.context.searches.close()
    app.state.context.replays.close()


async def health() -> Health:
    """That the service is up."""
    return Health(status="ok", version=scorpion.__version__)


async def metrics(served: Served) -> PlainTextResponse:
    """What is counted, for Prometheus."""
    counted = generate_latest(served.metrics.registry)
    return PlainTextResponse(counted, headers={"content-type": CONTENT_TYPE_LATEST})
