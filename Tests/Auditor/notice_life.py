"""What an app's server must be notified of each event, and how everything stands then.

A walk through the history, event by event, which knows by its own tables what each kind of event
means and what a notification of it says.
"""

import collections
import dataclasses

REASONS = {
    "1": "VOLUNTARY", "2": "BILLING_RETRY", "3": "PRICE_INCREASE", "4": "PRODUCT_NOT_FOR_SALE",
    "5": None}
STATUSES = {"active": 1, "expired": 2, "retry": 3, "grace": 4, "revoked": 5}
# What no server hears of.
UNTOLD = (
    "finished", "declined", "restored", "deleted", "appAccountTokenSet", "replaced", "periodMoved",
    "storefrontChanged")
OPEN = ("active", "grace", "retry")
REDEEMED = ("promotional", "code", "winBack")


@dataclasses.dataclass
class Standing:
    """How a subscription stands."""

    newest: int
    product: str
    phase: str = "active"
    reason: int | None = None
    renews: bool = True
    planned: str = ""
    # A higher price: pending, declined or agreed, with the question about it.
    increase: str | None = None
    question: str | None = None

    def close(self, phase: str, reason: int) -> None:
        self.phase, self.reason, self.renews = phase, reason, False
        self.planned, self.increase, self.question = self.product, None, None


