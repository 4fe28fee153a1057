#!/usr/bin/env python3
"""Judges a world's ledger, and whether what was sold, given back and is left agrees with it.

    money.py STORE.sqlite

STORE.sqlite is a world that no store has open. Prints a line "CODE: sentence" per finding and, when
there is none, what it looked at. Ends with 0 without findings, with 1 with some.
"""

import collections
import pathlib
import shutil
import sys
import tempfile

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
from files import open_copy

# Where what a customer gets comes from, and where what one loses goes to.
GIVES = {
    "topUp": "funding", "giftCode": "giftCodes", "refund": "developer", "payment": "provider"}
TAKES = {"charge": "developer", "payout": "provider"}


def money_findings(database, topped_up: dict[str, int] | None = None) -> list[str]:
    """`topped_up` is what accounts were told that they paid in, by their names, in thousandths."""
    return Money(database, topped_up).run()


class Money:
    def __init__(self, database, topped_up: dict[str, int] | None):
        self.rows = lambda sql: database.execute(sql).fetchall()
        self.topped_up = topped_up
        self.findings: list[str] = []
        self.accounts = {row["id"]: row for row in self.rows("SELECT * FROM account")}
        self.sold = {row["id"]: row for row in self.rows("SELECT * FROM store_transaction")}
        self.entries = self.rows("SELECT * FROM ledger_entry ORDER BY number")
        self.postings = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM ledger_posting ORDER BY entry_number"):
            self.postings[row["entry_number"]].append(row)
        self.revoked = {row["transaction_id"] for row in self.rows("SELECT * FROM revocation")}
        # What went back of a purchase whose money was asked for.
        self.granted = {
            row["transaction_id"]: row["grant_milliunits"]
            for row in self.rows(
                "SELECT revocation.transaction_id, grant_milliunits FROM revocation "
                "JOIN refund_request ON refund_request.transaction_id = revocation.transaction_id "
                "AND refund_request.transaction_id = refund_id "
                "WHERE grant_milliunits IS NOT NULL")}
        # What was sold and its payment provider did not pay in the end.
        self.unpaid = {
            row["transaction_id"]
            for row in self.rows("SELECT transaction_id FROM payment WHERE state = 'failed'")}
        self.upgrades = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM refund"):
            self.upgrades[row["transaction_id"]].append(row)
        # Of each transaction: (account, thousandths, currency), as its customer lost and got.
        self.charges: dict[int, list] = collections.defaultdict(list)
        self.refunds: dict[int, list] = collections.defaultdict(list)

    def find(self, code: str, sentence: str) -> None:
        self.findings.append(f"{code}: {sentence}")

    def run(self) -> list[str]:
        self.check_entries()
        self.check_balances()
        for number, row in self.sold.items():
            self.check_charge(number, row)
            self.check_refunds(number, row)
        for number in (self.charges.keys() | self.refunds.keys()) - self.sold.keys():
            self.find("charge-unsold", f"{number} is in the ledger and was not sold")
        self.check_gift_codes()
        return self.findings

    def check_entries(self) -> None:
        if [row["number"] for row in self.entries] != list(range(1, len(self.entries) + 1)):
            self.find("entry-lost", "the entries' numbers have gaps or doubles")
        for number in self.postings.keys() - {row["number"] for row in self.entries}:
            self.find("entry-lost", f"entry {number} has amounts and is not there")
        references = collections.Counter(row["reference"] for row in self.entries)
        for reference, count in references.items():
            if count > 1:
                self.find("entry-twice", f"{count} entries are of {reference}")
        for entry in self.entries:
            self.check_entry(entry, self.postings[entry["number"]])

    def check_entry(self, entry, postings: list) -> None:
        number, kind = entry["number"], entry["kind"]
        customers = [row for row in postings if row["account_kind"] == "customer"]
        others = [row for row in postings if row["account_kind"] != "customer"]
        if len(customers) != 1 or len(others) != 1:
            self.find("entry-wrong", f"entry {number} moves money between {len(postings)}")
            return
        mine, other = customers[0], others[0]
        if (mine["milliunits"] + other["milliunits"] != 0
                or mine["currency"] != other["currency"] or mine["milliunits"] == 0):
            self.find("entry-unbalanced", f"entry {number} does not come to 0")
        account = self.accounts.get(mine["account_id"])
        if account is None or account["environment"] != entry["environment"]:
            self.find("entry-wrong", f"entry {number} is of nobody in its environment")
        direction = (GIVES | TAKES).get(kind, "funding")
        is_gain = mine["milliunits"] > 0
        if other["account_kind"] != direction or (
                kind != "correction" and is_gain != (kind in GIVES)):
            self.find("entry-wrong", f"entry {number} is no {kind}")
        part = (mine["account_id"], mine["milliunits"], mine["currency"])
        if kind == "charge" and entry["reference"].startswith("reversal/"):
            # A refund that was reversed takes back what it gave.
            self.refunds[entry["transaction_id"]].append(part)
        elif kind == "charge":
            self.charges[entry["transaction_id"]].append(part)
        elif kind == "refund":
            self.refunds[entry["transaction_id"]].append(part)
        elif entry["transaction_id"] is not None:
            self.find("entry-wrong", f"entry {number} is of a purchase and no charge or refund")

    def check_balances(self) -> None:
        """What accounts have is what they got and lost, and never was below nothing."""
        sums: dict[tuple, int] = collections.defaultdict(int)
        paid_in: dict[str, int] = collections.defaultdict(int)
        for entry in self.entries:
            for row in self.postings[entry["number"]]:
                if row["account_kind"] != "customer":
                    continue
                key = (row["account_id"], row["currency"])
                sums[key] += row["milliunits"]
                if sums[key] < 0:
                    self.find("overdrawn", f"account {key[0]} had {sums[key]} {key[1]}")
                if entry["kind"] == "topUp" and row["account_id"] in self.accounts:
                    paid_in[self.accounts[row["account_id"]]["name"]] += row["milliunits"]
        kept = {
            (row["account_id"], row["currency"]): row["milliunits"]
            for row in self.rows("SELECT * FROM credit_balance")}
        for key in sums.keys() | kept.keys():
            if sums.get(key, 0) != kept.get(key, 0):
                self.find(
                    "balance-wrong",
                    f"account {key[0]} has {kept.get(key)} {key[1]}, not {sums.get(key)}")
        if self.topped_up is not None and dict(paid_in) != self.topped_up:
            odd = sorted(set(paid_in.items()) ^ set(self.topped_up.items()))
            self.find("topped-up-wrong", f"what was paid in and what is entered differ: {odd[:4]}")

    def check_charge(self, number: int, row) -> None:
        due = []
        if row["environment"] == "production" and row["charged_milliunits"] != 0:
            due = [(row["account_id"], -row["charged_milliunits"], row["currency"])]
        if self.charges.get(number, []) == due:
            return
        count = len(self.charges.get(number, []))
        code = "charged-twice" if count > 1 else "charge-lost" if count == 0 else "charge-wrong"
        self.find(code, f"{number} is charged {self.charges.get(number)}, not {due}")

    def check_refunds(self, number: int, row) -> None:
        charged = -sum(amount for _, amount, _ in self.charges.get(number, []))
        given = sum(amount for _, amount, _ in self.refunds.get(number, []))
        for account, _, currency in self.refunds.get(number, []):
            if (account, currency) != (row["account_id"], row["currency"]):
                self.find("refund-wrong", f"{number} was given back to another")
        if charged == 0 and given == 0:
            return
        upgraded = {
            sum(refund["milliunits"] for refund in self.upgrades.get(number, []))}
        if number in self.unpaid:
            # It gives nothing to an upgrade once that is known.
            upgraded.add(0)
        due = upgraded
        if number in self.revoked:
            granted = self.granted.get(number, charged)
            due = {min(charged, back + granted) for back in upgraded}
        if given not in due:
            self.find("refund-wrong", f"{given} of {number} was given back, not {sorted(due)}")

    def check_gift_codes(self) -> None:
        entered = {
            row["reference"]: row["number"] for row in self.entries if row["kind"] == "giftCode"}
        for row in self.rows("SELECT * FROM gift_code WHERE redeemed_account_id IS NOT NULL"):
            number = entered.pop(f"giftCode/{row['number']}", None)
            mine = {
                (posting["account_id"], posting["milliunits"], posting["currency"])
                for posting in self.postings[number] if posting["account_kind"] == "customer"}
            if mine != {(row["redeemed_account_id"], row["milliunits"], row["currency"])}:
                self.find("gift-wrong", f"gift code {row['number']} was entered as {mine}")
        for reference in entered:
            self.find("gift-wrong", f"{reference} was entered and nobody redeemed it")


def main(words: list[str]) -> int:
    if len(words) != 1:
        print("cannot audit: name the store's database")
        return 2
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="bodega-money-audit-"))
    try:
        money = Money(open_copy(pathlib.Path(words[0]), scratch / "store.sqlite"), None)
        findings = money.run()
    finally:
        shutil.rmtree(scratch)
    for finding in findings:
        print(finding)
    if not findings:
        print(f"{len(money.entries)} entries of {len(money.sold)} transactions are right")
    return 1 if findings else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception as error:  # A fault of the auditor must not look like a finding, or like none.
        print(f"cannot audit: {type(error).__name__}: {error}")
        sys.exit(2)
