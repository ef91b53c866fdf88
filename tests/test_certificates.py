"""Certificates of surveys: written, gone on from, checked, and refused where they are spoilt."""

import gzip
import json
import multiprocessing
import os
import random
import re
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from test_surveys import Broken, chunks_in, counted, group_lives, kill_some_child
from waiting import DEADLINE, wait_until, wait_until_busy

import scorpion
from scorpion import (
    GAMES,
    RulesError,
    ScorpionError,
    SurveyCheck,
    SurveyError,
    check_survey,
    deal,
    reference,
    solve,
    survey,
)
from scorpion.surveys.members import HEAD_SIZE, Member, members, packed

# Deals that are lost, won (5) and undecided (5137, which can be won), a chunk each.
GAME, DEALS, NODES = "scorpion", [1, 5, 59, 79, 343, 5137], 60
ASKED: dict[str, Any] = {"game": GAME, "numbers": DEALS, "max_nodes": NODES}


@pytest.fixture(scope="module")
def threads() -> Iterator[ThreadPoolExecutor]:
    """An executor that costs nothing to start again and again."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory, threads: ThreadPoolExecutor) -> bytes:
    """The certificate of a small survey."""
    path = tmp_path_factory.mktemp("survey") / "small.gz"
    survey(**ASKED, executor=threads, certify=path)
    return path.read_bytes()


@pytest.fixture
def path(content: bytes, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    path = tmp_path / "small.gz"
    path.write_bytes(content)
    return path


def rows_in(path: Path) -> list[dict[str, Any]]:
    """What the lines of a file say, without times, in an order of their own."""
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for row in rows:
        row.pop("seconds", None)
    return sorted(rows, key=json.dumps)


def members_in(path: Path) -> list[Member]:
    with path.open("rb") as file:
        return list(members(path, file))


def rewritten(path: Path, change: Callable[[list[Any]], object], chunk: int) -> None:
    """Change what a chunk's lines say (-1: the header's), and give it right checksums again."""
    parts = []
    for member in members_in(path):
        data = member.data
        if member.chunk == chunk:
            rows = [json.loads(line) for line in gzip.decompress(data).splitlines()]
            change(rows)
            data = packed(member.number, rows)
        parts.append(data)
    path.write_bytes(b"".join(parts))


def chunk_of(number: int) -> int:
    return DEALS.index(number)


# What is written.


@pytest.mark.parametrize("game", GAMES)
def test_every_deal_has_its_evidence(game: str, tmp_path: Path) -> None:
    """Counted like without a certificate; then all is found right, and all is there."""
    path = tmp_path / "survey.gz"
    asked: dict[str, Any] = {"numbers": range(1, 121), "max_nodes": 300}
    found = survey(game, **asked, workers=2, certify=path)
    assert counted(found) == counted(survey(game, **asked, workers=1))
    seen: list[SurveyCheck] = []
    check = check_survey(path, workers=2, progress=seen.append)
    assert (check.holds, check.wrong, check.limit) == (True, {}, None)
    assert (check.rules, check.dealer, check.numbers) == (GAMES[game], "pysolfc", range(1, 121))
    assert (check.won, check.open) == (found.won, found.open)
    assert check.lost + len(check.unproved) == found.lost
    assert check.won > 0
    assert check.lost > 0
    assert [len(seen[0]), len(seen[-1])] == [0, 120]
    assert seen[-1] == check


def test_the_lines_are_what_solve_finds(path: Path) -> None:
    rows = {row["deal"]: row for row in rows_in(path) if "deal" in row}
    assert sorted(rows) == DEALS
    verdicts = set()
    for number, row in rows.items():
        solution = solve(deal(GAME, number), max_nodes=NODES, proof=True)
        expected: dict[str, Any] = {"deal": number, "verdict": solution.verdict}
        if solution.moves:
            expected["moves"] = [str(move) for move in solution.moves]
        if solution.verdict == "lost":
            expected["proof"] = solution.proof and solution.proof.to_dict()
        assert row == json.loads(json.dumps(expected))
        verdicts.add(row["verdict"])
    assert len(verdicts) == 3


def test_the_bytes_are_as_described(content: bytes) -> None:
    """As the docstring of members.py has them, read here by nothing of ours; any gzip reads it."""
    fixed = bytes.fromhex("1f8b08040000000000ff 1800 5343 1400")
    numbers, place = [], 0
    while place < len(content):
        assert content[place : place + 16] == fixed
        number, length, body, head = struct.unpack("<IQII", content[place + 16 : place + 36])
        assert head == zlib.crc32(content[place : place + 32])
        assert body == zlib.crc32(content[place + 36 : place + 36 + length])
        numbers.append(number)
        place += 36 + length
    assert place == len(content)
    assert (numbers[0], sorted(numbers)) == (0, [*range(len(DEALS) + 1)])
    header, *rows = map(json.loads, gzip.decompress(content).splitlines())
    assert header == {
        "certificate": 1,
        "engine": scorpion.__version__,
        "rules": asdict(GAMES[GAME]) | {"face_down": [3, 3, 3, 3, 0, 0, 0]},
        "dealer": "pysolfc",
        "max_nodes": NODES,
        "numbers": DEALS,
        "chunk_size": 1,
    }
    assert [{*row} & {"deal", "chunk"} for row in rows] == [{"deal"}, {"chunk"}] * len(DEALS)


def test_lines_are_replayed_on_the_slow_engine(
    path: Path, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move of each line is played there: as many as the lines have."""
    played = []
    play = reference.Position.play

    def counting(self: reference.Position, move: Any) -> None:
        played.append(move)
        play(self, move)

    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(reference.Position, "play", counting)
    monkeypatch.setattr("scorpion.surveys.evidence.check_proof", nothing)
    assert check_survey(path, executor=threads).holds
    lines = [row["moves"] for row in rows_in(path) if "moves" in row]
    assert sorted(map(str, played)) == sorted(move for line in lines for move in line)
    assert played


