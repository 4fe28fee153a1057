"""Holds what notifications say to the rows of what they tell, as it was then."""

import collections
import json

from notice_life import STATUSES

TYPES = {
    "consumable": "Consumable", "nonConsumable": "Non-Consumable",
    "nonRenewing": "Non-Renewing Subscription", "autoRenewable": "Auto-Renewable Subscription"}
ENVIRONMENTS = {"production": "Production", "sandbox": "Sandbox"}


def expecting(tell):
    """A check of members, which tells each that is not as wanted."""
    def expect(where: str, found: dict, wanted: dict) -> None:
        for member, value in wanted.items():
            if found.get(member) != value:
                tell(f"{where}{member} is {found.get(member)!r}, not {value!r}")
    return expect


class Payloads:
    """`life` has passed the event whose notifications are checked."""

    def __init__(self, database, life, find):
        self.life, self.find = life, find
        self.apps = {row["id"]: row for row in database.execute("SELECT * FROM app")}
        self.app_transactions = {
            (row["account_id"], row["app_id"]): row["id"]
            for row in database.execute("SELECT * FROM app_transaction")}
        self.subscriptions = database.execute("SELECT * FROM subscription").fetchall()
        self.periods = collections.defaultdict(list)
        for row in life.sold.values():
            self.periods[row["original_id"]].append(row)
        # When the period of each transaction was last said to end.
        self.ends = life.ends
        # The newest notification of each original transaction, with its renewal and status.
        self.last: dict[int, tuple] = {}

    @staticmethod
    def offer_of(notices: list) -> int | None:
        for row in notices:
            if row["renewal_payload"] is not None:
                return json.loads(row["renewal_payload"]).get("offerType")
        return None

    def check(self, row, event) -> None:
        mistakes = []
        expect = expecting(mistakes.append)
        self.head(row, event["at_ms"], expect)
        body = json.loads(row["body"])
        transaction = json.loads(row["transaction_payload"])
        sold = self.sold_of(event, int(transaction["transactionId"]))
        if sold is None or sold["account_id"] != event["account_id"]:
            mistakes.append(f"it tells of {transaction['transactionId']}")
        else:
            expect("", dict(row), {"lane": sold["original_id"], "account_id": event["account_id"]})
            self.transaction(event, sold, transaction, expect)
            self.renewal(row, event, sold, transaction, body["data"], expect)
        for mistake in mistakes:
            self.find("payload-wrong", row, mistake)

    def check_uncaused(self, row) -> None:
        expect = expecting(lambda mistake: self.find("payload-wrong", row, mistake))
        self.head(row, row["made_ms"], expect)

    def head(self, row, at: int, expect) -> None:
        body = json.loads(row["body"])
        app = self.apps[row["app_id"]]
        expect("", dict(row), {"made_ms": at})
        expect("", body, {
            "notificationType": row["kind"], "subtype": row["subtype"],
            "notificationUUID": row["uuid"], "signedDate": at, "version": "2.0"})
        expect("data.", body.get("data") or body.get("summary"), {
            "bundleId": app["bundle_id"], "environment": ENVIRONMENTS[row["environment"]]})
        if row["environment"] == "sandbox":
            expect("data.", body.get("data") or body.get("summary"), {"appAppleId": None})

    def sold_of(self, event, number: int):
        """The transaction of an event; of an answer about a price, that of its subscription."""
        sold = self.life.sold.get(number)
        if event["transaction_id"] is not None:
            return sold if number == event["transaction_id"] else None
        standing = sold and self.life.standings.get(sold["original_id"])
        return sold if standing and standing.newest == number else None

    def transaction(self, event, sold, found: dict, expect) -> None:
        is_own, at = sold["shared_id"] is None, event["at_ms"]
        number, is_period = sold["id"], sold["kind"] == "autoRenewable"
        life, app = self.life, self.apps[sold["app_id"]]
        has_app = (sold["account_id"], sold["app_id"])
        expect("transaction.", found, {
            "appTransactionId": str(self.app_transactions[has_app]),
            "bundleId": app["bundle_id"], "environment": ENVIRONMENTS[sold["environment"]],
            "originalTransactionId": str(sold["original_id"]), "productId": sold["product_id"],
            "purchaseDate": sold["purchased_ms"], "quantity": sold["quantity"],
            "originalPurchaseDate": sold["originally_purchased_ms"], "signedDate": at,
            "storefront": sold["storefront"], "type": TYPES[sold["kind"]],
            "inAppOwnershipType": "PURCHASED" if is_own else "FAMILY_SHARED",
            "price": sold["charged_milliunits"] if is_own else None,
            "currency": sold["currency"] if is_own else None,
            "revocationDate": life.taken.get(number),
            "subscriptionGroupIdentifier": sold["subscription_group"],
            "transactionReason": "RENEWAL" if sold["is_renewal"] else "PURCHASE",
            "isUpgraded": True if number in life.replaced else None})
        if not is_period:
            expect("transaction.", found, {"expiresDate": None})
            return
        end = found.get("expiresDate")
        # A family's copies move with what they share, and their holders are not told. The owner's
        # renewal before the time ends a period at once, also when its payment fails.
        is_cut = self.is_cut(sold, end) or event["kind"] == "renewalFailed" and end == at
        if is_own and event["kind"] not in ("extended", "expired") and not is_cut:
            expect("transaction.", found, {"expiresDate": self.ends.get(number, end)})
        self.ends[number] = end

    def renewal(self, row, event, sold, transaction: dict, data: dict, expect) -> None:
        standing = self.life.seen(sold)
        if standing is None:
            expect("", dict(row), {"renewal_payload": None})
            expect("data.", data, {"status": None})
            return
        found, is_own = json.loads(row["renewal_payload"]), sold["shared_id"] is None
        expect("data.", data, {"status": STATUSES[standing.phase]})
        is_changed = standing.planned != standing.product
        increase = None if is_changed or not is_own else standing.increase
        intent = standing.reason
        if standing.phase == "retry":
            intent = 2 if standing.renews else 1
        tried = {"active": None, "grace": standing.renews, "retry": standing.renews}
        expect("renewal.", found, {
            "autoRenewProductId": standing.planned, "autoRenewStatus": int(standing.renews),
            "environment": ENVIRONMENTS[sold["environment"]], "expirationIntent": intent,
            "isInBillingRetryPeriod": tried.get(standing.phase, False),
            "originalTransactionId": str(sold["original_id"]), "productId": standing.product,
            "priceIncreaseStatus": None if increase is None else int(increase == "agreed"),
            "renewalDate": self.ends.get(standing.newest, found.get("renewalDate")),
            "signedDate": event["at_ms"]})
        if ("gracePeriodExpiresDate" in found) != (standing.phase == "grace"):
            expect("renewal.", found, {"gracePeriodExpiresDate": standing.phase})
        if standing.newest == sold["id"]:
            expect("renewal.", found, {"renewalDate": transaction.get("expiresDate")})
        self.last[sold["original_id"]] = (row, found, data["status"])

    def is_cut(self, sold, end: int | None) -> bool:
        """Whether its owner ended a period then, so that the next one began."""
        return any(
            each["id"] > sold["id"] and each["purchased_ms"] == end
            for each in self.periods[sold["original_id"]])

    def check_present(self) -> None:
        """What was told last of each subscription is how it stands."""
        phases = dict(STATUSES, gracePeriod=4, billingRetry=3)
        for row in self.subscriptions:
            if row["original_id"] not in self.last:
                continue
            notice, told, status = self.last[row["original_id"]]
            wanted = {
                "autoRenewProductId": row["next_product_id"] or row["product_id"],
                "autoRenewStatus": row["is_auto_renewing"], "productId": row["product_id"],
                "renewalDate": row["expires_ms"],
                "gracePeriodExpiresDate": row["grace_until_ms"]}
            for member, value in wanted.items():
                if told.get(member) != value:
                    self.find(
                        "state-wrong", notice,
                        f"{member} was told as {told.get(member)!r} and is {value!r}")
            if status != phases[row["phase"]]:
                self.find("state-wrong", notice, f"{row['phase']} was told as status {status}")
        for number, end in self.ends.items():
            sold = self.life.sold[number]
            is_told = end == sold["expires_ms"] or self.is_cut(sold, sold["expires_ms"])
            if sold["shared_id"] is None and not is_told and sold["original_id"] in self.last:
                self.find(
                    "state-wrong", self.last[sold["original_id"]][0],
                    f"{number} ends at {sold['expires_ms']} and was told to end at {end}")
