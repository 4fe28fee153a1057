"""Approvals and refunds: each action changes the store, and the customer's device learns it."""

from actions import (
    Refusal, Row, test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from worlds import Device

INTERRUPTED, CONSENTS = "approvals/interrupted", "approvals/price-consents"


def a_customer(screen, setting=None):
    """A customer with a device, whose purchases wait or are interrupted if a setting says so."""
    app, account = screen.world.app(), screen.world.customer()
    if setting is not None:
        screen.world.run("account", setting, account, "on")
    return {"app": app, "account": account, "device": Device(screen.world, app, account)}


def waiting(setting):
    """A customer with a setting, for which a purchase waits."""
    def prepare(screen):
        it = a_customer(screen, setting)
        screen.world.buy(it["app"], "issue", it["account"])
        return it
    return prepare


def with_setting(setting):
    return lambda screen: a_customer(screen, setting)


def has(setting, value, state):
    """The account has the setting, and its next purchase comes to the state."""
    def check(world, it):
        return world.account(it.account)[setting] is value and \
            world.buy(it.app, "archive", it.account)["state"] == state
    return check


def device_hears(*kinds):
    return lambda _, it: it.device.kinds() == list(kinds)


def a_question(screen):
    it = a_customer(screen)
    made = screen.world.send("POST", "price-consents", {
        "name": it["account"], "bundleId": it["app"], "productId": f"{it['app']}.monthly",
        "price": "2.99", "environment": "sandbox"})
    return {**it, "number": made["number"]}


def is_asked(world, it):
    """The customer is asked about the price, and the device too."""
    found = [(one["newPriceMilliunits"], one["state"])
             for one in world.get("price-consents?limit=200")["priceConsents"]
             if one["account"] == it.account]
    return (found, it.device.kinds()) == ([(2990, "pending")], ["priceConsent"])


def is_answered(state):
    def check(world, it):
        asked = it.device.events()[-1]["priceConsent"]["state"]
        return (world.get(f"price-consents/{it.number}")["state"], asked) == (state, state)
    return check


def a_sale(screen, product="issue"):
    it = a_customer(screen)
    done = screen.world.buy(it["app"], product, it["account"])
    return {**it, "transaction": done["transaction"]["transactionId"]}


def a_request(*more):
    """A sale for which the customer requested a refund, and what commands did about it."""
    def prepare(screen):
        it = a_sale(screen)
        for words in [["request", "--reason", "other"], *more]:
            screen.world.run("refund", words[0], it["transaction"], *words[1:])
        return it
    return prepare


def refund(world, it):
    found = [one for one in world.get("refunds")["refunds"]
             if one["transactionId"] == it.transaction]
    return found[0] if found else {}


def is_requested(world, it):
    one = refund(world, it)
    return (one.get("state"), one.get("reason")) == ("requested", "LEGAL")


def is_reported(world, it):
    return refund(world, it).get("consumption") == {
        "customerConsented": True, "deliveryStatus": "DELIVERED", "consumptionPercentage": 40_000,
        "refundPreference": "GRANT_PRORATED", "sampleContentProvided": True}


def is_granted(kind, percentage=None):
    """The refund is granted, and the device loses the purchase."""
    def check(world, it):
        one = refund(world, it)
        return (one["state"], one.get("revocationType"), one.get("revocationPercentage")) == \
            ("granted", kind, percentage) and "revoked" in it.device.kinds()
    return check


def is_reversed(world, it):
    """The customer has the purchase again."""
    sale = world.get(f"transactions/{it.transaction}")["transaction"]
    return refund(world, it)["state"] == "reversed" and sale["state"] != "revoked" and \
        it.device.kinds()[-1] == "purchased"


def is_revoked(world, it):
    return world.get(f"transactions/{it.transaction}")["transaction"]["state"] == "revoked" and \
        "revoked" in it.device.kinds()


REFUND = "refunds/{transaction}"
REPORT = ["consumption", "--consented", "--delivery", "delivered", "--percentage", "40"]

ROWS = [
    Row("Set Ask to Buy", "approvals", has("needsApproval", True, "deferred"), a_customer,
        {"Customer": "{account}", "Ask to Buy": "on"}),
    Row("Set Ask to Buy", "approvals", has("needsApproval", False, "done"),
        with_setting("approval"), {"Customer": "{account}", "Ask to Buy": "off"}, about="to off"),
    Row("Approve", "approvals", device_hears("purchased"), waiting("approval"),
        within="{account}"),
    Row("Decline", "approvals", device_hears("declined"), waiting("approval"),
        within="{account}"),
    Row("Set interruptions", INTERRUPTED, has("interruptsPurchases", True, "interrupted"),
        a_customer, {"Customer": "{account}", "Purchases": "on"}),
    Row("Set interruptions", INTERRUPTED, has("interruptsPurchases", False, "done"),
        with_setting("interrupt"), {"Customer": "{account}", "Purchases": "off"}, about="to off"),
    Row("Resolve", INTERRUPTED, device_hears("purchased"), waiting("interrupt"),
        {"Customer": "{account}"}),
    Row("Resolve", INTERRUPTED, device_hears("purchased"), waiting("interrupt"),
        within="{account}", about="in the list"),
    Row("Ask about a price", CONSENTS, is_asked, a_customer, {
        "Customer": "{account}", "App": "{app}", "Subscription": "{app}.monthly",
        "New price": "2.99"}),
    Row("Agree", CONSENTS, is_answered("agreed"), a_question, within="{account}"),
    Row("Decline", CONSENTS, is_answered("declined"), a_question, within="{account}",
        about="the price"),
    Row("Agree", f"{CONSENTS}/{{number}}", is_answered("agreed"), a_question,
        about="at the question"),
    Row("Decline", f"{CONSENTS}/{{number}}", is_answered("declined"), a_question,
        about="the price at the question"),
    Row("Request a refund", "refunds", is_requested, a_sale,
        {"Transaction": "{transaction}", "Reason": "LEGAL"}),
    Row("Revoke a transaction", "refunds", is_revoked, a_sale,
        {"Transaction": "{transaction}", "Reason": "issue"}, confirm="{transaction}"),
    Row("Report consumption", REFUND, is_reported, a_request(), {
        "Delivery": "DELIVERED", "Consumed, in percent": "40", "The app prefers": "GRANT_PRORATED",
        "There was a free sample": True}),
    Row("Grant", REFUND, is_granted("REFUND_FULL", 100_000), a_request(),
        confirm="{transaction}"),
    Row("Grant", REFUND, is_granted("REFUND_PRORATED", 60_000), a_request(REPORT),
        {"Refund": "REFUND_PRORATED"}, confirm="{transaction}", about="in part"),
    Row("Decline", REFUND, lambda world, it: refund(world, it)["state"] == "declined",
        a_request(), about="a refund"),
    Row("Reverse", REFUND, is_reversed, a_request(["grant"])),
]

REFUSALS = [
    Refusal("Set Ask to Buy", "approvals", fill={"Customer": "nobody@example.com"},
            code="accountUnknown", field="Customer"),
    Refusal("Ask about a price", CONSENTS, prepare=a_customer, code="productUnknown", fill={
        "Customer": "{account}", "App": "{app}", "Subscription": "none", "New price": "2.99"},
        field="Subscription"),
    Refusal("Request a refund", "refunds", fill={"Transaction": "12"}, code="transactionUnknown",
            field="Transaction"),
    Refusal("Grant", REFUND, prepare=a_request(), fill={"Refund": "REFUND_PRORATED"},
            code="consumptionUnknown", field="Refund", confirm="{transaction}"),
]