def test_house_rules_and_dealers_go_along(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    path = tmp_path / "survey.gz"
    rules = replace(GAMES["scorpion"], runs="stay", stock="when-stuck")
    asked: dict[str, Any] = {"dealer": "cardgames", "max_nodes": None, "executor": threads}
    found = survey(rules, range(347, 333, -3), certify=path, **asked)
    check = check_survey(path, game=rules, executor=threads)
    assert (check.holds, check.rules, check.dealer) == (True, rules, "cardgames")
    assert (check.max_nodes, check.numbers) == (None, range(347, 333, -3))
    assert (check.won, len(check)) == (found.won, 5)
    assert found.won > 0


def test_a_survey_of_no_deals(tmp_path: Path) -> None:
    path = tmp_path / "survey.gz"
    survey("wasp", [], certify=path)
    assert (len(check_survey(path)), check_survey(path).holds) == (0, True)


def test_lost_deals_without_a_proof_are_named(path: Path, threads: ThreadPoolExecutor) -> None:
    """Nothing is claimed of them that does not hold."""
    whole = check_survey(path, executor=threads)
    rewritten(path, lambda rows: rows[0].update(proof=None), chunk_of(59))
    check = check_survey(path, executor=threads)
    assert (check.lost, check.unproved, check.holds) == (whole.lost - 1, (59,), True)
    assert "lost without a proof: 59\n" in str(check)


# Going on.


def cuts(path: Path) -> Iterator[int]:
    """Sizes to which a file is cut: between members, in their heads, and in what they hold."""
    for member in members_in(path):
        middle = member.offset + HEAD_SIZE + 10
        for place in (0, 1, 15, 16, HEAD_SIZE - 1, HEAD_SIZE, HEAD_SIZE + 1):
            yield member.offset + place
        yield from (middle, member.end - 8, member.end - 1)
    yield members_in(path)[-1].end


def test_it_goes_on_from_wherever_it_was_cut(
    path: Path, content: bytes, threads: ThreadPoolExecutor
) -> None:
    expected, ends = rows_in(path), [member.end for member in members_in(path)]
    for size in cuts(path):
        path.write_bytes(content[:size])
        survey(**ASKED, executor=threads, certify=path)
        whole = max([end for end in ends if end <= size], default=0)
        assert path.read_bytes().startswith(content[:whole]), "what was whole is kept"
        assert rows_in(path) == expected
        assert check_survey(path, executor=threads).holds


def test_a_finished_file_is_only_read(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorpion.surveys.survey.settle_with_evidence", None)
    found = survey(**ASKED, workers=1, certify=path)
    assert counted(found) == counted(survey(**ASKED, workers=1))
    assert path.read_bytes() == content


def test_a_record_and_a_certificate_go_on_together(
    path: Path, content: bytes, tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    """What only one of them holds is settled for the other, and counted once."""
    record = tmp_path / "record.jsonl"
    expected = counted(survey(**ASKED, executor=threads, path=record))
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:3]))  # chunks 0 and 1
    ends = [member.end for member in members_in(path)]
    path.write_bytes(content[: ends[1]] + content[ends[3] : ends[5]])  # chunks 0, 3 and 4
    found = survey(**ASKED, executor=threads, path=record, certify=path)
    assert counted(found) == expected
    assert chunks_in(record) == sorted(member.chunk for member in members_in(path)[1:])
    assert len(chunks_in(record)) == len(DEALS)
    assert check_survey(path, executor=threads).holds


