"""The page for every hand, eye and ear: focus, names, touch, sizes, and what moves."""

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from page import DESKTOP, PHONE, new_page, opened, played, unbroken_page
from playwright.sync_api import Browser, Page, ViewportSize, expect

import scorpion
from scorpion import DEAL, Move

LANDSCAPE = ViewportSize(width=740, height=360)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    with unbroken_page(context) as started:
        yield started
    context.close()


def focused(page: Page) -> str:
    """The name of what has the focus."""
    name: str = page.evaluate(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.id"
    )
    return name


# By keyboard.


def test_all_cards_and_buttons_are_reached_by_keyboard(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"game", "new", "hint", "menu", "stock"} <= reached
    assert reached & {"card", "card up"}
    page.locator('.card[tabindex="0"]').focus()
    for column, cards in enumerate(board.columns):
        table.walk_to(cards[-1])
        assert focused(page).endswith(f"face up, column {column + 1}, 0 cards on it")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    page.keyboard.press("n")  # in a dialog, keys of play do nothing
    page.keyboard.press("Escape")
    table.expect(board)
    assert focused(page).endswith("column 7, 0 cards on it")


def test_the_focus_follows_the_moved_card(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    page.locator('.card[tabindex="0"]').focus()
    table.walk_to("5H")
    assert focused(page) == "5 of hearts, face up, column 1, 3 cards on it"
    page.keyboard.press("Enter")
    after = board.play(Move("5H", 3))
    table.expect(after)
    assert focused(page) == "5 of hearts, face up, column 3, 3 cards on it"
    expect(page.locator("#news")).to_have_text(f"{turned_up(page)} shows.")
    page.keyboard.press("u")
    table.expect(board)
    assert focused(page) == "5 of hearts, face up, column 1, 3 cards on it"
    page.keyboard.press(" ")  # on a card, Space deals
    table.expect(board.play(DEAL))
    assert focused(page) == "5 of hearts, face up, column 1, 4 cards on it"


def turned_up(page: Page) -> str:
    """The name of the card that now ends column 1."""
    label = page.locator(".column").first.locator(".card").last.get_attribute("aria-label")
    return str(label).partition(",")[0]


def test_a_key_that_is_held_moves_once(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion-tail", 1)
    first, second = [move for move in board.legal_moves() if move.card == "5D"]
    page.locator('.card[tabindex="0"]').focus()
    table.walk_to("5D")
    for _ in range(4):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    table.expect(board.play(first))
    for _ in range(4):
        page.keyboard.down("d")
    page.keyboard.up("d")
    table.expect(board.play(first).play(DEAL))
    page.keyboard.press("Enter")  # a second press is a second move
    table.expect(board.play(first).play(DEAL).play(second))


def test_keys_work_after_the_pressed_button_is_switched_off(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 80)
    page.keyboard.press("d")
    table.expect(board.play(DEAL))
    page.click("#undo")
    expect(page.locator("#undo")).to_be_disabled()
    page.keyboard.press("y")
    table.expect(board.play(DEAL))


def test_the_focus_comes_back_from_the_ending_to_the_table(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    line = scorpion.solve(board).moves
    played(page, board, line)
    page.focus("#ending-replay")
    page.keyboard.press("Enter")
    assert focused(page) == "replay-pause"
    page.focus("#replay-end")
    page.keyboard.press("Enter")
    assert focused(page) == "ending-replay"
    page.focus("#ending-restart")
    page.keyboard.press("Enter")
    table.expect(board)
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.locator('.card[tabindex="0"]').focus()
    assert "column" in focused(page)


# For those who listen.


def test_columns_and_cards_have_names(page: Page, address: str) -> None:
    _, board = opened(page, address, "scorpion", 5)
    board = played(page, board, scorpion.solve(board).moves[:50])
    tableau = page.get_by_role("group", name="Tableau")
    lists = tableau.get_by_role("list")
    assert [each.get_attribute("aria-label") for each in lists.all()] == [
        f"Column {at}, " + ("empty" if not cards else f"{len(cards)} card" + "s" * (len(cards) > 1))
        for at, cards in enumerate(board.columns, 1)
    ]
    assert tableau.get_by_role("listitem").count() == sum(map(len, board.columns))
    hidden = page.get_by_role("button", name="hidden card, column 1")
    assert hidden.count() == board.face_down[0]
    runs = page.get_by_role("list", name="Foundations").get_by_role("listitem")
    assert runs.all_inner_texts().count("no run yet") == 4 - len(board.foundations)


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.slow),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.slow),
    ],
)
def test_nothing_serious_stands_in_anyones_way(
    browser: Browser, address: str, scheme: Literal["light", "dark"], size: ViewportSize
) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)
    page = new_page(context)
    opened(page, address, "scorpion", 1)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("lost")
    for dialog in (None, "menu", "open-daily", "open-statistics", "open-settings", "open-keys"):
        if dialog == "menu":
            page.click("#menu")
        elif dialog is not None:
            page.evaluate(f"document.getElementById('{dialog}').click()")
        found = Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in {"serious", "critical"}]
        assert serious == [], dialog
    context.close()


