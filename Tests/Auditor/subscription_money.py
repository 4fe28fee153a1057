"""Judges what the periods of a subscription cost, and what was given back of them."""

import bisect

from amounts import whole_share


class Prices:
    """What products cost at which moment, and which were not for sale, as the owner was told."""

    def __init__(self, plans: dict, singles: dict[str, int], told: list[list[str]]):
        self.plans = plans
        first = {product: plan.price for product, plan in plans.items()} | singles
        self.changes = {product: [(0, price)] for product, price in first.items()}
        self.sales: dict[str, list] = {product: [(0, True)] for product in first}
        for words in told:
            if words[0] == "price":
                self.changes[words[1]].append((int(words[3]), int(words[2])))
            elif words[0] in ("sold", "unsold"):
                self.sales[words[1]].append((int(words[2]), words[0] == "sold"))

    @staticmethod
    def values(changes: list, moment: int) -> set:
        """What held at a moment; several when it changed just then."""
        first = bisect.bisect_left([at for at, _ in changes], moment)
        return {value for at, value in changes[first:] if at == moment} | {changes[first - 1][1]}

    def at(self, product: str, moment: int) -> set[int]:
        return self.values(self.changes[product], moment)

    def may_be_unsold(self, product: str, moment: int) -> bool:
        return False in self.values(self.sales[product], moment)

    def may_be_sold(self, product: str, moment: int) -> bool:
        return True in self.values(self.sales[product], moment)


class Raise:
    """A higher price that the owner told, for the next renewal."""

    def __init__(self, price: int, needs_consent: bool, at: int):
        self.price, self.needs_consent, self.at = price, needs_consent, at

    def is_agreed(self, product: str, consents: list, now: int) -> bool:
        return not self.needs_consent or any(
            row["product_id"] == product and row["new_milliunits"] == self.price
            and row["asked_ms"] >= self.at and row["answer"] == "agreed"
            and row["answered_ms"] <= now for row in consents)


class Ledger:
    """Follows one subscription's price from period to period."""

    def __init__(self, prices: Prices, consents: list, find):
        self.prices, self.consents, self.find = prices, consents, find
        self.product: str | None = None
        self.price: set[int] = set()
        self.raised: Raise | None = None
        # Of which a raised price was charged: it does not fall with the product's.
        self.kept: set[str] = set()
        # Whether there was an introductory offer.
        self.is_introduced = False
        # The offer of the newest period, and how many more have it.
        self.taken: tuple[str, str, str] | None = None
        self.left = 0

    def buy(self, row) -> None:
        self.raised = None
        self.kept.clear()
        self.price = self.prices.at(row["product_id"], row["purchased_ms"])
        if not self.prices.may_be_sold(row["product_id"], row["purchased_ms"]):
            self.find("sold-removed", f"{row['id']} was bought and not for sale")
        self.charge(row, is_renewal=False)

    def renew(self, row, at: int) -> None:
        if not self.prices.may_be_sold(row["product_id"], at):
            self.find("sold-removed", f"{row['id']} renewed and was not for sale")
        if row["product_id"] != self.product:
            self.raised = None
            self.kept.clear()
            self.price = self.prices.at(row["product_id"], at)
        elif self.raised and self.raised.is_agreed(self.product, self.consents, at):
            self.price, self.raised = {self.raised.price}, None
            self.kept.add(self.product)
        elif self.product not in self.kept:
            now = self.prices.at(self.product, at)
            self.price = {min(before, after) for before in self.price for after in now}
        self.charge(row, is_renewal=True)

    def charge(self, row, is_renewal: bool) -> None:
        plan = self.prices.plans[row["product_id"]]
        due = self.price
        if row["offer_kind"] is None:
            self.charge_without(row, plan.offer, is_renewal)
        elif (offer := plan.offer_of(row)) is None:
            self.find("offer-wrong", f"{row['id']} has an offer that nobody sells")
        else:
            self.charge_with(row, offer, is_renewal)
            due = {offer.price}
        self.product = row["product_id"]
        if row["charged_milliunits"] not in due:
            self.find(
                "money", f"{row['id']} was charged {row['charged_milliunits']}, not {sorted(due)}")

    def charge_without(self, row, first, is_renewal: bool) -> None:
        if is_renewal and self.product == row["product_id"] and self.left > 0:
            self.find("offer-lost", f"{row['id']} has no more of the offer it began with")
        elif (not is_renewal and first and not self.is_introduced
                and self.product != row["product_id"]):
            self.find("offer-lost", f"{row['id']} was bought without its first offer")
        self.taken, self.left = None, 0

    def charge_with(self, row, offer, is_renewal: bool) -> None:
        name = (row["product_id"], row["offer_kind"], row["offer_id"])
        goes_on = is_renewal and self.taken == name and self.left > 0
        if row["offer_mode"] != offer.mode:
            self.find("offer-wrong", f"{row['id']} is {row['offer_mode']}, not {offer.mode}")
        if row["offer_kind"] == "introductory":
            if self.is_introduced and not goes_on:
                self.find("offer-twice", f"{row['id']} is another introductory offer")
            self.is_introduced = True
        elif row["offer_kind"] != "code" and self.product is None:
            self.find("offer-wrong", f"{row['id']} is for who subscribed before")
        if row["offer_kind"] == "winBack" and is_renewal and not goes_on:
            self.find("offer-wrong", f"{row['id']} wins back who did not leave")
        count = offer.count if offer.mode == "payAsYouGo" else 1
        self.taken, self.left = name, self.left - 1 if goes_on else count - 1


def refund_findings(periods: list, refunds: list, unpaid: dict[int, int], find) -> None:
    """What is left of an upgraded period is given back, rounded once to what its currency can
    express, and nothing else. `unpaid` is what a provider declined to capture for a period, which
    it need not give back."""
    by_id = {row["id"]: row for row in periods}
    given: dict[int, int] = {}
    for row in refunds:
        period = by_id[row["transaction_id"]]
        if period["id"] in given:
            find("refund-twice", f"{period['id']} was given back twice")
        given[period["id"]] = row["milliunits"]
        if period["upgraded_ms"] is None:
            find("refund-wrong", f"{period['id']} was given back, and nothing took its place")
        elif row["at_ms"] != period["upgraded_ms"] or row["currency"] != period["currency"]:
            find("refund-wrong", f"{period['id']} was given back at {row['at_ms']}")
    for row in periods:
        if row["upgraded_ms"] is None:
            continue
        whole = row["expires_ms"] - row["purchased_ms"]
        left = whole_share(
            row["charged_milliunits"], row["expires_ms"] - row["upgraded_ms"], whole,
            row["currency"])
        back = given.get(row["id"], 0)
        least = max(0, min(left, row["charged_milliunits"] - unpaid.get(row["id"], 0)))
        if not least <= back <= left:
            find("refund-wrong", f"{row['id']} was given back {back}, not {left}")
