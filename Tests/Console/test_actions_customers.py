"""Customers: each action changes the store, and a device of the customer sees it."""

import pytest

from actions import (
    COMMAND, CURL, PASSWORD, Refusal, Row,
    test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from store import Refused
from test_actions_approvals import a_customer, device_hears, waiting
from worlds import Device, catalogue, numbers, payload

LIST, PLACE = "customers", "customers/sandbox/{account}"
CREDIT = "customers/production/{account}/credit"
FAMILY, APP = "customers/sandbox/{organiser}/family", "customers/production/{account}/apps/{app}"
ASK, INTERRUPT, FAIL = "Ask to Buy: someone else approves its purchases", \
    "Interrupt its purchases until they are resolved", "Fail the payments of its renewals"
ACTIVE, BILLING_RETRY = 1, 3
NOON = 1_769_860_800_000  # Of 31 January 2026.


@pytest.fixture(scope="module", autouse=True)
def calendar(world):
    """Periods are as long as they say."""
    world.run("clock", "pace", "calendar")


def after(*commands):
    """A customer whom commands changed before."""
    def prepare(screen):
        it = a_customer(screen)
        for words in commands:
            screen.world.run(*[word.format(**it) for word in words])
        return it
    return prepare


def of_production(screen):
    """A customer of production with a device, on which the app was made known."""
    app, account = screen.world.app(), screen.world.customer("production")
    return {"app": app, "account": account,
            "device": Device(screen.world, app, account, "production")}


def sales(world, it):
    return world.get(f"transactions?account={it.account}&environment=sandbox")["transactions"]


def is_bought(product, *kinds, **expected):
    """The store has one sale like this, and the device hears of it."""
    def check(world, it):
        return [{"productId": one["productId"], **{name: one[name] for name in expected}}
                for one in sales(world, it)] == \
            [{"productId": f"{it.app}.{product}", **expected}] and \
            it.device.kinds() == list(kinds)
    return check


def a_subscriber(screen):
    it = a_customer(screen)
    done = screen.world.buy(it["app"], "monthly", it["account"])
    return {**it, "original": done["transaction"]["transactionId"]}


def a_former_subscriber(screen):
    it = a_subscriber(screen)
    screen.world.run("subscription", "expire", it["original"])
    return it


def has_the_offer(world, it):
    """The subscription began again with the offer, as the device's signed data say."""
    shown = it.device.subscription(it.original)
    return (len(sales(world, it)), shown.get("offerIdentifier"), shown["status"]) == \
        (2, "spring", ACTIVE)


def began_in_the_past(world, it):
    """The subscription was bought then, and does not renew."""
    found = [it.device.subscription(one["originalTransactionId"]) for one in sales(world, it)]
    return [(one["originalPurchaseDate"], one["autoRenewStatus"]) for one in found] == [(NOON, 0)]


def is_restored(world, it):
    """The device that the store keeps got the purchase again, and finished it."""
    events = world.get(f"events?account={it.account}&environment=sandbox")["events"]
    return [one["kind"] for one in events] == ["purchased", "finished", "restored", "finished"]


def comes_to(state, *settings):
    """These settings alone are on, and the next purchase comes to the state."""
    def check(world, it):
        account = world.account(it.account)
        return [name for name in ["needsApproval", "interruptsPurchases", "failsRenewals"]
                if account[name]] == list(settings) and \
            world.buy(it.app, "issue", it.account)["state"] == state
    return check


def renewals_fail(world, it):
    """The subscription's next renewal is not paid."""
    if not comes_to("done", "failsRenewals")(world, it):
        return False
    world.run("clock", "advance", "40d")
    return it.device.subscription(it.original)["status"] == BILLING_RETRY


def signs_in(world, it, name, environment="sandbox"):
    """Whether the password signs the customer in on a device of somebody else."""
    stranger = Device(world, it.app, world.customer(environment), environment)
    try:
        stranger.send("POST", "sign-in", {"account": name, "password": PASSWORD})
    except Refused:
        return False
    return True


def is_signed_out(world, it):
    return world.account(it.account)["devicesSignedIn"] == 0 and not it.device.is_known()


def has_a_new_password(world, it):
    return is_signed_out(world, it) and signs_in(world, it, it.account)


def is_moved(world, it):
    """The customer is in the storefront, and the device shows its currency."""
    return (world.account(it.account)["storefront"], it.device.price(f"{it.app}.issue")) == \
        ("DEU", "0.99 EUR")


def lets_in(world, it):
    """Whether the customer can be signed in on another device."""
    try:
        Device(world, it.app, it.account)
    except Refused as refused:
        assert refused.code == "accountLocked"
        return False
    return True


def is_locked(**lock):
    """The account has the lock, and no device is signed in any more."""
    def check(world, it):
        return world.account(it.account).get("lock") == {"by": "owner", **lock} and \
            not it.device.is_known() and not lets_in(world, it)
    return check


def to_be_deleted(screen):
    screen.allows.append("status of 404")  # What the page shows may be asked for once more.
    return a_customer(screen)


def is_deleted(world, it):
    return world.get(f"accounts?search={it.account}")["accounts"] == [] and \
        not it.device.is_known()


def a_new_name(screen):
    return {"app": screen.world.app(), "name": f"new-{next(numbers)}@example.com"}


def is_made(world, it):
    """There is the customer as entered, and a device signs in with the password."""
    found = world.get(f"accounts?search={it.name}")["accounts"]
    return [(one["environment"], one["storefront"], one["needsApproval"]) for one in found] == \
        [("production", "DEU", True)] and signs_in(world, it, it.name, "production")


def with_credit(screen):
    it = of_production(screen)
    screen.world.run("credit", "add", it["account"], "10", "--environment", "production")
    return it


def a_gift(screen):
    made = screen.world.send("POST", "gift-codes", {
        "amount": "5", "currency": "USD", "environment": "production"})
    return {**of_production(screen), "code": made["code"]}


def has_credit(milliunits, *reasons):
    """The customer has the credit, and a device buys an issue of it."""
    def check(world, it):
        query = f"account={it.account}&environment=production"
        found = world.get(f"accounts/credit?{query}")
        if found["balances"] != [{"currency": "USD", "milliunits": milliunits}]:
            return False
        assert [one["reason"] for one in found["entries"] if "reason" in one] == list(reasons)
        return world.buy(it.app, "issue", it.account, "production")["state"] == "done" and \
            it.device.kinds() == ["purchased"]
    return check


def a_family(screen, giver, *, is_member=True, sharing="on"):
    """An organiser and a customer, of whom one bought what families share; the other's device."""
    world = screen.world
    app = world.app()
    content = catalogue(app)
    archive = next(one for one in content["products"] if one["productID"] == f"{app}.archive")
    archive["familyShareable"] = True
    world.send("PUT", f"apps/{app}/catalog", content)
    names = {"organiser": world.customer(), "account": world.customer()}
    world.buy(app, "archive", names[giver])
    world.run("family", "make", names["organiser"])
    number = str(world.get(f"accounts/details?account={names['organiser']}")["family"]["number"])
    if is_member:
        world.run("family", "add", number, names["account"])
        world.run("family", "share", number, names["account"], sharing)
    other = next(name for key, name in names.items() if key != giver)
    return {**names, "number": number, "device": Device(world, app, other)}


def of_organiser(**more):
    """What the organiser bought is shared with the member."""
    return lambda screen: a_family(screen, "organiser", **more)


def of_member(sharing):
    """What the member bought is shared with the organiser if it says "on"."""
    return lambda screen: a_family(screen, "account", sharing=sharing)


def two_families(screen):
    return {**of_member("on")(screen), "other": of_member("on")(screen)["account"]}


def shares(*expected, last):
    """Whether the customer shares purchases, nothing of one who is no member; and what the
    other's device learnt last of the purchase."""
    def check(world, it):
        family = world.get(f"accounts/details?account={it.organiser}").get("family", {})
        return [one["sharesPurchases"] for one in family.get("members", [])
                if one["name"] == it.account] == list(expected) and \
            it.device.kinds()[-1:] == [last]
    return check


def is_organiser(world, it):
    family = world.get(f"accounts/details?account={it.account}").get("family", {})
    return [(one["name"], one["isOrganiser"]) for one in family.get("members", [])] == \
        [(it.account, True)]


def got_the_app(world, it):
    """The app transaction has what was entered, and a device gets it signed."""
    path = f"apps/{it.app}/app-transaction?account={it.account}&environment=production"
    known = world.get(path)
    shown = payload(it.device.send("GET", "app-transaction")["appTransaction"])
    expected = {"originalApplicationVersion": "0.9", "originalPlatform": "macOS"}
    return all({name: found.get(name) for name in expected} == expected
               for found in [known, shown])


ROWS = [
    # These choose among all apps that the others make.
    Row("Buy", PLACE, is_bought("issue", "purchased", quantity=3, state="unfinished"), a_customer,
        {"App": "{app}", "Product": "{app}.issue", "Quantity": "3"}),
    Row("Buy", PLACE, is_bought(
        "archive", "purchased", "finished", quantity=1, state="finished"), a_customer, {
        "App": "{app}", "Product": "{app}.archive",
        "Finish what was bought, as an app does": True}, about="and finish"),
    Row("Buy", PLACE, has_the_offer, a_former_subscriber, {
        "App": "{app}", "Product": "{app}.monthly", "Offer": "promotional",
        "The offer's identifier, or the code": "spring"}, about="with an offer"),
    Row("Buy", PLACE, began_in_the_past, a_customer, {
        "App": "{app}", "Product": "{app}.monthly",
        "Purchased in the past": "2026-01-31T12:00:00", "Turn renewal off at once": True},
        about="in the past"),
    Row("Restore", PLACE, is_restored, after(
        ["buy", "{app}.archive", "--account", "{account}", "--bundle-id", "{app}", "--finish"]),
        {"App": "{app}", "Finish what was bought, as an app does": True}),
    Row("Settings", PLACE, comes_to("deferred", "needsApproval"), a_customer, {ASK: True}),
    Row("Settings", PLACE, comes_to("interrupted", "interruptsPurchases"), a_customer,
        {INTERRUPT: True}, about="that interrupt"),
    Row("Settings", PLACE, renewals_fail, a_subscriber, {FAIL: True}, about="of renewals"),
    Row("Settings", PLACE, comes_to("interrupted", "interruptsPurchases", "failsRenewals"),
        after(["account", "approval", "{account}", "on"]),
        {ASK: False, INTERRUPT: True, FAIL: True}, about="all at once"),
    Row("Resolve interrupted purchases", PLACE, device_hears("purchased"), waiting("interrupt")),
    Row("New password", PLACE, has_a_new_password, a_customer, {"Password": PASSWORD}),
    Row("Storefront", PLACE, is_moved, a_customer, {"Storefront": "DEU"}),
    Row("Lock", PLACE, is_locked(reason=""), a_customer),
    Row("Lock", PLACE, is_locked(reason="Call us.", until=NOON + 40 * 365 * 86_400_000),
        a_customer, {"Reason": "Call us.", "Until": "2066-01-21T12:00:00"},
        about="with a reason, until a date"),
    Row("Unlock", PLACE, lambda world, it:
        "lock" not in world.account(it.account) and lets_in(world, it),
        after(["account", "lock", "{account}"])),
    Row("Sign out everywhere", PLACE, is_signed_out, a_customer),
    Row("Delete", PLACE, is_deleted, to_be_deleted, confirm="{account}"),
    Row("New customer", LIST, is_made, a_new_name, {
        "Name": "{name}", "Environment": "production", "Storefront": "DEU",
        "Password": PASSWORD, ASK: True}),
    Row("Add credit", CREDIT, has_credit(10_000), of_production, {"Amount": "10"}),
    Row("Take credit", CREDIT, has_credit(7500, "Paid in twice."), with_credit,
        {"Amount": "2.5", "Reason": "Paid in twice."}),
    Row("Redeem a gift code", CREDIT, has_credit(5000), a_gift, {"Code": "{code}"}),
    Row("Make a family", PLACE + "/family", is_organiser, a_customer),
    Row("Add a member", FAMILY, shares(True, last="purchased"), of_organiser(is_member=False),
        {"Customer": "{account}"}),
    Row("End the family", FAMILY, shares(last="revoked"), of_organiser(),
        confirm="family {number}"),
    Row("Share purchases", FAMILY, shares(True, last="purchased"), of_member("off"),
        within="{account}"),
    Row("Stop sharing", FAMILY, shares(False, last="revoked"), of_member("on"),
        within="{account}", confirm="{account}"),
    Row("Remove", FAMILY, shares(last="revoked"), of_member("on"), within="{account}",
        confirm="{account}"),
    Row("Set app transaction", APP, got_the_app, of_production, {
        "Got the app": "2026-01-31T12:00", "Original version": "0.9",
        "Original platform": "macOS"}),
]

REFUSALS = [
    Refusal("Buy", PLACE, prepare=a_customer, code="quantityNotAllowed", field="Quantity", fill={
        "App": "{app}", "Product": "{app}.archive", "Quantity": "2"}, ways=(COMMAND, CURL)),
    Refusal("Storefront", PLACE, prepare=a_customer,
            fill={"Storefront": "XXX"}, code="storefrontUnknown", field="Storefront"),
    # Copied lines have a password of their own.
    Refusal("New password", PLACE, prepare=a_customer, fill={"Password": "short"},
            code="badField", field="Password", ways=()),
    Refusal("New customer", LIST, prepare=a_customer, fill={"Name": "{account}"},
            code="nameTaken", field="Name"),
    Refusal("Take credit", CREDIT, prepare=with_credit, fill={"Amount": "99", "Reason": "No."},
            code="creditTooLow", field="Amount"),
    Refusal("Redeem a gift code", CREDIT, prepare=of_production, fill={"Code": "BODEGA"},
            code="giftCodeUnknown", field="Code"),
    Refusal("Add a member", FAMILY, prepare=two_families, fill={"Customer": "{other}"},
            code="inFamily", field="Customer"),
]
