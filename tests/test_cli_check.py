"""The check command, and the commands that give it something to check."""

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_certificates import rewritten, without_an_end
from test_cli import ENVIRONMENT, SCORPION, Told, bare, finished, on_terminal, told
from waiting import DEADLINE, wait_until_busy

import scorpion
from scorpion import GAMES, Proof, check_proof, deal

__all__ = ["told"]  # a fixture, used by its name


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The certificate of a survey of wasp's deals 1 to 40, of which some are undecided."""
    path = tmp_path_factory.mktemp("check") / "wasp.gz"
    scorpion.survey("wasp", range(1, 41), max_nodes=200, workers=1, certify=path)
    return path.read_bytes()


@pytest.fixture
def path(content: bytes, tmp_path: Path) -> str:
    path = tmp_path / "wasp.gz"
    path.write_bytes(content)
    return str(path)


# A survey.


def test_a_survey_is_certified_and_checked(path: str, told: Told) -> None:
    check = scorpion.check_survey(path, workers=1)
    status, output, complaint = told("check", path, "--workers", "1")
    assert (status, complaint, output) == (0, "", f"{check}\n")
    title, _, _, lines, proofs, *_ = output.splitlines()
    assert title == "wasp, pysolfc deals 1 to 40"
    assert lines.split() == ["lines", "replayed", str(check.won)]
    assert proofs.split() == ["proofs", "accepted", str(check.lost)]
    assert f"\nundecided: {', '.join(map(str, check.open))}" in output
    assert min(check.won, check.lost, len(check.open)) > 0


def test_json_has_the_names_of_the_python_result(path: str, told: Told) -> None:
    check = scorpion.check_survey(path, workers=1)
    status, output, _ = told("check", "--json", "--game", "wasp", path, "--workers", "1")
    assert status == 0
    assert output.count("\n") == 1
    result = json.loads(output)
    assert result.pop("rules")["fill"] == "any"
    assert result == {
        "game": "wasp",
        "dealer": "pysolfc",
        "deals": [1, 40],
        "max_nodes": 200,
        "engine": scorpion.__version__,
        "won": check.won,
        "lost": check.lost,
        "unproved": list(check.unproved),
        "open": list(check.open),
        "wrong": {},
        "holds": True,
    }


