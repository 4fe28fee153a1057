#!/usr/bin/env python3
"""Holds the payment provider of the tests to its interface: once, for good, never too much."""

import contextlib
import http.client
import json
import sys
import threading
import unittest

# Running it leaves no compiled file beside it.
sys.dont_write_bytecode = True
from provider_case import ProviderCase
from provider_process import authorization, capture, new_id, refund


class Rules(ProviderCase):
    def test_a_key_that_comes_again_is_done_once_and_answered_the_same(self):
        payment = self.authorized()
        answers = {self.provider.ask("/captures", capture(payment), "same") for _ in range(5)}
        self.assertEqual(len(answers), 1)
        request = [row for row in self.provider.read()["request"] if row["key"] == "same"]
        self.assertEqual([row["times"] for row in request], [5])
        self.assertEqual(self.payment(payment)["captured"], 4990)

    def test_a_key_with_another_request_is_refused_and_changes_nothing(self):
        payment = self.authorized()
        before = self.provider.read()
        for address, body in [
                ("/authorizations", authorization(payment, 4991)),
                ("/voids", {"paymentId": payment})]:
            self.assertEqual(self.provider.ask(address, body, f"{payment}/a")[0], 409)
        after = self.provider.read()
        self.assertEqual([row["status"] for row in after.pop("misuse")], [409, 409])
        before.pop("misuse")
        self.assertEqual(after, before)

    def test_requests_with_one_key_at_once_are_done_once(self):
        payment = new_id()
        found = []
        threads = [
            threading.Thread(target=lambda: found.append(
                self.provider.ask("/authorizations", authorization(payment), "one")))
            for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(found), len(set(found))), (12, 1))
        self.assertEqual([row["times"] for row in self.provider.read()["request"]], [12])

    def test_another_key_does_not_authorize_or_capture_a_second_time(self):
        payment = self.captured()
        again = self.provider.outcome("/authorizations", authorization(payment), "other/a")
        self.assertEqual(again, "declined")
        again = self.provider.outcome("/captures", capture(payment, 10), "other/c")
        self.assertEqual(again, "declined")
        self.assertEqual(self.payment(payment)["captured"], 4990)

    def test_a_void_of_a_payment_never_heard_of_blocks_it_for_good(self):
        payment = new_id()
        self.assertEqual(self.provider.outcome("/voids", {"paymentId": payment}, "v"), "approved")
        late = self.provider.outcome("/authorizations", authorization(payment), "a")
        self.assertEqual(late, "declined")
        self.assertEqual(self.provider.outcome("/captures", capture(payment), "c"), "declined")
        self.assertEqual(self.payment(payment)["authorized"], None)

    def test_a_void_releases_what_is_held_and_is_declined_once_it_is_captured(self):
        held, taken = self.authorized(), self.captured()
        self.assertEqual(self.provider.outcome("/voids", {"paymentId": held}, "1"), "approved")
        self.assertEqual(self.provider.outcome("/voids", {"paymentId": held}, "2"), "approved")
        self.assertEqual(self.provider.outcome("/captures", capture(held), "3"), "declined")
        self.assertEqual(self.provider.outcome("/voids", {"paymentId": taken}, "4"), "declined")
        self.assertEqual(self.payment(taken)["is_voided"], 0)

    def test_a_capture_is_never_of_more_than_was_authorized(self):
        payment = self.authorized(100)
        self.assertEqual(self.provider.outcome("/captures", capture(payment, 101), "1"), "declined")
        euros = capture(payment, 100) | {"currency": "EUR"}
        self.assertEqual(self.provider.outcome("/captures", euros, "2"), "declined")
        self.assertEqual(self.provider.outcome("/captures", capture(payment, 60), "3"), "approved")
        self.assertEqual(self.payment(payment)["captured"], 60)
        self.assertEqual(self.provider.outcome("/captures", capture(new_id(), 1), "4"), "declined")

    def test_refunds_are_never_of_more_than_was_captured(self):
        payment, first, second, third = self.captured(100), new_id(), new_id(), new_id()
        for name, amount, key, due in [
                (first, 60, "1", "approved"), (second, 41, "2", "declined"),
                (first, 40, "3", "declined"), (second, 40, "4", "approved"),
                (third, 1, "5", "declined"), (first, 60, "1", "approved")]:
            body = refund(payment, name, amount)
            self.assertEqual(self.provider.outcome("/refunds", body, key), due)
        given = {row["id"]: row["milliunits"] for row in self.provider.read()["refund"]}
        self.assertEqual(given, {first: 60, second: 40})
        unpaid = refund(self.authorized(), new_id(), 1)
        self.assertEqual(self.provider.outcome("/refunds", unpaid, "6"), "declined")

    def test_the_book_outlives_a_kill_at_any_request(self):
        # Somebody asks on while the process is killed; what was answered must be known.
        answered: dict[str, bytes] = {}
        for round_number in range(4):
            count = len(answered)
            ended = threading.Event()

            def ask_on():
                with contextlib.suppress(OSError, http.client.HTTPException):
                    while True:
                        payment = new_id()
                        answered[payment] = self.provider.ask(
                            "/authorizations", authorization(payment), payment)[1]
                ended.set()

            thread = threading.Thread(target=ask_on)
            thread.start()
            while len(answered) < count + 10:
                ended.wait(0.005)
            self.provider.kill()
            thread.join()
            self.provider.start()
        for payment, answer in answered.items():
            again = self.provider.ask("/authorizations", authorization(payment), payment)
            self.assertEqual(again, (200, answer))


