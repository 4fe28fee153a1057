"""Texts of apps and devices: the page shows them as text, and commands carry them as they are."""

import base64
import http.client
import json
import re
import subprocess
import uuid
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from actions import COMMAND, CURL, Row
from parts import command, curl, customer_place
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

INJECTION = "$(touch$IFS$9pwned)`touch$IFS$9pwned`;touch$IFS$9pwned&"
HIDDEN = "\u200b\u202e\u2066\u2069"

hostile = pytest.mark.parametrize("name", SHOWN, ids=IDS)


def shown(text):
    """The text with its hidden characters as the page writes them."""
    return re.sub(f"[{HIDDEN}]", lambda found: f"\\u{{{ord(found[0]):X}}}", text)


def is_text(page):
    """Nothing of a hostile text became a script or turned other text around."""
    expect(page.locator("body script")).to_have_count(0)
    assert not set(HIDDEN) & set(page.locator("body").inner_text())


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
    is_text(page)


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
    expect(inspector.get_by_role("group", name="Request body")).to_contain_text(
        shown(json.dumps(name, ensure_ascii=False)))
    is_text(page)


@hostile
def test_key_values_of_an_app_are_text(screen, name):
    world = screen.world
    app, account = world.app(), world.customer()
    values = {name: {"string": name}, "whole": {"dictionary": {name: {"string": name}}}}
    Device(world, app, account).send("PUT", "key-values", {
        "requestId": str(uuid.uuid4()).upper(), "after": 0, "isInitial": False,
        "changes": [{"key": key, "value": value} for key, value in values.items()]})
    screen.go(customer_place(account, "apps", app, world=world.name))
    table = screen.page.get_by_role("table", name="Key values")
    expect(table.get_by_text(SHOWN[name], exact=True)).to_have_count(2)
    inner = json.dumps({name: {"string": name}}, ensure_ascii=False, separators=(",", ":"))
    expect(table.get_by_text(shown(inner), exact=True)).to_be_visible()
    is_text(screen.page)


def der(tag, *parts):
    """An element of DER."""
    content = b"".join(parts)
    count = len(content).to_bytes(2, "big").lstrip(b"\0")
    length = bytes([len(content)]) if len(content) < 0x80 else bytes([0x80 | len(count)]) + count
    return bytes([tag]) + length + content


def attributes(values):
    """The attributes of a receipt or of a purchase in it, each a text or bytes."""
    return der(0x31, *(
        der(0x30, der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big")), der(0x02, b"\1"),
            der(0x04, der(0x0C, value.encode()) if isinstance(value, str) else value))
        for number, value in sorted(values.items())))


@pytest.fixture(scope="module")
def signer(shared_screen):
    """The folder of a certificate (cert.pem) that no store made, and its key (key.pem)."""
    folder = shared_screen.files / "signer"
    folder.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Nobody",
         "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, capture_output=True, check=True)
    return folder


def app_receipt(signer, name):
    """A receipt whose texts are the name, signed by a stranger."""
    purchase = attributes({1702: name, 1703: name, 1704: name, 1705: name})
    (signer / "payload").write_bytes(attributes({0: name, 2: name, 3: name, 17: purchase}))
    done = subprocess.run(
        ["openssl", "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER",
         "-in", "payload", "-signer", "cert.pem", "-inkey", "key.pem"],
        cwd=signer, capture_output=True, check=True)
    return base64.b64encode(done.stdout).decode()


def signed_data(signer, name):
    """Signed data whose texts are the name, also those inside of signed data in it."""
    certificate = "".join((signer / "cert.pem").read_text().splitlines()[1:-1])
    payload = {"bundleId": name, "productId": name, "transactionId": name, "type": name,
               "signedDate": name, name: [name]}

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    signature = base64.urlsafe_b64encode(b"\1" * 64).decode().rstrip("=")
    head = part({"alg": "ES256", "x5c": [certificate] * 3})
    inner = f"{head}.{part(payload)}.{signature}"
    return f"{head}.{part({**payload, 'data': {'signedTransactionInfo': inner}})}.{signature}"


def explained(screen, text):
    """What the page says of something that is signed by a stranger."""
    screen.go("receipts")
    screen.page.get_by_label("App receipt, transaction receipt or JWS").fill(text)
    screen.page.get_by_role("button", name="Inspect").click()
    result = screen.page.locator(".result")
    expect(result.get_by_text("Not authentic", exact=True)).to_be_visible()
    return result


@hostile
def test_what_a_receipt_of_another_signer_says_is_text(screen, signer, name):
    result = explained(screen, app_receipt(signer, name))
    expect(result.locator("dl.facts").filter(has_text="Bundle Identifier").get_by_text(
        SHOWN[name], exact=True)).to_have_count(3)
    expect(result.get_by_role("table", name="Purchases").get_by_text(
        SHOWN[name], exact=True)).to_have_count(3)
    result.get_by_text("Purchase 1: every attribute").click()
    expect(result.locator("details[open]").get_by_text(SHOWN[name], exact=True)).to_have_count(4)
    is_text(screen.page)


@hostile
def test_what_signed_data_of_another_signer_say_is_text(screen, signer, name):
    result = explained(screen, signed_data(signer, name))
    facts = result.locator("dl.facts").filter(has_text="Product")
    expect(facts.get_by_text(SHOWN[name], exact=True)).to_have_count(5)
    payload = result.get_by_role("group", name="Payload").inner_text()
    assert payload.count(shown(json.dumps(name, ensure_ascii=False))) == 14
    is_text(screen.page)


def test_a_copied_request_carries_its_hostile_path_and_query_and_runs_nothing(pages, screen):
    world = screen.world
    path = f"{world.path}/sandbox/[1-3]{{a,b}}it's%20\"{INJECTION}\\n%E2%80%AE"
    connection = http.client.HTTPConnection("127.0.0.1", world.store.port)
    connection.request("GET", f"{path}?'{INJECTION}={INJECTION}")
    assert connection.getresponse().status == 404
    connection.close()

    def requests():
        """The newest requests for the path."""
        listed = world.get("activity?order=newest")["requests"]
        return [world.get(f"activity/{one['number']}") for one in listed if one["path"] == path]

    [first] = requests()
    page = pages.open(world.store, world.place(f"now/requests/{first['number']}"),
                      permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    line = page.evaluate("navigator.clipboard.readText()")
    before = sorted(screen.files.iterdir())
    done = screen.shell(line)
    assert done.returncode == 0, f"{line}\n{done.stderr}"
    assert [one["query"] for one in requests()] == [first["query"]] * 2, line
    assert sorted(screen.files.iterdir()) == before
    is_text(page)
