"""The version of the library, which results that are kept carry with them."""

from typing import Final

VERSION: Final = "0.1.0"
