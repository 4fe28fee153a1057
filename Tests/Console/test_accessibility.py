"""Every place of the console, and dialogs: what axe finds, sideways scrolling, and broken words.

Each is seen wide and narrow, light and dark, by a page that changes its view: that is faster than
loading it once for each.
"""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from parts import customer_place, open_menu
from test_trouble import PLACES, it, verify
from worlds import World

NARROW = 360
# The narrow ones come last: a page that stays narrow has its screens behind the menu.
VIEWS = [(1280, "light"), (1280, "dark"), (NARROW, "light"), (NARROW, "dark")]
RULES = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# Without what axe passed: that is far more, and takes longer than finding it.
FIND = """async options => (await axe.run(options)).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => [id, html.slice(0, 200)]))"""
# What has the focus, and whether that shows: by an outline, or by another stroke of a drawing.
FOCUS = """() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const strokes = () => [...element.querySelectorAll(".body, circle")].map((part) => {
        const { stroke, strokeWidth } = getComputedStyle(part);
        return `${stroke} ${strokeWidth}`;
    }).join();
    const isOutlined = () => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 &&
        !/transparent|, 0\\)/.test(outlineColor);
    const isDrawnAnew = () => {
        const focused = strokes();
        element.blur();
        const left = strokes();
        element.focus();
        return focused !== left;
    };
    return { isPage: element === document.body, html: element.outerHTML.slice(0, 200),
        isShown: element instanceof SVGElement ? isDrawnAnew() : isOutlined() };
}"""
# The longest transition and animation of all elements, in seconds.
MOTION = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(element);
    return [transitionDuration, animationDuration].join().split(",").map(parseFloat);
}))"""
# The widths at which a table is the least wide that it can be with its columns.
TIGHT = [1100, 1001, 761, NARROW]
# The parts of names and addresses in tables that go on in another line.
BROKEN = """() => [...document.querySelectorAll("main td")].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const text = texts.currentNode;
        for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
                .map(({ top }) => Math.round(top));
            if (new Set(lines).size > 1) found.push(`${word} of ${cell.textContent}`);
        }
    }
    return found;
})"""
# Tables that scroll sideways in their boxes: how wide they are, and how wide they show.
SCROLLED = """[...document.querySelectorAll(".table")]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(DRAWN)


def check(page):
    """Finds nothing wrong with the page in any view."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for width in TIGHT:
        resize(page, width)
        assert page.evaluate(BROKEN) == [], (page.url, width)
    for width, theme in VIEWS:
        page.emulate_media(color_scheme=theme)
        resize(page, width)
        view = (page.url, width, theme)
        assert page.evaluate(FIND, RULES) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        assert page.evaluate(SCROLLED) == [], view


@pytest.mark.parametrize("place", PLACES)
def test_every_place(screen, it, place):
    screen.go(place.format(**it))
    expect(screen.page.locator(PLACES[place]).first).to_be_visible()
    check(screen.page)


def test_the_menu_and_a_dialog(pages, store):
    page = pages.open(store, customer_place("ann@example.com"), width=NARROW)
    open_menu(page)
    check(page)
    page.get_by_role("button", name="Buy…").click()
    expect(page.get_by_role("dialog").get_by_label("Product")).not_to_have_value("")
    check(page)


def test_a_notice(pages, store):
    page = pages.open(store)
    page.evaluate("import('./notices.js').then(({ notify }) => notify('The list starts over.'))")
    expect(page.get_by_role("region", name="Notices")).to_contain_text("The list starts over.")
    check(page)


def test_the_keys_and_the_sign_in(pages, store):
    page = pages.open(store)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    open_menu(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    check(page)


def test_the_clock(pages, store):
    page = pages.open(store)
    page.get_by_role("button", name="Clock: ").click()
    panel = page.get_by_role("dialog", name="Clock")
    panel.get_by_role("button", name="1 day").click()
    expect(panel.locator(".forecast")).not_to_have_text(re.compile("^(Loading…)?$"))
    check(page)


def test_the_choice_of_a_world(pages, store):
    page = pages.open(store)
    page.get_by_role("button", name="World default").click()
    expect(page.get_by_role("dialog", name="Worlds").get_by_role("link").first).to_be_visible()
    check(page)


def test_why_a_request_was_refused(pages, store):
    verify(World(store), 1)
    page = pages.open(store)
    page.get_by_role("table", name="Requests").get_by_role("link").filter(
        has_text="verifyReceipt").first.click()
    page.get_by_role("button", name="Why was it refused?").click()
    expect(page.get_by_role("dialog", name="Why 21002?")).to_be_visible()
    check(page)


@pytest.mark.parametrize("place", [
    "now/requests/{request}", "subscriptions/{original}", "customers/{environment}/{account}",
    "receipts"])
def test_what_has_the_focus_shows_it(screen, it, place):
    page = screen.page
    page.set_viewport_size({"width": 1280, "height": 800})
    screen.go(place.format(**it))
    expect(page.locator(PLACES[place]).first).to_be_visible()
    page.get_by_role("button", name="Skip to the content").focus()
    stops = []
    while not (stop := page.evaluate(FOCUS))["isPage"]:
        stops.append(stop)
        assert len(stops) < 400, stop["html"]
        page.keyboard.press("Tab")
    assert len(stops) > 20
    # A time's field has several stops; the browser shows the last of them, its calendar, itself.
    shown = {stop["html"] for stop in stops if stop["isShown"]}
    assert {stop["html"] for stop in stops} - shown == set()


def test_nothing_moves_for_those_who_want_less_motion(screen, it):
    page = screen.page
    screen.go("settings/secrets")
    expect(page.locator(PLACES["settings/secrets"]).first).to_be_visible()
    assert page.evaluate(MOTION) == 0
    page.emulate_media(reduced_motion="no-preference")
    moves = page.evaluate(MOTION)
    page.emulate_media(reduced_motion="reduce")
    assert moves > 0
