"""What goes wrong at a payment provider: rules that tests set, and chance from a seed.

A rule is a JSON object. Its `fault` is one of

    late         does what is asked and answers after `milliseconds`
    stall        does it only after `milliseconds`, whether or not anybody still waits, and answers
    never        does it and never answers; the connection stays open
    dropBefore   closes the connection and does nothing
    dropAfter    does it and closes the connection without an answer
    errorBefore  answers `status` and does nothing
    errorAfter   does it and answers `status`
    twice        does it and sends its answer twice
    garbage      does it and answers 200 with a body that is no JSON
    wrongWord    does it and answers with an outcome that is neither approved nor declined
    huge         does it and answers with a reason of so many `bytes`
    slow         does it and sends the answer byte by byte, `milliseconds` between two
    cut          does it and closes the connection after half of the answer
    holdBefore   does nothing until somebody posts to /-/release, then does it and answers
    holdAfter    does it and answers when somebody posts to /-/release
    decline      says no where it would say yes; what else goes wrong is up to the other rules

and it may be narrowed by `address` (such as "/captures"), `customer` (of authorizations),
`probability` (from 0 to 1) and `next` (so many requests, and then no more). The first that fits
decides.
"""

import random
import threading

from book import ACTIONS, Refused

WAITS = {"late", "stall", "slow"}
ERRORS = {"errorBefore", "errorAfter"}
BEFORE = {"dropBefore", "errorBefore"}
KINDS = WAITS | ERRORS | {
    "never", "dropBefore", "dropAfter", "twice", "garbage", "wrongWord", "huge", "cut",
    "holdBefore", "holdAfter", "decline"}

MILLISECONDS_MAX = 600_000
BYTES_MAX = 1 << 30
RULES_MAX = 1_000

# By name: what it must be, and for which faults it is there; None for all.
SETTINGS = {
    "address": (lambda value: value in ACTIONS, f"one of {', '.join(ACTIONS)}", None),
    "customer": (lambda value: isinstance(value, str), "the name of a customer", None),
    "probability": (
        lambda value: type(value) in (int, float) and 0 <= value <= 1, "from 0 to 1", None),
    "next": (lambda value: type(value) is int and value > 0, "a whole number above 0", None),
    "milliseconds": (
        lambda value: type(value) is int and 0 <= value <= MILLISECONDS_MAX,
        f"a whole number up to {MILLISECONDS_MAX}", WAITS),
    "status": (
        lambda value: type(value) is int and 201 <= value <= 599, "a status from 201 to 599",
        ERRORS),
    "bytes": (
        lambda value: type(value) is int and 0 < value <= BYTES_MAX,
        f"a whole number from 1 to {BYTES_MAX}", {"huge"}),
}
NEEDED = {"milliseconds": WAITS, "status": ERRORS, "bytes": {"huge"}}


def checked(rules) -> list[dict]:
    """Copies of rules that are right; the first that is not is refused with a sentence."""
    if not isinstance(rules, list) or len(rules) > RULES_MAX:
        raise Refused(400, f"faults are a JSON array of at most {RULES_MAX} rules")
    for number, rule in enumerate(rules, 1):
        if not isinstance(rule, dict):
            raise Refused(400, f"rule {number} is no JSON object")
        fault = rule.get("fault")
        if fault not in KINDS:
            raise Refused(400, f"rule {number}: fault must be one of {', '.join(sorted(KINDS))}")
        for name in rule.keys() - {"fault"}:
            allowed, wanted, faults = SETTINGS.get(name, (None, None, None))
            if allowed is None or faults is not None and fault not in faults:
                raise Refused(400, f"rule {number}: {fault} has no {name}")
            if not allowed(rule[name]):
                raise Refused(400, f"rule {number}: {name} must be {wanted}")
        for name, faults in NEEDED.items():
            if fault in faults and name not in rule:
                raise Refused(400, f"rule {number}: {fault} needs {name}")
        if "customer" in rule and rule.get("address") != "/authorizations":
            raise Refused(400, f"rule {number}: only /authorizations names a customer")
        if fault == "decline" and rule.get("address") not in (
                "/authorizations", "/captures", "/refunds"):
            raise Refused(
                400, f"rule {number}: decline needs the address /authorizations, /captures or "
                "/refunds; a void is never declined without a reason")
    return [dict(rule) for rule in rules]


class Faults:
    """The rules in force. Threads draw from one generator, so the seed fixes the draws and their
    order, not which request meets which."""

    def __init__(self, rules, seed: int):
        self.lock = threading.Lock()
        self.random = random.Random(seed)
        self.rules = checked(rules)
        # How often each fault happened.
        self.counts: dict[str, int] = {}

    def set(self, rules) -> None:
        new = checked(rules)
        with self.lock:
            self.rules = new

    def shown(self) -> list[dict]:
        with self.lock:
            return [dict(rule) for rule in self.rules]

    def draw(self, address: str, fields: dict) -> dict | None:
        """What goes wrong with the travel of a request or its answer."""
        return self.fitting(address, fields, is_decline=False)

    def reason_to_decline(self, address: str, fields: dict) -> str | None:
        if self.fitting(address, fields, is_decline=True) is None:
            return None
        return "The card was declined."

    def fitting(self, address: str, fields: dict, is_decline: bool) -> dict | None:
        with self.lock:
            for rule in self.rules:
                if (rule["fault"] == "decline") != is_decline:
                    continue
                if rule.get("address", address) != address or rule.get("next") == 0:
                    continue
                if rule.get("customer", fields.get("customer")) != fields.get("customer"):
                    continue
                if self.random.random() >= rule.get("probability", 1):
                    continue
                if "next" in rule:
                    rule["next"] -= 1
                self.counts[rule["fault"]] = self.counts.get(rule["fault"], 0) + 1
                return dict(rule)
        return None