SCRIPT = """
import sys, scorpion
if __name__ == "__main__":
    scorpion.survey("scorpion-tail", range(1, 801), max_nodes=200, workers=2, certify=sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_broken_off_it_goes_on(how: int, tmp_path: Path) -> None:
    path = tmp_path / "survey.gz"
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, path], start_new_session=True, stderr=subprocess.PIPE
    ) as process:
        wait_until(lambda: path.exists() and path.stat().st_size > 5_000)
        os.killpg(process.pid, how)
        process.communicate(timeout=DEADLINE)
        wait_until(lambda: not group_lives(process.pid))
    with pytest.raises(SurveyError, match=r"byte \d+: the file (ends here|is cut short)"):
        check_survey(path)
    held = path.read_bytes()
    asked: dict[str, Any] = {"numbers": range(1, 801), "max_nodes": 200, "workers": 2}
    found = survey("scorpion-tail", **asked, certify=path)
    assert counted(found) == counted(survey("scorpion-tail", **asked))
    assert path.read_bytes()[: len(held) // 2] == held[: len(held) // 2]
    check = check_survey(path, workers=2)
    assert (check.holds, check.won, len(check)) == (True, found.won, 800)


FULL = """
import resource, sys, scorpion
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
if __name__ == "__main__":
    try:
        scorpion.survey("scorpion", range(1, 21), max_nodes=300, workers=1, certify=sys.argv[1])
    except scorpion.SurveyError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "survey.gz"
    command = [sys.executable, "-c", FULL, str(path)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=DEADLINE)
    assert run.stdout == f"cannot write {path}: File too large\n"
    assert path.stat().st_size == 1000
    survey("scorpion", range(1, 21), max_nodes=300, workers=1, certify=path)
    assert check_survey(path, workers=1).holds


# Spoilt files.


def test_a_byte_altered_anywhere_is_refused_with_its_place(path: Path, content: bytes) -> None:
    """By the check, and by a survey that would go on from it, which alters nothing."""
    draw = random.Random(1)
    pool = Broken()  # never asked to do anything
    for member in members_in(path):
        head = range(member.offset, member.offset + HEAD_SIZE)
        for place in (
            *head,
            *range(head.stop, member.end - 8, 5),
            *range(member.end - 8, member.end),
        ):
            spoilt = bytearray(content)
            spoilt[place] ^= draw.randrange(1, 256)
            path.write_bytes(spoilt)
            with pytest.raises(SurveyError, match=rf"small\.gz, byte {member.offset}: "):
                check_survey(path, executor=pool)
            if place % 3 == 0:
                with pytest.raises(SurveyError, match=rf"small\.gz, byte {member.offset}: "):
                    survey(**ASKED, executor=pool, certify=path)
                assert path.read_bytes() == spoilt


def test_a_file_cut_short_is_refused_with_its_place(path: Path, content: bytes) -> None:
    starts = [member.offset for member in members_in(path)]
    for size in sorted({*range(0, len(content), 5), *cuts(path)} - {len(content)}):
        path.write_bytes(content[:size])
        begun = max(start for start in starts if start <= size)
        with pytest.raises(SurveyError, match=rf"small\.gz, byte {begun}: ") as caught:
            check_survey(path, executor=Broken())
        words = "the file ends here" if size in starts else "the file is cut short"
        assert size == 0 or words in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"notes", b"\0\xff\n", gzip.compress(b"{}\n", mtime=0)])
def test_a_file_that_is_no_certificate_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(SurveyError, match=r"notes\.txt, byte 0: no certificate"):
        check_survey(path)
    if content:
        with pytest.raises(SurveyError, match=r"notes\.txt, byte 0: no certificate"):
            survey(**ASKED, certify=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "wasp"}, "another survey's: its rules is"),
        ({"dealer": "ms"}, "another survey's: its dealer is 'pysolfc', not 'ms'"),
        ({"max_nodes": 299}, "another survey's: its max_nodes is 60, not 299"),
        ({"numbers": [1, 5]}, "another survey's: its numbers is"),
    ],
)
def test_another_surveys_file_is_not_gone_on_from(
    change: dict[str, Any], words: str, path: Path, content: bytes
) -> None:
    with pytest.raises(SurveyError, match=words):
        survey(**(ASKED | {"certify": path} | change))
    assert path.read_bytes() == content
    # Nor where only a part of its header is left.
    path.write_bytes(content[:100])
    with pytest.raises(SurveyError, match="byte 0: the file is cut short in the header"):
        survey(**(ASKED | {"certify": path} | change))
    assert path.read_bytes() == content[:100]


