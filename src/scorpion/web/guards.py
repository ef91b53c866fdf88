"""What stands before every answer: a limit on bodies, headers for browsers, and counts."""

import logging
import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorpion.web.problems import unexpected
from scorpion.web.searches import Searches

logger = logging.getLogger(__name__)

# The page needs its own files and its own service, and nothing else from anywhere.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "cache-control": "no-cache",  # else an older module could meet a newer page
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Metrics:
    """What is counted, for Prometheus; a registry of its own, so that services do not mix."""

    def __init__(self, searches: Searches) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.seconds = Histogram(
            "scorpion_request_seconds",
            "How long requests took, by route, method and status.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self.verdicts = Counter(
            "scorpion_verdicts", "Verdicts given.", ("verdict",), registry=self.registry
        )
        self.positions = Counter(
            "scorpion_positions", "Positions seen by searches.", registry=self.registry
        )
        running = Gauge("scorpion_searches_running", "Searches at work.", registry=self.registry)
        running.set_function(lambda: searches.running)
        waiting = Gauge("scorpion_searches_waiting", "Searches in line.", registry=self.registry)
        waiting.set_function(lambda: searches.waiting)

    def count(self, verdict: str, positions: int) -> None:
        """Note what a search found, after so many positions."""
        self.verdicts.labels(verdict).inc()
        self.positions.inc(positions)


def _announced(scope: Scope) -> int:
    """How many bytes a request says that its body has; 0 if it does not say."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


class Guard:
    """ASGI middleware around the whole service."""

    def __init__(self, app: ASGIApp, metrics: Metrics, max_body: int) -> None:
        self._app = app
        self._metrics = metrics
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        announced = _announced(scope)
        taken = 0
        status = 500
        begun_to_answer = False

        async def limited() -> Message:
            nonlocal taken
            # What is announced as too large is not waited for.
            message = await receive() if announced <= self._max_body else {}
            taken += len(message.get("body", b""))
            if max(taken, announced) > self._max_body:
                raise HTTPException(413, f"a request may have {self._max_body:,} bytes at most")
            return message

        async def headed(message: Message) -> None:
            nonlocal status, begun_to_answer
            if message["type"] == "http.response.start":
                status, begun_to_answer = message["status"], True
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        try:
            await self._app(scope, limited, headed)
        except Exception:
            logger.exception("%s %r failed", scope["method"], scope["path"])
            if begun_to_answer:
                raise
            await unexpected()(scope, receive, headed)
        finally:
            # Whatever is asked for, only routes that exist become a label.
            route = getattr(scope.get("route"), "path", None) or "other"
            method = scope["method"] if route != "other" else "other"
            took = time.perf_counter() - begun
            self._metrics.seconds.labels(route, method, str(status)).observe(took)
