#!/usr/bin/env python3
"""Checks signed data (a JWS with its certificates) with code that this project did not write.

    verify_signed_data.py ROOT.der JWS --bundle-id ID --environment NAME --ocsp URL
    verify_signed_data.py ROOT.der JWS --bundle-id ID --environment NAME --refused STATUS

The first form examines a transaction: its certificates byte for byte, with the address of their
responder, their chain with openssl and with cryptography's path builder, and the signature; then Apple's library must accept it, and refuse
it altered, for another app and for another environment. The second form expects that library to
refuse with a status, such as INVALID_CHAIN_LENGTH. One line per check; stops with exit status 1 at
the first that fails.
"""

import argparse
import base64
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID
from cryptography.x509.verification import ExtensionPolicy, PolicyBuilder, Store

APP = 1234567890
LEAF_NAME = "Prod ECC Mac App Store and iTunes Store Receipt Signing"
MARKER = "1.2.840.113635.100.6"

# Extensions in their order: type, whether critical, and the value as DER in hexadecimal.
KEY_IDENTIFIER = "KEY"
RESPONDER = "RESPONDER"
ACCESS = "1.3.6.1.5.5.7.1.1"
ISSUER_IDENTIFIER = "ISSUER"
CONSTRAINTS, USAGE = "2.5.29.19", "2.5.29.15"
SUBJECT_KEY, AUTHORITY_KEY, POLICIES = "2.5.29.14", "2.5.29.35", "2.5.29.32"
EXTENSIONS = {
    "leaf": [
        (CONSTRAINTS, True, "3000"),
        (AUTHORITY_KEY, False, ISSUER_IDENTIFIER),
        (ACCESS, False, RESPONDER),
        (POLICIES, False, "300e300c060a2a864886f76364050601"),
        (SUBJECT_KEY, False, KEY_IDENTIFIER),
        (USAGE, True, "03020780"),
        (MARKER + ".11.1", False, "0500"),
    ],
    "intermediate": [
        (CONSTRAINTS, True, "30060101ff020100"),
        (AUTHORITY_KEY, False, ISSUER_IDENTIFIER),
        (ACCESS, False, RESPONDER),
        (SUBJECT_KEY, False, KEY_IDENTIFIER),
        (USAGE, True, "03020106"),
        (MARKER + ".2.1", False, "0500"),
    ],
    "root": [
        (SUBJECT_KEY, False, KEY_IDENTIFIER),
        (CONSTRAINTS, True, "30030101ff"),
        (USAGE, True, "03020106"),
    ],
}
CURVES = {"leaf": "secp256r1", "intermediate": "secp384r1", "root": "secp384r1"}


def check(name: str, holds: bool, detail: str = "") -> None:
    print(f"{'ok' if holds else 'FAILED'}: {name}{': ' + detail if detail else ''}", flush=True)
    if not holds:
        sys.exit(1)


def from_url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_identifier(certificate: x509.Certificate) -> str:
    return x509.SubjectKeyIdentifier.from_public_key(certificate.public_key()).digest.hex()


def check_extensions(
        name: str, certificate: x509.Certificate, issuer: x509.Certificate, ocsp: str) -> None:
    access = x509.AuthorityInformationAccess([x509.AccessDescription(
        AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier(ocsp))])
    known = {
        RESPONDER: access.public_bytes().hex(),
        KEY_IDENTIFIER: "0414" + key_identifier(certificate),
        ISSUER_IDENTIFIER: "30168014" + key_identifier(issuer),
    }
    expected = [(t, critical, known.get(v, v)) for t, critical, v in EXTENSIONS[name]]
    found = [
        (e.oid.dotted_string, e.critical, e.value.public_bytes().hex())
        for e in certificate.extensions
    ]
    check(f"the {name}'s extensions, byte for byte", found == expected, str(found))


def check_certificates(chain: list, ocsp: str) -> None:
    for name, certificate, issuer in zip(EXTENSIONS, chain, chain[1:] + chain[-1:]):
        check(f"the {name}'s curve", certificate.public_key().curve.name == CURVES[name])
        check(
            f"the {name} is signed with ECDSA and SHA-384",
            certificate.signature_algorithm_oid.dotted_string == "1.2.840.10045.4.3.3")
        certificate.verify_directly_issued_by(issuer)
        check_extensions(name, certificate, issuer, ocsp)
        dates = (certificate.not_valid_before_utc.year, certificate.not_valid_after_utc.year)
        check(f"the {name}'s dates", dates == (2000, 2099))
    (leaf_name,) = chain[0].subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    check("the leaf has the name of Apple's", leaf_name.value == LEAF_NAME)
    units = chain[0].subject.get_attributes_for_oid(NameOID.ORGANIZATIONAL_UNIT_NAME)
    check("the leaf names one world", len(units) == 1)


