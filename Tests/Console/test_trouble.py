"""Answers that are wrong, late, in disorder or missed: the page says so and goes on."""

import collections
import http.client
import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import expect

from backends import eventually
from parts import submit, open_action
from test_actions_complete import see_pages
from worlds import Device

INSPECTOR_MAX = 2000
FAILED = r"Failed to load resource: the server responded with a status of 50\d"

# Every place of the console, and what is there once the store has answered.
PLACES = {
    "now/requests": "table[aria-label=Requests] tbody tr",
    "now/requests/{request}": ".inspector [aria-label=Answer]",
    "now/history": "table[aria-label=History] tbody tr",
    "now/history/{event}": ".inspector [aria-label='Event as JSON']",
    "shop/apps": "table[aria-label=Apps] tbody tr",
    "shop/apps/{app}/products": "table[aria-label=Products] tbody tr",
    "shop/apps/{app}/products/{product}": "table[aria-label=Reviews] tbody tr",
    "shop/apps/{app}/reviews": "table[aria-label=Reviews] tbody tr",
    "shop/apps/{app}/keys": "table[aria-label='Offer keys'] tbody tr",
    "shop/apps/{app}/content": "main .empty",
    "shop/apps/{app}/settings": "main dl",
    "shop/gift-codes": "table[aria-label='Gift codes'] tbody tr",
    "customers": "table[aria-label=Customers] tbody tr",
    "customers/{environment}/{account}": "table[aria-label=Purchases] tbody tr",
    "customers/{environment}/{account}/subscriptions":
        "table[aria-label=Subscriptions] tbody tr",
    "customers/{environment}/{account}/devices": "table[aria-label=Devices] tbody tr",
    "customers/{environment}/{account}/devices/{device}": "table[aria-label=Attempts] tbody tr",
    "customers/{environment}/{account}/credit": "table[aria-label=Credit] tbody tr",
    "customers/{environment}/{account}/family": "table[aria-label=Members] tbody tr",
    "customers/{environment}/{account}/apps": "table[aria-label=Apps] tbody tr",
    "customers/{environment}/{account}/apps/{app}": "main .loaded .empty",
    "approvals/ask-to-buy": "table[aria-label='Purchases that wait for approval'] tbody tr",
    "approvals/interrupted":
        "table[aria-label='Customers whose purchases are interrupted'] tbody tr",
    "approvals/payments": "main .empty",
    "approvals/price-consents": "table[aria-label='Price consents'] tbody tr",
    "approvals/price-consents/{consent}": "main dl",
    "subscriptions": "table[aria-label=Subscriptions] tbody tr",
    "subscriptions/{original}": "table[aria-label='Life of the subscription'] tbody tr",
    "refunds": "table[aria-label=Refunds] tbody tr",
    "refunds/{original}": ".timeline li",
    "notifications/sent": "table[aria-label=Notifications] tbody tr",
    "notifications/sent/{notification}": ".timeline li",
    "notifications/servers": "main .card",
    "receipts": "main form.filters select",
    "faults": "main .card",
    "worlds": "table[aria-label=Worlds] tbody tr",
    "worlds/{world}": "main dl",
    "ledger/accounts": "table[aria-label=Accounts] tbody tr",
    "ledger/entries": "table[aria-label=Entries] tbody tr",
    "ledger/payments": "main .empty",
    "settings/shop": "main dl",
    "settings/secrets": "table[aria-label=Apps] tbody tr",
    "settings/secrets/{kind}/{app}": "table[aria-label='Shared secrets'] tbody tr",
    "settings/certificates": "table[aria-label=Certificates] tbody tr",
    "settings/connect": "main dl",
    "settings/console": "main dl",
}
# The tabs that their screen's own address shows.
FIRST_TABS = {"now": "requests", "shop": "apps", "shop/apps/*": "products",
              "approvals": "ask-to-buy", "notifications": "sent", "ledger": "accounts",
              "settings": "shop"}


