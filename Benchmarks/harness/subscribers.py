"""Worlds full of subscribers, and the cost of their renewals and receipts."""

import base64
import json
import os
import sqlite3
import time

from extrapolation import ORDERS, Name, Pattern, Rows, fill
from programs import ROOT, Failure
from store import BUNDLE_ID, PASSWORD, Store

CATALOGUE = os.path.join(ROOT, "docs", "lifecycle", "fans.storekit")
PRODUCT = BUNDLE_ID + ".silver"
# 2026-03-02T00:00:00Z; the first purchase, away from the end of a month.
BEGIN_MS = 1_772_409_600_000
# All purchases fall within this many days, and so do the renewals.
SPAN_MS = 20 * 86_400_000
RENEWALS = 100_000
# When all subscribers have been renewed for a year, and none more often (2027-03-28).
YEAR_MS = 1_806_192_000_000
YEAR_SUBSCRIBERS = 1_000
# For receipts: the number of subscribers, the renewals of each, and when all have had exactly those
# (2030-05-28).
READERS = 64
RECEIPT_RENEWALS = 50
RECEIPTS_MS = 1_906_156_800_000

ACCOUNT_NAME = Name("subscriber-%07d@example.com", "person")
DEVICE_GUID = Name("%08X-5B5C-4B1D-9A3E-0123456789AB", "person")
ATTEMPT_ID = Name("%08X-A77E-4B1D-9A3E-0123456789AB", "step")


class Subscribers:
    """A store with a world of its own, in which many customers subscribe to the same monthly
    product, one after the other; its clock is held."""

    def __init__(self, folder, count):
        os.mkdir(folder)
        self.folder = folder
        self.count = count
        self.pace_ms = SPAN_MS // count
        self.data = os.path.join(folder, "data")
        self.database = os.path.join(self.data, "worlds", "default.sqlite")
        self.store = Store(self.data, folder)
        self.receipts = os.path.join(folder, "receipts")
        self.tokens = {}
        with open(CATALOGUE, "rb") as file:
            self.control("PUT", f"/apps/{BUNDLE_ID}/catalog", file.read())
        self.control("PUT", "/clock/pace", {"sandbox": "calendar"})

    def stop(self):
        self.store.stop()

    def control(self, method, path, body=None):
        return self.store.ask(method, "/control/v1" + path, body, self.store.token)

    def query(self, sql):
        database = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=20)
        try:
            return database.execute(sql).fetchone()
        finally:
            database.close()

    # Done by the store

    def subscriptions(self):
        return self.query("SELECT count(*) FROM subscription")[0]

    def hold(self, step):
        self.control("PUT", "/clock", {"mode": "held", "now": BEGIN_MS + step * self.pace_ms})

    def add_account(self, person):
        name = ACCOUNT_NAME.text(0, person)
        self.control("POST", "/accounts",
                     {"environment": "sandbox", "name": name, "password": PASSWORD})
        device = self.store.ask("POST", "/sandbox/device/v1/register", {
            "guid": DEVICE_GUID.text(0, person), "bundleId": BUNDLE_ID, "appVersion": "1.0"})
        device = self.store.ask("POST", "/sandbox/device/v1/sign-in",
                                {"account": name, "password": PASSWORD}, device["deviceToken"])
        self.tokens[person] = device["deviceToken"]

    def subscribe(self, step, person):
        """Advances the clock, and a person subscribes."""
        self.hold(step)
        answer = self.store.ask(
            "POST", "/sandbox/device/v1/attempts",
            {"attemptId": ATTEMPT_ID.text(step, 0), "productId": PRODUCT, "quantity": 1},
            self.tokens[person])
        if answer["state"] != "done":
            raise Failure(f"a subscription was answered {answer}")

    def subscribe_all(self):
        self.hold(0)
        for person in range(self.count):
            self.add_account(person)
        for person in range(self.count):
            self.subscribe(person, person)

    # Filled in

    def fill(self):
        """A few subscribe at the store; the others' rows are written like theirs."""
        self.hold(-1)
        # The very first of anything does more than the following ones.
        self.add_account(self.count + 1)
        self.subscribe(-1, self.count + 1)
        self.go_on(self.make_person, [(person, person) for person, _ in ORDERS], is_mixed=False)
        self.go_on(self.subscribe, ORDERS, is_mixed=True)

    def make_person(self, _, person):
        self.add_account(person)

    def go_on(self, act, orders, is_mixed):
        """Does something a few times, writes the rows of all further times but one, and does the
        last one, whose rows must be the predicted ones."""
        snapshots = [Rows(self.database)]
        for order in orders:
            act(*order)
            snapshots.append(Rows(self.database))
        pattern = Pattern(snapshots, orders, [ACCOUNT_NAME, DEVICE_GUID, ATTEMPT_ID])
        self.store.stop()
        fill(self.database, pattern, self.count, is_mixed)
        # A store would have written this to disk by then, so it is not left for the measurement.
        os.sync()
        self.store = Store(self.data, self.folder)
        before = pattern.newest(self.database)
        act(self.count, self.count)
        pattern.check(self.database, before, self.count, self.count)

    # Renewals

    def renew(self, count):
        """Moves the clock until a number of subscriptions have been renewed."""
        until = self.query("SELECT due_ms FROM subscription WHERE due_ms IS NOT NULL "
                           f"ORDER BY due_ms LIMIT 1 OFFSET {count - 1}")[0]
        return self.advance(until, count)

    def advance(self, until, count):
        """Moves the clock, and checks the number of renewals: gives the rate, and the store's
        processor time for each."""
        before, spent = self.store.purchases(), self.store.processor_seconds()
        begin = time.monotonic()
        clock = self.control("POST", "/clock/advance", {"to": until})
        while clock["advance"]["state"] == "running":
            time.sleep(0.02)
            clock = self.control("GET", "/clock")
        seconds = time.monotonic() - begin
        spent = self.store.processor_seconds() - spent
        told, gained = clock["advance"], self.store.purchases() - before
        if told["state"] != "done" or told["renewals"] != count or gained != count:
            raise Failure(f"of {count} renewals the database gained {gained}, and the clock "
                          f"said {told}")
        return {"rate": count / seconds, "cpu_us": spent / count * 1e6}

    # Receipts

    def write_bodies(self):
        """Bodies for verifyReceipt, one per line: the current receipt of a device, with the shared
        secret."""
        secret = self.control("POST", f"/apps/{BUNDLE_ID}/secrets", {})["secret"]
        with open(self.receipts, "w") as file:
            for person in range(self.count):
                receipt = self.store.fetch("/sandbox/device/v1/receipt", self.tokens[person])
                body = {"receipt-data": base64.b64encode(receipt).decode(), "password": secret}
                file.write(json.dumps(body) + "\n")
