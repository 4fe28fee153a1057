"""Each method of the asynchronous client of Apple's App Store Server Library, which uses httpx."""

import asyncio
import inspect
import time
import uuid

from appstoreserverlibrary.api_client import (
    APIException, AsyncAppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody

from notified_server import Receiver, settle
from server_api import BUNDLE, DAY, FUEL, SECONDS_MAX, SILVER, TOKEN, TURBO, check, consumption


class AsynchronousCaller:
    """An app's server with this client, which notes the methods that it calls."""

    def __init__(self, caller):
        key, self.caller, self.called = caller.key, caller, set()
        self.client = AsyncAppStoreServerAPIClient(
            key["privateKey"].encode(), key["keyId"], key["issuerId"], BUNDLE, caller.environment)

    def ask(self, name, *arguments):
        self.called.add(name)
        return getattr(self.client, name)(*arguments)

    async def run(self, store, customer, turbo, order):
        """The customer has bought `turbo` and nothing else; `order` is its number in production."""
        environment = self.caller.environment.value
        try:
            bought = {TURBO: turbo, **{each: customer.buy(each) for each in [FUEL, SILVER]}}
            answers = await asyncio.gather(
                *(self.ask("get_transaction_info", turbo) for _ in range(8)))
            check(f"the asynchronous client reaches {environment}", {
                self.caller.read(each.signedTransactionInfo).transactionId
                for each in answers} == {turbo})
            await self.read(bought, order)
            await self.change(store, bought)
            await self.be_notified(store)
            await self.miss()
        finally:
            await self.client.async_close()
        methods = {name for name, _ in inspect.getmembers(
            AsyncAppStoreServerAPIClient, inspect.iscoroutinefunction) if name[0] != "_"}
        left = methods - self.called - {"async_close"}
        check(f"each of {len(self.called)} methods was called in {environment}", not left, left)

    async def read(self, bought, order):
        read = self.caller.read
        fuel, silver, turbo = (bought[each] for each in [FUEL, SILVER, TURBO])
        page = await self.ask("get_transaction_history", fuel, None, TransactionHistoryRequest(),
                              GetTransactionHistoryVersion.V2)
        check("its history", {read(each).transactionId for each in page.signedTransactions}
              == set(bought.values()) and not page.hasMore, page)
        answer = await self.ask("get_all_subscription_statuses", turbo, [Status.ACTIVE])
        check("its statuses", [each.originalTransactionId for group in answer.data
                               for each in group.lastTransactions] == [silver], answer)
        page = await self.ask("get_refund_history", turbo, None)
        check("its refunds", page.signedTransactions == [] and not page.hasMore, page)
        answer = await self.ask("get_app_transaction_info", silver)
        app = self.caller.verifier.verify_and_decode_app_transaction(
            answer.signedAppTransactionInfo)
        check("its app transaction",
              app.appTransactionId == self.caller.info(turbo).appTransactionId, app)
        answer = await self.ask("look_up_order_id", order or "M1")
        check("its order", (answer.status == OrderLookupStatus.VALID) == bool(order) and [
            read(each).transactionId for each in answer.signedTransactions or []
        ] == ([turbo] if order else []), answer)

    async def change(self, store, bought):
        info = self.caller.info
        fuel, silver, turbo = (bought[each] for each in [FUEL, SILVER, TURBO])
        before = info(silver).expiresDate
        answer = await self.ask(
            "extend_subscription_renewal_date", silver, ExtendRenewalDateRequest(
                extendByDays=2, extendReasonCode=ExtendReasonCode.OTHER,
                requestIdentifier="outage"))
        check("its extension", answer.effectiveDate == info(silver).expiresDate
              == before + 2 * DAY, answer)
        request = str(uuid.uuid4())
        answer = await self.ask(
            "extend_renewal_date_for_all_active_subscribers", MassExtendRenewalDateRequest(
                extendByDays=3, extendReasonCode=ExtendReasonCode.OTHER, productId=SILVER,
                requestIdentifier=request))
        check("its mass extension", answer.requestIdentifier == request, answer)
        until = time.monotonic() + SECONDS_MAX
        while not (answer := await self.ask(
                "get_status_of_subscription_renewal_date_extensions", request, SILVER)).complete:
            assert time.monotonic() < until, "the request is not carried out"
            await asyncio.sleep(0.02)
        check("what became of it", (answer.succeededCount, answer.failedCount) == (1, 0)
              and info(silver).expiresDate == before + 5 * DAY, answer)
        await self.ask("set_app_account_token", turbo,
                       UpdateAppAccountTokenRequest(appAccountToken=TOKEN))
        check("its token", info(turbo).appAccountToken == TOKEN)
        store.control("POST", f"/refunds/{fuel}/request", {"reason": "OTHER"})
        await self.ask("send_consumption_information", fuel,
                       consumption(consumptionPercentage=30_000))
        kept = store.control("GET", f"/refunds/{fuel}")["consumption"]
        check("its consumption", kept["consumptionPercentage"] == 30_000, kept)
        await self.ask("send_consumption_data", silver, ConsumptionRequestV1(
            customerConsented=True, sampleContentProvided=True, appAccountToken="",
            rawConsumptionStatus=1, rawPlatform=1, rawDeliveryStatus=0, rawAccountTenure=0,
            rawPlayTime=0, rawLifetimeDollarsRefunded=0, rawLifetimeDollarsPurchased=0,
            rawUserStatus=0))
        await self.ask("finish_transaction", fuel)
        page = await self.ask("get_transaction_history", turbo, None, TransactionHistoryRequest(),
                              GetTransactionHistoryVersion.V1)
        check("the finished consumable is not in the history of version 1", {
            self.caller.read(each).transactionId for each in page.signedTransactions
        } == {silver, turbo}, page)

    async def be_notified(self, store):
        environment, receiver = self.caller.environment.value.lower(), Receiver()
        target = f"/apps/{BUNDLE}/notification-targets/{environment}"
        store.control("PUT", target, {"url": receiver.url, "allowsPrivateAddresses": True})
        answer = await self.ask("request_test_notification")
        settle(store)
        check("its test notification", len(receiver.take()) == 1)
        status = await self.ask("get_test_notification_status", answer.testNotificationToken)
        check("what became of it", [each.sendAttemptResult for each in status.sendAttempts]
              == [SendAttemptResult.SUCCESS], status)
        now = store.control("GET", "/clock")["now"]
        page = await self.ask("get_notification_history", None, NotificationHistoryRequest(
            startDate=now - DAY, endDate=now + DAY))
        found = [each.signedPayload for each in page.notificationHistory]
        check("its notification history", found == [status.signedPayload], found)
        store.control("DELETE", target)

    async def miss(self):
        """What the store does not have."""
        for name, arguments in {
                "configure_default_message": (SILVER, "en-US", DefaultConfigurationRequest()),
                "configure_realtime_url": (RealtimeUrlRequest("https://example.com/"),),
                "delete_default_message": (SILVER, "en-US"), "delete_image": (uuid.uuid4(),),
                "delete_message": (uuid.uuid4(),), "delete_realtime_url": (),
                "get_default_message": (SILVER, "en-US"), "get_image_list": (),
                "get_message_list": (), "get_performance_test_results": ("1",),
                "get_realtime_url": (),
                "initiate_performance_test": (PerformanceTestRequest(
                    originalTransactionId="1"),),
                "upload_image": (uuid.uuid4(), b"x"),
                "upload_message": (uuid.uuid4(), UploadMessageRequestBody(
                    header="h", body="b"))}.items():
            try:
                await self.ask(name, *arguments)
                found = None
            except APIException as refusal:
                found = refusal.http_status_code, refusal.raw_api_error
            check(f"{name} says that it is not there", found == (501, 5000000), found)
