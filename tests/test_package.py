"""What is shipped: an sdist that builds a wheel, and a wheel with just what runs."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import scorpion

PROJECT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_sdist_builds_a_wheel_of_what_runs(tmp_path: Path) -> None:
    """As a packager does it: isolated builds, the wheel from the sdist, then an install."""

    def run(*command: str | Path) -> str:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=tmp_path, timeout=600
        ).stdout

    run(sys.executable, "-m", "venv", "build")
    build = tmp_path / "build" / "bin" / "python"
    run(build, "-m", "pip", "install", "--quiet", "build")
    run(build, "-m", "build", "--outdir", "dist", PROJECT)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    sdist = next((tmp_path / "dist").glob("*.tar.gz"))
    assert sdist.name == f"scorpion_solitaire-{scorpion.__version__}.tar.gz"

    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    shipped = {Path(name).name.partition(".")[0] + Path(name).suffix for name in names}
    package = PROJECT / "src" / "scorpion"
    sources = {path.name for path in package.rglob("*.py")}
    page = {path.name for path in (package / "web" / "static").iterdir()}
    assert shipped == sources | page | {"_core.so", "_core.pyi", "py.typed"}

    run(sys.executable, "-m", "venv", "bare")
    bare = tmp_path / "bare" / "bin"
    run(bare / "python", "-m", "pip", "install", "--quiet", wheel)
    installed = run(bare / "python", "-m", "pip", "list", "--format=freeze").lower()
    assert {line.partition("==")[0] for line in installed.split()} <= {
        "pip",
        "setuptools",
        "scorpion-solitaire",
    }
    verdict = "import scorpion; print(scorpion.solve(scorpion.deal('wasp', 4711)).verdict)"
    assert run(bare / "python", "-c", verdict) == "winnable\n"
    without_extra = subprocess.run(
        [bare / "scorpion", "games"], check=False, capture_output=True, text=True
    )
    assert without_extra.returncode == 2
    assert without_extra.stderr == (
        "scorpion: the command line needs click: pip install 'scorpion-solitaire[cli]'\n"
    )
