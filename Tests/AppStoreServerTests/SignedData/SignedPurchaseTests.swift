import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// Signed data that come with the answer to an attempt.
struct SignedPurchaseTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test func `a purchase brings what the server API signs, and the device's two members`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buySigned(Samples.fuel, token: token)
        let signed = try #require(bought.signed)
        let transaction = try #require(bought.transaction)
        #expect(bought.receipts == nil)
        #expect(signed.groups == nil)
        #expect(signed.transaction.transactionId == transaction.transactionId)
        #expect(signed.transaction.attemptId == transaction.attemptId)
        #expect(signed.transaction.deviceGuid == TestStore.guid)
        #expect(signed.transaction.isFinished == nil)
        let payload = try store.payload(signed.header, signed.transaction.transaction)
        let server = try await ServerAPIFixture(of: store)
        let path = "/inApps/v1/transactions/\(transaction.transactionId)"
        let known = try JSONValue.payload(
            ofServers: await server.ask("GET", path), "signedTransactionInfo")
        #expect(payload.withoutDevice == known.withoutDevice)
        #expect(known["deviceVerification"] == nil && known["deviceVerificationNonce"] == nil)
    }

    @Test func `a repeated attempt gets its data anew, as they are then`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let first = try #require(
            try await store.buySigned(Samples.fuel, id: id, token: token).signed)
        await store.finish(first.transaction.transactionId, token: token)
        let again = try #require(
            try await store.buySigned(Samples.fuel, id: id, token: token).signed)
        #expect(again.header == first.header)
        #expect(again.transaction.transaction != first.transaction.transaction)
        #expect(again.transaction.isFinished == true)
        let (old, new) = (
            try store.payload(first.header, first.transaction.transaction),
            try store.payload(again.header, again.transaction.transaction)
        )
        #expect(old["deviceVerificationNonce"] != new["deviceVerificationNonce"])
        #expect(old.withoutDevice == new.withoutDevice)
        #expect(try saleCount() == 1)
    }

    @Test func `a subscription brings all groups with their statuses and eligibility`() async throws
    {
        let shop = try await SubscriptionFixture(trial: SubscriptionFixture.freeWeek)
        let store = shop.store
        let before = try #require(try await store.signed(token: shop.token).groups)
        #expect(before.map(\.isEligibleForIntroductoryOffer) == [true])
        #expect(before.map(\.statuses) == [[]])
        let bought = try await store.buySigned(SubscriptionFixture.silver, token: shop.token)
        let signed = try #require(bought.signed)
        let groups = try #require(signed.groups)
        #expect(groups.map(\.groupId) == [SubscriptionFixture.group])
        #expect(groups.map(\.isEligibleForIntroductoryOffer) == [false])
        #expect(groups.map(\.statuses.count) == [1])
        let status = try #require(groups.first?.statuses.first)
        #expect(status.status == 1)
        #expect(status.originalTransactionId == signed.transaction.transactionId)
        let renewal = try store.payload(signed.header, status.renewal)
        let transaction = try store.payload(signed.header, status.transaction)
        #expect(renewal["autoRenewProductId"]?.string == SubscriptionFixture.silver)
        #expect(transaction["offerType"]?.integer == 1)
        let server = try await ServerAPIFixture(of: store)
        let path = "/inApps/v1/subscriptions/\(status.originalTransactionId)"
        let answer = try JSONValue(parsing: await server.ask("GET", path).body)
        let last = try #require(answer["data"]?.array?.first?["lastTransactions"]?.array?.first)
        let wrapped = HTTPResponse(status: 200, headers: HTTPHeaders(), body: last.compactBytes)
        #expect(
            try JSONValue.payload(ofServers: wrapped, "signedRenewalInfo").withoutDevice
                == renewal.withoutDevice)
        #expect(
            try JSONValue.payload(ofServers: wrapped, "signedTransactionInfo").withoutDevice
                == transaction.withoutDevice)
    }

    @Test func `a downgrade brings the running period and its new renewal`() async throws {
        let shop = try await SubscriptionFixture()
        try await shop.buy()
        let changed = try await shop.store.buySigned(SubscriptionFixture.bronze, token: shop.token)
        let signed = try #require(changed.signed)
        let status = try #require(signed.groups?.first?.statuses.first)
        let transaction = try shop.store.payload(signed.header, signed.transaction.transaction)
        let renewal = try shop.store.payload(signed.header, status.renewal)
        #expect(transaction["productId"]?.string == SubscriptionFixture.silver)
        #expect(renewal["autoRenewProductId"]?.string == SubscriptionFixture.bronze)
    }

    @Test func `a redeemed offer code brings signed data on request alone`() async throws {
        let sale = try await OfferSaleFixture()
        try await sale.store.control(
            "POST", OfferSaleFixture.codes,
            body: MakeOfferCodeBody(
                offerId: OfferSaleFixture.fair, word: "SPRING", redemptionsMax: 9)
        ).expectStatus(201)
        let id = UUID().uuidString
        func redeem(_ query: String) async throws -> HTTPResponse {
            await sale.store.send(
                "POST", TestStore.device + "/offer-codes/redeem" + query,
                token: sale.fixture.token,
                body: try WireJSON.encode(RedeemOfferCodeBody(attemptId: id, code: "SPRING")))
        }
        let odd = try await redeem("?signed=perhaps")
        #expect(odd.status == 400 && errorCode(odd) == "badQuery")
        let answer = try await redeem("?signed=true")
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        let signed = try #require(body.signed)
        let payload = try sale.store.payload(signed.header, signed.transaction.transaction)
        #expect(payload["offerIdentifier"]?.string == OfferSaleFixture.fair)
        #expect(signed.groups?.first?.statuses.first?.status == 1)
        let plain = try await redeem("")
        #expect(try WireJSON.decode(AttemptAnswerBody.self, from: plain.body).signed == nil)
    }

    @Test(arguments: ["", "?signed=false", "?receipts=true&signed=false"])
    func `signed data are sent with a purchase only on request`(query: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buySigned(Samples.fuel, query: query, token: token)
        #expect(bought.transaction != nil)
        #expect(bought.signed == nil)
    }

    @Test func `a refused attempt has no signed data`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let refused = try await store.buySigned("unknown", token: token)
        #expect(refused.refusal != nil)
        #expect(refused.signed == nil)
    }

    @Test(arguments: ["?signed=true&receipts=true", "?signed=perhaps", "?signed="])
    func `a query that asks for both or for nonsense sells nothing`(query: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let answer = await store.send(
            "POST", TestStore.device + "/attempts" + query, token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Samples.fuel, quantity: 1,
                    applicationUsername: nil)))
        #expect(answer.status == 400)
        #expect(errorCode(answer) == "badQuery")
        #expect(try saleCount() == 0)
    }

    @Test func `a session names the root of the data that it gets`() async throws {
        try await store.stock()
        let registered = await store.send(
            "POST", TestStore.device + "/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "1.0")))
        let session = try WireJSON.decode(DeviceSessionBody.self, from: registered.body)
        let root = try #require(session.signedDataRoot)
        let bought = try await store.buySigned(
            Samples.fuel, token: try await store.signIn())
        let header = try #require(bought.signed?.header)
        let read = try JSONValue(parsing: bytes(ofBase64URL: header))
        #expect(read["x5c"]?.array?.last?.string == root)
        let other = try store.parts.keys.dataRoot(.production, isTest: false)
        #expect(Data(other).base64EncodedString() != root)
    }

    private func saleCount() throws -> Int64? {
        try store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM store_transaction")?.integer(0)
        }
    }
}