class Refusals(ProviderCase):
    def refused(self, address: str, body, key: str | None = "k", status: int = 400, **more):
        given, text = self.provider.ask(address, body, key, **more)
        self.assertEqual(given, status, text)
        if more.get("method") != "HEAD":
            self.assertGreater(len(json.loads(text)["error"]), 10)

    def test_each_request_without_its_form_is_refused_and_noted(self):
        good = authorization(new_id())
        wrong = {
            "paymentId": ["", "17", None, 5], "milliunits": [0, -1, 1.5, "1", True, 2**60],
            "currency": ["usd", "USDX", "", 1], "customerId": [17, "", "-1", "x", "0"],
            "customer": ["", None], "bundleId": [""], "productId": ["", []], "purpose": ["fun"]}
        count = 0
        for name, values in wrong.items():
            for value in values:
                self.refused("/authorizations", good | {name: value})
            self.refused("/authorizations", {k: v for k, v in good.items() if k != name})
            count += len(values) + 1
        for body in ["", "[]", "{", "\x00", "null", '{"paymentId": 1, "paymentId": 2}', "[" * 9000]:
            self.refused("/voids", body)
        self.refused("/voids", b"\xff\xfe")
        self.refused("/authorizations", good | {"more": 1})
        self.refused("/authorizations", good, None)
        self.refused("/authorizations", good, "a b")
        self.refused("/authorizations", good, "k" * 201)
        self.refused("/authorizations", good, headers={"Content-Type": "text/plain"})
        self.refused("/authorizations", None, method="GET", status=405)
        self.refused("/payments", good, status=404)
        self.refused("/voids", "x" * 70_000, status=413)
        book = self.provider.read()
        self.assertEqual(len(book["misuse"]), count + 16)
        self.assertEqual((book["payment"], book["request"]), ([], []))

    def test_without_the_secret_nothing_is_done_or_shown(self):
        for secret in [None, "", "rocket-secret-2", "rocket-secret-1 "]:
            self.refused("/authorizations", authorization(new_id()), status=401, secret=secret)
            self.refused("/-/book", None, status=401, method="GET", secret=secret)
        self.assertEqual(self.provider.read()["payment"], [])

    def test_faults_that_make_no_sense_are_refused_and_the_old_ones_stay(self):
        self.provider.set_faults({"fault": "late", "milliseconds": 1})
        for rules in [
                None, {}, [1], [{}], [{"fault": "sometimes"}], [{"fault": "late"}],
                [{"fault": "late", "milliseconds": -1}], [{"fault": "never", "milliseconds": 1}],
                [{"fault": "errorAfter", "status": 200}], [{"fault": "never", "next": 0}],
                [{"fault": "never", "probability": 1.1}], [{"fault": "never", "address": "/x"}],
                [{"fault": "never", "customer": "a"}], [{"fault": "decline"}],
                [{"fault": "decline", "address": "/voids"}], [{"fault": "never", "often": 1}]]:
            self.refused("/-/faults", {"faults": rules}, None)
        self.assertEqual(
            self.provider.read("/-/faults")["faults"], [{"fault": "late", "milliseconds": 1}])

if __name__ == "__main__":
    unittest.main()
