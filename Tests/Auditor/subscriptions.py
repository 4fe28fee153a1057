#!/usr/bin/env python3
"""Judges the subscriptions of stores by their files alone.

    subscriptions.py --root ROOT.pem FOLDER...

Each FOLDER is that of a store which does not run, with default.sqlite, and has beside it in audit/
the catalogue (catalogue.storekit), an answer of verifyReceipt for each account, asked for last
(answers/ACCOUNT.json), and told.txt: what the store agreed to, in order, a line each:

    bought ACCOUNT TRANSACTION PRODUCT      a buyer was told of this transaction
    extended TRANSACTION DAYS               its period ends so much later
    cut TRANSACTION MOMENT                  it ends then, and not when it was to end
    ended ORIGINAL MOMENT                   its owner ended the subscription
    raised ORIGINAL MILLIUNITS needed|not   a higher price was told, and needs consent or not
    price PRODUCT MILLIUNITS MOMENT         what buyers pay from then on
    topped-up ACCOUNT MILLIUNITS            its person paid in so much
    sold|unsold PRODUCT MOMENT              whether it is for sale from then on
    family …                                what became of a family: see families.py
    refund TRANSACTION STATE                what became of a request for its money
    provider                                a payment provider was asked for what credit lacked

After the last, audit/book.json is the book that the provider kept, with nothing on its way.

Written apart from the product: its own calendar, tables, prices and reading of receipts. Prints a
line "CODE: ACCOUNT: sentence" per finding and, when there is none, what it looked at. Ends with 0
without findings, with 1 with some, with 2 when it cannot judge.
"""

import argparse
import collections
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
from copies import copy_findings
from families import Families
from files import open_copy, read_prices, read_shareable
from money import money_findings
from periods import DAY, read_plans
from provider import Comparison, read_book
from refund_requests import request_findings
from restores import restore_findings
from single_purchases import single_findings
from subscription_life import Life
from subscription_money import Prices, refund_findings
from subscription_receipts import answer_findings
from subscription_rows import period_findings, row_findings


class World:
    """A store's files, and what was told beside them."""

    def __init__(self, folder: pathlib.Path, root: pathlib.Path, scratch: pathlib.Path):
        self.folder, self.root, self.scratch = folder, root, scratch
        self.database = open_copy(folder / "default.sqlite", scratch / f"{folder.name}.sqlite")
        catalogue = folder / "audit/catalogue.storekit"
        self.plans = read_plans(catalogue)
        self.shareable = read_shareable(catalogue)
        text = (folder / "audit/told.txt").read_text()
        self.told = [line.split(" ") for line in text.split("\n") if line]
        self.prices = Prices(self.plans, read_prices(catalogue), self.told)
        self.extended: dict[int, int] = collections.defaultdict(int)
        self.cuts: dict[int, int] = {}
        self.topped_up: dict[str, int] = collections.defaultdict(int)
        self.ended: set[tuple[int, int]] = set()
        self.raises: dict[int, list] = collections.defaultdict(list)
        for words in self.told:
            if words[0] == "extended":
                self.extended[int(words[1])] += int(words[2])
            elif words[0] == "topped-up":
                self.topped_up[words[1]] += int(words[2])
            elif words[0] == "cut":
                self.cuts[int(words[1])] = int(words[2])
            elif words[0] == "ended":
                self.ended.add((int(words[1]), int(words[2])))
            elif words[0] == "raised":
                self.raises[int(words[1])].append((int(words[2]), words[3] == "needed"))
        (self.pace,) = self.rows("SELECT pace FROM environment WHERE kind = 'sandbox'")[0]
        (self.grace_days,) = self.rows("SELECT grace_days FROM app")[0]
        (self.now,) = self.rows("SELECT held_ms FROM clock WHERE mode = 'held'")[0]
        self.revocations = {
            row["transaction_id"]: row for row in self.rows("SELECT * FROM revocation")}
        self.revoked = {number: row["at_ms"] for number, row in self.revocations.items()}
        # When each was taken back first, and what was given again; of the latter nothing is left.
        self.taken_at: dict[int, int] = {}
        self.given_again: set[int] = set()
        for row in self.rows("SELECT * FROM event ORDER BY number"):
            if row["kind"] == "revoked":
                self.taken_at.setdefault(row["transaction_id"], row["at_ms"])
            elif row["kind"] == "refundReversed":
                self.given_again.add(row["transaction_id"])
        self.names = {
            row["id"]: row["name"] for row in self.rows("SELECT id, name FROM account")}
        self.subscriptions = {
            row["original_id"]: row for row in self.rows("SELECT * FROM subscription")}
        self.attempts = {
            (row["device_id"], row["attempt_id"]): row["transaction_id"]
            for row in self.rows("SELECT * FROM attempt WHERE state = 'done'")}

    def rows(self, sql: str) -> list[sqlite3.Row]:
        return self.database.execute(sql).fetchall()

    def is_moved(self, number: int) -> bool:
        return number in self.extended or number in self.cuts

    def end_after_moves(self, number: int, end: int) -> int:
        return self.cuts.get(number, end + self.extended.get(number, 0) * DAY)


