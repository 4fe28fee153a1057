"""Lists that are read in pages: nothing is left out without a word, and shown rows stay fresh."""

import json
import re

import pytest
from playwright.sync_api import expect

from parts import REFUSED, customer_place
from store import APP


def sales(first, count):
    return [{"transactionId": str(number), "originalTransactionId": str(number),
             "state": "finished", "account": "ann@example.com", "environment": "Sandbox",
             "kind": "consumable", "bundleId": APP, "productId": f"p{number}",
             "purchasedAt": 1_700_000_000_000 + number,
             "quantity": 1, "priceMilliunits": 990, "currency": "USD", "isShared": False}
            for number in range(first, first - count, -1)]


class Sales:
    """A customer's purchases, newest first, in pages of 50."""

    def __init__(self, page):
        self.newest, self.oldest, self.holds, self.held = 120, 1, False, None
        page.route(re.compile(r"/control/v1/transactions\?"), self.answer)

    def answer(self, route):
        after = re.search(r"after=(\d+)", route.request.url)
        last = int(after[1]) - 1 if after else self.newest
        rows = sales(last, min(50, last - self.oldest + 1))
        body = {"transactions": rows, "position": "0"}
        if rows and int(rows[-1]["transactionId"]) > self.oldest:
            body["next"] = rows[-1]["transactionId"]
        if self.holds and self.held is None:
            self.held = (route, body)
        else:
            route.fulfill(body=json.dumps(body), content_type="application/json")


def shown_sales(page):
    ids = page.get_by_role("table", name="Purchases").locator("td:nth-child(2)").all_inner_texts()
    return [int(text.removeprefix("p")) for text in ids]


@pytest.fixture
def purchases(pages, store):
    page = pages.open(store, "/default/worlds", allows=[REFUSED])
    list_ = Sales(page)
    page.goto(f"{store.url}/console/#{customer_place('ann@example.com')}")
    expect(page.get_by_text("p120", exact=True)).to_be_visible()
    return page, list_


def test_a_new_row_pushes_no_other_one_out(purchases):
    page, list_ = purchases
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text("p21", exact=True)).to_be_visible()
    list_.newest = 121
    expect(page.get_by_text("p121", exact=True)).to_be_visible()
    assert shown_sales(page) == list(range(121, 20, -1))
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text("p1", exact=True)).to_be_visible()
    assert shown_sales(page) == list(range(121, 0, -1))


def test_one_request_at_a_time_asks_for_news(purchases):
    page, list_ = purchases
    list_.holds = True
    with page.expect_request(re.compile(r"/transactions\?")):
        page.evaluate("0")
    asked = []
    page.on("request", lambda request: asked.append(request.url)
            if "/transactions?" in request.url else None)
    for _ in range(2):
        with page.expect_response(re.compile("accounts/details")):
            pass
    assert asked == []
    route, _ = list_.held
    list_.newest = 122
    list_.answer(route)
    expect(page.get_by_text("p122", exact=True)).to_be_visible()


def test_rows_that_do_not_match_are_not_none_at_all(pages, store):
    page = pages.open(store, "/default/worlds")
    page.route(re.compile(r"/control/v1/refunds(\?|$)"), lambda route: route.fulfill(
        content_type="application/json", body=json.dumps({"refunds": [], "next": 7})))
    page.goto(f"{store.url}/console/#/default/refunds?q=nobody")
    expect(page.get_by_text("None among those read so far.")).to_be_visible()
    expect(page.get_by_role("button", name="Show more")).to_be_visible()
    expect(page.get_by_text("No refund to show.")).to_have_count(0)


def test_a_customers_subscriptions_are_asked_for_by_name(pages, store, customer):
    page = pages.open(store, customer_place(customer))
    with page.expect_request(re.compile(r"/subscriptions\?account=.*&environment=sandbox")):
        page.get_by_role("navigation", name="Customer").get_by_text("Subscriptions").click()


def test_more_servers_are_shown_when_asked_for_and_those_in_the_window_stay_fresh(pages, store):
    page = pages.open(store, "/default/worlds")
    names, asked, targets = [f"com.example.n{number}" for number in range(230)], [], {}
    page.on("request", lambda request: asked.append(request.url.split("/")[-2]))
    page.route(re.compile(r"/control/v1/apps$"), lambda route: route.fulfill(
        json={"apps": [{"bundleId": name} for name in names]}))
    page.route(re.compile("/notification-targets$"), lambda route: route.fulfill(
        json={"targets": targets.get(route.request.url.split("/")[-2], [])}))
    page.goto(f"{store.url}/console/#/default/notifications/servers")
    apps, more = page.locator("main h2"), page.get_by_role("button", name="Show more")
    for count in [50, 100, 150, 200]:
        expect(apps).to_have_count(count)
        more.click()
    expect(apps).to_have_count(230)
    expect(more).to_have_count(0)
    apps.last.scroll_into_view_if_needed()
    targets[names[-1]] = [{"environment": "sandbox", "url": "late", "version": "V2", "waiting": 0}]
    asked.clear()
    expect(page.get_by_text("late", exact=True)).to_be_visible()
    assert names[0] not in asked and len(asked) < 50


def test_rows_of_another_filter_go_when_the_new_one_is_refused(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    rows = page.get_by_role("table", name="Customers").locator("tbody tr")
    expect(rows.first).to_be_visible()
    page.route("**/accounts?**", lambda route: route.fulfill(
        status=400, json={"error": {"code": "badQuery", "message": "It cannot be searched."}}))
    page.get_by_role("searchbox").fill("ann")
    expect(page.get_by_text("badQuery").first).to_be_visible()
    expect(rows.first).to_be_hidden()


def test_a_life_of_more_than_a_page_is_shown_to_its_beginning(pages, store, world):
    app = world.app()
    original, _ = world.bought(app, "monthly")
    for _ in range(110):
        world.send("POST", f"subscriptions/{original}/cancel")
        world.send("POST", f"subscriptions/{original}/resume")
    page = pages.open(store, world.place(f"subscriptions/{original}"))
    rows = page.get_by_role("table", name="Life of the subscription").locator("tbody tr")
    changes, older = rows.filter(has_text="Renewal changed"), page.get_by_role(
        "button", name="Show older")
    expect(changes).to_have_count(200)
    older.click()
    expect(changes).to_have_count(220)
    expect(older).to_be_hidden()
    world.send("POST", f"subscriptions/{original}/cancel")
    expect(changes).to_have_count(221)
