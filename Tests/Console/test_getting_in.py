"""Signing in, sessions that only read, and their ends."""

import json
import re

import pytest
from playwright.sync_api import expect

from parts import AWAY, REFUSED, open_action
from store import Refused


def sign_in(page, token, *, read_only=False):
    page.get_by_label("control token").fill(token)
    page.get_by_label("Only read").set_checked(read_only)
    page.get_by_role("button", name="Sign in").click()


def test_the_command_opens_the_console_once(pages, store):
    address = store.run("console").strip()
    page = pages.open(store, signs_in=False, allows=[REFUSED])
    page.goto(address)
    expect(page.get_by_role("navigation", name="Screens")).to_be_visible()
    assert "code" not in page.url and address.split("=")[1] not in page.url
    other = pages.open(store, signs_in=False, allows=[REFUSED])
    other.goto("about:blank")
    other.goto(address)
    expect(other.get_by_role("alert")).to_contain_text("codeUnknown")
    assert "code" not in other.url


def test_the_first_screen_is_loaded_while_the_session_is_asked_for(pages, store):
    page = pages.open(store, signs_in=False, allows=[REFUSED])
    held = []
    page.route("**/console/v1/sessions", lambda route: held.append(route))
    page.goto("about:blank")
    with page.expect_response(re.compile("/screens/requests.js$")):
        page.goto(store.run("console").strip())
    expect(page.get_by_role("navigation", name="Screens")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="Now")).to_be_visible()


def test_the_control_token_signs_in_and_keeps_the_address(pages, store):
    page = pages.open(store, "/default/customers", signs_in=False, allows=[REFUSED])
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("controlTokenWrong")
    sign_in(page, store.token)
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    assert page.url.endswith("#/default/customers")
    assert page.context.cookies() == []


def test_a_session_that_only_reads_changes_nothing(pages, store):
    page = pages.open(store, "/default/customers", signs_in=False)
    sign_in(page, store.token, read_only=True)
    expect(page.get_by_text("Only reads")).to_be_visible()
    expect(page.get_by_role("button", name="New customer…")).to_be_disabled()
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    try:
        store.send("POST", "/control/v1/accounts", {"name": "x@example.com"}, token=session)
        raise AssertionError("it changed the store")
    except Refused as refused:
        assert refused.code == "sessionReadsOnly"


def test_the_page_only_reads_as_soon_as_the_store_says_so(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    refusal = {"error": {"code": "sessionReadsOnly", "message": "This session only reads."}}
    page.route("**/control/v1/accounts", lambda route: route.fulfill(
        status=403, content_type="application/json", body=json.dumps(refusal))
        if route.request.method == "POST" else route.continue_())
    dialog = open_action(page, "New customer")
    dialog.get_by_label("Name", exact=True).fill("kept@example.com")
    dialog.get_by_role("button", name="New customer").click()
    expect(dialog.get_by_role("alert")).to_contain_text("sessionReadsOnly")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("kept@example.com")
    expect(dialog.get_by_role("button", name="New customer")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Only reads", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="New customer…")).to_be_disabled()


def test_signing_out_ends_the_session_at_the_store(pages, store):
    page = pages.open(store)
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    try:
        store.send("GET", "/console/v1/session", token=session)
        raise AssertionError("the session goes on")
    except Refused as refused:
        assert refused.status == 401


def test_a_new_control_token_ends_the_sessions_of_the_old_one(pages, own_store):
    page = pages.open(own_store, "/default/customers", allows=[REFUSED, AWAY])
    ann = page.get_by_role("link", name="ann@example.com")
    expect(ann).to_be_visible()
    old, session = own_store.token, page.evaluate("sessionStorage.getItem('bodega.session')")
    own_store.stop()
    (own_store.data / "control-token").unlink()
    own_store.start()
    assert own_store.token != old
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    for path in ["/console/v1/session", "/control/v1/accounts"]:
        with pytest.raises(Refused) as refused:
            own_store.send("GET", path, token=session)
        assert refused.value.status == 401
    sign_in(page, old)
    expect(page.get_by_role("alert")).to_contain_text("controlTokenWrong")
    sign_in(page, own_store.token)
    expect(ann).to_be_visible()


def test_a_session_that_ended_leads_back_to_the_same_place(pages, store):
    page = pages.open(store, "/default/customers", allows=[REFUSED])
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    ben = page.get_by_role("link", name="ben@example.com")
    expect(ben).to_be_visible()
    page.get_by_role("searchbox", name="Search customers").fill("ann")
    expect(page).to_have_url(re.compile("[?]q=ann$"))
    expect(ben).to_have_count(0)
    store.send("DELETE", "/console/v1/session", token=session)
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in(page, store.token)
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("ann")
