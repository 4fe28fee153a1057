#!/usr/bin/env python3
"""An app's server for tests: keeps every notification on disk before it answers.

    notification_receiver.py --port PORT --log FILE [--faults JSON] [--seed N]

FILE gets a line of JSON for each request: its body as text, and how it is answered. It is written
and synced before the answer leaves, so that whoever kills this process finds what was taken. Faults
are chances in percent, by seed: {"status": 20, "close": 10, "hang": 1}: an answer 500, a connection
closed before the answer, and an answer that never comes.
"""

import argparse
import http.server
import json
import os
import random
import threading


class Receiver(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1_024

    def __init__(self, options):
        super().__init__(("127.0.0.1", options.port), Handler)
        self.file = open(options.log, "a+b")
        drop_torn_line(self.file)
        self.faults, self.random = json.loads(options.faults), random.Random(options.seed)
        self.lock = threading.Lock()

    def answer(self, body):
        """How a request is answered, noted on disk."""
        with self.lock:
            draw, answer = self.random.randrange(100), "200"
            for fault, chance in self.faults.items():
                if draw < chance:
                    answer = {"status": "500"}.get(fault, fault)
                    break
                draw -= chance
            self.file.write(json.dumps({"body": body, "answer": answer}).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        return answer


def drop_torn_line(file):
    """Cuts off a line that an earlier start was killed while it wrote: nobody got its answer."""
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        answer = self.server.answer(body)
        if answer == "hang":
            threading.Event().wait()
        if answer == "close":
            self.close_connection = True
            return
        self.send_response(int(answer))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", required=True)
    parser.add_argument("--faults", default="{}")
    parser.add_argument("--seed", type=int, default=1)
    receiver = Receiver(parser.parse_args())
    print(f"listens on http://127.0.0.1:{receiver.server_address[1]}", flush=True)
    receiver.serve_forever()


if __name__ == "__main__":
    main()
