import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases with dates and offers that only the sandbox of a test session takes.
struct TestPurchaseTests {
    private func numbers(_ payloads: [JSONValue], _ member: String) -> [Int64] {
        payloads.compactMap { $0[member]?.integer }
    }

    @Test func `a subscription bought in the past has renewed until now`() async throws {
        let session = try await TestSessionFixture()
        let bought = try await session.buy(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2025-12-31T10:00:00Z")))
        let payloads = try await session.payloads()
        #expect(
            numbers(payloads, "purchaseDate")
                == [
                    "2025-12-31T10:00:00Z", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z",
                    "2026-03-31T10:00:00Z",
                ].map { moment($0).milliseconds })
        #expect(
            payloads.map { $0["transactionReason"]?.string }
                == ["PURCHASE", "RENEWAL", "RENEWAL", "RENEWAL"])
        #expect(
            payloads.last?["expiresDate"]?.integer == moment("2026-04-30T10:00:00Z").milliseconds)
        let state = try await session.state(bought.transactionId)
        #expect(state.state == .active && state.autoRenews)
        #expect(bought.purchaseDate == moment("2025-12-31T10:00:00Z"))
        #expect(bought.originalPurchaseDate == bought.purchaseDate)
        // The history is told in the order in which it was written.
        let times = try session.database.read {
            try $0.rows("SELECT at_ms FROM event").map { try $0["at_ms"] as Int64 }
        }
        #expect(Set(times) == [moment(TestSessionFixture.now).milliseconds])
    }

    @Test func `renewal that is cancelled at once leaves the one period`() async throws {
        let session = try await TestSessionFixture()
        let running = try await session.buy(
            Samples.club,
            TestPurchaseBody(purchasedAt: moment("2026-03-20T10:00:00Z"), cancelsAtOnce: true))
        let state = try await session.state(running.transactionId)
        #expect(state.state == .active && !state.autoRenews)
        #expect(state.expiresDate == moment("2026-04-20T10:00:00Z"))
        #expect(try await session.payloads().count == 1)
    }

    @Test func `one that was cancelled long ago has expired, and a later one begins anew`()
        async throws
    {
        let session = try await TestSessionFixture()
        let old = try await session.buy(
            Samples.club,
            TestPurchaseBody(purchasedAt: moment("2025-06-01T00:00:00Z"), cancelsAtOnce: true))
        let ended = try await session.state(old.transactionId)
        #expect(ended.state == .expired && ended.expiresDate == moment("2025-07-01T00:00:00Z"))
        let within = try await session.attempt(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2025-06-30T23:59:59Z")))
        within.expectStatus(409)
        #expect(errorCode(within) == "subscriptionOverlaps")
        let later = try await session.buy(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2026-03-01T00:00:00Z")))
        #expect(later.originalTransactionId == old.transactionId)
        let open = try await session.attempt(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2026-03-30T00:00:00Z")))
        #expect(errorCode(open) == "subscriptionOverlaps")
    }

    @Test func `other products are bought then, too`() async throws {
        let session = try await TestSessionFixture()
        let date = moment("2026-01-02T03:04:05Z")
        for product in [Samples.fuel, Samples.turbo] {
            let bought = try await session.buy(product, TestPurchaseBody(purchasedAt: date))
            #expect(bought.purchaseDate == date && bought.originalPurchaseDate == date)
        }
        #expect(
            numbers(try await session.payloads(), "purchaseDate")
                == [date.milliseconds, date.milliseconds])
    }

    @Test func `an owned product is dated no earlier than its first purchase`() async throws {
        let session = try await TestSessionFixture()
        let first = moment("2026-02-01T00:00:00Z")
        try await session.buy(Samples.turbo, TestPurchaseBody(purchasedAt: first))
        for (wanted, date) in [
            ("2026-01-01T00:00:00Z", first), ("2026-02-02T00:00:00Z", nil),
        ] {
            let again = try await session.buy(
                Samples.turbo, TestPurchaseBody(purchasedAt: moment(wanted)))
            #expect(again.purchaseDate == date ?? moment(wanted))
            #expect(again.originalPurchaseDate == first)
        }
    }

    @Test(arguments: [
        ("2026-03-31T10:00:01Z", "badField"), ("1999-12-31T23:59:59Z", "dateOutOfRange"),
    ])
    func `a date in the future or before 2000 is refused, and the id stays free`(
        text: String, code: String
    ) async throws {
        let session = try await TestSessionFixture()
        let id = UUID().uuidString
        let refused = try await session.attempt(
            Samples.fuel, id: id, TestPurchaseBody(purchasedAt: moment(text)))
        refused.expectStatus(422)
        #expect(errorCode(refused) == code)
        try await session.buy(
            Samples.fuel, id: id, TestPurchaseBody(purchasedAt: moment(TestSessionFixture.now)))
    }

    @Test func `what a test asks for is a part of the attempt`() async throws {
        let session = try await TestSessionFixture()
        let id = UUID().uuidString
        let test = TestPurchaseBody(purchasedAt: moment("2026-03-01T00:00:00Z"))
        let first = try await session.buy(Samples.fuel, id: id, test)
        #expect(try await session.buy(Samples.fuel, id: id, test) == first)
        for other in [
            nil, TestPurchaseBody(), TestPurchaseBody(cancelsAtOnce: true),
            TestPurchaseBody(purchasedAt: moment("2026-03-01T00:00:01Z")),
            TestPurchaseBody(
                purchasedAt: moment("2026-03-01T00:00:00Z"), promotionalOfferId: OfferFixture.spring
            ),
        ] {
            let answer = try await session.attempt(Samples.fuel, id: id, other)
            answer.expectStatus(409)
            #expect(errorCode(answer) == "attemptIdReused")
        }
    }

    @Test func `a promotional offer needs no signature`() async throws {
        let session = try await TestSessionFixture()
        let old = TestPurchaseBody(purchasedAt: moment("2026-01-01T00:00:00Z"), cancelsAtOnce: true)
        try await session.buy(Samples.club, old)
        let unknown = try await session.answer(
            Samples.club, TestPurchaseBody(promotionalOfferId: "winter"))
        #expect(unknown.refusal?.code == .invalidOfferIdentifier)
        try await session.buy(
            Samples.club, TestPurchaseBody(promotionalOfferId: OfferFixture.spring))
        let payload = try #require(try await session.payloads().last)
        #expect(payload["offerType"]?.integer == 2)
        #expect(payload["offerIdentifier"]?.string == OfferFixture.spring)
        #expect(payload["price"]?.integer == 990)
    }

    @Test func `the offer of codes needs no code`() async throws {
        let session = try await TestSessionFixture()
        let unknown = try await session.answer(
            Samples.club, TestPurchaseBody(codeOfferReferenceName: OfferFixture.spring))
        #expect(unknown.refusal?.code == .invalidOfferIdentifier)
        try await session.buy(
            Samples.club, TestPurchaseBody(codeOfferReferenceName: OfferFixture.fair))
        let payload = try #require(try await session.payloads().last)
        #expect(payload["offerType"]?.integer == 3)
        #expect(payload["offerIdentifier"]?.string == OfferFixture.fair)
        #expect(payload["price"]?.integer == 0)
    }

    @Test func `a purchase has one offer`() async throws {
        let session = try await TestSessionFixture()
        let both = try await session.attempt(
            Samples.club,
            TestPurchaseBody(
                promotionalOfferId: OfferFixture.spring, codeOfferReferenceName: OfferFixture.fair))
        both.expectStatus(422)
        let signed = try await session.attempt(
            Samples.club, TestPurchaseBody(codeOfferReferenceName: OfferFixture.fair),
            promotional: PromotionalOfferBody(offerId: OfferFixture.spring, jws: "a.b.c"))
        signed.expectStatus(422)
        let empty = try await session.attempt(
            Samples.club, TestPurchaseBody(promotionalOfferId: ""))
        empty.expectStatus(422)
    }

    @Test func `a purchase that waits for approval keeps its date`() async throws {
        let session = try await TestSessionFixture()
        try await session.store.control(
            "POST", "\(TestSessionFixture.control)/accounts/settings",
            body: AccountSettingsBody(name: "buyer", needsApproval: true)
        ).expectStatus(200)
        let date = moment("2026-03-15T00:00:00Z")
        let waiting = try await session.answer(
            Samples.club, TestPurchaseBody(purchasedAt: date, cancelsAtOnce: true))
        #expect(waiting.state == .deferred)
        let list = try await session.store.control(
            "GET", "\(TestSessionFixture.control)/approvals")
        let number = try #require(
            try WireJSON.decode(ApprovalsBody.self, from: list.body).approvals.first?.number)
        try await session.store.control(
            "POST", "\(TestSessionFixture.control)/approvals/\(number)/approve"
        ).expectStatus(200)
        let payload = try #require(try await session.payloads().first)
        #expect(payload["purchaseDate"]?.integer == date.milliseconds)
        let id = try #require(payload["transactionId"]?.string)
        #expect(try await !session.state(id).autoRenews)
    }

    @Test func `of two that waited for the same time, one is made and one refused`() async throws {
        let session = try await TestSessionFixture()
        try await session.store.control(
            "POST", "\(TestSessionFixture.control)/accounts/settings",
            body: AccountSettingsBody(name: "buyer", interruptsPurchases: true)
        ).expectStatus(200)
        for date in ["2026-01-01T00:00:00Z", "2026-01-05T00:00:00Z"] {
            _ = try await session.answer(
                Samples.club, TestPurchaseBody(purchasedAt: moment(date)))
        }
        let answer = try await session.store.control(
            "POST", "\(TestSessionFixture.control)/accounts/resolve",
            body: NamedAccountBody(name: "buyer"))
        answer.expectStatus(200)
        let made = try WireJSON.decode(ResolvedPurchasesBody.self, from: answer.body).purchases
        #expect(made.count == 2)
        #expect(made.first?.transactionId != nil)
        #expect(made.last?.refusal?.code == .alreadySubscribed)
    }

    @Test func `the owner buys so, too`() async throws {
        let session = try await TestSessionFixture()
        let date = moment("2026-03-15T00:00:00Z")
        let body = MakePurchaseBody(
            attemptId: UUID().uuidString, account: "buyer", bundleId: TestStore.bundleID,
            productId: Samples.club,
            test: TestPurchaseBody(
                purchasedAt: date, codeOfferReferenceName: OfferFixture.show))
        for _ in 0..<2 {
            let answer = try await session.store.control(
                "POST", "\(TestSessionFixture.control)/purchases", body: body)
            answer.expectStatus(200)
            let bought = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction
            #expect(bought?.purchaseDate == date)
        }
        #expect(try await session.payloads().map { $0["offerType"]?.integer } == [3])
    }

    @Test func `nothing of it works outside the sandbox of a test session`() async throws {
        let session = try await TestSessionFixture()
        let store = session.store
        try await store.stock()
        let token = try await store.signIn()
        let test = TestPurchaseBody(purchasedAt: moment("2024-01-01T00:00:00Z"))
        let device = await store.send(
            "POST", "/sandbox/device/v1/attempts", token: token,
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Samples.fuel, quantity: 1,
                    applicationUsername: nil, test: test)))
        func owner(_ control: String, _ environment: StoreEnvironment) async throws -> HTTPResponse
        {
            try await store.control(
                "POST", "\(control)/purchases",
                body: MakePurchaseBody(
                    attemptId: UUID().uuidString, environment: environment, account: "buyer",
                    bundleId: TestStore.bundleID, productId: Samples.fuel, test: test))
        }
        for answer in [
            device, try await owner("/control/v1", .sandbox),
            try await owner(TestSessionFixture.control, .production),
        ] {
            answer.expectStatus(409)
            #expect(errorCode(answer) == "notATest")
        }
    }
}
