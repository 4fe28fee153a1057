"""What a payment provider knows: payments, refunds, and every request that it ever answered.

All of it is in one SQLite file, and an answer leaves after its commit, so that neither side may be
ended at a moment that loses or doubles anything. Amounts are thousandths of a currency.
"""

import hashlib
import sqlite3
import threading
import time

SCHEMA = """
CREATE TABLE IF NOT EXISTS payment (
    id TEXT PRIMARY KEY,
    -- As it was asked for; NULL when only a void or a capture was ever heard of.
    asked INTEGER, currency TEXT, customer_id TEXT, product_id TEXT, purpose TEXT,
    -- NULL when it was declined, or never asked for.
    authorized INTEGER,
    captured INTEGER CHECK (captured <= authorized),
    is_voided INTEGER NOT NULL DEFAULT 0,
    CHECK (captured IS NULL OR is_voided = 0)
);
CREATE TABLE IF NOT EXISTS refund (
    id TEXT PRIMARY KEY, payment_id TEXT NOT NULL REFERENCES payment (id),
    milliunits INTEGER NOT NULL CHECK (milliunits > 0)
);
CREATE TABLE IF NOT EXISTS request (
    key TEXT PRIMARY KEY, address TEXT NOT NULL, payment_id TEXT NOT NULL,
    body_sha256 TEXT NOT NULL, outcome TEXT NOT NULL, reference TEXT NOT NULL, reason TEXT,
    times INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL
);
-- What no client that keeps to the interface ever sends.
CREATE TABLE IF NOT EXISTS misuse (
    number INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, status INTEGER NOT NULL,
    address TEXT NOT NULL, sentence TEXT NOT NULL
);
"""


class Refused(Exception):
    """A request that is no request of the interface; nothing was done for it."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Book:
    def __init__(self, path: str):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.database.row_factory = sqlite3.Row
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute("PRAGMA foreign_keys = ON")
        self.database.executescript(SCHEMA)

    def answer(self, address: str, key: str, body: bytes, fields: dict, declines) -> dict:
        """Does a request once, and says the same whenever its key comes again.

        `declines` is asked for a reason to say no, or None, when the rules would say yes.
        """
        digest = hashlib.sha256(body).hexdigest()
        now = time.time_ns() // 1_000_000
        with self.lock:
            self.database.execute("BEGIN IMMEDIATE")
            try:
                known = self.row("SELECT * FROM request WHERE key = ?", key)
                if known is None:
                    reason = ACTIONS[address](self, fields, declines)
                    number = self.row("SELECT count(*) FROM request")[0] + 1
                    self.database.execute(
                        "INSERT INTO request VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
                        (key, address, fields["paymentId"], digest,
                         "approved" if reason is None else "declined", f"PP-{number:06}", reason,
                         now, now))
                    known = self.row("SELECT * FROM request WHERE key = ?", key)
                elif (known["address"], known["body_sha256"]) != (address, digest):
                    raise Refused(409, f"the key {key} came before, with another request")
                self.database.execute(
                    "UPDATE request SET times = times + 1, last_ms = ? WHERE key = ?", (now, key))
                self.database.execute("COMMIT")
            except BaseException:
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise
        return {
            name: known[name] for name in ("outcome", "reference", "reason")
            if known[name] is not None}

    def row(self, sql: str, *values):
        return self.database.execute(sql, values).fetchone()

    def note_misuse(self, address: str, refused: Refused) -> None:
        with self.lock:
            self.database.execute(
                "INSERT INTO misuse (at_ms, status, address, sentence) VALUES (?, ?, ?, ?)",
                (time.time_ns() // 1_000_000, refused.status, address, refused.sentence))

    def contents(self) -> dict:
        """All of it, a list of objects for each table, read at one moment."""
        with self.lock:
            return {
                table: [dict(row) for row in self.database.execute(f"SELECT * FROM {table}")]
                for table in ("payment", "refund", "request", "misuse")}

    # What each request does; None, or why it is declined.

    def authorize(self, fields: dict, declines) -> str | None:
        payment = self.row("SELECT * FROM payment WHERE id = ?", fields["paymentId"])
        if payment is not None and payment["asked"] is not None:
            return "There was another authorization of this payment."
        self.database.execute(
            "INSERT INTO payment (id, asked, currency, customer_id, product_id, purpose) "
            "VALUES (:paymentId, :milliunits, :currency, :customerId, :productId, :purpose) "
            "ON CONFLICT (id) DO UPDATE SET asked = excluded.asked, currency = excluded.currency, "
            "customer_id = excluded.customer_id, product_id = excluded.product_id, "
            "purpose = excluded.purpose", fields)
        if payment is not None and payment["is_voided"]:
            return "It was voided before it was asked for."
        if (reason := declines()) is not None:
            return reason
        self.database.execute(
            "UPDATE payment SET authorized = asked WHERE id = ?", (fields["paymentId"],))
        return None

    def capture(self, fields: dict, declines) -> str | None:
        payment = self.row("SELECT * FROM payment WHERE id = ?", fields["paymentId"])
        if payment is None or payment["authorized"] is None:
            return "Nothing was authorized."
        if payment["is_voided"]:
            return "It was voided."
        if payment["captured"] is not None:
            return "It was captured before."
        if payment["currency"] != fields["currency"]:
            return f"It was authorized in {payment['currency']}."
        if fields["milliunits"] > payment["authorized"]:
            return f"Only {payment['authorized']} were authorized."
        if (reason := declines()) is not None:
            return reason
        self.database.execute(
            "UPDATE payment SET captured = ? WHERE id = ?",
            (fields["milliunits"], fields["paymentId"]))
        return None

    def void(self, fields: dict, declines) -> str | None:
        payment = self.row("SELECT * FROM payment WHERE id = ?", fields["paymentId"])
        if payment is not None and payment["captured"] is not None:
            return "It was captured."
        self.database.execute(
            "INSERT INTO payment (id, is_voided) VALUES (?, 1) "
            "ON CONFLICT (id) DO UPDATE SET is_voided = 1", (fields["paymentId"],))
        return None

    def refund(self, fields: dict, declines) -> str | None:
        payment = self.row("SELECT * FROM payment WHERE id = ?", fields["paymentId"])
        if payment is None or payment["captured"] is None:
            return "Nothing was captured."
        if self.row("SELECT 1 FROM refund WHERE id = ?", fields["refundId"]) is not None:
            return "There was another refund of this name."
        if payment["currency"] != fields["currency"]:
            return f"It was captured in {payment['currency']}."
        given = self.row(
            "SELECT coalesce(sum(milliunits), 0) FROM refund WHERE payment_id = ?",
            fields["paymentId"])[0]
        if given + fields["milliunits"] > payment["captured"]:
            return f"{payment['captured']} were captured and {given} of them are refunded."
        if (reason := declines()) is not None:
            return reason
        self.database.execute(
            "INSERT INTO refund VALUES (:refundId, :paymentId, :milliunits)", fields)
        return None


ACTIONS = {
    "/authorizations": Book.authorize, "/captures": Book.capture,
    "/voids": Book.void, "/refunds": Book.refund,
}
