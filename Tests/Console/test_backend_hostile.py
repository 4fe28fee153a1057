"""Texts that users and apps send to the backend: its pages show them as text, everywhere."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from backends import User, backend, shop, world
from parts import REFUSED
from test_hostile_names import SHOWN, hostile

HIDDEN = "\u200b\u202e\u2066\u2069"


def escaped(text):
    return "".join(f"\\u{{{ord(one):X}}}" if one in HIDDEN else one for one in text)


def is_only_text(page):
    """Nothing that was sent is markup, or hidden, or changes the direction."""
    expect(page.locator("body script")).to_have_count(0)
    assert not set(HIDDEN) & set(page.locator("body").inner_text())


def shown(area, name, count):
    """The area shows the name so many times."""
    expect(area.get_by_text(SHOWN[name], exact=True)).to_have_count(count)
    is_only_text(area.page)


@hostile
def test_what_users_and_apps_send_is_text(screen, name):
    page, user = screen.page, User(screen.world, name)
    purchase = user.submit("turbo", productId=name, transactionId=name, appVersion=name,
                           passThrough={name: name})
    submission = purchase["submissionId"]
    assert [purchase[field] for field in ["userName", "productId", "transactionId", "appVersion"]] \
        == [name] * 4
    screen.go("submissions")
    row = page.locator("tbody tr", has=page.locator(f"a[href$='{submission}']"))
    shown(row, name, 3)
    row.get_by_role("link").click()
    facts = page.locator("main dl.facts")
    shown(facts, name, 4)
    expect(page.locator("dt:text-is('Pass-through') + dd")).to_have_text(
        escaped(json.dumps({name: name}, ensure_ascii=False, separators=(",", ":"))))
    facts.get_by_role("link", name=SHOWN[name], exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(SHOWN[name])
    expect(page.get_by_role("table", name="Submissions").locator("tbody tr")).to_have_count(1)
    shown(page.locator("main"), name, 4)


@hostile
def test_what_is_looked_up_finds_the_very_name(screen, name):
    page, name_of_user = screen.page, f"{name} 2"
    User(screen.world, name_of_user).submit("turbo", transactionId=name_of_user)
    User(screen.world).submit("fuel")
    for field in ["User", "Transaction"]:
        screen.go("submissions")
        page.get_by_label(field, exact=True).fill(name_of_user)
        page.get_by_role("button", name="Look up").click()
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(escaped(name_of_user))
    screen.go("users")
    page.get_by_role("searchbox").fill(name_of_user)
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator("tbody tr").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(escaped(name_of_user))


@hostile
@pytest.mark.parametrize("place", [
    "submissions/{}", "users/{}", "subscriptions/{}", "submissions?state={}",
    "submissions?digest={}", "submissions?user={}", "subscriptions?user={}", "users?q={}"])
def test_what_an_address_says_is_text(screen, place, name):
    screen.allows.append(REFUSED)
    screen.go(place.format(quote(f"{name} 3", safe="")))
    page = screen.page
    expect(page.locator("main").locator(".empty, [role=alert]").first).to_be_visible()
    if "?" not in place:
        expect(page.get_by_role("heading", level=1)).to_contain_text(escaped(f"{name} 3"))
    is_only_text(page)