@pytest.fixture(scope="module")
def it(world):
    """Something for each place."""
    app = world.app()
    # The store is no app's server, and refuses what is sent.
    world.run("notification", "set", app, f"{world.store.url}/", "--private")
    original, account = world.bought(app, "monthly")
    waits, interrupted = world.customer(), world.customer()
    world.run("account", "approval", waits, "on")
    world.buy(app, "issue", waits)
    world.run("account", "interrupt", interrupted, "on")
    world.run("refund", "request", original, "--reason", "other")
    world.run("gift-code", "make", "5", "USD")
    for environment, name in [("sandbox", account), ("production", world.customer("production"))]:
        world.run("credit", "add", name, "5", "--environment", environment)
    world.run("family", "make", account)
    consent = world.send("POST", "price-consents", {
        "name": account, "bundleId": app, "productId": f"{app}.monthly", "price": "2.99",
        "environment": "sandbox"})["number"]
    world.send("POST", f"apps/{app}/secrets", {"overlapMilliseconds": 0})
    world.send("POST", f"apps/{app}/offer-keys")
    Device(world, app, account).send("GET", "app-transaction")
    verify(world, 1)

    def first(path, number="number"):
        """The number of the first row of an answer."""
        answer = world.get(path)
        return next(rows for rows in answer.values() if isinstance(rows, list))[0][number]

    return {"app": app, "product": f"{app}.issue", "original": original, "account": account,
            "environment": "sandbox", "kind": "app", "world": world.name, "consent": consent,
            "device": first(f"devices?account={account}&environment=sandbox", "deviceId"),
            "request": first("activity?order=newest"),
            "event": first("events?order=newest"),
            "notification": first("notifications")}


def verify(world, count):
    """Asks verifyReceipt so many times, over one connection."""
    connection = http.client.HTTPConnection(urlparse(world.store.url).netloc)
    for _ in range(count):
        connection.request("POST", f"{world.path}/sandbox/verifyReceipt", b"{}")
        connection.getresponse().read()
    connection.close()


@pytest.fixture
def reads():
    """The addresses of what the page reads of its server."""
    return re.compile("/(control|console)/v1/")


@pytest.fixture
def answers(screen, reads):
    """Answers all that the page reads of its server by a handler, until it is ended."""
    def begin(handler):
        screen.allows.append(FAILED)
        screen.page.route(reads, handler)
        return lambda: screen.page.unroute(reads)

    yield begin
    screen.page.unroute_all()


def test_each_place_is_in_the_table(screen, it):
    """What a link or tab leads to, wherever it is."""
    screen.allows.append("status of 404")  # Customers who never had an app.
    forms = {f"{form}/{FIRST_TABS[form]}" if form in FIRST_TABS else form
             for form in see_pages(screen, collections.defaultdict(set))}
    seen = {place: {form for form in forms if re.fullmatch(re.sub(r"{\w+}", "[^/]+", place), form)}
            for place in PLACES}
    assert forms - set().union(*seen.values()) == set(), "of the pages, not in the table"
    assert [place for place in PLACES if not seen[place]] == [], "of the table, not in the pages"


def show_an_error(screen, answers, place, content):
    """Of a place whose server fails for a while; `content` is there once it has answered."""
    end = answers(lambda route: route.fulfill(
        status=500, json={"error": {"code": "internal", "message": "The store stumbled."}}))
    screen.go(place)
    failure = screen.page.locator("main").get_by_role("alert").filter(
        has_text="The store stumbled.")
    expect(failure.first).to_be_visible()
    expect(failure.first).to_contain_text("internal")
    # A part that fails after the click would stay so.
    expect(screen.page.locator("p:visible", has_text="Loading…")).to_have_count(0)
    expect(screen.page.locator("[aria-busy=true]")).to_have_count(0)
    end()
    # Some parts ask again by themselves, and their buttons go away meanwhile.
    screen.page.locator("main").get_by_role("button", name="Try again").evaluate_all(
        "buttons => buttons.forEach(button => button.click())")
    expect(screen.page.locator(content).first).to_be_visible()
    expect(failure).to_have_count(0)


def ask_again(screen, answers, place, content):
    """Of a place whose server is busy at first."""
    refused = set()

    def handler(route):
        if route.request.url in refused:
            route.continue_()
        else:
            refused.add(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "0"})

    answers(handler)
    screen.go(place)
    expect(screen.page.locator(content).first).to_be_visible()
    assert refused
    expect(screen.page.locator("main").get_by_role("alert")).to_have_count(0)


def wait(screen, answers, reads, place, content):
    """Of a place whose server is slow."""
    held, is_slow = [], True
    answers(lambda route: held.append(route) if is_slow else route.continue_())
    with screen.page.expect_request(reads):
        screen.page.evaluate("place => { location.hash = place; }", screen.world.place(place))
    expect(screen.page.get_by_role("heading", level=1)).to_be_visible()
    expect(screen.page.locator(content)).to_have_count(0)
    expect(screen.page.locator("main").get_by_role("alert")).to_have_count(0)
    is_slow = False
    for route in held:
        route.continue_()
    expect(screen.page.locator(content).first).to_be_visible()


