"""Judges how subscriptions stand: a row each, against the walk through what happened to it."""

from periods import retry_length


def row_findings(row, life, world, find) -> None:
    newest = life.newest
    if newest is None:
        find("row-wrong", "it has no period")
        return
    for name, mine in (
            ("newest_id", newest["id"]), ("product_id", newest["product_id"]),
            ("started_ms", newest["purchased_ms"]), ("expires_ms", newest["expires_ms"]),
            ("renewal_count", life.renewals), ("is_auto_renewing", int(life.auto_renews)),
            ("expiration_reason", life.reason), ("grace_until_ms", life.served_until)):
        if row[name] != mine:
            find("row-wrong", f"its {name} is {row[name]}, not {mine}")
    if row["price_milliunits"] not in life.ledger.price:
        find("row-wrong", f"it goes on at {row['price_milliunits']}, not {life.ledger.price}")
    phases = {
        "active": "active", "failing": "gracePeriod" if life.served_until else "billingRetry",
        "expired": "expired", "revoked": "revoked"}
    if row["phase"] != phases.get(life.state):
        find("row-wrong", f"it is {row['phase']} and the history says {life.state}")
    planned = row["next_product_id"] or row["product_id"]
    if life.state in ("active", "failing") and planned != life.planned:
        find("row-wrong", f"it renews as {planned}, not as {life.planned}")
    due = due_of(row)
    if row["due_ms"] != due:
        find("due-wrong", f"it is due at {row['due_ms']}, not at {due}")
    if row["due_ms"] is not None and row["due_ms"] <= world.now:
        find("overdue", f"it was due at {row['due_ms']} and it is {world.now}")
    if life.state == "failing":
        until = life.end() + retry_length(world.pace)
        if row["retry_ends_ms"] != until:
            find("due-wrong", f"it is tried until {row['retry_ends_ms']}, not {until}")
    question_findings(row, life.consents, find)


def question_findings(row, consents, find) -> None:
    """A price increase that needs consent names its question, and both say the same."""
    consent, number = row["increase_consent"], row["increase_question"]
    if consent in (None, "notNeeded"):
        if number is not None:
            find("question-wrong", f"it names question {number} and asks nothing")
        return
    asked = consents.get(str(number))
    mine = (consent, row["product_id"], row["increase_milliunits"])
    if asked is None or asked["withdrawn_ms"] is not None or mine != (
            asked["answer"] or "pending", asked["product_id"], asked["new_milliunits"]):
        find("question-wrong", f"question {number} is not about {mine}")


def due_of(row) -> int | None:
    """When something must happen to it by itself."""
    match row["phase"]:
        case "active":
            return row["expires_ms"]
        case "gracePeriod":
            tries = row["retry_next_ms"] if row["is_auto_renewing"] else row["grace_until_ms"]
            return min(row["grace_until_ms"], tries)
        case "billingRetry":
            return min(row["retry_ends_ms"], row["retry_next_ms"])
        case _:
            return None


def period_findings(periods: list, world, find) -> None:
    """Periods ascend and never overlap; one that another took the place of ended then."""
    original = periods[0]
    before = None
    for row in periods:
        if row["original_id"] != original["id"]:
            find("original-wrong", f"{row['id']} counts as {row['original_id']}")
        if row["originally_purchased_ms"] != original["purchased_ms"]:
            find("original-wrong", f"{row['id']} has another first date")
        if row["expires_ms"] < row["purchased_ms"]:
            find("length", f"{row['id']} ends before it begins")
        if row["quantity"] != 1 or row["kind"] != "autoRenewable":
            find("sale-wrong", f"{row['id']} is {row['quantity']} of a {row['kind']}")
        if before is not None:
            ends = [before["expires_ms"], before["upgraded_ms"], world.taken_at.get(before["id"])]
            if row["purchased_ms"] < min(end for end in ends if end is not None):
                find("overlap", f"{row['id']} begins before {before['id']} ends")
            taken = before["upgraded_ms"]
            if taken is not None and (row["purchased_ms"] != taken or row["is_renewal"]):
                find("upgrade-wrong", f"nothing took the place of {before['id']}")
        before = row
    if before["upgraded_ms"] is not None:
        find("upgrade-wrong", f"nothing took the place of {before['id']}")
    attempts = world.attempts
    for row in periods:
        key = (row["device_id"], row["attempt_id"])
        if bool(row["is_renewal"]) == (key in attempts):
            find("sale-without-attempt", f"{row['id']} and attempt {key[1]} do not fit")
        elif not row["is_renewal"] and attempts[key] != row["id"]:
            find("sale-twice", f"attempt {key[1]} became {attempts[key]} and {row['id']}")
