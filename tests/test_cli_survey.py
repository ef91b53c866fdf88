"""The survey command: at a terminal, in a pipe, with mistakes, and its pictures."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from test_cli import ENVIRONMENT, SCORPION, Told, bare, finished, on_terminal, run, told
from waiting import DEADLINE, wait_until_busy

import scorpion
from scorpion import GAMES, solve_many

__all__ = ["told"]  # a fixture, used by its name

WASP = ("survey", "--game", "wasp", "--deals", "100001-100200", "--max-nodes", "300")


def test_the_table_in_a_pipe(told: Told) -> None:
    """Three verdicts that add up to the deals; the interval is that of `Survey`."""
    status, output, complaint = told(*WASP, "--workers", "1")
    batch = solve_many("wasp", range(100_001, 100_201), max_nodes=300)
    found = scorpion.survey("wasp", range(100_001, 100_201), max_nodes=300, workers=1)
    assert (status, complaint) == (0, "")
    title, _, heads, won, lost, undecided, _, _, nodes, _, lengths = output.splitlines()
    assert title == "wasp, pysolfc deals 100001 to 100200"
    assert heads.split() == ["deals", "share", "95%", "interval"]
    low, high = found.interval
    assert won.split() == [
        *("winnable", str(batch.won), f"{batch.won / 200:.2%}"),
        *(f"{low:.2%}", "to", f"{high:.2%}"),
    ]
    assert lost.split() == ["lost", str(batch.lost), f"{batch.lost / 200:.2%}"]
    assert undecided.split() == ["undecided", str(batch.undecided), f"{batch.undecided / 200:.2%}"]
    assert nodes.split()[0] == "positions"
    assert nodes.split()[2] == f"{sorted(batch.nodes)[99]}"
    assert nodes.split()[-1] == f"{max(batch.nodes)}"
    assert lengths.split()[-1] == f"{max(batch.lengths)}"


def test_json_has_the_names_of_the_python_result(told: Told) -> None:
    status, output, _ = told(*WASP, "--workers", "1", "--json")
    found = scorpion.survey("wasp", range(100_001, 100_201), max_nodes=300, workers=1)
    assert status == 0
    assert output.count("\n") == 1
    result = json.loads(output)
    times = result.pop("seconds")
    assert 0 < times["median"] <= times["99%"] <= times["most"]
    assert result == {
        "game": "wasp",
        "rules": asdict(GAMES["wasp"]) | {"face_down": [3, 3, 3, 3, 0, 0, 0]},
        "dealer": "pysolfc",
        "deals": [100_001, 100_200],
        "max_nodes": 300,
        "won": found.won,
        "lost": found.lost,
        "undecided": found.undecided,
        "share": found.share,
        "interval": list(found.interval),
        "open": list(found.open),
        "nodes": figures(found.nodes),
        "lengths": figures(found.lengths),
    }


def figures(found: scorpion.Distribution) -> dict[str, float]:
    shares = {"median": 0.5, "99%": 0.99, "99.9%": 0.999, "most": 1}
    return {"mean": found.mean} | {name: found.quantile(share) for name, share in shares.items()}


def test_rules_and_dealer_are_options_and_one_deal_is_enough(told: Told) -> None:
    """347 is winnable when the stock is dealt when stuck and runs stay: tests/data/known."""
    command = ["survey", "--runs", "stay", "--stock", "when-stuck", "--dealer", "cardgames"]
    result = json.loads(told(*command, "--deals", "347", "--json", "--workers", "1")[1])
    assert (result["won"], result["deals"], result["dealer"]) == (1, [347, 347], "cardgames")
    assert (result["rules"]["runs"], result["rules"]["stock"]) == ("stay", "when-stuck")


def test_a_terminal_sees_a_bar_and_then_the_table() -> None:
    written = on_terminal("survey", "--game", "wasp", "--deals", "100001-101000", "--workers", "2")
    text = bare(written.replace("\r", "\n"))
    assert "% won (" in text
    assert "deals/s" in text
    assert text.count("95% interval") == 1
    assert text.index("deals/s") < text.index("95% interval")
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_pipe_sees_no_bar() -> None:
    status, output, complaint = run(*WASP)
    assert (status, complaint) == (0, "")
    assert "deals/s" not in output


def test_it_goes_on_from_its_file(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "wasp.jsonl"
    command = (*WASP, "--json", "--out", str(path))
    first = told(*command)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    again = told(*command)
    assert again[0] == first[0] == 0
    assert without_times(again[1]) == without_times(first[1])
    assert path.read_bytes().startswith(content[: len(content) // 3])
    other = told("survey", "--game", "wasp", "--deals", "1-9", "--workers", "1", "--out", str(path))
    assert other[:2] == (2, "")
    assert other[2].startswith(f"scorpion: {path} is another survey's: its max_nodes is 300, not ")


def without_times(output: str) -> dict[str, object]:
    return {name: value for name, value in json.loads(output).items() if name != "seconds"}


@pytest.mark.parametrize(
    ("suffix", "signature"), [("png", b"\x89PNG\r\n"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_plot_is_a_picture_of_its_kind(
    suffix: str, signature: bytes, tmp_path: Path, told: Told
) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / f"wasp.{suffix}"
    assert told(*WASP, "--workers", "1", "--plot", str(plot))[0] == 0
    assert plot.read_bytes().startswith(signature)


def test_what_is_plotted() -> None:
    """Every deal is in one bar of the left histogram, every win in one of the right."""
    plots = pytest.importorskip("scorpion.cli.plots")
    found = scorpion.survey("wasp", range(100_001, 100_201), max_nodes=300, workers=1)
    nodes, lines = plots.figure(found, "a title").axes
    assert sum(bar.get_height() for bar in nodes.patches) == 200
    assert sum(bar.get_height() for bar in lines.patches) == found.won
    middles = {bar.get_x() + bar.get_width() / 2 for bar in lines.patches}
    assert {round(middle) for middle in middles} == set(found.lengths.counts)


def test_an_empty_plot() -> None:
    """A survey without a win, in which nothing would do for a logarithm."""
    plots = pytest.importorskip("scorpion.cli.plots")
    found = scorpion.survey("scorpion", [1], workers=1)
    assert (found.won, found.lost) == (0, 1)
    nodes, lines = plots.figure(found, "a title").axes
    assert sum(bar.get_height() for bar in nodes.patches) == 1
    assert not lines.patches


BAD = {
    "survey": "Missing option '--deals'.",
    "survey --deals": "Option '--deals' requires an argument.",
    "survey --deals ten": "'ten' is neither a number nor two, such as 1-1000",
    "survey --deals 1-": "'1-' is neither a number nor two, such as 1-1000",
    "survey --deals 1-2-3": "'1-2-3' is neither a number nor two",
    "survey --deals 1" + "0" * 5000: "is neither a number nor two",
    "survey --deals 10-1": "'10-1' ends before it begins",
    "survey --deals 0-1": "there is no pysolfc deal 0",
    "survey --deals 1-99999999999999999999": "more deals than can be counted",
    "survey --deals 1 --game chess": "there is no game 'chess'",
    "survey --deals 1 --dealer me": "there is no dealer 'me'",
    "survey --deals 1 --workers 0": "Invalid value for '--workers': 0 is not above zero",
    "survey --deals 1 --max-nodes 0": "Invalid value for '--max-nodes': 0 is not above zero",
    "survey --deals 1 --out .": "cannot open .: Is a directory",
    "survey --deals 1 --plot p.txt": "'p.txt' must end in a kind of picture: ",
    "survey --deals 1 --plot no/p.png": "there is no folder 'no'",
}


@pytest.mark.parametrize("command", BAD)
def test_a_mistake_costs_one_line_and_status_2(
    command: str, tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, output, complaint = told(*command.split())
    assert (status, output) == (2, "")
    assert complaint.startswith("scorpion: ")
    assert BAD[command] in complaint
    assert complaint.index("\n") == len(complaint) - 1
    assert not list(tmp_path.iterdir()), "nothing is begun"


def test_without_matplotlib_one_line_says_so_before_the_work() -> None:
    script = """
import sys
class Absent:
    def find_spec(self, name, path, target=None):
        if name == "matplotlib":
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
from scorpion.cli import main
sys.exit(main(["survey", "--deals", "1-1000000000", "--plot", "p.png"]))
"""
    complaint = "scorpion: --plot needs matplotlib: pip install 'scorpion-solitaire[plot]'\n"
    assert finished([sys.executable, "-c", script]) == (2, "", complaint)


def test_without_a_plot_matplotlib_is_not_loaded() -> None:
    script = "import sys, scorpion.cli; print('matplotlib' in sys.modules)"
    assert finished([sys.executable, "-c", script])[1] == "False\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_is_one_line() -> None:
    with subprocess.Popen(
        [SCORPION, "survey", "--game", "scorpion-tail", "--deals", "1-1000000", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until_busy(process.pid, workers=2)
        os.killpg(process.pid, signal.SIGINT)
        output, complaint = process.communicate(timeout=DEADLINE)
    assert (process.returncode, output, complaint) == (130, "", "scorpion: interrupted\n")
