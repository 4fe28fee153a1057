#!/usr/bin/env python3
"""Judges whether a store and its payment provider agree on every payment.

    provider.py STORE.sqlite BOOK.sqlite [--settled]

STORE.sqlite is the default world of a store, BOOK.sqlite the book that
Tests/Provider/payment_provider.py keeps, or BOOK.json what its /-/book tells; neither program may
run. Requests may be on their way, and whatever becomes of them is right; with --settled, nothing may
be on its way.

Of each payment: is its state that of the book; was it captured once, for what the ledger took of
the provider; is its transaction there and charged; does each refund stand in book and ledger alike.
And of all: does the book know no payment that the store does not, did the store never ask for
anything that the interface does not allow. Prints a line "CODE: sentence" per finding and, when
there is none, what it looked at. Ends with 0 without findings, with 1 with some, with 2 when it
cannot judge.
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

# The store's own names stand here and nowhere else in this file.
STORE = {
    "payments": """
        SELECT id, environment, account_id AS account, product_id AS product,
            milliunits AS asked, currency, state, captured_milliunits AS captured,
            transaction_id AS sale FROM payment""",
    "refunds": """
        SELECT id, payment_id AS payment, milliunits, currency, state FROM payment_refund""",
    "sales": """
        SELECT id, environment, account_id AS account FROM store_transaction""",
    "charges": """
        SELECT transaction_id AS sale, -milliunits AS milliunits, currency, reference
        FROM ledger_entry JOIN ledger_posting ON entry_number = number
        WHERE kind = 'charge' AND account_kind = 'customer'""",
    # Whatever it is of: what was taken from the provider counts as above 0.
    "provider": """
        SELECT number, kind, reference, -milliunits AS milliunits, currency
        FROM ledger_entry JOIN ledger_posting ON entry_number = number
        WHERE account_kind = 'provider'""",
}
BOOK = {
    "payments": "SELECT * FROM payment",
    "refunds": "SELECT * FROM refund",
    "requests": "SELECT * FROM request",
    "misuses": "SELECT * FROM misuse",
}
# What of it is read; a field that is missing is NULL.
COLUMNS = {
    "payment": (
        "id", "asked", "currency", "customer_id", "product_id", "authorized", "captured",
        "is_voided"),
    "refund": ("id", "payment_id", "milliunits"),
    "request": ("key", "address", "payment_id", "outcome", "times"),
    "misuse": ("status", "address", "sentence"),
}
ON_ITS_WAY = {"authorizing", "capturing", "voiding", "refunding"}
# States of a payment whose sale is committed; failed may be one, too.
SOLD = {"capturing", "captured"}


def read_book(path: pathlib.Path) -> sqlite3.Connection:
    """The book of a provider that wrote it down as JSON, as a database in memory."""
    tables = json.loads(path.read_bytes())
    book = sqlite3.connect(":memory:")
    book.row_factory = sqlite3.Row
    for table, columns in COLUMNS.items():
        book.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        book.executemany(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})",
            [[row.get(column) for column in columns] for row in tables[table]])
    return book


class Comparison:
    def __init__(self, store: sqlite3.Connection, book: sqlite3.Connection, is_settled: bool):
        self.is_settled = is_settled
        self.findings: list[str] = []

        def rows(database: sqlite3.Connection, sql: str) -> list[dict]:
            return [dict(row) for row in database.execute(sql)]

        self.store = {name: rows(store, sql) for name, sql in STORE.items()}
        self.book = {name: rows(book, sql) for name, sql in BOOK.items()}
        # The names of payments and refunds are UUIDs, in letters of either size.
        self.payments = {row["id"].lower(): row for row in self.store["payments"]}
        self.refunds = {row["id"].lower(): row for row in self.store["refunds"]}
        self.known = {row["id"].lower(): row for row in self.book["payments"]}
        self.given = {row["id"].lower(): row for row in self.book["refunds"]}
        self.outcomes = collections.defaultdict(list)
        for row in self.book["requests"]:
            key = (row["payment_id"].lower(), row["address"])
            self.outcomes[key].append(row["outcome"])
        # What the ledger took of the provider, by what for: payment/ID, payout/ID, returned/ID.
        self.entered = {}
        for row in self.store["provider"]:
            self.entered[row["reference"].lower()] = row

    def find(self, code: str, sentence: str) -> None:
        self.findings.append(f"{code}: {sentence}")

    def run(self) -> list[str]:
        for name in sorted(self.payments):
            self.check_payment(name, self.payments[name])
        for name in sorted(self.refunds):
            self.check_refund(name, self.refunds[name])
        self.check_sales()
        self.check_ledger()
        self.check_book()
        if self.is_settled:
            self.check_settled()
        return self.findings

    # What the store knows

    def check_payment(self, name: str, row: dict) -> None:
        book = self.known.get(name)
        entry = self.entered.get(f"payment/{name}")
        captured = book and book["captured"]
        if row["environment"] != "production":
            self.find("payment-wrong", f"{name} is of {row['environment']}")
        if book is not None and book["asked"] is not None:
            due = (row["asked"], row["currency"], str(row["account"]), row["product"])
            told = (book["asked"], book["currency"], book["customer_id"], book["product_id"])
            if due != told:
                self.find("payment-wrong", f"{name} is {due} and the book has {told}")
        if (entry is not None) != (row["state"] in SOLD or row["sale"] is not None):
            self.find("ledger-wrong", f"{name} is {row['state']} and its entry is {entry}")
        if entry is not None and entry["milliunits"] > row["asked"]:
            self.find("ledger-wrong", f"{entry} is more than was asked for {name}")
        if captured is not None and row["state"] not in SOLD:
            self.find("captured-unsold", f"{name} is {row['state']} and {captured} were captured")
        if captured is not None and entry is not None and (
                (captured, book["currency"]) != (entry["milliunits"], entry["currency"])):
            self.find("captured-wrong", f"{captured} of {name} were captured, entered is {entry}")
        answers = self.outcomes[name, "/authorizations"]
        match row["state"]:
            case "authorizing" | "voiding":
                pass
            case "declined":
                if answers != ["declined"]:
                    self.find("declined-wrong", f"{name} is declined and the book says {answers}")
            case "capturing":
                if answers != ["approved"] or book["is_voided"]:
                    self.find("sold-unpaid", f"{name} is sold and the book says {answers}")
            case "captured":
                if captured is None or captured != row["captured"]:
                    self.find(
                        "captured-wrong", f"{name} has {row['captured']}, the book {captured}")
            case "voided":
                if book is None or not book["is_voided"]:
                    self.find("voided-wrong", f"{name} is voided and the book has it as {book}")
            case "failed":
                declined = (
                    self.outcomes[name, "/captures"] + self.outcomes[name, "/voids"])
                if "declined" not in declined:
                    self.find("failed-wrong", f"{name} failed and the book says {declined}")
            case state:
                self.find("payment-wrong", f"{name} is {state}")

    def check_refund(self, name: str, row: dict) -> None:
        payment = self.payments.get(row["payment"].lower())
        # What was never captured goes back to nobody.
        is_lost = payment is not None and payment["state"] == "failed"
        if payment is None or payment["state"] not in SOLD and not (
                is_lost and payment["sale"] is not None and row["state"] == "failed"):
            self.find("refund-wrong", f"{name} is {row['state']} of {payment}")
        book = self.given.get(name)
        amount = (row["milliunits"], row["currency"])
        paid, returned = (
            self.entered.get(f"{word}/{name}") for word in ("payout", "returned"))
        if paid is None or (-paid["milliunits"], paid["currency"]) != amount:
            self.find("refund-wrong", f"{name} is of {amount} and entered as {paid}")
        is_due = row["state"] == "failed" and not is_lost
        if (returned is not None) != is_due or returned is not None and (
                (returned["milliunits"], returned["currency"]) != amount):
            self.find("returned-wrong", f"{name} is {row['state']}, returned is {returned}")
        if book is not None and (
                (book["payment_id"].lower(), book["milliunits"])
                != (row["payment"].lower(), row["milliunits"])):
            self.find("refund-wrong", f"{name} is of {row} and the book has it as {book}")
        if row["state"] == "refunded" and book is None:
            self.find("refund-lost", f"{name} is refunded and the book does not have it")
        if row["state"] == "failed" and book is not None:
            self.find("refund-twice", f"{name} went to credit and was refunded as well")

    def check_sales(self) -> None:
        """Who paid for what: each sale by one payment, and no sale without its charge."""
        sales = {row["id"]: row for row in self.store["sales"]}
        charges = {row["reference"]: row for row in self.store["charges"]}
        counts = collections.Counter(row["sale"] for row in self.payments.values())
        for name, row in self.payments.items():
            if row["sale"] is None:
                continue
            sale, charge = sales.get(row["sale"]), charges.get(f"charge/{row['sale']}")
            entry = self.entered.get(f"payment/{name}")
            if counts[row["sale"]] > 1:
                self.find("paid-twice", f"{name} is not the only payment of {row['sale']}")
            if sale is None or (sale["environment"], sale["account"]) != (
                    row["environment"], row["account"]):
                self.find("sale-lost", f"{name} paid for {row['sale']}, which is {sale}")
            elif charge is None:
                self.find("charge-lost", f"{row['sale']} is paid by {name} and not charged")
            elif entry is not None and (
                    entry["milliunits"] > charge["milliunits"]
                    or entry["currency"] != charge["currency"]):
                self.find("ledger-wrong", f"{name} paid more than {row['sale']} was charged")

    def check_ledger(self) -> None:
        """Nothing else was taken of the provider, or given to it."""
        kinds = {"payment": "payment", "payout": "payout", "returned": "payment"}
        known = {"payment": self.payments, "payout": self.refunds, "returned": self.refunds}
        for reference, row in self.entered.items():
            word, _, name = reference.partition("/")
            if name not in known.get(word, ()) or kinds[word] != row["kind"]:
                self.find("ledger-wrong", f"{row} is of no payment")
        references = [row["reference"] for row in self.store["provider"]]
        if len(references) != len(self.entered):
            self.find("ledger-wrong", "an entry about the provider stands twice")

    # What the book knows

    def check_book(self) -> None:
        for row in self.book["misuses"]:
            self.find("misuse", f"{row['status']} to {row['address']}: {row['sentence']}")
        for name in sorted(self.known.keys() - self.payments.keys()):
            self.find("payment-unknown", f"the store knows nothing of {self.known[name]}")
        for name in sorted(self.given.keys() - self.refunds.keys()):
            self.find("refund-unknown", f"the store knows nothing of {self.given[name]}")
        refunded: dict[str, int] = collections.Counter()
        for row in self.given.values():
            refunded[row["payment_id"].lower()] += row["milliunits"]
        for name, row in self.known.items():
            if (row["captured"] or 0) > (row["authorized"] or 0):
                self.find("captured-too-much", f"{row}")
            if refunded[name] > (row["captured"] or 0):
                self.find("refunded-too-much", f"{refunded[name]} of {row}")
        for (name, address), outcomes in self.outcomes.items():
            # Refunds of a payment may be several, each with its name.
            if address != "/refunds" and len(outcomes) > 1:
                self.find("asked-twice", f"{address} of {name} came with {len(outcomes)} keys")

    def check_settled(self) -> None:
        for table in (self.payments, self.refunds):
            for name, row in table.items():
                if row["state"] in ON_ITS_WAY:
                    self.find("on-its-way", f"{name} is {row['state']}")
        for name, row in self.known.items():
            if row["authorized"] and row["captured"] is None and not row["is_voided"]:
                state = self.payments[name]["state"] if name in self.payments else "unknown"
                if state != "failed":
                    self.find("held", f"{name} is {state} and its money is still held")
        for currency, (mine, theirs) in self.sums().items():
            if mine != theirs:
                self.find("sums-differ", f"the ledger took {mine} {currency}, the book {theirs}")

    def sums(self) -> dict[str, tuple[int, int]]:
        """By currency what the ledger and what the book took, less what was given back.

        What was sold and could not be captured, and what was given back of it, is in the ledger
        alone.
        """
        mine: dict[str, int] = collections.Counter()
        theirs: dict[str, int] = collections.Counter()
        for row in self.store["provider"]:
            mine[row["currency"]] += row["milliunits"]
        for name in self.payments:
            entry = self.entered.get(f"payment/{name}")
            if self.is_failed(name) and entry is not None:
                mine[entry["currency"]] -= entry["milliunits"]
        for name, row in self.refunds.items():
            entry = self.entered.get(f"payout/{name}")
            if entry is not None and self.is_failed(row["payment"].lower()):
                mine[entry["currency"]] -= entry["milliunits"]
        for row in self.known.values():
            if row["captured"] is not None:
                theirs[row["currency"]] += row["captured"]
        for row in self.given.values():
            theirs[self.known[row["payment_id"].lower()]["currency"]] -= row["milliunits"]
        return {
            currency: (mine[currency], theirs[currency])
            for currency in sorted(mine.keys() | theirs.keys())}

    def is_failed(self, payment: str) -> bool:
        return payment in self.payments and self.payments[payment]["state"] == "failed"

    def summary(self) -> str:
        states = collections.Counter(row["state"] for row in self.payments.values())
        states += collections.Counter(f"refund {row['state']}" for row in self.refunds.values())
        parts = [f"{count} {state}" for state, count in sorted(states.items())]
        times = sum(row["times"] for row in self.book["requests"])
        taken = [
            f"{theirs / 1000:.2f} {currency}" for currency, (_, theirs) in self.sums().items()]
        return (
            f"no findings: {len(self.payments)} payments ({', '.join(parts) or 'none'}), "
            f"{' and '.join(taken) or 'nothing'} taken, {len(self.book['requests'])} requests "
            f"came {times} times")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=pathlib.Path)
    parser.add_argument("book", type=pathlib.Path)
    parser.add_argument("--settled", action="store_true")
    options = parser.parse_args(words)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="bodega-provider-audit-"))
    try:
        store = open_copy(options.store, scratch / "store.sqlite")
        is_json = options.book.suffix == ".json"
        book = read_book(options.book) if is_json else open_copy(
            options.book, scratch / "book.sqlite")
        comparison = Comparison(store, book, options.settled)
        findings = comparison.run()
    except (LookupError, OSError, ValueError, sqlite3.Error) as error:
        print(f"cannot audit: {error}")
        return 2
    finally:
        shutil.rmtree(scratch)
    for finding in findings:
        print(finding)
    if not findings:
        print(comparison.summary())
    return 1 if findings else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # A fault of the auditor must not look like a finding, or like none.
        print(f"cannot audit: {type(error).__name__}: {error}")
        sys.exit(2)
