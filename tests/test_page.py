"""The page in a real browser: played by mouse, keys and touch, and looked after."""

from datetime import date
from itertools import pairwise

import pytest
from page import (
    PHONE,
    Table,
    line_by_taps,
    new_page,
    opened,
    played,
    saved,
    won,
)
from playwright.sync_api import Browser, Page, expect

import scorpion
from scorpion import DEAL, Move

# Whole games; but for the last moves they are played without hands, unless there is time.

LAST = pytest.mark.parametrize("by_hand", [14, pytest.param(60, marks=pytest.mark.slow)])


@LAST
def test_a_deal_by_mouse_is_won_and_counted_once(page: Page, address: str, by_hand: int) -> None:
    table, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    board = played(page, board, line[:-by_hand])
    for move in line[-by_hand:]:
        if move == DEAL:
            page.click("#stock")
        else:
            table.drag(move)
        board = board.play(move)
        table.expect(board)
    won(page, len(line))
    results = saved(page, "results.scorpion")
    assert (results["started"], results["won"], results["streak"]) == (1, 1, 1)
    assert results["fewest"] == len(line)

    # Undone and won again it is still one win.
    page.click("#ending-undo")
    page.keyboard.press("y")
    won(page, len(line))
    page.reload()
    won(page, len(line))
    assert saved(page, "results.scorpion") == results


@LAST
def test_a_deal_by_keyboard(page: Page, address: str, by_hand: int) -> None:
    number, line = line_by_taps("scorpion")
    table, board = opened(page, address, "scorpion", number)
    board = played(page, board, line[:-by_hand])
    page.locator('.card[tabindex="0"]').focus()
    for move in line[-by_hand:]:
        if move == DEAL:
            page.keyboard.press("d")
        else:
            table.walk_to(move.card)
            page.keyboard.press("Enter")
        board = board.play(move)
        table.expect(board)
    won(page, len(line))


@LAST
def test_a_deal_by_touch_at_phone_size(browser: Browser, address: str, by_hand: int) -> None:
    number, line = line_by_taps("wasp")
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = new_page(context)
    table, board = opened(page, address, "wasp", number)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    board = played(page, board, line[:-by_hand])
    for move in line[-by_hand:]:
        if move == DEAL:
            page.tap("#stock")
        else:
            table.tap(move.card)
        board = board.play(move)
        table.expect(board)
    won(page, len(line))
    context.close()


# Single moves.


def test_a_second_tap_takes_a_card_to_its_other_place(page: Page, address: str) -> None:
    # In deal 1 of Scorpion Tail both black sixes lie open, and the 5D face up.
    table, board = opened(page, address, "scorpion-tail", 1)
    first, second = [move for move in board.legal_moves() if move.card == "5D"]
    for move in (first, second, first):
        table.card("5D").click(position={"x": 8, "y": 6})
        board = board.play(move)
        table.expect(board)


