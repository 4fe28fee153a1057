"""Customers: each action changes the store as its dialog says."""

import json
import re

from playwright.sync_api import expect

from parts import REFUSED, command, curl, customer_place, open_action, submit
from store import APP, CATALOGUE


def test_the_list_is_searched_and_leads_to_one(pages, store):
    page = pages.open(store, "/default/customers")
    page.get_by_role("searchbox").fill("ann@")
    expect(page.get_by_role("link", name="ben@example.com")).to_be_hidden()
    page.get_by_role("link", name="ann@example.com").click()
    expect(page.get_by_role("heading", name="ann@example.com")).to_be_visible()
    expect(page.get_by_text("$12.50")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("ann@")


def test_a_new_customer(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    dialog = open_action(page, "New customer")
    dialog.get_by_label("Name", exact=True).fill("new@example.com")
    dialog.get_by_label("Password").fill("rocket-fuel-1")
    assert "rocket-fuel-1" not in dialog.inner_text()
    submit(dialog, "New customer")
    expect(page.get_by_role("link", name="new@example.com")).to_be_visible()
    dialog = open_action(page, "New customer")
    dialog.get_by_label("Name", exact=True).fill("new@example.com")
    dialog.get_by_role("button", name="New customer").click()
    expect(dialog.get_by_text("nameTaken")).to_be_visible()
    expect(dialog.get_by_label("Name", exact=True)).to_have_attribute("aria-invalid", "true")


def test_buying(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    expect(page.get_by_text("No purchases yet.")).to_be_visible()
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.fuel")
    dialog.get_by_label("Quantity").fill("3")
    submit(dialog, "Buy")
    expect(page.get_by_role("table", name="Purchases")).to_contain_text(f"{APP}.fuel × 3")
    assert store.details(customer)["transactions"]["count"] == 1


def test_what_the_dialog_shows_does_the_same(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.moontrack")
    expect(dialog.get_by_role("group", name="bodega command")).to_contain_text("moontrack")
    for line in [command(dialog), curl(dialog)]:
        assert store.token not in line
        done = store.shell(line)
        assert done.returncode == 0, done.stderr
    page.keyboard.press("Escape")
    expect(page.get_by_role("table", name="Purchases").get_by_role("row")).to_have_count(3)


def test_a_refused_purchase_says_why(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.moontrack")
    dialog.get_by_label("Quantity").fill("2")
    dialog.get_by_role("button", name="Buy", exact=True).click()
    expect(dialog.get_by_text("quantityNotAllowed")).to_be_visible()
    expect(dialog.get_by_label("Quantity")).to_have_value("2")


def test_a_purchase_in_the_past_of_a_session(pages, store):
    store.run("catalog", "import", str(CATALOGUE), "--bundle-id", APP,
              "--world", "checkout")
    store.run("clock", "hold", "2026-03-01", "--world", "checkout")
    store.run("account", "add", "past@example.com", "--without-password", "--world", "checkout")
    page = pages.open(store, customer_place("past@example.com", world="checkout"))
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.fuel")
    dialog.get_by_label("Purchased in the past").fill("2026-01-31T12:00:00")
    assert "--purchased 2026-01-31T12:00:00Z" in command(dialog)
    assert "--world checkout" in command(dialog)
    submit(dialog, "Buy")
    expect(page.get_by_role("table", name="Purchases")).to_contain_text("2026-01-31 12:00:00")


def test_restoring(pages, store, customer):
    store.run("buy", f"{APP}.moontrack", "--account", customer, "--finish")
    page = pages.open(store, customer_place(customer))
    submit(open_action(page, "Restore"), "Restore")
    expect(page.get_by_text("Restored 1 purchase").first).to_be_visible()


def test_settings_and_what_they_do(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    dialog = open_action(page, "Settings")
    dialog.get_by_label("Interrupt").check()
    assert command(dialog).startswith(f"bodega account interrupt {customer} on")
    submit(dialog, "Settings")
    expect(page.get_by_text("Interrupted", exact=True)).to_be_visible()
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.fuel")
    submit(dialog, "Buy")
    expect(page.get_by_text("The purchase is interrupted").first).to_be_visible()
    title = "Resolve interrupted purchases"
    submit(open_action(page, title), title)
    expect(page.get_by_text("Resolved 1 purchase").first).to_be_visible()
    assert store.details(customer)["transactions"]["count"] == 1


def test_lock_storefront_password_and_signing_out(pages, store, customer):
    page = pages.open(store, customer_place(customer), allows=[REFUSED])
    dialog = open_action(page, "Lock")
    dialog.get_by_label("Reason").fill("Call us.")
    submit(dialog, "Lock")
    expect(page.get_by_text("Locked", exact=True).first).to_be_visible()
    assert store.details(customer)["account"]["lock"]["reason"] == "Call us."
    submit(open_action(page, "Unlock"), "Unlock")
    expect(page.get_by_text("Open", exact=True)).to_be_visible()
    dialog = open_action(page, "Storefront")
    dialog.get_by_label("Storefront").fill("DEU")
    submit(dialog, "Storefront")
    assert store.details(customer)["account"]["storefront"] == "DEU"
    dialog = open_action(page, "New password")
    dialog.get_by_label("Password").fill("short")
    dialog.get_by_role("button", name="New password").click()
    expect(dialog.get_by_text("badField")).to_be_visible()
    dialog.get_by_label("Password").fill("long-enough-1")
    submit(dialog, "New password")
    submit(open_action(page, "Sign out everywhere"), "Sign out everywhere")
    assert store.details(customer)["account"]["devicesSignedIn"] == 0


def test_credit(pages, store, customer):
    gift = store.send("POST", "/control/v1/gift-codes",
                      {"amount": "5", "currency": "USD", "environment": "sandbox"})["code"]
    page = pages.open(store, customer_place(customer, "credit"), allows=[REFUSED])
    dialog = open_action(page, "Add credit")
    dialog.get_by_label("Amount").fill("10")
    submit(dialog, "Add credit")
    dialog = open_action(page, "Take credit")
    dialog.get_by_label("Amount").fill("99")
    dialog.get_by_label("Reason").fill("Paid in twice.")
    dialog.get_by_role("button", name="Take credit").click()
    expect(dialog.get_by_text("creditTooLow")).to_be_visible()
    dialog.get_by_label("Amount").fill("2.5")
    submit(dialog, "Take credit")
    dialog = open_action(page, "Redeem a gift code")
    dialog.get_by_label("Code").fill(gift)
    submit(dialog, "Redeem a gift code")
    table = page.get_by_role("table", name="Credit")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table).to_contain_text("Paid in twice.")
    assert store.details(customer)["balances"] == [{"currency": "USD", "milliunits": 12500}]


def test_a_family(pages, store, customer):
    member = f"member-{customer}"
    store.run("account", "add", member, "--without-password")
    page = pages.open(store, customer_place(customer, "family"))
    submit(open_action(page, "Make a family"), "Make a family")
    dialog = open_action(page, "Add a member")
    dialog.get_by_label("Customer").fill(member)
    submit(dialog, "Add a member")
    row = page.get_by_role("table", name="Members").get_by_role("row", name=member)
    for title in ["Stop sharing", "Remove"]:
        row.get_by_role("button", name=f"{title}…").click()
        page.get_by_role("dialog").get_by_label("to confirm").fill(member)
        submit(page.get_by_role("dialog"), title)
        expect(row.get_by_role("button", name=f"{title}…")).to_have_count(0)
    expect(row).to_be_hidden()
    number = store.details(customer)["family"]["number"]
    dialog = open_action(page, "End the family")
    dialog.get_by_label("to confirm").fill(f"family {number}")
    submit(dialog, "End the family")
    expect(page.get_by_text("The customer is in no family.")).to_be_visible()


def test_a_device_with_its_attempts(pages, store, customer):
    store.run("buy", f"{APP}.fuel", "--account", customer)
    page = pages.open(store, customer_place(customer, "devices"))
    page.get_by_role("table", name="Devices").get_by_role("link").click()
    expect(page.get_by_role("table", name="Attempts")).to_contain_text(f"{APP}.fuel")
    expect(page.get_by_role("link", name=customer)).to_be_visible()


def test_subscriptions_and_data_of_apps(pages, store, customer):
    store.run("buy", f"{APP}.club", "--account", customer)
    page = pages.open(store, customer_place(customer, "subscriptions"))
    link = page.get_by_role("table", name="Subscriptions").get_by_role("link")
    assert link.get_attribute("href").startswith("#/default/subscriptions/")
    page.get_by_role("link", name="Apps").click()
    page.get_by_role("table", name="Apps").get_by_role("link").click()
    expect(page.get_by_text("Original version")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the receipt").click()
    with open(saved.value.path(), "rb") as file:
        assert file.read(1) == b"\x30"


def test_the_export_is_saved_as_a_file(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    page.get_by_text("More actions").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    assert saved.value.suggested_filename == f"{customer}.json"
    with open(saved.value.path(), encoding="utf-8") as file:
        assert json.load(file)["account"][0]["name"] == customer


def test_deleting_wants_the_name_typed(pages, store, customer):
    # What the page shows may be asked for once more before it leaves.
    page = pages.open(store, customer_place(customer), allows=[REFUSED])
    dialog = open_action(page, "Delete")
    expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
    dialog.get_by_label("to confirm").fill(customer)
    submit(dialog, "Delete")
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    left = store.get(f"/control/v1/accounts?search={customer}")["accounts"]
    assert all("deletedAt" in account for account in left)


def test_answers_out_of_order_do_not_replace_newer_ones(pages, store):
    page = pages.open(store, "/default/customers")
    waiting = []
    late = re.compile(r"/accounts\?.*search=b$")
    page.route(late, lambda route: waiting.append(route))
    with page.expect_request(late):
        page.get_by_role("searchbox").fill("b")
    page.get_by_role("searchbox").fill("ann@example")
    expect(page.get_by_role("link", name="ben@example.com")).to_be_hidden()
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    assert len(waiting) == 1
    with page.expect_response(late) as answered:
        waiting[0].continue_()
    answered.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    expect(page.get_by_role("link", name="ben@example.com")).to_be_hidden()