each_place = pytest.mark.parametrize("place", PLACES)


@each_place
def test_an_error_is_shown_until_the_store_answers(screen, it, answers, place):
    show_an_error(screen, answers, place.format(**it), PLACES[place])


@each_place
def test_a_busy_store_is_asked_again_by_itself(screen, it, answers, place):
    ask_again(screen, answers, place.format(**it), PLACES[place])


@each_place
def test_a_slow_store_is_waited_for(screen, it, answers, reads, place):
    wait(screen, answers, reads, place.format(**it), PLACES[place])


def test_requests_that_were_overwritten_meanwhile_are_counted(screen, it):
    page, held = screen.page, []
    screen.go("now/requests")
    rows = page.locator(PLACES["now/requests"])
    expect(rows.first).to_be_visible()
    polls = re.compile(r"/control/v1/activity\?.*wait=")
    page.route(polls, lambda route: held.append(route))
    with page.expect_request(polls) as poll:
        verify(screen.world, 1)  # It ends the poll that is on its way; the next one is held.
    cursor = int(parse_qs(urlparse(poll.value.url).query)["after"][0])
    verify(screen.world, INSPECTOR_MAX + 200)
    first = screen.world.get(f"activity?after={cursor}&limit=1")["first"]
    assert first > cursor + 200
    expect(rows.first).to_be_visible()  # The route is handled by now.
    held.pop().continue_()
    page.unroute(polls)
    expect(page.get_by_text(re.compile("^Missed "))).to_have_text(
        re.compile(f"^Missed ({'|'.join(f'{first - cursor + more:,}' for more in range(-1, 9))}) "
                   "entries: the store keeps only its newest."))
    verify(screen.world, 1)
    newest = screen.world.get("activity?order=newest&limit=50")["requests"]
    number = next(one["number"] for one in newest if "verifyReceipt" in one["path"])
    expect(rows.first.get_by_role("link")).to_have_attribute("href", re.compile(f"/{number}$"))


def stale(page, pattern):
    """Holds back the next answer to a read, as it is by now; its release sends it."""
    held = []

    def handler(route):
        if route.request.method == "GET" and not held:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route(pattern, handler)
    return held


def test_a_late_answer_does_not_replace_what_an_action_changed_since(screen):
    page = screen.page
    screen.go("settings/shop")
    held = stale(page, "**/control/v1/shop")
    for delay in ["1h", "2h"]:
        dialog = open_action(page, "Change the shop")
        dialog.get_by_label("Delay of changes").fill(delay)
        submit(dialog, "Change the shop")
    expect(page.get_by_text("2 h", exact=True)).to_be_visible()
    route, answer = held[0]
    assert answer.json()["delayMilliseconds"] == 3_600_000
    with page.expect_response("**/control/v1/shop"):
        route.fulfill(response=answer)
    dialog = open_action(page, "Change the shop")
    expect(dialog.get_by_label("Delay of changes")).to_have_value("2h")
    expect(page.get_by_text("2 h", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.unroute_all()
    screen.world.run("shop", "set", "--delay", "0s")


def test_a_late_answer_does_not_turn_the_clock_back(screen):
    page = screen.page
    held = stale(page, "**/control/v1/clock")
    page.get_by_role("button", name="Clock: ").click()
    expect(page.get_by_role("dialog", name="Clock")).to_be_visible()
    page.keyboard.press("Escape")
    # Each evaluation lets the route be handled.
    assert eventually(lambda: page.evaluate("true") and held)
    screen.world.run("clock", "advance", "1h")
    page.get_by_role("button", name="Clock: ").click()
    shown = page.get_by_role("dialog", name="Clock").locator(".face time")
    now = page.evaluate("now => new Date(now).toISOString()", screen.world.now())
    route, answer = held[0]
    assert answer.json()["now"] < screen.world.now()
    with page.expect_response("**/control/v1/clock"):
        route.fulfill(response=answer)
    page.get_by_role("dialog", name="Clock").get_by_role("button", name="1 day").click()
    expect(shown).to_have_attribute("datetime", now)
    page.keyboard.press("Escape")
    page.unroute_all()
