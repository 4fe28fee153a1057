"""Pages that follow the store: what ends, comes late or goes on, and where the focus is."""

import json
import re

from playwright.sync_api import expect

from parts import AWAY, REFUSED, customer_place, open_action, submit
from store import APP


def failing(code, status=500):
    body = json.dumps({"error": {"code": code, "message": "No longer."}})
    return lambda route: route.fulfill(status=status, content_type="application/json", body=body)


def test_a_page_says_that_its_world_is_gone(pages, store):
    store.run("world", "make", "leaving")
    places = ["refunds", "faults", "settings/connect"]
    shown = [pages.open(store, f"/leaving/{place}", allows=[REFUSED]) for place in places[:2]]
    store.run("world", "delete", "leaving")
    for page in shown:
        expect(page.get_by_role("main").get_by_text("worldUnknown").first).to_be_visible()
        expect(page.get_by_role("link", name="Go to the default world").first).to_be_visible()


def test_a_page_says_that_it_is_not_renewed_and_recovers(pages, store):
    page = pages.open(store, customer_place("ben@example.com"), allows=[r"a status of 500"])
    card = page.locator(".card")
    expect(card.get_by_text("Storefront", exact=True)).to_be_visible()
    page.route("**/accounts/details?*", failing("broken"))
    expect(card.get_by_text("broken")).to_be_visible()
    page.unroute("**/accounts/details?*")
    expect(card.get_by_text("Storefront", exact=True)).to_be_visible()


def test_a_screen_that_was_left_shows_no_failure(pages, store):
    page = pages.open(store, "/default/customers", allows=[AWAY])
    held = []
    page.route("**/console/screens/ledger.js", lambda route: held.append(route))
    with page.expect_request("**/console/screens/ledger.js"):
        page.get_by_role("link", name="Ledger").click()
    page.get_by_role("link", name="Worlds").click()
    expect(page.get_by_role("heading", name="Worlds")).to_be_visible()
    with page.expect_event("requestfailed"):
        held[0].abort()
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("heading", name="Worlds")).to_be_visible()


