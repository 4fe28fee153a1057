"""How long periods of subscriptions last: the calendar's months, and Apple's shortened tables.

Sources: Apple, "Testing In-App Purchases with sandbox", "SKTestSession.TimeRate".
"""

import calendar
import dataclasses
import datetime
import decimal
import json
import pathlib
import re

DAY = 86_400_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

# Seconds of a week and of a month.
WEEK_AND_MONTH = {
    "sandboxThreeMinutes": (180, 180), "sandboxFiveMinutes": (180, 300),
    "sandboxFifteenMinutes": (300, 900), "sandboxThirtyMinutes": (600, 1_800),
    "sandboxOneHour": (900, 3_600), "monthlyRenewalEveryHour": (900, 3_600),
    "monthlyRenewalEveryThirtyMinutes": (600, 1_800),
    "monthlyRenewalEveryFifteenMinutes": (300, 900),
    "monthlyRenewalEveryFiveMinutes": (180, 300), "monthlyRenewalEveryThirtySeconds": (10, 30),
}
# Seconds of every period.
EVERY = {
    "oneRenewalEveryFifteenMinutes": 900, "oneRenewalEveryFiveMinutes": 300,
    "oneRenewalEveryMinute": 60, "oneRenewalEveryThirtySeconds": 30,
    "oneRenewalEveryTenSeconds": 10, "oneRenewalEveryTwoSeconds": 2,
}
# Seconds of grace, of a weekly subscription and of the others, as the tables print them.
GRACE = {3_600: (771, 1_800), 1_800: (514, 900), 900: (257, 450), 300: (154, 150), 30: (9, 15)}
SANDBOX_RENEWALS_MAX = 12


@dataclasses.dataclass(frozen=True)
class Span:
    """Days or months, one of the two."""

    days: int = 0
    months: int = 0

    @staticmethod
    def read(text: str) -> "Span":
        count, unit = re.fullmatch(r"P(\d+)([DWMY])", text).groups()
        days, months = {"D": (1, 0), "W": (7, 0), "M": (0, 1), "Y": (0, 12)}[unit]
        return Span(int(count) * days, int(count) * months)

    def times(self, count: int) -> "Span":
        return Span(self.days * count, self.months * count)


@dataclasses.dataclass(frozen=True)
class Offer:
    mode: str
    span: Span
    count: int
    price: int


@dataclasses.dataclass(frozen=True)
class Plan:
    group: str
    level: int
    span: Span
    price: int
    offer: Offer | None
    # Those of other kinds, by kind and name.
    others: dict[tuple[str, str], Offer] = dataclasses.field(default_factory=dict)

    def offer_of(self, row) -> Offer | None:
        """What a period's row names; None when it names none, or one that nobody sells."""
        if row["offer_kind"] == "introductory":
            return self.offer
        return self.others.get((row["offer_kind"], row["offer_id"]))


def read_offer(item: dict) -> Offer:
    is_free = item["paymentMode"] == "free"
    return Offer(
        "freeTrial" if is_free else item["paymentMode"], Span.read(item["subscriptionPeriod"]),
        item.get("numberOfPeriods", 1), 0 if is_free else milliunits(item["displayPrice"]))


def read_others(item: dict) -> dict[tuple[str, str], Offer]:
    others: dict[tuple[str, str], Offer] = {}
    for key, kind, name in (("adHocOffers", "promotional", "offerID"),
                            ("codeOffers", "code", "referenceName"),
                            ("winbackOffers", "winBack", "offerID")):
        for offer in item.get(key, []):
            others.setdefault((kind, offer[name]), read_offer(offer))
    return others


def read_plans(catalogue: pathlib.Path) -> dict[str, Plan]:
    plans = {}
    for group in json.loads(catalogue.read_bytes())["subscriptionGroups"]:
        for item in group["subscriptions"]:
            offer = item.get("introductoryOffer")
            plans[item["productID"]] = Plan(
                group["id"], item["groupNumber"], Span.read(item["recurringSubscriptionPeriod"]),
                milliunits(item["displayPrice"]), read_offer(offer) if offer else None,
                read_others(item))
    return plans


def milliunits(price: str) -> int:
    return int(decimal.Decimal(price) * 1000)


def months_after(moment: int, months: int) -> int:
    """The same day and time so many months later, or the month's last day."""
    date = EPOCH + datetime.timedelta(milliseconds=moment)
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    later = date.replace(year=year, month=month + 1, day=min(date.day, last))
    return (later - EPOCH) // datetime.timedelta(milliseconds=1)


def end_of(span: Span, start: int, anchor: int, months: int, pace: str) -> int:
    """Where a period ends; months are counted from an anchor, after which some are over."""
    if pace == "calendar":
        return start + span.days * DAY if span.days else months_after(anchor, months + span.months)
    if pace in EVERY:
        return start + EVERY[pace] * 1_000
    week, month = WEEK_AND_MONTH[pace]
    return start + (week * 1_000 * span.days // 7 if span.days else month * 1_000 * span.months)


def retry_length(pace: str) -> int:
    """How long a payment that failed is tried again."""
    if pace == "calendar":
        return 60 * DAY
    return 2_000 * (EVERY[pace] if pace in EVERY else WEEK_AND_MONTH[pace][1])


def grace_length(days: int, span: Span, pace: str) -> int:
    """How long who did not pay is served."""
    is_weekly = span == Span(days=7)
    if pace == "calendar":
        return (min(days, 6) if is_weekly else days) * DAY
    if pace in EVERY:
        return EVERY[pace] * 1_000
    week, month = WEEK_AND_MONTH[pace]
    seconds = GRACE.get(month, (round(week * 6 / 7), month // 2))
    return seconds[0 if is_weekly else 1] * 1_000
