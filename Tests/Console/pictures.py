"""Takes the pictures of the console that the documentation shows.

  .venv-console/bin/python Tests/Console/pictures.py

writes docs/images/console/*.png, from a store of its own with a clock that is held. What differs
from run to run, as numbers of transactions and times of requests, is covered. Look at the pictures
before they are committed, as at a golden file; test_pictures.py compares them.
"""

import re
import urllib.request

from playwright.sync_api import expect, sync_playwright

from conftest import filled, launch
from store import APP, ROOT, Store

FOLDER = ROOT / "docs" / "images" / "console"
SIZE = {"width": 1180, "height": 720}


def verify(store, body, environment="sandbox"):
    request = urllib.request.Request(
        f"{store.url}/{environment}/verifyReceipt", data=body.encode())
    urllib.request.urlopen(request).read()


def prepared(store):
    """A subscription in its grace period, requests that are refused, and a world at a glance."""
    filled(store)
    store.run("subscription", "new", "--state", "grace", "--account", "dora@example.com")
    verify(store, '{"receipt-data": "bm8gcmVjZWlwdA=="}')
    verify(store, "[]")
    verify(store, '{"receipt-data": "bm8gcmVjZWlwdA=="}', "production")
    return store


def numbers(page):
    """The numbers of transactions and entries, which differ from store to store."""
    return page.locator("main code.id").filter(has_text=re.compile(r"^(\d{8,}|request/.+)$"))


def show_now(page, _):
    requests = page.get_by_role("table", name="Requests")
    expect(requests.locator("tbody tr")).to_have_count(3)
    requests.get_by_role("link").first.click()
    expect(page.get_by_role("group", name="Answer")).to_be_visible()
    return [page.locator("main time"), page.locator("main dd:has(code.id)"),
            page.locator("main dd").filter(has_text=re.compile(r"(ms|µs)$"))]


def show_subscription(page, store):
    original = store.get("/control/v1/subscriptions")["subscriptions"][-1][
        "originalTransactionId"]
    page.goto(f"{store.url}/console/#/default/subscriptions/{original}")
    expect(page.get_by_text("Grace period ends").first).to_be_visible()
    return [page.locator("main code.id").filter(has_text=original)]


def show_customer(page, store):
    page.goto(f"{store.url}/console/#/default/customers/sandbox/ann@example.com")
    expect(page.get_by_role("table", name="Purchases").locator("tbody tr")).to_have_count(4)
    return [numbers(page), page.locator("main dd time")]


def show_product(page, store):
    page.goto(f"{store.url}/console/#/default/shop/apps/{APP}/products/{APP}.club")
    expect(page.get_by_role("heading", name="Offers")).to_be_visible()
    return [page.locator("main time")]


def show_entries(page, store):
    page.goto(f"{store.url}/console/#/default/ledger/entries")
    expect(page.get_by_role("table", name="Entries").locator("tbody tr").first).to_be_visible()
    return [numbers(page)]


# By name: the theme, and the way to the screen; it gives what is to be covered.
PICTURES = {
    "now-light": ("light", show_now), "now-dark": ("dark", show_now),
    "subscription-light": ("light", show_subscription),
    "subscription-dark": ("dark", show_subscription),
    "customer-light": ("light", show_customer), "product-dark": ("dark", show_product),
    "ledger-light": ("light", show_entries),
}


def picture(browser, store, name, change=lambda page: None):
    """A picture as it is now, as a PNG file; after a change of the page."""
    theme, show = PICTURES[name]
    context = browser.new_context(viewport=SIZE, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{store.url}/console/#code={store.code()}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    covered = show(page, store)
    change(page)
    taken = page.screenshot(mask=covered, mask_color="#8a94a0")
    context.close()
    return taken


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    store = prepared(Store())
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            for name in PICTURES:
                (FOLDER / f"{name}.png").write_bytes(picture(browser, store, name))
            browser.close()
    finally:
        store.close()


if __name__ == "__main__":
    main()
