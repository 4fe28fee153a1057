#!/usr/bin/env python3
"""Judges a store, a backend and their devices by their files alone.

    audit.py FOLDER --catalogue FILE.storekit [--unsettled] [--no-backend]

FOLDER holds store/ and backend/ (data directories whose programs do not run), a home folder per
device (with device.json), the app's own folder beside each (DEVICE-app), and told/DEVICE.txt:
what the apps of a device printed, in order, and after each run what the journal promised then
("promised attempt ID", "promised finish NUMBER"). With --unsettled, purchases may be on their way;
without it, everything must have come to its end. With --no-backend there is none, and no app's own
folder: neither grants nor saved games are judged.

Written apart from the product: its own SQL, its own reading of receipts, openssl for signatures.
Prints a line "CODE: sentence" per finding and, when there is none, what it looked at. Ends with 0
without findings, with 1 with some, with 2 when it cannot judge.
"""

import argparse
import collections
import datetime
import hashlib
import json
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import uuid

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
import key_values
from copies import copy_findings
from files import device_guid, open_copy, read_prices, read_shareable, read_told
from money import money_findings
from orders import order_findings
from receipt import Receipt, integer, text, verified_receipt
from refund_requests import request_findings
from restores import restore_findings
from signed_copies import signed_copy_findings

LITRES_PER_FUEL = 100
FUEL = "com.example.rocketcar.fuel"


