"""A store that runs for scripts/bench, with a catalogue, accounts and devices."""

import http.client
import json
import os
import re
import resource
import sqlite3
import subprocess
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import programs
from programs import ROOT, Failure

BUNDLE_ID = "com.example.rocketcar"
PRODUCT = BUNDLE_ID + ".fuel"
PASSWORD = "rocket-fuel-1"
# The accounts that the loads' devices sign in with.
ACCOUNTS = 32


class Store:
    """`bodega serve` with a data directory, started as usual; its log goes to a file."""

    def __init__(self, data, folder, files=None, options=()):
        """`files` is the most files that the store may have open; nothing means any number."""
        self.data = data
        self.log = open(os.path.join(folder, "store.log"), "ab")
        self.output = os.path.join(folder, "store.out")
        begin = time.monotonic()
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [os.path.join(programs.build, "bodega"), "serve", "--data", data, "--port", "0",
                 *options],
                stdin=subprocess.DEVNULL, stdout=output, stderr=self.log,
                preexec_fn=files and (
                    lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))))
        try:
            self.port = self.find_port()
            self.url = f"http://127.0.0.1:{self.port}"
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise
        self.ready_ms = (time.monotonic() - begin) * 1e3

    def find_port(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with open(self.output) as output:
                found = re.search(r"listens on http://[^ ]*:(\d+)\n", output.read())
            if found:
                return int(found[1])
            if self.process.poll() is not None:
                raise Failure(f"the store ended with {self.process.returncode}; its log is "
                              f"{self.log.name}")
            time.sleep(0.001)
        raise Failure("the store did not print its address")

    @property
    def tls_url(self):
        """Of a store started with --tls-port."""
        with open(os.path.join(self.data, "server.json")) as file:
            return json.load(file)["tlsUrl"]

    def wait_until_ready(self):
        status, _ = self.call("GET", "/ready")
        if status != 200:
            raise Failure(f"/ready answered {status}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    @property
    def token(self):
        with open(os.path.join(self.data, "control-token")) as file:
            return file.read().strip()

    def call(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def ask(self, method, path, body=None, token=None):
        """Sends JSON, or bytes unchanged, and gives the answer, which must be a success."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        status, answer = self.call(method, path, data, token)
        if not 200 <= status < 300:
            raise Failure(f"{method} {path} answered {status}: {answer.decode()[:200]}")
        return json.loads(answer) if answer else {}

    def fetch(self, path, token):
        """The bytes of an answer to a request with a token."""
        status, answer = self.call("GET", path, token=token)
        if status != 200:
            raise Failure(f"GET {path} answered {status}: {answer.decode()[:200]}")
        return answer

    def fill(self):
        """A catalogue and accounts."""
        self.fill_world("", ACCOUNTS)

    def fill_world(self, base, accounts):
        """The same for a world, whose addresses begin with `base`."""
        path = os.path.join(ROOT, "Examples", "RocketCar", "RocketCar.storekit")
        with open(path, "rb") as file:
            self.ask("PUT", f"{base}/control/v1/apps/{BUNDLE_ID}/catalog", file.read(), self.token)

        self.make_accounts([account(number) for number in range(accounts)], base)

    def make_accounts(self, names, base=""):
        def make(name):
            body = {"environment": "sandbox", "name": name, "password": PASSWORD}
            self.ask("POST", base + "/control/v1/accounts", body, self.token)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(make, names))

    def make_devices(self, count, path, signed_in=True, of=range(ACCOUNTS)):
        """Registers devices, signs them in with accounts in turn, and writes a line for each: token,
        account, password."""
        def make(number):
            body = {"guid": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "appVersion": "1.0"}
            device = self.ask("POST", "/sandbox/device/v1/register", body)
            name = account(of[number % len(of)])
            if signed_in:
                device = self.ask("POST", "/sandbox/device/v1/sign-in",
                                  {"account": name, "password": PASSWORD},
                                  device["deviceToken"])
            return f"{device['deviceToken']} {name} {PASSWORD}\n"

        with ThreadPoolExecutor(4) as pool:
            lines = list(pool.map(make, range(count)))
        with open(path, "w") as file:
            file.writelines(lines)
        return path

    def purchases(self):
        """The number of transactions in the database."""
        return purchases(self.data)

    def resident_mb(self, name="VmRSS"):
        """Its current memory; with `VmHWM`, its peak since the start."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(name + r":\s+(\d+) kB", file.read())[1]) / 1024

    def processor_seconds(self):
        """The processor time of all its threads, in user and system mode."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def account(number):
    return f"buyer-{number}@example.com"


def purchases(data):
    """The number of transactions in a data directory's default world."""
    path = os.path.join(data, "worlds", "default.sqlite")
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
    try:
        return database.execute("SELECT count(*) FROM store_transaction").fetchone()[0]
    finally:
        database.close()
