"""Customers: what test_customers.py does not try."""

from actions import (
    Refusal, Row, test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from worlds import Device, payload

PLACE = "customers/production/{account}/apps/{app}"
FAMILY = "customers/sandbox/{organiser}/family"


def a_customer(screen):
    """A customer of production with a device, on which the app was made known."""
    app, account = screen.world.app(), screen.world.customer("production")
    return {"app": app, "account": account,
            "device": Device(screen.world, app, account, "production")}


def a_member(sharing):
    """A member of a family who shares purchases, or does not."""
    def prepare(screen):
        world = screen.world
        account, organiser = world.customer(), world.customer()
        world.run("family", "make", organiser)
        number = world.get(f"accounts/details?account={organiser}")["family"]["number"]
        world.run("family", "add", str(number), account)
        world.run("family", "share", str(number), account, sharing)
        return {"account": account, "organiser": organiser}
    return prepare


def got_the_app(world, it):
    """The app transaction has what was entered, and a device gets it signed."""
    path = f"apps/{it.app}/app-transaction?account={it.account}&environment=production"
    known = world.get(path)
    shown = payload(it.device.send("GET", "app-transaction")["appTransaction"])
    expected = {"originalApplicationVersion": "0.9", "originalPlatform": "macOS"}
    return all({name: found.get(name) for name in expected} == expected
               for found in [known, shown])


def shares(*expected):
    """Whether the member shares purchases; nothing of one who is no member."""
    def check(world, it):
        members = world.get(f"accounts/details?account={it.organiser}")["family"]["members"]
        return [one["sharesPurchases"] for one in members if one["name"] == it.account] == \
            list(expected)
    return check


ROWS = [
    Row("Set app transaction", PLACE, got_the_app, a_customer, {
        "Got the app": "2026-01-31T12:00", "Original version": "0.9",
        "Original platform": "macOS"}),
    Row("Share purchases", FAMILY, shares(True), a_member("off"), within="{account}"),
    Row("Stop sharing", FAMILY, shares(False), a_member("on"), within="{account}",
        confirm="{account}"),
    Row("Remove", FAMILY, shares(), a_member("on"), within="{account}", confirm="{account}"),
]

REFUSALS = [
    Refusal("Storefront", "customers/production/{account}", prepare=a_customer,
            fill={"Storefront": "XXX"}, code="storefrontUnknown", field="Storefront"),
]
