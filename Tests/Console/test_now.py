"""Requests and history as they come, and stores that stop or change under the page."""

import json
import pathlib
import re
import urllib.request

from playwright.sync_api import expect

from parts import AWAY, REFUSED, command
from store import APP


def verify(store, body=b'{"receipt-data": "AAAA"}', headers=()):
    """Asks verifyReceipt as an app's server does."""
    request = urllib.request.Request(f"{store.url}/sandbox/verifyReceipt", data=body,
                                     headers=dict(headers))
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def rows(page, table):
    return page.get_by_role("table", name=table).locator("tbody tr")


FILES = pathlib.Path(__file__).parents[2] / "Sources" / "CConsoleFiles" / "files"


def imported(module, found):
    """Adds a module, and all that it imports before it runs."""
    if module not in found:
        found.add(module)
        for name in re.findall(r'from "(\.[^"]+)"', module.read_text()):
            imported((module.parent / name).resolve(), found)
    return found


def test_the_page_names_the_modules_of_its_first_screen():
    needed = imported(FILES / "screens" / "now.js", imported(FILES / "app.js", set()))
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', (FILES / "index.html").read_text())
    assert sorted(named) == sorted(
        str(module.relative_to(FILES)) for module in needed if module.name != "app.js")


def test_a_refused_request_appears_with_its_reason(page, store):
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    verify(store)
    row = rows(page, "Requests").filter(has_text="verifyReceipt").first
    expect(row).to_contain_text("21002")
    row.get_by_role("link").click()
    inspector = page.get_by_role("region", name="Inspector")
    expect(inspector.get_by_role("group", name="Request body")).to_contain_text(
        "receipt-data")
    expect(inspector.get_by_role("group", name="Answer")).to_contain_text("21002")
    inspector.get_by_role("button", name="Why was it refused?").click()
    expect(page.get_by_role("dialog")).to_contain_text("receipt-data is missing, is not base64")
    page.keyboard.press("Escape")
    expect(inspector).to_be_visible()
    page.reload()
    expect(inspector.get_by_role("group", name="Answer")).to_contain_text("21002")
    page.keyboard.press("Escape")
    expect(inspector).to_be_hidden()


def test_a_request_is_copied_as_curl(pages, store):
    body = b'{"receipt-data": "AAAA", "about": "it\'s $HOME"}'
    verify(store, body)
    page = pages.open(store, permissions=["clipboard-read", "clipboard-write"])
    rows(page, "Requests").filter(has_text="verifyReceipt").first.get_by_role("link").click()
    page.get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    done = store.shell(page.evaluate("navigator.clipboard.readText()"))
    assert '"status":21002' in done.stdout.replace(" ", "")
    listed = store.get("/control/v1/activity?order=newest&limit=2&search=verifyReceipt")
    bodies = [store.get(f"/control/v1/activity/{entry['number']}")["requestBody"]["text"]
              for entry in listed["requests"]]
    # What stands in the receipt's place is its size and digest.
    assert [json.loads(text)["about"] for text in bodies] == ["it's $HOME"] * 2


def test_refusals_are_counted_and_filter_the_list(page, store):
    verify(store)
    verify(store, b"[]")
    expect(rows(page, "Requests").filter(has_text="21002").first).to_be_visible()
    button = page.get_by_role("group", name="Refusals").get_by_role("button", name="21000")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(rows(page, "Requests").filter(has_text="21002")).to_have_count(0)
    assert "code=21000" in page.url


