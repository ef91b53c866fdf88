"""What the page keeps: games, results and settings, through links, reloads and failures."""

import re
from datetime import date

import pytest
from page import (
    Table,
    opened,
    played,
    saved,
    won,
)
from playwright.sync_api import BrowserContext, Page, Route, expect

import scorpion
from scorpion import DEAL, Board, Move


def play(page: Page, board: Board, move: Move) -> Board:
    """Play a move by mouse and wait for what it leads to."""
    table = Table(page)
    page.click("#stock") if move == DEAL else table.drag(move)
    after = board.play(move)
    table.expect(after)
    return after


# Games.


def test_a_game_comes_back_after_a_reload(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    for move in scorpion.solve(board).moves[:4]:
        page.click("#stock") if move == DEAL else table.drag(move)
        board = board.play(move)
        table.expect(board)
    page.reload()
    table.expect(board)
    expect(page.locator("#clock")).to_contain_text("4 moves")
    page.keyboard.press("u")
    expect(page.locator("#clock")).to_contain_text("3 moves")


def test_each_game_has_its_own_place_and_results(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    move = scorpion.solve(board).moves[0]
    table.drag(move)
    table.expect(board.play(move))
    page.select_option("#game", "wasp")
    expect(page.locator("#deal")).to_contain_text("Wasp")
    page.select_option("#game", "scorpion")
    table.expect(board.play(move))
    assert saved(page, "results.scorpion")["started"] == 1
    assert page.evaluate("localStorage.getItem('scorpion.results.wasp')") is None


def test_saved_games_and_results_can_be_removed(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    table.drag(scorpion.solve(board).moves[0])
    expect(page.locator("#clock")).to_contain_text("1 move,")
    page.click("#menu")
    page.click("#open-settings")
    page.click("#forget-results")
    page.click("#forget-games")
    kept = page.evaluate("Object.keys(localStorage)")
    assert [key for key in kept if "results" in key or "game." in key] == []


# Links and numbers.


def test_the_link_of_the_board_on_the_table_goes_on_with_it(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    board = play(page, board, scorpion.solve(board).moves[0])
    page.goto(f"{address}?game=scorpion&deal=5&dealer=pysolfc")
    Table(page).expect(board)
    assert saved(page, "results.scorpion")["started"] == 1


def test_the_link_of_another_board_counts_the_first_as_given_up(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    play(page, played(page, board, line[:-1]), line[-1])
    assert saved(page, "results.scorpion")["streak"] == 1
    _, board = opened(page, address, "scorpion", 80)
    assert saved(page, "results.scorpion")["streak"] == 1  # what is finished stays won
    play(page, board, Move.parse("4C>4"))
    opened(page, address, "scorpion", 5)
    results = saved(page, "results.scorpion")
    assert (results["started"], results["won"]) == (2, 1)
    assert (results["streak"], results["longest"]) == (0, 1)


def test_a_link_leaves_the_other_games_alone(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    board = play(page, board, scorpion.solve(board).moves[0])
    opened(page, address, "wasp", 5)
    page.select_option("#game", "scorpion")
    Table(page).expect(board)
    assert saved(page, "results.scorpion")["streak"] == 0
    assert saved(page, "results.scorpion")["started"] == 1


def test_a_link_names_its_dealer(page: Page, address: str) -> None:
    page.goto(f"{address}?game=wasp&deal=5&dealer=cardgames")
    Table(page).expect(scorpion.deal("wasp", 5, dealer="cardgames"))
    page.click("#menu")
    page.click("#share")
    assert page.input_value("#link") == f"{address}?game=wasp&deal=5&dealer=cardgames"


def test_a_number_too_long_for_javascript_stays_as_it_is(page: Page, address: str) -> None:
    number = 2**53 + 1
    opened(page, address, "wasp", number)
    expect(page.locator("#deal")).to_have_text(f"Wasp, deal {number}")
    page.click("#menu")
    page.click("#share")
    assert f"deal={number}&" in page.input_value("#link")


def test_a_game_whose_number_was_kept_as_a_number_goes_on(page: Page, address: str) -> None:
    """As pages kept it before numbers were text."""
    _, board = opened(page, address, "scorpion", 5)
    board = play(page, board, scorpion.solve(board).moves[0])
    page.evaluate(
        """() => {
            const key = 'scorpion.game.scorpion';
            const game = JSON.parse(localStorage[key]);
            for (const table of game.tables) table.deal = Number(table.deal);
            addEventListener('pagehide', () => { localStorage[key] = JSON.stringify(game); });
        }"""
    )
    page.goto(f"{address}?game=scorpion&deal=5&dealer=pysolfc")
    Table(page).expect(board)
    assert saved(page, "results.scorpion")["started"] == 1
    expect(page.locator("#deal")).to_have_text("Scorpion, deal 5")
    page.click("#menu")
    page.click("#share")
    assert page.input_value("#link") == f"{address}?game=scorpion&deal=5&dealer=pysolfc"


def test_a_link_can_be_copied(timed_page: Page, address: str) -> None:
    page = timed_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, address, "wasp", 5)
    page.click("#menu")
    page.click("#share")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")  # for as long as time stands still
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#link")
    page.click("#share-dialog form button")
    expect(page.locator("dialog[open]")).to_have_count(0)


# Results.


def test_a_daily_board_that_is_won_is_marked(page: Page, address: str) -> None:
    day = date(2026, 3, 14)
    found = scorpion.daily("wasp", day)
    page.goto(f"{address}?game=wasp&date={day}")
    Table(page).expect(found.board)
    line = found.solution.moves
    play(page, played(page, found.board, line[:-1]), line[-1])
    won(page, len(line))
    page.click("#menu")
    page.click("#open-daily")
    expect(page.locator("#daily-title")).to_have_text("Daily boards of Wasp")
    while page.locator("#month").inner_text() != "March 2026":
        page.click("#month-back")
    assert [marked.inner_text() for marked in page.locator("#days .won").all()] == ["14"]
    assert page.locator("#days .won").get_attribute("aria-label") == (
        "Saturday, March 14, 2026, won"
    )


def test_the_statistics_show_what_is_kept(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    play(page, played(page, board, line[:-1]), line[-1])
    page.click("#menu")
    page.click("#open-statistics")
    # Of the games that were played, and the one at hand.
    assert page.locator("#figures-games th").all_inner_texts() == ["Scorpion"]
    shown = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in page.locator("#figures tr").all()
    }
    assert re.fullmatch(r"\d+:\d\d", shown.pop("Best time")[0])
    assert shown == {
        "Started": ["1"],
        "Won": ["1"],
        "Streak": ["1"],
        "Longest streak": ["1"],
        "Fewest moves": [str(len(line))],
    }


def test_the_clock_runs_from_the_first_move_and_stays_over_a_reload(
    timed_page: Page, address: str
) -> None:
    page = timed_page
    _, board = opened(page, address, "scorpion", 80)
    page.clock.run_for(5_000)
    expect(page.locator("#clock")).to_have_text("0 moves, 0:00")
    play(page, board, Move.parse("4C>4"))
    page.clock.run_for(65_000)
    expect(page.locator("#clock")).to_have_text("1 move, 1:05")
    page.reload()
    expect(page.locator("#clock")).to_have_text("1 move, 1:05")
    page.click("#undo")
    expect(page.locator("#clock")).to_have_text("0 moves, 1:05")


def test_a_win_after_results_were_removed_has_a_start(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    board = played(page, play(page, board, line[0]), line[1:-1])
    page.click("#menu")
    page.click("#open-settings")
    page.click("#forget-results")
    page.keyboard.press("Escape")
    play(page, board, line[-1])
    results = saved(page, "results.scorpion")
    assert (results["started"], results["won"]) == (1, 1)


def test_removed_games_do_not_come_back(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 80)
    board = play(page, board, Move.parse("4C>4"))
    page.click("#menu")
    page.click("#open-settings")
    page.click("#forget-games")
    page.reload()
    expect(page.locator("#clock")).to_contain_text("0 moves")
    page.wait_for_selector(".card")
    assert page.locator("#deal").inner_text() != "Scorpion, deal 80"


def test_settings_come_back(page: Page, address: str) -> None:
    opened(page, address, "scorpion", 5)
    page.click("#menu")
    page.uncheck("#winnable")
    page.click("#open-settings")
    page.select_option("#theme", "dark")
    page.select_option("#eyes", "fair")
    page.check("#watch")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#outlook")).to_have_text("can be won")
    assert page.input_value("#eyes") == "fair"
    assert not page.is_checked("#winnable")


# Replay.


def test_a_finished_game_is_replayed_after_undo_and_reload(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    played(page, board, line)
    won(page, len(line))
    page.click("#ending-restart")
    table.expect(board)
    page.reload()
    table.expect(board)
    page.click("#menu")
    page.click("#replay")
    page.click("#replay-pause")
    page.keyboard.press("u")  # no keys of play in a replay
    while page.locator("#replay-back").is_enabled():
        page.click("#replay-back")
    for move in line[:3]:
        page.click("#replay-on")
        board = board.play(move)
        table.expect(board)
    expect(page.locator("#replay-text")).to_have_text(f"Move 3 of {len(line)}: {line[2]}")
    page.keyboard.press("n")  # a new game ends it
    expect(page.locator("#replaying")).to_be_hidden()
    expect(page.locator("#clock")).to_contain_text("0 moves")


# What goes wrong.


def test_losing_the_network_loses_nothing(
    page: Page, context: BrowserContext, address: str
) -> None:
    table, board = opened(page, address, "scorpion", 5)
    first, second = scorpion.solve(board).moves[:2]
    table.drag(first)
    board = board.play(first)
    table.expect(board)
    context.set_offline(True)
    table.drag(second)
    expect(page.locator("#message")).to_contain_text("Nothing is lost")
    table.expect(board)
    context.set_offline(False)
    table.drag(second)
    table.expect(board.play(second))


@pytest.mark.parametrize("first_asked", ["play", "hint"])
def test_a_service_with_a_new_key_goes_on_with_an_old_game(
    page: Page, address: str, first_asked: str
) -> None:
    table, board = opened(page, address, "scorpion", 5)
    first, second = scorpion.solve(board).moves[:2]
    table.drag(first)
    board = board.play(first)
    table.expect(board)
    page.evaluate(
        "() => { const key = 'scorpion.game.scorpion'; const game = JSON.parse(localStorage[key]);"
        "for (const table of game.tables) table.token = 'of another service';"
        "addEventListener('pagehide', () => { localStorage[key] = JSON.stringify(game); }); }"
    )
    page.reload()
    table.expect(board)
    if first_asked == "hint":  # which gets new tokens, as the move does otherwise
        page.keyboard.press("h")
        expect(page.locator("#message")).to_contain_text("this still wins")
    table.drag(second)
    table.expect(board.play(second))


class Held:
    """A request that is neither answered nor refused before the test says so."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._routes: list[Route] = []
        page.route(pattern, self._hold, times=1)

    def _hold(self, route: Route) -> None:
        self._routes.append(route)

    def route(self) -> Route:
        """The request, once it has been made."""
        while not self._routes:
            self._page.wait_for_timeout(10)
        return self._routes[0]


def test_moves_wait_for_the_one_under_way(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion-tail", 1)
    held = Held(page, "**/api/play")
    for _ in range(2):  # the second tap takes the card to its other place
        table.card("5D").dispatch_event("click")
    first, second = [move for move in board.legal_moves() if move.card == "5D"]
    page.keyboard.press("d")
    page.keyboard.press("u")
    page.keyboard.press("y")
    held.route().continue_()
    table.expect(board.play(first).play(second).play(DEAL))
    expect(page.locator("#clock")).to_contain_text("3 moves")


def test_what_waits_behind_a_failure_is_dropped(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 80)
    held = Held(page, "**/api/play")
    table.card("4C").dispatch_event("click")
    page.keyboard.press("d")
    held.route().abort()
    expect(page.locator("#message")).to_contain_text("Nothing is lost")
    table.expect(board)
    expect(page.locator("#clock")).to_contain_text("0 moves")
    page.keyboard.press("d")
    table.expect(board.play(DEAL))


def test_a_saved_game_is_shown_and_undone_without_the_service(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 80)
    after = play(page, board, Move.parse("4C>4"))
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    table.expect(after)
    page.keyboard.press("u")
    table.expect(board)
    page.keyboard.press("n")
    expect(page.locator("#message")).to_contain_text("Nothing is lost")
    table.expect(board)
    page.select_option("#game", "wasp")  # nothing saved, nothing dealt: the old game stays
    expect(page.locator("#message")).to_contain_text("Nothing is lost")
    expect(page.locator("#game")).to_have_value("scorpion")
    table.expect(board)


def busy(route: Route) -> None:
    route.fulfill(
        status=503, headers={"Retry-After": "0"}, json={"error": "Busy", "message": "full"}
    )


def test_a_busy_service_is_asked_again(page: Page, address: str) -> None:
    opened(page, address, "scorpion", 5)
    page.route("**/api/hint", busy, times=2)
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("this still wins")
    page.route("**/api/hint", busy)
    page.keyboard.press("h")
    expect(page.locator("#message")).to_have_text("full")


def test_a_move_ends_the_search_for_a_hint(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 80)
    page.route("**/api/hint", lambda _: None)  # never answered
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.keyboard.press("h")
    expect(page.locator("#message")).to_have_text("Looking for a hint.")
    page.keyboard.press("d")
    table.expect(board.play(DEAL))
    expect(page.locator("#message")).to_be_empty()
    assert failed == [f"{address}api/hint"]


@pytest.mark.parametrize("state", ["full", "blocked"])
def test_play_goes_on_where_the_browser_keeps_nothing(page: Page, address: str, state: str) -> None:
    broken = "() => { throw new DOMException('no', 'QuotaExceededError'); }"
    page.add_init_script(
        f"Storage.prototype.setItem = {broken};"
        if state == "full"
        else f"Object.defineProperty(window, 'localStorage', {{ get: {broken} }});"
    )
    table, board = opened(page, address, "scorpion", 80)
    expect(page.locator("#message")).to_contain_text("will not come back")
    board = play(page, board, Move.parse("4C>4"))
    expect(page.locator("#message")).to_be_empty()  # said once
    page.keyboard.press("d")
    table.expect(board.play(DEAL))
    page.click("#menu")
    page.click("#open-settings")
    page.click("#forget-games")
    page.click("#forget-results")
    expect(page.locator("#forgotten")).to_have_text("Results are removed.")


def test_going_away_and_back_keeps_the_board(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 80)
    board = play(page, board, Move.parse("4C>4"))
    page.goto("about:blank")
    page.go_back()
    table.expect(board)
    page.keyboard.press("d")
    table.expect(board.play(DEAL))
