"""Backups taken while customers buy; each is restored and judged by the auditor."""

import os
import shutil
import signal
import subprocess
import sys
import time

import programs
from devices import seen
from programs import CONNECTIONS, ROOT, Failure, figures, start_load
from store import PRODUCT, Store, purchases

BACKUPS = 20
# Longer than all of them take; the load is stopped after the last one.
LOAD_SECONDS = 3_600
COMMAND_SECONDS_MAX = 600


class Backups:
    """A figure of `Bench`."""

    def backups_20(self):
        """A store of its own, so that no backup holds what other rows bought."""
        folder = self.path("backups")
        data, phone = os.path.join(folder, "data"), os.path.join(folder, "phone")
        os.mkdir(folder)
        store = Store(data, folder)
        try:
            store.fill()
            devices = store.make_devices(CONNECTIONS, os.path.join(folder, "devices"))
            # A device whose files the auditor compares with each restored store.
            store.make_accounts(["phone@example.com"])
            _, asked = seen(store, "phone@example.com", phone, 0.1)
            before = store.purchases()
            load = start_load("purchase", store.url, LOAD_SECONDS, BENCH_DEVICES=devices)
            try:
                taken = [self.take(store, os.path.join(folder, f"{number}.tar"), load)
                         for number in range(BACKUPS)]
            finally:
                load.send_signal(signal.SIGINT)
            found = figures(load)
            self.compare(found.requests, before, CONNECTIONS, store)
        finally:
            store.stop()
        shutil.rmtree(data)
        for number, backup in enumerate(taken):
            self.say(f"restoring and judging backup {number + 1} of {BACKUPS}")
            backup.judge(os.path.join(folder, "restored"), phone, asked)
        shutil.rmtree(folder)
        return {"backups_rate": sum(each.bought for each in taken)
                / sum(each.seconds for each in taken),
                "backups_rate_least": min(each.bought / each.seconds for each in taken),
                "backups_p99_ms": found.p99_ms,
                "backups_s": sum(each.seconds for each in taken),
                "backups_purchases": taken[-1].before + taken[-1].bought}

    def take(self, store, path, load):
        begin = time.monotonic()
        before = store.purchases()
        run_bodega("backup", path, "--data", store.data)
        seconds = time.monotonic() - begin
        if load.poll() is not None:
            raise Failure("the load ended before the backup")
        return Backup(path, before, store.purchases() - before, seconds)


class Backup:
    """A file, the purchases before it was begun, and those meanwhile."""

    def __init__(self, path, before, bought, seconds):
        self.path = path
        self.before = before
        self.bought = bought
        self.seconds = seconds

    def judge(self, folder, phone, asked):
        """Restores it beside the home of a device that asked for so many purchases, and has the
        auditor look at both."""
        told = os.path.join(folder, "told")
        os.makedirs(told)
        with open(os.path.join(told, "phone.txt"), "w") as file:
            file.write(f"purchasing {PRODUCT}\n" * asked)
        shutil.copytree(phone, os.path.join(folder, "phone"))
        data = os.path.join(folder, "store")
        run_bodega("restore-backup", self.path, "--data", data)
        held = purchases(data)
        if not self.before <= held <= self.before + self.bought:
            raise Failure(f"{self.path} holds {held} purchases of {self.before} to "
                          f"{self.before + self.bought}")
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "Tests", "Auditor", "audit.py"), folder,
             "--catalogue", os.path.join(ROOT, "Examples", "RocketCar", "RocketCar.storekit"),
             "--unsettled", "--no-backend"],
            capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
        if done.returncode != 0:
            raise Failure(f"{self.path} is not sound: {(done.stdout + done.stderr)[:400]}")
        shutil.rmtree(folder)
        os.remove(self.path)


def run_bodega(*words):
    done = subprocess.run(
        [os.path.join(programs.build, "bodega"), *words],
        capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
    if done.returncode != 0:
        raise Failure(f"bodega {words[0]} ended with {done.returncode}: {done.stderr.strip()}")