class NoticeLife:
    """The history so far; `pass_event` goes on by an event."""

    def __init__(self, database):
        def rows(sql):
            return database.execute(sql).fetchall()

        self.sold = {row["id"]: row for row in rows("SELECT * FROM store_transaction")}
        self.consents = {str(row["number"]): row for row in rows("SELECT * FROM price_consent")}
        self.grace = {row["id"]: row["grace_days"] is not None for row in rows("SELECT * FROM app")}
        self.standings: dict[int, Standing] = {}
        # The newest copy that an account has of somebody's subscription.
        self.copies: dict[tuple[int, int], int] = {}
        # When each was taken back that is taken back now.
        self.taken: dict[int, int] = {}
        self.replaced: set[int] = set()
        # When the period of each transaction was last said to end; it may be ended later.
        self.ends: dict[int, int] = {}
        # The questions that were asked, and the event just before.
        self.asked: set[str] = set()
        self.before = None
        # The period just begun, and how the subscription stood before it.
        self.begun: tuple[int, str | None] = (0, None)
        self.by_account = collections.defaultdict(set)

    def pass_event(self, event, offer: int | None) -> list[list[str]]:
        """The names of its notifications, in each way that is right; `offer` is the type of the
        offer that they say the subscription renews with."""
        row = self.sold.get(event["transaction_id"])
        names = self.names(event, row, offer)
        # A question that a new period ends is withdrawn before the family gets its copies.
        if event["kind"] not in ("shared", "renewed", "purchased", "priceConsent"):
            self.begun = (0, None)
        self.before = event
        return names

    def names(self, event, row, offer) -> list[list[str]]:
        kind = event["kind"]
        if kind in UNTOLD:
            if kind == "replaced":
                self.replaced.add(event["transaction_id"])
            return [[]]
        if kind == "priceConsent":
            return self.answered(event)
        if row is None:
            raise LookupError(f"event {event['number']} is of no transaction")
        if kind in ("revoked", "refundReversed", "refundRequested", "refundDeclined"):
            return self.refunded(event, row)
        if row["shared_id"] is not None:
            return self.shared(row, kind)
        if row["kind"] != "autoRenewable":
            # What is owned and bought again is no charge.
            is_sale = kind == "purchased" and (
                row["kind"] != "nonConsumable" or row["original_id"] == row["id"])
            return [["ONE_TIME_CHARGE"] if is_sale else []]
        if kind in ("purchased", "renewed"):
            return self.begin(row, kind)
        return getattr(self, kind)(self.standings[row["original_id"]], event, offer)

    # Periods

    def begin(self, row, kind: str) -> list[list[str]]:
        known = self.standings.get(row["original_id"])
        phase = known.phase if known else None
        standing = Standing(row["id"], row["product_id"], planned=row["product_id"])
        if kind == "renewed" and known.product == row["product_id"] and (
                known.increase in ("pending", "declined")):
            standing.increase, standing.question = known.increase, known.question
        self.standings[row["original_id"]] = standing
        self.begun = (row["id"], phase)
        self.by_account[row["account_id"]].add(row["original_id"])
        if kind == "renewed":
            return [[self.renewal(phase)]]
        return [[self.start(phase, row["offer_kind"])]]

    def renewal(self, phase: str | None) -> str:
        return "DID_RENEW" + ("/BILLING_RECOVERY" if phase in ("grace", "retry") else "")

    def start(self, phase: str | None, offer: str | None) -> str:
        if phase is None:
            return "SUBSCRIBED/INITIAL_BUY"
        if phase != "active":
            return "SUBSCRIBED/RESUBSCRIBE"
        return ("OFFER_REDEEMED" if offer in REDEEMED else "DID_CHANGE_RENEWAL_PREF") + "/UPGRADE"

    def shared(self, row, kind: str) -> list[list[str]]:
        if row["kind"] != "autoRenewable":
            return [["ONE_TIME_CHARGE"]]
        key = (row["account_id"], row["shared_original_id"])
        earlier = self.copies.get(key)
        self.copies[key] = row["id"]
        begun, phase = self.begun
        is_at_once = begun == row["shared_id"]
        if kind == "renewed":
            # One who got the period later than its owner is not told of the owner's troubles.
            return [["DID_RENEW"]] + ([[self.renewal(phase)]] if is_at_once else [])
        if earlier is None:
            return [["SUBSCRIBED/INITIAL_BUY"]]
        names = [["SUBSCRIBED/RESUBSCRIBE"]]
        if is_at_once and earlier not in self.taken and phase is not None:
            names.append([self.start(phase, None)])
        return names

    def renewalFailed(self, standing: Standing, event, offer) -> list[list[str]]:
        has_grace = self.grace[event["app_id"]]
        standing.phase = "grace" if has_grace else "retry"
        return [["DID_FAIL_TO_RENEW" + ("/GRACE_PERIOD" if has_grace else "")]]

    def gracePeriodEnded(self, standing: Standing, event, offer) -> list[list[str]]:
        standing.phase = "retry"
        return [["GRACE_PERIOD_EXPIRED"]]

    def expired(self, standing: Standing, event, offer) -> list[list[str]]:
        standing.close("expired", int(event["subject"]))
        reason = REASONS[event["subject"]]
        return [["EXPIRED" + (f"/{reason}" if reason else "")]]

    def extended(self, standing: Standing, event, offer) -> list[list[str]]:
        return [["RENEWAL_EXTENDED"]]

    def extensionFailed(self, standing: Standing, event, offer) -> list[list[str]]:
        return [["RENEWAL_EXTENSION/FAILURE"]]

    # Choices

    def renewalChanged(self, standing: Standing, event, offer) -> list[list[str]]:
        renews, names = event["subject"] is not None, []
        if renews != standing.renews:
            names.append(
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_" + ("ENABLED" if renews else "DISABLED"))
        planned = event["subject"] or standing.planned
        is_other = planned != standing.planned
        end = "" if planned == standing.product else "/DOWNGRADE"
        more = ["PRICE_INCREASE/PENDING"] if renews and standing.increase == "declined" else []
        if more:
            standing.increase = "pending"
            standing.question = self.question_of(event)
        standing.renews, standing.planned = renews, planned
        chosen = [f"DID_CHANGE_RENEWAL_PREF{end}"] if is_other else []
        ways = [names + chosen + more]
        if offer in (2, 3, 4):
            ways.append(names + [f"OFFER_REDEEMED{end}"] + more)
        return ways

    def question_of(self, event) -> str | None:
        """The question that was asked just before an event, which is about it."""
        before = self.before
        if before is None or before["kind"] != "priceConsent":
            return None
        asked = self.consents[before["subject"]]
        mine = (asked["account_id"], asked["asked_ms"]) == (event["account_id"], event["at_ms"])
        return before["subject"] if mine else None

    def priceIncreased(self, standing: Standing, event, offer) -> list[list[str]]:
        standing.question = self.question_of(event)
        standing.increase = "pending" if standing.question else "agreed"
        return [["PRICE_INCREASE/" + ("PENDING" if standing.question else "ACCEPTED")]]

    def answered(self, event) -> list[list[str]]:
        question = event["subject"]
        if question not in self.asked:
            self.asked.add(question)
            return [[]]
        row = self.consents[question]
        answer = row["answer"]
        for original in self.by_account[event["account_id"]]:
            standing = self.standings[original]
            # A question that waited already is taken over without another event.
            is_its = standing.question == question or (
                standing.question is None and standing.increase == "pending"
                and standing.product == row["product_id"])
            if is_its and standing.phase in OPEN and answer:
                standing.increase = answer
                return [["PRICE_INCREASE/ACCEPTED"] if answer == "agreed" else []]
        return [[]]

    # Refunds

    def refunded(self, event, row) -> list[list[str]]:
        kind, number = event["kind"], row["id"]
        is_copy = row["shared_id"] is not None
        stands_for = row["restore_id"] is not None or (
            row["kind"] == "nonConsumable" and row["original_id"] != number)
        standing = None if is_copy else self.standings.get(row["original_id"])
        is_newest = standing is not None and standing.newest == number
        if kind == "revoked":
            self.taken[number] = event["at_ms"]
            if is_newest and standing.phase in OPEN:
                standing.close("revoked", 5)
            return [["REVOKE"]] if is_copy else [[] if stands_for else ["REFUND"]]
        if kind == "refundReversed":
            self.taken.pop(number, None)
            if is_newest and standing.phase == "revoked":
                if event["at_ms"] < self.ends.get(number, row["expires_ms"]):
                    standing.phase, standing.reason = "active", None
                else:
                    standing.phase, standing.reason = "expired", 1
            return [[] if stands_for else ["REFUND_REVERSED"]]
        return [["CONSUMPTION_REQUEST" if kind == "refundRequested" else "REFUND_DECLINED"]]

    # What a notification must say

    def seen(self, row) -> Standing | None:
        """How the subscription of a transaction stands for its holder; nil for other products."""
        if row["kind"] != "autoRenewable":
            return None
        if row["shared_id"] is None:
            return self.standings[row["original_id"]]
        owned = self.standings[row["shared_original_id"]]
        mine = Standing(row["id"], row["product_id"], planned=row["product_id"])
        if row["id"] in self.taken:
            mine.close("revoked", 5)
        elif row["shared_id"] != owned.newest:
            mine.close("expired", 5)
        else:
            mine.phase, mine.reason, mine.renews = owned.phase, owned.reason, owned.renews
            if owned.planned != owned.product:
                mine.planned = owned.planned
        return mine
