"""What an answer of verifyReceipt about subscriptions must say, value by value.

Written from Apple's documentation and public answers, without a line of the product: `unified(name,
body)` for an app's receipt, `old(name, body)` for that of one transaction. Each raises a Finding at
the first value that cannot be, or that another one contradicts. The store has settled what was due:
what is over is told to be over.
"""

import datetime
import re

import pytz

PACIFIC = pytz.timezone("America/Los_Angeles")
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FLAGS = {"true", "false"}
BITS = {"0", "1"}
PERIOD_FIELDS = {
    "quantity", "product_id", "transaction_id", "original_transaction_id", "expires_date",
    "expires_date_ms", "expires_date_pst", "web_order_line_item_id", "is_trial_period",
    "is_in_intro_offer_period", "promotional_offer_id", "in_app_ownership_type",
    "cancellation_reason"} | {
    f"{base}{end}" for base in ("purchase_date", "original_purchase_date", "cancellation_date")
    for end in ("", "_ms", "_pst")}
LATEST_FIELDS = PERIOD_FIELDS | {
    "subscription_group_identifier", "is_upgraded", "offer_code_ref_name", "app_account_token"}
OLD_FIELDS = (PERIOD_FIELDS - {
    "expires_date_ms", "expires_date_pst", "promotional_offer_id", "in_app_ownership_type"}) | {
    "expires_date_formatted", "expires_date_formatted_pst", "unique_identifier",
    "unique_vendor_identifier", "item_id", "app_item_id", "version_external_identifier", "bid",
    "bvrs"}
RENEWAL_FIELDS = {
    "auto_renew_product_id", "original_transaction_id", "product_id", "auto_renew_status",
    "expiration_intent", "is_in_billing_retry_period", "price_consent_status",
    "price_increase_status", "grace_period_expires_date", "grace_period_expires_date_ms",
    "grace_period_expires_date_pst", "offer_code_ref_name", "promotional_offer_id"}
RECEIPT_NUMBERS = {"adam_id", "app_item_id", "download_id", "version_external_identifier"}


class Finding(Exception):
    pass


def check(name, holds, detail=""):
    if not holds:
        raise Finding(f"{name}: {detail}")


def digits(name, value):
    check(name, isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value), repr(value))
    return int(value)


def one_of(name, value, known):
    check(name, value in known, repr(value))


def texts(name, one, but=()):
    for key, value in one.items():
        if key not in but:
            check(f"{name}.{key} is text", isinstance(value, str) and value != "", repr(value))


def written(milliseconds, zone, place):
    moment = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S} {place}"


def same_date(name, milliseconds, utc, pacific, whole=True):
    """The three forms of a date, which say the same; gives it in milliseconds."""
    number = digits(f"{name} in milliseconds", milliseconds)
    check(f"{name} is a whole second", not whole or number % 1000 == 0, str(number))
    check(f"{name} in UTC", utc == written(number, datetime.timezone.utc, "Etc/GMT"), repr(utc))
    check(
        f"{name} in Los Angeles", pacific == written(number, PACIFIC, "America/Los_Angeles"),
        repr(pacific))
    return number


def date(name, one, base, whole=True):
    """A date in three forms; None when none of them is there."""
    forms = [one.get(base + end) for end in ("_ms", "", "_pst")]
    if forms == [None, None, None]:
        return None
    return same_date(f"{name}.{base}", *forms, whole=whole)


def period(name, one, fields, is_old=False):
    """What either style says of a purchase; gives when it was bought and ends."""
    check(f"{name} has known fields", set(one) <= fields, str(set(one) - fields))
    texts(name, one)
    quantity = digits(f"{name}.quantity", one["quantity"])
    check(f"{name}.quantity", 1 <= quantity <= 10, str(quantity))
    digits(f"{name}.transaction_id", one["transaction_id"])
    digits(f"{name}.original_transaction_id", one["original_transaction_id"])
    bought = date(name, one, "purchase_date", whole=not is_old)
    first = date(name, one, "original_purchase_date", whole=not is_old)
    check(f"{name} has its dates", bought is not None and first is not None)
    check(f"{name} is not before its original", first <= bought, f"{first} to {bought}")
    is_original = one["transaction_id"] == one["original_transaction_id"]
    check(f"{name} is its original", not is_original or first == bought, f"{first} to {bought}")
    if is_old and "expires_date" in one:
        ends = same_date(
            f"{name}.expires_date", one["expires_date"], one.get("expires_date_formatted"),
            one.get("expires_date_formatted_pst"), whole=False)
    else:
        ends = None if is_old else date(name, one, "expires_date")
    is_subscription = "web_order_line_item_id" in one
    if is_subscription:
        digits(f"{name}.web_order_line_item_id", one["web_order_line_item_id"])
    check(f"{name} ends", is_subscription == (ends is not None) or is_old, str(ends))
    check(f"{name} lasts", ends is None or ends > bought, f"{bought} to {ends}")
    check(
        f"{name} says whether it is an introduction",
        ("is_in_intro_offer_period" in one) == is_subscription)
    if not is_old or is_subscription:
        one_of(f"{name}.is_trial_period", one.get("is_trial_period"), FLAGS)
    one_of(f"{name}.is_in_intro_offer_period", one.get("is_in_intro_offer_period", "true"), FLAGS)
    check(
        f"{name} is no paid trial",
        [one.get("is_trial_period"), one.get("is_in_intro_offer_period")] != ["true", "true"])
    cancelled = date(name, one, "cancellation_date", whole=not is_old)
    check(f"{name} is cancelled after it was bought", cancelled is None or cancelled >= bought)
    if "cancellation_reason" in one:
        one_of(f"{name}.cancellation_reason", one["cancellation_reason"], BITS)
        check(f"{name} was cancelled at a moment", cancelled is not None)
    return bought, ends


