"""Attacks on a store while an honest client works: who gets a share.

Each figure runs an attacker with 100 connections beside one honest client, and compares the honest
client's answers with those of a quiet store. The attacker is a process of its own; it shares the
machine with the store, so that ratios grow on few cores."""

import asyncio
import http.client
import json
import multiprocessing
import os
import random
import resource
import shutil
import time
import uuid

from programs import Failure
from store import BUNDLE_ID, PASSWORD, PRODUCT, Store, account

CONNECTIONS = 100
ATTACK_SECONDS = 20
QUIET_SECONDS = 5
# The open files of the store that sessions and idle connections share.
FEW_FILES = 1_024
SESSIONS = 300
IDLE_CONNECTIONS = 700
# Each asks one session after another, all of which the store would like to keep open.
VISITORS = 8
# Of strangers, and as many with the token of one signed-in device.
RUBBISH_SENDERS = 20
RUBBISH_BYTES = 15 << 20
# More than a body that is always accepted.
LARGE_RECEIPT = json.dumps({"receipt-data": "A" * (100 << 10)}).encode()
API = "/sandbox/device/v1"


class Fair:
    """The attacks, each with a store of its own."""

    def fair_sign_in(self):
        """Made-up names and new devices against a device that signed in before."""
        return self.contest(attack_sign_in, sign_in)

    def fair_guesses(self):
        """Wrong passwords for the honest customer's name, from new devices."""
        return self.contest(attack_guesses, sign_in)

    def fair_polls(self):
        """One account's polls on 100 devices against another account's news."""
        return self.contest(attack_polls, news, prepare=lambda store: store.make_devices(
            CONNECTIONS, os.path.join(store.data, "attackers"), of=[1]))

    def fair_registrations(self):
        """Registrations of new devices against a known device that registers again."""
        return self.contest(attack_registrations, register_again, prepare=use_up_registrations)

    def fair_bodies(self):
        """Rubbish of 15 MB at /verifyReceipt, from strangers and from a signed-in device, against
        purchases and large receipts."""
        return self.contest(attack_bodies, purchase_and_verify, prepare=lambda store:
                            store.make_devices(1, os.path.join(store.data, "attackers"), of=[1]))

    def fair_connections(self):
        """300 sessions and 700 idle connections against purchases, with 1,024 open files."""
        return self.contest(attack_connections, purchase, files=FEW_FILES, prepare=make_sessions)

    def contest(self, attack, work, prepare=None, files=None):
        """Runs honest work alone, then beside an attack."""
        name = attack.__name__.replace("attack_", "fair_")
        data = self.path("fair")
        store = Store(data, self.folder, files=files)
        try:
            store.fill()
            honest = Honest(store, work)
            if prepare:
                prepare(store)
            quiet = honest.run(QUIET_SECONDS)
            if quiet.good < quiet.all:
                raise Failure("the honest client was refused without an attack")
            attacker = multiprocessing.get_context("fork").Process(
                target=run_attack, args=(attack, store.port, store.data), daemon=True)
            attacker.start()
            try:
                time.sleep(1)
                beside = honest.run(ATTACK_SECONDS)
                if not attacker.is_alive():
                    raise Failure("the attacker gave up")
            finally:
                attacker.terminate()
                attacker.join()
            return {
                f"{name}_success": 100 * beside.good / beside.all,
                f"{name}_p99_ratio": beside.p99 / quiet.p99,
                f"{name}_p99_ms": beside.p99 * 1e3,
                f"{name}_peak_mb": store.resident_mb("VmHWM"),
            }
        finally:
            store.stop()
            shutil.rmtree(data, ignore_errors=True)


# The honest client

