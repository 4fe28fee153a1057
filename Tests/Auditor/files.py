"""What lies beside the databases: devices, prices, what the apps printed."""

import decimal
import json
import pathlib
import shutil
import sqlite3


def open_copy(path: pathlib.Path, copy: pathlib.Path) -> sqlite3.Connection:
    """Opens a database as its program would find it if it started now; the file stays as it is."""
    if not path.exists():
        raise LookupError(f"there is no {path}")
    shutil.copyfile(path, copy)
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        shutil.copyfile(wal, copy.with_name(copy.name + "-wal"))
    connection = sqlite3.connect(copy)
    connection.row_factory = sqlite3.Row
    return connection


def device_guid(device: pathlib.Path) -> str:
    return json.loads((device / "device.json").read_bytes())["guid"]


def read_told(folder: pathlib.Path, device: str) -> list[list[str]]:
    """The words of each whole line; the last of a killed app may be cut."""
    path = folder / "told" / f"{device}.txt"
    if not path.exists():
        return []
    return [line.split(" ") for line in path.read_text().split("\n") if line]


def read_prices(catalogue: pathlib.Path) -> dict[str, int]:
    """Milliunits by product, of what is sold once or in numbers."""
    products = json.loads(catalogue.read_bytes())
    listed = products.get("products", []) + products.get("nonRenewingSubscriptions", [])
    return {
        product["productID"]: int(decimal.Decimal(product["displayPrice"]) * 1000)
        for product in listed}


def read_shareable(catalogue: pathlib.Path) -> set[str]:
    """The products that a family shares: never those that are used up, or end by themselves."""
    root = json.loads(catalogue.read_bytes())
    listed = [
        product for product in root.get("products", []) if product["type"] == "NonConsumable"]
    for group in root.get("subscriptionGroups", []):
        listed += group["subscriptions"]
    return {product["productID"] for product in listed if product.get("familyShareable")}