def offers(name, one, is_subscription):
    kinds = {"promotional_offer_id", "offer_code_ref_name"} & set(one)
    check(f"{name} has one offer at most", len(kinds) <= 1, str(kinds))
    check(f"{name} has an offer of a subscription", is_subscription or not kinds, str(kinds))


def unified_period(name, one, fields):
    found = period(name, one, fields)
    one_of(
        f"{name}.in_app_ownership_type", one.get("in_app_ownership_type"),
        {"PURCHASED", "FAMILY_SHARED"})
    offers(name, one, found[1] is not None)
    return found


def latest_period(name, one):
    bought, ends = unified_period(name, one, LATEST_FIELDS)
    check(
        f"{name} has a group", ("subscription_group_identifier" in one) == (ends is not None))
    if "is_upgraded" in one:
        one_of(f"{name}.is_upgraded", one["is_upgraded"], {"true"})
        check(f"{name} was upgraded at a moment", "cancellation_date" in one)
    is_refund = "cancellation_date" in one and "is_upgraded" not in one
    check(f"{name} was refunded for a reason", not is_refund or "cancellation_reason" in one)
    if "app_account_token" in one:
        token = one["app_account_token"].lower()
        check(f"{name}.app_account_token", UUID.fullmatch(token), token)
    return bought, ends


def standing(name, one):
    """Why it did not renew and whether payment is tried; None and None while it is active."""
    intent, retry = one.get("expiration_intent"), one.get("is_in_billing_retry_period")
    check(f"{name} has both or none", (intent is None) == (retry is None), f"{intent}, {retry}")
    if intent is not None:
        one_of(f"{name}.expiration_intent", intent, {"1", "2", "3", "4", "5"})
        one_of(f"{name}.is_in_billing_retry_period", retry, BITS)
        check(f"{name} is tried for want of money", retry == "0" or intent == "2", intent)
    return intent, retry


def renewal(name, one, newest, now):
    """A pending renewal, of a subscription with this newest period."""
    check(f"{name} has known fields", set(one) <= RENEWAL_FIELDS, str(set(one) - RENEWAL_FIELDS))
    texts(name, one)
    one_of(f"{name}.auto_renew_status", one.get("auto_renew_status"), BITS)
    check(f"{name}.auto_renew_product_id", "auto_renew_product_id" in one)
    check(
        f"{name}.product_id", one.get("product_id") == newest["product_id"],
        f"{one.get('product_id')}, not {newest['product_id']}")
    intent, retry = standing(name, one)
    ends = int(newest["expires_date_ms"])
    is_over = ends <= now or "cancellation_date" in newest
    check(f"{name} is told to be over when it is", (intent is not None) == is_over, str(intent))
    check(f"{name} is over and not renewed", retry != "0" or one["auto_renew_status"] == "0")
    grace = date(name, one, "grace_period_expires_date")
    if grace is not None:
        check(f"{name} is served for who owes", retry == "1", str(retry))
        check(f"{name} is served now", ends < grace and now < grace, f"{ends} to {grace}")
    for field in ("price_consent_status", "price_increase_status"):
        one_of(f"{name}.{field}", one.get(field, "0"), BITS)
    if "price_consent_status" in one:
        check(
            f"{name} holds with consent only",
            one["price_consent_status"] == one.get("price_increase_status"))
    offers(name, one, True)


def receipt(name, one, environment):
    check(f"{name}.receipt_type", {
        "Sandbox": "ProductionSandbox", "Production": "Production"
    }.get(environment) == one.get("receipt_type"), f"{one.get('receipt_type')} in {environment}")
    texts(name, one, but=RECEIPT_NUMBERS | {"in_app"})
    for field in RECEIPT_NUMBERS:
        check(f"{name}.{field} is a number", type(one.get(field)) is int, repr(one.get(field)))
    for field in ("adam_id", "download_id"):
        check(
            f"{name}.{field} in {environment}",
            (one.get(field) == 0) == (environment == "Sandbox"), repr(one.get(field)))
    check(f"{name} names one app", one.get("adam_id") == one.get("app_item_id"))
    if environment == "Sandbox":
        check(f"{name} is of 2013", one.get("original_purchase_date_ms") == "1375340400000")
        check(f"{name} began as 1.0", one.get("original_application_version") == "1.0")
    for base in ("receipt_creation_date", "original_purchase_date"):
        check(f"{name}.{base}", date(name, one, base) is not None)
    now = date(name, one, "request_date", whole=False)
    check(f"{name}.request_date", now is not None)
    return now


