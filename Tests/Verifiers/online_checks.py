#!/usr/bin/env python3
"""Verifies what a store signs with Apple's App Store Server Library, unmodified, online and offline.

    online_checks.py STORE_URL DATA_FOLDER

The store runs already, without an app. Each kind of signed data of both environments must be
accepted, with the library's online checks off and on; chains, payloads and verifiers that are wrong
in one way must be refused; and certificates that are rotated, let expire and revoked must have the
effect that they have in life. `openssl ocsp` and requests as Java makes them are answered, too. One
line per check; stops with exit status 1 at the first that fails.
"""

import base64
import datetime
import http.client
import json
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.parse

from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509 import ocsp
from cryptography.x509.oid import NameOID

from running_store import options, read
from server_api import APP_NUMBER, BUNDLE, CATALOGUE, DAY, GOLD, Customer, Store, check

NOBODY = "http://127.0.0.1:65535/"
KINDS = ("transaction", "renewal", "app transaction", "notification")
LEAF_MARKER, MIDDLE_MARKER = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"


def der(text):
    return base64.b64decode(text, validate=True)


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpacked(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def chain(jws):
    """The certificates of a JWS, the leaf first."""
    header = json.loads(unpacked(jws.split(".")[0]))
    return [x509.load_der_x509_certificate(der(each)) for each in header["x5c"]]


class Shop:
    """One environment of the store, with an app's server that reads everything that is signed."""

    def __init__(self, store, keys, environment, key):
        self.store, self.environment = store, environment
        self.name = environment.value.lower()
        self.client = AppStoreServerAPIClient(
            key["privateKey"].encode(), key["keyId"], key["issuerId"], BUNDLE, environment)
        self.client._base_url = f"{store.url}/{self.name}"
        self.root = pathlib.Path(keys, f"signed-data-root-{self.name}.der").read_bytes()
        store.control("PUT", f"/apps/{BUNDLE}/notification-targets/{self.name}", {
            "url": NOBODY, "allowsPrivateAddresses": True})
        self.number = Customer(store, f"{self.name}-buyer", self.name).buy(GOLD)

    def signed(self):
        """What the store signs now, by its kind."""
        statuses = self.client.get_all_subscription_statuses(self.number)
        last = statuses.data[0].lastTransactions[0]
        self.client.request_test_notification()
        self.store.control("POST", "/notifications/settle")
        now = self.store.control("GET", "/clock")["now"]
        history = self.client.get_notification_history(
            None, NotificationHistoryRequest(startDate=now - DAY, endDate=now + 1))
        return {
            "transaction": last.signedTransactionInfo, "renewal": last.signedRenewalInfo,
            "app transaction": self.client.get_app_transaction_info(
                self.number).signedAppTransactionInfo,
            "notification": history.notificationHistory[0].signedPayload}

    def transaction(self):
        return self.client.get_transaction_info(self.number).signedTransactionInfo

    def verifier(self, online, root=None, bundle=BUNDLE, environment=None, app=APP_NUMBER):
        """A new one, which remembers nothing."""
        return SignedDataVerifier(
            [root or self.root], online, environment or self.environment, bundle, app)

    def change(self, role, action, body=None):
        return self.store.control(
            "POST", f"/certificates/{self.name}/{role}/{action}", body)

    def fault(self, fault=None):
        faults = [{"path": "/ocsp", "environment": self.name, **fault}] if fault else []
        self.store.control("PUT", "/faults", {"requests": faults})


def decode(verifier, kind, jws):
    return {
        "transaction": verifier.verify_and_decode_signed_transaction,
        "renewal": verifier.verify_and_decode_renewal_info,
        "app transaction": verifier.verify_and_decode_app_transaction,
        "notification": verifier.verify_and_decode_notification}[kind](jws)


def refusal(verifier, kind, jws):
    """The status with which the library refuses; "" when it accepts."""
    try:
        decode(verifier, kind, jws)
        return ""
    except VerificationException as failure:
        return failure.status.name


def expect(what, verifier, jws, status="", kind="transaction"):
    found = refusal(verifier, kind, jws)
    check(f"{what}: {status or 'good'}", found == status, found)


def check_kinds(shop):
    signed = shop.signed()
    for online in (False, True):
        word = "online" if online else "offline"
        for kind in KINDS:
            expect(f"{shop.name} {kind} {word}", shop.verifier(online), signed[kind], kind=kind)
    return signed


def check_refusals(shop, other, signed):
    """The same online and offline."""
    jws = signed["transaction"]
    head, payload, signature = jws.split(".")
    altered = json.loads(unpacked(payload)) | {"quantity": 9}
    changed = ".".join([head, part(json.dumps(altered).encode()), signature])
    certificates = json.loads(unpacked(head))["x5c"]

    def chained(count):
        x5c = (certificates + certificates[2:])[:count]
        text = json.dumps({"alg": "ES256", "x5c": x5c}, separators=(",", ":"))
        return ".".join([part(text.encode()), payload, signature])

    for online in (False, True):
        word = "online" if online else "offline"
        for what, verifier, text, status in [
            ("another root", shop.verifier(online, root=other.root), jws, "VERIFICATION_FAILURE"),
            ("another app", shop.verifier(online, bundle="com.example.no"), jws,
             "INVALID_APP_IDENTIFIER"),
            ("another environment", shop.verifier(online, environment=other.environment), jws,
             "INVALID_ENVIRONMENT"),
            ("an altered payload", shop.verifier(online), changed, "VERIFICATION_FAILURE"),
            ("a chain of 2", shop.verifier(online), chained(2), "INVALID_CHAIN_LENGTH"),
            ("a chain of 4", shop.verifier(online), chained(4), "INVALID_CHAIN_LENGTH"),
        ]:
            expect(f"{shop.name}, {what}, {word}", verifier, text, status)
        if shop.environment == Environment.PRODUCTION:
            for kind in ("app transaction", "notification"):
                expect(f"{kind} of another app number, {word}", shop.verifier(online, app=1),
                       signed[kind], "INVALID_APP_IDENTIFIER", kind)


def foreign_chain(leaf_marker, middle_marker, jws):
    """A root, and a payload signed again under it by a chain with or without markers."""
    keys = [ec.generate_private_key(curve) for curve in (
        ec.SECP384R1(), ec.SECP384R1(), ec.SECP256R1())]
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
             for text in ("Root", "Middle", "Leaf")]
    made = []
    for place, marker in enumerate((None, middle_marker, leaf_marker)):
        above = max(place - 1, 0)
        builder = (
            x509.CertificateBuilder().subject_name(names[place]).issuer_name(names[above])
            .public_key(keys[place].public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(datetime.datetime(2000, 1, 1))
            .not_valid_after(datetime.datetime(2090, 1, 1))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(
                keys[place].public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(
                keys[above].public_key()), False)
            .add_extension(x509.BasicConstraints(
                place < 2, {0: None, 1: 0, 2: None}[place]), True)
            .add_extension(x509.KeyUsage(
                place == 2, False, False, False, False, place < 2, place < 2, False, False), True))
        if marker:
            builder = builder.add_extension(x509.UnrecognizedExtension(
                x509.ObjectIdentifier(marker), b"\x05\x00"), False)
        made.append(builder.sign(keys[above], hashes.SHA384()).public_bytes(
            serialization.Encoding.DER))
    header = {"alg": "ES256", "x5c": [base64.b64encode(each).decode() for each in made[::-1]]}
    text = part(json.dumps(header).encode()) + "." + jws.split(".")[1]
    r, s = utils.decode_dss_signature(keys[2].sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return made[0], text + "." + part(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def check_markers(shop, jws):
    for what, leaf, middle, status in [
        ("both markers", LEAF_MARKER, MIDDLE_MARKER, ""),
        ("a leaf without its marker", None, MIDDLE_MARKER, "VERIFICATION_FAILURE"),
        ("an intermediate without its marker", LEAF_MARKER, None, "VERIFICATION_FAILURE"),
    ]:
        root, text = foreign_chain(leaf, middle, jws)
        expect(what, shop.verifier(False, root=root), text, status)
        expect(f"{what}, online, without a responder's address", shop.verifier(True, root=root),
               text, "VERIFICATION_FAILURE")


def check_rotation(shop, role, other):
    """Online and offline, old and new data are good; a revocation then is of the old alone."""
    old = shop.transaction()
    shop.change(role, "rotate")
    new = shop.transaction()
    place = 0 if role == "leaf" else 1
    old_one, new_one = chain(old)[place], chain(new)[place]
    check(f"a rotated {role} has another number",
          old_one.serial_number != new_one.serial_number)
    check(f"a rotated {role} has the same name", old_one.subject == new_one.subject)
    check("and another key for a leaf alone", (old_one.public_key() != new_one.public_key()) == (
        role == "leaf"))
    for online in (False, True):
        expect(f"signed before the {role} was rotated", shop.verifier(online), old)
        expect(f"signed after the {role} was rotated", shop.verifier(online), new)
    knowing = shop.verifier(True)
    expect("known to a verifier", knowing, old)
    serial = f"{old_one.serial_number:032X}"
    shop.change(role, "revoke", {"serial": serial, "reason": "superseded"})
    expect(f"under the revoked {role}, online", shop.verifier(True), old, "VERIFICATION_FAILURE")
    expect("the library keeps what it found for 15 minutes", knowing, old)
    expect(f"under the revoked {role}, offline", shop.verifier(False), old)
    expect("and the new one stays good", shop.verifier(True), new)
    expect("as does the other environment", other.verifier(True), other.transaction())


def check_revocation(shop, role):
    """Of the one in use: everything is refused until it is rotated."""
    before = shop.transaction()
    shop.change(role, "revoke", {"reason": "keyCompromise"})
    after = shop.transaction()
    for jws in (before, after):
        expect(f"a revoked {role}, online", shop.verifier(True), jws, "VERIFICATION_FAILURE")
        expect(f"a revoked {role}, offline", shop.verifier(False), jws)
    shop.change(role, "rotate")
    expect(f"after another {role}", shop.verifier(True), shop.transaction())
    expect("what was signed before stays refused", shop.verifier(True), before,
           "VERIFICATION_FAILURE")


def await_end(certificate):
    """An end counts from the next second on."""
    while int(time.time()) <= certificate.not_valid_after_utc.timestamp():
        time.sleep(0.05)


def check_expiry(shop, role):
    """The world's clock shows yesterday, so what is signed is dated before the end."""
    before = shop.transaction()
    shop.change(role, "expire")
    after = shop.transaction()
    place = 0 if role == "leaf" else 1
    ended = chain(after)[place]
    check(f"an expired {role} has ended", ended.not_valid_after_utc <= datetime.datetime.now(
        datetime.timezone.utc))
    check("and the same key", ended.public_key() == chain(before)[place].public_key())
    await_end(ended)
    expect(f"an expired {role}, online", shop.verifier(True), after, "VERIFICATION_FAILURE")
    expect(f"an expired {role}, offline, of yesterday", shop.verifier(False), after)
    for online in (False, True):
        expect("signed before", shop.verifier(online), before)
    return after


def check_late_data(store, shop):
    """Dated after the end of the leaf: nobody can verify them."""
    shop.change("leaf", "expire")
    store.control("POST", "/clock/advance", {"milliseconds": 2 * DAY})
    late = shop.transaction()
    await_end(chain(late)[0])
    for online in (False, True):
        expect("dated after the end", shop.verifier(online), late, "VERIFICATION_FAILURE")
    shop.change("leaf", "rotate")
    for online in (False, True):
        expect("under another leaf", shop.verifier(online), shop.transaction())


def check_silence(shop):
    jws = shop.transaction()
    for what, fault in [("breaks off", {"breaks": True}), ("answers 503", {"status": 503})]:
        shop.fault(fault)
        expect(f"a responder that {what}", shop.verifier(True), jws,
               "RETRYABLE_VERIFICATION_FAILURE")
        expect("offline nobody asks it", shop.verifier(False), jws)
    shop.fault({"delayMilliseconds": 300})
    expect("a slow responder", shop.verifier(True), jws)
    shop.fault()
    expect("a responder that is well again", shop.verifier(True), jws)


def hang(shop, jws, found):
    """The library waits for 30 seconds."""
    found.append(refusal(shop.verifier(True), "transaction", jws))


def check_openssl(shop, jws):
    with tempfile.TemporaryDirectory() as folder:
        for name, certificate in zip(("leaf", "middle", "root"), chain(jws)):
            pathlib.Path(folder, name).write_bytes(
                certificate.public_bytes(serialization.Encoding.PEM))
        for name, issuer in [("leaf", "middle"), ("middle", "root")]:
            address = subprocess.run(
                ["openssl", "x509", "-in", name, "-noout", "-ocsp_uri"], cwd=folder,
                capture_output=True, text=True, check=True).stdout.strip()
            check("openssl finds the address", address == f"{shop.store.url}/{shop.name}/ocsp")
            for digest in ("-sha1", "-sha256"):
                done = subprocess.run(
                    ["openssl", "ocsp", digest, "-url", address, "-issuer", issuer, "-cert", name,
                     "-CAfile", "root", "-verify_other", "middle"], cwd=folder,
                    capture_output=True, text=True, check=False)
                text = done.stdout + done.stderr
                check(f"openssl ocsp, {name}, {digest}", done.returncode == 0
                      and "Response verify OK" in text and f"{name}: good" in text
                      and "nonce" not in text.lower(), text)


def get(url, path):
    """A GET of a path as it is."""
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers["Content-Type"], body


def check_get(shop, jws):
    """As Java asks, percent-encoded, and as others do, with slashes as they are."""
    leaf, issuer = chain(jws)[:2]
    known = ocsp.OCSPRequestBuilder().add_certificate(leaf, issuer, hashes.SHA1()).build()
    requests = [(known, ocsp.OCSPCertStatus.GOOD)]
    needed = ["/", "+", "//", "="]
    for number in range(1, 100_000):
        one = ocsp.OCSPRequestBuilder().add_certificate_by_hash(
            known.issuer_name_hash, known.issuer_key_hash, number << 8 | 0xFF,
            hashes.SHA1()).build()
        text = base64.b64encode(one.public_bytes(serialization.Encoding.DER)).decode()
        found = [each for each in needed if each in text]
        if found:
            requests.append((one, ocsp.OCSPCertStatus.UNKNOWN))
            needed = [each for each in needed if each not in found]
        if not needed:
            break
    check("requests have every character of base64", not needed or needed == ["//"], needed)
    for request, status in requests:
        text = base64.b64encode(request.public_bytes(serialization.Encoding.DER)).decode()
        for what, last in [("encoded", urllib.parse.quote(text, safe="")), ("as it is", text)]:
            code, media, body = get(shop.store.url, f"/{shop.name}/ocsp/{last}")
            check(f"a GET, {what}", (code, media) == (200, "application/ocsp-response"), body)
            answer = ocsp.load_der_ocsp_response(body)
            (single,) = answer.responses
            check(f"is answered {status.name}, by the same digest", (
                single.certificate_status, single.serial_number, single.hash_algorithm.name
            ) == (status, request.serial_number, "sha1"))


def main():
    arguments = read(options(__doc__))
    store = Store(arguments.url, arguments.token)
    yesterday = int(time.time() * 1000) - DAY
    key = store.open(CATALOGUE, yesterday)
    sandbox, production = (
        Shop(store, arguments.keys, environment, key)
        for environment in (Environment.SANDBOX, Environment.PRODUCTION))

    # Of every kind, from before anything happened to a certificate.
    first = {shop: check_kinds(shop) for shop in (sandbox, production)}
    check_refusals(sandbox, production, first[sandbox])
    check_refusals(production, sandbox, first[production])
    check_markers(sandbox, first[sandbox]["transaction"])
    check_openssl(sandbox, first[sandbox]["transaction"])
    check_get(production, first[production]["transaction"])
    check_silence(sandbox)

    for role in ("leaf", "intermediate"):
        check_rotation(sandbox, role, production)
        check_revocation(sandbox, role)
    for role in ("leaf", "intermediate"):
        check_expiry(sandbox, role)
        sandbox.change(role, "rotate")
        expect(f"after another {role}", sandbox.verifier(True), sandbox.transaction())

    # The library gives up after 30 seconds; the rest happens meanwhile.
    production.fault({"delayMilliseconds": 60_000})
    found = []
    waiting = threading.Thread(
        target=hang, args=(production, first[production]["transaction"], found))
    waiting.start()
    check_late_data(store, sandbox)
    for kind, jws in first[sandbox].items():
        expect(f"the first {kind} stays good at its date, offline", sandbox.verifier(False), jws,
               kind=kind)
    waiting.join()
    check("a responder that hangs can be asked again",
          found == ["RETRYABLE_VERIFICATION_FAILURE"], found)


if __name__ == "__main__":
    main()
