"""Judges what family members have of one another, as it stands: each a transaction of their own.

A receipt that is full is not looked for: a member whose receipt has no room goes without.
"""

import collections

MEMBERS_MAX = 6
# What a copy has of the purchase.
SAME = (
    "environment", "app_id", "product_id", "kind", "quantity", "currency", "subscription_group",
    "expires_ms", "upgraded_ms", "offer_kind", "offer_id", "offer_mode", "offer_period")


def item_of(row) -> int:
    """What is shared at once: a period by itself, what is bought once as a whole."""
    shared, original = row["shared_id"], row["shared_original_id"]
    if shared is None:
        shared, original = row["id"], row["original_id"]
    return shared if row["kind"] == "autoRenewable" else original


def copy_findings(database, shareable: set[str], now: int) -> list[str]:
    """Sentences with their codes; `shareable` are the products that may be shared, all the time."""
    return Copies(database, shareable, now).run()


class Copies:
    def __init__(self, database, shareable: set[str], now: int):
        self.rows = lambda sql: database.execute(sql).fetchall()
        self.shareable, self.now = shareable, now
        self.findings: list[str] = []
        self.all = {
            row["id"]: row for row in self.rows(
                "SELECT * FROM store_transaction WHERE restore_id IS NULL ORDER BY id")}
        self.copies = [row for row in self.all.values() if row["shared_id"] is not None]
        self.revocations = {
            row["transaction_id"]: row for row in self.rows("SELECT * FROM revocation")}
        self.names = {row["id"]: row["name"] for row in self.rows("SELECT * FROM account")}
        self.subscriptions = {
            row["original_id"]: row for row in self.rows("SELECT * FROM subscription")}
        # Of each account: its family, and whether it shares what it buys.
        self.places = {row["account_id"]: row for row in self.rows("SELECT * FROM family_member")}
        self.members = collections.defaultdict(list)
        for row in self.rows("SELECT * FROM family_member ORDER BY position"):
            self.members[row["family_number"]].append(row)

    def find(self, code: str, account: int, sentence: str) -> None:
        self.findings.append(
            f"{code}: {self.names.get(account, f'account {account}')}: {sentence}")

    def run(self) -> list[str]:
        self.check_families()
        begun = collections.Counter(
            row["transaction_id"] for row in self.rows(
                "SELECT transaction_id FROM event WHERE kind IN ('shared', 'renewed')"))
        attempts = {row["transaction_id"] for row in self.rows(
            "SELECT transaction_id FROM attempt WHERE state = 'done'")}
        for row in self.copies:
            self.check_copy(row)
            if begun[row["id"]] != 1:
                self.find(
                    "event-lost", row["account_id"],
                    f"the history says {begun[row['id']]} times that {row['id']} was shared")
            if row["id"] in attempts:
                self.find("copy-wrong", row["account_id"], f"{row['id']} came from an attempt")
        self.check_held()
        return self.findings

    def check_families(self) -> None:
        families = {row["number"]: row for row in self.rows("SELECT * FROM family")}
        accounts = {row["id"]: row for row in self.rows("SELECT * FROM account")}
        for number in families.keys() | self.members.keys():
            rows, family = self.members.get(number, []), families.get(number)
            if family is None or not 1 <= len(rows) <= MEMBERS_MAX or (
                    [bool(row["is_organiser"]) for row in rows]
                    != [True] + [False] * (len(rows) - 1)):
                self.findings.append(f"family-wrong: {number} has {len(rows)} members")
                continue
            for row in rows:
                account = accounts.get(row["account_id"])
                if account is None or account["environment"] != family["environment"]:
                    self.find("family-wrong", row["account_id"], "is of another environment")
                if not family["made_ms"] <= row["joined_ms"] <= self.now:
                    self.find("family-wrong", row["account_id"], f"joined at {row['joined_ms']}")

    def check_copy(self, row) -> None:
        purchase, holder = self.all.get(row["shared_id"]), row["account_id"]
        if purchase is None or purchase["shared_id"] is not None:
            self.find("copy-wrong", holder, f"{row['id']} shares what nobody bought")
            return
        different = [name for name in SAME if row[name] != purchase[name]]
        if different:
            self.find(
                "copy-wrong", holder,
                f"{row['id']} differs from {purchase['id']} in {', '.join(different)}")
        if row["shared_original_id"] != purchase["original_id"]:
            self.find("copy-wrong", holder, f"{row['id']} shares {row['shared_original_id']}")
        if holder == purchase["account_id"]:
            self.find("copy-wrong", holder, f"{row['id']} shares with its buyer")
        if row["product_id"] not in self.shareable:
            self.find("copy-wrong", holder, f"{row['id']} is of what is not shared")
        if row["charged_milliunits"] != 0:
            self.find("money", holder, f"{row['id']} is shared and was charged")
        if row["application_username"] is not None:
            self.find("copy-wrong", holder, f"{row['id']} has its buyer's name in the app")
        if row["purchased_ms"] < purchase["purchased_ms"] or row["id"] < purchase["id"]:
            self.find("copy-wrong", holder, f"{row['id']} is older than {purchase['id']}")
        self.check_original(row)
        self.check_end(row, purchase)

    def check_original(self, row) -> None:
        """Each begins by itself, or goes on from a period of the same that stands."""
        first = self.all.get(row["original_id"])
        if first is None or first["account_id"] != row["account_id"] or (
                first["shared_original_id"] != row["shared_original_id"]
                or first["original_id"] != first["id"]
                or first["kind"] == "nonConsumable" and first is not row
                or row["originally_purchased_ms"] != first["purchased_ms"]):
            self.find(
                "original-wrong", row["account_id"], f"{row['id']} counts as {row['original_id']}")

    def check_end(self, row, purchase) -> None:
        """What is taken back from the buyer is from all, for the same reason and at that moment."""
        mine, theirs = self.revocations.get(row["id"]), self.revocations.get(purchase["id"])
        if theirs is not None and mine is None:
            self.find(
                "revoked-half", row["account_id"],
                f"{row['id']} stayed when {purchase['id']} was taken back")
        if mine is None:
            return
        if mine["at_ms"] < row["purchased_ms"]:
            self.find("event-back", row["account_id"], f"{row['id']} was taken before it was shared")
        if mine["refund_id"] is not None:
            self.find("copy-wrong", row["account_id"], f"the money of {row['id']} was asked back")
        if theirs is not None and (
                mine["at_ms"] > theirs["at_ms"]
                or mine["at_ms"] == theirs["at_ms"] and mine["reason"] != theirs["reason"]
                and mine["reason"] != "other"):
            self.find(
                "copy-wrong", row["account_id"],
                f"{row['id']} was taken back at {mine['at_ms']} ({mine['reason']}), "
                f"{purchase['id']} at {theirs['at_ms']} ({theirs['reason']})")

    # What must be there

    def is_served(self, row) -> bool:
        """Whether a purchase is what its buyer may use now, and not only had."""
        if row["id"] in self.revocations:
            return False
        if row["kind"] == "nonConsumable":
            return True
        kept = self.subscriptions.get(row["original_id"])
        return kept is not None and kept["newest_id"] == row["id"] and (
            kept["phase"] in ("active", "gracePeriod"))

    def check_held(self) -> None:
        held = collections.defaultdict(list)
        for row in self.copies:
            if row["id"] not in self.revocations:
                held[(item_of(row), row["account_id"])].append(row)
        for (item, holder), rows in held.items():
            if len(rows) > 1:
                numbers = [row["id"] for row in rows]
                self.find("copy-twice", holder, f"has {numbers}, all of {item}")
            for row in rows:
                self.check_kept(row)
        for row in self.all.values():
            if row["shared_id"] is None and row["product_id"] in self.shareable and (
                    self.is_served(row)):
                self.check_shared(row, held)

    def check_kept(self, row) -> None:
        """Nobody has what is a stranger's, or of somebody who shares nothing."""
        purchase = self.all.get(row["shared_id"])
        if purchase is None or row["upgraded_ms"] is not None:
            return
        is_over = row["kind"] == "autoRenewable" and row["expires_ms"] <= self.now
        if is_over and not self.is_served(purchase):
            return
        mine, theirs = (self.places.get(one["account_id"]) for one in (row, purchase))
        if mine is None or theirs is None or not theirs["shares_purchases"] or (
                mine["family_number"] != theirs["family_number"]):
            self.find(
                "copy-kept", row["account_id"],
                f"{row['id']} stayed, and {purchase['id']} is not shared with it")

    def check_shared(self, row, held) -> None:
        """Everybody in the family has what one of them may use."""
        place = self.places.get(row["account_id"])
        if place is None or not place["shares_purchases"]:
            return
        for member in self.members[place["family_number"]]:
            if member["account_id"] != row["account_id"] and not held.get(
                    (item_of(row), member["account_id"])):
                self.find("copy-lost", member["account_id"], f"has nothing of {row['id']}")
