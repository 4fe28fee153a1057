"""One transaction, and names that an environment goes with."""

import json
import re

from playwright.sync_api import expect

from parts import REFUSED, command, customer_place, open_action, submit
from store import APP


def transaction_of(store, customer, environment="sandbox"):
    path = f"/control/v1/transactions?account={customer}&environment={environment}"
    return store.get(path)["transactions"][0]["transactionId"]


def test_a_purchase_without_a_request_has_a_page(pages, store, customer):
    store.run("buy", f"{APP}.fuel", "--account", customer)
    number = transaction_of(store, customer)
    page = pages.open(store, customer_place(customer))
    page.get_by_role("table", name="Purchases").get_by_role("link", name=number).click()
    expect(page.get_by_role("heading", name=f"Transaction {number}")).to_be_visible()
    expect(page.get_by_text("Purchased", exact=True)).to_be_visible()
    dialog = open_action(page, "Revoke a transaction")
    assert f"transaction revoke {number}" in command(dialog)
    page.keyboard.press("Escape")
    submit(open_action(page, "Request a refund"), "Request a refund")
    expect(page.get_by_text("The decision is open")).to_be_visible()
    submit(open_action(page, "Decline"), "Decline")
    expect(page.get_by_text("Declined", exact=True).first).to_be_visible()


def test_a_transaction_shows_its_entries(pages, store, customer):
    store.run("account", "add", customer, "--without-password", "--environment", "production")
    store.run("credit", "add", customer, "10", "--environment", "production")
    store.run("buy", f"{APP}.fuel", "--account", customer, "--environment", "production")
    number = transaction_of(store, customer, "production")
    page = pages.open(store, f"/default/refunds/{number}")
    expect(page.get_by_role("table", name="Entries")).to_contain_text("Charge")


def test_a_customer_of_production_is_found_by_name(pages, store, customer):
    name = f"real-{customer}"
    store.run("account", "add", name, "--without-password", "--environment", "production")
    store.run("credit", "add", name, "10", "--environment", "production")
    store.run("buy", f"{APP}.fuel", "--account", name, "--environment", "production")
    page = pages.open(store, "/default/now/history", allows=[REFUSED])
    page.get_by_role("searchbox").fill(name)
    expect(page.get_by_label("Environment")).to_have_value("production")
    expect(page.get_by_role("table", name="History").locator("tbody tr")).to_have_count(1)
    page.goto(f"{store.url}/console/#/default/ledger/entries")
    # The page before has a search, too.
    expect(page.get_by_role("table", name="Entries")).to_be_visible()
    page.get_by_role("searchbox").fill(name)
    expect(page.get_by_label("Environment")).to_have_value("production")
    expect(page.get_by_role("table", name="Entries")).to_contain_text("Top up")


def test_a_kept_address_has_no_code(pages, store):
    page = pages.open(store, "/default/settings/console")
    field = page.get_by_label("Its address")
    field.fill("http://127.0.0.1:8081/console/#code=abc")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("link", name="Open the backend's console")).to_have_attribute(
        "href", "http://127.0.0.1:8081/console/")
    expect(field).to_have_value("http://127.0.0.1:8081/console/")


def test_a_shop_keeps_a_delay_that_no_field_can_say(pages, store):
    store.send("PUT", "/control/v1/shop", {"delayMilliseconds": 1500})
    page = pages.open(store, "/default/settings/shop")
    dialog = open_action(page, "Change the shop")
    dialog.get_by_label("New products").select_option("waitForReview")
    assert "--delay" not in command(dialog)
    submit(dialog, "Change the shop")
    assert store.get("/control/v1/shop") == {
        "delayMilliseconds": 1500, "newProducts": "waitForReview"}
    store.send("PUT", "/control/v1/shop",
               {"delayMilliseconds": 0, "newProducts": "clearedForSale"})


def test_what_was_refused_is_not_resolved(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    answer = {"purchases": [{"productId": "p1"},
                            {"productId": "p2", "refusal": {"code": "productNotForSale"}}]}
    page.route("**/accounts/resolve", lambda route: route.fulfill(
        content_type="application/json", body=json.dumps(answer)))
    title = "Resolve interrupted purchases"
    submit(open_action(page, title), title)
    expect(page.get_by_text(re.compile("Resolved 1 purchase: p1: bought, p2: Product not")).first
           ).to_be_visible()


def test_a_request_that_is_not_kept_as_a_whole_says_so(own_store, pages):
    page = pages.open(own_store, permissions=["clipboard-read", "clipboard-write"])
    for text in ["A" * 200, "B" * 40_000]:
        member = "receipt-data" if text[0] == "A" else "other"
        page.evaluate("""([name, text]) => fetch("/production/verifyReceipt",
            { method: "POST", body: JSON.stringify({ [name]: text + " ", x: text + " " }) })""",
                      [member, text])
    rows = page.get_by_role("table", name="Requests").locator("tbody tr", has_text="production/")
    inspector = page.get_by_role("region", name="Inspector")
    expect(rows.nth(1)).to_be_visible()
    rows.first.get_by_role("link").click()
    expect(inspector.get_by_text("It cannot be given as curl")).to_be_visible()
    expect(inspector.get_by_role("button", name="Copy as curl")).to_have_count(0)
    rows.nth(1).get_by_role("link").click()
    expect(inspector.get_by_text("To be filled in, since they are not kept")).to_be_visible()
