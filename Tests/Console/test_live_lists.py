"""Lists that grow while they are looked at: the requests and the history of *Now*."""

import json
import re

from playwright.sync_api import expect

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
