"""A session that only reads: every place can be looked at, and nothing of it changes the store."""

from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from actions import Screen
from conftest import Watched
from test_receipts import inspected, receipt
from test_trouble import PLACES, it

READS = {"GET", "HEAD"}
# Signing out ends the session; no other button does more than show something.
PRESS = """buttons => buttons.filter(button => button.textContent !== "Sign out")
    .forEach(button => button.click())"""


@pytest.fixture(scope="module")
def shared_screen(browser, world):
    shown = Screen(Watched(browser), world, read_only=True)
    yield shown
    shown.close()


@pytest.fixture
def sent(screen):
    """The method and path of each request of the page that may change something."""
    found = []

    def asked(request):
        if request.method not in READS:
            found.append((request.method, urlparse(request.url).path))

    screen.page.on("request", asked)
    yield found
    screen.page.remove_listener("request", asked)


def press_everything(screen, place, ready):
    """Presses each button of a place that can be pressed."""
    page = screen.page
    screen.go(place)
    expect(page.locator(ready).first).to_be_visible()
    expect(page.locator("main button[data-changes]:enabled")).to_have_count(0)
    page.locator("main button:enabled").evaluate_all(PRESS)
    for _ in range(50):
        if page.get_by_role("dialog").count() == 0:
            break
        page.get_by_role("dialog").last.locator("form button:enabled").evaluate_all(PRESS)
        page.keyboard.press("Escape")
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


@pytest.mark.parametrize("place", PLACES)
def test_no_button_changes_the_store(screen, it, sent, place):
    press_everything(screen, place.format(**it), PLACES[place])
    assert sent == []


def test_each_action_is_shown_that_others_may_use(screen, it, pages):
    """A session that reads and changes has the same buttons, which can be pressed."""
    place = f"customers/sandbox/{it['account']}"
    screen.go(place)
    page = pages.open(screen.world.store, screen.world.place(place))
    expect(page.get_by_role("button", name="Buy…")).to_be_enabled()
    expect(page.locator("main button[data-changes]:enabled")).to_have_count(
        len(screen.titles()))
    expect(screen.button("Buy")).to_be_disabled()
    expect(screen.button("Buy")).to_have_attribute("title", "This session only reads")


def test_the_clock_stays_where_it_is(screen, sent):
    screen.page.get_by_role("button", name="Clock: ").click()
    clock = screen.page.get_by_role("dialog", name="Clock")
    clock.get_by_role("button", name="1 day").click()
    expect(clock.get_by_label("Until")).not_to_have_value("")
    for name in ["Run…", "Set…", "Pace…", "Advance"]:
        expect(clock.get_by_role("button", name=name, exact=True)).to_be_disabled()
    clock.get_by_label("Until").press("Enter")
    screen.page.keyboard.press("Escape")
    assert sent == []


def test_a_receipt_is_inspected(screen, receipt, sent):
    result = inspected(screen, receipt["text"])
    expect(result.get_by_text("Authentic", exact=True)).to_be_visible()
    expect(result.get_by_role("table", name="Purchases")).to_contain_text(
        f"{receipt['app']}.archive")
    assert [path.rsplit("/", 2)[1:] for _, path in sent] == [["receipts", "explain"]]