class Auditor:
    def __init__(
        self, folder: pathlib.Path, catalogue: pathlib.Path, is_settled: bool, has_backend: bool):
        self.folder = folder
        self.is_settled = is_settled
        self.findings: list[str] = []
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="bodega-audit-"))
        self.prices = read_prices(catalogue)
        self.shareable = read_shareable(catalogue)
        self.store = open_copy(
            folder / "store/worlds/default.sqlite", self.scratch / "store.sqlite")
        self.backend = open_copy(
            folder / "backend/backend.sqlite", self.scratch / "backend.sqlite"
        ) if has_backend else None
        self.devices = sorted(path.parent for path in folder.glob("*/device.json"))
        if not self.devices:
            raise LookupError(f"no device has a device.json below {folder}")
        self.told = {device.name: read_told(folder, device.name) for device in self.devices}
        self.sold = self.rows(
            self.store,
            "SELECT * FROM store_transaction WHERE restore_id IS NULL AND shared_id IS NULL")
        # What family members have of one another costs nothing and comes from no attempt.
        self.shared = self.rows(
            self.store,
            "SELECT * FROM store_transaction WHERE restore_id IS NULL AND shared_id IS NOT NULL")
        # What was given back costs nothing, is in no app receipt and is granted as its original.
        self.given = self.rows(
            self.store, "SELECT * FROM store_transaction WHERE restore_id IS NOT NULL")
        self.by_id = {row["id"]: row for row in self.sold + self.shared}
        self.given_by_id = {row["id"]: row for row in self.given}
        self.all_by_id = self.by_id | self.given_by_id
        self.attempts = self.rows(self.store, "SELECT * FROM attempt")
        self.waiting = {
            (row["device_id"], row["attempt_id"]): row
            for row in self.rows(self.store, "SELECT * FROM waiting_purchase")}
        # How payments that a provider was asked for stand, by the number of what waited for them.
        self.payments = {
            row["waiting_number"]: row["state"]
            for row in self.rows(self.store, "SELECT waiting_number, state FROM payment")}
        self.revoked = {
            row["transaction_id"]: row["at_ms"]
            for row in self.rows(self.store, "SELECT * FROM revocation")}
        second = {
            device_guid(device) for device in self.devices
            if ["storekit2"] in self.told[device.name]}
        self.without_backend = {
            row["id"] for row in self.rows(self.store, "SELECT id, guid FROM device")
            if row["guid"] in second}
        self.receipts_seen = 0

    def find(self, code: str, sentence: str) -> None:
        self.findings.append(f"{code}: {sentence}")

    @staticmethod
    def rows(database: sqlite3.Connection, sql: str, *values) -> list[sqlite3.Row]:
        return database.execute(sql, values).fetchall()

    def run(self) -> None:
        self.check_files()
        self.check_numbers()
        self.check_attempts()
        self.check_waiting()
        self.check_money()
        self.findings += money_findings(self.store)
        self.check_shared()
        self.check_deleted()
        self.check_events()
        self.check_finishes()
        self.findings += restore_findings(self.store, self.given, self.by_id)
        self.check_told()
        self.check_orders()
        self.check_copies()
        self.check_journals()
        self.check_receipts()
        if self.backend:
            self.check_grants()
            self.check_games()
        self.check_key_values()

    def check_shared(self) -> None:
        """Families have just what is theirs, and requests for money came to what they say."""
        now = self.rows(self.store, "SELECT coalesce(max(at_ms), 0) AS at_ms FROM event")
        self.findings += copy_findings(self.store, self.shareable, now[0]["at_ms"])
        self.findings += request_findings(self.store, [], set())

    def check_deleted(self) -> None:
        """Of a deleted account nothing personal is left, and nothing of it goes on."""
        for what, sql in (
                ("a name or password", "account WHERE name NOT LIKE 'deleted-%' "
                 "OR password_hash <> '' OR lock_reason IS NOT NULL"),
                ("a session", "device_token JOIN account ON account.id = account_id WHERE 1"),
                ("key values", "key_value JOIN account ON account.id = account_id WHERE 1"),
                ("a receipt", "device_receipt JOIN account ON account.id = account_id WHERE 1"),
                ("a family", "family_member JOIN account ON account.id = account_id WHERE 1"),
                ("a name in a purchase", "store_transaction "
                 "JOIN account ON account.id = account_id WHERE application_username IS NOT NULL"),
                ("a name in a restore", "restore JOIN account ON account.id = account_id "
                 "WHERE application_username IS NOT NULL"),
                ("a name in a request", "waiting_purchase JOIN account ON account.id = account_id "
                 "WHERE application_username IS NOT NULL OR answer IS NULL"),
                ("a subscription", "subscription JOIN account ON account.id = account_id "
                 "WHERE application_username IS NOT NULL OR due_ms IS NOT NULL"),
                ("a price question", "price_consent JOIN account ON account.id = account_id "
                 "WHERE answer IS NULL AND withdrawn_ms IS NULL")):
            table, condition = sql.split(" WHERE ")
            for row in self.rows(
                    self.store, f"SELECT DISTINCT account.id FROM {table} "
                    f"WHERE ({condition}) AND deleted_ms IS NOT NULL"):
                self.find("deleted-left", f"account {row['id']} was deleted and has {what}")

    # The databases

    def check_files(self) -> None:
        for name, database in (("store", self.store), ("backend", self.backend)):
            if database is None:
                continue
            for row in self.rows(database, "PRAGMA integrity_check"):
                if row[0] != "ok":
                    self.find("database-damaged", f"{name}: {row[0]}")
            try:
                for row in self.rows(database, "PRAGMA foreign_key_check"):
                    self.find(
                        "row-without-parent",
                        f"{name}: {row[0]} {row[1]} names a missing {row[2]}")
            except sqlite3.OperationalError as error:
                self.find("database-damaged", f"{name}: {error}")

    def check_numbers(self) -> None:
        counts = collections.Counter(row["id"] for row in self.sold + self.shared + self.given)
        for number, count in counts.items():
            if count > 1:
                self.find("number-twice", f"{count} transactions have the number {number}")
        ranges = {row["kind"]: row for row in self.rows(self.store, "SELECT * FROM environment")}
        for row in self.sold + self.shared + self.given:
            space = ranges[row["environment"]]
            if not row["id"] < space["transaction_next"] <= space["transaction_last"] + 1:
                self.find("number-unissued", f"{row['id']} is a number that was not given out")

    def check_attempts(self) -> None:
        sales = collections.defaultdict(list)
        for row in self.sold:
            sales[(row["device_id"], row["attempt_id"])].append(row)
        attempts = {(row["device_id"], row["attempt_id"]): row for row in self.attempts}
        for key, rows in sales.items():
            attempt = attempts.get(key)
            if attempt is None or attempt["state"] != "done":
                self.find("sale-without-attempt", f"{rows[0]['id']} came from no attempt")
            elif len(rows) > 1 or attempt["transaction_id"] != rows[0]["id"]:
                self.find("sale-twice", f"attempt {key[1]} became {[row['id'] for row in rows]}")
        for key, attempt in attempts.items():
            if attempt["state"] == "done" and key not in sales:
                self.find("sale-lost", f"attempt {key[1]} is done and its transaction is missing")
            if attempt["finished_ms"] is not None and key in sales:
                self.find("answer-finished", f"attempt {key[1]} is finished like an answer alone")
            waiting = self.waiting.get(key)
            if waiting is not None and (
                    waiting["answer"] is None
                    or self.payments.get(waiting["number"]) == "authorizing"):
                continue
            if attempt["state"] not in ("done", "refused"):
                self.find("attempt-open", f"the store left attempt {key[1]} {attempt['state']}")

    def check_waiting(self) -> None:
        """Purchases that somebody was asked about, or that were interrupted."""
        attempts = {(row["device_id"], row["attempt_id"]): row for row in self.attempts}
        told = collections.Counter(
            row["subject"] for row in self.rows(
                self.store, "SELECT subject FROM event WHERE kind = 'declined'"))
        states = {
            "approval": {"deferred"}, "interruption": {"interrupted"},
            "payment": {"charging", "unknown"}}
        for key, row in self.waiting.items():
            attempt = attempts.get(key)
            if attempt is None:
                self.find("request-lost", f"nothing is known of attempt {key[1]}, which waits")
                continue
            approved = {"done", "refused"}
            if self.payments.get(row["number"]) == "authorizing":
                approved = states["payment"]
            due = {None: states[row["cause"]], "approved": approved, "declined": {"refused"}}
            if attempt["state"] not in due[row["answer"]]:
                self.find(
                    "request-wrong",
                    f"attempt {key[1]} is {attempt['state']} and was {row['answer']}")
            if attempt["account_id"] != row["account_id"]:
                self.find("request-wrong", f"attempt {key[1]} waits for another account")
            sale = self.by_id.get(attempt["transaction_id"])
            if sale is not None:
                asked = (row["product_id"], row["quantity"], row["application_username"])
                got = (sale["product_id"], sale["quantity"], sale["application_username"])
                if asked != got:
                    self.find("sale-wrong", f"{sale['id']} is {got} and {asked} was asked for")
                if row["answered_ms"] is None or sale["purchased_ms"] > row["answered_ms"]:
                    self.find("request-wrong", f"{sale['id']} was bought without its answer")
            is_told = attempt["state"] == "refused" and (
                row["cause"] == "approval" or row["number"] in self.payments)
            if told.pop(key[1], 0) != (1 if is_told else 0):
                self.find("event-lost", f"the history and attempt {key[1]} disagree on its end")
        for subject in told:
            self.find("request-lost", f"{subject} was declined and nobody was asked for it")

    def check_money(self) -> None:
        owned: dict[tuple, int] = {}
        # What was taken back before is not owned any more, in the order of the history.
        history = {
            (row["kind"], row["transaction_id"]): row["number"]
            for row in self.rows(self.store, "SELECT * FROM event")}
        for row in sorted(self.sold, key=lambda row: row["id"]):
            price = self.prices.get(row["product_id"])
            if price is None:
                self.find("product-unknown", f"{row['id']} is of {row['product_id']}")
                continue
            due = price * row["quantity"]
            if row["kind"] == "nonConsumable":
                owner = (row["environment"], row["account_id"], row["app_id"], row["product_id"])
                first = owned.get(owner)
                taken = history.get(("revoked", first))
                again = history.get(("refundReversed", first), 0)
                bought = history.get(("purchased", row["id"]), 0)
                if first is None or (
                    taken is not None and taken < bought and not taken < again < bought):
                    first = owned[owner] = row["id"]
                if row["original_id"] != first:
                    self.find("original-wrong", f"{row['id']} counts as {row['original_id']}")
                due = due if first == row["id"] else 0
            elif row["original_id"] != row["id"]:
                self.find("original-wrong", f"{row['id']} counts as {row['original_id']}")
            if row["charged_milliunits"] != due:
                self.find(
                    "money", f"{row['id']} was charged {row['charged_milliunits']} and not {due}")

    def check_events(self) -> None:
        events = self.rows(self.store, "SELECT * FROM event ORDER BY number")
        if [row["number"] for row in events] != list(range(1, len(events) + 1)):
            self.find("event-gap", "the history's numbers have gaps or doubles")
        times = [row["at_ms"] for row in events]
        if times != sorted(times):
            self.find("event-back", "the history goes back in time")
        counts = collections.Counter(
            (row["kind"], row["transaction_id"]) for row in events if row["kind"] != "declined")
        for (kind, number), count in counts.items():
            if count > 1:
                # What was given back after a refund can be taken back again.
                again = counts[("refundReversed", number)] if kind == "revoked" else 0
                if count > 1 + again:
                    self.find("event-twice", f"{number} was {kind} {count} times")
            known = self.by_id if kind == "purchased" else self.all_by_id
            if kind in ("purchased", "shared", "finished") and number not in known:
                self.find("sale-lost", f"the history has {number} {kind}, the store has it not")
        for row in self.sold:
            if not counts[("purchased", row["id"])]:
                self.find("event-lost", f"the purchase of {row['id']} is not in the history")
        for row in self.sold + self.shared:
            is_taken = bool(counts[("revoked", row["id"])] - counts[("refundReversed", row["id"])])
            if is_taken != (row["id"] in self.revoked):
                self.find("event-lost", f"the history and {row['id']} disagree on its revocation")
            if self.revoked.get(row["id"], row["purchased_ms"]) < row["purchased_ms"]:
                self.find("event-back", f"{row['id']} was taken back before it was bought")
            is_whole = row["kind"] == "nonConsumable"
            if is_whole and row["original_id"] in self.revoked and row["id"] not in self.revoked:
                self.find("revoked-half", f"{row['id']} stayed when its original was taken back")
        for row in self.sold + self.shared + self.given:
            if bool(counts[("finished", row["id"])]) != (row["finished_ms"] is not None):
                self.find("event-lost", f"the history and {row['id']} disagree on its finish")

    def check_finishes(self) -> None:
        active = {row["account_id"] for row in self.attempts}
        for row in self.sold + self.shared + self.given:
            if row["finished_ms"] is None:
                # Who never used a device finishes nothing of what the family shares.
                if row["shared_id"] is not None and row["account_id"] not in active:
                    continue
                # What was taken back is delivered no more, so nobody need finish it.
                taken = {row["id"], row["restored_id"]} & self.revoked.keys()
                if self.is_settled and not taken:
                    self.find("unfinished", f"{row['id']} was never finished")
            elif row["finished_ms"] < row["purchased_ms"]:
                self.find("event-back", f"{row['id']} was finished before it was bought")

    # What the devices were told, and what they hold

    def check_told(self) -> None:
        bought = collections.Counter()
        guids = {row["id"]: row["guid"] for row in self.rows(self.store, "SELECT * FROM device")}
        for row in self.sold:
            bought[guids.get(row["device_id"])] += 1
        for device in self.devices:
            done: set[int] = set()
            # An app that says what it asks for does so before the queue hears of it.
            said = collections.Counter(words[0] for words in self.told[device.name])
            asked = max(said["asked"], said["purchasing"])
            for words in self.told[device.name]:
                number = int(words[2]) if len(words) > 2 and words[2].isdigit() else None
                if words[0] == "purchased" and number is not None:
                    row = self.by_id.get(number)
                    if row is None or row["product_id"] != words[1]:
                        self.find("told-lost", f"{device.name} was told of {number}, never sold")
                    if number in done:
                        self.find("came-back", f"{device.name} heard of {number} when finished")
                elif words[0] == "restored" and number is not None:
                    self.check_told_restored(device.name, words, guids)
                    if number in done:
                        self.find("came-back", f"{device.name} heard of {number} when finished")
                elif words[0] == "finished" and number is not None:
                    done.add(number)
                elif words[:2] == ["promised", "finish"]:
                    done.add(int(words[2]))
            for number in done:
                if number in self.all_by_id and self.all_by_id[number]["finished_ms"] is None:
                    if not list((device / "journal").glob(f"finish-{number}*.json")):
                        self.find("finish-lost", f"{number} is neither finished nor in a journal")
            self.check_promises(device)
            count = bought[device_guid(device)]
            if count > asked:
                self.find("bought-unasked", f"{device.name} asked {asked} times and bought {count}")

    def check_promises(self, device: pathlib.Path) -> None:
        """What a journal said was approved comes to an end, or still stands in the journal."""
        known = {row["attempt_id"] for row in self.attempts}
        promised = {
            words[2] for words in self.told[device.name] if words[:2] == ["promised", "attempt"]}
        for attempt in sorted(promised - known):
            if not (device / "journal" / f"attempt-{attempt}.json").exists():
                self.find("promise-lost", f"{device.name} had {attempt} approved and forgot it")

    def check_told_restored(self, device: str, words: list[str], guids: dict) -> None:
        row = self.given_by_id.get(int(words[2]))
        if row is None or [row["product_id"], str(row["original_id"])] != [words[1], words[3]]:
            self.find("told-lost", f"{device} was told of {words[2]}, never given back so")
        elif guids.get(row["device_id"]) != device_guid(self.folder / device):
            self.find("told-lost", f"{device} was told of {words[2]}, given back to another")

    def check_orders(self) -> None:
        guids = {device.name: device_guid(device) for device in self.devices}
        self.findings += order_findings(
            self.store, self.told, guids, self.sold, self.given, self.is_settled)

    def check_copies(self) -> None:
        for device in self.devices:
            self.findings += signed_copy_findings(
                device, self.told[device.name], self.all_by_id)

    def check_journals(self) -> None:
        numbers = {row["attempt_id"]: row for row in self.attempts}
        for device in self.devices:
            if self.is_settled:
                for path in sorted(device.rglob("*.tmp")):
                    self.find("litter", f"{path} was left behind")
            for path in sorted((device / "journal").iterdir()):
                if path.name.endswith(".tmp"):
                    continue
                try:
                    record = json.loads(path.read_bytes())
                    if not path.name.endswith(".json"):
                        raise ValueError("it was set aside")
                    self.check_record(path, record, numbers)
                except (ValueError, KeyError, TypeError) as error:
                    self.find("journal-damaged", f"{path}: {error}")
            self.check_caches(device)

    def check_caches(self, device: pathlib.Path) -> None:
        """Content is only kept for a transaction whose download the journal knows."""
        folders = (device / "Caches").iterdir() if (device / "Caches").is_dir() else []
        for folder in sorted(folders):
            record = device / "journal" / f"download-{folder.name}.json"
            if self.is_settled and not record.exists():
                self.find("content-left", f"{folder} belongs to no download")

    def check_download(self, path: pathlib.Path, record: dict) -> None:
        row = self.all_by_id.get(int(record["transactionId"]))
        if record["stage"] not in ("started", "paused", "kept", "finished"):
            raise ValueError(f"its stage is {record['stage']}")
        if row is None:
            self.find("download-unknown", f"{path} loads what was neither sold nor given back")
        elif self.is_settled and row["finished_ms"] is not None:
            self.find("download-left", f"{path} is of a finished transaction")

    def check_record(self, path: pathlib.Path, record: dict, attempts: dict) -> None:
        if path.name.startswith("download-"):
            self.check_download(path, record)
            return
        if path.name.startswith("finish-"):
            number = int(record["transactionId"])
            if number not in self.all_by_id:
                self.find("finish-unknown", f"{path} finishes what was not sold")
            if self.is_settled:
                self.find("finish-waiting", f"{path} was never sent")
            return
        stage = next(iter(record["stage"]))
        known = attempts.get(record["attemptId"])
        if known is not None and stage == "written":
            self.find("bought-unasked", f"{path} was not approved and is {known['state']}")
        if known is not None and known["state"] == "done":
            row = self.by_id.get(known["transaction_id"])
            if row is not None and (row["product_id"], row["quantity"]) != (
                record["productId"], record["quantity"]):
                self.find("sale-wrong", f"{path} asked for other than {row['id']} is")
        if self.is_settled and stage != "failed" and (
            known is None or known["state"] != "deferred"):
            self.find("attempt-waiting", f"{path} is {stage} and never settled")

    def check_key_values(self) -> None:
        def rows(sql: str) -> list[sqlite3.Row]:
            return self.rows(self.store, sql)

        revisions = key_values.check_store(rows, self.find)
        accounts = {
            row["id"]: (row["environment"].capitalize(), row["name"])
            for row in rows("SELECT * FROM account")}
        places: dict[tuple, int] = {}
        for (account, _), revision in revisions.items():
            place = accounts.get(account)
            places[place] = max(places.get(place, 0), revision)
        world = rows("SELECT id FROM world")[0]["id"]
        for device in self.devices:
            key_values.check_device(device, world, places, self.find)

    # The backend

    def check_grants(self) -> None:
        names = {row["id"]: row["name"] for row in self.rows(self.backend, "SELECT * FROM users")}
        grants = self.rows(self.backend, "SELECT * FROM grants")
        wanted = {}
        for row in self.submitted(self.sold + self.shared):
            key = row["id"] if row["kind"] == "consumable" else row["original_id"]
            wanted[(row["environment"], str(key))] = self.by_id.get(key, row)
        counts = collections.Counter((row["environment"], row["key_transaction"]) for row in grants)
        delivered = collections.Counter(
            (row["environment"], row["transaction_id"]) for row in grants)
        for key, count in (counts | delivered).items():
            if count > 1:
                self.find("granted-twice", f"{key[1]} was granted {count} times")
        for row in grants:
            sale = wanted.get((row["environment"], row["key_transaction"]))
            if sale is None:
                self.find("granted-unsold", f"{row['key_transaction']} was granted and not sold")
                continue
            given = (row["product_id"], row["quantity"], row["kind"], names.get(row["user_id"]))
            # What is shared has no buyer's name in it: it is of whoever brings it.
            name = given[3] if sale["shared_id"] is not None else sale["application_username"]
            due = (sale["product_id"], sale["quantity"], sale["kind"], name)
            if given != due:
                self.find("granted-wrong", f"{row['key_transaction']}: {given} and not {due}")
        if self.is_settled:
            for key in wanted.keys() - counts.keys():
                # What is shared is delivered by who uses a device, unless it is taken back before.
                sale = wanted[key]
                if sale["shared_id"] is not None and (
                        sale["finished_ms"] is None or sale["id"] in self.revoked):
                    continue
                self.find("grant-lost", f"{key[1]} was sold and never granted")
            for row in self.rows(
                self.backend, "SELECT * FROM submissions WHERE state IN ('received', 'kept')"):
                self.find("submission-open", f"{row['transaction_id']} is still {row['state']}")
        for row in self.rows(self.backend, "SELECT * FROM submissions WHERE state = 'refused'"):
            self.find("submission-refused", f"{row['transaction_id']}: {row['reason']}")

    def submitted(self, rows: list) -> list:
        """Those that an app brings to the backend: the one that uses StoreKit 2 has none."""
        return [row for row in rows if row["device_id"] not in self.without_backend]

    # Receipts

    def check_receipts(self) -> None:
        for device in self.devices:
            environment, name = "sandbox", "sandboxReceipt"
            if (device / "StoreKit/receipt").exists():
                environment, name = "production", "receipt"
            root, path = self.folder / f"store/keys/root-{environment}.pem", device / "StoreKit" / name
            state = device / "receipt.json"
            # An app that uses StoreKit 2 asks for no receipt, and one that is there may be behind.
            needs_receipt = ["storekit2"] not in self.told[device.name]
            has_bought = needs_receipt and any(
                words[0] == "purchased" for words in self.told[device.name])
            if not path.exists():
                if has_bought:
                    self.find("receipt-missing", f"{device.name} heard of purchases and has none")
                continue
            try:
                receipt = verified_receipt(path.read_bytes(), root, self.scratch)
            except (ValueError, IndexError, StopIteration) as error:
                self.find("receipt-false", f"{path}: {error}")
                continue
            self.receipts_seen += 1
            self.check_receipt(device, path, receipt)
            if environment == "production":
                self.check_app(path, receipt)
            if state.exists():
                self.check_revision(
                    environment, path, receipt, json.loads(state.read_bytes()),
                    self.is_settled and needs_receipt)
            elif self.is_settled:
                self.find("receipt-behind", f"nothing says which revision {path} has")

    def check_receipt(self, device: pathlib.Path, path: pathlib.Path, receipt: Receipt) -> None:
        guid = uuid.UUID(device_guid(device)).bytes
        digest = hashlib.sha1(guid + receipt.raw[4] + receipt.raw[2]).digest()
        if digest != receipt.raw[5]:
            self.find("receipt-foreign", f"{path} is for another device")
        for number, entry in receipt.purchases.items():
            row = self.by_id.get(number)
            if row is None:
                self.find("receipt-unsold", f"{path} has {number}, which was not sold")
                continue
            due = {
                "product": row["product_id"], "quantity": row["quantity"],
                "original": str(row["original_id"]), "at": second(row["purchased_ms"]),
                "originally": second(row["originally_purchased_ms"]),
                "cancelled": second(self.revoked[number]) if number in self.revoked else "",
            }
            if not self.is_settled and not entry["cancelled"]:
                due["cancelled"] = ""  # The receipt may be older than the revocation.
            if {key: entry[key] for key in due} != due:
                self.find("receipt-wrong", f"{path}: {number} is {entry} and not {due}")

    def check_app(self, path: pathlib.Path, receipt: Receipt) -> None:
        """What a receipt of production says of the app itself is what the store recorded."""
        got = self.rows(
            self.store, "SELECT app_transaction.*, app_number, bundle_id FROM app_transaction "
            "JOIN app ON app.id = app_id WHERE app_transaction.id = ?", integer(receipt.raw[15]))
        if not got:
            self.find("app-unknown", f"{path} is of a download that the store does not know")
            return
        due = {
            0: "ProductionVPP" if got[0]["is_volume"] else "Production",
            18: second(got[0]["purchased_ms"]), 19: got[0]["app_version"],
            2: got[0]["bundle_id"]}
        told = {key: text(receipt.raw[key]) for key in due}
        if told != due or got[0]["app_number"] not in (None, integer(receipt.raw[1])):
            self.find("app-wrong", f"{path} says {told} and not {due}")

    def check_revision(
        self, environment: str, path: pathlib.Path, receipt: Receipt, state: dict,
        must_be_new: bool) -> None:
        accounts = self.rows(
            self.store, "SELECT id FROM account WHERE environment = ? AND name = ?", environment,
            state["customer"]["account"])
        if not accounts:
            self.find("receipt-foreign", f"{path} is of an account that the store does not have")
            return
        account = accounts[0]["id"]
        revision = self.rows(
            self.store, "SELECT revision FROM receipt_revision WHERE account_id = ?", account)
        base = self.rows(self.store, "SELECT next FROM sequence WHERE name = 'revision_base'")
        current = (revision[0]["revision"] if revision else 0) + sum(row["next"] for row in base)
        if state["revision"] > current:
            self.find("receipt-ahead", f"{path} has a revision that the store never made")
        if state["revision"] != current:
            if must_be_new:
                self.find("receipt-behind", f"{path} has {state['revision']}, the store {current}")
            return
        due = {
            row["id"] for row in self.sold + self.shared
            if row["account_id"] == account
            and (row["kind"] != "consumable"
                 or row["finished_ms"] is None and row["id"] not in self.revoked)}
        if due != receipt.purchases.keys():
            self.find(
                "receipt-incomplete",
                f"{path}: lacks {sorted(due - receipt.purchases.keys())}, has without right "
                f"{sorted(receipt.purchases.keys() - due)}")

    # The app's own files

    def check_games(self) -> None:
        filled = collections.Counter()
        for device in self.devices:
            path = device.with_name(device.name + "-app") / "game.json"
            if not path.exists():
                continue
            game = json.loads(path.read_bytes())
            numbers = [int(number) for number in game["fuelTransactions"]]
            filled.update(numbers)
            due = sum(
                LITRES_PER_FUEL * self.by_id[number]["quantity"]
                for number in numbers if number in self.by_id)
            if game["fuel"] != due:
                self.find("game-wrong", f"{path} has {game['fuel']} litres and not {due}")
        fuel = {row["id"] for row in self.submitted(self.sold) if row["product_id"] == FUEL}
        for number, count in filled.items():
            if count > 1 or number not in fuel:
                self.find("game-wrong", f"{number} went into {count} tanks")
        if self.is_settled:
            for number in sorted(fuel - filled.keys()):
                self.find("game-lost", f"{number} went into no tank")


