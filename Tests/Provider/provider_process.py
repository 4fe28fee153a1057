"""A payment provider in a process of its own, as its tests and those of its comparison run it."""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import uuid

PROGRAM = pathlib.Path(__file__).with_name("payment_provider.py")
SECRET = "rocket-secret-1"


class ProviderProcess:
    def __init__(self, folder: str | None = None):
        self.kept = None if folder else tempfile.TemporaryDirectory(prefix="bodega-provider-")
        self.folder = pathlib.Path(folder or self.kept.name)
        self.book = self.folder / "book.sqlite"
        self.secret = self.folder / "secret"
        self.secret.write_text(SECRET + "\n")
        self.port = 0
        self.process: subprocess.Popen | None = None
        self.log = (self.folder / "log").open("ab")

    def start(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, "--port", str(self.port), "--book", self.book,
             "--secret-file", self.secret, *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r"listens on http://127\.0\.0\.1:([0-9]+)$", line)[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self.log.close()
        if self.kept:
            self.kept.cleanup()

    def connect(self, seconds: float = 30) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def ask(self, address: str, body, key: str | None = None, *, method: str = "POST",
            connection=None, secret: str | None = SECRET, headers: dict | None = None):
        """Status and body of an answer; the body is not read as JSON."""
        own = connection or self.connect()
        given = {"Content-Type": "application/json"}
        if secret is not None:
            given["Authorization"] = f"Bearer {secret}"
        if key is not None:
            given["Idempotency-Key"] = key
        text = body if isinstance(body, (bytes, str)) or body is None else json.dumps(body)
        try:
            own.request(method, address, text, given | (headers or {}))
            answer = own.getresponse()
            return answer.status, answer.read()
        finally:
            if connection is None:
                own.close()

    def outcome(self, address: str, body, key: str, **more) -> str:
        status, text = self.ask(address, body, key, **more)
        assert status == 200, (status, text)
        return json.loads(text)["outcome"]

    def set_faults(self, *rules: dict) -> None:
        status, text = self.ask("/-/faults", {"faults": list(rules)})
        assert status == 200, text

    def read(self, address: str = "/-/book") -> dict:
        status, text = self.ask(address, None, method="GET")
        assert status == 200, text
        return json.loads(text)


def new_id() -> str:
    return str(uuid.uuid4())


def authorization(payment: str, milliunits: int = 4990, customer: str = "rich@example.com") -> dict:
    return {
        "paymentId": payment, "milliunits": milliunits, "currency": "USD", "customerId": "17",
        "customer": customer, "bundleId": "com.example.rocketcar",
        "productId": "com.example.rocketcar.fuel", "purpose": "purchase"}


def capture(payment: str, milliunits: int = 4990) -> dict:
    return {"paymentId": payment, "milliunits": milliunits, "currency": "USD"}


def refund(payment: str, refund_id: str, milliunits: int = 4990) -> dict:
    return {
        "paymentId": payment, "refundId": refund_id, "milliunits": milliunits, "currency": "USD"}