def test_a_pause_holds_the_list(page, store):
    verify(store)
    expect(rows(page, "Requests").first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    before = rows(page, "Requests").count()
    verify(store, b'{"receipt-data": "BBBB"}')
    # One that was sent earlier may arrive after the click, too.
    waiting = page.get_by_text(re.compile("(1 entry|2 entries) waiting"))
    expect(waiting).to_be_visible()
    assert rows(page, "Requests").count() == before
    page.get_by_role("button", name="Pause").click()
    expect(waiting).to_have_count(0)
    expect(rows(page, "Requests").nth(before)).to_be_visible()


def test_the_history_is_followed_and_searched_as_a_whole(pages, store, customer):
    page = pages.open(store, "/default/now/history", allows=[REFUSED])
    page.get_by_role("searchbox").fill(customer)
    expect(page.get_by_text("Nothing has happened here yet.")).to_be_visible()
    store.run("buy", f"{APP}.fuel", "--account", "ben@example.com")
    store.run("buy", f"{APP}.moontrack", "--account", customer, "--finish")
    expect(rows(page, "History")).to_have_count(2)
    page.get_by_label("Kind").select_option("purchased")
    expect(rows(page, "History")).to_have_count(1)
    rows(page, "History").get_by_role("link").click()
    expect(page.get_by_role("region", name="Inspector")).to_contain_text(f"{APP}.moontrack")
    page.go_back()
    page.get_by_role("searchbox").fill("nobody@example.com")
    expect(page.get_by_text("accountUnknown")).to_be_visible()


def test_news_are_said_aloud_unless_that_is_off(page, store):
    aloud = page.locator("[aria-live=polite]")

    def ask():
        """Sends a request, and waits until the page has it."""
        verify(store)
        latest = store.send("GET", "/control/v1/activity?order=newest&limit=1")["position"]
        expect(page.locator(f"main a[href$='/requests/{latest}']")).to_be_visible()

    ask()
    ask()
    expect(aloud).to_contain_text("new entry")
    page.get_by_role("button", name="Announcements: on").click()
    page.reload()
    expect(page.get_by_role("button", name="Announcements: off")).to_be_visible()
    ask()
    ask()
    expect(aloud).to_be_empty()


def test_times_are_shown_in_utc_or_local_time(pages, store):
    page = pages.open(store, "/default/now/history", timezone_id="Asia/Tokyo")
    time = rows(page, "History").last.locator("time")
    expect(time).to_have_text("2026-03-01 00:00:00")
    page.get_by_role("button", name="UTC").click()
    expect(time).to_have_text("2026-03-01 09:00:00")
    page.get_by_role("button", name="Local time").click()
    expect(time).to_have_text("2026-03-01 00:00:00")


def test_the_page_survives_a_restart_of_the_store(own_store, pages):
    page = pages.open(own_store, "/default/now/history", allows=[AWAY, REFUSED])
    expect(rows(page, "History").first).to_be_visible()
    before = rows(page, "History").count()
    own_store.stop()
    expect(page.get_by_text("Store is away, trying again")).to_be_visible()
    own_store.start()
    page.get_by_label("control token").or_(page.get_by_text("Connected")).first.wait_for()
    if page.get_by_label("control token").is_visible():
        page.get_by_label("control token").fill(own_store.token)
        page.get_by_role("button", name="Sign in").click()
    own_store.run("buy", f"{APP}.fuel", "--account", "ben@example.com")
    expect(rows(page, "History")).to_have_count(before + 1)
    expect(page.get_by_text("Connected")).to_be_visible()


def test_a_world_that_is_restored_or_deleted(own_store, pages):
    own_store.run("world", "snapshot", "default", "before")
    own_store.run("world", "make", "short")
    allowed = [REFUSED, AWAY]  # This store ends before its pages.
    page = pages.open(own_store, "/default/now/history", allows=allowed)
    expect(rows(page, "History").first).to_be_visible()
    before = rows(page, "History").count()
    own_store.run("buy", f"{APP}.fuel", "--account", "ben@example.com")
    expect(rows(page, "History")).to_have_count(before + 1)
    own_store.run("world", "restore", "default", "before", "--yes")
    expect(page.get_by_text("History: the list starts over").first).to_be_visible()
    expect(rows(page, "History")).to_have_count(before)
    other = pages.open(own_store, "/short/now/history", allows=allowed)
    expect(other.get_by_text("Nothing has happened here yet.")).to_be_visible()
    own_store.run("world", "delete", "short")
    expect(other.get_by_text("worldUnknown")).to_be_visible()
    other.get_by_role("link", name="Go to the default world").click()
    expect(other.get_by_role("button", name="World default")).to_be_visible()


def test_another_world_is_chosen_and_stands_in_the_address(page, store):
    page.get_by_role("button", name="World default").click()
    dialog = page.get_by_role("dialog", name="Worlds")
    expect(dialog.get_by_role("link", name="default")).to_be_visible()
    dialog.get_by_role("searchbox").fill("check")
    expect(dialog.get_by_role("link", name="default")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="World checkout")).to_be_visible()
    assert "#/checkout/now" in page.url
    page.go_back()
    expect(page.get_by_role("button", name="World default")).to_be_visible()


def test_an_action_in_a_session_names_its_world(pages, store):
    page = pages.open(store, "/checkout/customers")
    page.get_by_role("button", name="New customer…").click()
    assert command(page.get_by_role("dialog")).endswith("--world checkout")
