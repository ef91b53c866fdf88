"""The search is the one whose fingerprint is on record."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "bench" / "signature.py"


def test_signature_is_unchanged() -> None:
    run = subprocess.run(
        [sys.executable, SCRIPT], check=False, capture_output=True, text=True, timeout=300
    )
    assert (run.returncode, run.stderr) == (0, "")
