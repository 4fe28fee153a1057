"""The figures of scripts/bench about the console: what its inspector costs, how soon a page shows
what happens, and how long its lists take in a store with many sales."""

import json
import os
import shutil
import subprocess
import time
from statistics import median
from urllib.parse import quote

from programs import CONNECTIONS, ROOT, Failure, figures, start_load
from store import Store
from subscribers import ACCOUNT_NAME, BUNDLE_ID
from subscribers import PRODUCT as SUBSCRIBED

PYTHON = os.path.join(ROOT, ".venv-console", "bin", "python")
PINS = os.path.join("Tests", "Console", "requirements.txt")
# Bursts of purchases at a store with an inspector and at one without, in turns.
PAIRS = 15
INSPECTORS = ((), ("--no-inspector",))
WARM_UP_SECONDS = 1
BURST_SECONDS = 2
PAGES = 9
# Between the purchases of each connection: some 1,000 purchases a second.
PAUSE_MS = 58
LISTINGS = 50
ROWS = 200


class ConsoleRows:
    """Figures of `Bench`."""

    def inspector(self):
        """Purchases with an inspector for each one without, and the memory that it needs. Each
        burst has a store of its own, since two processes with the same options differ by as much as
        an inspector costs, and a copy of the same data, since a customer's receipt holds a limited
        number of purchases."""
        data = self.path("inspected")
        store = Store(data, self.folder)
        try:
            store.fill()
            devices = store.make_devices(CONNECTIONS, self.path("devices"))
        finally:
            store.stop()
        pairs = []
        for pair in range(PAIRS):
            both = {}
            for options in INSPECTORS if pair % 2 == 0 else INSPECTORS[::-1]:
                copy = self.path("inspected-now")
                shutil.copytree(data, copy)
                store = Store(copy, self.folder, options=options)
                try:
                    self.burst(store, devices, WARM_UP_SECONDS)
                    both[options] = self.burst(store, devices, BURST_SECONDS), store.resident_mb()
                finally:
                    store.stop()
                    shutil.rmtree(copy)
            pairs.append([both[options] for options in INSPECTORS])
        return {
            "inspector_ratio": median(with_it / alone for (with_it, _), (alone, _) in pairs),
            "inspector_rate": median(with_it for (with_it, _), _ in pairs),
            "inspector_mb": median(with_it - alone for (_, with_it), (_, alone) in pairs),
        }

    def burst(self, store, devices, seconds):
        """Buys for some seconds; the rate."""
        return figures(start_load("purchase", store.url, seconds, BENCH_DEVICES=devices)).rate

    def console_page(self):
        """The first screen: in a browser that comes for the first time, from the address that
        `bodega console` prints to the first painted row; and while customers buy, from a request's
        arrival to its painted row."""
        self.make_browser()
        page = subprocess.Popen(
            [PYTHON, "-B", os.path.join(ROOT, "Benchmarks", "harness", "open_page.py")],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            first = [tell(page, self.sign_in_address())["milliseconds"] for _ in range(PAGES)]
            tell(page, "watch")
            load = figures(start_load("purchase", self.store.url, max(self.seconds, 10),
                                      BENCH_DEVICES=self.devices, BENCH_PAUSE_MS=str(PAUSE_MS)))
            time.sleep(1)
            page.stdin.close()
            delays = sorted(json.loads(page.stdout.readline())["milliseconds"])
            if page.wait(timeout=60) != 0:
                raise Failure("the browser's program failed")
        finally:
            if page.poll() is None:
                page.terminate()
                page.wait(timeout=20)
            page.stdout.close()
        if not load.requests <= len(delays) <= load.requests + CONNECTIONS:
            raise Failure(f"of {load.requests} requests the page showed {len(delays)}")
        return {"console_page_first_ms": median(first), "console_page_rate": load.rate,
                "console_page_event_p50_ms": median(delays),
                "console_page_event_p95_ms": delays[int(len(delays) * 0.95)]}

    def make_browser(self):
        subprocess.run([os.path.join(ROOT, "scripts", "bootstrap"), "chromium", "python3-venv"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run([os.path.join(ROOT, "scripts", "python-environment"), ".venv-console", PINS],
                       check=True, cwd=ROOT, stdout=subprocess.DEVNULL)

    def sign_in_address(self):
        code = self.store.ask("POST", "/console/v1/codes", {}, self.store.token)["code"]
        return f"{self.store.url}/console/#code={code}"

    def console_lists_1m(self):
        """Pages of 200 of a million sales, newest and oldest first, alone and by each filter."""
        world = self.open_subscribers(1_000_000)
        of = {
            "all": "", "app": f"&app={BUNDLE_ID}", "product": f"&product={SUBSCRIBED}",
            "account": "&account=" + quote(ACCOUNT_NAME.text(0, world.count // 2)),
            "state": "&state=unfinished",
        }
        paths = [f"/control/v1/transactions?environment=sandbox&limit={ROWS}&order={order}{query}"
                 for query in of.values() for order in ("newest", "oldest")]
        paths.append(f"/control/v1/events?order=newest&limit={ROWS}")
        slowest = {path: [] for path in paths}
        for _ in range(LISTINGS):
            for path in paths:
                begin = time.monotonic()
                world.store.fetch(path, world.store.token)
                slowest[path].append((time.monotonic() - begin) * 1e3)
        middle = {path: median(times) for path, times in slowest.items()}
        worst = max(middle, key=middle.get)
        self.say(f"the slowest list is {worst}")
        return {"console_lists_1m_ms": middle[worst]}


def tell(page, line):
    page.stdin.write(line + "\n")
    page.stdin.flush()
    answer = page.stdout.readline()
    if not answer:
        raise Failure(f"the browser's program ended with {page.wait(timeout=20)}")
    return json.loads(answer)
