#!/usr/bin/env python3
"""Checks a transaction receipt (iOS 6, version 2) with code that this project did not write.

    verify_transaction_receipt.py ROOT.pem AUTHORITY.pem RECEIPT [--expect KEY=VALUE ...]

The signature is checked by cryptography and by openssl, the text is read by Apple's library and by
a walker of its own. One line per check; stops with exit status 1 at the first that fails.
"""

import argparse
import base64
import pathlib
import subprocess
import sys
import tempfile

from appstoreserverlibrary.receipt_utility import ReceiptUtility
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.x509.oid import NameOID

# Running the checks leaves no compiled file beside them.
sys.dont_write_bytecode = True
import transaction_walk

MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.5.1")


def check(name: str, holds: bool, detail: str = "") -> None:
    print(f"{'ok' if holds else 'FAILED'}: {name}{': ' + detail if detail else ''}", flush=True)
    if not holds:
        sys.exit(1)


def openssl(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)


def fits(leaf: x509.Certificate, signature: bytes, signed: bytes) -> bool:
    try:
        leaf.public_key().verify(signature, signed, padding.PKCS1v15(), hashes.SHA1())
        return True
    except InvalidSignature:
        return False


def issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(issuer)
        return True
    except (InvalidSignature, ValueError, TypeError):
        return False


def check_certificates(
    leaf: x509.Certificate, authority: x509.Certificate, root: x509.Certificate
) -> None:
    (name,) = leaf.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    check("the certificate has Apple's name", name.value == "PurchaseReceiptCertificate")
    check("its key is RSA-1024", leaf.public_key().key_size == 1024)
    check("it has the marker", any(e.oid == MARKER for e in leaf.extensions))
    basic = leaf.extensions.get_extension_for_class(x509.BasicConstraints)
    check("it is no authority", not basic.value.ca)
    check("the authority issued it", issued(leaf, authority))
    check("the root issued the authority", issued(authority, root))
    check("the root did not issue the certificate itself", not issued(leaf, root))


def check_with_openssl(
    folder: pathlib.Path, root: pathlib.Path, authority: pathlib.Path,
    leaf: x509.Certificate, walked: transaction_walk.Walked,
) -> None:
    (folder / "leaf.pem").write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(leaf.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    (folder / "signed").write_bytes(bytes([walked.version]) + walked.info_text)
    (folder / "signature").write_bytes(walked.signature)
    chain = openssl(
        "verify", "-x509_strict", "-auth_level", "1", "-CAfile", str(root), "-untrusted",
        str(authority), str(folder / "leaf.pem"))
    check("openssl verify accepts the chain", chain.returncode == 0, chain.stderr.strip())
    for name, wanted in [("signed", True), ("leaf.pem", False)]:
        done = openssl(
            "dgst", "-sha1", "-verify", str(folder / "key.pem"), "-signature",
            str(folder / "signature"), str(folder / name))
        check(
            f"openssl dgst {'accepts' if wanted else 'refuses'} the signature over {name}",
            (done.returncode == 0) == wanted, done.stdout.strip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("authority", type=pathlib.Path)
    parser.add_argument("receipt", type=pathlib.Path)
    parser.add_argument("--expect", action="append", default=[])
    options = parser.parse_args()
    receipt = options.receipt.read_bytes()
    walked = transaction_walk.walk(receipt)
    root, authority = (
        x509.load_pem_x509_certificate(path.read_bytes())
        for path in (options.root, options.authority))
    leaf = x509.load_der_x509_certificate(walked.certificate)
    check_certificates(leaf, authority, root)
    signed = bytes([walked.version]) + walked.info_text
    check("the signature fits", fits(leaf, walked.signature, signed))
    check("the version is signed, too", not fits(leaf, walked.signature, b"\3" + signed[1:]))
    for offset in range(len(signed)):
        altered = bytearray(signed)
        altered[offset] ^= 0x04
        if fits(leaf, walked.signature, bytes(altered)):
            check(f"byte {offset} is signed", False)
    check("every byte of the purchase information is signed", True)
    with tempfile.TemporaryDirectory() as name:
        check_with_openssl(pathlib.Path(name), options.root, options.authority, leaf, walked)
    found = ReceiptUtility().extract_transaction_id_from_transaction_receipt(
        base64.b64encode(receipt).decode())
    check("Apple's library finds the transaction", found == walked.info["transaction-id"], found)
    for expectation in options.expect:
        key, value = expectation.split("=", 1)
        check(f"{key} is as expected", walked.info.get(key) == value, walked.info.get(key, "none"))


if __name__ == "__main__":
    main()
