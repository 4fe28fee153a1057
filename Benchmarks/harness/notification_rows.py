"""The rows of scripts/bench about notifications to an app's server, which answers at once."""

import os
import sqlite3
import time

from programs import figures, start_load
from store import BUNDLE_ID, Store

TARGET = f"/control/v1/apps/{BUNDLE_ID}/notification-targets/sandbox"
SETTLE = "/control/v1/notifications/settle"
DEVICES = 64
# As if nothing had been signed or sent.
UNDO = """
    DELETE FROM notification_attempt;
    UPDATE notification SET is_signed = 0, head_number = NULL, signature = NULL,
        transaction_signature = NULL, renewal_signature = NULL, attempts = 0, last_result = NULL,
        due_ms = made_ms;
"""


def notify(store, url):
    store.ask("PUT", TARGET, {"url": url, "allowsPrivateAddresses": True}, store.token)


def settle(store):
    while store.ask("POST", SETTLE, token=store.token)["due"]:
        pass


class NotificationRows:
    """Rows of `Bench`, whose floor is the app's server."""

    def notifications(self):
        """The notifications of purchases, all unsigned and due when the store starts, until each
        was delivered and that is noted."""
        if not self.notified:
            self.notified = Notified(self)
        return self.notified.deliver()

    def renewals_notified(self):
        """`renewals_100k` while the notification of each is stored, signed and delivered; the rest
        is delivered afterwards."""
        world = self.open_subscribers(100_000)
        notify(world.store, self.receiver())
        try:
            return world.renew(100_000)
        finally:
            settle(world.store)
            world.store.ask("DELETE", TARGET, token=world.store.token)

    def receiver(self):
        self.start_floor()
        return self.floor_url + "/notifications"


class Notified:
    """A store with the notifications of a few seconds of purchases."""

    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.path("notified")
        os.mkdir(self.folder)
        self.data = os.path.join(self.folder, "data")
        self.store = Store(self.data, self.folder)
        bench.say("purchases that are notified")
        self.store.fill()
        devices = self.store.make_devices(DEVICES, os.path.join(self.folder, "devices"))
        notify(self.store, bench.receiver())
        figures(start_load("purchase", self.store.url, 5, BENCH_DEVICES=devices))
        began = time.monotonic()
        settle(self.store)
        # How far deliveries were behind purchases at the end.
        self.drain_ms = (time.monotonic() - began) * 1e3

    def deliver(self):
        self.store.stop()
        database = sqlite3.connect(os.path.join(self.data, "worlds", "default.sqlite"))
        database.executescript(UNDO)
        [count] = database.execute("SELECT count(*) FROM notification").fetchone()
        database.close()
        began = time.monotonic()
        self.store = Store(self.data, self.folder)
        settle(self.store)
        seconds = time.monotonic() - began
        return {"rate": count / seconds, "count": count, "drain_ms": self.drain_ms}

    def stop(self):
        self.store.stop()