def second(milliseconds: int) -> str:
    moment = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--catalogue", type=pathlib.Path, required=True)
    parser.add_argument("--unsettled", action="store_true")
    parser.add_argument("--no-backend", action="store_true")
    options = parser.parse_args()
    try:
        auditor = Auditor(
            options.folder, options.catalogue, not options.unsettled, not options.no_backend)
    except (LookupError, OSError) as error:
        print(f"cannot audit: {error}")
        return 2
    except sqlite3.Error as error:
        print(f"database-damaged: {error}")
        return 1
    try:
        auditor.run()
    except sqlite3.Error as error:
        auditor.find("database-damaged", str(error))
    finally:
        shutil.rmtree(auditor.scratch)
    for finding in auditor.findings:
        print(finding)
    if auditor.findings:
        return 1
    charged = sum(row["charged_milliunits"] for row in auditor.sold)
    print(
        f"no findings: {len(auditor.sold)} purchases for {charged / 1000:.2f}, "
        f"{len(auditor.shared)} shared, {len(auditor.given)} given back, "
        f"{len(auditor.devices)} devices, {auditor.receipts_seen} receipts")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # A fault of the auditor must not look like a finding, or like none.
        print(f"cannot audit: {type(error).__name__}: {error}")
        sys.exit(2)
