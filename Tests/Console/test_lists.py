"""Lists that grow, are filtered and are read in pages: nothing is left out without a word."""

import json
import re

import pytest
from playwright.sync_api import expect

from parts import REFUSED, customer_place
from store import APP


class Numbers:
    """A list of requests that stands in for the store's: as long as a test wants it."""

    def __init__(self, page, newest):
        self.newest, self.asked, self.waiting, self.holds_older = newest, [], None, False
        self.poll = None
        page.route(re.compile(r"/control/v1/activity\?"), self.answer)

    @staticmethod
    def entry(number):
        refusal = {"status": 404, "code": "notFound"} if number % 100 == 0 else {}
        return {"number": number, "request": f"r{number}", "at": 1_700_000_000_000,
                "method": "POST", "path": f"/sandbox/n{number}", "status": 200,
                "microseconds": 900, "bytes": 10, **refusal}

    def answer(self, route):
        query = dict(re.findall(r"(\w+)=(\w+)", route.request.url))
        after = int(query.get("after", 0))
        if query.get("order") == "newest":
            last = after - 1 if after else self.newest
            numbers = list(range(last, max(0, last - int(query["limit"])), -1))
            body = {"first": 1, "position": self.newest,
                    "requests": [self.entry(number) for number in numbers]}
            if numbers and numbers[-1] > 1:
                body["next"] = numbers[-1]
            self.asked.append(after)
            if after and self.holds_older:
                self.waiting = (route, body)
                return
        else:
            if after >= self.newest:
                self.poll = route
                return
            numbers = range(after + 1, min(self.newest, after + 500) + 1)
            body = {"first": 1, "position": self.newest, "next": numbers[-1],
                    "requests": [self.entry(number) for number in numbers]}
        route.fulfill(body=json.dumps(body), content_type="application/json")

    def grow(self, page, count):
        """More requests come; the page then asks on."""
        with page.expect_request(re.compile("wait=")):
            self.newest += count
            self.answer(self.poll)


def numbers(page):
    texts = page.get_by_role("table", name="Requests").locator(".request").all_inner_texts()
    return [int(text.split("/n")[1]) for text in texts]


def opened(pages, store, newest):
    page = pages.open(store, "/default/worlds")
    list_ = Numbers(page, newest)
    with page.expect_request(re.compile("wait=")):
        page.goto(f"{store.url}/console/#/default/now/requests")
    expect(page.get_by_text(f"POST /sandbox/n{newest}", exact=True)).to_be_visible()
    return page, list_


def test_older_entries_follow_on_those_that_are_shown(pages, store):
    page, list_ = opened(pages, store, 1000)
    for count in [400, 200]:
        list_.grow(page, count)
        expect(page.get_by_text(f"POST /sandbox/n{list_.newest}", exact=True)).to_be_visible()
    assert numbers(page)[-1] == 1401
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_text("POST /sandbox/n1201", exact=True)).to_be_visible()
    assert numbers(page) == list(range(1600, 1200, -1))


def test_refusals_are_counted_among_the_entries_that_are_shown(pages, store):
    page, _ = opened(pages, store, 400)
    expect(page.get_by_role("button", name="notFound × 2")).to_be_visible()
    expect(page.get_by_text("Counted among the latest 200 entries.")).to_be_visible()
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_role("button", name="notFound × 4")).to_be_visible()
    expect(page.get_by_text("Counted among")).to_have_count(0)


def test_older_entries_are_asked_for_once(pages, store):
    page, list_ = opened(pages, store, 1000)
    list_.holds_older = True
    button = page.get_by_role("button", name="Show older")
    with page.expect_request(re.compile("after=801")):
        button.click()
    button.click()
    route, body = list_.waiting
    route.fulfill(body=json.dumps(body), content_type="application/json")
    expect(page.get_by_text("POST /sandbox/n601", exact=True)).to_be_visible()
    assert numbers(page) == list(range(1000, 600, -1))
    assert list_.asked.count(801) == 1


def test_a_pause_lets_older_entries_in_and_no_newer_ones(pages, store):
    page, list_ = opened(pages, store, 1000)
    page.get_by_role("button", name="Pause").click()
    list_.grow(page, 7)
    expect(page.get_by_text("7 entries waiting.")).to_be_visible()
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_text("POST /sandbox/n601", exact=True)).to_be_visible()
    assert numbers(page) == list(range(1000, 600, -1))
    expect(page.get_by_text("7 entries waiting.")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("POST /sandbox/n1007", exact=True)).to_be_visible()


def test_a_filter_ends_a_pause(pages, store, customer):
    store.run("buy", f"{APP}.fuel", "--account", customer)
    page = pages.open(store, "/default/now/history")
    expect(page.get_by_role("table", name="History")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("searchbox").fill(customer)
    expect(page.get_by_role("table", name="History").locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "false")


def test_requests_are_searched_in_the_whole_list(pages, store):
    page = pages.open(store, "/default/now/requests?q=nowhere-at-all")
    with page.expect_request(re.compile(r"/activity\?.*search=verifyReceipt")):
        page.get_by_role("searchbox").fill("verifyReceipt")
    expect(page.get_by_text("Requests that this server answered")).to_be_visible()


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


def test_a_request_of_which_only_the_line_is_kept_says_so_and_is_no_curl(pages, store):
    page, list_ = opened(pages, store, 50)
    kept = {**list_.entry(50), "headers": [], "lines": []}
    page.route("**/control/v1/activity/50", lambda route: route.fulfill(json=kept))
    page.get_by_text("POST /sandbox/n50", exact=True).click()
    inspector = page.get_by_role("region", name="Inspector")
    expect(inspector.get_by_text("kept only the list's line")).to_be_visible()
    expect(inspector.get_by_text("It cannot be given as curl")).to_be_visible()
    expect(inspector.get_by_role("button", name="Copy as curl")).to_have_count(0)
    expect(inspector.get_by_text("The log has nothing about it.")).to_have_count(0)
