"""A backend of the program under test, the world of a store that it asks, and its users."""

import json
import os
import pathlib
import subprocess
import time
import uuid
from contextlib import contextmanager, suppress

import pytest

from store import APP, CATALOGUE, ROOT, Refused, Server
from worlds import World, numbers

ROCKET_CAR = str(pathlib.Path(
    os.environ.get("ROCKETCAR_PROGRAM", ROOT / ".build/debug/RocketCar")).resolve())
PASSWORD = "steering-wheel-1"


class Shop(World):
    """A world of a store that sells the app of the backend, at its URL."""

    @property
    def url(self):
        return self.store.url + self.path

    @contextmanager
    def failing(self, status):
        """Meanwhile each receipt is answered with a status: 21010 is final, 21005 is not."""
        self.run("fault", "verify-receipt", str(status))
        try:
            yield
        finally:
            self.run("fault", "clear")


class Backend(Server):
    """`bodega backend` for a shop, with a name and places, as worlds of a store have them."""

    token_file = "operator-token"
    name = "backend"

    def __init__(self, shop):
        self.shop = shop
        super().__init__()

    @property
    def store(self):
        """The server of its console."""
        return self

    def words(self):
        secret = pathlib.Path(self.folder.name) / "secret"
        if not secret.exists():
            secret.touch(0o600)
            secret.write_text(json.loads(self.shop.run("secret", "make", "--json"))["secret"])
        return ["backend", "--production-url", f"{self.shop.url}/production",
                "--sandbox-url", f"{self.shop.url}/sandbox", "--allow-sandbox",
                "--shared-secret-file", str(secret),
                "--products", str(ROOT / "Examples/RocketCar/Backend/products.json")]

    def environment(self):
        return {**super().environment(), "BODEGA_BACKEND_DATA": str(self.data),
                "BODEGA_OPERATOR_TOKEN": self.token}

    def address(self):
        return self.run("backend", "console").strip()

    def place(self, path):
        return f"/backend/{path}"

    def ask(self, path):
        """The operator interface's answer."""
        return self.get(f"/operator/v1/{path}")

    def submissions(self, user):
        return self.ask(f"submissions?user={user}")["submissions"]

    def submission(self, number):
        return self.ask(f"submissions/{number}")

    def subscription(self, original):
        return self.ask(f"subscriptions?transaction={original}")["subscriptions"][0]

    def check(self, original):
        self.send("POST", f"/operator/v1/subscriptions/{original}/check")


class User:
    """A user of the backend, and the customer who pays for them, as an app sees both."""

    def __init__(self, backend, name=None):
        self.backend, self.shop = backend, backend.shop
        self.account = self.shop.customer()
        self.name = f"driver-{next(numbers)}" if name is None else name
        signed_in = backend.send("POST", "/v1/users", {"name": self.name, "password": PASSWORD},
                                 token=False)
        self.id, self.token = signed_in["userId"], signed_in["token"]

    def purchase(self, product, **changes):
        """What an app sends when it bought; `changes` are what it says otherwise."""
        done = self.shop.send("POST", "purchases?receipts=true", {
            "account": self.account, "bundleId": APP, "productId": f"{APP}.{product}",
            "attemptId": str(uuid.uuid4()).upper()})
        return {"receiptData": done["receipts"]["receipt"], "productId": f"{APP}.{product}",
                "transactionId": done["transaction"]["transactionId"], "appVersion": "1.0",
                **changes}

    def submit(self, product, **changes):
        """Buys, and the submission of it as the operator sees it, whether it was granted or not."""
        with suppress(Refused):
            self.backend.send("POST", "/v1/receipts", self.purchase(product, **changes),
                              token=self.token)
        return self.backend.submissions(self.id)[0]


class RocketCar:
    """The example app on a device, with a player of the backend and a customer of the shop."""

    def __init__(self, backend, player):
        self.account, self.player = f"{player}@example.com", player
        self.home = pathlib.Path(backend.folder.name) / player
        self.home.mkdir()
        backend.shop.run("account", "add", self.account, "--password", PASSWORD)
        self.environment = {
            "STOREKIT_URL": f"{backend.shop.url}/sandbox", "STOREKIT_BUNDLE_ID": APP,
            "STOREKIT_APP_VERSION": "1.0", "STOREKIT_HOME": str(self.home / "device"),
            "STOREKIT_ACCOUNT": f"{self.account}:{PASSWORD}", "STOREKIT_SHEET": "approve",
            "ROCKETCAR_BACKEND": backend.url, "ROCKETCAR_HOME": str(self.home / "app"),
            "ROCKETCAR_USER": f"{player}:{PASSWORD}", "HOME": str(self.home)}

    def run(self, *words, code=0):
        """What the app prints."""
        done = subprocess.run([ROCKET_CAR, *words], env=self.environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == code, f"RocketCar {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout


def eventually(is_so):
    """Whether it is so within four minutes: what is retried waits longer each time."""
    deadline = time.monotonic() + 240
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture(scope="module")
def shop(store, request):
    """A world for the backend of a file's tests."""
    name = request.module.__name__.removeprefix("test_").replace("_", "-")
    store.run("world", "make", name)
    made = Shop(store, name)
    made.run("catalog", "import", str(CATALOGUE), "--bundle-id", APP)
    made.run("clock", "pace", "calendar")
    yield made
    store.run("world", "delete", name)


@pytest.fixture(scope="module")
def backend(shop):
    running = Backend(shop)
    yield running
    running.close()


@pytest.fixture(scope="module")
def world(backend):
    """The backend in the place of a world, for what is tested in both consoles."""
    return backend
