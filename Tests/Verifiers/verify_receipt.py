#!/usr/bin/env python3
"""Checks a receipt with verifiers that this project did not write.

    verify_receipt.py ROOT.pem RECEIPT.der [--guid UUID --bundle-id ID]

One line per check; stops with exit status 1 at the first that fails.
"""

import argparse
import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import uuid

from apple_purchase_receipt_verifier import Config, Reason, Verifier

# Running the checks leaves no compiled file beside them.
sys.dont_write_bytecode = True
import receipt_walk


def check(name: str, holds: bool, detail: str = "") -> None:
    print(f"{'ok' if holds else 'FAILED'}: {name}{': ' + detail if detail else ''}", flush=True)
    if not holds:
        sys.exit(1)


def openssl(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)


def cms_verify(folder: pathlib.Path, root: pathlib.Path, receipt: bytes) -> tuple[bool, str]:
    (folder / "receipt.der").write_bytes(receipt)
    done = openssl(
        "cms", "-verify", "-inform", "der", "-in", str(folder / "receipt.der"),
        "-CAfile", str(root), "-purpose", "any", "-out", str(folder / "payload.der"))
    return done.returncode == 0, done.stderr.strip().replace("\n", " | ")


def other_root(folder: pathlib.Path) -> pathlib.Path:
    """A root of nobody."""
    path = folder / "other.pem"
    done = openssl(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(folder / "other.key"),
        "-out", str(path), "-days", "30", "-subj", "/O=Example/CN=Other Root")
    if done.returncode != 0:
        sys.exit(f"openssl could not make another root: {done.stderr}")
    return path


def check_with_openssl(
    folder: pathlib.Path, root: pathlib.Path, other: pathlib.Path, receipt: bytes,
    altered: dict[str, bytes],
) -> None:
    accepted, detail = cms_verify(folder, root, receipt)
    check("openssl cms -verify accepts the receipt", accepted, detail)
    signed = receipt_walk.octets(receipt, receipt_walk.content(receipt))
    check("openssl gives the payload back", (folder / "payload.der").read_bytes() == signed)
    for name, copy in altered.items():
        accepted, _ = cms_verify(folder, root, copy)
        check(f"openssl cms -verify refuses {name}", not accepted)
    accepted, _ = cms_verify(folder, other, receipt)
    check("openssl cms -verify refuses another root", not accepted)


def check_with_apple_purchase_receipt_verifier(
    root: pathlib.Path, other: pathlib.Path, receipt: bytes, altered: dict[str, bytes],
) -> None:
    package = "apple-purchase-receipt-verifier"
    verifier = Verifier(Config(roots=[root.read_bytes()]))
    result = verifier.verify_receipt(base64.b64encode(receipt).decode())
    check(f"{package} accepts the receipt", result.verified, str(result.failure or ""))
    values = receipt_walk.attributes(receipt)
    check(
        f"{package} reads the bundle identifier",
        result.payload.bundle_id == receipt_walk.text(receipt, values[2]),
        result.payload.bundle_id)
    for purchase in result.payload.in_app:
        complete = None not in (
            purchase.quantity, purchase.product_id, purchase.transaction_id,
            purchase.purchase_date_ms, purchase.original_transaction_id,
            purchase.original_purchase_date_ms)
        check(f"{package} reads purchase {purchase.transaction_id}", complete)
    for name, copy in altered.items():
        result = verifier.verify_receipt(base64.b64encode(copy).decode())
        refused = not result.verified and result.failure.reason is Reason.INVALID_SIGNATURE
        check(f"{package} refuses {name}", refused, str(result.failure))
    stranger = Verifier(Config(roots=[other.read_bytes()]))
    result = stranger.verify_receipt(base64.b64encode(receipt).decode())
    refused = not result.verified and result.failure.reason is Reason.UNTRUSTED_CHAIN
    check(f"{package} refuses another root", refused, str(result.failure))
    result = Verifier(Config()).verify_receipt(base64.b64encode(receipt).decode())
    check(f"{package} refuses the receipt under Apple's own roots", not result.verified)


def check_device_hash(receipt: bytes, guid: bytes, bundle_id: str) -> None:
    """Apple: SHA-1 over the guid, attribute 4 and attribute 2 with its tag and length."""
    values = receipt_walk.attributes(receipt)
    found = receipt_walk.text(receipt, values[2])
    check("the bundle identifier is the expected one", found == bundle_id, found)
    digest = hashlib.sha1(usedforsecurity=False)
    digest.update(guid)
    digest.update(receipt_walk.octets(receipt, values[4]))
    digest.update(receipt_walk.octets(receipt, values[2]))
    inside = receipt_walk.octets(receipt, values[5])
    check("the device hash fits", digest.digest() == inside, inside.hex())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("receipt", type=pathlib.Path)
    parser.add_argument("--guid", type=uuid.UUID)
    parser.add_argument("--bundle-id")
    options = parser.parse_args()
    if (options.guid is None) != (options.bundle_id is None):
        parser.error("--guid and --bundle-id go together")
    receipt = options.receipt.read_bytes()
    bundle = receipt_walk.attributes(receipt)[2]
    altered = {
        "a copy with one bit of the payload turned": receipt_walk.flipped(receipt, bundle.end - 1),
        "a copy with one bit of the signature turned":
            receipt_walk.flipped(receipt, len(receipt) - 1),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        other = other_root(folder)
        check_with_openssl(folder, options.root, other, receipt, altered)
        check_with_apple_purchase_receipt_verifier(options.root, other, receipt, altered)
    if options.guid is not None:
        check_device_hash(receipt, options.guid.bytes, options.bundle_id)


if __name__ == "__main__":
    main()
