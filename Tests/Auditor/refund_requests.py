"""Judges requests for money: how each was asked, answered and decided, and what followed.

The lines told of them are `refund TRANSACTION STATE`, in order.
"""

import collections

from amounts import whole_share

DAY = 86_400_000
ASKED_WITHIN = 90 * DAY
ANSWERED_WITHIN = DAY // 2
WHOLE = 100_000
REASONS = {
    "UNINTENDED_PURCHASE": "other", "FULFILLMENT_ISSUE": "issue",
    "UNSATISFIED_WITH_PURCHASE": "issue", "LEGAL": "other", "OTHER": "other"}
# What the history says of a request, by the column that says when.
STEPS = {
    "refundRequested": "requested_ms", "refundDeclined": "declined_ms",
    "refundReversed": "reversed_ms"}


def request_findings(database, told: list[list[str]], moved: set[int]) -> list[str]:
    """Sentences with their codes; `moved` are periods whose end was changed by hand."""
    return Requests(database, told, moved).run()


class Requests:
    def __init__(self, database, told: list[list[str]], moved: set[int]):
        self.rows = lambda sql: database.execute(sql).fetchall()
        self.told, self.moved = told, moved
        self.findings: list[str] = []
        self.requests = {
            row["transaction_id"]: row for row in self.rows("SELECT * FROM refund_request")}
        self.sold = {
            row["id"]: row for row in self.rows(
                "SELECT * FROM store_transaction WHERE restore_id IS NULL")}
        self.names = {row["id"]: row["name"] for row in self.rows("SELECT * FROM account")}
        self.revocations = {
            row["transaction_id"]: row for row in self.rows("SELECT * FROM revocation")}
        self.events = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM event ORDER BY number"):
            self.events[(row["kind"], row["transaction_id"])].append(row)
        # What an upgrade gave back of a period.
        self.upgrades = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM refund"):
            self.upgrades[row["transaction_id"]].append(row)
        self.entries = collections.defaultdict(list)
        for row in self.rows(
                "SELECT kind, at_ms, transaction_id, milliunits FROM ledger_entry "
                "JOIN ledger_posting ON entry_number = number WHERE account_kind = 'customer' "
                "AND transaction_id IS NOT NULL"):
            self.entries[row["transaction_id"]].append(row)

    def find(self, code: str, number: int, sentence: str) -> None:
        row = self.sold.get(number)
        name = self.names.get(row["account_id"]) if row is not None else None
        self.findings.append(f"{code}: {name}: the request of {number} {sentence}")

    def run(self) -> list[str]:
        for number, request in self.requests.items():
            purchase = self.sold.get(number)
            if purchase is None or purchase["shared_id"] is not None or (
                    purchase["kind"] == "nonConsumable" and purchase["original_id"] != number):
                self.find("request-wrong", number, "is of what nobody paid")
                continue
            self.check_steps(number, request, purchase)
            self.check_answer(number, request, purchase)
            if request["granted_ms"] is not None:
                self.check_grant(number, request, purchase)
                self.check_money(number, request, purchase)
            self.check_taken(number, request, purchase)
        for kind in STEPS:
            for known, number in list(self.events):
                if known == kind and self.request_of(number) is None:
                    self.find("request-lost", number, f"is lost, and the history has {kind}")
        for number, row in self.revocations.items():
            if row["refund_id"] is not None and row["refund_id"] not in self.requests:
                self.find("request-lost", number, "is lost, and took something back")
        self.check_told()
        return self.findings

    def request_of(self, number: int):
        row = self.sold.get(number)
        if row is None:
            return None
        return self.requests.get(row["original_id"] if row["kind"] == "nonConsumable" else number)

    # Asked and answered

    def check_steps(self, number: int, request, purchase) -> None:
        """The history has each step once, at its moment, in an order that can be."""
        for kind, column in STEPS.items():
            told = [(row["at_ms"], row["account_id"]) for row in self.events[(kind, number)]]
            due = [] if request[column] is None else [(request[column], purchase["account_id"])]
            if told != due:
                self.find("event-lost", number, f"is {kind} {told}, not {due}")
        for event in self.events[("refundRequested", number)]:
            if event["subject"] != request["reason"]:
                self.find("event-wrong", number, f"was for {event['subject']}")
        asked, bought = request["requested_ms"], purchase["purchased_ms"]
        if not bought <= asked <= bought + ASKED_WITHIN or request["reason"] not in REASONS:
            self.find("request-wrong", number, f"was made at {asked}, the purchase at {bought}")
        order = [
            asked, request["answered_ms"], request["granted_ms"] or request["declined_ms"],
            request["reversed_ms"]]
        known = [moment for moment in order if moment is not None]
        if known != sorted(known) or request["granted_ms"] and request["declined_ms"]:
            self.find("request-wrong", number, f"went through {order}")
        elif request["reversed_ms"] is not None and request["granted_ms"] is None:
            self.find("request-wrong", number, "was reversed and never granted")

    def check_answer(self, number: int, request, purchase) -> None:
        if request["answered_ms"] is None:
            return
        consumed = request["consumed_percentage"]
        is_period = purchase["kind"] == "autoRenewable"
        if (not request["consented"] or is_period and consumed is not None
                or consumed is not None and not 0 <= consumed <= WHOLE
                or request["delivery"] != "DELIVERED" and consumed
                or request["preference"] == "GRANT_PRORATED" and not is_period
                and consumed in (None, 0, WHOLE)):
            self.find("answer-wrong", number, f"was answered with {consumed}")

    # Granted

    def check_grant(self, number: int, request, purchase) -> None:
        """How much: all that was not given back, or the part that is left of it."""
        at, charged = request["granted_ms"], purchase["charged_milliunits"]
        left = {charged} if all(row["at_ms"] >= at for row in self.upgrades[number]) else set()
        if any(row["at_ms"] <= at for row in self.upgrades[number]):
            left.add(charged - sum(row["milliunits"] for row in self.upgrades[number]))
        parts = {WHOLE}
        if request["grant_type"] == "REFUND_PRORATED":
            parts = self.parts_left(number, request, purchase)
        part, amount = request["grant_percentage"], request["grant_milliunits"]
        if part not in parts or part == 0:
            self.find("grant-wrong", number, f"gave {part} of {WHOLE} back, not {sorted(parts)}")
        currency = purchase["currency"]
        if amount not in {whole_share(whole, part, WHOLE, currency) for whole in left} or (
                amount == 0 and request["grant_type"] == "REFUND_PRORATED") or (
                request["currency"] != purchase["currency"]):
            self.find("grant-wrong", number, f"gave {amount} back, {part} of {sorted(left)}")

    def parts_left(self, number: int, request, purchase) -> set[int]:
        at, begin, end = request["granted_ms"], purchase["purchased_ms"], purchase["expires_ms"]
        if purchase["kind"] == "autoRenewable":
            if number in self.moved:
                return {request["grant_percentage"]}
            if purchase["upgraded_ms"] is not None and purchase["upgraded_ms"] < at:
                return {0}
            # Rounded to the nearest.
            return {(2 * WHOLE * max(0, end - at) + end - begin) // (2 * (end - begin))}
        answered = request["answered_ms"]
        if answered is None or answered > request["requested_ms"] + ANSWERED_WITHIN:
            return set()
        return {WHOLE - (request["consumed_percentage"] or 0)}

    def check_money(self, number: int, request, purchase) -> None:
        """The ledger gave it back then, and took it again with the reversal, if it was charged."""
        given = [
            row["milliunits"] for row in self.entries[number]
            if row["kind"] == "refund" and row["at_ms"] == request["granted_ms"]]
        due = request["grant_milliunits"]
        if purchase["environment"] != "production" or due == 0:
            return
        if due not in given:
            self.find("refund-lost", number, f"gave {due} back, and the ledger {given}")
        if request["reversed_ms"] is None:
            return
        again = [
            -row["milliunits"] for row in self.entries[number]
            if row["kind"] == "charge" and row["at_ms"] == request["reversed_ms"]]
        if due not in again:
            self.find("refund-lost", number, f"was reversed for {due}, and the ledger has {again}")

    def check_taken(self, number: int, request, purchase) -> None:
        """What is granted is taken back as a whole, for the customer's reason; nothing else is."""
        mine = {
            key: row for key, row in self.revocations.items() if row["refund_id"] == number}
        is_granted = request["granted_ms"] is not None and request["reversed_ms"] is None
        if not is_granted:
            if mine:
                self.find("taken-wrong", number, f"has {sorted(mine)} taken back, and no grant")
            return
        whole = {number}
        if purchase["kind"] == "nonConsumable":
            whole = {
                row["id"] for row in self.sold.values()
                if row["original_id"] == number and row["account_id"] == purchase["account_id"]}
        if mine.keys() != whole:
            self.find("taken-wrong", number, f"has {sorted(mine)} taken back, not {sorted(whole)}")
        for key, row in mine.items():
            told = [event["at_ms"] for event in self.events[("revoked", key)]]
            if row["at_ms"] != request["granted_ms"] or row["at_ms"] not in told:
                self.find("taken-wrong", number, f"took {key} at {row['at_ms']}, told {told}")
            if row["reason"] != REASONS.get(request["reason"]):
                self.find("taken-wrong", number, f"took {key} back as {row['reason']}")

    def check_told(self) -> None:
        """What the store agreed to last is how it stands."""
        last = {int(words[1]): words[2] for words in self.told if words[0] == "refund"}
        for number, state in last.items():
            request = self.requests.get(number)
            if request is None:
                self.find("told-lost", number, f"was {state} and is lost")
            elif self.state_of(request) != state:
                self.find("told-lost", number, f"is {self.state_of(request)}, and was {state}")

    @staticmethod
    def state_of(request) -> str:
        for state, column in (
                ("reversed", "reversed_ms"), ("granted", "granted_ms"),
                ("declined", "declined_ms"), ("answered", "answered_ms")):
            if request[column] is not None:
                return state
        return "requested"
