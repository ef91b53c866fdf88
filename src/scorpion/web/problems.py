"""What goes wrong with a request, as the answer to it: a status and a `Problem`."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorpion import ScorpionError
from scorpion.web.models import Problem
from scorpion.web.searches import BusyError, ClientGoneError

RETRY_AFTER: Final = 1
"""Seconds after which a client may come again when all searches were taken."""
CLIENT_LEFT: Final = 499
"""The status, known from nginx, of an answer that nobody waits for any more."""

Responses = dict[int | str, dict[str, Any]]
PROBLEMS: Final[Responses] = {
    400: {"model": Problem, "description": "What was sent is no board, move, deal or token."},
    413: {"model": Problem, "description": "The body of the request is too large."},
    422: {"model": Problem, "description": "The request does not have this form."},
    500: {"model": Problem, "description": "The service is at fault; its log says how."},
}
"""What every route that takes something may answer, for its description."""
SEARCH_PROBLEMS: Final[Responses] = PROBLEMS | {
    503: {
        "model": Problem,
        "description": "Too many searches are under way; come again after Retry-After seconds.",
        "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}},
    },
}


def _told(status: int, problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem.model_dump(), status, headers)


def unexpected() -> Response:
    """The answer when the service fails. What failed is for its log alone."""
    problem = Problem(error="InternalError", message="the service failed; the fault is its own")
    return _told(500, problem)


async def _bad_request(_: Request, error: Exception) -> Response:
    problem = Problem(
        error=type(error).__name__,
        message=getattr(error, "message", str(error)),
        line=getattr(error, "line", None),
        column=getattr(error, "column", None),
        step=getattr(error, "step", None),
    )
    return _told(400, problem)


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    # Of what may have several forms, the one is meant that was met furthest.
    worst = max(error.errors(), key=lambda each: len(each["loc"]))
    place = ".".join(map(str, worst["loc"]))
    return _told(422, Problem(error="RequestError", message=f"{place}: {worst['msg']}"))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(error="HTTPError", message=error.detail)
    return _told(error.status_code, problem, dict(error.headers or {}))


async def _busy(_: Request, __: Exception) -> Response:
    problem = Problem(error="Busy", message="too many searches are under way; come again soon")
    return _told(503, problem, {"Retry-After": str(RETRY_AFTER)})


async def _client_left(_: Request, __: Exception) -> Response:
    return Response(status_code=CLIENT_LEFT)


Handler = Callable[[Request, Exception], Coroutine[Any, Any, Response]]
HANDLERS: Final[dict[int | type[Exception], Handler]] = {
    ScorpionError: _bad_request,
    BusyError: _busy,
    ClientGoneError: _client_left,
    RequestValidationError: _unreadable,
    HTTPException: _refused,
}
"""The answer to each exception that may leave a route."""
