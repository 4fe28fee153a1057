"""Everything by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from hands import Keyboard
from parts import customer_place
from test_now import verify
from test_receipts import receipt

DAY = 86_400_000


@pytest.fixture
def life(screen):
    """The drawing of a subscription with several periods, and its items in the order of time."""
    world = screen.world
    world.run("clock", "pace", "calendar")
    original, _ = world.bought(world.app(), "monthly")
    world.run("clock", "advance", "70d")
    screen.go(f"subscriptions/{original}")
    drawing = screen.page.get_by_role("group", name="Time line of the subscription")
    expect(drawing).to_be_visible()
    return drawing, drawing.locator(".item")


def test_every_screen_has_a_key(page):
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="Keys")
    expect(help_dialog).to_be_visible()
    keys = help_dialog.locator("dt", has_text="g then").all_inner_texts()
    titles = help_dialog.locator("dd", has_text="Go to ").all_inner_texts()
    page.keyboard.press("Escape")
    expect(help_dialog).to_be_hidden()
    screens = page.get_by_role("navigation", name="Screens").get_by_role("link")
    assert sorted(title.removeprefix("Go to ") for title in titles) == \
        sorted(screens.all_inner_texts())
    assert len(set(keys)) == len(keys)
    # On a busy machine the second key may come after the time that it has.
    page.evaluate("performance.now = () => 0")
    for key, title in zip(keys, titles):
        page.keyboard.press("g")
        page.keyboard.press(key.removeprefix("g then ").strip())
        expect(screens.and_(page.locator("[aria-current=page]"))).to_have_text(
            title.removeprefix("Go to "))


def test_a_list_is_searched_walked_and_opened(pages, store):
    page = pages.open(store, "/default/customers")
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("n@example.com")
    expect(page.get_by_role("link", name="cleo@example.com")).to_be_hidden()
    expect(page.get_by_role("link", name="ben@example.com")).to_be_visible()
    page.keyboard.press("Enter")
    links = page.get_by_role("table", name="Customers").get_by_role("link")
    page.keyboard.press("j")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(links.nth(0)).to_be_focused()
    name = links.nth(0).inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_a_dialog_gives_the_focus_back(pages, store):
    page = pages.open(store, customer_place("ann@example.com"))
    button = page.get_by_role("button", name="Buy…")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Buy").get_by_label("App", exact=True)).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_the_content_is_reached_past_the_navigation(page):
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_world_is_chosen_by_its_name(page):
    page.keyboard.press("w")
    expect(page.get_by_role("dialog", name="Worlds").get_by_role("link", name="default")
           ).to_be_visible()
    page.keyboard.type("checkout")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="World checkout")).to_be_visible()


def test_a_time_line_is_walked_by_arrows(screen, life):
    drawing, items = life
    keys = screen.page.keyboard
    last = items.count() - 1
    assert last >= 3
    expect(drawing.locator("[tabindex='0']")).to_have_count(1)
    Keyboard(screen.page).reach(items.last)
    caption = screen.page.locator(".lifeline .caption")
    expect(caption).to_have_text(items.last.get_attribute("aria-label"))
    for key, place in [
            ("ArrowLeft", last - 1), ("ArrowLeft", last - 2), ("ArrowRight", last - 1),
            ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", last), ("ArrowRight", last),
            ("Home", 0)]:
        keys.press(key)
        expect(items.nth(place)).to_be_focused()
        expect(caption).to_have_text(items.nth(place).get_attribute("aria-label"))
    keys.press("Tab")
    expect(drawing.locator(":focus")).to_have_count(0)
    keys.press("Shift+Tab")
    expect(items.first).to_be_focused()


def test_the_list_of_requests_is_paused_and_goes_on(page, store):
    newest = page.get_by_role("table", name="Requests").locator("tbody tr").first
    pause = page.get_by_role("button", name="Pause")
    verify(store)
    expect(newest).to_be_visible()
    page.keyboard.press("p")
    expect(pause).to_have_attribute("aria-pressed", "true")
    before = newest.get_by_role("link").get_attribute("href")
    verify(store)
    waiting = page.get_by_text(re.compile("entr(y|ies) waiting"))
    expect(waiting).to_be_visible()
    expect(newest.get_by_role("link")).to_have_attribute("href", before)
    page.keyboard.press("p")
    expect(pause).to_have_attribute("aria-pressed", "false")
    expect(waiting).to_have_count(0)
    expect(newest.get_by_role("link")).not_to_have_attribute("href", before)


def test_the_clock_advances_a_day(screen):
    world, page, hand = screen.world, screen.page, Keyboard(screen.page)
    tomorrow = world.now() + DAY
    screen.go("customers")
    hand.press(page.get_by_role("button", name="Clock: "))
    clock = page.get_by_role("dialog", name="Clock")
    hand.press(clock.get_by_role("button", name="1 day"))
    hand.press(clock.get_by_role("button", name="Advance", exact=True))
    expect(clock.locator(".face time")).to_have_attribute(
        "datetime", page.evaluate("time => new Date(time).toISOString()", tomorrow))
    assert world.now() == tomorrow
    page.keyboard.press("Escape")


def test_a_receipt_is_pasted_and_inspected(screen, receipt):
    page, hand = screen.page, Keyboard(screen.page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.go("receipts")
    page.evaluate("text => navigator.clipboard.writeText(text)", receipt["text"])
    hand.reach(page.get_by_label("App receipt, transaction receipt or JWS"))
    page.keyboard.press("Control+V")
    hand.press(page.get_by_role("button", name="Inspect"))
    result = page.locator(".result")
    expect(result.get_by_text("Authentic", exact=True)).to_be_visible()
    expect(result.get_by_role("table", name="Purchases")).to_contain_text(
        f"{receipt['app']}.archive")


@pytest.mark.parametrize("read_only", [False, True], ids=["to change", "to read"])
def test_the_control_token_is_typed(pages, store, read_only):
    page = pages.open(store, "/default/customers", signs_in=False)
    hand = Keyboard(page)
    hand.fill(page.get_by_label("control token"), store.token)
    hand.fill(page.get_by_label("Only read"), read_only)
    hand.press(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    button = page.get_by_role("button", name="New customer…")
    expect(button).to_be_disabled() if read_only else expect(button).to_be_enabled()
