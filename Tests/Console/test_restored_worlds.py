"""Worlds that are restored, or deleted and made again, under an open page."""

import dataclasses
import itertools
from typing import Callable

import pytest
from playwright.sync_api import expect

from parts import REFUSED
from test_trouble import verify
from worlds import World

names = itertools.count(1)


@dataclasses.dataclass(frozen=True)
class Row:
    """A thing that a restored world no longer has: its page, and the list that leads to it."""

    thing: str
    place: str
    # The link to the list.
    back: str
    # Makes the thing, and gives its number or name.
    make: Callable
    # What the page shows of it.
    shows: str


def a_sale(world, it):
    done = world.buy(it["app"], "issue", it["account"])
    return done["transaction"]["transactionId"]


def a_subscription(world, it):
    done = world.buy(it["app"], "monthly", it["account"])
    return done["transaction"]["transactionId"]


def a_device(world, it):
    a_sale(world, it)
    [device] = world.get(f"devices?account={it['account']}&environment=sandbox")["devices"]
    return device["deviceId"]


def a_notification(world, it):
    a_subscription(world, it)
    return world.get("notifications")["notifications"][0]["number"]


def a_consent(world, it):
    asked = world.send("POST", "price-consents", {
        "name": it["account"], "bundleId": it["app"], "productId": f"{it['app']}.monthly",
        "price": "2.99", "environment": "sandbox"})
    return asked["number"]


def a_customer(world, _):
    return world.customer()


CUSTOMER = "customers/sandbox/{account}"
ROWS = [
    Row("transaction", "refunds/{number}", "Refunds", a_sale, ".timeline li"),
    Row("subscription", "subscriptions/{number}", "Subscriptions", a_subscription,
        "table[aria-label='Life of the subscription'] tbody tr, .lifeline, "
        "main dl:has-text('First transaction')"),
    Row("device", f"{CUSTOMER}/devices/{{number}}", "Devices", a_device,
        "table[aria-label=Attempts] tbody tr, main dl:has-text('GUID')"),
    Row("notification", "notifications/sent/{number}", "All notifications", a_notification,
        ".timeline li"),
    Row("priceConsent", "approvals/price-consents/{number}", "Price consents", a_consent,
        "main dl"),
    Row("account", "customers/sandbox/{number}", "Customers", a_customer, "main dl"),
]


@pytest.fixture
def restored(store):
    """A world that its test may restore or make anew."""
    made = World(store, f"restored-{next(names)}")
    store.run("world", "make", made.name)
    yield made
    store.run("world", "delete", made.name)


def shown(page, selector):
    return page.locator(selector).filter(visible=True)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.thing)
def test_what_a_restored_world_lacks_is_unknown_on_its_page_and_leads_back(pages, restored, row):
    world, run = restored, restored.store.run
    it = {"app": world.app(), "account": world.customer()}
    world.run("notification", "set", it["app"], f"{world.store.url}/", "--private")
    run("world", "snapshot", world.name, "before")
    it["number"] = row.make(world, it)
    page = pages.open(world.store, world.place(row.place.format(**it)), allows=[REFUSED])
    expect(shown(page, row.shows).first).to_be_visible()
    run("world", "restore", world.name, "before", "--yes")
    expect(page.locator("main").get_by_role("alert").filter(
        has_text=f"{row.thing}Unknown").first).to_be_visible(timeout=30_000)
    expect(shown(page, row.shows)).to_have_count(0)
    page.locator("main").get_by_role("link", name=row.back, exact=True).first.click()
    left = page.locator("main").get_by_role("link", name=it["account"], exact=True)
    expect(left if row.thing == "account" else page.locator("main .empty")).to_be_visible()
    expect(page.locator("main").get_by_text(str(it["number"]), exact=True)).to_have_count(0)


def requests(page):
    return page.get_by_role("table", name="Requests").locator("tbody tr")


def test_requests_of_a_world_that_was_made_again_are_its_own(pages, restored):
    world, run = restored, restored.store.run
    verify(world, 2)
    page = pages.open(world.store, world.place("now/requests"), allows=[REFUSED])
    expect(requests(page)).to_have_count(2)
    run("world", "delete", world.name)
    expect(page.get_by_role("alert").filter(has_text="worldUnknown")).to_be_visible()
    expect(requests(page)).to_have_count(0)
    run("world", "make", world.name)
    verify(world, 1)
    page.get_by_role("button", name="Try again").click()
    expect(requests(page)).to_have_count(1)
    verify(world, 3)
    expect(requests(page)).to_have_count(4)


def set_back(world, run):
    run("world", "restore", world.name, "before", "--yes")


def make_again(world, run):
    run("world", "delete", world.name)
    run("world", "make", world.name)


@pytest.mark.parametrize("replace", [set_back, make_again])
def test_history_of_another_world_with_as_many_events_replaces_the_list(pages, restored, replace):
    world, run = restored, restored.store.run
    run("world", "snapshot", world.name, "before")

    def sell():
        account = world.customer()
        world.buy(world.app(), "issue", account)
        return account

    earlier = sell()
    page = pages.open(world.store, world.place("now/history"), allows=[REFUSED])
    history = page.get_by_role("table", name="History").locator("tbody tr")
    count = len(world.get("events")["events"])
    expect(history.filter(has_text=earlier)).to_have_count(count)
    # The page's next polls wait for this test, which is busy until the other world is complete.
    page.route("**/control/v1/events?*", lambda route: route.continue_())
    replace(world, run)
    later = sell()
    assert len(world.get("events")["events"]) == count
    expect(history.filter(has_text=later)).to_have_count(count)
    expect(history).to_have_count(count)
