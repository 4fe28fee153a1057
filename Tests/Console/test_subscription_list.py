"""The list of subscriptions, which follows the store while its pages are read, fail and are read
again; and the clock's forecast, which reads them, too."""

import json
import re

import pytest
from playwright.sync_api import expect

from store import APP


class Subscriptions:
    """A list of 120 subscriptions in pages of 60; answers are held as long as a test wants."""

    def __init__(self, page):
        self.rows = [
            {"originalTransactionId": str(number), "transactionId": str(number), "renewals": 0,
             "account": f"s{number}@example.com", "environment": "sandbox", "bundleId": APP,
             "group": "g", "productId": "club", "state": "active", "autoRenews": True,
             "failsBilling": False, "startDate": 0, "expiresDate": 1, "currency": "USD",
             "priceMilliunits": 990, "next": {"kind": "renewal", "at": 1_700_000_000_000}}
            for number in range(1, 121)]
        self.holds, self.held = False, []
        self.lacks_more = self.lacks_all = False
        page.route(re.compile(r"/control/v1/subscriptions(\?|$)"), self.answer)

    def answer(self, route):
        after = re.search(r"after=(\d+)", route.request.url)
        ids = [row["originalTransactionId"] for row in self.rows]
        first = ids.index(after[1]) + 1 if after else 0
        body = {"subscriptions": self.rows[first:first + 60]}
        if first + 60 < len(self.rows):
            body["next"] = ids[first + 59]
        if self.lacks_all or self.lacks_more and first > 0:
            route.fulfill(status=500, json={"error": {"code": "internal", "message": "It broke."}})
        elif self.holds:
            self.held.append((route, json.dumps(body)))
        else:
            route.fulfill(body=json.dumps(body), content_type="application/json")

    def release(self):
        self.holds = False
        for route, body in self.held:
            route.fulfill(body=body, content_type="application/json")


@pytest.fixture
def subscriptions(pages, store):
    page = pages.open(store, "/default/worlds", allows=["status of 500"])
    list_ = Subscriptions(page)
    page.goto(f"{store.url}/console/#/default/subscriptions")
    table = page.get_by_role("table", name="Subscriptions")
    expect(table.get_by_text("Renews").first).to_be_visible()
    # The page's clock has read them, too.
    expect(page.locator(".forecast")).not_to_have_text(re.compile("^(Loading…)?$"))
    return page, table, list_


def test_subscriptions_keep_their_pages_when_something_happens(subscriptions, store, customer):
    page, table, list_ = subscriptions
    page.get_by_role("button", name="Show more").click()
    link = table.get_by_role("link", name="s120@example.com")
    link.focus()
    list_.rows[0]["state"] = "billingRetry"
    store.run("buy", f"{APP}.fuel", "--account", customer)
    expect(table.get_by_text("Billing retry")).to_be_visible()
    expect(link).to_be_focused()


def test_what_happens_while_more_is_read_is_shown_after_it(subscriptions, store, customer):
    page, table, list_ = subscriptions
    list_.holds = True
    with page.expect_request(re.compile("after=60")):
        page.get_by_role("button", name="Show more").click()
    list_.rows[0]["state"] = "billingRetry"
    # The page's clock asks for the first page as well, and after the list.
    with page.expect_request(re.compile("/subscriptions$")):
        store.run("buy", f"{APP}.fuel", "--account", customer)
    list_.release()
    expect(table.get_by_role("link", name="s120@example.com")).to_be_visible()
    expect(table.get_by_text("Billing retry")).to_be_visible()


def test_a_refresh_leaves_the_reason_why_there_is_no_more(subscriptions, store, customer):
    page, table, list_ = subscriptions
    broken = page.locator(".more").get_by_text("It broke.")
    list_.lacks_more = True
    page.get_by_role("button", name="Show more").click()
    expect(broken).to_be_visible()
    list_.rows[0]["state"] = "billingRetry"
    store.run("buy", f"{APP}.fuel", "--account", customer)
    expect(table.get_by_text("Billing retry")).to_be_visible()
    expect(broken).to_be_visible()
    list_.lacks_more = False
    page.get_by_role("button", name="Try again").click()
    expect(table.get_by_role("link", name="s120@example.com")).to_be_visible()
    expect(broken).to_have_count(0)


def test_trying_again_goes_on_after_the_rows_that_a_refresh_brought(
        subscriptions, store, customer):
    page, table, list_ = subscriptions
    list_.lacks_more = True
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".more").get_by_text("It broke.")).to_be_visible()
    list_.rows.insert(0, {**list_.rows[0], "originalTransactionId": "0", "account": "new"})
    store.run("buy", f"{APP}.fuel", "--account", customer)
    expect(table.get_by_role("link", name="new")).to_be_visible()
    list_.lacks_more = False
    page.get_by_role("button", name="Try again").click()
    expect(table.locator("tbody tr")).to_have_count(120)
    expect(table.get_by_role("link", name="s60@example.com")).to_be_visible()


def test_trying_again_reads_the_first_page_after_a_refresh_failed_as_the_next_page_did(
        subscriptions, store, customer):
    page, table, list_ = subscriptions
    list_.lacks_more = True
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".more").get_by_text("It broke.")).to_be_visible()
    list_.lacks_all = True
    store.run("buy", f"{APP}.fuel", "--account", customer)
    expect(table).to_be_hidden()
    list_.lacks_all = list_.lacks_more = False
    page.locator(".more").get_by_role("button", name="Try again").click()
    expect(table.locator("tbody tr")).to_have_count(60)
    expect(page.get_by_role("button", name="Show more")).to_be_visible()


def test_a_failed_next_page_is_forgotten_with_the_pages(subscriptions, store, customer):
    page, table, list_ = subscriptions
    foot = page.locator(".more")
    list_.lacks_more = True
    page.get_by_role("button", name="Show more").click()
    expect(foot.get_by_text("It broke.")).to_be_visible()
    del list_.rows[50:]
    list_.rows[0]["state"] = "billingRetry"
    store.run("buy", f"{APP}.fuel", "--account", customer)
    expect(table.get_by_text("Billing retry")).to_be_visible()
    expect(foot.get_by_text("It broke.")).to_have_count(0)
    expect(foot.get_by_role("button")).to_have_count(0)


def test_more_that_is_read_during_a_refresh_does_not_end_it(subscriptions, store, customer):
    page, table, list_ = subscriptions
    list_.holds = True
    with page.expect_request(re.compile("/subscriptions$")):
        store.run("buy", f"{APP}.fuel", "--account", customer)
    page.locator("body").is_visible()  # The route is handled by now.
    assert list_.held
    list_.holds = False
    page.get_by_role("button", name="Show more").click()
    expect(table.get_by_role("link", name="s120@example.com")).to_be_visible()
    list_.rows[0]["state"] = "billingRetry"
    list_.release()
    expect(table.get_by_text("Billing retry")).to_be_visible()


def test_a_forecast_says_that_it_has_not_read_everything(pages, store):
    page = pages.open(store, "/default/worlds")
    page.route(re.compile(r"/control/v1/subscriptions(\?|$)"), lambda route: route.fulfill(
        content_type="application/json", body=json.dumps({"subscriptions": [], "next": 9})))
    page.get_by_title("The world's clock").click()
    panel = page.get_by_role("dialog", name="Clock")
    expect(panel.get_by_text("the world has more")).to_be_visible()
