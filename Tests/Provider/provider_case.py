"""What tests of the payment provider begin with: one that runs, and payments on their way."""

import unittest

from provider_process import ProviderProcess, authorization, capture, new_id


class ProviderCase(unittest.TestCase):
    def setUp(self) -> None:
        self.provider = ProviderProcess()
        self.provider.start("--seed", "7")
        self.addCleanup(self.provider.close)

    def payment(self, payment: str) -> dict:
        return next(row for row in self.provider.read()["payment"] if row["id"] == payment)

    def authorized(self, milliunits: int = 4990) -> str:
        payment = new_id()
        body = authorization(payment, milliunits)
        self.assertEqual(self.provider.outcome("/authorizations", body, f"{payment}/a"), "approved")
        return payment

    def captured(self, milliunits: int = 4990) -> str:
        payment = self.authorized(milliunits)
        body = capture(payment, milliunits)
        self.assertEqual(self.provider.outcome("/captures", body, f"{payment}/c"), "approved")
        return payment
