"""One connection to the payment provider: requests in, answers out, as the faults have it."""

import hmac
import http.server
import json
import socket
import sys
import threading
import time

from book import ACTIONS, Book, Refused
from faults import BEFORE, Faults
from fields import read_fields, read_key, read_object

BODY_MAX = 64 * 1024
HELD_SECONDS_MAX = 600


class Gate:
    """Holds requests back until somebody lets all that wait go on."""

    def __init__(self):
        self.condition = threading.Condition()
        self.waiting = 0
        self.opened = 0

    def wait(self) -> None:
        with self.condition:
            before = self.opened
            self.waiting += 1
            self.condition.wait_for(lambda: self.opened > before, HELD_SECONDS_MAX)
            self.waiting -= 1

    def release(self) -> int:
        with self.condition:
            self.opened += 1
            self.condition.notify_all()
            return self.waiting


class Provider(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple, book: Book, secret: bytes, faults: Faults):
        super().__init__(address, Connection)
        self.book, self.secret, self.faults, self.gate = book, secret, faults, Gate()

    def handle_error(self, request, client_address) -> None:
        # A client that goes away meanwhile is no news; anything else is a fault of this program.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Connection(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Provider

    def do_GET(self) -> None:
        self.serve()

    do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_GET

    def serve(self) -> None:
        try:
            body = self.read_body()
            self.check_secret()
            if self.path.startswith("/-/"):
                self.send(200, self.administer(body))
            else:
                self.serve_payment(body)
        except Refused as refused:
            if not self.path.startswith("/-/"):
                self.server.book.note_misuse(self.path[:200], refused)
            self.say(f"refused with {refused.status}: {refused.sentence}")
            self.send(refused.status, {"error": refused.sentence})

    def read_body(self) -> bytes:
        if "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise Refused(411, "a body needs a Content-Length")
        length = self.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdigit() and int(length) <= BODY_MAX):
            self.close_connection = True
            raise Refused(413, f"a body has at most {BODY_MAX} bytes")
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            raise ConnectionError("the client went away")
        return body

    def check_secret(self) -> None:
        given = self.headers.get("Authorization", "").encode("latin-1")
        if not hmac.compare_digest(given, b"Bearer " + self.server.secret):
            raise Refused(401, "the secret is not that of this provider")

    # What tests ask for

    def administer(self, body: bytes) -> object:
        match self.command, self.path:
            case "GET", "/-/book":
                return self.server.book.contents()
            case "GET", "/-/faults":
                return {
                    "faults": self.server.faults.shown(), "counts": self.server.faults.counts,
                    "waiting": self.server.gate.waiting}
            case "POST", "/-/faults":
                self.server.faults.set(read_object(body).get("faults"))
                return {"faults": self.server.faults.shown()}
            case "POST", "/-/release":
                return {"released": self.server.gate.release()}
        raise Refused(
            404, "there are GET /-/book, GET /-/faults, POST /-/faults and POST /-/release")

    # The four requests

    def serve_payment(self, body: bytes) -> None:
        if self.path not in ACTIONS:
            raise Refused(404, f"there are {', '.join(ACTIONS)}")
        if self.command != "POST":
            raise Refused(405, f"{self.path} takes POST")
        if self.headers.get_content_type() != "application/json":
            raise Refused(400, "the Content-Type must be application/json")
        key = read_key(self.headers.get("Idempotency-Key"))
        fields = read_fields(self.path, body)
        rule = self.server.faults.draw(self.path, fields)
        fault = rule["fault"] if rule else None
        if fault == "stall":
            time.sleep(rule["milliseconds"] / 1000)
        elif fault == "holdBefore":
            self.server.gate.wait()
        answer = {}
        if fault not in BEFORE:
            answer = self.server.book.answer(
                self.path, key, body, fields,
                lambda: self.server.faults.reason_to_decline(self.path, fields))
        self.say(f"{key} {answer.get('outcome', 'not done')}{f', {fault}' if fault else ''}")
        self.deliver(rule, answer)

    def deliver(self, rule: dict | None, answer: dict) -> None:
        match rule and rule["fault"]:
            case None | "stall" | "holdBefore":
                self.send(200, answer)
            case "late":
                time.sleep(rule["milliseconds"] / 1000)
                self.send(200, answer)
            case "holdAfter":
                self.server.gate.wait()
                self.send(200, answer)
            case "never":
                # Until the client has enough of it.
                while self.connection.recv(4096):
                    pass
                self.close_connection = True
            case "dropBefore" | "dropAfter":
                self.drop()
            case "errorBefore" | "errorAfter":
                self.send(rule["status"], {"error": "The provider is out of order."})
            case "twice":
                message = self.message(200, json.dumps(answer).encode())
                self.connection.sendall(message + message)
            case "garbage":
                self.send_bytes(200, b"\x00\xff<html>approved</html>{")
            case "wrongWord":
                self.send(200, answer | {"outcome": "approvedish"})
            case "huge":
                self.send(200, answer | {"reason": "x" * rule["bytes"]})
            case "slow":
                for byte in self.message(200, json.dumps(answer).encode()):
                    self.connection.sendall(bytes([byte]))
                    time.sleep(rule["milliseconds"] / 1000)
            case "cut":
                message = self.message(200, json.dumps(answer).encode())
                # Half of the body, which follows an empty line.
                head = message.index(b"\r\n\r\n") + 4
                self.connection.sendall(message[: (head + len(message)) // 2])
                self.drop()

    def drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    # Bytes

    def message(self, status: int, body: bytes) -> bytes:
        reason = http.HTTPStatus(status).phrase if status in set(http.HTTPStatus) else "Unusual"
        lines = [
            f"HTTP/1.1 {status} {reason}", "Content-Type: application/json",
            f"Content-Length: {len(body)}"]
        if 300 <= status <= 399:
            lines.append(f"Location: {self.path}")
        if self.close_connection:
            lines.append("Connection: close")
        head = "\r\n".join(lines) + "\r\n\r\n"
        return head.encode() + (b"" if self.command == "HEAD" or status in (204, 304) else body)

    def send(self, status: int, value: object) -> None:
        self.send_bytes(status, json.dumps(value).encode())

    def send_bytes(self, status: int, body: bytes) -> None:
        self.connection.sendall(self.message(status, body))

    def say(self, text: str) -> None:
        """A line of the log; no secret is in it."""
        print(f"{self.command} {self.path[:200]!r}: {text}", file=sys.stderr, flush=True)

    def log_message(self, format, *args) -> None:
        """What http.server would write; `say` says it."""