def check_with_openssl(chain: list, moment: datetime.datetime) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, certificate in zip(EXTENSIONS, chain):
            pem = certificate.public_bytes(serialization.Encoding.PEM)
            pathlib.Path(folder, name).write_bytes(pem)
        done = subprocess.run(
            ["openssl", "verify", "-x509_strict", "-auth_level", "2", "-attime",
             str(int(moment.timestamp())), "-CAfile", "root", "-untrusted", "intermediate",
             "leaf"], capture_output=True, text=True, check=False, cwd=folder)
    check("openssl verify accepts the chain", done.returncode == 0, done.stderr.strip())


def check_with_path_builder(chain: list, moment: datetime.datetime) -> None:
    # Rules for authorities are those of the Web; a leaf there names a host, which ours does not.
    verifier = (
        PolicyBuilder().store(Store([chain[2]])).time(moment).max_chain_depth(1)
        .extension_policies(
            ca_policy=ExtensionPolicy.webpki_defaults_ca(),
            ee_policy=ExtensionPolicy.permit_all())
        .build_client_verifier())
    found = verifier.verify(chain[0], [chain[1]]).chain
    check("cryptography's path builder finds the chain", found == chain)


def is_signed(key: ec.EllipticCurvePublicKey, signature: bytes, text: str) -> bool:
    numbers = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    try:
        key.verify(
            utils.encode_dss_signature(*numbers), text.encode(), ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


def refusal(root: bytes, jws: str, bundle_id: str, environment: str) -> str:
    """The status with which Apple's library refuses a transaction, or "" when it accepts it."""
    verifier = SignedDataVerifier([root], False, Environment(environment), bundle_id, APP)
    try:
        verifier.verify_and_decode_signed_transaction(jws)
        return ""
    except VerificationException as failure:
        return failure.status.name


def examine(root: bytes, jws: str, ocsp: str) -> None:
    header_text, payload_text, signature_text = jws.split(".")
    header = json.loads(from_url(header_text))
    check("the header has alg and x5c only", sorted(header) == ["alg", "x5c"])
    check("alg is ES256", header["alg"] == "ES256")
    check("there are three certificates", len(header["x5c"]) == 3)
    ders = [base64.b64decode(text, validate=True) for text in header["x5c"]]
    check("the last one is the root", ders[2] == root)
    chain = [x509.load_der_x509_certificate(der) for der in ders]
    check_certificates(chain, ocsp)
    payload = json.loads(from_url(payload_text))
    moment = datetime.datetime.fromtimestamp(payload["signedDate"] // 1000, datetime.timezone.utc)
    check_with_openssl(chain, moment)
    check_with_path_builder(chain, moment)
    signature = from_url(signature_text)
    check("the signature has 64 bytes", len(signature) == 64)
    text = header_text + "." + payload_text
    check("the signature fits", is_signed(chain[0].public_key(), signature, text))
    check("the header is signed", not is_signed(chain[0].public_key(), signature, "A" + text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("jws", type=pathlib.Path)
    parser.add_argument("--bundle-id", required=True)
    parser.add_argument("--environment", required=True)
    parser.add_argument("--ocsp")
    parser.add_argument("--refused")
    options = parser.parse_args()
    root, jws = options.root.read_bytes(), options.jws.read_text(encoding="ascii")
    status = refusal(root, jws, options.bundle_id, options.environment)
    if options.refused:
        check("Apple's library refuses it", status == options.refused, status or "accepted")
        return
    examine(root, jws, options.ocsp)
    check("Apple's library accepts it", status == "", status)
    header_text, payload_text, signature_text = jws.split(".")
    payload = json.loads(from_url(payload_text)) | {"quantity": 9}
    altered = ".".join([header_text, to_url(json.dumps(payload).encode()), signature_text])
    other = "Production" if options.environment == "Sandbox" else "Sandbox"
    for name, found, expected in [
        ("altered", refusal(root, altered, options.bundle_id, options.environment),
         "VERIFICATION_FAILURE"),
        ("for another app", refusal(root, jws, "com.example.other", options.environment),
         "INVALID_APP_IDENTIFIER"),
        ("for another environment", refusal(root, jws, options.bundle_id, other),
         "INVALID_ENVIRONMENT"),
    ]:
        check(f"Apple's library refuses it {name}", found == expected, found or "accepted")


if __name__ == "__main__":
    main()