class Honest:
    """One device of buyer-0, signed in, which works as fast as it is answered."""

    def __init__(self, store, work):
        self.port = store.port
        self.work = work
        self.guid = str(uuid.uuid4())
        self.connection = None
        self.token = self.answer("POST", "/register", {
            "guid": self.guid, "bundleId": BUNDLE_ID, "appVersion": "1.0"})["deviceToken"]
        sign_in(self)
        purchase(self)

    def run(self, seconds):
        times, good, end = [], 0, time.monotonic() + seconds
        while time.monotonic() < end:
            begin = time.monotonic()
            try:
                self.work(self)
                good += 1
            except (Failure, OSError, http.client.HTTPException):
                self.connection = None
            times.append(time.monotonic() - begin)
        return Times(times, good)

    def answer(self, method, path, body=None, token=None):
        data = json.dumps(body).encode() if body is not None else None
        return self.answer_bytes(method, API + path, data, token)

    def answer_bytes(self, method, path, data=None, token=None):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        self.connection.request(method, path, data, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise Failure(f"{method} {path} answered {answer.status}: {text[:200]}")
        return json.loads(text)


class Times:
    def __init__(self, times, good):
        self.good, self.all = good, len(times)
        self.p99 = sorted(times)[min(len(times) - 1, len(times) * 99 // 100)]


def sign_in(honest):
    answer = honest.answer("POST", "/sign-in", {"account": account(0), "password": PASSWORD},
                           honest.token)
    honest.token = answer["deviceToken"]


def purchase(honest):
    honest.answer("POST", "/attempts", {
        "attemptId": str(uuid.uuid4()).upper(), "productId": PRODUCT, "quantity": 1}, honest.token)


def purchase_and_verify(honest):
    purchase(honest)
    honest.answer_bytes("POST", "/sandbox/verifyReceipt", LARGE_RECEIPT, honest.token)


def news(honest):
    answer = honest.answer("GET", "/updates?after=0&wait=25", token=honest.token)
    if not answer["events"]:
        raise Failure("news that was there did not come")


def register_again(honest):
    answer = honest.answer("POST", "/register", {
        "guid": honest.guid, "bundleId": BUNDLE_ID, "appVersion": "1.0"}, honest.token)
    honest.token = answer["deviceToken"]


# Before an attack

def use_up_registrations(store):
    """Registers until the store refuses."""
    async def register(number):
        while await new_device(store.port):
            pass

    async def all_of_them():
        await asyncio.gather(*(register(number) for number in range(16)))

    asyncio.run(all_of_them())


def make_sessions(store):
    for number in range(SESSIONS):
        store.ask("POST", "/control/v1/worlds", {"name": f"s{number}"}, store.token)


# The attacker: coroutines that go on until they are killed

def run_attack(attack, port, data):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    async def run():
        await asyncio.gather(*(for_ever(make, port) for make in attack(port, data)))

    asyncio.run(run())


async def for_ever(make, port):
    while True:
        try:
            await make(port)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await asyncio.sleep(0.05)


async def exchange(reader, writer, method, path, body=b"", token=None):
    """One request and its answer's status and body."""
    head = (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n")
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    writer.write(head.encode() + b"\r\n" + body)
    await writer.drain()
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = int(answer.lower().partition("content-length:")[2].partition("\r\n")[0])
    return int(answer.split(" ", 2)[1]), await reader.readexactly(length)


async def ask(port, method, path, body=None, token=None):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        data = json.dumps(body).encode() if body is not None else b""
        return await exchange(reader, writer, method, path, data, token)
    finally:
        writer.close()


async def new_device(port):
    """The token of a new device; None when registrations are used up."""
    status, answer = await ask(port, "POST", API + "/register", {
        "guid": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "appVersion": "1.0"})
    return json.loads(answer)["deviceToken"] if status == 200 else None


def guessing(name):
    """Signs in with wrong passwords on new devices, each until it is locked."""
    async def guess(port):
        token = await new_device(port)
        for _ in range(5):
            status, _ = await ask(port, "POST", API + "/sign-in", {
                "account": name(), "password": "wrong-password"}, token)
            if status == 423:
                return
    return guess


def attack_sign_in(port, data):
    return [guessing(lambda: str(uuid.uuid4()))] * CONNECTIONS


def attack_guesses(port, data):
    return [guessing(lambda: account(0))] * CONNECTIONS


def attackers(data):
    """The tokens of the attacker's devices."""
    with open(os.path.join(data, "attackers")) as file:
        return [line.split()[0] for line in file]


def attack_polls(port, data):
    tokens = attackers(data)

    def poll(token):
        async def wait(port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                while True:
                    status, _ = await exchange(
                        reader, writer, "GET", API + "/updates?after=0&wait=25", token=token)
                    # As a device does that is asked to come back.
                    await asyncio.sleep(1 if status == 503 else 0)
            finally:
                writer.close()
        return wait
    # Several for each device: the share of a device is 8.
    return [poll(token) for token in tokens for _ in range(6)]


def attack_registrations(port, data):
    return [new_device] * CONNECTIONS


def attack_bodies(port, data):
    rubbish = b"x" * RUBBISH_BYTES

    def sending(token):
        async def send(port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await exchange(reader, writer, "POST", "/sandbox/verifyReceipt", rubbish, token)
            finally:
                writer.close()
        return send
    return [sending(token) for token in [None, *attackers(data)] for _ in range(RUBBISH_SENDERS)]


def attack_connections(port, data):
    async def idle(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await reader.read()
        finally:
            writer.close()

    async def visit(port):
        for number in random.sample(range(SESSIONS), SESSIONS):
            await ask(port, "GET", f"/t/s{number}{API}/transactions")
    return [idle] * IDLE_CONNECTIONS + [visit] * VISITORS
