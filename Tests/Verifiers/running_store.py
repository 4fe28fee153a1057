"""The options of the verifiers that ask a running store."""

import argparse
import pathlib


def options(description):
    """A parser of the store's address and data directory, to which other options may be added."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="where the store listens")
    parser.add_argument("data", type=pathlib.Path, help="its data directory")
    return parser


def read(parser):
    """The arguments with what the directory has: `token`, the control token, and `keys`, the folder of
    the keys."""
    arguments = parser.parse_args()
    arguments.token = (arguments.data / "control-token").read_text(encoding="utf-8").strip()
    arguments.keys = str(arguments.data / "keys")
    return arguments
