"""Texts of apps and devices: the page shows them as text, and commands carry them as they are."""

import json
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from actions import COMMAND, CURL, Row
from parts import command, curl
from worlds import Device, catalogue, numbers

# A right-to-left override and a zero-width space make "gpj.exe" of the last one.
SHOWN = {
    "</script><script>alert(1)</script>": "</script><script>alert(1)</script>",
    "it's \"so\" \\' \\n": "it's \"so\" \\' \\n",
    "$(touch pwned)`touch pwned`;touch pwned #": "$(touch pwned)`touch pwned`;touch pwned #",
    "a\u202egpj\u200b.exe": "a\\u{202E}gpj\\u{200B}.exe",
    "it's \u2066so\u2069": "it's \\u{2066}so\\u{2069}",
}
IDS = ["a script", "quotes", "a substitution", "a direction", "quotes and directions"]

hostile = pytest.mark.parametrize("name", SHOWN, ids=IDS)


def an_app(screen, name):
    """An app whose offers have the name, a customer, and a device whose app has that version."""
    app = f"com.example.app{next(numbers)}"
    content = catalogue(app)
    monthly = content["subscriptionGroups"][0]["subscriptions"][0]
    monthly["codeOffers"][0]["referenceName"] = name
    monthly["adHocOffers"][0]["offerID"] = name
    screen.world.send("PUT", f"apps/{app}/catalog", content)
    account = screen.world.customer()
    device = Device(screen.world, app, account, version=name)
    return {"app": app, "account": account, "device": device}


@hostile
def test_names_of_offers_and_versions_of_apps_are_text(screen, name):
    it, page = an_app(screen, name), screen.page
    screen.go(f"shop/apps/{it['app']}/products/{it['app']}.monthly")
    offers = page.get_by_role("table", name="Offers")
    expect(offers.get_by_text(SHOWN[name], exact=True)).to_have_count(2)
    screen.go(f"customers/sandbox/{it['account']}/devices")
    devices = page.get_by_role("table", name="Devices")
    expect(devices.get_by_text(SHOWN[name], exact=True)).to_be_visible()
    devices.get_by_role("link").first.click()
    expect(page.get_by_text(SHOWN[name], exact=True).first).to_be_visible()
    expect(page.locator("body script")).to_have_count(0)
    assert not {"\u202e", "\u2066", "\u200b"} & set(page.locator("body").inner_text())


def has_offer(world, it):
    path = f"apps/{it.app}/products/{it.app}.monthly/offer-codes"
    return [one["offerId"] for one in world.get(path)["offerCodes"]] == [it.name]


def has_version(world, it):
    path = f"apps/{it.app}/app-transaction?account={it.account}&environment=production"
    return world.get(path)["originalApplicationVersion"] == it.name


def has_developer(world, it):
    return it.name in [one["name"] for one in world.get("developers")["developers"]]


def an_offer(screen, name):
    return {**an_app(screen, name), "name": name}


def a_version(screen, name):
    """A customer of production, which alone has versions that are set."""
    it = {**an_app(screen, name), "account": screen.world.customer("production"), "name": name}
    return {**it, "device": Device(screen.world, it["app"], it["account"], "production")}


def a_developer(_, name):
    return {"name": f"{name} {next(numbers)}"}


ROWS = [
    Row("Make a custom code", "shop/apps/{app}/products/{app}.monthly", has_offer, an_offer,
        {"Code": "SPRING26"}),
    Row("Set app transaction", "customers/production/{account}/apps/{app}", has_version,
        a_version, {"Original version": "{name}"}),
    Row("New developer account", "settings/secrets", has_developer, a_developer,
        {"Name": "{name}"}),
]


@hostile
@pytest.mark.parametrize("way", [COMMAND, CURL])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.button)
def test_a_copied_line_carries_the_very_name(screen, row, way, name):
    it = SimpleNamespace(**row.prepare(screen, name))
    assert not row.then(screen.world, it)
    dialog, _ = screen.open(row, it)
    line = command(dialog) if way == COMMAND else curl(dialog)
    screen.page.keyboard.press("Escape")
    before = sorted(screen.files.iterdir())
    done = screen.shell(line)
    assert (done.returncode, '"error"' in done.stdout) == (0, False), \
        f"{line}\n{done.stdout}{done.stderr}"
    assert row.then(screen.world, it), line
    assert sorted(screen.files.iterdir()) == before


def test_what_a_request_of_a_device_says_is_text(screen):
    """Its path, query, agent and body, in the list and in the inspector."""
    name = "$(touch pwned)'\"</script>\u202e"
    device = Device(screen.world, screen.world.app(), screen.world.customer())
    device.send("POST", "products", {"productIdentifiers": [name], "locale": "en_US"})
    screen.go("now/requests")
    page = screen.page
    page.get_by_role("table", name="Requests").get_by_role("link").filter(
        has_text="/products").first.click()
    inspector = page.get_by_role("region", name="Inspector")
    shown = json.dumps(name, ensure_ascii=False)[1:-1].replace("\u202e", "\\u{202E}")
    expect(inspector.get_by_role("group", name="Request body")).to_contain_text(shown)
    expect(page.locator("body script")).to_have_count(0)
    assert "\u202e" not in page.locator("body").inner_text()
