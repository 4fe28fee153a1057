#!/usr/bin/env python3
"""Has a store notify servers that behave badly, or are not what they seem.

    notification_receivers.py STORE_URL DATA_FOLDER --hosts FILE

The store runs already, without an app, where FILE is /etc/hosts, whose names lead inward without
saying so. Each server hangs, breaks off, redirects, sends without end, or has a certificate of
nobody; Get Notification History must give the result that Apple documents, nothing may be reached
that was not to be, and nobody else's notifications may wait meanwhile. One line per check; stops
with exit status 1 at the first that fails.
"""

import datetime
import ipaddress
import json
import pathlib
import socket
import ssl
import struct
import tempfile
import threading
import time

import requests
from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from running_store import options, read
from server_api import (
    APP_NUMBER, BUNDLE, CATALOGUE, DAY, OTHER, SECONDS_MAX, START, Caller, Store, check)

MEBIBYTE = 1 << 20
# What the systems' buffers on both sides of a connection take at most of what nobody reads.
BUFFERED_MAX = 32 * MEBIBYTE
REFUSED, SUCCESS = "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS"


class Receiver:
    """A server that lets `conduct` do something to each connection after it read the request."""

    def __init__(self, conduct, context=None, read=None, hosts=("127.0.0.1",)):
        self.conduct, self.context = conduct, context
        self.read = read or self.read_request
        self.reached, self.ended = threading.Event(), threading.Event()
        self.count, self.sent = 0, 0
        self.port = 0
        for host in hosts:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.create_server((host, self.port), family=family, backlog=1_024)
            self.port = listener.getsockname()[1]
            threading.Thread(target=self.serve, args=[listener], daemon=True).start()

    def serve(self, listener):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.take, args=[connection], daemon=True).start()

    def take(self, connection):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.read(connection)
            self.count += 1
            self.reached.set()
            self.conduct(self, connection)
        except OSError:
            pass  # The store let go.
        finally:
            connection.close()
            self.ended.set()

    def read_request(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more(connection)
        head, _, body = data.partition(b"\r\n\r\n")
        [length] = [int(line.split(b":")[1]) for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")]
        while len(body) < length:
            body += self.more(connection)

    @staticmethod
    def more(connection):
        data = connection.recv(MEBIBYTE)
        if not data:
            raise OSError("closed")
        return data

    def send(self, connection, data):
        connection.sendall(data)
        self.sent += len(data)

    def url(self, scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}/notifications"


def answering(status, more="", body=b""):
    """Answers once and closes."""
    head = f"HTTP/1.1 {status} X\r\n{more}Content-Length: {len(body)}\r\n\r\n".encode()
    return lambda receiver, connection: receiver.send(connection, head + body)


def bytes_alone(data):
    return lambda receiver, connection: receiver.send(connection, data)


def hanging(receiver, connection):
    """Says nothing until the store gives up."""
    connection.recv(1)


def dripping(receiver, connection):
    """An answer that never comes to an end, byte by byte, until the store gives up."""
    receiver.send(connection, b"HTTP/1.1 200 OK\r\nX-Long: ")
    connection.settimeout(0.05)
    while True:
        receiver.send(connection, b"x")
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            continue


def endless(head):
    """So many bytes that reading them all would be noticed."""
    def conduct(receiver, connection):
        receiver.send(connection, head)
        part = b"x" * MEBIBYTE
        for _ in range(1_024):
            receiver.send(connection, part)
    return conduct


def chunked(receiver, connection):
    receiver.send(connection, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    part = b"100000\r\n" + b"x" * MEBIBYTE + b"\r\n"
    for _ in range(1_024):
        receiver.send(connection, part)


def closing(receiver, connection):
    pass


def resetting(receiver, connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Server:
    """An app in an environment whose server is replaced by bad ones."""

    def __init__(self, store, keys, environment, bundle):
        self.store, self.bundle = store, bundle
        key = store.control("POST", f"/apps/{bundle}/offer-keys")
        self.client = Caller(store, keys, environment, key, bundle).client
        self.target = f"/apps/{bundle}/notification-targets/{environment.value.lower()}"

    def set(self, url, **more):
        self.store.control("PUT", self.target, {
            "url": url, "allowsPrivateAddresses": True, **more})

    def test(self):
        """Has a notification sent; gives the token of its status."""
        return self.client.request_test_notification().testNotificationToken

    def results(self, token):
        """How its attempts ended, as the history has it."""
        self.store.control("POST", "/notifications/settle")
        status = self.client.get_test_notification_status(token)
        now = self.store.control("GET", "/clock")["now"]
        page = self.client.get_notification_history(None, NotificationHistoryRequest(
            startDate=now - DAY, endDate=now + DAY, notificationType=NotificationTypeV2.TEST))
        [found] = [each for each in page.notificationHistory
                   if each.signedPayload == status.signedPayload]
        assert found.sendAttempts == status.sendAttempts, found
        return [each.rawSendAttemptResult for each in found.sendAttempts]

    def check(self, what, result, receiver):
        self.set(receiver.url())
        found = self.results(self.test())
        check(f"{what}: {result}", found == [result], found)


def authority(names):
    """A certificate that signs itself: the PEM, and a context for a server that has it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "receiver")])
    now = datetime.datetime.now(datetime.timezone.utc)
    alternatives = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    alternatives += [x509.DNSName(each) for each in names]
    certificate = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(
        key.public_key()).serial_number(1).not_valid_before(
            now - datetime.timedelta(days=1)).not_valid_after(
            now + datetime.timedelta(days=1)).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True).add_extension(
            x509.SubjectAlternativeName(alternatives), critical=False).sign(
            key, hashes.SHA256())
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:
        file.write(pem + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        file.flush()
        context.load_cert_chain(file.name)
    return pem.decode(), context


def inward_names(hosts):
    """The names in a hosts file that do not say where they lead, with their addresses."""
    lines = [line.split() for line in hosts.read_text(encoding="utf-8").splitlines()]
    return {name: ipaddress.ip_address(address)
            for address, *names in lines for name in names if name != "localhost"}


def own_hosts():
    """The addresses of this machine's own that a server can listen at; IPv6 may be off."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", "::1"]


def check_answers(server):
    for status in [200, 201, 202, 203, 204, 205, 206]:
        server.check(f"an answer {status}", SUCCESS, Receiver(answering(status)))
    for status in [207, 299, 304, 400, 401, 404, 410, 429, 500, 503, 999]:
        server.check(f"an answer {status}", REFUSED, Receiver(answering(status)))
    inner = Receiver(answering(200))
    for status in [301, 302, 303, 307, 308]:
        server.check(f"a redirection {status} inward", REFUSED, Receiver(
            answering(status, f"Location: {inner.url()}\r\n")))
    check("and nothing came there", inner.count == 0, inner.count)
    server.check("an answer with a body", SUCCESS, Receiver(answering(200, body=b"x" * 60_000)))
    server.check("an answer of another charset", SUCCESS, Receiver(
        answering(200, "Content-Type: text/plain; charset=utf-7\r\n", b"+AKM-")))
    for what, conduct in [
        ("an answer of a gigabyte", endless(
            b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")),
        ("an answer without a length", endless(b"HTTP/1.1 200 OK\r\n\r\n")),
        ("an answer in chunks without end", chunked)]:
        receiver = Receiver(conduct)
        server.check(what, SUCCESS, receiver)
        assert receiver.ended.wait(SECONDS_MAX), "the store goes on reading"
        check("which is not read to its end", receiver.sent < BUFFERED_MAX, receiver.sent)
    receiver = Receiver(endless(b"HTTP/1.1 500 No\r\nContent-Length: 1073741824\r\n\r\n"))
    server.check("a refusal of a gigabyte", REFUSED, receiver)


def check_breaks(server):
    for what, result, conduct in [
        ("a connection closed before the answer", "NO_RESPONSE", closing),
        ("a connection reset before the answer", "PREMATURE_CLOSE", resetting),
        ("an answer that breaks off in its body", "PREMATURE_CLOSE", bytes_alone(
            b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")),
        ("an answer that breaks off in a chunk", "PREMATURE_CLOSE", bytes_alone(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc")),
        ("garbage", "INVALID_RESPONSE", bytes_alone(b"\x00\xff garbage\r\n\r\n")),
        ("the greeting of another protocol", "INVALID_RESPONSE", bytes_alone(
            b"220 mail.example.com ESMTP\r\n")),
        ("a header without end", "INVALID_RESPONSE", endless(b"HTTP/1.1 200 OK\r\nX-Long: "))]:
        receiver = Receiver(conduct)
        server.check(what, result, receiver)
        check("which got one request", receiver.count == 1, receiver.count)
    with socket.socket() as silent:  # Nobody else gets its port meanwhile.
        silent.bind(("127.0.0.1", 0))
        gone = Receiver(closing, hosts=[])
        gone.port = silent.getsockname()[1]
        server.check("nobody who listens", "SOCKET_ISSUE", gone)


def check_waits(server, other, production):
    """While some hang, others get theirs."""
    hang, drip, good = Receiver(hanging), Receiver(dripping), Receiver(answering(200))
    server.set(hang.url())
    other.set(drip.url())
    production.set(good.url())
    begun = time.monotonic()
    tokens = [server.test(), other.test()]
    for receiver in [hang, drip]:
        assert receiver.reached.wait(SECONDS_MAX), "nothing came"
    token = production.test()
    assert good.reached.wait(SECONDS_MAX), "another environment's server gets nothing"
    for each, waiting, waited in [(server, hang, tokens[0]), (other, drip, tokens[1])]:
        # They are given up after five seconds, and this took less or they have come to their end.
        try:
            each.client.get_test_notification_status(waited)
            spent = time.monotonic() - begun
            check("a status after five seconds", spent >= 5, spent)
            check("when the server was let go", waiting.ended.wait(SECONDS_MAX))
        except APIException as refusal:
            check("no status while the server hangs", refusal.raw_api_error
                  == APIError.TEST_NOTIFICATION_NOT_FOUND, refusal.raw_api_error)
    check("one who gets theirs meanwhile", production.results(token) == [SUCCESS])
    for what, each, token in [
        ("a server that hangs", server, tokens[0]), ("one that drips", other, tokens[1])]:
        found = each.results(token)
        check(f"{what}: TIMED_OUT", found == ["TIMED_OUT"], found)
    check("which were let go", hang.ended.wait(SECONDS_MAX) and drip.ended.wait(SECONDS_MAX))


def check_tls(server, names):
    pem, context = authority(names)
    hosts = own_hosts()
    good = Receiver(answering(200), context, hosts=hosts)
    server.set(good.url("https"))
    found = server.results(server.test())
    check("a certificate of nobody: TLS_ISSUE", found == ["TLS_ISSUE"], found)
    check("which never got the notification", good.count == 0)
    server.set(good.url("https"), certificateAuthority=pem)
    found = server.results(server.test())
    check("with its authority: SUCCESS", found == [SUCCESS] and good.count == 1, found)
    other, _ = authority(names)
    server.set(good.url("https"), certificateAuthority=other)
    found = server.results(server.test())
    check("with another authority: TLS_ISSUE", found == ["TLS_ISSUE"], found)
    plain = Receiver(answering(400), read=Receiver.more)
    server.set(plain.url("https"), certificateAuthority=pem)
    found = server.results(server.test())
    check("a server without TLS: TLS_ISSUE", found == ["TLS_ISSUE"], found)
    for address in [good.url("https"), "https://localhost:8443/", "https://10.0.0.1/",
                    "https://[::1]:8443/", "https://[::ffff:127.0.0.1]:8443/",
                    "https://169.254.169.254/", "http://example.com/"]:
        answer = requests.put(
            f"{server.store.url}/control/v1{server.target}", timeout=SECONDS_MAX,
            headers={"Authorization": f"Bearer {server.store.token}"}, json={"url": address})
        check(f"{address} needs to be allowed", answer.status_code == 422, answer.text)
    count = good.count
    for name, address in names.items():
        server.set(good.url("https", name), certificateAuthority=pem, allowsPrivateAddresses=False)
        found = server.results(server.test())
        check(f"{name}, which leads to {address}: OTHER", found == ["OTHER"], found)
        check("and nothing was reached", good.count == count)
        if str(getattr(address, "ipv4_mapped", None) or address) not in hosts:
            continue
        server.set(good.url("https", name), certificateAuthority=pem)
        found = server.results(server.test())
        count += 1
        check("when it is allowed: SUCCESS", found == [SUCCESS] and good.count == count, found)


def main():
    parser = options(__doc__)
    parser.add_argument("--hosts", type=pathlib.Path, required=True, help="the store's /etc/hosts")
    arguments = read(parser)
    names = inward_names(arguments.hosts)
    assert names, f"{arguments.hosts} has no names"
    store = Store(arguments.url, arguments.token)
    store.control("PUT", "/clock", {"mode": "held", "now": START})
    store.control("PUT", f"/apps/{BUNDLE}/catalog", CATALOGUE)
    store.control("PUT", f"/apps/{OTHER}/catalog", json.loads(
        json.dumps(CATALOGUE).replace(BUNDLE, OTHER).replace(str(APP_NUMBER), "77")))
    server = Server(store, arguments.keys, Environment.SANDBOX, BUNDLE)
    other = Server(store, arguments.keys, Environment.SANDBOX, OTHER)
    production = Server(store, arguments.keys, Environment.PRODUCTION, BUNDLE)
    check_waits(server, other, production)
    check_answers(server)
    check_breaks(server)
    check_tls(server, names)
    print("all checks passed")


if __name__ == "__main__":
    main()
