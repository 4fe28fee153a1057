"""Judges what is bought at once and never renews, in worlds of subscriptions: price and original."""


def single_findings(sold: list, events: list, prices, find) -> None:
    """`sold` are an account's purchases of all kinds but subscriptions, `events` all of its own."""
    by_id = {row["id"]: row for row in sold}
    told = []
    # What is owned for good: the first purchases that stand, by product.
    owned: dict[str, list[int]] = {}
    for event in events:
        row = by_id.get(event["transaction_id"])
        if row is None:
            continue
        product, original = row["product_id"], row["original_id"]
        firsts = owned.setdefault(product, [])
        if event["kind"] == "revoked" and original in firsts:
            firsts.remove(original)
        elif event["kind"] == "refundReversed" and original not in firsts:
            firsts.append(original)
        elif event["kind"] == "purchased":
            told.append(row["id"])
            price_findings(row, firsts, prices, find)
            if event["at_ms"] != row["purchased_ms"]:
                find("event-wrong", f"{row['id']} was bought at {event['at_ms']}")
            if row["kind"] == "nonConsumable" and original not in firsts:
                firsts.append(original)
    for number in by_id.keys() - set(told):
        find("event-lost", f"the history does not know of {number}")
    if len(told) != len(set(told)):
        find("event-twice", f"the history has purchases twice: {told}")


def price_findings(row, firsts: list[int], prices, find) -> None:
    """What is owned already costs nothing and counts as the first; all else its price."""
    is_again = row["kind"] == "nonConsumable" and bool(firsts)
    allowed = firsts if is_again else [row["id"]]
    if row["original_id"] not in allowed:
        find("original-wrong", f"{row['id']} counts as {row['original_id']}, not {allowed}")
    at = row["purchased_ms"]
    due = {0} if is_again else {
        price * row["quantity"] for price in prices.at(row["product_id"], at)}
    if row["charged_milliunits"] not in due:
        find("money", f"{row['id']} was charged {row['charged_milliunits']}, not {sorted(due)}")
    if not prices.may_be_sold(row["product_id"], at):
        find("sold-removed", f"{row['id']} was bought and not for sale")
