"""The shop and its apps: each action changes the store, and what is shown once is good."""

import base64
import json
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from actions import (
    CURL, Refusal, Row, test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from store import Refused
from worlds import Device, catalogue, numbers

APP, KEYS, SETTINGS = "shop/apps/{app}", "shop/apps/{app}/keys", "shop/apps/{app}/settings"
GIFTS = "shop/gift-codes"
CHRISTMAS = 1924300800000  # 2030-12-24


def an_app(screen):
    return {"app": screen.world.app()}


def after(*words):
    """An app that a command changed before."""
    def prepare(screen):
        it = an_app(screen)
        screen.world.run(*words, "--bundle-id", it["app"])
        return it
    return prepare


def a_file(screen, app, price):
    content = catalogue(app)
    content["products"][0]["displayPrice"] = price
    return screen.file(f"{app}.storekit", json.dumps(content))


def a_new_app(screen):
    app = f"com.example.app{next(numbers)}"
    return {"app": app, "file": a_file(screen, app, "0.99")}


def a_new_catalogue(screen):
    it = an_app(screen)
    return {**it, "file": a_file(screen, it["app"], "1.49")}


def a_broken_file(screen):
    return {"app": f"com.example.app{next(numbers)}", "file": screen.file("x.storekit", "{}x")}


def app_of(world, it):
    found = [one for one in world.get("apps")["apps"] if one["bundleId"] == it.app]
    return found[0] if found else {}


def devices_pay(price):
    """A new device of the app shows the price."""
    return lambda world, it: app_of(world, it) != {} and \
        Device(world, it.app, world.customer()).price(f"{it.app}.issue") == price


def changes_are_late(world, it):
    """The app has a delay of two hours, for which devices show the earlier price."""
    if app_of(world, it).get("delayMilliseconds") != 7_200_000:
        return False
    world.run("product", "price", f"{it.app}.issue", "3.99", "--bundle-id", it.app)
    return devices_pay("0.99 USD")(world, it)


def a_developer(screen):
    name = f"Rocket Games {next(numbers)}"
    screen.world.run("developer", "add", name)
    return {**an_app(screen), "developer": name}


def a_number(screen):
    return {**an_app(screen), "number": str(1_588_000_000 + next(numbers))}


def an_offer_key(screen):
    it = an_app(screen)
    return {**it, "key": screen.world.send("POST", f"apps/{it['app']}/offer-keys")["keyId"]}


def offer_keys(world, it):
    return world.get(f"apps/{it.app}/offer-keys")["keys"]


def a_secret(screen):
    it = an_app(screen)
    made = screen.world.send("POST", f"apps/{it['app']}/secrets", {"overlapMilliseconds": 0})
    return {**it, "number": made["number"]}


def secret_states(world, it):
    return [one["state"] for one in world.get(f"apps/{it.app}/secrets")["secrets"]]


def an_earlier_secret_stays(world, it):
    """The new secret is the current one, and the earlier one ends in a week."""
    first, *others = world.get(f"apps/{it.app}/secrets")["secrets"]
    return (first["state"], [one["state"] for one in others]) == ("current", ["ending"]) and \
        others[0]["acceptedUntil"] - first["madeAt"] == 7 * 86_400_000


def all_gift_codes(world):
    return world.get("gift-codes?limit=200")["giftCodes"]


def no_gift_code(screen):
    return {"known": len(all_gift_codes(screen.world))}


def has_made_a_gift_code(world, it):
    return [(one["amountMilliunits"], one["currency"], one["environment"], one["expiresAt"])
            for one in all_gift_codes(world)[it.known:]] == \
        [(10_500, "EUR", "production", CHRISTMAS)]


def a_gift_code(screen):
    made = screen.world.send("POST", "gift-codes", {
        "amount": "5", "currency": "USD", "environment": "sandbox"})
    return {"number": made["number"], "code": made["code"]}


def cannot_be_redeemed(world, it):
    """The code is void, and no customer can redeem it."""
    found = next(one for one in all_gift_codes(world) if one["number"] == it.number)
    if found["state"] != "voided":
        return False
    with pytest.raises(Refused) as refused:
        world.send("POST", "accounts/credit/redeem", {
            "name": world.customer(), "environment": "sandbox", "code": it.code})
    return refused.value.code == "giftCodeVoided"


ROWS = [
    Row("Import a catalogue", "shop", devices_pay("0.99 USD"), a_new_app, {
        "Bundle identifier": "{app}", "Catalogue file (.storekit)": lambda it: it.file}),
    Row("Import a catalogue", APP, devices_pay("1.49 USD"), a_new_catalogue,
        {"Catalogue file (.storekit)": lambda it: it.file}, confirm="{app}",
        about="of an app that is there"),
    Row("Import a catalogue", "shop", devices_pay("1.49 USD"), a_new_catalogue, {
        "Bundle identifier": "{app}", "Catalogue file (.storekit)": lambda it: it.file},
        confirm="{app}", about="of an app that is there, in the list"),
    Row("Set grace period", SETTINGS,
        lambda world, it: app_of(world, it).get("gracePeriodDays") == 16, an_app,
        {"Grace period": "16"}),
    Row("Set grace period", SETTINGS, lambda world, it: "gracePeriodDays" not in app_of(world, it),
        after("shop", "set", "--grace-period", "28"), {"Grace period": "none"}, about="to none"),
    Row("Set delay", SETTINGS, changes_are_late, an_app, {"Delay": "2h"}),
    Row("Set delay", SETTINGS, lambda world, it: "delayMilliseconds" not in app_of(world, it),
        after("shop", "set", "--delay", "2h"), {"Delay": ""}, about="to the world's"),
    Row("Assign to a developer", SETTINGS,
        lambda world, it: app_of(world, it)["developer"] == it.developer, a_developer,
        {"Developer account": "{developer}"}),
    Row("Set app number", SETTINGS,
        lambda world, it: app_of(world, it)["appAppleId"] == int(it.number), a_number,
        {"Number in the App Store": "{number}"}),
    Row("Make an offer key", KEYS, lambda world, it: len(offer_keys(world, it)) == 1, an_app),
    Row("Revoke offer key {key}", KEYS,
        lambda world, it: "revokedAt" in offer_keys(world, it)[0], an_offer_key, confirm="{key}"),
    Row("Make a shared secret", KEYS, an_earlier_secret_stays, a_secret,
        {"Accept earlier ones for": "7d"}),
    Row("Revoke shared secret {number}", KEYS,
        lambda world, it: secret_states(world, it) == ["revoked"], a_secret, confirm="{number}"),
    Row("Make a gift code", GIFTS, has_made_a_gift_code, no_gift_code, {
        "Amount": "10.50", "Currency": "EUR", "Environment": "production",
        "Expires": "2030-12-24T00:00"}),
    Row("Void gift code {number}", GIFTS, cannot_be_redeemed, a_gift_code, confirm="{number}"),
]

REFUSALS = [
    Refusal("Import a catalogue", "shop", prepare=a_broken_file, code="badCatalogue",
            field="Catalogue file (.storekit)", fill={
                "Bundle identifier": "{app}", "Catalogue file (.storekit)": lambda it: it.file}),
    Refusal("Assign to a developer", SETTINGS, prepare=an_app, code="developerUnknown",
            fill={"Developer account": "nobody"}, field="Developer account"),
    # The command refuses these two by itself, before it asks the store.
    Refusal("Make a gift code", GIFTS, fill={"Amount": "none"}, code="badField", field="Amount",
            ways=(CURL,)),
    Refusal("Set delay", SETTINGS, prepare=an_app, fill={"Delay": "soon"}, code="badBody",
            field="Delay", ways=(CURL,)),
]


def test_the_exported_catalogue_is_the_imported_file(screen):
    it = a_new_catalogue(screen)
    screen.world.run("catalog", "import", str(it["file"]), "--bundle-id", it["app"])
    screen.go(APP.format(**it))
    with screen.page.expect_download() as saved:
        screen.page.get_by_role("button", name="Export the catalogue").click()
    assert saved.value.suggested_filename == f"{it['app']}.storekit"
    with open(saved.value.path(), "rb") as file:
        assert file.read() == it["file"].read_bytes()


def shown_once(screen, button, block, place, it):
    """What an action shows of what it made, which the store does not show again."""
    dialog, title = screen.open(Row(button, place), SimpleNamespace(**it))
    dialog.get_by_role("button", name=title, exact=True).click()
    shown = screen.page.get_by_role("dialog", name=title).get_by_role("group", name=block)
    expect(shown).to_be_visible()
    return shown.inner_text().strip()


def test_a_shared_secret_is_good_until_it_is_revoked(screen):
    it = an_app(screen)
    secret = shown_once(screen, "Make a shared secret", "Shared secret", KEYS, it)
    receipt = screen.files / "receipt"
    screen.world.run("buy", f"{it['app']}.monthly", "--account", screen.world.customer(),
                     "--bundle-id", it["app"], "--receipt", str(receipt))

    def status():
        return screen.world.store.send("POST", f"{screen.world.path}/sandbox/verifyReceipt", {
            "receipt-data": base64.b64encode(receipt.read_bytes()).decode(),
            "password": secret})["status"]

    assert status() == 0
    number = str(screen.world.get(f"apps/{it['app']}/secrets")["secrets"][0]["number"])
    screen.world.run("secret", "revoke", number, "--bundle-id", it["app"])
    assert status() == 21004


def test_an_offer_key_signs_requests_of_the_server_api_until_it_is_revoked(screen):
    it = an_app(screen)
    file = screen.file("key.p8", shown_once(
        screen, "Make an offer key", "Private key", KEYS, it) + "\n")
    transaction, _ = screen.world.bought(it["app"], "issue")
    words = ["server-api", "get", f"/inApps/v1/transactions/{transaction}", "--key", str(file),
             "--bundle-id", it["app"]]
    assert f"{it['app']}.issue" in screen.world.run(*words)
    key = screen.world.get(f"apps/{it['app']}/offer-keys")["keys"][0]["keyId"]
    screen.world.run("offer-key", "revoke", key, "--bundle-id", it["app"])
    with pytest.raises(AssertionError, match="revoked|401|no valid key|not valid"):
        screen.world.run(*words)


def test_a_gift_code_and_one_time_codes_are_redeemed(screen):
    code = shown_once(screen, "Make a gift code", "Gift code", GIFTS, {})
    customer = screen.world.customer()
    screen.world.run("credit", "redeem", customer, code)
    assert "has 25 USD" in screen.world.run("credit", "show", customer)
    it = an_app(screen)
    codes = shown_once(screen, "Make one-time codes", "One-time codes",
                       "shop/apps/{app}/products/{app}.monthly", it).split()
    assert len(set(codes)) == 10
    device = Device(screen.world, it["app"], customer)
    screen.world.buy(it["app"], "issue", customer)
    screen.world.run("offer-code", "redeem", codes[-1], customer, "--bundle-id", it["app"])
    assert device.kinds() == ["purchased", "purchased"]
