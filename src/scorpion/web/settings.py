"""What a site sets for its service, by name or from the environment (SCORPION_WORKERS=4)."""

import os

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from scorpion.limits import HINT_NODES


class Settings(BaseSettings):
    """The settings of a service; each is read from ``SCORPION_`` and its name in capitals.

    ``max_nodes``, ``max_seconds``, ``max_memory`` and ``max_samples`` cap what a single
    request may ask for. ``workers`` searches run at once, ``waiting`` more may wait.
    """

    model_config = SettingsConfigDict(env_prefix="SCORPION_", frozen=True)

    token_key: SecretStr | None = None
    """The Fernet key of position tokens; without it a fresh one at each start."""
    # One core is left to the thread that answers, which else waits for the searches.
    workers: int = Field(default=max((os.cpu_count() or 1) - 1, 1), ge=1, le=256)
    waiting: int = Field(default=256, ge=0)
    max_nodes: int = Field(default=HINT_NODES, ge=1)
    max_seconds: float = Field(default=2.0, gt=0)
    max_memory: int = Field(default=2**28, ge=2**20)
    max_samples: int = Field(default=200, ge=1)
    max_body: int = Field(default=64 * 1024, ge=1024)
    """Bytes that the body of a request may have."""
