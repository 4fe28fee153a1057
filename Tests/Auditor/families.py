"""Judges what families shared, in the order of the history: who was given what, when and why.

A purchase is everybody's in its commit. Beside that, copies come and go only when a family changes,
or gets back what a reversed refund had taken. What the store agreed to is told in lines

    family NUMBER BEFORE AFTER SHARED TAKEN NAME...

with the newest event before the change was asked for and when it was answered, the numbers of copies
that it brought and took ("-" when the answer was lost), and the members then; ":off" follows the name
of one who shares nothing.
"""

import collections
import dataclasses

from copies import item_of

BOUGHT = ("purchased", "renewed")
GIVEN = ("shared", "renewed")


@dataclasses.dataclass
class Change:
    """What a family became within some events."""

    number: int
    before: int
    after: int
    counts: tuple[str, str]
    # Whether each shares.
    members: dict[int, bool]
    is_done: bool = False
    shared: int = 0
    taken: int = 0

    @staticmethod
    def read(words: list[str], numbers: dict[str, int]) -> "Change":
        members = {}
        for name in words[6:]:
            members[numbers[name.removesuffix(":off")]] = not name.endswith(":off")
        return Change(
            int(words[1]), int(words[2]), int(words[3]), (words[4], words[5]), members)


class Families:
    def __init__(self, world, shareable: set[str], find):
        self.world, self.shareable, self.find = world, shareable, find
        numbers = {row["name"]: row["id"] for row in world.rows("SELECT id, name FROM account")}
        self.changes = [
            Change.read(words, numbers) for words in world.told if words[0] == "family"]
        self.change: Change | None = None
        sold = {
            row["id"]: row for row in world.rows(
                "SELECT * FROM store_transaction WHERE restore_id IS NULL ORDER BY id")}
        # A copy of nothing is found elsewhere.
        self.rows = {
            number: row for number, row in sold.items()
            if row["shared_id"] is None or row["shared_id"] in sold}
        self.events = [
            row for row in world.rows("SELECT * FROM event ORDER BY number")
            if row["kind"] != "priceConsent"]
        self.grace = world.grace_days is not None
        # The members of each family, and the family of each account.
        self.families: dict[int, dict[int, bool]] = {}
        self.places: dict[int, int] = {}
        # What each account bought and may use: a purchase for each item.
        self.owned: dict[int, dict[int, int]] = collections.defaultdict(dict)
        # The newest period of each subscription, and whether it is "open", "over" or "revoked".
        self.served: dict[int, int] = {}
        self.phases: dict[int, str] = {}
        # The copy that each account has of an item.
        self.held: dict[int, dict[int, int]] = collections.defaultdict(dict)
        self.newest: dict[tuple[int, int], int] = {}
        self.taken: set[int] = set()
        # Members who are to have a purchase by the events that follow.
        self.due: dict[int, int] = {}
        self.changed: set[int] = set()
        # When a refund was reversed last, by family.
        self.reversed_at: dict[int, int] = {}

    def walk(self) -> None:
        before = 0
        for place, event in enumerate(self.events):
            if event["at_ms"] > before:
                self.settle(before)
            self.pass_changes(event["number"])
            before = event["at_ms"]
            row = self.rows.get(event["transaction_id"])
            is_copy = row is not None and row["shared_id"] is not None
            if is_copy and event["kind"] in GIVEN:
                self.given(event, row)
                continue
            self.check_due()
            if row is None:
                continue
            self.changed.add(row["account_id"])
            if is_copy and event["kind"] == "revoked":
                self.taken_back(event, row)
            elif not is_copy and event["kind"] in BOUGHT:
                self.bought(place, row)
            elif not is_copy:
                self.happened(event, row)
        self.check_due()
        self.settle(before)
        self.pass_changes(None)
        self.settle(self.world.now)
        self.check_families()

    # Who is a family

    def pass_changes(self, number: int | None) -> None:
        """Makes those changes that were answered before an event; at the end, the others."""
        while self.changes and (number is None or self.changes[0].after < number):
            self.change = self.changes.pop(0)
            self.make(self.change)
            self.check_counts(self.change)
        self.change = None
        if self.changes and number is not None and self.changes[0].before < number:
            self.change = self.changes[0]

    def make(self, change: Change) -> None:
        if change.is_done:
            return
        change.is_done = True
        for account in self.families.pop(change.number, {}):
            self.places.pop(account, None)
            self.changed.add(account)
        if change.members:
            self.families[change.number] = change.members
        for account in change.members:
            self.places[account] = change.number
            self.changed.add(account)

    def check_families(self) -> None:
        found: dict[int, dict[int, bool]] = collections.defaultdict(dict)
        for row in self.world.rows("SELECT * FROM family_member"):
            found[row["family_number"]][row["account_id"]] = bool(row["shares_purchases"])
        for number in found.keys() | self.families.keys():
            if found.get(number) != self.families.get(number):
                self.find(None)(
                    "family-told-wrong", f"family {number} is not as the last change left it")

    def check_counts(self, change: Change) -> None:
        counts = (str(change.shared), str(change.taken))
        if change.counts != ("-", "-") and change.counts != counts:
            self.find(None)(
                "family-told-wrong",
                f"family {change.number} was told of {change.counts} copies, and had {counts}")

    def others(self, owner: int) -> list[int]:
        """With whom somebody shares what is bought now."""
        members = self.families.get(self.places.get(owner), {})
        return [member for member in members if member != owner] if members.get(owner) else []

    # What is bought

    def bought(self, place: int, row) -> None:
        owner, item = row["account_id"], item_of(row)
        if row["kind"] == "autoRenewable":
            before = self.served.get(row["original_id"])
            if before is not None:
                self.owned[owner].pop(before, None)
                for member in list(self.held):
                    # What it goes on from is over, or was upgraded.
                    self.held[member].pop(before, None)
            self.served[row["original_id"]] = row["id"]
            self.phases[row["original_id"]] = "open"
        if row["product_id"] not in self.shareable:
            return
        self.owned[owner].setdefault(item, row["id"])
        if self.change is not None and not self.change.is_done:
            self.choose_side(place, row)
        self.due = {
            member: row["id"] for member in self.others(owner) if item not in self.held[member]}

    def choose_side(self, place: int, row) -> None:
        """Within a change nothing says whether it came before or after; who got it does."""
        got = set()
        for event in self.events[place + 1:place + 8]:
            copy = self.rows.get(event["transaction_id"])
            if event["kind"] not in GIVEN or copy is None or copy["shared_id"] != row["id"]:
                break
            got.add(copy["account_id"])
        if got == set(self.others(row["account_id"])):
            return
        after = self.change.members
        owner = row["account_id"]
        if owner in after or self.places.get(owner) == self.change.number:
            if got == {member for member in after if member != owner and after.get(owner)}:
                self.make(self.change)

    def check_due(self) -> None:
        for member, purchase in self.due.items():
            self.find(member)("copy-lost", f"did not get {purchase} when it was bought")
        self.due = {}

    # What comes and goes

    def given(self, event, row) -> None:
        holder, item = row["account_id"], item_of(row)
        self.changed.add(holder)
        if self.due.get(holder) == row["shared_id"]:
            del self.due[holder]
        else:
            self.check_due()
            if problem := self.problem_of(event, row):
                self.find(holder)("copy-wrong", f"{row['id']} {problem}")
        self.held[holder][item] = row["id"]
        self.check_chain(row)

    def problem_of(self, event, row) -> str | None:
        """Why a copy should not have come with a change of a family, or with a reversal."""
        holder, item = row["account_id"], item_of(row)
        owner = self.rows[row["shared_id"]]["account_id"]
        if self.change is not None and {holder, owner} <= self.change.members.keys():
            self.make(self.change)
            self.change.shared += 1
        elif self.reversed_at.get(self.places.get(owner)) != event["at_ms"]:
            return "came without a reason"
        if holder not in self.others(owner):
            return f"is of {self.world.names.get(owner)}, who shares nothing with it"
        if item in self.held[holder]:
            return f"came once more, beside {self.held[holder][item]}"
        if item not in self.owned[owner]:
            return "is of what its buyer may not use"
        return None

    def check_chain(self, row) -> None:
        """A period goes on from the one before, unless that was taken back."""
        if row["kind"] != "autoRenewable":
            return
        key = (row["account_id"], row["shared_original_id"])
        before = self.newest.get(key)
        self.newest[key] = row["id"]
        original = row["id"]
        if before is not None and before not in self.taken:
            original = self.rows[before]["original_id"]
        if row["original_id"] != original:
            self.find(row["account_id"])(
                "original-wrong", f"{row['id']} counts as {row['original_id']}, not {original}")

    def taken_back(self, event, row) -> None:
        holder, item = row["account_id"], item_of(row)
        purchase = self.rows[row["shared_id"]]
        is_held = self.held[holder].get(item) == row["id"]
        if row["id"] in self.taken:
            self.find(holder)("event-twice", f"{row['id']} was taken back twice")
        self.taken.add(row["id"])
        if is_held:
            del self.held[holder][item]
        if purchase["id"] in self.taken:
            return
        if self.change is None:
            self.find(holder)("copy-taken", f"{row['id']} was taken back without a reason")
            return
        self.make(self.change)
        self.change.taken += 1
        if holder in self.others(purchase["account_id"]):
            self.find(holder)("copy-taken", f"{row['id']} was taken back and is shared with it")
        elif not is_held or self.is_over(row, event["at_ms"]):
            self.find(holder)("copy-taken", f"{row['id']} was taken back and was over")

    # What happens to what was bought

    def happened(self, event, row) -> None:
        owner, kind, item = row["account_id"], event["kind"], item_of(row)
        is_newest = self.served.get(row["original_id"]) == row["id"]
        phase = self.phases.get(row["original_id"])
        if kind == "revoked":
            self.taken.add(row["id"])
            self.owned[owner].pop(item, None)
            if is_newest and phase == "open":
                self.phases[row["original_id"]] = "revoked"
        elif kind == "refundReversed":
            self.taken.discard(row["id"])
            self.reversed_at[self.places.get(owner)] = event["at_ms"]
            is_served = row["kind"] == "nonConsumable"
            if is_newest and phase == "revoked":
                end = row["expires_ms"]
                is_served = event["at_ms"] < end or self.world.cuts.get(row["id"]) == end
                self.phases[row["original_id"]] = "open" if is_served else "over"
            if is_served and row["product_id"] in self.shareable:
                self.owned[owner].setdefault(item, row["id"])
        elif kind == "expired":
            self.phases[row["original_id"]] = "over"
            self.owned[owner].pop(item, None)
        elif kind == "gracePeriodEnded" or kind == "renewalFailed" and not self.grace:
            self.owned[owner].pop(item, None)

    def is_over(self, row, now: int) -> bool:
        """Whether somebody has a copy no more because its period ended, which takes nothing back."""
        if row["kind"] != "autoRenewable":
            return False
        owner = self.rows[row["shared_id"]]["account_id"]
        return row["expires_ms"] <= now and row["shared_id"] not in self.owned[owner]

    def settle(self, now: int) -> None:
        """When a moment is over, everybody has just what the family shares."""
        accounts, self.changed = self.changed, set()
        for number in {self.places[account] for account in accounts if account in self.places}:
            accounts |= self.families[number].keys()
        for owner in accounts:
            for item, purchase in self.owned[owner].items():
                for member in self.others(owner):
                    if self.held[member].setdefault(item, 0) == 0:
                        self.find(member)("copy-lost", f"has nothing of {purchase} at {now}")
                        self.held[member][item] = -1
        for holder in accounts:
            for item, copy in list(self.held[holder].items()):
                if copy <= 0:
                    continue
                owner = self.rows[self.rows[copy]["shared_id"]]["account_id"]
                if self.is_over(self.rows[copy], now):
                    del self.held[holder][item]
                elif holder not in self.others(owner):
                    self.find(holder)("copy-kept", f"{copy} stayed at {now} and is not shared")
                    del self.held[holder][item]
