"""What an app's server must be notified of in version 1, and what each notification must say.

Source of the tables: Apple, *notification_type*, *in_app_ownership_type* and *responseBodyV1*.
"""

import dataclasses
import datetime
import json

from notice_life import NoticeLife, Standing
from notice_payloads import expecting
from receipt import text
from signed_receipts import signed_receipt

# What the sandbox sends, of purchasers' own purchases.
SANDBOX = {
    "CANCEL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW", "INITIAL_BUY",
    "INTERACTIVE_RENEWAL", "REFUND"}
STATUS, INTERACTIVE = "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"
ENVIRONMENTS = {"production": ("PROD", "Production"), "sandbox": ("Sandbox", "Sandbox")}
# While a payment is owed.
OWED = ("grace", "retry")
# The most purchases in `latest_receipt_info`.
PURCHASES = 100


def second(milliseconds: int) -> str:
    """As answers about receipts have it: a text, without fractions of a second."""
    return str(milliseconds // 1_000 * 1_000)


def rfc3339(milliseconds: int) -> str:
    moment = datetime.datetime.fromtimestamp(milliseconds // 1_000, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def began(before: Standing | None, after: Standing) -> list[str]:
    """A period that was bought by hand."""
    if before is None:
        return ["INITIAL_BUY"]
    if before.phase == "active":
        return [STATUS, INTERACTIVE]
    if before.phase in OWED:
        return [INTERACTIVE] + turned(before, after)
    return [STATUS] if before.product == after.product else [INTERACTIVE, STATUS]


def turned(before: Standing, after: Standing) -> list[str]:
    return [STATUS] if before.renews != after.renews else []


class FirstNames:
    """Follows a history beside a `NoticeLife`: `look` before it passes an event, `ways` after."""

    def __init__(self, life: NoticeLife):
        self.life = life
        self.before: Standing | None = None
        self.earlier: int | None = None
        # The period just begun, with its subscription before and after that.
        self.begun: tuple = (0, None, None)

    def look(self, event) -> None:
        row = self.life.sold.get(event["transaction_id"])
        known = row and self.life.standings.get(row["original_id"])
        self.before = dataclasses.replace(known) if known else None
        self.earlier = row and self.life.copies.get((row["account_id"], row["shared_original_id"]))

    def ways(self, event, others: list[list[str]]) -> list[list[str]]:
        """The names in version 1, in each way that is right; `others` are those in version 2."""
        row = self.life.sold.get(event["transaction_id"])
        is_copy = row is not None and row["shared_id"] is not None
        found = self.of_copy(event, row) if is_copy else [self.of_own(event, row, others)]
        if event["environment"] == "production":
            return found
        return [[]] if is_copy else [[name for name in way if name in SANDBOX] for way in found]

    def of_own(self, event, row, others: list[list[str]]) -> list[str]:
        kind = event["kind"]
        if row is None or kind == "refundDeclined":
            return []
        if kind == "refundRequested":
            return ["CONSUMPTION_REQUEST"]
        if row["kind"] != "autoRenewable":
            return ["REFUND"] if kind == "revoked" and others != [[]] else []
        before, after = self.before, self.life.standings.get(row["original_id"])
        if kind in ("purchased", "renewed"):
            self.begun = (row["id"], before, dataclasses.replace(after))
        asks = ["PRICE_INCREASE_CONSENT"] if "PRICE_INCREASE/PENDING" in others[0] else []
        match kind:
            case "purchased":
                return began(before, after)
            case "renewed":
                return ["DID_RECOVER" if before.phase in OWED else "DID_RENEW"]
            case "renewalFailed":
                return ["DID_FAIL_TO_RENEW"]
            case "expired":
                return turned(before, after)
            case "renewalChanged":
                is_other = before.planned != after.planned
                return turned(before, after) + ["DID_CHANGE_RENEWAL_PREF"] * is_other + asks
            case "priceIncreased":
                return asks
            case "revoked" if others != [[]]:
                return ["CANCEL"] + turned(before, after)
        return []

    def of_copy(self, event, row) -> list[list[str]]:
        kind, (begun, before, after) = event["kind"], self.begun
        if kind == "revoked":
            return [["REVOKE"]]
        if row["kind"] != "autoRenewable":
            return [[]]
        is_at_once = begun == row["shared_id"]
        if kind == "renewed":
            is_recovered = is_at_once and before.phase in OWED
            return [["DID_RENEW"]] + [["DID_RECOVER"]] * is_recovered
        goes_on = is_at_once and before is not None \
            and self.earlier is not None and self.earlier not in self.life.taken
        return [[]] + ([began(before, after)] if goes_on else [])


class FirstPayloads:
    """Compares notifications of version 1 with the rows that they report, as of their event."""

    def __init__(self, database, life: NoticeLife, find):
        self.life, self.find = life, find
        self.apps = {row["id"]: row for row in database.execute("SELECT * FROM app")}
        self.subscriptions = database.execute("SELECT * FROM subscription").fetchall()
        # The newest notification of each subscription, with whether it renews.
        self.last: dict[int, tuple] = {}

    def check(self, row, event) -> None:
        expect = expecting(lambda mistake: self.find("payload-wrong", row, mistake))
        sold = self.life.sold.get(event["transaction_id"])
        if sold is None:
            return  # That is another finding.
        body, standing = json.loads(row["body"]), self.life.seen(sold)
        mark, environment = ENVIRONMENTS[row["environment"]]
        expect("", dict(row), {
            "made_ms": event["at_ms"], "lane": sold["original_id"],
            "account_id": event["account_id"], "transaction_payload": None,
            "renewal_payload": None})
        expect("", body, {
            "notification_type": row["kind"], "environment": mark,
            "bid": self.apps[row["app_id"]]["bundle_id"],
            "original_transaction_id": sold["original_id"],
            "auto_renew_status_change_date_ms":
                second(event["at_ms"]) if row["kind"] == STATUS else None,
            **self.renewal(standing)})
        whole = body["unified_receipt"]
        expect("unified_receipt.", whole, {"environment": environment, "status": 0})
        self.purchase(event, sold, whole, expect)
        if standing is not None:
            pending = [each for each in whole["pending_renewal_info"]
                       if each["original_transaction_id"] == str(sold["original_id"])]
            tried = standing.phase in OWED and standing.renews
            expect("pending_renewal_info.", pending[0] if len(pending) == 1 else {}, {
                "is_in_billing_retry_period":
                    None if standing.phase == "active" else str(int(tried)),
                "auto_renew_product_id": standing.planned, "product_id": standing.product,
                "auto_renew_status": str(int(standing.renews)),
                "expiration_intent": body.get("expiration_intent") and str(
                    body["expiration_intent"])})
            self.last[sold["original_id"]] = (row, standing.renews)

    @staticmethod
    def renewal(standing: Standing | None) -> dict:
        """The members about a subscription."""
        if standing is None:
            return {"auto_renew_product_id": None, "auto_renew_status": None,
                    "expiration_intent": None}
        intent = standing.reason
        if standing.phase in OWED:
            intent = 2 if standing.renews else 1
        return {"auto_renew_product_id": standing.planned, "expiration_intent": intent,
                "auto_renew_status": "true" if standing.renews else "false"}

    def purchase(self, event, sold, whole: dict, expect) -> None:
        """The purchase among those of the answer and of the receipt."""
        listed = {int(each["transaction_id"]): each for each in whole["latest_receipt_info"]}
        for number, each in listed.items():
            if "expires_date_ms" in each:
                self.life.ends[number] = int(each["expires_date_ms"])
        number, taken = sold["id"], self.life.taken.get(sold["id"])
        # Finished consumables may be missing, and so may purchases beyond the newest hundred.
        if number in listed or (sold["kind"] != "consumable" and len(listed) < PURCHASES):
            expect("latest_receipt_info.", listed.get(number, {}), {
                "product_id": sold["product_id"],
                "original_transaction_id": str(sold["original_id"]),
                "purchase_date_ms": second(sold["purchased_ms"]),
                "cancellation_date_ms": None if taken is None else second(taken),
                "in_app_ownership_type":
                    "PURCHASED" if sold["shared_id"] is None else "FAMILY_SHARED"})
        receipt = signed_receipt(whole["latest_receipt"])
        if receipt is None:
            return  # That is another finding.
        made = text(receipt.raw[12])
        expect("latest_receipt.", {"creation_date": made}, {
            "creation_date": rfc3339(event["at_ms"])})
        if number in listed:
            expect("latest_receipt.", receipt.purchases.get(number, {}), {
                "product": sold["product_id"], "original": str(sold["original_id"])})

    def check_present(self) -> None:
        """The last notification of each subscription matches its present state."""
        for row in self.subscriptions:
            notice, renews = self.last.get(row["original_id"], (None, None))
            if notice is not None and renews != bool(row["is_auto_renewing"]):
                self.find("state-wrong", notice, f"it was told to renew: {renews}")
