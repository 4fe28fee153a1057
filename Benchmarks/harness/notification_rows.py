"""The rows of scripts/bench about notifications to an app's server, which answers at once."""

import asyncio
import json
import os
import sqlite3
import subprocess
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from fair import exchange
from programs import CONNECTIONS, Failure, bench_command, figures, run_bench, start_load
from store import BUNDLE_ID, PASSWORD, PRODUCT, Store, account

TARGET = f"/control/v1/apps/{BUNDLE_ID}/notification-targets/sandbox"
SETTLE = "/control/v1/notifications/settle"
DEVICES = 64
# Between the purchases of each connection, where deliveries are to keep up with them: some 300
# purchases in a second.
PAUSE_MS = 200
SESSIONS = 1_000
# Their connections at once: a store that has many of them leaves a client little time.
SESSION_CONNECTIONS = 512
# As if nothing had been signed or sent.
UNDO = """
    DELETE FROM notification_attempt;
    UPDATE notification SET is_signed = 0, head_number = NULL, signature = NULL,
        transaction_signature = NULL, renewal_signature = NULL, attempts = 0, last_result = NULL,
        due_ms = made_ms;
"""


def notify(store, url, world=""):
    store.ask("PUT", world + TARGET, {"url": url, "allowsPrivateAddresses": True}, store.token)


def settle(store):
    while store.ask("POST", SETTLE, token=store.token)["due"]:
        pass


class NotificationRows:
    """Rows of `Bench`, whose floor is the app's server."""

    def notifications(self):
        """The notifications of purchases, all unsigned and due when the store starts, until each
        was delivered and that is noted; and how late they come while customers buy at a rate that
        deliveries keep up with."""
        if not self.notified:
            self.notified = Notified(self)
        return {**self.notified.deliver(), **self.notified.delays()}

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

    def sessions_1000(self):
        """In each of 1,000 test sessions, all at once: a purchase, its Get Transaction Info, and
        its notification."""
        store, receiver = Store(self.path("sessions"), self.folder), Receiver()
        try:
            self.say(f"{SESSIONS:,} sessions, each with a device and an app's server")
            with ThreadPoolExecutor(4) as pool:
                sessions = list(pool.map(
                    lambda number: Session(store, number, receiver.url, self.path("session")),
                    range(SESSIONS)))
                tokens = list(pool.map(Session.server_token, sessions))
            begin = time.monotonic()
            asyncio.run(buy_all(sessions, tokens, store.port))
            receiver.wait_for(SESSIONS)
            return {"sessions_1000_s": time.monotonic() - begin}
        finally:
            store.stop()
            receiver.stop()


async def buy_all(sessions, tokens, port):
    places = asyncio.Semaphore(SESSION_CONNECTIONS)

    async def buy(session, token):
        async with places:
            try:
                await session.buy(port, token)
            except asyncio.IncompleteReadError as error:
                raise Failure(f"a connection of {session.base} was closed") from error

    await asyncio.gather(*map(buy, sessions, tokens))


class Receiver:
    """An app's server that tells how late its notifications came."""

    def __init__(self):
        self.process = subprocess.Popen(bench_command("delays"), text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.url = json.loads(self.process.stdout.readline())["url"] + "/notifications"

    def report(self):
        """What came since the last report."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def wait_for(self, count):
        came, deadline = 0, time.monotonic() + 60
        while came < count:
            if time.monotonic() > deadline:
                raise Failure(f"{came} notifications came of {count}")
            time.sleep(0.005)
            came += self.report()["count"]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


class Session:
    """A test session with the sample app, whose customer is signed in and whose server is notified."""

    def __init__(self, store, number, url, folder):
        self.base, self.folder = f"/t/n{number}", folder
        os.mkdir(folder)
        store.ask("POST", "/control/v1/worlds", {"name": f"n{number}"}, store.token)
        store.fill_world(self.base, accounts=1)
        notify(store, url, self.base)
        device = store.ask("POST", self.base + "/sandbox/device/v1/register", {
            "guid": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "appVersion": "1.0"})
        self.token = store.ask(
            "POST", self.base + "/sandbox/device/v1/sign-in",
            {"account": account(0), "password": PASSWORD}, device["deviceToken"])["deviceToken"]
        self.key = store.ask(
            "POST", f"{self.base}/control/v1/apps/{BUNDLE_ID}/offer-keys", token=store.token)

    def server_token(self):
        """Good for five minutes."""
        key, out = os.path.join(self.folder, "key.p8"), os.path.join(self.folder, "token")
        with open(key, "w") as file:
            file.write(self.key["privateKey"])
        run_bench("server-tokens", "--key", key, "--key-id", self.key["keyId"], "--issuer",
                  self.key["issuerId"], "--bundle-id", BUNDLE_ID, "--count", 1, "--out", out)
        with open(out) as file:
            return file.read().strip()

    async def buy(self, port, server_token):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            bought = await self.ask(
                reader, writer, "POST", "/sandbox/device/v1/attempts", self.token,
                {"attemptId": str(uuid.uuid4()).upper(), "productId": PRODUCT, "quantity": 1})
            number = bought["transaction"]["transactionId"]
            await self.ask(reader, writer, "GET", f"/sandbox/inApps/v1/transactions/{number}",
                           server_token)
        finally:
            writer.close()

    async def ask(self, reader, writer, method, path, token, body=None):
        data = json.dumps(body).encode() if body else b""
        status, answer = await exchange(reader, writer, method, self.base + path, data, token)
        if status != 200:
            raise Failure(f"{method} {self.base}{path} answered {status}: {answer[:200]}")
        return json.loads(answer)


class Notified:
    """A store with the notifications of a few seconds of purchases."""

    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.path("notified")
        os.mkdir(self.folder)
        self.data = os.path.join(self.folder, "data")
        self.store = Store(self.data, self.folder)
        self.receiver = Receiver()
        bench.say("purchases that are notified")
        self.store.fill()
        self.devices = self.store.make_devices(DEVICES, os.path.join(self.folder, "devices"))
        notify(self.store, bench.receiver())
        figures(start_load("purchase", self.store.url, 5, BENCH_DEVICES=self.devices))
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

    def delays(self):
        """From the commit of a purchase to the arrival of its notification."""
        notify(self.store, self.receiver.url)
        try:
            bought = figures(start_load(
                "purchase", self.store.url, self.bench.seconds, connections=CONNECTIONS,
                BENCH_DEVICES=self.devices, BENCH_PAUSE_MS=str(PAUSE_MS)))
            settle(self.store)
            came = self.receiver.report()
        finally:
            notify(self.store, self.bench.receiver())
        if came["count"] < bought.requests:
            raise Failure(f"{bought.requests} purchases were notified {came['count']} times")
        return {"p50_ms": came["p50_ms"], "p99_ms": came["p99_ms"], "paced_rate": bought.rate}

    def stop(self):
        self.store.stop()
        self.receiver.stop()
