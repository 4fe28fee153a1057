"""The options of the verifiers that ask a running store."""

import argparse
import asyncio
import contextlib
import os
import pathlib
import socket
import sqlite3


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
    # A proxy of the machine must not stand between the clients and a local store.
    os.environ["NO_PROXY"] = "*"
    arguments = parser.parse_args()
    arguments.token = (arguments.data / "control-token").read_text(encoding="utf-8").strip()
    arguments.keys = str(arguments.data / "keys")
    return arguments


def rows(data):
    """Every row of the default world, by table; of a store that nobody changes meanwhile."""
    world = (data / "worlds/default.sqlite").resolve().as_uri()
    with contextlib.closing(sqlite3.connect(f"{world}?mode=ro", uri=True)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"')))
            for name, in tables}


def lead_names_to(port):
    """Has every name of Apple's at port 443 resolved to a port of this machine.

    What /etc/hosts and a redirection of port 443 do on an owner's machine, this does for its own process
    alone.
    """
    known = socket.getaddrinfo

    def find(host, wanted, *rest, **named):
        name = host.decode() if isinstance(host, bytes) else host
        if name and name.endswith(".apple.com") and wanted in (443, "443", "https"):
            return known("127.0.0.1", port, *rest, **named)
        return known(host, wanted, *rest, **named)

    socket.getaddrinfo = find
    connect = asyncio.BaseEventLoop.create_connection

    # The asynchronous client takes the addresses alone and connects to the port that it named.
    async def reach(loop, protocol, host=None, wanted=None, **named):
        return await connect(
            loop, protocol, host, port if wanted == 443 else wanted, **named)

    asyncio.BaseEventLoop.create_connection = reach