def test_another_game_is_refused(path: Path) -> None:
    assert check_survey(path, game="scorpion").holds
    with pytest.raises(SurveyError, match=r"byte 0: a survey of scorpion, not of open-wasp"):
        check_survey(path, game="open-wasp")
    with pytest.raises(RulesError, match="there is no game 'chess'"):
        check_survey(path, game="chess")


def test_another_form_is_refused(path: Path) -> None:
    rewritten(path, lambda rows: rows[0].update(certificate=2), -1)
    words = "byte 0: a certificate of form 2, where this version of scorpion knows form 1"
    with pytest.raises(SurveyError, match=words):
        check_survey(path)
    with pytest.raises(SurveyError, match=words):
        survey(**ASKED, certify=path)


def test_what_another_engine_found_is_checked_but_not_gone_on_from(
    path: Path, threads: ThreadPoolExecutor
) -> None:
    rewritten(path, lambda rows: rows[0].update(engine="0.0.1"), -1)
    check = check_survey(path, executor=threads)
    assert (check.holds, check.engine) == (True, "0.0.1")
    with pytest.raises(SurveyError, match=r"another survey's: its engine is '0\.0\.1'"):
        survey(**ASKED, certify=path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rules": {"build": "up"}}, "build is 'up'"),
        ({"rules": {"chess": 1}}, "no header of a survey: .*chess"),
        ({"rules": None}, "no header of a survey"),
        ({"dealer": "me"}, "there is no dealer 'me'"),
        ({"numbers": {"from": 1}}, "no header of a survey: 'to'"),
        ({"numbers": {"from": 1, "to": 9, "step": 0}}, "no header of a survey: .*zero"),
        ({"numbers": {"from": 0, "to": 9, "step": 1}}, "there is no pysolfc deal 0"),
        ({"numbers": 5}, "the deals' numbers are a range, or a list, not 5"),
        ({"numbers": {"from": 1, "to": 10**19, "step": 1}}, "more deals than can be counted"),
        ({"numbers": {"from": 1, "to": 10**18, "step": 1}}, "with 6 of the survey's"),
        ({"chunk_size": 0}, "chunk_size is 0"),
        ({"chunk_size": True}, "chunk_size is True"),
        ({"max_nodes": "many"}, "max_nodes is 'many'"),
    ],
)
def test_a_header_that_cannot_be_is_refused(change: dict[str, Any], words: str, path: Path) -> None:
    rewritten(path, lambda rows: rows[0].update(change), -1)
    with pytest.raises(ScorpionError, match=rf"small\.gz, byte \d+: .*{words}"):
        check_survey(path, executor=Broken())


def dropped(rows: list[Any]) -> None:
    del rows[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dropped, "deal 5 does not stand in its place"),
        (lambda rows: rows[0].update(deal=6), "deal 5 does not stand in its place"),
        (lambda rows: rows.__setitem__(0, 5), "deal 5 does not stand in its place"),
        (lambda rows: rows.append({}), "there is a line too much"),
        (lambda rows: rows.pop(), "the last line does not say what was found"),
        (lambda rows: rows[1].update(chunk=2), "what was found is another chunk's"),
        (lambda rows: rows[1].update(verdicts="WW"), "what was found is another chunk's"),
        (lambda rows: rows[1].update(verdicts=5), "the last line does not say what was found"),
    ],
)
def test_a_chunk_that_is_none_is_refused_with_its_place(
    change: Callable[[list[Any]], object], words: str, path: Path, threads: ThreadPoolExecutor
) -> None:
    rewritten(path, change, 1)
    place = members_in(path)[2].offset
    with pytest.raises(SurveyError, match=rf"small\.gz, byte {place}: chunk 1: {words}"):
        check_survey(path, executor=threads)


