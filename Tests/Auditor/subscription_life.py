"""Judges one subscription: its periods and events in order, and the row that says how it stands."""

from periods import SANDBOX_RENEWALS_MAX, end_of, grace_length, retry_length
from subscription_money import Ledger, Raise

LIFE = (
    "purchased", "renewed", "renewalFailed", "gracePeriodEnded", "expired", "revoked",
    "renewalChanged", "replaced", "extended", "priceIncreased", "refundRequested", "refundDeclined",
    "refundReversed")
# Those that may be of an older period.
OF_ANY = ("revoked", "refundRequested", "refundDeclined", "refundReversed")


class Life:
    """A walk through the events of one subscription; `world` has what all of them share."""

    def __init__(self, world, periods: list, events: list, consents: list, find):
        self.world, self.find = world, find
        self.periods = {row["id"]: row for row in periods}
        self.waiting = list(periods)
        self.events = events
        self.ledger = Ledger(world.prices, consents, find)
        self.newest = None
        # active, failing, or why it ended.
        self.state: str | None = None
        self.served_until: int | None = None
        self.reason: int | None = None
        self.auto_renews = False
        # What it was last said to renew as.
        self.planned: str | None = None
        self.renewals = 0
        # Where months are counted from, and how many are over at the end of the newest period.
        self.anchor, self.months = 0, 0
        self.consents = {str(row["number"]): row for row in consents}
        self.asked: set[str] = set()
        # What another product was told to have taken the place of.
        self.replaced_ones: set[int] = set()
        # What stands taken back.
        self.taken: set[int] = set()
        self.raises = list(world.raises.get(periods[0]["original_id"], []))

    def walk(self) -> None:
        for event in self.events:
            if event["kind"] in ("purchased", "renewed"):
                self.begin(event)
            elif event["kind"] == "priceConsent" and self.newest is not None:
                self.answered(event)
            elif event["kind"] in LIFE and self.newest is not None:
                is_newest = event["transaction_id"] == self.newest["id"]
                if not is_newest and event["kind"] not in OF_ANY:
                    self.find(
                        "event-wrong",
                        f"{event['kind']} {event['number']} is not of the newest period")
                getattr(self, event["kind"])(event)
        for row in self.waiting:
            self.find("event-lost", f"the history does not know of {row['id']}")

    def end(self) -> int:
        """When the newest period ended, or was to end."""
        return self.newest["expires_ms"]

    # Periods

    def begin(self, event) -> None:
        row = self.periods.get(event["transaction_id"])
        is_next = self.waiting and row is self.waiting[0]
        if not is_next:
            self.find("event-twice", f"{event['kind']} {event['number']} is of no next period")
            return
        self.waiting.pop(0)
        is_renewal = event["kind"] == "renewed"
        if bool(row["is_renewal"]) != is_renewal:
            self.find("event-wrong", f"{row['id']} was {event['kind']}")
        at, start = event["at_ms"], row["purchased_ms"]
        (self.check_renewal if is_renewal else self.check_purchase)(row, at)
        is_unbroken = (
            is_renewal and self.newest is not None and start == self.end()
            and not self.world.is_moved(self.newest["id"]))
        if is_renewal:
            self.renewals += 1
            self.ledger.renew(row, at)
        else:
            self.renewals = 0
            self.ledger.buy(row)
        self.check_length(row, is_unbroken)
        self.newest, self.state, self.auto_renews = row, "active", True
        self.planned = row["product_id"]
        self.served_until = self.reason = None

    def check_purchase(self, row, at: int) -> None:
        if row["purchased_ms"] != at:
            self.find("period-date", f"{row['id']} was bought at {at} and begins elsewhere")
        if self.state != "active":
            return
        before = self.newest
        if before["id"] not in self.replaced_ones:
            self.find("event-lost", f"the history does not tell that {before['id']} was replaced")
        if before["upgraded_ms"] != at:
            self.find("overlap", f"{row['id']} was bought while {before['id']} went on")
        if before["product_id"] == row["product_id"]:
            self.find("bought-again", f"{row['id']} is what {before['id']} was")
        plans = self.world.plans
        old, new = plans[before["product_id"]], plans[row["product_id"]]
        if new.level > old.level or (new.level == old.level and new.span != old.span):
            self.find("upgrade-wrong", f"{row['id']} is a downgrade and began at once")

    def check_renewal(self, row, at: int) -> None:
        start = row["purchased_ms"]
        if self.newest is None or self.state not in ("active", "failing"):
            self.find("renewed-ended", f"{row['id']} renews what is {self.state}")
            return
        if self.newest["upgraded_ms"] is not None:
            self.find("renewed-ended", f"{row['id']} renews {self.newest['id']}, upgraded before")
        if row["product_id"] != self.planned:
            self.find("renewed-as", f"{row['id']} is {row['product_id']}, not {self.planned}")
        if (raised := self.ledger.raised) and self.world.cuts.get(self.newest["id"]) == at:
            # Its owner renewed it by hand: a price that nobody agreed to is dropped.
            if not raised.is_agreed(self.newest["product_id"], self.ledger.consents, at):
                self.ledger.raised = raised = None
        if (raised and self.state == "active" and row["product_id"] == self.newest["product_id"]
                and not raised.is_agreed(row["product_id"], self.ledger.consents, at)):
            self.find("renewed-unasked", f"{row['id']} renews without consent to its price")
        if not self.auto_renews:
            self.find("renewed-off", f"{row['id']} renews what was turned off")
        if self.state == "active" or self.served_until is not None:
            # A period that would be over before it is paid for begins then.
            is_late = self.state == "failing" and self.end_from(self.end(), row) <= at
            if start != (at if is_late else self.end()):
                self.find("gap", f"{row['id']} begins at {start}, not at {self.end()}")
        elif start != at:
            self.find("gap", f"{row['id']} was paid for at {at} and begins at {start}")
        if self.state == "active" and at != start:
            self.find("renewed-late", f"{row['id']} began at {start} and renewed at {at}")
        if self.state == "failing":
            until = self.end() + retry_length(self.world.pace)
            if at >= until and until > self.end():
                self.find("renewed-late", f"{row['id']} was paid for after the last try")
            if self.served_until is not None and at >= self.served_until:
                self.find("renewed-late", f"{row['id']} was paid for after its days of grace")
        if self.world.pace.startswith("sandbox") and self.renewals >= SANDBOX_RENEWALS_MAX:
            self.find("renewed-ended", f"{row['id']} is renewal {self.renewals + 1} in the sandbox")

    def span_of(self, row):
        plan = self.world.plans[row["product_id"]]
        offer = plan.offer_of(row)
        if offer and offer.mode != "payAsYouGo":
            return offer.span.times(offer.count)
        return plan.span

    def end_from(self, start: int, row) -> int:
        return end_of(self.span_of(row), start, self.anchor, self.months, self.world.pace)

    def check_length(self, row, is_unbroken: bool) -> None:
        start, pace = row["purchased_ms"], self.world.pace
        span = self.span_of(row)
        if not is_unbroken or span.days or pace != "calendar":
            self.anchor, self.months = start, 0
        end = end_of(span, start, self.anchor, self.months, pace)
        self.months += span.months
        if span.days:
            self.anchor, self.months = end, 0
        due = self.world.end_after_moves(row["id"], end)
        if row["expires_ms"] != due:
            self.find("length", f"{row['id']} ends at {row['expires_ms']}, not at {due}")

    # What happens to it

    def renewalFailed(self, event) -> None:
        if self.state != "active" or event["at_ms"] != self.end():
            self.find("failed-wrong", f"the payment after {self.newest['id']} failed at a wrong time")
        self.state = "failing"
        if self.world.grace_days is not None:
            span = self.world.plans[self.newest["product_id"]].span
            self.served_until = self.end() + grace_length(
                self.world.grace_days, span, self.world.pace)

    def gracePeriodEnded(self, event) -> None:
        if self.served_until is None or event["at_ms"] != self.served_until:
            self.find("grace-wrong", f"the grace after {self.newest['id']} ended at a wrong time")
        self.served_until = None

    def expired(self, event) -> None:
        at, reason = event["at_ms"], int(event["subject"])
        if self.state not in ("active", "failing"):
            self.find("ended-twice", f"{self.newest['id']} expired and was {self.state}")
        elif self.state == "active" and at != self.end():
            self.find("ended-wrong", f"{self.newest['id']} ends at {self.end()} and expired at {at}")
        elif not self.may_end(reason, at):
            self.find("ended-wrong", f"{self.newest['id']} expired for reason {reason}")
        self.close("expired", reason)

    def close(self, state: str, reason: int | None) -> None:
        self.state, self.reason, self.auto_renews = state, reason, False
        self.served_until = self.ledger.raised = None

    def may_end(self, reason: int, at: int) -> bool:
        if reason == 1:
            is_over = (
                self.world.pace.startswith("sandbox") and self.renewals >= SANDBOX_RENEWALS_MAX)
            was_ended = (self.newest["original_id"], at) in self.world.ended
            return not self.auto_renews or is_over or was_ended
        if reason == 2:
            is_tried = self.served_until is None or at == self.served_until
            is_unsold = is_tried and self.world.prices.may_be_unsold(self.planned, at)
            is_over = at == self.end() + retry_length(self.world.pace)
            return self.state == "failing" and (is_over or is_unsold)
        if reason == 3:
            raised = self.ledger.raised
            return raised is not None and not raised.is_agreed(
                self.newest["product_id"], self.ledger.consents, at)
        return (
            reason == 4 and self.state == "active"
            and self.world.prices.may_be_unsold(self.planned, at))

    def revoked(self, event) -> None:
        number = event["transaction_id"]
        if number not in self.world.revoked and number not in self.world.given_again:
            self.find("event-wrong", f"{number} was not taken back")
        if number in self.taken:
            self.find("event-twice", f"{number} was taken back twice")
        self.taken.add(number)
        if number == self.newest["id"] and self.state in ("active", "failing"):
            self.close("revoked", None)

    def refundRequested(self, event) -> None:
        """Who asks for the money does not go on, whatever is decided."""
        if self.state in ("active", "failing") and self.auto_renews:
            self.find("refund-renews", f"{self.newest['id']} renews after its money was asked for")

    def refundDeclined(self, event) -> None:
        pass

    def refundReversed(self, event) -> None:
        """What it took is served to its end again, and renews only if that is turned on."""
        number = event["transaction_id"]
        if number not in self.taken:
            self.find("event-wrong", f"{number} was given again and never taken")
        self.taken.discard(number)
        if number != self.newest["id"] or self.state != "revoked":
            return
        # What it was to go on as is forgotten when it is taken back.
        self.planned = self.newest["product_id"]
        # Its end may have been moved to this very moment after that.
        if event["at_ms"] < self.end() or self.world.cuts.get(number) == event["at_ms"]:
            self.state = "active"
        else:
            self.close("expired", 1)

    def renewalChanged(self, event) -> None:
        self.auto_renews = event["subject"] is not None
        self.planned = event["subject"] or self.planned

    def replaced(self, event) -> None:
        if self.state != "active" or self.newest["upgraded_ms"] != event["at_ms"]:
            self.find("event-wrong", f"nothing replaced {event['transaction_id']} then")
        self.replaced_ones.add(event["transaction_id"])

    def extended(self, event) -> None:
        if self.state != "active" or event["transaction_id"] not in self.world.extended:
            self.find("event-wrong", f"{event['transaction_id']} was not extended")

    def priceIncreased(self, event) -> None:
        if not self.raises:
            self.find("event-wrong", f"nobody raised the price of {self.newest['id']}")
            return
        price, needs_consent = self.raises.pop(0)
        self.ledger.raised = Raise(price, needs_consent, event["at_ms"])

    def answered(self, event) -> None:
        """The first event of a question is that it was asked, the second its answer."""
        number = event["subject"]
        row, raised = self.consents.get(number), self.ledger.raised
        if number not in self.asked:
            self.asked.add(number)
        elif (row and raised and row["answer"] == "declined" and raised.needs_consent
                and row["product_id"] == self.newest["product_id"]
                and row["new_milliunits"] == raised.price and row["asked_ms"] >= raised.at):
            self.auto_renews = False
