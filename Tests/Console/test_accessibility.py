"""Every place of the console, and dialogs: what axe finds, and sideways scrolling.

Each is seen wide and narrow, light and dark, by a page that changes its view: that is faster than
loading it once for each.
"""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from parts import customer_place, open_menu
from test_trouble import PLACES, it

NARROW = 360
# The narrow ones come last: a page that stays narrow has its screens behind the menu.
VIEWS = [(1280, "light"), (1280, "dark"), (NARROW, "light"), (NARROW, "dark")]
RULES = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# Without what axe passed: that is far more, and takes longer than finding it.
FIND = """async options => (await axe.run(options)).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => [id, html.slice(0, 200)]))"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def check(page):
    """Finds nothing wrong with the page in any view."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for width, theme in VIEWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        page.evaluate(DRAWN)
        view = (page.url, width, theme)
        assert page.evaluate(FIND, RULES) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


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