def test_the_survey_command_writes_it_and_goes_on(
    path: str, content: bytes, tmp_path: Path, told: Told
) -> None:
    other = tmp_path / "other.gz"
    command = ["survey", "--game", "wasp", "--deals", "1-40", "--max-nodes", "200"]
    assert told(*command, "--workers", "1", "--certify", str(other))[0] == 0
    assert lines_in(other) == lines_in(Path(path))
    other.write_bytes(content[: len(content) // 2])
    assert told("check", str(other), "--workers", "1")[0] == 2
    assert told(*command, "--workers", "1", "--certify", str(other))[0] == 0
    assert lines_in(other) == lines_in(Path(path))
    assert told("check", str(other), "--workers", "1")[0] == 0


def lines_in(path: Path) -> list[str]:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return sorted(line for line in lines if line.startswith('{"deal"'))


def test_wrong_evidence_is_named_and_status_1(path: str, told: Told) -> None:
    """One deal whose line does not win, and many without any."""
    rewritten(Path(path), lambda rows: rows[0]["moves"].pop(), 0)
    status, output, complaint = told("check", path, "--workers", "1")
    assert (status, complaint) == (1, "")
    assert output.splitlines()[-1].startswith("deal 1 is wrong: the game is not won after these")
    result = json.loads(told("check", path, "--json", "--workers", "1")[1])
    assert ([*result["wrong"]], result["holds"]) == (["1"], False)
    for chunk in range(40):
        rewritten(Path(path), lambda rows: rows[0].update(verdict=None), chunk)
    last = told("check", path, "--workers", "1")[1].splitlines()[-2:]
    assert last == ["deal 20 is wrong: there is no verdict None", "and 20 more"]


def test_a_spoilt_file_is_one_line_and_status_2(path: str, content: bytes, told: Told) -> None:
    altered = bytearray(content)
    altered[len(content) // 2] ^= 1
    for spoilt, words in (
        (content[:-1], "the file is cut short in chunk "),
        (altered, " is damaged"),
        (b"notes", "byte 0: no certificate"),
        (b"", "byte 0: no certificate, but an empty file"),
    ):
        Path(path).write_bytes(spoilt)
        status, output, complaint = told("check", path, "--workers", "1")
        assert (status, output, complaint.count("\n")) == (2, "", 1)
        assert complaint.startswith(f"scorpion: {path}, byte ")
        assert words in complaint


def test_a_terminal_sees_a_bar_and_then_the_table(tmp_path: Path) -> None:
    path = tmp_path / "tail.gz"
    scorpion.survey("scorpion-tail", range(1, 801), max_nodes=300, workers=2, certify=path)
    text = bare(on_terminal("check", str(path), "--workers", "1").replace("\r", "\n"))
    assert "checking" in text
    assert "of 800 deals" in text
    assert text.count("lines replayed") == 1
    assert text.index("of 800 deals") < text.index("lines replayed")
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "tail.gz"
    without_an_end(path)
    with subprocess.Popen(
        [SCORPION, "check", "--workers", "2", path],
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


# One board.


@pytest.fixture(scope="module")
def proof() -> dict[str, Any]:
    found = scorpion.solve(deal("scorpion", 59), proof=True).proof
    assert found is not None
    return found.to_dict()


def written(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


@pytest.mark.parametrize("game", GAMES)
def test_what_solve_and_explain_print_is_accepted(game: str, tmp_path: Path, told: Told) -> None:
    """By its own board, and by the deal's; that of another deal is not."""
    verdicts = set()
    for number in (1, 2, 3, 5, 8, 12, 40):
        board = ("--game", game, "--deal", str(number))
        for command in ("solve", "explain"):
            status, output, _ = told(command, *board, "--proof", "--json", "--max-nodes", "20000")
            found = json.loads(output)
            if command == "explain":
                assert status == (found["proof"] is None)
            if not found.get("moves") and not found["proof"]:
                continue
            path = tmp_path / f"{command}{number}.json"
            path.write_text(output)
            for named in ((), board, ("--game", game)):
                assert told("check", *named, str(path))[0] == 0, (number, named)
            other = told("check", "--game", game, "--deal", "13", str(path))
            assert (other[0], " deal 13: wrong: " in other[1]) == (1, True)
            verdicts.add(found["verdict"])
    assert verdicts == {"winnable", "lost"}


def test_in_words_and_as_json(told: Told, tmp_path: Path, proof: dict[str, Any]) -> None:
    line = tmp_path / "line.json"
    line.write_text(told("solve", "--deal", "5", "--json")[1])
    moves = len(json.loads(line.read_text())["moves"])
    words = f"won, by a line of {moves} moves that was replayed\n"
    assert told("check", str(line)) == (0, f"scorpion: {words}", "")
    assert told("check", "--deal", "5", str(line)) == (0, f"scorpion, pysolfc deal 5: {words}", "")
    assert told("check", "--deal", "5", "--game", "wasp", str(line))[1].startswith("wasp, ")
    bare_proof = written(tmp_path / "bare.json", proof)
    words = f"lost, by a proof of {len(proof['ends'])} positions that was accepted\n"
    status, output, _ = told("check", "--deal", "59", bare_proof)
    assert (status, output) == (0, f"scorpion, pysolfc deal 59: {words}")
    wrong = told("check", "--deal", "60", "--dealer", "ms", bare_proof, "--json")
    result = json.loads(wrong[1])
    assert (wrong[0], result["holds"], result["verdict"]) == (1, False, "lost")
    assert (result["deal"], result["dealer"]) == (60, "ms")
    assert result["message"]


def test_a_pipe_is_checked() -> None:
    script = f"{SCORPION} explain --deal 59 --proof --json | {SCORPION} check --deal 59 -"
    status, output, complaint = finished(["sh", "-c", script])
    assert (status, complaint) == (0, "")
    assert "scorpion, pysolfc deal 59: lost, by a proof of" in output


def test_explain_writes_its_proof(told: Told, tmp_path: Path, proof: dict[str, Any]) -> None:
    path = tmp_path / "proof.json"
    status, output, _ = told("explain", "--deal", "59", "--proof", "--out", str(path))
    found = Proof.from_dict(json.loads(path.read_text())["proof"])
    assert (status, output) == (0, f"scorpion, pysolfc deal 59: {found}\n")
    assert found == Proof.from_dict(proof)
    check_proof(deal("scorpion", 59), found)
    assert told("check", str(path))[0] == 0
    none = tmp_path / "none.json"
    told_none = told("explain", "--deal", "5", "--proof", "--out", str(none))
    assert told_none == (1, "scorpion, pysolfc deal 5: not proved lost\n", "")
    assert not none.exists()
    nowhere = told("explain", "--deal", "59", "--proof", "--out", str(tmp_path / "no" / "p"))
    assert nowhere == (2, "", "scorpion: cannot write: No such file or directory\n")


def test_solve_shows_a_summary_of_its_proof(told: Told, proof: dict[str, Any]) -> None:
    plain, with_proof = told("solve", "--deal", "59")[1], told("solve", "--deal", "59", "--proof")
    assert with_proof[0] == 0
    first, second = with_proof[1].splitlines()
    assert first.partition(" (")[0] == plain.partition(" (")[0]
    assert second == str(Proof.from_dict(proof))
    assert "proof" not in json.loads(told("solve", "--deal", "59", "--json")[1])


BAD = {
    "check": "Missing argument 'FILE'.",
    "check absent": "cannot open absent: No such file or directory",
    "check .": "cannot open .: Is a directory",
    "check --deal 5 deals.gz": "--deal is for one board, and a survey has its own deals",
    "check --dealer ms empty.json": "--dealer goes with --deal",
    "check --workers 2 empty.json": "--workers are for a survey",
    "check --workers 0 deals.gz": "Invalid value for '--workers': 0 is not above zero",
    "check empty.json": "empty.json holds neither a line nor a proof",
    "check broken.json": "broken.json holds neither a line nor a proof",
    "check undecided.json": "undecided.json holds neither a line nor a proof",
    "check boardless.json": "which board? boardless.json names none; give --deal N",
    "check --deal 5 ruleless.json": "ruleless.json has no rules of a game",
    "check --game chess boardless.json": "there is no game 'chess'",
    "check --deal 0 boardless.json": "there is no pysolfc deal 0",
    "check --deal 1 --dealer me boardless.json": "there is no dealer 'me'",
    "check unknown.json": "there is no card '??'",
    "explain --deal 1 --out p.json": "--out goes with --proof",
    "survey --deals 1 --certify .": "cannot open .: Is a directory",
    "survey --deals 1 --certify empty.json": "empty.json, byte 0: no certificate",
}
FILES: dict[str, Any] = {
    "empty.json": {},
    "broken.json": "{",
    "undecided.json": {"verdict": "undecided", "board": deal("scorpion", 1).line()},
    "boardless.json": {"verdict": "winnable", "moves": []},
    "ruleless.json": {"verdict": "winnable", "moves": [], "rules": {"chess": 1}},
    "unknown.json": {"verdict": "winnable", "moves": [], "board": deal("wasp", 1).masked().line()},
}


@pytest.mark.parametrize("command", BAD)
def test_a_mistake_costs_one_line_and_status_2(
    command: str, tmp_path: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content if isinstance(content, str) else json.dumps(content))
    Path("deals.gz").write_bytes(b"\x1f\x8b")
    status, output, complaint = told(*command.split())
    assert (status, output) == (2, "")
    assert complaint.startswith("scorpion: ")
    assert BAD[command] in complaint
    assert complaint.index("\n") == len(complaint) - 1