# By touch.


def touch(page: Page, *points: tuple[float, float], end: str = "touchEnd") -> None:
    """Put a finger down at the first point, lead it to the others, and lift it."""
    hands = page.context.new_cdp_session(page)
    for kind, point in zip(["touchStart", *["touchMove"] * len(points)], points, strict=False):
        finger = {"x": point[0], "y": point[1]}
        hands.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    hands.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
    hands.detach()


def test_a_finger_drags_and_what_interrupts_it_loses_nothing(phone: Page, address: str) -> None:
    table, board = opened(phone, address, "scorpion", 5)
    start = table.card("5H").bounding_box()
    goal = phone.locator(".column").nth(2).bounding_box()
    assert start is not None
    assert goal is not None
    grip = (start["x"] + 10, start["y"] + 6)
    path = [grip, (grip[0] + 20, grip[1] + 30), (goal["x"] + 10, goal["y"] + goal["height"] - 20)]
    touch(phone, *path, end="touchCancel")
    expect(phone.locator(".carried, .target")).to_have_count(0)
    table.expect(board)
    touch(phone, *path[:2])  # let go at home
    expect(phone.locator(".carried, .target")).to_have_count(0)
    table.expect(board)
    touch(phone, *path)
    table.expect(board.play(Move("5H", 3)))


