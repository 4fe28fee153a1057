"""Two builds of the store in turns, for scripts/bench --against."""

import os
import time
from statistics import median

import programs
from programs import BUILD, Failure
from rows import Bench

# Rows whose requests all go to the bench's own store, so that its processor time is theirs.
USUAL = ("products", "purchase", "verify_receipt", "world")
LOADS = (*USUAL, "transaction_info", "transaction_info_fresh", "transaction_history",
         "subscription_statuses")


class Side:
    """One of the builds, with a bench of its own."""

    def __init__(self, name, checkout, folder, seconds, say):
        self.name = name
        self.build = os.path.join(checkout, ".build", "release") if checkout else BUILD
        for product in ("bodega", "BodegaBench"):
            if not os.access(os.path.join(self.build, product), os.X_OK):
                raise Failure(f"there is no release build of {product} in {self.build}; run "
                              f"scripts/bench floor in that checkout once")
        place = os.path.join(folder, name)
        os.mkdir(place)
        self.seconds = seconds
        self.bench = Bench(place, seconds, say)

    def open(self):
        programs.use(self.build)
        self.bench.open()

    def measure(self, row):
        """A row's rate, and the store's microseconds of processor time for each request."""
        programs.use(self.build)
        before = self.processor_seconds()
        found = getattr(self.bench, row)()
        # The store may still be writing what it has answered.
        time.sleep(0.1)
        used = self.processor_seconds() - before
        if row in LOADS:
            found["cpu_us"] = used / (found["rate"] * self.seconds) * 1e6
        return found

    def processor_seconds(self):
        with open(f"/proc/{self.bench.store.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare(this, other, rows, rounds, say):
    """Measures each row on both sides, in turns, after a turn that does not count."""
    found = []
    for row in rows:
        pairs = []
        for number in range(rounds + 1):
            say(f"{row}: turn {number} of {rounds}" if number else f"{row}: warming up")
            order = (this, other) if number % 2 else (other, this)
            results = {side.name: side.measure(row) for side in order}
            if number:
                pairs.append((results["this"], results["other"]))
        found.append(summary(row, pairs))
    return found


def summary(row, pairs):
    """The medians of both sides, and of the ratios of the pairs, this to the other."""
    def of(name):
        if any(name not in side for pair in pairs for side in pair):
            return {}
        return {name: round(median(mine[name] for mine, _ in pairs), 2),
                f"other_{name}": round(median(other[name] for _, other in pairs), 2),
                f"{name}_ratio": round(median(mine[name] / other[name] for mine, other in pairs), 3)}
    return {"name": row, **of("rate"), **of("cpu_us")}
