"""The rows of scripts/bench: each measures once, and is called once per round."""

import json
import os
import select
import shutil
import subprocess
import time
from statistics import median

from backups import Backups
from console_rows import ConsoleRows
from devices import Launches, device_environment, seen
from fair import Fair
from notification_rows import NotificationRows
from programs import CONNECTIONS, Failure, bench_command, figures, load, run_bench, start_load
from server_rows import ServerRows
from store import PRODUCT, Store
from storekit2_rows import StoreKit2Rows
from subscription_rows import SubscriptionRows

# The floor that a row is compared with in the same round.
FLOORS = {"products": "floor", "purchase": "commit_floor", "purchase_receipt": "commit_floor",
          "verify_receipt": "floor", "world": "floor", "renewals_100k": "commit_floor",
          "renewals_1m": "renewals_100k", "renewals_notified": "renewals_100k",
          "verify_receipt_subscription": "floor",
          "transaction_info": "floor", "transaction_info_fresh": "floor",
          "tls_transaction_info": "transaction_info", "transaction_history": "floor",
          "subscription_statuses": "floor"}
RECEIPTS = 12_000
DEVICES = 64
DEVICE_HOMES = 16
# How long devices buy before they finish: until then their receipts grow.
BURST_SECONDS = 0.1
STARTS = 9
SIGN_INS = 1_000
GROWTH_PURCHASES = 100_000
# Concurrent sign-ins: more than the store's two password workers.
SIGN_IN_CONNECTIONS = 8


