"""The service under requests made from its own OpenAPI description."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from scorpion.web import Settings, create_app

pytest_plugins = ("schemathesis.pytest.plugin",)

# Not positive_data_acceptance: most texts are no board, no move and no token.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]

# A body that breaks the description may be too large besides, which is said first.
REFUSED = {"expected-statuses": ["400", "404", "405", "413", "422"]}
CONFIG = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": REFUSED}})

schema = schemathesis.openapi.from_asgi(
    "/openapi.json",
    create_app(Settings(max_nodes=2000, max_seconds=0.5, max_samples=5)),
    config=CONFIG,
)
strained = settings(deadline=None, suppress_health_check=[*HealthCheck], max_examples=8)
"""Of each of the operations; with the examples that explore limits some hundreds in all."""


@schema.parametrize()
@strained
def test_no_request_breaks_the_service(case: Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS)


@pytest.mark.slow
@schema.parametrize()
@settings(strained, max_examples=450)
def test_5000_requests_break_nothing(case: Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS)
