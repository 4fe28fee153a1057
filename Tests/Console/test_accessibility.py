"""Every screen of the navigation, and dialogs: what axe finds, and sideways scrolling."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from parts import customer_place, open_menu
from store import APP

NARROW = 360
VIEWS = [(1280, "light"), (1280, "dark"), (NARROW, "light"), (NARROW, "dark")]
RULES = {"runOnly": {"type": "tag", "values": [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}


def check(page):
    """Finds nothing wrong with the page as it is."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    found = Axe().run(page, options=RULES).response["violations"]
    assert [(one["id"], node["html"][:200]) for one in found for node in one["nodes"]] == [], \
        page.url
    if page.viewport_size["width"] == NARROW:
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, page.url


@pytest.mark.parametrize("width, theme", VIEWS)
def test_every_screen(pages, store, width, theme):
    page = pages.open(store, width=width, theme=theme)
    screens = page.get_by_role("navigation", name="Screens", include_hidden=True)
    count = screens.locator("a").count()
    assert count >= 2
    for place in range(count):
        open_menu(page)
        link = screens.locator("a").nth(place)
        title = link.inner_text()
        link.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_text("Loading…")).to_have_count(0)
        check(page)
    open_menu(page)
    check(page)


@pytest.mark.parametrize("width, theme", VIEWS)
def test_a_customer_and_a_dialog(pages, store, width, theme):
    page = pages.open(store, customer_place("ann@example.com"), width=width, theme=theme)
    tabs = page.get_by_role("navigation", name="Customer").get_by_role("link")
    expect(tabs.first).to_be_visible()
    for place in range(tabs.count()):
        tabs.nth(place).click()
        expect(tabs.nth(place)).to_have_attribute("aria-current", "page")
        expect(page.get_by_text("Loading…")).to_have_count(0)
        check(page)
    page.get_by_role("button", name="Buy…").click()
    expect(page.get_by_role("dialog").get_by_label("Product")).not_to_have_value("")
    check(page)


@pytest.mark.parametrize("width, theme", [VIEWS[0], VIEWS[3]])
def test_pages_of_one_thing_and_other_tabs(pages, store, width, theme):
    sales = store.get("/control/v1/transactions?account=ann@example.com&environment=sandbox")
    club = next(sale["transactionId"] for sale in sales["transactions"]
                if sale["kind"] == "autoRenewable")
    page = pages.open(store, width=width, theme=theme)
    for place in [f"shop/apps/{APP}/products/{APP}.club", f"shop/apps/{APP}/reviews",
                  f"shop/apps/{APP}/keys", f"shop/apps/{APP}/content", "shop/gift-codes",
                  f"subscriptions/{club}", f"refunds/{club}", "approvals/price-consents",
                  "approvals/payments", "notifications/servers", "worlds/default",
                  "ledger/entries", "settings/secrets", "settings/certificates",
                  "settings/connect", "settings/console"]:
        page.goto(f"{store.url}/console/#/default/{place}")
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Loading…")).to_have_count(0)
        check(page)


@pytest.mark.parametrize("width, theme", VIEWS)
def test_an_open_event_the_keys_and_the_sign_in(pages, store, width, theme):
    page = pages.open(store, "/default/now/history", width=width, theme=theme)
    page.get_by_role("table", name="History").get_by_role("link").first.click()
    expect(page.get_by_role("region", name="Inspector").get_by_role("heading")).to_be_visible()
    check(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    open_menu(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    check(page)
