#!/usr/bin/env python3
"""Judges the notifications of a store to an app's server by the files of both alone.

    notifications.py FOLDER [--all-kept] [--verify-each N]

FOLDER has the store's database (default.sqlite), which nobody uses, and audit/notifications.jsonl,
which the receiver wrote (Tests/Receiver): a line for each request, with its body and its answer.
Addresses had been set before anything happened, with the version that they have; what was to be
attempted by the world's clock was attempted. What is older than the store keeps may be gone, with
all that was to come of it done; what is two days older must be.

Written apart from the product: its own tables of what each event means, of schedules and of JWS.
It wants every event notified as it must be, once, with what was true then; every notification's
signatures to verify; its attempts at their times; and what the receiver took to be just that.
Prints a line "CODE: NOTIFICATION: sentence" per finding and, when there is none, what it looked at.
Ends with 0 without findings, with 1 with some, with 2 when it cannot judge.
"""

import argparse
import collections
import json
import pathlib
import shutil
import sqlite3
import sys
import tempfile

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
from files import open_copy
from first_notices import FirstNames, FirstPayloads, rfc3339
from notice_life import NoticeLife
from notice_payloads import Payloads
from receipt import text
from signed import data_of, jws, verifies
from signed_receipts import signed_receipt

HOUR = 3_600_000
# How long a notification is kept, and how much later it must be gone.
KEPT, SWEPT = 190 * 24 * HOUR, 2 * 24 * HOUR
# The hours from each attempt to the next, by version; the sandbox has one attempt.
SCHEDULES = {1: (6, 24, 48), 2: (1, 12, 24, 48, 72)}
RESULTS = {
    "SUCCESS", "TIMED_OUT", "TLS_ISSUE", "CIRCULAR_REDIRECT", "NO_RESPONSE", "SOCKET_ISSUE",
    "UNSUPPORTED_CHARSET", "INVALID_RESPONSE", "PREMATURE_CLOSE",
    "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "OTHER"}
ACCEPTED, REFUSED = "200", "500"
# Those that no event causes; all but the summary are asked for.
UNCAUSED = (
    "TEST", "RENEWAL_EXTENSION/SUMMARY", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
    "RESCIND_CONSENT", "EXTERNAL_PURCHASE_TOKEN/CREATED",
    "EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER", "EXTERNAL_PURCHASE_TOKEN/UNREPORTED")


def name_of(row) -> str:
    return row["kind"] + (f"/{row['subtype']}" if row["subtype"] else "")


class Auditor:
    def __init__(self, folder: pathlib.Path, scratch: pathlib.Path, options):
        self.verify_each = options.verify_each
        self.database = open_copy(folder / "default.sqlite", scratch / "default.sqlite")
        log = (folder / "audit/notifications.jsonl").read_text(encoding="utf-8")
        self.taken = [json.loads(line) for line in log.split("\n") if line]
        self.findings: list[str] = []
        (self.now,) = self.rows("SELECT held_ms FROM clock WHERE mode = 'held'")[0]
        # What was made before may be gone.
        self.kept_from = 0 if options.all_kept else self.now - KEPT
        self.targets = {
            (row["app_id"], row["environment"]): row
            for row in self.rows("SELECT * FROM notification_target")}
        self.notices = self.rows(
            "SELECT notification.*, body, transaction_payload, renewal_payload, head "
            "FROM notification JOIN notification_text USING (number) "
            "LEFT JOIN signed_head ON signed_head.number = head_number ORDER BY notification.number")
        self.attempts = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM notification_attempt ORDER BY place"):
            self.attempts[row["notification_number"]].append(row)
        # The notifications with the same bytes: those of version 1 may be the same twice.
        self.same = collections.defaultdict(list)
        # The answers to the deliveries of some bytes, and the line of the first.
        self.answers = collections.defaultdict(list)
        self.firsts: dict[str, int] = {}
        # Notifications of another version than their address takes.
        self.foreign: set[int] = set()

    def rows(self, sql: str) -> list[sqlite3.Row]:
        return self.database.execute(sql).fetchall()

    def find(self, code: str, row, sentence: str) -> None:
        self.findings.append(f"{code}: {row['number']} {name_of(row)}: {sentence}")

    def run(self) -> None:
        for row in self.rows("PRAGMA integrity_check"):
            if row[0] != "ok":
                self.findings.append(f"database-damaged: {row[0]}")
        for row in self.rows("PRAGMA foreign_key_check"):
            self.findings.append(f"row-without-parent: {row[0]} {row[1]} names a missing {row[2]}")
        self.check_kept()
        bodies = self.check_signed()
        self.check_deliveries(bodies)
        for row in self.notices:
            self.check_attempts(row)
        self.check_order()
        self.check_events()

    # What is kept

    def check_kept(self) -> None:
        for row in self.notices:
            if row["due_ms"] is None and row["made_ms"] < self.kept_from - SWEPT:
                self.find("kept-too-long", row, f"it was made at {row['made_ms']}")
        for row in self.rows(
                "SELECT number FROM signed_head WHERE number NOT IN "
                "(SELECT head_number FROM notification WHERE head_number IS NOT NULL)"):
            self.findings.append(f"head-unused: header {row['number']} is of no notification")

    def was_swept(self, body: str) -> bool:
        """Whether a request was of a notification that may have been deleted."""
        try:
            found = json.loads(body)
            if "unified_receipt" in found:
                receipt = signed_receipt(found["unified_receipt"]["latest_receipt"])
                return receipt is not None and text(receipt.raw[12]) < rfc3339(self.kept_from)
            signed = found["signedPayload"]
            payload = json.loads(data_of(signed.split(".")[1]))
        except (ValueError, LookupError, TypeError):
            return False
        return (
            payload["signedDate"] < self.kept_from
            and all(row["uuid"] != payload["notificationUUID"] for row in self.notices)
            and body == f'{{"signedPayload":"{signed}"}}' and verifies(signed))

    # What was signed and sent

    def check_signed(self) -> dict[int, str]:
        """What each request for a notification must have, by its number."""
        bodies, uuids = {}, set()
        for row in self.notices:
            if row["uuid"] in uuids:
                self.find("uuid-twice", row, f"{row['uuid']} is another's, too")
            uuids.add(row["uuid"])
            if not row["is_signed"]:
                self.find("unsigned", row, "it was not signed")
                continue
            target = self.targets.get((row["app_id"], row["environment"]))
            if target and row["event_number"] and row["version"] != target["version"]:
                self.find("version-wrong", row, f"its address takes version {target['version']}")
                self.foreign.add(row["number"])
                continue
            is_verified = row["number"] % self.verify_each == 0
            make = self.first_body if row["version"] == 1 else self.body
            bodies[row["number"]] = make(row, is_verified)
        return bodies

    def first_body(self, row, is_verified: bool) -> str:
        whole = json.loads(row["body"])["unified_receipt"]
        if is_verified and signed_receipt(whole["latest_receipt"]) is None:
            self.find("signature-wrong", row, "its receipt does not verify")
        target = self.targets.get((row["app_id"], row["environment"]))
        password = target and target["password"]
        return row["body"].replace('"password":""', f'"password":"{password}"', 1)

    def body(self, row, is_verified: bool) -> str:
        payload = row["body"]
        for member, kind in (
                ("signedRenewalInfo", "renewal"), ("signedTransactionInfo", "transaction")):
            if row[f"{kind}_payload"] is None:
                continue
            signed = jws(row["head"], row[f"{kind}_payload"], row[f"{kind}_signature"])
            if is_verified and not verifies(signed):
                self.find("signature-wrong", row, f"that of its {kind} does not verify")
            payload = payload.replace(f'"{member}":""', f'"{member}":"{signed}"', 1)
        signed = jws(row["head"], payload, row["signature"])
        if is_verified and not verifies(signed):
            self.find("signature-wrong", row, "its signature does not verify")
        return f'{{"signedPayload":"{signed}"}}'

    def check_deliveries(self, bodies: dict[int, str]) -> None:
        for row in self.notices:
            if row["number"] in bodies:
                self.same[bodies[row["number"]]].append(row)
        for place, line in enumerate(self.taken):
            body = line["body"]
            if body in self.same:
                self.answers[body].append(line["answer"])
                self.firsts.setdefault(body, place)
            elif not self.was_swept(body):
                self.findings.append(
                    f"delivery-unknown: line {place + 1}: no notification has these bytes")
        for body, rows in self.same.items():
            self.check_answers(self.answers[body], rows)

    def check_answers(self, answers: list[str], rows: list) -> None:
        results = [each["result"] for row in rows for each in self.attempts[row["number"]]]
        # A killed store or receiver may have had more of them; never fewer.
        for result, answer in (
                ("SUCCESS", ACCEPTED), ("UNSUCCESSFUL_HTTP_RESPONSE_CODE", REFUSED)):
            if answers.count(answer) < results.count(result):
                self.find(
                    "delivery-lost", rows[0], f"the receiver knows of no {answer} for {result}")
        if answers and not results:
            self.find("attempt-wrong", rows[0], "it was delivered and never attempted")

    def check_attempts(self, row) -> None:
        made = self.attempts[row["number"]]
        schedule = SCHEDULES[row["version"]] if row["environment"] == "production" else ()
        results = [each["result"] for each in made]
        if [each["place"] for each in made] != list(range(1, row["attempts"] + 1)):
            self.find("attempt-wrong", row, f"{row['attempts']} attempts are {len(made)}")
            return
        if (results or [None])[-1] != row["last_result"] or not RESULTS.issuperset(results):
            self.find("attempt-wrong", row, f"{results} do not end with {row['last_result']}")
        if "SUCCESS" in results[:-1] or len(made) > len(schedule) + 1:
            self.find("attempt-wrong", row, f"there are too many: {results}")
        due = self.due_of(row, made)
        for place, each in enumerate(made):
            if each["at_ms"] != due:
                self.find("attempt-date", row, f"{place + 1} was made at {each['at_ms']}, not {due}")
            is_last = each["result"] == "SUCCESS" or place >= len(schedule)
            due = None if is_last else each["at_ms"] + schedule[place] * HOUR
        if row["due_ms"] != due:
            self.find("attempt-date", row, f"the next one is due at {row['due_ms']}, not {due}")
        if row["due_ms"] is not None and row["due_ms"] <= self.now:
            self.find("overdue", row, f"it was due at {row['due_ms']} and it is {self.now}")

    def due_of(self, row, made: list) -> int:
        """When its first attempt is due: at once, unless its owner spoils deliveries."""
        target = self.targets.get((row["app_id"], row["environment"]))
        is_spoilt = target is not None and (target["delayed"] or target["reordered"])
        return made[0]["at_ms"] if is_spoilt and made else row["made_ms"]

    def check_order(self) -> None:
        """The first attempts of each lane came in their order, as far as they came."""
        newest: dict[int, tuple[int, int]] = {}
        places = {rows[0]["number"]: self.firsts.get(body)
                  for body, rows in self.same.items() if len(rows) == 1}
        for row in self.notices:
            target = self.targets.get((row["app_id"], row["environment"]))
            made = self.attempts[row["number"]]
            if target is None or target["delayed"] or target["reordered"] or not made:
                continue
            # Another result may be of an attempt that never came there.
            if made[0]["result"] not in ("SUCCESS", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"):
                continue
            place = places.get(row["number"])
            if place is None:
                continue
            number, before = newest.get(row["lane"], (0, -1))
            if place < before:
                self.find("order-wrong", row, f"it came before {number} of the same transaction")
            newest[row["lane"]] = max((row["number"], place), (number, before), key=lambda x: x[1])

    # What happened

    def check_events(self) -> None:
        events = self.rows("SELECT * FROM event ORDER BY number")
        if [row["number"] for row in events] != list(range(1, len(events) + 1)):
            self.findings.append("event-gap: the history's numbers have gaps or doubles")
        by_event = collections.defaultdict(list)
        for row in self.notices:
            if row["event_number"] is not None:
                by_event[row["event_number"]].append(row)
            elif name_of(row) not in UNCAUSED:
                self.find("notice-unasked", row, "it is of no event")
        life = NoticeLife(self.database)
        payloads = Payloads(self.database, life, self.find)
        first, first_payloads = FirstNames(life), FirstPayloads(self.database, life, self.find)
        for event in events:
            notices = by_event.pop(event["number"], [])
            target = self.targets.get((event["app_id"], event["environment"]))
            first.look(event)
            ways = life.pass_event(event, payloads.offer_of(notices))
            first_ways = first.ways(event, ways)
            if target is None:
                ways = [[]]
            elif target["version"] == 1:
                ways = first_ways
            self.compare(event, notices, ways)
            for row in notices:
                if row["number"] in self.foreign:
                    continue
                (first_payloads if row["version"] == 1 else payloads).check(row, event)
        for notices in by_event.values():
            for row in notices:
                self.find("notice-unasked", row, f"there is no event {row['event_number']}")
        for row in self.notices:
            if row["event_number"] is None:
                payloads.check_uncaused(row)
        payloads.check_present()
        first_payloads.check_present()

    def compare(self, event, notices: list, ways: list[list[str]]) -> None:
        names = [name_of(row) for row in notices]
        if names in ways:
            return
        if event["at_ms"] < self.kept_from and any(
                not collections.Counter(names) - collections.Counter(way) for way in ways):
            return
        what = f"event {event['number']} {event['kind']}"
        wanted = collections.Counter(max(ways, key=len))
        found = collections.Counter(names)
        for name in wanted - found:
            code = "notice-lost" if len(names) < wanted.total() else "notice-wrong"
            self.findings.append(f"{code}: {what} is not notified as {name}, but as {names}")
        for row in notices:
            name = name_of(row)
            if found[name] > max(wanted[name], 1):
                self.find("notice-twice", row, f"{what} was notified {found[name]} times")
            elif name not in wanted:
                self.find("notice-unasked", row, f"{what} is not notified so, but as {ways}")
        if found == wanted:
            self.findings.append(f"notice-wrong: {what} was notified in another order: {names}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--all-kept", action="store_true",
                        help="nothing may be gone, however old it is")
    parser.add_argument("--verify-each", type=int, default=1, metavar="N",
                        help="verify the signatures of one in N notifications alone")
    options = parser.parse_args()
    folder = options.folder
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="bodega-audit-"))
    try:
        auditor = Auditor(folder, scratch, options)
        auditor.run()
    except (LookupError, OSError, ValueError, AttributeError, TypeError, sqlite3.Error) as error:
        print(f"cannot judge {folder}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if auditor.findings:
        print("\n".join(auditor.findings))
        return 1
    results = collections.Counter(
        each["result"] for made in auditor.attempts.values() for each in made)
    kinds = len({name_of(row) for row in auditor.notices})
    print(
        f"{len(auditor.notices)} notifications of {kinds} kinds are sound; "
        f"{len(auditor.taken)} requests came, attempts ended "
        + ", ".join(f"{count} {result}" for result, count in sorted(results.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
