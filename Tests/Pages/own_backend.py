#!/usr/bin/env python3
"""Runs the backends of docs/own-backend.md against a store, through every row of its table.

  own_backend.py BODEGA [NODE]     BODEGA is the program; without NODE, only the one in Python runs

Each row's customer buys and is brought to the row's state by the row's commands; the backend, which
learns of it by the store's notifications alone, must say the row's word and access.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import uuid

from customer import buy, good, request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs/own-backend.md").read_text(encoding="utf-8")
BUNDLE = "com.example.rocketcar"
STRANGER = "11111111-2222-4333-8444-555555555555"


def code(language):
    return re.search(rf"(?ms)^```{language}\n(.*?)^```$", PAGE)[1]


def rows():
    table = PAGE.split("## Every state, and what to do")[1].split("\n## ")[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if re.fullmatch(r"`\w+`", cells[0]):
            yield cells[0].strip("`"), cells[2] == "yes", re.findall(r"`([^`]+)`", cells[4])


class Server:
    """A program that says where it listens."""

    def __init__(self, arguments, log, environment=None):
        self.process = subprocess.Popen(
            arguments, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
            stderr=open(log, "w", encoding="utf-8"), text=True)
        for line in self.process.stdout:
            found = re.search(r"listens on (http://\S+)", line)
            if found:
                self.url = found[1].rstrip(".")
                return
        raise SystemExit(f"{arguments[0]} did not start: {log.read_text(encoding='utf-8')}")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Shop:
    """A store with the page's catalogue and clock."""

    def __init__(self, program, folder):
        self.program, self.data = program, folder / "store"
        self.server = Server([program, "serve", "--port", "0", "--data", str(self.data)],
                             folder / "store.log")
        self.url = self.server.url
        self.run("catalog", "import", str(ROOT / "docs/lifecycle/fans.storekit"),
                 "--bundle-id", BUNDLE)
        self.run("clock", "pace", "calendar")
        self.run("clock", "hold", "2026-04-01")
        made = json.loads(self.run("offer-key", "make", "--bundle-id", BUNDLE, "--json"))
        key = folder / "key.p8"
        key.write_text(made["privateKey"], encoding="utf-8")
        self.settings = {
            "STORE_URL": f"{self.url}/sandbox", "STORE_KEY": str(key),
            "STORE_KEY_ID": made["keyId"], "STORE_ISSUER": made["issuerId"],
            "STORE_ROOT": str(self.data / "keys/signed-data-root-sandbox.der"),
            "BUNDLE_ID": BUNDLE}

    def run(self, *words):
        result = subprocess.run(
            [self.program, *words], env={**os.environ, "BODEGA_DATA": str(self.data)},
            capture_output=True, text=True)
        assert result.returncode == 0, f"bodega {' '.join(words)}: {result.stderr}"
        return result.stdout

    def buy(self, product, user):
        """A new account buys on a device of its own."""
        account = f"{uuid.uuid4().hex[:12]}@example.com"
        self.run("account", "add", account, "--password", "rocket-fuel-1")
        return buy(self.url, BUNDLE, account, "rocket-fuel-1", product, applicationUsername=user)


def announce(backend, length):
    """A connection that has announced a body of that length, and sends none."""
    host, port = backend.url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    connection.sendall(f"POST /notifications HTTP/1.1\r\nHost: {host}\r\n"
                       f"Content-Length: {length}\r\n\r\n".encode())
    return connection


def length_findings(backend, name):
    # In Node, what counts is how much comes.
    for length in [-1] + [1_000_001] * (name == "Python"):
        with announce(backend, length) as connection:
            try:
                status = connection.recv(4096).split()[1:2]
            except TimeoutError:
                status = "not"
            if status not in ([b"400"], [b"413"]):
                yield f"{name}: a body of {length} bytes is answered {status}"


def judge(shop, backend, name):
    findings = []
    words = list(rows())
    assert len(words) == 9, words
    for word, has_access, commands in words:
        shop.run("shop", "set", "--bundle-id", BUNDLE, "--grace-period", "none")
        user = str(uuid.uuid4())
        kind = "magazine" if word == "trial" else "silver"
        number = shop.buy(f"{BUNDLE}.{kind}", user)
        for command in commands:
            shop.run(*command.replace("ID", number, 1).split()[1:] if " ID" in command
                     else command.split()[1:])
        shop.run("notification", "settle")
        found = good(request("GET", f"{backend.url}/access/{user.upper()}"))
        if [(row["state"], row["hasAccess"]) for row in found] != [(word, has_access)]:
            findings.append(f"{name}: {word}: {found}")
        status, _ = request("POST", f"{backend.url}/purchases", {
            "transactionId": number, "user": STRANGER})
        if status != 403:
            findings.append(f"{name}: a stranger's claim of {word} is answered {status}")
        status, _ = request("POST", f"{backend.url}/purchases", {
            "transactionId": number, "user": user})
        again = good(request("GET", f"{backend.url}/access/{user}"))
        if status != 200 or again != found:
            findings.append(f"{name}: {word}, learned again: {status} {again}")
    return findings


def main(program, node=None):
    findings = []
    backends = [("Python", "python", [sys.executable], "backend.py")]
    if node:
        backends.append(("Node", "javascript", [node], "backend.mjs"))
    for name, language, interpreter, file in backends:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / file).write_text(code(language), encoding="utf-8")
            shop = Shop(program, folder)
            backend = None
            try:
                backend = Server(
                    [*interpreter, str(folder / file)], folder / "backend.log",
                    {**shop.settings, "PORT": "0", "DATABASE": str(folder / "database")})
                shop.run("notification", "set", BUNDLE, f"{backend.url}/notifications",
                         "--private")
                findings += length_findings(backend, name)
                with announce(backend, 9):  # Nobody waits for it.
                    findings += judge(shop, backend, name)
            finally:
                if backend:
                    backend.stop()
                shop.server.stop()
                if findings:
                    sys.stderr.write((folder / "backend.log").read_text()[-2000:])
        print(f"the backend in {name}: {'has findings' if findings else 'every state is right'}")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
