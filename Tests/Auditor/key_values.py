"""Reads the key values of a store and of its devices, by rules of its own."""

import base64
import json
import math

KEYS_MAX = 1024
KEY_BYTES_MAX = 64
BYTES_MAX = 1 << 20
UNIT_BYTES = 8


def size(value) -> int:
    """What a value counts for; raises ValueError for what is none."""
    if not isinstance(value, dict) or len(value) != 1:
        raise ValueError(f"{str(value)[:80]} does not name its kind")
    kind, content = next(iter(value.items()))
    if kind == "boolean" and isinstance(content, bool):
        return UNIT_BYTES
    if isinstance(content, bool):
        raise ValueError(f"a truth value is no {kind}")
    if kind == "integer" and isinstance(content, int) and -(2**63) <= content < 2**64:
        return UNIT_BYTES
    if kind in ("real", "date"):
        if content in ("inf", "-inf", "nan") or (
            isinstance(content, (int, float)) and math.isfinite(content)):
            return UNIT_BYTES
    if kind == "string" and isinstance(content, str):
        return len(content.encode())
    if kind == "data" and isinstance(content, str):
        return len(base64.b64decode(content, validate=True))
    if kind == "array" and isinstance(content, list):
        return sum(size(element) + UNIT_BYTES for element in content)
    if kind == "dictionary" and isinstance(content, dict):
        return sum(
            len(key.encode()) + size(member) + UNIT_BYTES for key, member in content.items())
    raise ValueError(f"{str(content)[:80]} is no {kind}")


def check_store(rows, find) -> dict:
    """Judges the rows; the revision of each account in each app."""
    states = {
        (row["account_id"], row["app_id"]): row
        for row in rows("SELECT * FROM key_value_revision")}
    for place, state in states.items():
        if not 0 <= state["forgotten"] <= state["revision"] or state["revision"] < 1:
            find("key-value-revision", f"{place} is at {state['revision']}")
    totals: dict = {}
    for row in rows("SELECT * FROM key_value"):
        place = (row["account_id"], row["app_id"])
        name = f"{place} {row['name']!r}"
        state = states.get(place)
        if state is None or not 1 <= row["revision"] <= state["revision"]:
            find("key-value-revision", f"{name} changed at a revision that never was")
        elif row["value"] is None and row["revision"] <= state["forgotten"]:
            find("key-value-revision", f"{name} was removed before what is forgotten")
        if not 1 <= len(row["name"].encode()) <= KEY_BYTES_MAX:
            find("key-value-damaged", f"{name} is no key")
        try:
            count = 0 if row["value"] is None else size(json.loads(row["value"]))
        except ValueError as error:
            find("key-value-damaged", f"{name}: {error}")
            continue
        if count != row["byte_count"]:
            find("key-value-size", f"{name} has {count} bytes and not {row['byte_count']}")
        if row["value"] is not None:
            keys, total = totals.get(place, (0, 0))
            totals[place] = (keys + 1, total + count)
    for place, (keys, total) in totals.items():
        if keys > KEYS_MAX or total > BYTES_MAX:
            find("key-values-full", f"{place} has {keys} keys with {total} bytes")
    return {place: state["revision"] for place, state in states.items()}


def check_device(device, world, places, find) -> None:
    """Judges the files of a device; `places` gives the revisions by account and app."""
    folder = device / "key-values"
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or path.name in ("lock", "owner.json") or path.suffix == ".tmp":
            continue
        try:
            record = json.loads(path.read_bytes())
            if path.suffix != ".json":
                raise ValueError("it was set aside")
            for value in record["stored"].values():
                size(value)
            owner = record.get("owner")
            known = record.get("revision", 0)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            find("key-value-damaged", f"{path}: {error}")
            continue
        if owner and owner["customer"]["worldId"] == world:
            newest = places.get((owner["environment"], owner["customer"]["account"]), 0)
            if known > newest:
                find("key-value-ahead", f"{path} knows {known}, the store has {newest}")
