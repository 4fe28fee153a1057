"""Devices with the StoreKit module that are measured alone: one purchase after the other, and
launches with thousands of unfinished purchases."""

import http.client
import json
import os
import shutil
import subprocess
import uuid
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from programs import Failure, bench_command
from store import BUNDLE_ID, PASSWORD, PRODUCT

UNFINISHED = 10_000
# The buyers of the unfinished purchases, each over a kept-alive connection.
BUYERS = 8
LAUNCHES = 5


def device_environment(store, name, home):
    """The environment of a device: its store, its home folder and its account."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("STOREKIT_")}
    environment.update(
        STOREKIT_URL=store.url + "/sandbox", STOREKIT_BUNDLE_ID=BUNDLE_ID,
        STOREKIT_APP_VERSION="1.0", STOREKIT_HOME=home, STOREKIT_SHEET="approve",
        STOREKIT_ACCOUNT=f"{name}:{PASSWORD}")
    return environment


def run_device(store, name, home, *words):
    """Runs a device to its end and gives its report."""
    done = subprocess.run(bench_command(*words), env=device_environment(store, name, home),
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"a device ended with {done.returncode}")
    return json.loads(done.stdout)


def seen(store, name, home, seconds):
    """One device that buys and finishes alone; its home is on disk, like a real device's."""
    found = run_device(store, name, home, "seen", "--product", PRODUCT, "--seconds", seconds)
    times = sorted(found["milliseconds"])
    if not times:
        raise Failure("nothing was bought")
    return {"rate": len(times) / seconds, "p50_ms": median(times),
            "p99_ms": times[int(len(times) * 0.99)]}, len(times) + found["warm_ups"]


class Launches:
    """An account that has never finished anything, and launches of one of its devices."""

    def __init__(self, store, name, folder):
        self.store = store
        self.name = name
        self.folder = folder
        store.make_accounts([name])
        # A device is signed in once it has bought something.
        self.signed_in = os.path.join(folder, "signed-in")
        self.times = 0
        seen(store, name, self.signed_in, 0.1)
        self.buy_unfinished()

    def buy_unfinished(self):
        """Another device of the account buys; it never finishes."""
        device = self.store.ask("POST", "/sandbox/device/v1/register", {
            "guid": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "appVersion": "1.0"})
        device = self.store.ask("POST", "/sandbox/device/v1/sign-in",
                                {"account": self.name, "password": PASSWORD},
                                device["deviceToken"])
        before = self.store.purchases()
        with ThreadPoolExecutor(BUYERS) as pool:
            counts = [UNFINISHED // BUYERS] * BUYERS
            list(pool.map(lambda count: self.buy(count, device["deviceToken"]), counts))
        gained = self.store.purchases() - before
        if gained != UNFINISHED:
            raise Failure(f"{gained} of {UNFINISHED} purchases are in the database")

    def buy(self, count, token):
        connection = http.client.HTTPConnection("127.0.0.1", self.store.port, timeout=60)
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + token}
        for _ in range(count):
            body = {"attemptId": str(uuid.uuid4()).upper(), "productId": PRODUCT, "quantity": 1}
            connection.request("POST", "/sandbox/device/v1/attempts", json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200 or json.loads(text)["state"] != "done":
                raise Failure(f"a purchase was answered {answer.status}: {text[:200]}")
        connection.close()

    def run(self, part):
        """The device in its state before anything was unfinished, so that each launch does the
        same: the list, the receipt, one call of the observer."""
        self.times += 1
        home = os.path.join(self.folder, f"{part}-{self.times}")
        shutil.copytree(self.signed_in, home)
        found = run_device(self.store, self.name, home, part, "--data", self.store.data,
                           "--count", UNFINISHED)
        shutil.rmtree(home)
        return found

    def measure(self, part, name):
        """The median and the maximum of several times, and the memory used."""
        found = [self.run(part) for _ in range(LAUNCHES)]
        times = [each["milliseconds"] for each in found]
        return {f"{name}_ms": median(times), f"{name}_ms_max": max(times),
                f"{name}_resident_mb": median(each["resident_mb"] for each in found),
                f"{name}_peak_mb": median(each["peak_mb"] for each in found)}
