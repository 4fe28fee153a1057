#!/usr/bin/env python3
"""Carries bytes between plain connections and a port that speaks TLS, so that tests that write their
requests byte by byte reach it.

    tls_relay.py TLS_PORT AUTHORITY

Prints the port that it listens at, and goes on until it is killed. The end of a client's side is
handed on as the end of the connection's, without a `close_notify`.
"""

import select
import socket
import ssl
import sys
import threading

SECONDS_MAX = 300


def carry(client, port, context):
    with client, socket.create_connection(("127.0.0.1", port)) as plain:
        plain.settimeout(SECONDS_MAX)
        with context.wrap_socket(plain, server_hostname="localhost") as server:
            is_sending = True
            while True:
                ready = [server] if server.pending() else select.select(
                    [client, server] if is_sending else [server], [], [], SECONDS_MAX)[0]
                if not ready:
                    return
                if server in ready:
                    # An end that nobody announced is an end.
                    data = receive(server)
                    if not data:
                        return
                    client.sendall(data)
                if client in ready:
                    data = client.recv(65_536)
                    is_sending = bool(data) and send(server, data)
                    if not data:
                        socket.socket.shutdown(server, socket.SHUT_WR)


def receive(server):
    try:
        return server.recv(65_536)
    except (ssl.SSLError, OSError):
        return b""


def send(server, data):
    try:
        server.sendall(data)
        return True
    except (ssl.SSLError, OSError):
        return False


def serve(client, port, context):
    try:
        carry(client, port, context)
    except OSError:
        pass


def main():
    context = ssl.create_default_context(cafile=sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(
            target=serve, args=(client, int(sys.argv[1]), context), daemon=True).start()


if __name__ == "__main__":
    main()
