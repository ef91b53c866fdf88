"""The service: what goes in and out, what stays hidden, and how it holds under strain."""

import json
import socket
import subprocess
import sys
import threading
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from cryptography.fernet import Fernet
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import SecretStr
from waiting import DEADLINE, wait_until

import scorpion
from scorpion import GAMES, Board, Rules, Solution
from scorpion.cards import DECK
from scorpion.cli import main
from scorpion.web import Settings, create_app, daily
from scorpion.web.guards import HEADERS

KEY = SecretStr(Fernet.generate_key().decode())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(token_key=KEY))) as started:
        yield started


def told(client: TestClient, path: str, **asked: object) -> Any:
    answer = client.post(path, json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, path: str, **asked: object) -> Any:
    answer = client.post(path, json=asked)
    assert answer.status_code == 400, answer.text
    return answer.json()


def dealt(client: TestClient, game: str = "scorpion", number: int = 5) -> Any:
    answer = client.get(f"/api/deals/{game}/{number}")
    assert answer.status_code == 200
    return answer.json()


def of_token(table: Any) -> dict[str, str]:
    return {"token": table["token"]}


def of_text(board: Board) -> dict[str, object]:
    return {"board": board.text(), "game": board.rules.name}


# Boards.


def test_games(client: TestClient) -> None:
    told = {each["game"]: each["rules"] for each in client.get("/api/games").json()}
    assert told == {
        name: asdict(rules) | {"face_down": [*rules.face_down]} for name, rules in GAMES.items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_is_what_its_player_sees(client: TestClient, game: str) -> None:
    table = dealt(client, game, 4711)
    board = scorpion.deal(game, 4711)
    assert table["board"] == board.masked().line()
    assert table["columns"] == [
        ["??"] * down + [*cards[down:]]
        for cards, down in zip(board.columns, board.face_down, strict=True)
    ]
    assert table["stock"] == ["??"] * 3
    assert table["legal_moves"] == [str(move) for move in board.legal_moves()]
    assert (table["deal"], table["dealer"], table["date"]) == ("4711", "pysolfc", None)
    assert not table["is_won"]
    assert not table["is_stuck"]


HOUSE = "build=alternating&fill=any&face_down=0123456&runs=stay&stock=when-stuck"
HOUSE_RULES = Rules("alternating", "any", (0, 1, 2, 3, 4, 5, 6), "stay", "when-stuck")


def test_house_rules_wherever_a_game_is_named(client: TestClient) -> None:
    table = client.get(f"/api/deals/wasp/4711?{HOUSE}").json()
    board = scorpion.deal(HOUSE_RULES, 4711)
    assert table["board"] == board.masked().line()
    assert table["game"] == HOUSE_RULES.name
    told = asdict(HOUSE_RULES) | {"face_down": [0, 1, 2, 3, 4, 5, 6]}
    assert table["rules"] == told
    # The token knows the rules, and text is of the rules that go with it.
    asked = {"position": {"token": table["token"]}, "moves": [table["legal_moves"][0]]}
    assert client.post("/api/play", json=asked).json()["rules"] == told
    text = {"position": {"board": board.text(), "game": told}}
    assert client.post("/api/moves", json=text).json()["legal_moves"] == table["legal_moves"]
    # One field alone leaves the others as the game has them; a random deal takes them too.
    three = client.get("/api/deals/wasp?face_down=3330000&winnable=true").json()
    assert three["rules"] == asdict(GAMES["wasp"]) | {"face_down": [3, 3, 3, 0, 0, 0, 0]}


def test_house_rules_have_a_daily_board_of_their_own(client: TestClient) -> None:
    day = "2026-12-24"
    rules = replace(GAMES["wasp"], runs="stay")
    numbers = [
        client.get(f"/api/daily/wasp/{day}?{words}").json()["deal"] for words in ("", "runs=stay")
    ]
    assert numbers == [str(scorpion.daily(each, day).number) for each in ("wasp", rules)]
    assert numbers[0] != numbers[1]


def test_a_daily_board_is_searched_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[tuple[Rules, date]] = []
    find = daily.daily_winnable

    def noted(rules: Rules, day: date, *more: Any, **budgets: Any) -> Any:
        searched.append((rules, day))
        return find(rules, day, *more, **budgets)

    monkeypatch.setattr(daily, "daily_winnable", noted)
    monkeypatch.setattr(daily, "MOST_KEPT", 2)
    with TestClient(create_app(Settings())) as asking:

        def ask(game: str, day: int) -> str:
            return str(asking.get(f"/api/daily/{game}/2026-12-{day}").json()["deal"])

        first = ask("wasp", 24)
        assert (ask("wasp", 24), len(searched)) == (first, 1)
        assert ask("scorpion", 24) != first
        assert (ask("wasp", 24), len(searched)) == (first, 2)
        # Of more than are kept the one longest not asked for goes.
        ask("wasp", 25)
        assert (ask("wasp", 24), len(searched)) == (first, 3)
        ask("scorpion", 24)
        assert len(searched) == 4


@pytest.mark.parametrize(
    "wrong", ["build=up", "fill=none", "face_down=333", "face_down=7777777", "runs=", "stock=2"]
)
def test_wrong_house_rules_are_named(client: TestClient, wrong: str) -> None:
    answer = client.get(f"/api/deals/wasp/1?{wrong}")
    assert answer.status_code == 422
    assert wrong.partition("=")[0] in answer.json()["message"]


def test_hidden_cards_are_nowhere_in_what_is_sent(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    answer = client.get("/api/deals/scorpion/5").text
    hidden = {card for cards in board.columns[:4] for card in cards[:3]} | {*board.stock}
    shown = {card for card in DECK if f'"{card}"' in answer}
    assert not hidden & shown
    assert shown == set(DECK) - hidden
    sealed = urlsafe_b64decode(json.loads(answer)["token"])
    assert board.to_bytes() not in sealed


def test_equal_boards_have_unequal_tokens(client: TestClient) -> None:
    # Else a client could compare tokens of boards that it guesses with the one it has.
    assert dealt(client)["token"] != dealt(client)["token"]


def test_a_random_deal_can_be_asked_to_be_winnable(client: TestClient) -> None:
    numbers = set()
    for _ in range(5):
        table = client.get("/api/deals/scorpion?winnable=true").json()
        board = scorpion.deal("scorpion", int(table["deal"]))
        assert scorpion.solve(board).verdict is scorpion.Verdict.WINNABLE
        numbers |= {client.get("/api/deals/wasp").json()["deal"], table["deal"]}
    assert len(numbers) == 10


def test_a_daily_board(client: TestClient) -> None:
    table = client.get("/api/daily/wasp/2026-12-24").json()
    found = scorpion.daily("wasp", date(2026, 12, 24))
    assert (table["deal"], table["date"]) == (str(found.number), "2026-12-24")
    assert table["board"] == found.board.masked().line()


@pytest.mark.parametrize("number", [2**53 + 1, 10**20])
def test_a_long_number_keeps_its_digits(client: TestClient, number: int) -> None:
    table = dealt(client, number=number)
    assert table["deal"] == str(number)
    assert table["board"] == scorpion.deal("scorpion", number).masked().line()
    after = told(client, "/api/play", position=of_token(table), moves=table["legal_moves"][:1])
    assert after["deal"] == str(number)


@pytest.mark.parametrize("number", ["0", "-5", "05", "5.0", "1e3", "1_000", "%205", "+5", "\u0665"])
def test_a_number_that_is_none(client: TestClient, number: str) -> None:
    answer = client.get(f"/api/deals/scorpion/{number}")
    assert answer.status_code == 422
    assert "a deal number is written in digits" in answer.json()["message"]


def test_a_number_that_a_dealer_does_not_have(client: TestClient) -> None:
    answer = client.get(f"/api/deals/scorpion/{2**33}?dealer=ms")
    assert answer.status_code == 400
    with pytest.raises(scorpion.DealError) as caught:
        scorpion.deal("scorpion", 2**33, dealer="ms")
    assert answer.json()["message"] == str(caught.value)


def test_moves_are_played_one_after_the_other(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    line = scorpion.solve(board).moves
    table = dealt(client)
    for move in line:
        assert told(client, "/api/moves", position=of_token(table))["legal_moves"] == [
            str(each) for each in board.legal_moves()
        ]
        table = told(client, "/api/play", position=of_token(table), moves=[str(move)])
        board = board.play(move)
        assert table["columns"] == [
            ["??"] * down + [*cards[down:]]
            for cards, down in zip(board.columns, board.face_down, strict=True)
        ]
        assert table["deal"] == "5"
    assert table["is_won"]
    at_once = told(
        client, "/api/play", position=of_token(dealt(client)), moves=[str(move) for move in line]
    )
    assert at_once["is_won"]


def test_a_board_that_came_open_goes_out_open(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    table = told(client, "/api/play", position=of_text(board), moves=["5H>3"])
    assert table["token"] is None
    assert table["board"] == board.play(scorpion.Move("5H", 3)).line()


def test_rules_of_ones_own(client: TestClient) -> None:
    rules = {"build": "suit", "fill": "any", "runs": "stay", "stock": "when-stuck"}
    board = scorpion.deal(scorpion.Rules(**rules), 7)  # type: ignore[arg-type]
    table = told(client, "/api/play", position={"board": board.text(), "game": rules}, moves=[])
    assert table["rules"] == asdict(board.rules) | {"face_down": [3, 3, 3, 3, 0, 0, 0]}
    assert table["legal_moves"] == [str(move) for move in board.legal_moves()]


# Answers.


def test_solve_and_verify(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    solution = scorpion.solve(board)
    for position in (of_token(dealt(client)), of_text(board)):
        found = told(client, "/api/solve", position=position)
        assert found["verdict"] == "winnable"
        assert found["moves"] == [str(move) for move in solution.moves]
        assert (found["nodes"], found["limit"]) == (solution.nodes, None)
        assert told(client, "/api/verify", position=position, moves=found["moves"]) == {
            "wins": True,
            "step": None,
            "message": None,
        }
        short = told(client, "/api/verify", position=position, moves=found["moves"][:-1])
        assert not short["wins"]
        wrong = told(client, "/api/verify", position=position, moves=["5H>3", "5H>4"])
        assert (wrong["wins"], wrong["step"]) == (False, 2)
        assert "5H fits only on 6H" in wrong["message"]


def test_a_budget_is_capped() -> None:
    """On a board that is searched for minutes without an answer; see test_solver.py."""
    rules = replace(GAMES["scorpion-tail"], runs="stay", stock="when-stuck")
    hard = {"board": scorpion.deal(rules, 4).text(), "game": asdict(rules)}
    with TestClient(create_app(Settings(max_nodes=50))) as client:
        found = told(client, "/api/solve", position=hard, max_nodes=10**9)
        assert (found["verdict"], found["limit"], found["nodes"]) == ("undecided", "nodes", 50)
    with TestClient(create_app(Settings(max_seconds=0.01, max_nodes=10**9))) as client:
        found = told(client, "/api/solve", position=hard, max_seconds=DEADLINE)
        assert found["limit"] == "seconds"
        assert found["seconds"] < DEADLINE / 2
        found = told(client, "/api/prove", position=hard, max_seconds=DEADLINE)
        assert (found["verdict"], found["limit"], found["proof"]) == ("undecided", "seconds", None)


def test_prove(client: TestClient, tmp_path: Path) -> None:
    """A proof that the checker accepts, from Python and from the command line; or null."""
    board = scorpion.deal("scorpion", 59)
    solution = scorpion.solve(board, proof=True)
    for position in (of_token(dealt(client, number=59)), of_text(board)):
        found = told(client, "/api/prove", position=position)
        proof = scorpion.Proof.from_dict(found["proof"])
        assert (proof, found["verdict"]) == (solution.proof, "lost")
        assert (found["nodes"], found["limit"]) == (solution.nodes, None)
        scorpion.check_proof(board, proof)
        with pytest.raises(scorpion.ProofError):
            scorpion.check_proof(scorpion.deal("scorpion", 60), proof)
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(found))
    assert main(["check", "--deal", "59", str(path)]) == 0
    won = told(client, "/api/prove", position=of_token(dealt(client)))
    assert (won["verdict"], won["proof"], won["limit"]) == ("winnable", None, None)
    stopped = told(client, "/api/prove", position=of_text(scorpion.deal("wasp", 1)), max_nodes=9)
    assert (stopped["verdict"], stopped["proof"], stopped["limit"]) == ("undecided", None, "nodes")


def test_hints_are_the_librarys(client: TestClient) -> None:
    for number, verdict in ((5, "winnable"), (1, "lost")):
        board = scorpion.deal("scorpion", number)
        hint = scorpion.hint(board)
        found = told(client, "/api/hint", position=of_token(dealt(client, number=number)))
        assert (found["move"], found["verdict"]) == (str(hint.move), verdict)
        assert found["line"] == [str(move) for move in hint.line]
        assert (found["reason"] is None) is (verdict == "winnable")


def test_a_fair_hint_does_not_look(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    hint = scorpion.fair_hint(board, samples=20, seed=3)
    asked = {"samples": 20, "seed": 3}
    open_eyes = told(client, "/api/fair-hint", position=of_token(dealt(client)), **asked)
    masked = {"board": board.masked().text(), "game": "scorpion"}
    assert told(client, "/api/fair-hint", position=masked, **asked) == open_eyes
    assert open_eyes == {
        "move": str(hint.move),
        "share": hint.share,
        "interval": [*hint.interval],
        "samples": 20,
        "shares": {str(move): share for move, share in hint.shares.items()},
    }


def test_ratings(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 5)
    found = told(client, "/api/rate", position=of_token(dealt(client)))
    assert found["moves"] == {str(move): verdict for move, verdict in scorpion.rate(board).items()}


def test_a_reason_says_where_its_cards_lie(client: TestClient) -> None:
    board = scorpion.deal("scorpion", 1)
    lock = scorpion.explain(board)
    assert isinstance(lock, scorpion.Lock)
    reason = told(client, "/api/explain", position=of_token(dealt(client, number=1)))["reason"]
    assert (reason["text"], reason["cards"]) == (str(lock), [*lock.cards])
    assert {*reason["cards"]} - {*board.stock} <= reason["places"].keys()
    for card, place in reason["places"].items():
        assert board.columns[place["column"] - 1][place["index"]] == card
    assert all(len(pair) == 2 and {*pair} <= {*DECK} for pair in reason["waits"])
    assert told(client, "/api/explain", position=of_text(scorpion.deal("scorpion", 5))) == {
        "reason": None
    }


# What is refused.


def test_a_token_that_was_changed_or_comes_from_elsewhere(client: TestClient) -> None:
    token = dealt(client)["token"]
    changed = [
        token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        for place in range(0, len(token) - 2, 7)
    ]
    for bad in [
        *changed,
        "",
        "x",
        "\u00e9",
        token[:-4],
        Fernet(Fernet.generate_key()).encrypt(b"{}\0").decode(),
    ]:
        problem = refused(client, "/api/play", position={"token": bad}, moves=[])
        assert problem["error"] == "TokenError"
        assert "not made by this service" in problem["message"]
    with TestClient(create_app(Settings(token_key=KEY))) as twin:
        assert told(twin, "/api/play", position={"token": token}, moves=[])["deal"] == "5"
    with TestClient(create_app(Settings())) as other:
        assert (
            refused(other, "/api/play", position={"token": token}, moves=[])["error"]
            == "TokenError"
        )
    sealed = Fernet(KEY.get_secret_value()).encrypt(b'{"deal": 1}\0nothing')
    problem = refused(client, "/api/moves", position={"token": sealed.decode()})
    assert "of a version" in problem["message"]


def test_bad_boards_moves_and_deals(client: TestClient) -> None:
    text = {"board": "AS 2S 2S / : / : / : / : / : / :", "game": "scorpion"}
    assert refused(client, "/api/solve", position=text) == {
        "error": "BoardError",
        "message": "2S is on the board twice",
        "line": 1,
        "column": 7,
        "step": None,
    }
    table = dealt(client)
    problem = refused(client, "/api/play", position=of_token(table), moves=["5H>3", "6H>2"])
    assert (problem["error"], problem["step"]) == ("IllegalMoveError", 2)
    assert client.get("/api/deals/scorpion/99999999999999?dealer=ms").json()["error"] == "DealError"
    masked = {"board": scorpion.deal("scorpion", 5).masked().text(), "game": "scorpion"}
    assert refused(client, "/api/solve", position=masked)["error"] == "BoardError"


def test_requests_of_another_form(client: TestClient) -> None:
    for path, asked in (
        ("/api/solve", {}),
        ("/api/solve", {"position": {"token": 5}}),
        ("/api/solve", {"position": {"token": "x"}, "max_nodes": 0}),
        ("/api/hint", {"position": {"token": "x"}, "samples": 0}),
        ("/api/hint", {"position": {"token": "x"}, "more": 0}),
    ):
        answer = client.post(path, json=asked)
        assert answer.status_code == 422
        assert answer.json()["error"] == "RequestError"
    assert client.get("/api/deals/chess/1").status_code == 422
    assert client.get("/api/daily/wasp/tomorrow").status_code == 422
    assert client.get("/api/nothing").status_code == 404


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large(client: TestClient, *, chunked: bool) -> None:
    body = json.dumps({"position": {"token": "x" * 70_000}}).encode()
    pieces = iter([body[:40_000], body[40_000:]])
    answer = client.post("/api/solve", content=pieces if chunked else body)
    assert answer.status_code == 413
    assert answer.json()["message"] == "a request may have 65,536 bytes at most"


def test_headers_for_browsers_and_no_markup_of_others(client: TestClient) -> None:
    for path in ("/", "/main.js", "/health", "/api/deals/chess/1", "/<script>", "/openapi.json"):
        headers = client.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "<script>" not in client.get("/api/deals/<script>/1").headers["content-type"]
    assert client.get("/api/deals/<script>/1").headers["content-type"] == "application/json"


# Strain.


class Slow:
    """Stands in for `solve`: searches until it is told to stop or let go."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.cancelled = threading.Event()
        self.go = threading.Event()

    def __call__(self, _: Board, *, cancel: threading.Event, **__: object) -> Solution:
        self.begun.release()
        while not self.go.is_set():
            if cancel.wait(0.005):
                self.cancelled.set()
                break
        return Solution(scorpion.Verdict.UNDECIDED, (), 1, 0.0, "cancelled")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    search = Slow()
    monkeypatch.setattr(scorpion, "solve", search)
    return search


def test_a_full_queue_is_said_at_once(slow: Slow) -> None:
    board = of_text(scorpion.deal("scorpion", 5))
    with TestClient(create_app(Settings(workers=1, waiting=1))) as client:
        asked = [
            threading.Thread(
                target=client.post, args=("/api/solve",), kwargs={"json": {"position": board}}
            )
            for _ in range(2)
        ]
        for thread in asked:
            thread.start()
        assert slow.begun.acquire(timeout=DEADLINE)
        wait_until(lambda: "scorpion_searches_waiting 1.0" in client.get("/metrics").text)
        # At once: nobody else is answered before the test lets go.
        answer = client.post("/api/solve", json={"position": board})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert answer.json()["error"] == "Busy"
        assert client.get("/health").json()["status"] == "ok"
        slow.go.set()
        for thread in asked:
            thread.join(DEADLINE)
        wait_until(lambda: "scorpion_searches_running 0.0" in client.get("/metrics").text)


def test_a_client_that_goes_away_cancels_its_search(slow: Slow) -> None:
    server = uvicorn.Server(uvicorn.Config(create_app(Settings()), log_level="error"))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        wait_until(lambda: server.started)
        body = json.dumps({"position": of_text(scorpion.deal("scorpion", 5))})
        with socket.create_connection(listener.getsockname()) as connection:
            connection.sendall(
                f"POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            assert slow.begun.acquire(timeout=DEADLINE)
            assert not slow.cancelled.is_set()
        assert slow.cancelled.wait(DEADLINE)
    finally:
        slow.go.set()
        server.should_exit = True
        thread.join(DEADLINE)


def test_counts_for_prometheus() -> None:
    with TestClient(create_app(Settings())) as client:
        client.get("/health")
        told(client, "/api/solve", position=of_text(scorpion.deal("scorpion", 1)))
        client.get("/no/such/route")
        counted = client.get("/metrics").text
    assert (
        'scorpion_request_seconds_count{method="GET",route="/health",status="200"} 1.0' in counted
    )
    assert 'route="/api/solve",status="200"} 1.0' in counted
    assert 'scorpion_verdicts_total{verdict="lost"} 1.0' in counted
    assert "scorpion_positions_total 1.0" in counted
    assert "no/such" not in counted


def test_mounted_in_another_app() -> None:
    site = FastAPI()
    site.mount("/solitaire", create_app(Settings()))
    with TestClient(site) as client:
        assert client.get("/solitaire/api/deals/wasp/1").json()["deal"] == "1"
        assert "<title>Scorpion</title>" in client.get("/solitaire/").text
        assert client.post(
            "/solitaire/api/solve", json={"position": of_text(scorpion.deal("wasp", 1))}
        ).is_success


def test_the_page_asks_for_nothing_from_elsewhere(client: TestClient) -> None:
    static = Path(scorpion.__file__).parent / "web" / "static"
    for path in static.iterdir():
        assert client.get(f"/{path.name}").is_success
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text


# Settings.


def test_a_key_that_is_none() -> None:
    with pytest.raises(scorpion.ScorpionError, match="no Fernet key"):
        create_app(Settings(token_key=SecretStr("short")))


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("SCORPION_WORKERS", "none", "the setting SCORPION_WORKERS: "),
        ("SCORPION_TOKEN_KEY", "short", "the token key is no Fernet key"),
    ],
)
def test_a_wrong_setting_is_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, complaint: str
) -> None:
    monkeypatch.setenv(name, value)
    command = [str(Path(sys.executable).with_name("scorpion")), "serve", "--port", "0"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=DEADLINE)
    assert run.returncode == 2
    assert run.stderr.startswith(f"scorpion: {complaint}")
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""
