"""The form of the four requests: which fields each has, and what these may be."""

import json
import re

from book import Refused

MILLIUNITS_MAX = 2**53
TEXT_MAX = 1_000
KEY_MAX = 200

UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def is_uuid(value) -> bool:
    return isinstance(value, str) and UUID.fullmatch(value) is not None


def is_amount(value) -> bool:
    return type(value) is int and 0 < value <= MILLIUNITS_MAX


def is_currency(value) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Z]{3}", value) is not None


def is_number(value) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[1-9][0-9]{0,18}", value) is not None


def is_text(value) -> bool:
    return isinstance(value, str) and 0 < len(value) <= TEXT_MAX


def is_purpose(value) -> bool:
    return value in ("purchase", "renewal")


CHECKS = {
    "paymentId": (is_uuid, "a UUID"),
    "refundId": (is_uuid, "a UUID"),
    "milliunits": (is_amount, "a whole number above 0"),
    "currency": (is_currency, "three capital letters"),
    "customerId": (is_number, "a whole number above 0, as text"),
    "customer": (is_text, "a text that is not empty"),
    "bundleId": (is_text, "a text that is not empty"),
    "productId": (is_text, "a text that is not empty"),
    "purpose": (is_purpose, "purchase or renewal"),
}

FIELDS = {
    "/authorizations": (
        "paymentId", "milliunits", "currency", "customerId", "customer", "bundleId", "productId",
        "purpose"),
    "/captures": ("paymentId", "milliunits", "currency"),
    "/voids": ("paymentId",),
    "/refunds": ("paymentId", "refundId", "milliunits", "currency"),
}


def read_object(body: bytes) -> dict:
    """The JSON object of a body; a field that stands twice is refused."""

    def once(pairs: list) -> dict:
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                raise Refused(400, f"{name} stands twice")
        return dict(pairs)

    try:
        value = json.loads(body.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Refused(400, "the body is no JSON object")
    return value


def read_fields(address: str, body: bytes) -> dict:
    """The fields of a request, all that it must have and no others."""
    fields = read_object(body)
    for name in FIELDS[address]:
        if name not in fields:
            raise Refused(400, f"{name} is missing")
        check, wanted = CHECKS[name]
        if not check(fields[name]):
            raise Refused(400, f"{name} must be {wanted}")
    for name in fields:
        if name not in FIELDS[address]:
            raise Refused(400, f"{address} has no field {name[:100]!r}")
    return fields


def read_key(value: str | None) -> str:
    if value is None:
        raise Refused(400, "there is no Idempotency-Key")
    if not re.fullmatch(rf"[!-~]{{1,{KEY_MAX}}}", value):
        raise Refused(400, f"the Idempotency-Key is not 1 to {KEY_MAX} visible characters")
    return value
