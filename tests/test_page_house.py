"""House rules on the page: the form, the game that it begins, links, and what is kept of it."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from page import Table, saved
from playwright.sync_api import Page, expect

import scorpion
from scorpion import GAMES, Rules

RULES = Rules("alternating", "any", (0, 1, 2, 3, 0, 0, 6), "stay", "when-stuck")
QUERY = "game=scorpion&build=alternating&fill=any&face_down=0123006&runs=stay&stock=when-stuck"


def test_the_form_begins_a_game_by_house_rules(page: Page, address: str) -> None:
    page.goto(address)
    Table(page).wait()
    page.click("#menu")
    page.uncheck("#winnable")
    page.click("#open-house")
    form = page.locator("#house-form")
    # It shows the rules of the game at hand.
    assert form.locator("[name=face_down]").input_value() == "3333000"
    assert form.locator("[name=fill]").input_value() == "king"
    form.locator("[name=build]").select_option("alternating")
    form.locator("[name=fill]").select_option("any")
    form.locator("[name=face_down]").fill("0123006")
    form.locator("[name=runs]").select_option("stay")
    form.locator("[name=stock]").select_option("when-stuck")
    form.locator("[type=submit]").click()
    expect(page.locator("#deal")).to_contain_text("House rules, deal ")
    number = int(page.locator("#deal").inner_text().split()[-1])
    board = scorpion.deal(RULES, number)
    Table(page).expect(board)
    # The link names the rules, each in a word.
    page.click("#menu")
    page.click("#share")
    link = page.input_value("#link")
    assert {name: words[0] for name, words in parse_qs(urlsplit(link).query).items()} == {
        **{name: words[0] for name, words in parse_qs(QUERY).items()},
        "deal": str(number),
        "dealer": "pysolfc",
    }
    page.keyboard.press("Escape")
    # It is one of the games to choose from, and goes on where it was left.
    page.select_option("#game", "wasp")
    expect(page.locator("#deal")).to_contain_text("Wasp, deal ")
    page.select_option("#game", label="House rules")
    Table(page).expect(board)
    page.reload()
    Table(page).expect(board)
    # New deals by the same rules.
    page.keyboard.press("n")
    expect(page.locator("#deal")).not_to_have_text(f"House rules, deal {number}")
    number = int(page.locator("#deal").inner_text().split()[-1])
    Table(page).expect(scorpion.deal(RULES, number))


def test_a_link_carries_house_rules(page: Page, address: str) -> None:
    page.goto(f"{address}?{QUERY}&deal=4711&dealer=pysolfc")
    board = scorpion.deal(RULES, 4711)
    Table(page).expect(board)
    expect(page.locator("#deal")).to_have_text("House rules, deal 4711")
    # What is no rule is said, and nothing is lost.
    page.goto(f"{address}?game=wasp&face_down=999&deal=4711&dealer=pysolfc")
    expect(page.locator("#message")).to_contain_text("face_down")
    page.select_option("#game", label="House rules")
    Table(page).expect(board)


def test_one_rule_that_differs(page: Page, address: str) -> None:
    """The daily board is that of these rules, and its results are kept apart."""
    page.goto(f"{address}?game=wasp&runs=stay&date=2026-03-14")
    rules = replace(GAMES["wasp"], runs="stay")
    board = scorpion.daily(rules, "2026-03-14").board
    Table(page).expect(board)
    expect(page.locator("#deal")).to_have_text("House rules, board of 2026-03-14")
    Table(page).drag(board.legal_moves()[0])
    Table(page).expect(board.play(board.legal_moves()[0]))
    assert saved(page, f"results.{rules.name}")["started"] == 1
    assert page.evaluate("localStorage.getItem('scorpion.results.wasp')") is None


def test_presets_are_games_of_their_own(page: Page, address: str) -> None:
    for game, name in (("scorpion-ii", "Scorpion II"), ("pysol-wasp", "PySol Wasp")):
        page.goto(f"{address}?game={game}&deal=7&dealer=pysolfc")
        Table(page).expect(scorpion.deal(game, 7))
        expect(page.locator("#deal")).to_have_text(f"{name}, deal 7")
    # Rules that are those of a preset are the preset.
    page.goto(f"{address}?game=scorpion&face_down=3330000&deal=7&dealer=pysolfc")
    expect(page.locator("#deal")).to_have_text("Scorpion II, deal 7")