class Bench(SubscriptionRows, ServerRows, NotificationRows, StoreKit2Rows, ConsoleRows, Fair,
            Backups):
    """A folder with a store, and the rows measured on it."""

    def __init__(self, folder, seconds, say):
        self.folder = folder
        self.seconds = seconds
        self.say = say
        self.data = os.path.join(folder, "data")
        self.store = None
        self.floor_process = None
        self.floor_url = None
        self.devices = None
        self.receipts = None
        self.launches = None
        self.customer = None
        self.notified = None
        self.tls = None
        self.subscribers = {}
        self.files = 0

    # Beginning and end

    def open(self):
        self.say("starting a store: first start, catalogue, accounts, devices")
        self.store = Store(self.data, self.folder)
        self.store.fill()
        self.devices = self.store.make_devices(DEVICES, self.path("devices"))

    def close(self):
        for store in filter(None, [
                self.store, self.notified, *self.subscribers.values(), *(self.tls or ())[:1]]):
            store.stop()
        if self.floor_process:
            self.floor_process.stdin.close()
            self.floor_process.wait(timeout=20)

    def path(self, name):
        self.files += 1
        return os.path.join(self.folder, f"{name}-{self.files}")

    def restart(self):
        self.store.stop()
        self.store = Store(self.data, self.folder)

    # Rows

    def start_floor(self):
        if not self.floor_process:
            self.floor_process = subprocess.Popen(
                bench_command("floor"), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.floor_url = json.loads(self.floor_process.stdout.readline())["url"]

    def floor(self):
        self.start_floor()
        return row(load("floor", self.floor_url, self.seconds))

    def commit_floor(self):
        folder = self.path("commits")
        os.mkdir(folder)
        found = run_bench("commits", "--folder", folder, "--seconds", self.seconds)
        shutil.rmtree(folder)
        return found

    def products(self):
        return row(load("products", self.store.url, self.seconds, BENCH_DEVICES=self.devices))

    def purchase(self):
        return row(self.buy(self.seconds))

    def buy(self, seconds, during=None):
        """Purchases for a while; the database must gain exactly the answered purchases, apart from
        those in progress at the end."""
        before = self.store.purchases()
        running = start_load("purchase", self.store.url, seconds, BENCH_DEVICES=self.devices)
        try:
            if during:
                during()
        finally:
            found = figures(running)
        self.compare(found.requests, before, CONNECTIONS)
        return found

    def compare(self, answers, before, under_way, store=None):
        time.sleep(0.2)
        gained = (store or self.store).purchases() - before
        if not answers <= gained <= answers + under_way:
            raise Failure(f"{answers} purchases were answered and the database gained {gained}")

    def purchase_receipt(self):
        """The StoreKit module in several processes, each with its own home folder. The homes are
        in memory: a device's disk is not the store's. The accounts are new, since a receipt holds
        everything that its account has not finished.

        All devices buy for a moment, then all finish, in turns. The rate is that of buying, up to
        the verified receipt in the file; the cost of finishing is reported beside it."""
        homes = os.path.join("/dev/shm" if os.access("/dev/shm", os.W_OK) else self.folder,
                             f"bodega-bench-{os.getpid()}")
        self.files += 1
        accounts = [f"owner-{self.files}-{number}@example.com" for number in range(DEVICE_HOMES)]
        self.store.make_accounts(accounts)
        devices = []
        before = self.store.purchases()
        try:
            for number, name in enumerate(accounts):
                devices.append(self.start_device(name, f"{homes}/{number}"))
            for device in devices:
                expect(device)
            times, buying, finishing = [], 0, 0
            while buying < self.seconds:
                answers, seconds = tell(devices, "buy")
                times += sum((answer["milliseconds"] for answer in answers), [])
                buying += seconds
                finishing += tell(devices, "finish")[1]
        finally:
            for device in devices:
                device.stdin.close()
                if device.poll() is None:
                    try:
                        device.wait(timeout=20)
                    except subprocess.TimeoutExpired:
                        device.kill()
                        device.wait()
                device.stdout.close()
            shutil.rmtree(homes, ignore_errors=True)
        times.sort()
        self.compare(len(times) + DEVICE_HOMES, before, 0)
        return {"rate": len(times) / buying, "p50_ms": times[len(times) // 2],
                "p99_ms": times[int(len(times) * 0.99)],
                "rate_with_finish": len(times) / (buying + finishing)}

    def start_device(self, name, home):
        command = bench_command("device", "--data", self.data, "--product", PRODUCT,
                                "--seconds", BURST_SECONDS)
        return subprocess.Popen(command, env=device_environment(self.store, name, home), text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def purchase_seen(self):
        """One device alone, with its home on disk."""
        home = self.path("seen")
        name = os.path.basename(home) + "@example.com"
        self.store.make_accounts([name])
        before = self.store.purchases()
        found, bought = seen(self.store, name, home, self.seconds)
        self.compare(bought, before, 0)
        shutil.rmtree(home)
        return found

    def verify_receipt(self):
        if not self.receipts:
            path = self.path("receipts")
            self.say(f"signing {RECEIPTS:,} receipts to ask about")
            run_bench("receipts", "--data", self.data, "--count", RECEIPTS, "--out", path)
            self.receipts = path
        return row(load("verify", self.store.url, self.seconds, BENCH_RECEIPTS=self.receipts))

    def receipt_verify(self):
        return beside_openssl(run_bench("verify", "--data", self.data, "--seconds", self.seconds))

    def receipt_sign(self):
        return beside_openssl(run_bench("sign", "--data", self.data, "--seconds", self.seconds))

    def world(self):
        found = load("world", self.store.url, self.seconds, connections=2,
                     BENCH_CONTROL_TOKEN=self.store.token)
        # A world is two requests.
        return {"rate": found.rate / 2, "p50_ms": found.p50_ms, "p99_ms": found.p99_ms}

    # Figures beside the rows

    def ready(self):
        """Later starts: keys, world and its purchases exist."""
        times = []
        for _ in range(STARTS):
            self.restart()
            times.append(self.store.ready_ms)
        return {"ready_ms": median(times), "ready_ms_max": max(times)}

    def memory(self):
        """Resident memory of a store before any requests, after sign-ins, and its growth over many
        purchases."""
        self.restart()
        time.sleep(2)
        idle = self.store.resident_mb()
        self.say(f"{SIGN_INS:,} sign-ins")
        devices = self.store.make_devices(DEVICES, self.path("devices"), signed_in=False)
        done = 0
        while done < SIGN_INS:
            done += load("sign-in", self.store.url, 10, connections=SIGN_IN_CONNECTIONS,
                         BENCH_DEVICES=devices).requests
        time.sleep(2)
        signed_in = self.store.resident_mb()
        self.say(f"{GROWTH_PURCHASES:,} purchases")
        first = self.store.purchases()
        while self.store.purchases() - first < GROWTH_PURCHASES:
            self.buy(5)
        time.sleep(2)
        return {"idle_mb": idle, "signed_in_mb": signed_in,
                "growth_mb": self.store.resident_mb() - signed_in}

    def redelivery_10k(self):
        return self.open_launches().measure("launch", "redelivery_10k")

    def receipt_10k(self):
        return self.open_launches().measure("refresh", "receipt_10k")

    def open_launches(self):
        if not self.launches:
            self.say("an account buys 10,000 times and finishes nothing")
            folder = self.path("launches")
            os.mkdir(folder)
            self.launches = Launches(
                self.store, os.path.basename(folder) + "@example.com", folder)
        return self.launches

    def beside_sign_ins(self):
        """The p99 of purchases with sign-ins at full rate, divided by that without, in turns."""
        devices = self.store.make_devices(DEVICES, self.path("devices"), signed_in=False)
        ratios, rates, without, beside = [], [], [], []
        for _ in range(3):
            alone = self.buy(self.seconds)
            signing_in = start_load("sign-in", self.store.url, self.seconds + 1,
                                    connections=SIGN_IN_CONNECTIONS, BENCH_DEVICES=devices)
            time.sleep(0.5)
            try:
                both = self.buy(self.seconds)
            finally:
                rates.append(figures(signing_in).rate)
            ratios.append(both.p99_ms / alone.p99_ms)
            without.append(alone.p99_ms)
            beside.append(both.p99_ms)
        return {"sign_in_rate": median(rates), "purchase_p99_ms": median(without),
                "purchase_p99_beside_sign_ins_ms": median(beside),
                "purchase_p99_ratio": median(ratios)}


def row(found):
    return {"rate": found.rate, "p50_ms": found.p50_ms, "p99_ms": found.p99_ms}


def beside_openssl(found):
    return {"rate": found["rate"], "ratio": found["rate"] / found["floor"],
            "openssl": found["floor"]}


def tell(devices, order):
    """Gives all devices an order; returns their answers, and the seconds until the last one."""
    begin = time.monotonic()
    for device in devices:
        device.stdin.write(order + "\n")
        device.stdin.flush()
    answers = [expect(device) for device in devices]
    return answers, time.monotonic() - begin


def expect(device):
    """The next line of a device, within a minute; its own messages went to standard error."""
    if not select.select([device.stdout], [], [], 120)[0]:
        raise Failure("a device said nothing for two minutes")
    line = device.stdout.readline()
    if not line:
        raise Failure(f"a device ended with {device.wait(timeout=20)}")
    return json.loads(line)