def test_only_the_main_button_moves_cards(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    table.card("5H").click(button="right", position={"x": 8, "y": 6})
    table.card("5H").click(button="middle", position={"x": 8, "y": 6})
    page.keyboard.press("d")
    table.expect(board.play(DEAL))


def test_a_tap_that_leads_nowhere_says_so(page: Page, address: str) -> None:
    table, board = opened(page, address, "scorpion", 5)
    assert not [move for move in board.legal_moves() if move.card == "QC"]
    table.card("QC").click(position={"x": 8, "y": 6})
    expect(page.locator("#message")).to_have_text("The Queen of clubs fits nowhere else now.")


# Sizes.


@pytest.mark.parametrize("size", [DESKTOP, PHONE, LANDSCAPE], ids=["desktop", "phone", "low"])
def test_covered_cards_can_be_read(page: Page, address: str, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    _, board = opened(page, address, "wasp", 5)
    board = played(page, board, scorpion.solve(board).moves[:3])
    assert max(map(len, board.columns)) > 20
    shown = page.evaluate(
        """[...document.querySelectorAll('.card.up')].map(card => {
            const next = card.parentElement.nextElementSibling?.firstElementChild;
            const rank = card.querySelector('.rank').getBoundingClientRect();
            const top = card.getBoundingClientRect().top;
            return [rank.height, next ? next.getBoundingClientRect().top - top : null];
        })"""
    )
    # The figures of a rank take less than six tenths of its line, which begins at the head.
    assert min(height for height, _ in shown) >= 12
    assert all(0.6 * height < seen for height, seen in shown if seen is not None)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_long_columns_fit_above_what_is_said(page: Page, address: str, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    _, board = opened(page, address, "wasp", 5)
    played(page, board, scorpion.solve(board).moves[:3])
    feet = page.evaluate(
        "[...document.querySelectorAll('.card')].map(card => card.getBoundingClientRect().bottom)"
    )
    said = page.locator(".foot").bounding_box()
    assert said is not None
    assert max(feet) <= said["y"]


def test_a_low_window_scrolls_and_still_shows_what_is_said(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=LANDSCAPE, has_touch=True, is_mobile=True)
    with unbroken_page(context) as page:
        _, board = opened(page, address, "wasp", 5)
        played(page, board, scorpion.solve(board).moves[:3])
        page.tap("#hint")
        expect(page.locator("#message")).to_contain_text("this still wins")
        expect(page.locator("#message")).to_be_in_viewport()
        empty = page.locator(".column").nth(5).bounding_box()
        assert empty is not None
        x, y = empty["x"] + 10, empty["y"] + 40
        touch(page, (x, y), (x, y - 40), (x, y - 80), (x, y - 120))
        page.wait_for_function("() => scrollY > 0")
        last = page.locator(".column").nth(4).locator(".card").last
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport()
    context.close()


@pytest.mark.parametrize("zoom", [100, 200])
def test_nothing_is_wider_than_the_window(page: Page, address: str, zoom: int) -> None:
    opened(page, address, "scorpion", 5)
    page.evaluate("zoom => { document.documentElement.style.fontSize = `${zoom}%`; }", zoom)
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("this still wins")
    for width in (320, 360, 520, 820, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("width => innerWidth === width", arg=width)
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for button in ("menu", "open-daily", "open-statistics", "open-settings", "share"):
            page.evaluate("id => document.getElementById(id).click()", button)
            wide = "dialog => dialog.scrollWidth - dialog.clientWidth"
            assert page.locator("dialog[open]").evaluate(wide) <= 0, (width, button)
        page.keyboard.press("Escape")


def test_a_turned_phone_shows_the_same_board(phone: Page, address: str) -> None:
    table, board = opened(phone, address, "scorpion", 1)
    phone.tap("#hint")
    expect(phone.locator("#message")).to_contain_text("lost")
    arrows = phone.locator("#reasons g").count()
    narrow = phone.locator(".card").first.bounding_box()
    phone.set_viewport_size(LANDSCAPE)
    phone.wait_for_function(
        "before => document.querySelector('.card').getBoundingClientRect().width > before",
        arg=narrow["width"] if narrow else 0,
    )
    table.expect(board)
    assert phone.locator("#reasons g").count() == arrows > 0  # the lock is still drawn


# Motion.


def test_less_motion_is_none(browser: Browser, address: str) -> None:
    motions: dict[Literal["reduce", "no-preference"], bool]
    motions = {"reduce": False, "no-preference": True}
    for motion, moves in motions.items():
        context = browser.new_context(viewport=DESKTOP, reduced_motion=motion)
        page = new_page(context)
        page.add_init_script(
            "window.glides = 0; const glide = Element.prototype.animate;"
            "Element.prototype.animate = function (...how) { window.glides += 1;"
            "return glide.apply(this, how); };"
        )
        table, board = opened(page, address, "scorpion", 5)
        move = scorpion.solve(board).moves[0]
        table.card(move.card).click(position={"x": 8, "y": 6})
        table.expect(board.play(move))
        assert (page.evaluate("window.glides") > 0) is moves
        context.close()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_finished_run_flies_to_its_foundation(
    browser: Browser, address: str, motion: Literal["reduce", "no-preference"]
) -> None:
    context = browser.new_context(viewport=DESKTOP, reduced_motion=motion)
    with unbroken_page(context) as page:
        page.add_init_script(
            "window.hops = 0; addEventListener('animationstart',"
            "event => { window.hops += event.animationName === 'hop'; });"
            "window.flown = 0; new MutationObserver(changes => {"
            "for (const node of changes.flatMap(change => [...change.addedNodes]))"
            "if (node.className === 'ghost') window.flown += 1; })"
            ".observe(document, { childList: true, subtree: true });"
        )
        table, board = opened(page, address, "scorpion", 5)
        line = scorpion.solve(board).moves
        board = played(page, board, line[:-1])
        table.drag(line[-1])
        table.expect(board.play(line[-1]))
        left = len(board.foundations) - len(board.play(line[-1]).foundations)
        wanted = -13 * left if motion == "no-preference" else 0
        page.wait_for_function("wanted => window.flown === wanted", arg=wanted)
        expect(page.locator(".ghost")).to_have_count(0)
        if motion == "no-preference":
            page.wait_for_function("() => window.hops > 0")
        else:
            assert page.evaluate("window.hops") == 0
    context.close()


def test_forced_colors_leave_cards_as_they_are(browser: Browser, address: str) -> None:
    faces = []
    for forced in ("none", "active"):
        context = browser.new_context(viewport=DESKTOP, forced_colors=forced)
        with unbroken_page(context) as page:
            opened(page, address, "scorpion", 5)
            faces.append(
                page.evaluate(
                    "['.up .edge', '.red .rank', '.black .rank', '.back'].map(part =>"
                    "getComputedStyle(document.querySelector(part)).fill)"
                )
            )
        context.close()
    assert faces[0] == faces[1]
    assert len(set(faces[0])) == 4
