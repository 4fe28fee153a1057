"""An app's server that is notified, and what it was sent, as golden files have it."""

import base64
import collections
import http.server
import json
import os
import pathlib
import threading

from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest

from notification_services import SERVICES
from server_api import APP_NUMBER, BUNDLE, DAY, Caller, check

SIGNED = {"transaction": "signedTransactionInfo", "renewal": "signedRenewalInfo",
          "app transaction": "signedAppTransactionInfo"}


class Listener(http.server.ThreadingHTTPServer):
    # A store delivers side by side; a connection that is not accepted waits for seconds.
    request_queue_size = 1_024


class Golden:
    """What each type of notification holds: the members of each part, and the first payload whole,
    with what is signed in it decoded. In a world whose seed and clock are given, numbers and dates
    repeat."""

    def __init__(self):
        self.seen = collections.defaultdict(lambda: collections.defaultdict(list))
        self.first = {}

    def note(self, name, whole, **parts):
        self.first.setdefault(name, whole)
        for part, members in parts.items():
            if members is not None:
                self.seen[name][part].append(set(members))

    def members(self):
        """One text for each part; a question mark follows what is not always there."""
        found = {
            name: {part: " ".join(
                member + ("" if all(member in each for each in all_) else "?")
                for member in sorted(set().union(*all_)))
                for part, all_ in sorted(parts.items())}
            for name, parts in sorted(self.seen.items())}
        return found

    def check(self, members, payloads=None):
        """Compares with golden files, by their names; without that of the payloads, their members
        alone, as where numbers and dates do not repeat."""
        compare(members, self.members())
        if payloads is not None:
            compare(payloads, self.first)


def compare(name, found):
    """Compares what was found with a golden file, which GOLDEN_UPDATE=1 writes anew."""
    path = pathlib.Path(__file__).with_name("golden") / name
    if os.environ.get("GOLDEN_UPDATE"):
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    known = json.loads(path.read_text())
    check(f"{len(found)} entries are as in {name}", found == known, [
        (each, known.get(each), found.get(each)) for each in sorted(known.keys() | found.keys())
        if known.get(each) != found.get(each)])


class Receiver:
    """An app's server: keeps what it gets, and answers what it is told."""

    def __init__(self):
        receiver = self
        self.lock, self.got, self.statuses, self.news = threading.Lock(), [], [], threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    receiver.got.append((self.headers, body))
                    status = receiver.statuses.pop(0) if receiver.statuses else 200
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/notifications"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self):
        with self.lock:
            got, self.got = self.got, []
        return got


class Server:
    """One environment of the app: its receiver with the library's verifier. What it takes is noted
    in `golden`; one whose receiver alone is asked needs none."""

    def __init__(self, store, keys, environment, key, golden=None):
        self.store, self.name, self.golden = store, environment.value.lower(), golden
        self.caller = Caller(store, keys, environment, key)
        self.verifier, self.receiver = self.caller.verifier, Receiver()
        store.control("PUT", f"/apps/{BUNDLE}/notification-targets/{self.name}", {
            "url": self.receiver.url, "allowsPrivateAddresses": True})
        self.seen = set()

    def settle(self):
        settle(self.store)

    def history(self, **filters):
        """All pages."""
        now = self.store.control("GET", "/clock")["now"]
        filters = {"startDate": now - 29 * DAY, "endDate": now + DAY, **filters}
        found, token = [], None
        while True:
            page = self.caller.client.get_notification_history(
                token, NotificationHistoryRequest(**filters))
            found += page.notificationHistory
            if not page.hasMore:
                return found
            assert len(page.notificationHistory) == 20, page
            token = page.paginationToken

    def take(self):
        self.settle()
        found = []
        for headers, body in self.receiver.take():
            assert headers["Content-Type"] == "application/json", headers
            payload = json.loads(body)
            assert list(payload) == ["signedPayload"], payload
            note = self.verifier.verify_and_decode_notification(payload["signedPayload"])
            raw = decoded(payload["signedPayload"])
            assert no_nulls(raw) and note.version == "2.0", raw
            note.raw = raw
            note.text, note.transaction, note.renewal = payload["signedPayload"], None, None
            if note.data and note.data.signedTransactionInfo:
                note.transaction = self.caller.read(note.data.signedTransactionInfo)
                assert note.transaction.signedDate == note.signedDate
            if note.data and note.data.signedRenewalInfo:
                note.renewal = self.verifier.verify_and_decode_renewal_info(
                    note.data.signedRenewalInfo)
                assert note.renewal.signedDate == note.signedDate
            found.append(note)
        # Purchases have no order among one another.
        for note in sorted(found, key=lambda each: (
                each.signedDate, each.transaction.transactionId if each.transaction else "")):
            self.note(note)
        return found

    def note(self, note):
        [member] = note.raw.keys() & {"appData", "data", "externalPurchaseToken", "summary"}
        about = note.raw[member]
        signed = {member: decoded(about[member]) for member in SIGNED.values() if member in about}
        whole = {**note.raw, member: {**about, **signed}}
        if name(note) == "TEST" or name(note) in SERVICES:
            # Asked for, and different each time.
            whole["notificationUUID"] = "…"
        self.golden.note(
            f"{name(note)} in {self.name}", whole, payload=note.raw, **{member: about},
            **{part: signed.get(member) for part, member in SIGNED.items()})

    def expect(self, what, *names):
        """The notifications since the last call, by type and subtype: those of one purchase in
        their order, while others may come before or between them."""
        found = self.take()
        lanes = {each.transaction and each.transaction.originalTransactionId for each in found}
        if len(lanes) > 1 and sorted(map(name, found)) == sorted(names):
            found.sort(key=lambda each: names.index(name(each)))
        check(what, [name(each) for each in found] == list(names), [name(e) for e in found])
        for each in found:
            self.seen.add(name(each))
            assert each.notificationUUID not in self.seen, each.notificationUUID
            self.seen.add(each.notificationUUID)
            data = each.data or each.summary
            assert data.bundleId == BUNDLE and data.environment.value.lower() == self.name, data
            assert data.appAppleId == (
                APP_NUMBER if self.name == "production" else None), data
            if each.summary:
                continue
            subscribed = data.signedRenewalInfo is not None
            assert (data.status is not None) == subscribed, data
            if data.signedTransactionInfo:
                assert (each.transaction.type.value == "Auto-Renewable Subscription") == subscribed
        return found[0] if len(found) == 1 else found


def name(note):
    kind = note.rawNotificationType
    return kind + (f"/{note.rawSubtype}" if note.rawSubtype else "")


def decoded(jws):
    part = jws.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def no_nulls(value):
    if isinstance(value, dict):
        return all(no_nulls(each) for each in value.values())
    if isinstance(value, list):
        return all(no_nulls(each) for each in value)
    return value is not None


def change(store, original, action, body=None):
    return store.control("POST", f"/subscriptions/{original}/{action}", body or {})


def settle(store):
    """Waits until all that is due was attempted; the store itself waits for some seconds only."""
    for _ in range(60):
        if not store.control("POST", "/notifications/settle")["due"]:
            return
    raise AssertionError("notifications are still due after sixty waits")
