"""A world for the tests of one file, with fresh things for each: apps, customers, devices."""

import base64
import itertools
import json
import uuid
from urllib.parse import quote

from store import ROOT, Refused

PRESS = ROOT / "Tests" / "StoreKitTestTests" / "Resources" / "Press.storekit"
WIN_BACK = {
    "displayPrice": "0.99", "internalID": "5C0DE041", "isEligible": True, "numberOfPeriods": 1,
    "offerID": "come-back", "paymentMode": "payAsYouGo", "referenceName": "Come back",
    "subscriptionPeriod": "P1M"}

numbers = itertools.count(1)


def catalogue(app):
    """A catalogue whose monthly subscription has an offer of each kind."""
    content = json.loads(PRESS.read_text(encoding="utf-8").replace("com.example.press", app))
    content["subscriptionGroups"][0]["subscriptions"][0]["winbackOffers"] = [WIN_BACK]
    return content


def payload(token):
    """The payload of a JWS that comes without its header, or with it."""
    part = token.split(".")[-2]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class World:
    """A world of a store, and what its owner does in it."""

    def __init__(self, store, name="default"):
        self.store, self.name = store, name
        self.options = [] if name == "default" else ["--world", name]
        self.path = "" if name == "default" else f"/t/{name}"

    def run(self, *words):
        return self.store.run(*words, *self.options)

    def send(self, method, path, body=None):
        return self.store.send(method, f"{self.path}/control/v1/{path}", body)

    def get(self, path):
        return self.send("GET", path)

    def place(self, path):
        return f"/{self.name}/{path}"

    def now(self):
        return self.get("clock")["now"]

    def app(self):
        """The identifier of a new app; its products begin with it."""
        app = f"com.example.app{next(numbers)}"
        self.send("PUT", f"apps/{app}/catalog", catalogue(app))
        return app

    def customer(self, environment="sandbox"):
        name = f"customer-{next(numbers)}@example.com"
        self.send("POST", "accounts", {"name": name, "environment": environment})
        return name

    def account(self, name, environment="sandbox"):
        return self.get(f"accounts/details?account={name}&environment={environment}")["account"]

    def buy(self, app, product, account, environment="sandbox", **more):
        """The store's answer to a purchase on the device that it keeps for the customer."""
        return self.send("POST", "purchases", {
            "account": account, "environment": environment, "bundleId": app,
            "productId": f"{app}.{product}", "attemptId": str(uuid.uuid4()).upper(), **more})

    def bought(self, app, product):
        """The number of a new customer's transaction, and the customer."""
        account = self.customer()
        done = self.buy(app, product, account)
        return done["transaction"]["transactionId"], account


class Device:
    """An installation of an app on which an account is signed in."""

    def __init__(self, world, app, account, environment="sandbox", version="1.0"):
        self.world, self.base = world, f"{world.path}/{environment}/device/v1/"
        self.token = world.send("POST", "devices", {
            "guid": str(uuid.uuid4()).upper(), "appVersion": version, "account": account,
            "bundleId": app, "environment": environment})["deviceToken"]

    def send(self, method, path, body=None):
        return self.world.store.send(method, self.base + path, body, token=self.token)

    def price(self, product):
        """What the product costs here, as "0.99 USD"; None if it is not for sale."""
        found = self.send("POST", "products", {"productIdentifiers": [product]})["products"]
        return f"{found[0]['priceMilliunits'] / 1000} {found[0]['currency']}" if found else None

    def product(self, product):
        found = self.send("POST", "products", {"productIdentifiers": [product]})["products"]
        return found[0] if found else {}

    def events(self):
        return self.send("GET", "updates")["events"]

    def kinds(self):
        return [event["kind"] for event in self.events()]

    def subscription(self, original):
        """What the device's signed data say of a subscription: its status, renewal and period."""
        groups = self.send("GET", "signed")["groups"]
        found = next(one for group in groups for one in group["statuses"]
                     if one["originalTransactionId"] == original)
        return {**payload(found["transaction"]), **payload(found["renewal"]),
                "status": found["status"]}

    def tags(self, version="1.0"):
        return self.send("GET", f"resources?version={quote(version)}")["tags"]

    def is_known(self):
        try:
            self.send("GET", "transactions")
        except Refused:
            return False
        return True
