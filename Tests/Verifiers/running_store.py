"""The options of the verifiers that ask a running store."""

import argparse


def options(description):
    """A parser of the store's address, its control token and the folder of its keys, to which others
    may be added."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="where the store listens")
    parser.add_argument("token", help="its control token")
    parser.add_argument("keys", help="the folder with its keys")
    return parser
