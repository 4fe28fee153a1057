"""Customers: what their pages show, and how it follows what is done."""

import json
import re

from playwright.sync_api import expect

from parts import REFUSED, command, customer_place, open_action, submit
from store import APP


def test_the_list_is_searched_and_leads_to_one(pages, store):
    page = pages.open(store, "/default/customers")
    page.get_by_role("searchbox").fill("ann@")
    expect(page.get_by_role("link", name="ben@example.com")).to_be_hidden()
    page.get_by_role("link", name="ann@example.com").click()
    expect(page.get_by_role("heading", name="ann@example.com")).to_be_visible()
    expect(page.get_by_text("$12.50")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("ann@")


def test_what_was_bought_is_listed(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    expect(page.get_by_text("No purchases yet.")).to_be_visible()
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.fuel")
    dialog.get_by_label("Quantity").fill("3")
    submit(dialog, "Buy")
    expect(page.get_by_role("table", name="Purchases")).to_contain_text(f"{APP}.fuel × 3")


def test_each_action_says_what_it_did(pages, store, customer):
    store.run("buy", f"{APP}.moontrack", "--account", customer, "--finish")
    page = pages.open(store, customer_place(customer))
    submit(open_action(page, "Restore"), "Restore")
    expect(page.get_by_text("Restored 1 purchase").first).to_be_visible()
    dialog = open_action(page, "Settings")
    dialog.get_by_label("Interrupt").check()
    submit(dialog, "Settings")
    expect(page.get_by_text("Interrupted", exact=True)).to_be_visible()
    dialog = open_action(page, "Buy")
    dialog.get_by_label("Product").select_option(f"{APP}.fuel")
    submit(dialog, "Buy")
    expect(page.get_by_text("The purchase is interrupted").first).to_be_visible()
    title = "Resolve interrupted purchases"
    submit(open_action(page, title), title)
    expect(page.get_by_text("Resolved 1 purchase").first).to_be_visible()


def test_a_lock_is_shown_until_it_ends(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    dialog = open_action(page, "Lock")
    dialog.get_by_label("Reason").fill("Call us.")
    submit(dialog, "Lock")
    expect(page.get_by_text("Locked", exact=True).first).to_be_visible()
    expect(page.get_by_text("By the owner: Call us.")).to_be_visible()
    submit(open_action(page, "Unlock"), "Unlock")
    expect(page.get_by_text("Open", exact=True)).to_be_visible()


def test_the_password_of_a_new_customer_is_nowhere_in_the_page(pages, store):
    page = pages.open(store, "/default/customers")
    dialog = open_action(page, "New customer")
    dialog.get_by_label("Password").fill("rocket-fuel-1")
    assert "$PASSWORD" in command(dialog)
    assert "rocket-fuel-1" not in page.content()


def test_credit_is_listed_with_its_reasons(pages, store, customer):
    store.run("credit", "add", customer, "10")
    store.run("credit", "take", customer, "2.5", "--reason", "Paid in twice.")
    page = pages.open(store, customer_place(customer, "credit"))
    table = page.get_by_role("table", name="Credit")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table).to_contain_text("Paid in twice.")
    expect(page.get_by_text("$7.50").first).to_be_visible()


def test_a_family_ends_on_the_open_page(pages, store, customer):
    store.run("family", "make", customer)
    page = pages.open(store, customer_place(customer, "family"))
    dialog = open_action(page, "End the family")
    dialog.get_by_label("to confirm").fill(f"family {store.details(customer)['family']['number']}")
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


def test_deleting_leads_back_to_the_list(pages, store, customer):
    # What the page shows may be asked for once more before it leaves.
    page = pages.open(store, customer_place(customer), allows=[REFUSED])
    dialog = open_action(page, "Delete")
    dialog.get_by_label("to confirm").fill(customer)
    submit(dialog, "Delete")
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    expect(page.get_by_role("link", name=customer)).to_have_count(0)


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
