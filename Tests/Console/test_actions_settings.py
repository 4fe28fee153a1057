"""Settings: each action changes the store, and what devices and servers get."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from actions import Refusal, Row, test_a_refusal_stands_beside_its_field
from parts import REFUSED
from store import Refused
from test_actions_shop import an_app, an_offer_key, offer_keys
from worlds import Device, numbers

CERTIFICATES, DEVELOPER = "settings/certificates", "settings/secrets/developer/{developer}"
LEAF = ("sandbox", "leaf")


def shop_as_it_was(screen):
    screen.world.run("shop", "set", "--new-products", "clear", "--delay", "0s")
    return {}


def new_products_wait(world, _):
    """Products of a new catalogue wait for review, and devices do not see them."""
    if world.get("shop") != {"newProducts": "waitForReview", "delayMilliseconds": 3_600_000}:
        return False
    app = world.app()
    return Device(world, app, world.customer()).price(f"{app}.issue") is None


def no_limits(screen):
    screen.world.run("server-api", "limits", "off")
    return {}


def a_new_name(_):
    return {"developer": f"Rocket Games {next(numbers)}"}


def a_developer(screen):
    it = a_new_name(screen)
    screen.world.run("developer", "add", it["developer"])
    screen.world.run("secret", "make", "--developer", it["developer"])
    secrets = screen.world.get(f"developers/{it['developer'].replace(' ', '%20')}/secrets")
    return {**it, "number": secrets["secrets"][0]["number"]}


def secrets(world, it):
    path = f"developers/{it.developer.replace(' ', '%20')}/secrets"
    return [one["state"] for one in world.get(path)["secrets"]]


def certificates(world):
    return world.get("certificates")["certificates"]


def in_use(world, environment, role):
    found = [one for one in certificates(world)
             if one["isInUse"] and (one["environment"], one["role"]) == (environment, role)]
    return found[0] if found else None


def signed_by(world, environment):
    """The certificates under which a device of the environment gets signed data."""
    app = world.app()
    device = Device(world, app, world.customer(environment), environment)
    token = device.send("GET", "app-transaction")["appTransaction"]
    header = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["x5c"]


def der(certificate):
    return re.sub(r"-----[^-]+-----|\s", "", certificate["certificate"])


def used(environment, role):
    """A world that signs data, and the certificate that it uses."""
    def prepare(screen):
        screen.world.run("certificate", "rotate", role, "--environment", environment)
        signed_by(screen.world, environment)
        one = in_use(screen.world, environment, role)
        return {"serial": one["serial"], "short": one["serial"][:8]}
    return prepare


def is_replaced(environment, role):
    """The world uses another certificate, and devices get data under it."""
    def check(world, it):
        now = in_use(world, environment, role)
        return now is not None and now["serial"] != it.serial and \
            der(now) == signed_by(world, environment)[["leaf", "intermediate"].index(role)]
    return check


def has_expired(environment, role):
    def check(world, it):
        now = in_use(world, environment, role)
        return is_replaced(environment, role)(world, it) and now["notAfter"] <= now["madeAt"]
    return check


def is_revoked(world, it):
    found = next(one for one in certificates(world) if one["serial"] == it.serial)
    return found.get("reason") == "keyCompromise"


ROWS = [
    Row("Change the shop", "settings/shop", new_products_wait, shop_as_it_was,
        {"New products": "waitForReview", "Delay of changes": "1h"}),
    Row("Set limits", "settings/shop",
        lambda world, _: world.get("server-api/limits") == {"isOn": True, "hourlyMax": 5},
        no_limits, {"Limits": "on", "Requests an hour, at most": "5"}),
    Row("New developer account", "settings/secrets", lambda world, it:
        it.developer in [one["name"] for one in world.get("developers")["developers"]],
        a_new_name, {"Name": "{developer}"}),
    Row("Make a shared secret", DEVELOPER,
        lambda world, it: secrets(world, it) == ["current", "ended"], a_developer,
        {"Accept earlier ones for": "0s"}, confirm="{developer}"),
    Row("Revoke shared secret {number}", DEVELOPER,
        lambda world, it: secrets(world, it) == ["revoked"], a_developer, confirm="{number}"),
    Row("Make an offer key", "settings/secrets/app/{app}",
        lambda world, it: len(offer_keys(world, it)) == 1, an_app),
    Row("Revoke offer key {key}", "settings/secrets/app/{app}",
        lambda world, it: "revokedAt" in offer_keys(world, it)[0], an_offer_key, confirm="{key}"),
    *(Row(f"Rotate the {role} of {environment}", CERTIFICATES, is_replaced(environment, role),
          used(environment, role))
      for environment in ["sandbox", "production"] for role in ["leaf", "intermediate"]),
    *(Row(f"Expire the {role} of {environment}", CERTIFICATES, has_expired(environment, role),
          used(environment, role), confirm=role)
      for environment in ["sandbox", "production"] for role in ["leaf", "intermediate"]),
    Row("Revoke the leaf {short}", CERTIFICATES, is_revoked, used(*LEAF),
        {"Reason": "keyCompromise"}, confirm="leaf"),
    Row("Revoke the intermediate {short}", CERTIFICATES, is_revoked,
        used("production", "intermediate"), {"Reason": "keyCompromise"}, confirm="intermediate"),
]

REFUSALS = [
    Refusal("New developer account", "settings/secrets", prepare=a_developer, code="nameTaken",
            fill={"Name": "{developer}"}, field="Name"),
]


def test_an_action_changes_the_store(screen, row, way):
    screen.carry_out(row, way)
    shop_as_it_was(screen)


def test_the_address_of_the_backend_is_kept_in_the_browser(screen):
    screen.go("settings/console")
    screen.page.get_by_label("Its address").fill("http://127.0.0.1:8081/console/")
    screen.page.get_by_role("button", name="Keep").click()
    screen.page.reload()
    link = screen.page.get_by_role("link", name="Open the backend's console")
    expect(link).to_have_attribute("href", "http://127.0.0.1:8081/console/")


def test_what_an_app_is_connected_by_reaches_this_world(screen):
    app = screen.world.app()
    screen.go("settings/connect")
    lines = screen.page.get_by_role("group", name="Environment of an app").inner_text()
    done = screen.shell(f'{lines}\ncurl -s -d "{{\\"bundleId\\": \\"{app}\\", '
                        '\\"appVersion\\": \\"$STOREKIT_APP_VERSION\\", \\"guid\\": '
                        '\\"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11\\"}" '
                        '-H "Content-Type: application/json" "$STOREKIT_URL/device/v1/register"')
    assert json.loads(done.stdout)["worldId"] == screen.world.get("overview")["world"]["id"]


def test_signing_out_ends_the_session(pages, store):
    page = pages.open(store, "/default/settings/console", allows=[REFUSED])
    session = page.evaluate("sessionStorage.getItem('bodega.session')")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("control token")).to_be_visible()
    with pytest.raises(Refused) as refused:
        store.send("GET", "/control/v1/overview", token=session)
    assert refused.value.status == 401
