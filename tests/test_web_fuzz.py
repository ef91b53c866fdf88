"""The service under requests made from its own OpenAPI description, and from nonsense."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response  # noqa: F401

from scorpion.web import Settings, create_app

app = create_app(Settings(max_nodes=2000, max_seconds=0.5, max_samples=5))
schema = schemathesis.openapi.from_asgi("/openapi.json", app)
