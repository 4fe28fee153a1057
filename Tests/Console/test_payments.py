"""Payments at a provider, and a store that keeps no requests because it has one."""

import sys
import threading

import pytest
from playwright.sync_api import expect

from backends import eventually
from conftest import filled
from parts import REFUSED
from store import APP, ROOT, Store
from test_accessibility import check
from test_hostile_names import SHOWN
from worlds import World

sys.path.append(str(ROOT / "Tests" / "Provider"))
from book import Book
from connection import Provider
from faults import Faults

SECRET = "rocket-secret-1"
HOSTILE, AS_TEXT = next(iter(SHOWN.items()))
REASON, REASON_AS_TEXT = f"No money: {HOSTILE} \u202e", f"No money: {AS_TEXT} \\u{{202E}}"
# The customers, by the state of their one payment.
CUSTOMERS = {"captured": ["rich", "sorry", "sad"], "declined": ["poor"], "authorizing": ["slow"]}
INSPECTOR_OFF = "Start it with bodega serve --inspector, or without --no-inspector."

each_place = pytest.mark.parametrize("place", ["approvals/payments", "ledger/payments"])


class HostileBook(Book):
    """A provider's book whose texts are hostile."""

    def answer(self, *request):
        texts = {"reference": HOSTILE, "reason": REASON}
        return {name: texts.get(name, value) for name, value in super().answer(*request).items()}


class PaidStore(Store):
    """A store that asks a payment provider, which runs in this process."""

    def __init__(self):
        self.faults = Faults([], seed=1)
        self.provider = None
        super().__init__()

    def words(self):
        folder = self.data.parent
        self.provider = Provider(
            ("127.0.0.1", 0), HostileBook(str(folder / "book")), SECRET.encode(), self.faults)
        threading.Thread(target=self.provider.serve_forever, daemon=True).start()
        secret = folder / "secret"
        secret.touch(0o600)
        secret.write_text(SECRET, encoding="utf-8")
        return ["serve", "--payment-gateway", f"http://127.0.0.1:{self.provider.server_port}",
                "--payment-secret-file", str(secret)]

    def close(self):
        self.stop()
        self.provider.gate.release()
        self.provider.shutdown()
        self.provider.server_close()
        self.provider.book.database.close()
        self.folder.cleanup()


def address(customer):
    return f"{customer}@example.com"


@pytest.fixture(scope="module")
def paid():
    """A store with a payment for each of the customers; two of them are refunded."""
    store = PaidStore()
    try:
        pay(World(filled(store)))
        yield store
    finally:
        store.close()


def pay(world):
    def payments():
        return {one["account"]: one for one in world.get("payments")["payments"]}

    world.store.faults.set([
        {"fault": "decline", "address": "/authorizations", "customer": address("poor")},
        {"fault": "holdBefore", "address": "/authorizations", "customer": address("slow")},
        {"fault": "decline", "address": "/refunds", "next": 1}])
    for state, customers in CUSTOMERS.items():
        for name in map(address, customers):
            world.send("POST", "accounts", {"name": name, "environment": "production"})
            world.buy(APP, "fuel", name, "production")
            assert eventually(lambda: payments()[name]["state"] == state), payments()
    for name, state in [(address("sad"), "failed"), (address("sorry"), "refunded")]:
        world.run("transaction", "revoke", payments()[name]["transactionId"], "--reason", "issue")
        assert eventually(lambda: [one["state"] for one in payments()[name]["refunds"]] == [state])


def rows(page):
    return page.get_by_role("table", name="Payments").locator("tbody tr")


def row_of(page, customer):
    return rows(page).filter(has=page.get_by_role("link", name=address(customer), exact=True))


@pytest.fixture
def payments(pages, paid, place):
    page = pages.open(paid, f"/default/{place}", allows=[REFUSED])
    expect(rows(page)).to_have_count(5)
    return page


@each_place
def test_payments_have_their_states_and_hostile_texts_of_the_provider_are_text(payments, place):
    for state, customers in CUSTOMERS.items():
        for customer in customers:
            expect(row_of(payments, customer).locator("td:nth-child(3) .chip")).to_have_text(
                state.capitalize())
            expect(row_of(payments, customer)).to_contain_text("$0.99")
    expect(row_of(payments, "rich").get_by_text(AS_TEXT, exact=True)).to_be_visible()
    expect(row_of(payments, "poor").get_by_text(REASON_AS_TEXT, exact=True)).to_be_visible()
    for customer, text in [("sorry", "Refunded $0.99"), ("sad", f"Failed $0.99 {REASON_AS_TEXT}")]:
        expect(row_of(payments, customer).locator("td:nth-child(5)")).to_contain_text(text)
    expect(payments.locator("body script")).to_have_count(0)
    assert "\u202e" not in payments.locator("body").inner_text()


@each_place
def test_payments_are_filtered_by_state_and_lead_to_their_customer(payments, place):
    for state, customers in CUSTOMERS.items():
        payments.get_by_label("State").select_option(state)
        expect(rows(payments)).to_have_count(len(customers))
        for customer in customers:
            expect(row_of(payments, customer)).to_be_visible()
        assert payments.url.endswith(f"/{place}?state={state}")
    payments.get_by_label("State").select_option("failed")
    expect(payments.get_by_text("No payment was asked of a provider.")).to_be_visible()
    payments.get_by_label("State").select_option("declined")
    row_of(payments, "poor").get_by_role("link").click()
    expect(payments.get_by_role("heading", name=address("poor"), level=1)).to_be_visible()
    assert "/customers/production/" in payments.url


@each_place
def test_axe_finds_nothing_on_payments(payments, place):
    check(payments)


def test_now_says_that_a_store_with_a_provider_keeps_no_requests_and_shows_its_history(
        pages, paid):
    page = pages.open(paid, "/default/now/requests", allows=[REFUSED])
    note = page.get_by_role("alert").filter(has_text="inspectorOff")
    expect(note).to_contain_text(INSPECTOR_OFF)
    expect(page.get_by_text("appear as they come")).to_be_hidden()
    check(page)
    page.get_by_role("link", name="History", exact=True).first.click()
    history = page.get_by_role("table", name="History").locator("tbody tr")
    expect(history.filter(has_text=address("rich"))).to_be_visible()
    world = World(paid)
    customer = world.customer()
    world.buy(APP, "fuel", customer)
    expect(history.filter(has_text=customer).filter(has_text="Purchased")).to_be_visible()
    check(page)
