#!/usr/bin/env python3
"""Has Tests/Auditor/provider.py look at a store and a book that agree, and at each kind of damage.

The book is that of a provider which was really asked; the store's tables have only those columns
that the comparison reads.
"""

import contextlib
import io
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).parents[1] / "Auditor"))
import provider
from provider_process import ProviderProcess, authorization, capture, refund

COMPARISON = pathlib.Path(provider.__file__)

STORE = """
CREATE TABLE payment (id TEXT, environment TEXT, account_id BIGINT, product_id TEXT,
    milliunits BIGINT, currency TEXT, state TEXT, captured_milliunits BIGINT,
    transaction_id BIGINT);
CREATE TABLE payment_refund (id TEXT, payment_id TEXT, milliunits BIGINT, currency TEXT,
    state TEXT);
CREATE TABLE store_transaction (id BIGINT, environment TEXT, account_id BIGINT);
CREATE TABLE ledger_entry (number BIGINT, kind TEXT, reference TEXT, transaction_id BIGINT);
CREATE TABLE ledger_posting (entry_number BIGINT, account_kind TEXT, account_id BIGINT,
    milliunits BIGINT, currency TEXT);
"""


def name(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


# Names by what becomes of them; each is of 4,990.
DECLINED, CAPTURED, VOIDED, FAILED, ASKED, SELLING, RELEASING = (name(n) for n in range(1, 8))
UNHEARD, SELLING_LATE = name(8), name(9)
REFUNDED, RETURNED, REFUNDING, NEVER_TAKEN = name(21), name(22), name(23), name(24)


def enter(
        store: sqlite3.Connection, kind: str, reference: str, other: str, milliunits: int) -> None:
    """An entry by which a customer gets so much from another account."""
    number = store.execute("SELECT count(*) FROM ledger_entry").fetchone()[0] + 1
    sale = int(reference.split("/")[1]) if kind == "charge" else None
    store.execute("INSERT INTO ledger_entry VALUES (?, ?, ?, ?)", (number, kind, reference, sale))
    store.executemany(
        "INSERT INTO ledger_posting VALUES (?, ?, ?, ?, 'USD')",
        [(number, "customer", 17, milliunits), (number, other, 0, -milliunits)])


def store_payment(
        store: sqlite3.Connection, payment: str, state: str, captured: int | None = None,
        sale: int | None = None) -> None:
    store.execute(
        "INSERT INTO payment VALUES "
        "(?, 'production', 17, 'com.example.rocketcar.fuel', 4990, 'USD', ?, ?, ?)",
        (payment, state, captured, sale))
    if sale is not None:
        store.execute("INSERT INTO store_transaction VALUES (?, 'production', 17)", (sale,))
        enter(store, "payment", f"payment/{payment}", "provider", 4000)
        enter(store, "charge", f"charge/{sale}", "developer", -4990)


def store_refund(
        store: sqlite3.Connection, refund_id: str, milliunits: int, state: str,
        payment: str = CAPTURED) -> None:
    store.execute(
        "INSERT INTO payment_refund VALUES (?, ?, ?, 'USD', ?)",
        (refund_id, payment, milliunits, state))
    enter(store, "payout", f"payout/{refund_id}", "provider", -milliunits)
    if state == "failed" and payment == CAPTURED:
        enter(store, "payment", f"returned/{refund_id}", "provider", milliunits)


def write_store(path: pathlib.Path, is_settled: bool) -> None:
    with sqlite3.connect(path) as store:
        store.executescript(STORE)
        store_payment(store, DECLINED, "declined")
        store_payment(store, CAPTURED, "captured", 4000, 101)
        store_payment(store, VOIDED, "voided")
        store_payment(store, FAILED, "failed", 4000, 102)
        store_refund(store, REFUNDED, 1000, "refunded")
        store_refund(store, RETURNED, 500, "failed")
        store_refund(store, NEVER_TAKEN, 4000, "failed", FAILED)
        if not is_settled:
            store_payment(store, ASKED, "authorizing")
            store_payment(store, UNHEARD, "authorizing")
            store_payment(store, SELLING, "capturing", 4000, 103)
            store_payment(store, SELLING_LATE, "capturing", 4000, 104)
            store_payment(store, RELEASING, "voiding")
            store_refund(store, REFUNDING, 200, "refunding")
    store.close()


def write_book(asked: ProviderProcess, is_settled: bool) -> None:
    def ask(address: str, body: dict) -> str:
        key = f"{body.get('refundId', body['paymentId'])}{address}"
        return asked.outcome(address, body, key)

    asked.set_faults({"fault": "decline", "address": "/authorizations", "next": 1})
    for payment in [DECLINED, CAPTURED, VOIDED, FAILED]:
        ask("/authorizations", authorization(payment))
    asked.set_faults({"fault": "decline", "address": "/captures", "next": 1})
    ask("/captures", capture(FAILED, 4000))
    ask("/captures", capture(CAPTURED, 4000))
    ask("/voids", {"paymentId": VOIDED})
    ask("/refunds", refund(CAPTURED, REFUNDED, 1000))
    asked.set_faults({"fault": "decline", "address": "/refunds", "next": 1})
    ask("/refunds", refund(CAPTURED, RETURNED, 500))
    if not is_settled:
        for payment in [ASKED, SELLING, SELLING_LATE]:
            ask("/authorizations", authorization(payment))
        # Answered, and the store was killed before it wrote that down.
        ask("/captures", capture(SELLING_LATE, 4000))
        ask("/voids", {"paymentId": RELEASING})
        ask("/refunds", refund(CAPTURED, REFUNDING, 200))


def of(payment: str, assignment: str) -> str:
    return f"UPDATE payment SET {assignment} WHERE id = '{payment}'"


def without(reference: str) -> str:
    return (
        "DELETE FROM ledger_posting WHERE entry_number = "
        f"(SELECT number FROM ledger_entry WHERE reference = '{reference}')")


def posted(reference: str, milliunits: int) -> str:
    return (
        f"UPDATE ledger_posting SET milliunits = {milliunits} WHERE account_kind = 'provider' AND "
        f"entry_number = (SELECT number FROM ledger_entry WHERE reference = '{reference}')")


# What must be found, which file is damaged, and how.
DAMAGES = [
    ("payment-wrong", "store", of(CAPTURED, "environment = 'sandbox'")),
    ("payment-wrong", "store", of(CAPTURED, "milliunits = 5000")),
    ("payment-wrong", "store", of(DECLINED, "currency = 'EUR'")),
    ("payment-wrong", "store", of(DECLINED, "account_id = 18")),
    ("payment-wrong", "store", of(DECLINED, "state = 'lost'")),
    ("payment-wrong", "book", of(VOIDED, "product_id = 'another'")),
    ("ledger-wrong", "store", without(f"payment/{CAPTURED}")),
    ("ledger-wrong", "store", posted(f"payment/{CAPTURED}", -5000)),
    ("ledger-wrong", "store", "UPDATE ledger_entry SET reference = 'payment/x' WHERE number = 1"),
    ("ledger-wrong", "store", "UPDATE ledger_entry SET kind = 'topUp' WHERE number = 1"),
    ("ledger-wrong", "store", "UPDATE ledger_posting SET milliunits = -3000 WHERE entry_number = 2 "
     "AND account_kind = 'customer'"),
    ("captured-wrong", "store", posted(f"payment/{CAPTURED}", -3999)),
    ("captured-wrong", "store", of(CAPTURED, "captured_milliunits = 3999")),
    ("captured-wrong", "book", of(CAPTURED, "captured = 3999")),
    ("captured-wrong", "book", of(CAPTURED, "captured = NULL")),
    ("captured-unsold", "store", of(CAPTURED, "state = 'failed'")),
    ("captured-unsold", "book", of(VOIDED, "captured = 1, is_voided = 0")),
    ("captured-too-much", "book", of(CAPTURED, "captured = 5000")),
    ("declined-wrong", "store", of(VOIDED, "state = 'declined'")),
    ("declined-wrong", "store", of(FAILED, "state = 'declined'")),
    ("sold-unpaid", "store", of(FAILED, "state = 'capturing', id = '" + DECLINED + "'")),
    ("voided-wrong", "book", of(VOIDED, "is_voided = 0")),
    ("failed-wrong", "store", of(VOIDED, "state = 'failed'")),
    ("refund-wrong", "store", f"UPDATE payment_refund SET payment_id = '{VOIDED}'"),
    ("refund-wrong", "store", "UPDATE payment_refund SET milliunits = milliunits - 1"),
    ("refund-wrong", "store", without(f"payout/{REFUNDED}")),
    ("refund-wrong", "book", "UPDATE refund SET milliunits = 999"),
    ("refund-wrong", "store",
     f"UPDATE payment_refund SET state = 'refunding' WHERE id = '{NEVER_TAKEN}'"),
    ("returned-wrong", "store", f"UPDATE payment_refund SET payment_id = '{FAILED}'"),
    ("returned-wrong", "store", without(f"returned/{RETURNED}")),
    ("returned-wrong", "store", "UPDATE payment_refund SET state = 'failed'"),
    ("returned-wrong", "store", "UPDATE payment_refund SET state = 'refunded'"),
    ("refund-lost", "book", "DELETE FROM refund"),
    ("refund-twice", "store", "UPDATE payment_refund SET state = 'failed'"),
    ("refund-unknown", "store", "DELETE FROM payment_refund"),
    ("refunded-too-much", "book", "UPDATE refund SET milliunits = 4001"),
    ("paid-twice", "store", of(FAILED, "transaction_id = 101")),
    ("sale-lost", "store", "DELETE FROM store_transaction WHERE id = 101"),
    ("sale-lost", "store", "UPDATE store_transaction SET account_id = 18"),
    ("charge-lost", "store",
     "UPDATE ledger_entry SET kind = 'refund' WHERE reference = 'charge/101'"),
    ("misuse", "book", "INSERT INTO misuse VALUES (1, 0, 400, '/voids', 'paymentId is missing')"),
    ("payment-unknown", "store", f"DELETE FROM payment WHERE id = '{VOIDED}'"),
    ("asked-twice", "book", "INSERT INTO request SELECT 'other', address, payment_id, body_sha256, "
     "outcome, reference, reason, 1, 0, 0 FROM request WHERE address = '/captures' LIMIT 1"),
    ("sums-differ", "store", posted(f"payout/{REFUNDED}", 900)),
    ("held", "book", of(VOIDED, "is_voided = 0")),
]


class Comparisons(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = tempfile.TemporaryDirectory(prefix="bodega-comparison-")
        cls.addClassCleanup(cls.scratch.cleanup)
        for folder in ["settled", "under-way"]:
            path = pathlib.Path(cls.scratch.name, folder)
            path.mkdir()
            asked = ProviderProcess(str(path))
            asked.start()
            write_book(asked, folder == "settled")
            asked.close()
            write_store(path / "store.sqlite", folder == "settled")

    def findings(self, folder: pathlib.Path, *options: str) -> list[str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = provider.main(
                [f"{folder}/store.sqlite", f"{folder}/book.sqlite", *options])
        lines = out.getvalue().splitlines()
        if code == 0:
            self.assertTrue(lines[0].startswith("no findings: "), lines)
            return []
        self.assertEqual(code, 1, lines)
        return lines

    def test_a_store_and_a_book_that_agree_have_no_findings(self):
        settled, under_way = (
            pathlib.Path(self.scratch.name, name) for name in ["settled", "under-way"])
        self.assertEqual(self.findings(settled, "--settled"), [])
        self.assertEqual(self.findings(settled), [])
        self.assertEqual(self.findings(under_way), [])
        found = self.findings(under_way, "--settled")
        self.assertEqual(
            sorted({line.split(":")[0] for line in found}), ["held", "on-its-way", "sums-differ"])
        self.assertEqual(sum(line.startswith("on-its-way") for line in found), 6)

    def test_each_damage_is_found(self):
        for number, (code, file, statement) in enumerate(DAMAGES):
            with self.subTest(code=code, statement=statement):
                copy = pathlib.Path(self.scratch.name, f"damaged{number}")
                shutil.copytree(pathlib.Path(self.scratch.name, "settled"), copy)
                with sqlite3.connect(copy / f"{file}.sqlite") as database:
                    database.execute("PRAGMA ignore_check_constraints = ON")
                    changed = database.execute(statement).rowcount
                database.close()
                self.assertGreater(changed, 0, "the damage changed nothing")
                found = self.findings(copy, "--settled")
                self.assertIn(code, [line.split(":")[0] for line in found])

    def test_what_cannot_be_judged_is_no_finding_and_not_none(self):
        ended = subprocess.run(
            [sys.executable, COMPARISON, "/nowhere/store.sqlite", "/nowhere/book.sqlite"],
            capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("cannot audit: there is no /nowhere/store.sqlite", ended.stdout)


if __name__ == "__main__":
    unittest.main()
