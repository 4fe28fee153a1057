#!/usr/bin/env python3
"""A payment provider for tests: it authorizes, captures, voids and refunds, and may do so badly.

It keeps to the interface that docs/payment-gateway.md tells, with a book in a SQLite file that
outlives both ends of the connection. Prints its address when it listens. Requests are done once by
their Idempotency-Key; faults, for which tests ask, concern how an answer travels, and which
payments are declined. No card is charged anywhere.
"""

import argparse
import json
import pathlib
import signal
import sqlite3
import sys

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
import faults
from book import Book, Refused
from connection import Provider

EXAMPLES = """examples:
  printf 's3cret' >/tmp/secret
  payment_provider.py --port 9090 --book /tmp/book.sqlite --secret-file /tmp/secret
  bodega serve --payment-gateway http://127.0.0.1:9090 --payment-secret-file /tmp/secret

  every third answer late, poor@example.com has no money, the next capture is not answered:
  payment_provider.py --book /tmp/book.sqlite --secret-file /tmp/secret --seed 7 --faults '[
    {"fault": "late", "milliseconds": 2000, "probability": 0.33},
    {"fault": "decline", "address": "/authorizations", "customer": "poor@example.com"},
    {"fault": "dropAfter", "address": "/captures", "next": 1}]'

  the same of one that runs, then what it knows and what happened (the secret is needed):
  curl -H "Authorization: Bearer s3cret" -d '{"faults": []}' http://127.0.0.1:9090/-/faults
  curl -H "Authorization: Bearer s3cret" http://127.0.0.1:9090/-/book
  curl -H "Authorization: Bearer s3cret" http://127.0.0.1:9090/-/faults

"""


def read_secret(path: pathlib.Path) -> bytes:
    secret = path.read_bytes().rstrip(b"\r\n")
    if not secret or any(byte <= 32 or byte > 126 for byte in secret):
        raise Refused(400, f"{path} must hold one secret of visible characters")
    return secret


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES + (faults.__doc__ or ""),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--book", required=True, metavar="FILE", help="made when it is missing")
    parser.add_argument("--secret-file", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument(
        "--faults", default="[]", metavar="JSON", help="an array of rules, as told below")
    parser.add_argument("--seed", type=int, default=1, help="of all chance; 1 by default")
    options = parser.parse_args()
    if not 0 <= options.port <= 65_535:
        parser.error("--port must be from 0 to 65535")
    return options


def main() -> int:
    options = read_arguments()
    try:
        rules = faults.Faults(json.loads(options.faults), options.seed)
        provider = Provider(
            ("127.0.0.1", options.port), Book(options.book), read_secret(options.secret_file),
            rules)
    except json.JSONDecodeError as error:
        print(f"payment_provider: --faults is no JSON: {error}", file=sys.stderr)
        return 2
    except (Refused, OSError, sqlite3.Error) as error:
        print(f"payment_provider: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"payment provider listens on http://127.0.0.1:{provider.server_port}", flush=True)
    try:
        provider.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