def test_signing_out_closes_a_dialog(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    open_action(page, "New customer")
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    store.send("DELETE", "/console/v1/session", token=session)
    page.get_by_role("dialog").get_by_label("Name", exact=True).fill("late@example.com")
    page.get_by_role("dialog").get_by_role("button", name="New customer").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_stale_code_keeps_the_session(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    page.goto(f"{store.url}/console/#code=abcdefgh")
    expect(page.locator(".notice.bad")).to_be_visible()
    expect(page.get_by_role("navigation", name="Screens")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('bodega.session')") == session


def test_a_late_refusal_of_an_older_session_keeps_the_present_one(pages, store):
    page = pages.open(store, "/default/shop/gift-codes", allows=[REFUSED])
    dialog = open_action(page, "Make a gift code")
    held = []
    page.route("**/control/v1/gift-codes", lambda route: held.append(route))
    with page.expect_request("**/control/v1/gift-codes"):
        dialog.get_by_role("button", name="Make a gift code").click()
    page.goto(f"{store.url}/console/#code={store.code()}")
    expect(page.get_by_role("heading", name="Now")).to_be_visible()
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    with page.expect_response("**/control/v1/gift-codes"):
        failing("sessionUnknown", 401)(held[0])
    page.get_by_role("link", name="Worlds").click()
    expect(page.get_by_role("heading", name="Worlds")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('bodega.session')") == session


def test_the_focus_stays_in_its_row(pages, store):
    names = [f"focus-{number}" for number in range(3)]
    for name in names:
        store.run("world", "snapshot", "default", name)
    page = pages.open(store, "/default/worlds/default")
    row = page.get_by_role("table", name="Snapshots").get_by_role("row", name=names[1])
    row.get_by_role("button", name="Restore").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    dialog = open_action(page, "Take a snapshot")
    dialog.get_by_label("Name").fill("focus-new")
    row.locator("button").first.evaluate("button => button.scrollIntoView()")
    submit(dialog, "Take a snapshot")
    expect(page.get_by_role("table", name="Snapshots")).to_contain_text("focus-new")
    expect(page.get_by_role("button", name="Take a snapshot…")).to_be_focused()
    delete = row.get_by_role("button", name="Delete")
    delete.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("to confirm").fill(names[1])
    dialog.get_by_label("to confirm").press("Enter")
    expect(row).to_have_count(0)
    expect(page.locator(".loaded:focus")).to_have_count(1)


def test_the_focus_stays_through_a_refresh(pages, store):
    page = pages.open(store, "/default/faults")
    history = "/inApps/v1/notifications/history"
    for path in ["/verifyReceipt", history]:
        store.run("fault", "request", path, "--status", "503")
    table = page.get_by_role("table", name="Faults of requests")
    button = table.get_by_role("row", name=history).get_by_role("button", name="End…")
    button.focus()
    store.run("fault", "request", "/inApps/v1/notifications/test", "--status", "503")
    expect(table.get_by_text("/test")).to_be_visible()
    expect(button).to_be_focused()
    store.run("fault", "clear")


def test_another_screen_begins_with_the_focus(pages, store):
    page = pages.open(store, "/default/customers")
    link = page.get_by_role("link", name="ann@example.com")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="ann@example.com")).to_be_visible()
    expect(page.get_by_role("main")).to_be_focused()
    tab = page.get_by_role("navigation", name="Customer").get_by_role("link", name="Devices")
    tab.focus()
    page.keyboard.press("Enter")
    expect(tab).to_have_attribute("aria-current", "page")
    expect(tab).to_be_focused()
    page.goto(f"{store.url}/console/#/default/settings")
    tab = page.get_by_role("navigation", name="Settings").get_by_role("link", name="Certificates")
    tab.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Rotate the leaf of sandbox").first).to_be_visible()
    expect(tab).to_be_focused()


def test_the_keys_walk_through_all_tables(pages, store):
    page = pages.open(store, "/default/settings/secrets")
    apps = page.get_by_role("table", name="Apps").get_by_role("link")
    developers = page.get_by_role("table", name="Developer accounts").get_by_role("link")
    expect(apps.first).to_be_visible()
    page.keyboard.press("j")
    expect(developers.first).to_be_focused()
    for _ in range(developers.count()):
        page.keyboard.press("j")
    expect(apps.first).to_be_focused()


def test_the_clock_is_asked_one_at_a_time(pages, store):
    page = pages.open(store, "/default/worlds")
    held = []
    page.route("**/control/v1/clock", lambda route: held.append(route))
    with page.expect_request("**/control/v1/clock"):
        page.get_by_title("The world's clock").click()
    expect(page.get_by_role("dialog", name="Clock")).to_be_visible()
    store.run("buy", f"{APP}.fuel", "--account", "ben@example.com")
    with page.expect_response(re.compile("/events")):
        pass
    store.run("buy", f"{APP}.fuel", "--account", "ben@example.com")
    with page.expect_response(re.compile("/subscriptions")):
        pass
    assert len(held) == 1
    with page.expect_request("**/control/v1/clock"):
        held[0].continue_()


def test_a_span_stays_while_the_clock_runs(pages, store):
    store.run("world", "make", "running")
    page = pages.open(store, "/running/worlds")
    page.get_by_title("The world's clock").click()
    panel = page.get_by_role("dialog", name="Clock")
    slider = panel.get_by_role("slider")
    panel.get_by_role("button", name="1 hour").click()
    place = slider.input_value()
    with page.expect_response(re.compile("/clock$"), timeout=40_000):
        pass
    assert slider.input_value() == place


def test_a_world_is_watched_after_a_first_answer_was_lost(pages, store, customer):
    page = pages.open(store, "/default/worlds", allows=[AWAY])
    lost = []

    def lose(route):
        lost.append(route.request.url)
        if len(lost) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/control/v1/events\?order=newest"), lose)
    with page.expect_event("requestfailed"):
        page.goto(f"{store.url}/console/#/default/subscriptions")
    with page.expect_response(re.compile(r"/events\?order=newest")):
        pass
    store.run("buy", f"{APP}.club", "--account", customer)
    expect(page.get_by_role("table", name="Subscriptions")).to_contain_text(customer)


def test_closing_what_is_open_leads_back_to_its_row(pages, store):
    page = pages.open(store, "/default/now/history")
    link = page.get_by_role("table", name="History").get_by_role("link").first
    link.click()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(link).to_be_focused()


def test_an_open_part_stays_open_when_the_page_follows_the_store(pages, store, customer):
    page = pages.open(store, f"/default/customers/sandbox/{customer}")
    page.locator("main details summary", has_text="More actions").click()
    button = page.get_by_role("button", name="Sign out everywhere")
    expect(button).to_be_visible()
    store.run("credit", "add", customer, "7")
    expect(page.locator("main").get_by_text("$7.00").first).to_be_visible(timeout=30_000)
    expect(button).to_be_visible()