@pytest.mark.parametrize("text", [b"{", b"\xff", b"[" * 100_000, b""])
def test_lines_that_are_not_json_are_refused(
    text: bytes, path: Path, content: bytes, threads: ThreadPoolExecutor
) -> None:
    """The deflated text exchanged, and the checksums of the member with it."""
    first, second = members_in(path)[1:3]
    swapped = gzip.compress(b'{"deal":1}\n' + text)[10:]
    data = bytearray(packed(first.number, [])[:HEAD_SIZE] + swapped)
    data[20:28] = len(swapped).to_bytes(8, "little")
    data[28:32] = zlib.crc32(swapped).to_bytes(4, "little")
    data[32:36] = zlib.crc32(data[:32]).to_bytes(4, "little")
    path.write_bytes(content[: first.offset] + data + content[second.offset :])
    with pytest.raises(SurveyError, match=rf"byte {first.offset}: chunk 0: "):
        check_survey(path, executor=threads)


def test_chunks_stand_there_once_each(path: Path, content: bytes) -> None:
    """In any order; one that is missing, there twice, or of no survey is refused."""
    header, *chunks = [member.data for member in members_in(path)]
    start = len(header)
    path.write_bytes(header + b"".join(reversed(chunks)))
    with ThreadPoolExecutor(1) as pool:
        assert check_survey(path, executor=pool).holds
    path.write_bytes(header + b"".join(chunks[1:]))
    words = rf"byte {len(content) - len(chunks[0])}: .* 5 of the survey's 6 .*missing is chunk 0"
    with pytest.raises(SurveyError, match=words):
        check_survey(path)
    path.write_bytes(header + chunks[0] + b"".join(chunks))
    with pytest.raises(SurveyError, match=rf"byte {start + len(chunks[0])}: chunk 0 once more"):
        check_survey(path)
    path.write_bytes(content + packed(7, []))
    with pytest.raises(SurveyError, match=rf"byte {len(content)}: chunk 6 of a survey of 6 chunks"):
        check_survey(path)
    path.write_bytes(header + header)
    with pytest.raises(SurveyError, match=rf"byte {start}: the header of a survey"):
        check_survey(path)
    path.write_bytes(b"".join(chunks))
    with pytest.raises(SurveyError, match="byte 0: no certificate's header"):
        check_survey(path)
    path.write_bytes(header + packed(1, gzip_rows(chunks[1])))
    with pytest.raises(SurveyError, match=f"byte {start}: chunk 1 in the place of chunk 0"):
        survey(**ASKED, certify=path)


def gzip_rows(data: bytes) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


# Evidence that does not hold.


def shortened_line(rows: list[Any]) -> None:
    del rows[0]["moves"][-1]


def other_move(rows: list[Any]) -> None:
    rows[0]["moves"][2] = "KS>1"


def proof_of(number: int, other: int) -> Callable[[list[Any]], object]:
    def change(rows: list[Any]) -> None:
        assert rows[0]["deal"] == number
        found = solve(deal(GAME, other), proof=True)
        assert found.proof is not None
        rows[0].update(verdict="lost", proof=found.proof.to_dict())
        rows[1].update(verdicts="L")

    return change


@pytest.mark.parametrize(
    ("number", "change", "words"),
    [
        (5, shortened_line, "the game is not won after these"),
        (5, other_move, "step 3: "),
        (5, lambda rows: rows[0]["moves"].insert(1, "chess"), "step 2: 'chess' is not a move"),
        (5, lambda rows: rows[0]["moves"].insert(1, 7), "step 2: 7 is not a move"),
        (5, lambda rows: rows[0].update(moves=None), "won by a list of moves"),
        (5, lambda rows: rows[0].pop("verdict"), "there is no verdict None"),
        (5, lambda rows: rows[0].update(verdict=[1]), "there is no verdict"),
        (5, lambda rows: rows[1].update(verdicts="L"), "counted as 'L', but by its evidence 'W'"),
        (5, lambda rows: rows[0].update(verdict="undecided"), "counted as 'W'.*'U'"),
        (5, lambda rows: rows[0].update(verdict="lost"), "counted as 'W'.*'N'"),
        (5, proof_of(5, 1), "does not lie under"),
        (59, proof_of(59, 79), "position|reached|lie under"),
        (1, lambda rows: rows[0].update(proof={"locks": [], "ends": [0]}), "number of a lock"),
        (1, lambda rows: rows[0].update(proof={"locks": [], "ends": [None]}), "more than the 1"),
        (1, lambda rows: rows[0].update(proof=[]), "a proof is written as an object"),
        (1, lambda rows: rows[0].update(verdict="winnable", moves=[]), "not won after these 0"),
        (5137, proof_of(5137, 1), "does not lie under"),
    ],
)
def test_a_deal_with_wrong_evidence_is_named(
    number: int,
    change: Callable[[list[Any]], object],
    words: str,
    path: Path,
    threads: ThreadPoolExecutor,
) -> None:
    """The file is whole; all other deals are checked and found right."""
    whole = check_survey(path, executor=threads)
    rewritten(path, change, chunk_of(number))
    check = check_survey(path, executor=threads)
    assert not check.holds
    assert [*check.wrong] == [number]
    assert re.search(words, check.wrong[number]), check.wrong
    assert len(check) == len(whole) == len(DEALS)
    assert check.won == whole.won - (number == 5)