def test_targets_light_up_while_a_card_is_dragged(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion-tail", 1)
    box = table.card("5D").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 8, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    targets = [move.column for move in board.legal_moves() if move.card == "5D"]
    expect(page.locator(".target")).to_have_count(len(targets))
    lit = page.evaluate(
        "[...document.querySelectorAll('.column')].flatMap("
        "(column, at) => column.classList.contains('target') ? [at + 1] : [])"
    )
    assert lit == targets
    page.mouse.move(box["x"] + 8, 5)  # let go where nothing lies
    page.mouse.up()
    table.expect(board)
    expect(page.locator(".target")).to_have_count(0)


def test_undo_and_redo_across_the_deal_hide_what_was_hidden(page: Page, address: str) -> None:
    # In the line for deal 33 the stock is dealt early.
    table, board = opened(page, address, "scorpion", 33)
    line = scorpion.solve(board).moves
    deal = line.index(DEAL)
    boards = [board]
    for move in line[: deal + 3]:
        boards.append(boards[-1].play(move))
    played(page, board, line[: deal - 3])
    for move, after in zip(line[deal - 3 : deal + 3], boards[deal - 2 :], strict=True):
        page.click("#stock") if move == DEAL else table.drag(move)
        table.expect(after)
    assert any(before.face_down != after.face_down for before, after in pairwise(boards))
    for earlier in reversed(boards[:-1]):
        page.keyboard.press("Control+z")
        table.expect(earlier)
    expect(page.locator("#undo")).to_be_disabled()
    for later in boards[1:]:
        page.keyboard.press("Control+Shift+Z")
        table.expect(later)
    expect(page.locator("#redo")).to_be_disabled()


def test_stuck_is_said_and_offers_a_way_back(page: Page, address: str) -> None:
    # These moves leave deal 80 without any other.
    table, board = opened(page, address, "scorpion", 80)
    for text in ["4C>4", "deal", "6H>4", "3D>5"]:
        move = Move.parse(text)
        page.keyboard.press(" ") if move == DEAL else table.drag(move)
        board = board.play(move)
        table.expect(board)
    assert board.is_stuck
    expect(page.locator("#ending-text")).to_have_text("No move is left.")
    page.click("#ending-restart")
    table.expect(scorpion.deal("scorpion", 80))
    expect(page.locator("#ending")).to_be_hidden()


def test_lost_is_told_apart_from_stuck(page: Page, address: str) -> None:
    opened(page, address, "scorpion", 1)  # lost, with moves left
    page.click("#menu")
    page.click("#open-settings")
    page.check("#watch")
    page.keyboard.press("Escape")
    expect(page.locator("#outlook")).to_have_text("cannot be won any more")
    expect(page.locator("#ending-text")).to_contain_text("though moves are left")
    for way in ("undo", "restart", "new"):
        expect(page.locator(f"#ending-{way}")).to_be_visible()


# Hints.


def test_a_hint_shows_a_move_that_wins(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("this still wins")
    card = page.locator(".hinted").get_attribute("data-card")
    column = page.evaluate(
        "[...document.querySelectorAll('.column')].findIndex("
        "column => column.classList.contains('target'))"
    )
    after = board.play(Move(str(card), column + 1))
    assert scorpion.solve(after).verdict is scorpion.Verdict.WINNABLE


def test_a_hint_on_a_lost_board_draws_the_lock(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 1)
    lock = scorpion.explain(board)
    assert isinstance(lock, scorpion.Lock)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text(str(lock))
    drawn = page.locator(".locked")
    on_table = [card for card in lock.cards if card not in board.stock]
    expect(drawn).to_have_count(len(on_table))
    assert page.locator("#reasons path").count() > 0
    for way in ("undo", "restart", "new"):
        expect(page.locator(f"#ending-{way}")).to_be_visible()


def test_a_fair_hint_shows_its_share(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    page.click("#menu")
    page.click("#open-settings")
    page.select_option("#eyes", "fair")
    page.keyboard.press("Escape")
    page.click("#hint")
    hint = scorpion.fair_hint(board)
    share = f"{int(100 * hint.share + 0.5)}% of {hint.samples} samples"
    expect(page.locator("#message")).to_contain_text(share)


# Boards.


def test_the_daily_board_is_that_of_the_library(timed_page: Page, address: str) -> None:
    page, day = timed_page, date(2026, 3, 14)
    page.goto(address)
    Table(page).wait()
    page.click("#menu")
    page.click("#open-daily")
    page.click("#days .today")
    found = scorpion.daily("scorpion", day)
    expect(page.locator("#deal")).to_contain_text(day.isoformat())
    Table(page).expect(found.board)


def test_a_deal_by_number_and_its_link(page: Page, address: str) -> None:
    page.goto(address)
    Table(page).wait()
    page.click("#menu")
    page.fill("#number", "4711")
    page.click("#deal-form button")
    Table(page).expect(scorpion.deal("scorpion", 4711))
    page.click("#menu")
    page.click("#share")
    link = page.input_value("#link")
    assert link == f"{address}?game=scorpion&deal=4711&dealer=pysolfc"
    page.goto(link)
    Table(page).expect(scorpion.deal("scorpion", 4711))


def test_new_boards_can_be_won_unless_that_is_switched_off(page: Page, address: str) -> None:
    page.goto(address)
    Table(page).wait()
    dealt = "JSON.parse(localStorage['scorpion.game.scorpion']).tables[0].deal"
    for winnable in (True, False):
        page.click("#menu")
        page.set_checked("#winnable", winnable)
        page.keyboard.press("Escape")
        verdicts = set()
        for _ in range(10):
            before = page.evaluate(dealt)
            page.keyboard.press("n")
            page.wait_for_function(f"before => {dealt} !== before", arg=before)
            board = scorpion.deal("scorpion", int(page.evaluate(dealt)))
            Table(page).expect(board)
            verdicts.add(scorpion.solve(board).verdict)
        # Seven of eight random deals are lost: ten won ones are one chance in 10^9.
        assert verdicts == {scorpion.Verdict.WINNABLE} if winnable else "lost" in verdicts


def test_a_finished_game_is_replayed(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    board = played(page, board, line[:-1])
    table.drag(line[-1])
    won(page, len(line))
    page.click("#ending-replay")
    page.click("#replay-pause")
    for _ in range(2):
        page.click("#replay-on")
    page.click("#replay-back")
    page.click("#replay-end")
    won(page, len(line))


# Safety.


def test_nothing_that_is_sent_comes_back_as_markup(page: Page, address: str) -> None:
    bait = "<img src=x onerror=document.title='caught'>"
    page.goto(f"{address}?game={bait}&deal={bait}&dealer={bait}")
    Table(page).wait()
    expect(page.locator("#message")).not_to_be_empty()
    assert page.title() == "Scorpion"
    assert page.locator("img").count() == 0