class Auditor:
    def __init__(self, world: World):
        self.world = world
        self.findings: list[str] = []
        self.names = world.names
        self.sold = world.rows(
            "SELECT * FROM store_transaction WHERE restore_id IS NULL AND shared_id IS NULL "
            "ORDER BY id")
        self.periods = [row for row in self.sold if row["kind"] == "autoRenewable"]
        self.copies = world.rows(
            "SELECT * FROM store_transaction WHERE restore_id IS NULL AND shared_id IS NOT NULL "
            "ORDER BY id")
        self.numbers = {row["id"] for row in self.sold + self.copies}
        self.looked_at = 0
        self.payments = 0

    def finder(self, account: int | None):
        if account is None:
            return lambda code, sentence: self.findings.append(f"{code}: {sentence}")
        name = self.names.get(account, f"account {account}")
        return lambda code, sentence: self.findings.append(f"{code}: {name}: {sentence}")

    def run(self) -> None:
        self.check_database()
        by_account = collections.defaultdict(list)
        singles = collections.defaultdict(list)
        shown = collections.defaultdict(list)
        for row in self.sold:
            of = by_account if row["kind"] == "autoRenewable" else singles
            of[row["account_id"]].append(row)
        for row in sorted(self.sold + self.copies, key=lambda row: row["id"]):
            # What is used up goes when it is finished, or taken back.
            if row["kind"] != "consumable" or (
                    row["finished_ms"] is None and row["id"] not in self.world.revoked):
                shown[row["account_id"]].append(row)
        rows = collections.defaultdict(list)
        for row in self.world.rows("SELECT * FROM subscription ORDER BY original_id"):
            rows[row["account_id"]].append(row)
        events = collections.defaultdict(list)
        for row in self.world.rows("SELECT * FROM event ORDER BY number"):
            events[row["account_id"]].append(row)
        consents = collections.defaultdict(list)
        for row in self.world.rows("SELECT * FROM price_consent ORDER BY number"):
            consents[row["account_id"]].append(row)
        refunds = collections.defaultdict(list)
        for row in self.world.rows(
                "SELECT refund.*, account_id FROM refund "
                "JOIN store_transaction ON id = transaction_id"):
            refunds[row["account_id"]].append(row)
        unpaid = {
            row["transaction_id"]: row["captured_milliunits"]
            for row in self.world.rows(
                "SELECT * FROM payment WHERE state = 'failed' AND transaction_id IS NOT NULL")}
        for account in sorted(by_account.keys() | rows.keys() | singles.keys() | shown.keys()):
            find = self.finder(account)
            self.check_account(
                by_account[account], rows[account], events[account], consents[account], find)
            single_findings(singles[account], events[account], self.world.prices, find)
            refund_findings(by_account[account], refunds[account], unpaid, find)
            path = self.world.folder / f"audit/answers/{self.names.get(account)}.json"
            if path.exists():
                answer_findings(path, shown[account], rows[account], self.world, find)
            elif shown[account]:
                find("receipt-unreadable", "it has no answer of verifyReceipt")
        self.check_told()
        world = self.world
        self.findings += copy_findings(world.database, world.shareable, world.now)
        Families(world, world.shareable, self.finder).walk()
        self.findings += request_findings(
            world.database, world.told, set(world.extended) | set(world.cuts))
        self.findings += money_findings(world.database, dict(world.topped_up))
        if ["provider"] in world.told:
            self.check_provider()

    def check_provider(self) -> None:
        """The store agrees with its payment provider about every payment of every buyer."""
        database = self.world.database
        # The names of payments and refunds are UUIDs, in letters of either size.
        payments = {
            row["id"].lower(): row["account_id"]
            for row in self.world.rows("SELECT * FROM payment")}
        owners = payments | {
            row["id"].lower(): payments.get(row["payment_id"].lower())
            for row in self.world.rows("SELECT * FROM payment_refund")}
        comparison = Comparison(
            database, read_book(self.world.folder / "audit/book.json"), is_settled=True)
        for finding in comparison.run():
            code, _, sentence = finding.partition(": ")
            words = re.split("[^0-9a-f-]", sentence.lower())
            owner = next((owners[word] for word in words if word in owners), None)
            self.finder(owner)(code, sentence)
        self.payments = len(payments)

    def check_database(self) -> None:
        for row in self.world.rows("PRAGMA integrity_check"):
            if row[0] != "ok":
                self.findings.append(f"database-damaged: {row[0]}")
        for row in self.world.rows("PRAGMA foreign_key_check"):
            self.findings.append(f"row-without-parent: {row[0]} {row[1]} names a missing {row[2]}")
        events = self.world.rows("SELECT number, at_ms FROM event ORDER BY number")
        if [row["number"] for row in events] != list(range(1, len(events) + 1)):
            self.findings.append("event-gap: the history's numbers have gaps or doubles")
        times = [row["at_ms"] for row in events]
        if times != sorted(times):
            self.findings.append("event-back: the history goes back in time")
        if times and times[-1] > self.world.now:
            self.findings.append("event-back: the clock stands before the newest event")
        given = self.world.rows("SELECT * FROM store_transaction WHERE restore_id IS NOT NULL")
        self.findings += restore_findings(
            self.world.database, given, {row["id"]: row for row in self.sold + self.copies})

    def check_account(self, periods: list, rows: list, events: list, consents: list, find) -> None:
        groups = collections.defaultdict(list)
        for row in periods:
            groups[(row["app_id"], row["subscription_group"])].append(row)
        known = {(row["app_id"], row["subscription_group"]): row for row in rows}
        if len(known) != len(rows):
            find("subscription-twice", "a group has two subscriptions")
        for key in known.keys() - groups.keys():
            find("period-lost", f"the subscription {known[key]['original_id']} has no period")
        for key, sold in groups.items():
            self.looked_at += len(sold)
            if key not in known:
                find("subscription-lost", f"{sold[0]['id']} is of no subscription")
                continue
            if known[key]["original_id"] != sold[0]["id"]:
                find("original-wrong", f"{known[key]['original_id']} did not begin the group")
            period_findings(sold, self.world, find)
            numbers = {row["id"] for row in sold}
            mine = [
                event for event in events
                if event["transaction_id"] in numbers or event["kind"] == "priceConsent"]
            life = Life(self.world, sold, mine, consents, find)
            life.walk()
            row_findings(known[key], life, self.world, find)
        for event in events:
            if event["kind"] in ("purchased", "renewed", "shared") and (
                    event["transaction_id"] not in self.numbers):
                find("period-lost", f"{event['transaction_id']} was {event['kind']} and is missing")

    def check_told(self) -> None:
        sold = {row["id"]: row for row in self.sold}
        for words in self.world.told:
            if words[0] != "bought":
                continue
            row = sold.get(int(words[2]))
            if (row is None or self.names[row["account_id"]] != words[1]
                    or row["product_id"] != words[3]):
                self.findings.append(f"told-lost: {words[1]}: was told of {words[2]}, not sold")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--root", type=pathlib.Path, required=True)
    options = parser.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="bodega-audit-"))
    findings, accounts, periods, shared, asked, paid = [], 0, 0, 0, 0, 0
    try:
        for folder in options.folders:
            auditor = Auditor(World(folder, options.root, scratch))
            auditor.run()
            findings += auditor.findings
            accounts += len(auditor.names)
            periods += auditor.looked_at
            shared += len(auditor.copies)
            asked += len(auditor.world.rows("SELECT 1 FROM refund_request"))
            paid += auditor.payments
    except (LookupError, OSError, ValueError, AttributeError, sqlite3.Error) as error:
        print(f"cannot judge {folder}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if findings:
        print("\n".join(findings))
        return 1
    print(
        f"{periods} periods of {accounts} accounts in {len(options.folders)} worlds are sound; "
        f"{shared} shared transactions, {asked} requests for money, {paid} asked of a provider")
    return 0


if __name__ == "__main__":
    sys.exit(main())
