#!/usr/bin/env python3
"""Signs promotional offers with Apple's library for servers, and checks others' signatures.

    sign_offer.py sign --key FILE …      prints both kinds of signature as JSON
    sign_offer.py verify --key FILE … --signature TEXT --jws TEXT

Checking uses cryptography and PyJWT, and puts the signed text together by itself.
"""

import argparse
import base64
import json
import pathlib
import sys
import uuid

import jwt
from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

TRANSACTION = "2000000000000000"


def check(name, holds):
    print(f"{'ok' if holds else 'FAILED'}: {name}", flush=True)
    if not holds:
        sys.exit(1)


def sign(options, pem):
    first = PromotionalOfferSignatureCreator(pem, options.key_id, options.bundle_id)
    second = PromotionalOfferV2SignatureCreator(
        pem, options.key_id, options.issuer_id, options.bundle_id
    )
    print(
        json.dumps(
            {
                "signature": first.create_signature(
                    options.product,
                    options.offer,
                    options.user,
                    uuid.UUID(options.nonce),
                    options.timestamp,
                ),
                "jws": second.create_signature(options.product, options.offer, TRANSACTION),
            }
        )
    )


def is_signed(key, signature, text):
    try:
        key.verify(base64.b64decode(signature, validate=True), text, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def verify(options, pem):
    key = serialization.load_pem_private_key(pem, password=None).public_key()
    parts = (
        options.bundle_id,
        options.key_id,
        options.product,
        options.offer,
        options.user.lower(),
        options.nonce.lower(),
        str(options.timestamp),
    )
    text = "\N{INVISIBLE SEPARATOR}".join(parts).encode()
    check("the signature fits", is_signed(key, options.signature, text))
    header = jwt.get_unverified_header(options.jws)
    check("the header", header == {"alg": "ES256", "kid": options.key_id, "typ": "JWT"})
    claims = jwt.decode(
        options.jws,
        key,
        algorithms=["ES256"],
        audience="promotional-offer",
        issuer=options.issuer_id,
    )
    expected = {
        "aud": "promotional-offer",
        "bid": options.bundle_id,
        "iat": options.timestamp // 1000,
        "iss": options.issuer_id,
        "nonce": options.nonce.lower(),
        "offerIdentifier": options.offer,
        "productId": options.product,
        "transactionId": TRANSACTION,
    }
    check("the claims", claims == expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sign", "verify"])
    parser.add_argument("--key", type=pathlib.Path)
    for name in ("key-id", "bundle-id", "issuer-id", "product", "offer", "user", "nonce"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--timestamp", type=int)
    parser.add_argument("--signature")
    parser.add_argument("--jws")
    options = parser.parse_args()
    {"sign": sign, "verify": verify}[options.what](options, options.key.read_bytes())


if __name__ == "__main__":
    main()
