"""Dialogs of actions: sent once, never silent, and careful with what destroys."""

import json

from playwright.sync_api import expect

from parts import AWAY, REFUSED, customer_place, open_action, submit
from store import APP

FAILED = r"Failed to load resource: the server responded with a status of 5\d\d"


class Held:
    """Requests of a page to a path, which wait until they are let go."""

    def __init__(self, page, pattern):
        self.routes = []
        page.route(pattern, self.take)

    def take(self, route):
        if route.request.method == "GET":
            route.continue_()
        else:
            self.routes.append(route)

def test_an_action_is_sent_once_while_its_answer_is_awaited(pages, store):
    page = pages.open(store, "/default/shop/gift-codes")
    held = Held(page, "**/control/v1/gift-codes")
    dialog = open_action(page, "Make a gift code")
    button = dialog.get_by_role("button", name="Make a gift code")
    with page.expect_request("**/control/v1/gift-codes"):
        button.click()
    dialog.get_by_label("Amount").fill("26")
    expect(button).to_be_disabled()
    dialog.get_by_label("Amount").press("Enter")
    for route in held.routes:
        route.continue_()
    expect(page.get_by_role("dialog").get_by_role("group", name="Gift code")).to_be_visible()
    assert len(held.routes) == 1


def test_a_failure_is_said_after_its_dialog_was_closed(pages, store, customer):
    page = pages.open(store, customer_place(customer, "credit"), allows=[REFUSED])
    held = Held(page, "**/accounts/credit/correct")
    dialog = open_action(page, "Take credit")
    dialog.get_by_label("Amount").fill("1")
    dialog.get_by_label("Reason").fill("Paid in twice.")
    with page.expect_request("**/accounts/credit/correct"):
        dialog.get_by_role("button", name="Take credit").click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    held.routes[0].continue_()
    expect(page.locator(".notice.bad")).to_contain_text("Take credit: ")


def test_an_answer_that_failed_is_asked_for_under_its_id(pages, store, customer):
    page = pages.open(store, customer_place(customer, "credit"), allows=[REFUSED, FAILED, AWAY])
    bodies = []
    answers = iter([500, 409, None])

    def answer(route):
        bodies.append(route.request.post_data_json["requestId"])
        status = next(answers)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, content_type="application/json",
                          body=json.dumps({"error": {"code": "broken", "message": "Broken."}}))

    page.route("**/accounts/credit/top-up", answer)
    dialog = open_action(page, "Add credit")
    dialog.get_by_label("Amount").fill("1")
    for _ in range(2):
        dialog.get_by_role("button", name="Add credit").click()
        expect(dialog.get_by_role("alert")).to_be_visible()
    submit(dialog, "Add credit")
    assert bodies[0] == bodies[1] != bodies[2]


def test_a_transaction_is_revoked_by_its_number_typed(pages, store, customer):
    store.run("buy", f"{APP}.fuel", "--account", customer)
    sale = store.get(f"/control/v1/transactions?account={customer}&environment=sandbox")
    number = sale["transactions"][0]["transactionId"]
    page = pages.open(store, "/default/refunds")
    dialog = open_action(page, "Revoke a transaction")
    dialog.get_by_label("Transaction").fill(number)
    button = dialog.get_by_role("button", name="Revoke a transaction")
    expect(button).to_be_disabled()
    dialog.get_by_label(f"Type “{number}” to confirm").fill(number)
    submit(dialog, "Revoke a transaction")


def test_a_seed_replaces_a_world_by_its_name_typed(pages, store):
    page = pages.open(store, "/default/worlds")
    dialog = open_action(page, "Seed from a file")
    dialog.get_by_label("Name", exact=True).fill("checkout")
    expect(dialog.get_by_label("to confirm")).to_be_hidden()
    dialog.get_by_label("Replace the world of that name").check()
    expect(dialog.get_by_label("Type “checkout” to confirm")).to_be_visible()
    expect(dialog.get_by_role("button", name="Seed from a file")).to_be_disabled()