# What never changes of a period, whenever a receipt was signed.
LASTING = [
    "quantity", "product_id", "original_transaction_id", "purchase_date_ms",
    "original_purchase_date_ms", "web_order_line_item_id", "is_trial_period",
    "is_in_intro_offer_period", "promotional_offer_id", "in_app_ownership_type"]


def unified(name, body):
    check(f"{name}.status", body["status"] == 0, str(body["status"]))
    now = receipt(f"{name}.receipt", body["receipt"], body["environment"])
    latest, held = body["latest_receipt_info"], body["receipt"]["in_app"]
    found = [latest_period(f"{name}.latest_receipt_info", one) for one in latest]
    order = [bought for bought, _ in found]
    check(f"{name} is newest first", order == sorted(order, reverse=True), str(order))
    periods = [one for one, (_, ends) in zip(latest, found) if ends is not None]
    by_transaction = {one["transaction_id"]: one for one in latest}
    check(f"{name} has each transaction once", len(by_transaction) == len(latest))
    newest = {}
    for one in periods:
        first = newest.setdefault(one["original_transaction_id"], one)
        for field in ("subscription_group_identifier", "in_app_ownership_type"):
            check(f"{name} has one {field}", one[field] == first[field], one[field])
    for one in held:
        _, ends = unified_period(f"{name}.in_app", one, PERIOD_FIELDS)
        if ends is not None:
            check(
                f"{name}.in_app is known", one["original_transaction_id"] in newest,
                one["original_transaction_id"])
        known = by_transaction.get(one["transaction_id"], one)
        for field in LASTING:
            check(
                f"{name}.in_app.{field} is the latest", one.get(field) == known.get(field),
                f"{one.get(field)}, not {known.get(field)}")
    pending = body["pending_renewal_info"]
    check(
        f"{name} has a renewal for each",
        sorted(one.get("original_transaction_id", "") for one in pending) == sorted(newest))
    for one in pending:
        renewal(
            f"{name}.pending_renewal_info", one, newest[one["original_transaction_id"]], now)
    texts(name, {"latest_receipt": body.get("latest_receipt")})
    return f"{len(latest)} periods, {len(pending)} subscriptions"


def old(name, body):
    status = body["status"]
    one_of(f"{name}.status", status, {0, 21006})
    check(f"{name} names no environment", "environment" not in body)
    latest_name = "latest_receipt_info" if status == 0 else "latest_expired_receipt_info"
    held, latest = body["receipt"], body.get(latest_name)
    check(f"{name}.{latest_name} is one period", isinstance(latest, dict))
    known = {"receipt", "status", "auto_renew_product_id", "auto_renew_status",
             "expiration_intent", "is_in_billing_retry_period", latest_name}
    known |= {"latest_receipt"} if status == 0 else set()
    check(f"{name} has known fields", set(body) <= known, str(set(body) - known))
    bought, _ = period(f"{name}.receipt", held, OLD_FIELDS, is_old=True)
    newest, ends = period(f"{name}.{latest_name}", latest, OLD_FIELDS, is_old=True)
    check(f"{name} is the newest", newest >= bought, f"{bought} to {newest}")
    check(f"{name}.{latest_name} ends", ends is not None)
    for field in ("original_transaction_id", "original_purchase_date_ms", "bid", "bvrs",
                  "unique_identifier", "unique_vendor_identifier", "app_item_id",
                  "version_external_identifier"):
        check(
            f"{name}.receipt.{field} is the latest", held.get(field) == latest.get(field),
            f"{held.get(field)}, not {latest.get(field)}")
    if held["transaction_id"] == latest["transaction_id"]:
        check(f"{name}.receipt is the latest", held == latest)
    check(
        f"{name} has both numbers of the app or none",
        ("app_item_id" in held) == ("version_external_identifier" in held))
    check(
        f"{name}.auto_renew_status is a number", type(body["auto_renew_status"]) is int,
        repr(body["auto_renew_status"]))
    one_of(f"{name}.auto_renew_status", body["auto_renew_status"], {0, 1})
    texts(name, {"auto_renew_product_id": body.get("auto_renew_product_id")})
    intent, retry = standing(name, body)
    if status == 0:
        texts(name, {"latest_receipt": body.get("latest_receipt")})
        check(f"{name} is served", intent is None or retry == "1", f"{intent}, {retry}")
    else:
        check(f"{name} ended for a reason", intent is not None)
    return f"status {status}"