# Executors.


def test_a_worker_that_is_killed_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorpion.surveys.checks.REPORT", 0)
    path = tmp_path / "survey.gz"
    survey("scorpion-tail", range(1, 501), max_nodes=200, workers=2, certify=path)
    killed = 0

    def progress(so_far: SurveyCheck) -> None:
        nonlocal killed
        if not killed and 0 < len(so_far) < 500:
            killed = kill_some_child()

    check = check_survey(path, workers=2, progress=progress)
    assert killed
    assert (check.holds, len(check)) == (True, 500)


def test_an_executor_that_was_shut_down_is_refused(path: Path) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(SurveyError, match=r"executor broke .*after shutdown"):
        check_survey(path, executor=pool)


def test_cancelled_it_returns_what_is_checked(path: Path, threads: ThreadPoolExecutor) -> None:
    event = threading.Event()

    def progress(_: SurveyCheck) -> None:
        event.set()

    check = check_survey(path, executor=threads, progress=progress, cancel=event)
    assert (len(check), check.limit, check.holds) == (0, "cancelled", False)


CHECK = """
import sys, scorpion
if __name__ == "__main__":
    scorpion.check_survey(sys.argv[1], workers=2, progress=lambda _: print("begun", flush=True))
"""


def without_an_end(path: Path) -> None:
    """A survey of two deals, whose proofs it takes minutes to look at; they are none."""
    survey("scorpion-tail", [4, 9], max_nodes=100, workers=1, certify=path)

    def change(rows: list[Any]) -> None:
        rows[0].update(verdict="lost", proof={"locks": [], "ends": [None] * 10**6})

    rewritten(path, change, 0)
    rewritten(path, change, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_ctrl_c_ends_the_longest_check(tmp_path: Path) -> None:
    path = tmp_path / "survey.gz"
    without_an_end(path)
    with subprocess.Popen(
        [sys.executable, "-c", CHECK, path],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        wait_until_busy(process.pid, workers=2)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, complaint = process.communicate(timeout=DEADLINE)
        assert process.returncode == -signal.SIGINT
        assert complaint.count("Traceback") == 1, complaint
        wait_until(lambda: not group_lives(process.pid))
        assert time.monotonic() - begun < DEADLINE


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_killed_it_leaves_no_workers(tmp_path: Path) -> None:
    path = tmp_path / "survey.gz"
    without_an_end(path)
    with subprocess.Popen(
        [sys.executable, "-c", CHECK, path], start_new_session=True, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        wait_until_busy(process.pid, workers=2)
        process.kill()
        process.communicate(timeout=DEADLINE)
    with suppress(ProcessLookupError):
        wait_until(lambda: not group_lives(process.pid))
    assert not multiprocessing.active_children()


# Bad input.


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (5, "path is 5; it must name a file"),
        (".", r"cannot open \.: Is a directory"),
        ("absent/file", "cannot open absent/file: No such file or directory"),
        ("nul\0", "cannot open nul\0: embedded null byte"),
        ("/dev/null", "byte 0: no certificate, but an empty file"),
    ],
)
def test_bad_paths_are_one_clear_error(path: Any, words: str) -> None:
    with pytest.raises(SurveyError, match=words):
        check_survey(path)
    if path != "/dev/null":
        with pytest.raises(SurveyError, match=words.replace("path is", "certify is")):
            survey("scorpion", [1], certify=path)


def test_bad_workers_are_one_clear_error(path: Path, threads: ThreadPoolExecutor) -> None:
    with pytest.raises(SurveyError, match="workers is 0; it must be a whole number"):
        check_survey(path, workers=0)
    with pytest.raises(SurveyError, match="workers are for"):
        check_survey(path, workers=2, executor=threads)
    with pytest.raises(SurveyError, match=r"executor is 5; it must be a concurrent\.futures"):
        check_survey(path, executor=5)  # type: ignore[arg-type]
