#!/usr/bin/env python3
"""Has the payment provider of the tests do each thing badly that it can, and looks at its book."""

import contextlib
import http.client
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
from provider_case import ProviderCase
from provider_process import PROGRAM, ProviderProcess, authorization, capture, new_id, refund


class FaultCases(ProviderCase):
    def times(self, key: str) -> int:
        return sum(
            row["times"] for row in self.provider.read()["request"] if row["key"] == key)

    def test_dropped_connections_and_cut_answers_were_done_or_not(self):
        for fault, done in [("dropBefore", 0), ("dropAfter", 1), ("cut", 1)]:
            payment = new_id()
            self.provider.set_faults({"fault": fault, "next": 1})
            with self.assertRaises((http.client.HTTPException, OSError)):
                self.provider.ask("/authorizations", authorization(payment), payment)
            self.assertEqual(self.times(payment), done, fault)
            again = self.provider.outcome("/authorizations", authorization(payment), payment)
            self.assertEqual((again, self.times(payment)), ("approved", done + 1))

    def test_errors_have_their_status_and_were_done_or_not(self):
        for fault, done in [("errorBefore", 0), ("errorAfter", 1)]:
            for status in [204, 302, 429, 500, 503]:
                payment = new_id()
                self.provider.set_faults({"fault": fault, "status": status, "next": 1})
                given, _ = self.provider.ask("/authorizations", authorization(payment), payment)
                self.assertEqual((given, self.times(payment)), (status, done))

    def test_one_that_never_answers_has_done_it(self):
        payment = new_id()
        self.provider.set_faults({"fault": "never", "next": 1})
        asker = self.provider.connect(seconds=0.5)
        with self.assertRaises(TimeoutError):
            self.provider.ask(
                "/authorizations", authorization(payment), payment, connection=asker)
        self.assertEqual(self.times(payment), 1)
        asker.close()

    def test_a_late_answer_was_done_before_and_a_stalled_one_after(self):
        for fault, done in [("holdAfter", 1), ("holdBefore", 0)]:
            payment, found = new_id(), []
            self.provider.set_faults({"fault": fault, "next": 1})
            asker = threading.Thread(target=lambda: found.append(
                self.provider.outcome("/authorizations", authorization(payment), payment)))
            asker.start()
            while self.provider.read("/-/faults")["waiting"] == 0:
                asker.join(0.01)
            self.assertEqual((self.times(payment), found), (done, []))
            # A void that overtakes it is for good.
            void = self.provider.outcome("/voids", {"paymentId": payment}, f"{payment}/v")
            self.assertEqual(void, "approved")
            self.provider.ask("/-/release", None)
            asker.join()
            self.assertEqual(found, ["approved" if done else "declined"])
        for fault in ["late", "stall", "slow"]:
            payment = new_id()
            self.provider.set_faults({"fault": fault, "milliseconds": 1, "next": 1})
            given = self.provider.outcome("/authorizations", authorization(payment), payment)
            self.assertEqual(given, "approved")
        self.assertEqual(
            self.provider.read("/-/faults")["counts"],
            {"holdAfter": 1, "holdBefore": 1, "late": 1, "stall": 1, "slow": 1})

    def test_an_answer_sent_twice_is_more_than_was_asked_for(self):
        payment = self.authorized()
        self.provider.set_faults({"fault": "twice", "next": 1})
        body = json.dumps({"paymentId": payment})
        with socket.create_connection(("127.0.0.1", self.provider.port), 30) as asker:
            asker.sendall(
                ("POST /voids HTTP/1.1\r\nHost: provider\r\nAuthorization: Bearer "
                 "rocket-secret-1\r\nIdempotency-Key: v\r\nContent-Type: application/json\r\n"
                 f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
            text = b"".join(iter(lambda: asker.recv(4096), b""))
        self.assertEqual(text.count(b"HTTP/1.1 200 OK"), 2)
        self.assertEqual(self.times("v"), 1)

    def test_bodies_that_say_nothing_come_with_status_200_and_were_done(self):
        payment = self.authorized()
        for number, rule in enumerate([
                {"fault": "garbage"}, {"fault": "wrongWord"}, {"fault": "huge", "bytes": 2 << 20}]):
            self.provider.set_faults(rule)
            status, text = self.provider.ask("/voids", {"paymentId": payment}, f"{number}")
            self.assertEqual((status, self.times(f"{number}")), (200, 1))
            if rule["fault"] == "garbage":
                self.assertRaises(ValueError, json.loads, text)
            elif rule["fault"] == "wrongWord":
                self.assertNotIn(json.loads(text)["outcome"], ["approved", "declined"])
            else:
                self.assertGreater(len(text), 2 << 20)

    def test_declines_are_final_and_of_whom_they_name(self):
        self.provider.set_faults(
            {"fault": "decline", "address": "/authorizations", "customer": "poor@example.com"},
            {"fault": "decline", "address": "/captures", "next": 1},
            {"fault": "decline", "address": "/refunds", "next": 1})
        poor, body = new_id(), authorization(new_id(), customer="poor@example.com")
        body["paymentId"] = poor
        self.assertEqual(self.provider.outcome("/authorizations", body, poor), "declined")
        first, second = self.authorized(), self.authorized()
        for payment, due in [(first, "declined"), (second, "approved"), (first, "declined")]:
            given = self.provider.outcome("/captures", capture(payment), f"{payment}/c")
            self.assertEqual(given, due)
        for name, due in [("1", "declined"), ("2", "approved")]:
            given = self.provider.outcome("/refunds", refund(second, new_id()), name)
            self.assertEqual(given, due)
        self.provider.set_faults()
        self.assertEqual(self.provider.outcome("/authorizations", body, poor), "declined")

    def test_a_share_fails_and_a_seed_gives_the_same_share(self):
        def failures() -> list[int]:
            with contextlib.closing(ProviderProcess()) as provider:
                provider.start("--seed", "42", "--faults", json.dumps(
                    [{"fault": "errorBefore", "status": 503, "probability": 0.3}]))
                return [
                    provider.ask("/voids", {"paymentId": new_id()}, f"{number}")[0]
                    for number in range(60)]
        first = failures()
        self.assertEqual(first, failures())
        self.assertTrue(6 <= first.count(503) <= 32, first)


class Start(unittest.TestCase):
    def test_what_cannot_start_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder, "secret")
            secret.write_text("good\n")
            pathlib.Path(folder, "empty").write_text("\n")
            for more, said in [
                    (["--secret-file", f"{folder}/none"], "none"),
                    (["--secret-file", f"{folder}/empty"], "one secret"),
                    (["--faults", "["], "no JSON"), (["--faults", '[{"fault": "x"}]'], "rule 1"),
                    (["--port", "70000"], "65535"), (["--book", f"{folder}/none/book"], "open")]:
                ended = subprocess.run(
                    [sys.executable, PROGRAM, "--book", f"{folder}/book", "--secret-file", secret,
                     *more], capture_output=True, text=True, timeout=30)
                self.assertEqual(ended.returncode, 2, more)
                self.assertIn(said, ended.stderr)
                self.assertNotIn("Traceback", ended.stderr)
            ended = subprocess.run(
                [sys.executable, PROGRAM, "--help"], capture_output=True, text=True, timeout=30)
            self.assertIn("examples:", ended.stdout)


if __name__ == "__main__":
    unittest.main()
