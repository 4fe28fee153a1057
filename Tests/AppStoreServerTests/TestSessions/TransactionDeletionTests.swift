import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer
@testable import StoreSigning
@testable import StoreVerification

/// Transactions of a test session that are deleted.
struct TransactionDeletionTests {
    private static let tablet = "0B7A9D44-3C1E-4F55-9A63-2D8E7C5B1F00"

    private func ids(_ answer: SignedChangesBody) -> [String] {
        answer.transactions.map(\.transactionId)
    }

    private func sales(_ session: TestSessionFixture) async throws -> [String] {
        let answer = try await session.store.control(
            "GET", "\(TestSessionFixture.control)/transactions")
        return try WireJSON.decode(SalesBody.self, from: answer.body).transactions
            .map(\.sold.transactionId)
    }

    /// Every reference is whole, the history has no gaps and does not go back, and what belongs
    /// together has one account.
    private func check(_ session: TestSessionFixture) throws {
        try session.database.read { scope in
            #expect(try scope.rows("PRAGMA foreign_key_check").isEmpty)
            let events = try scope.rows("SELECT number, at_ms FROM event ORDER BY number")
            let numbers: [Int64] = try events.map { try $0["number"] }
            #expect(numbers == Array(1...Int64(numbers.count)))
            let times: [Int64] = try events.map { try $0["at_ms"] }
            #expect(times == times.sorted())
            for (name, pair) in [
                ("attempt", "sold.device_id = one.device_id AND sold.attempt_id = one.attempt_id"),
                ("subscription", "sold.id IN (one.original_id, one.newest_id)"),
                ("restore", "sold.device_id = one.device_id AND sold.restore_id = one.restore_id"),
            ] {
                let apart = try scope.rows(
                    """
                    SELECT 1 FROM \(name) AS one JOIN store_transaction AS sold ON \(pair)
                    WHERE sold.account_id <> one.account_id
                    """)
                #expect(apart.isEmpty, "\(name)")
            }
        }
    }

    @Test func `a purchase that is deleted is nowhere any more`() async throws {
        let session = try await TestSessionFixture()
        let fuel = try await session.buy(Samples.fuel).transactionId
        let turbo = try await session.buy(Samples.turbo).transactionId
        let before = try await session.signed()
        #expect(ids(before) == [fuel, turbo] && before.deleted == nil)
        try await session.delete(turbo).expectStatus(204)
        let after = try await session.signed(after: before.cursor)
        #expect(after.deleted == [turbo] && after.transactions.isEmpty)
        #expect(ids(try await session.signed()) == [fuel])
        let list = await session.store.send(
            "GET", "\(TestSessionFixture.base)/device/v1/transactions", token: session.token)
        let unfinished = try WireJSON.decode(UnfinishedBody.self, from: list.body)
        #expect(unfinished.transactions.map(\.transactionId) == [fuel])
        let receipt = try await session.store.receipt(
            token: session.token, in: TestSessionFixture.base)
        let shown = try await session.store.verify(receipt, at: TestSessionFixture.base)
        #expect(
            shown["receipt"]?["in_app"]?.array?.map { $0["transaction_id"]?.string } == [fuel])
        #expect(try await sales(session) == [fuel])
        for (method, path, body) in [
            ("GET", "transactions/\(turbo)", nil),
            ("POST", "transactions/\(turbo)/revoke", RevokeBody(reason: .other)),
            ("GET", "refunds/\(turbo)", nil),
            ("POST", "refunds/\(turbo)/request", RequestRefundBody(reason: .other)),
        ] as [(String, String, (any Encodable)?)] {
            let answer = try await session.store.control(
                method, "\(TestSessionFixture.control)/\(path)", body: body)
            #expect(answer.status == 404 && errorCode(answer) == "transactionUnknown", "\(path)")
        }
        let finished = await session.store.send(
            "POST", "\(TestSessionFixture.base)/device/v1/transactions/\(turbo)/finish",
            token: session.token)
        #expect(errorCode(finished) == "transactionUnknown")
        let accounts = try await session.store.control(
            "GET", "\(TestSessionFixture.control)/accounts")
        #expect(
            try WireJSON.decode(AccountsBody.self, from: accounts.body).accounts.map(\.name)
                == ["buyer"])
        // It is bought anew, and is no free copy of what is gone.
        let again = try await session.buy(Samples.turbo)
        #expect(again.originalTransactionId == again.transactionId)
        try check(session)
    }

    @Test func `a repeated request gets the same answer and changes nothing`() async throws {
        let session = try await TestSessionFixture()
        let fuel = try await session.buy(Samples.fuel).transactionId
        for _ in 0..<2 { try await session.delete(fuel).expectStatus(204) }
        let page = try await session.signed()
        #expect(page.deleted == [fuel])
        try check(session)
    }

    @Test func `what does not exist, or is no test's, is not deleted`() async throws {
        let session = try await TestSessionFixture()
        for id in ["2000000000999999", "0", "01", "turbo"] {
            let unknown = try await session.delete(id)
            #expect(unknown.status == 404 && errorCode(unknown) == "transactionUnknown")
        }
        let store = session.store
        try await store.stock()
        let real = try await store.buy(Samples.fuel, token: try await store.signIn())
        let answer = try await store.control(
            "DELETE", "/control/v1/transactions/\(real.transactionId)")
        answer.expectStatus(409)
        #expect(errorCode(answer) == "notATest")
    }

    @Test func `a deleted attempt is not answered and not made again`() async throws {
        let session = try await TestSessionFixture()
        let id = UUID().uuidString
        let fuel = try await session.buy(Samples.fuel, id: id)
        try await session.delete(fuel.transactionId).expectStatus(204)
        let again = try await session.attempt(Samples.fuel, id: id)
        #expect(errorCode(again) == "attemptIdReused")
    }

    @Test func `restored copies go with what they restore, on the devices that have them`()
        async throws
    {
        let session = try await TestSessionFixture()
        let store = session.store
        let turbo = try await session.buy(Samples.turbo).transactionId
        await session.finish(turbo)
        let other = try await TestSessionFixture.makeDevice(Self.tablet, in: store)
        let answer = await store.send(
            "POST", "\(TestSessionFixture.base)/device/v1/restores", token: other,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        let copy = try #require(
            try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions.first)
        let cursors = [
            try await session.signed().cursor,
            try await store.signed(token: other, in: TestSessionFixture.base).cursor,
        ]
        try await session.delete(turbo).expectStatus(204)
        #expect(try await session.signed(after: cursors[0]).deleted == [turbo])
        let page = try await store.signed(
            after: cursors[1], token: other, in: TestSessionFixture.base)
        #expect(page.deleted == [turbo, copy.transactionId] && page.transactions.isEmpty)
        try check(session)
    }

    @Test func `a copy alone can be deleted`() async throws {
        let session = try await TestSessionFixture()
        let turbo = try await session.buy(Samples.turbo).transactionId
        await session.finish(turbo)
        let answer = await session.store.send(
            "POST", "\(TestSessionFixture.base)/device/v1/restores", token: session.token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        let copy = try #require(
            try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions.first)
        try await session.delete(copy.transactionId).expectStatus(204)
        let page = try await session.signed()
        #expect(ids(page) == [turbo] && page.deleted == [copy.transactionId])
        try check(session)
    }

    @Test func `a purchase goes with those that count as the same`() async throws {
        let session = try await TestSessionFixture()
        let first = try await session.buy(Samples.turbo).transactionId
        let again = try await session.buy(Samples.turbo)
        #expect(again.originalTransactionId == first)
        try await session.delete(first).expectStatus(204)
        #expect(try await session.signed().deleted == [first, again.transactionId])
        try check(session)
    }

    @Test func `a subscription goes with its first transaction, and can be had anew`() async throws
    {
        let session = try await TestSessionFixture()
        let first = try await session.buy(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2026-01-01T00:00:00Z"))
        ).transactionId
        let all = ids(try await session.signed())
        #expect(all.count == 3)
        try await session.delete(first).expectStatus(204)
        let page = try await session.signed()
        #expect(page.deleted?.sorted() == all.sorted() && page.transactions.isEmpty)
        #expect(page.groups?.map(\.statuses) == [[]])
        #expect(page.groups?.map(\.isEligibleForIntroductoryOffer) == [true])
        #expect(try await session.subscription(first).status == 404)
        let expired = try await session.store.control(
            "POST", "\(TestSessionFixture.control)/subscriptions/\(first)/expire")
        #expect(errorCode(expired) == "subscriptionUnknown")
        let list = try await session.store.control(
            "GET", "\(TestSessionFixture.control)/subscriptions")
        #expect(
            try WireJSON.decode(SubscriptionsBody.self, from: list.body).subscriptions.isEmpty)
        let anew = try await session.buy(Samples.club)
        #expect(anew.originalTransactionId == anew.transactionId)
        try await session.delete(anew.transactionId).expectStatus(204)
        try check(session)
    }

    @Test func `a renewal goes with the later ones, and the period before is the newest`()
        async throws
    {
        let session = try await TestSessionFixture()
        let first = try await session.buy(
            Samples.club, TestPurchaseBody(purchasedAt: moment("2025-12-01T00:00:00Z"))
        ).transactionId
        let all = ids(try await session.signed())
        #expect(all.count == 4)
        try await session.delete(all[2]).expectStatus(204)
        let state = try await session.state(first)
        #expect(state.transactionId == all[1] && state.state == .expired && !state.autoRenews)
        #expect(state.startDate == moment("2026-01-01T00:00:00Z"))
        #expect(state.expiresDate == moment("2026-02-01T00:00:00Z"))
        #expect(state.expirationReason == 5 && state.renewals == 1)
        let page = try await session.signed()
        #expect(ids(page).sorted() == [all[0], all[1]] && page.deleted == [all[2], all[3]])
        #expect(page.groups?.first?.statuses.map(\.status) == [2])
        // It goes on as after any end.
        let back = try await session.buy(Samples.club)
        #expect(back.originalTransactionId == first)
        try check(session)
    }

    @Test func `an upgrade that is deleted leaves the subscription as it was`() async throws {
        let session = try await TestSessionFixture(
            catalogue: SubscriptionFixture.catalogue(trial: nil))
        let silver = try await session.buy(
            SubscriptionFixture.silver,
            TestPurchaseBody(purchasedAt: moment("2026-03-20T00:00:00Z"))
        ).transactionId
        let gold = try await session.buy(SubscriptionFixture.gold).transactionId
        let cursor = try await session.signed().cursor
        try await session.delete(gold).expectStatus(204)
        let state = try await session.state(silver)
        #expect(state.state == .active && state.autoRenews && state.transactionId == silver)
        #expect(state.productId == SubscriptionFixture.silver)
        #expect(state.priceMilliunits == 9_990)
        #expect(state.expiresDate == moment("2026-04-20T00:00:00Z"))
        let page = try await session.signed(after: cursor)
        #expect(page.deleted == [gold])
        let payload = try #require(try session.store.payloads(of: page).first)
        #expect(payload["transactionId"]?.string == silver && payload["isUpgraded"] == nil)
        try check(session)
    }

    @Test func `an upgrade that is deleted leaves the count of months and renewals`() async throws {
        let session = try await TestSessionFixture(
            catalogue: SubscriptionFixture.catalogue(trial: nil))
        let silver = try await session.buy(
            SubscriptionFixture.silver,
            TestPurchaseBody(purchasedAt: moment("2026-01-31T00:00:00Z"))
        ).transactionId
        let gold = try await session.buy(SubscriptionFixture.gold).transactionId
        try await session.delete(gold).expectStatus(204)
        let back = try await session.state(silver)
        #expect(back.renewals == 2 && back.expiresDate == moment("2026-04-30T00:00:00Z"))
        try await session.setClock("2026-05-01T00:00:00Z")
        let renewed = try await session.state(silver)
        #expect(renewed.renewals == 3 && renewed.expiresDate == moment("2026-05-31T00:00:00Z"))
    }

    @Test func `a trial that comes back renews at its product's price`() async throws {
        let trial = #"{ "internalID": "T1", "paymentMode": "free", "subscriptionPeriod": "P1W" }"#
        let session = try await TestSessionFixture(
            catalogue: SubscriptionFixture.catalogue(trial: trial))
        let silver = try await session.buy(
            SubscriptionFixture.silver,
            TestPurchaseBody(purchasedAt: moment("2026-03-30T00:00:00Z")))
        let gold = try await session.buy(SubscriptionFixture.gold).transactionId
        try await session.delete(gold).expectStatus(204)
        let state = try await session.state(silver.transactionId)
        #expect(state.state == .active && state.productId == SubscriptionFixture.silver)
        #expect(state.priceMilliunits == 9_990 && state.renewalPriceMilliunits == 9_990)
    }

    @Test func `a receipt from before is judged by a purchase that is left`() async throws {
        let session = try await TestSessionFixture()
        let turbo = try await session.buy(Samples.turbo).transactionId
        try await session.buy(Samples.fuel)
        let receipt = try await session.store.receipt(
            token: session.token, in: TestSessionFixture.base)
        try await session.delete(turbo).expectStatus(204)
        let shown = try await session.store.verify(receipt, at: TestSessionFixture.base)
        #expect(shown["status"]?.wholeNumber == 0)
    }

    @Test func `deletions come in pages`() async throws {
        let session = try await TestSessionFixture()
        var bought: [String] = []
        for _ in 0..<5 { bought.append(try await session.buy(Samples.fuel).transactionId) }
        var cursor = try await session.signed().cursor
        for id in bought { try await session.delete(id).expectStatus(204) }
        var pages: [[String]?] = []
        while true {
            let page = try await session.signed(after: cursor, limit: 2)
            pages.append(page.deleted)
            cursor = page.cursor
            #expect((page.groups != nil) == !page.hasMore)
            if !page.hasMore { break }
        }
        #expect(pages == [Array(bought[0...1]), Array(bought[2...3]), [bought[4]]])
    }

    @Test(.timeLimit(.minutes(3))) func `a device that waits for news hears of it`() async throws {
        let session = try await TestSessionFixture()
        let fuel = try await session.buy(Samples.fuel).transactionId
        let cursor = try await session.signed().cursor
        let name = try #require(WorldName("one"))
        let world = try #require(try session.store.registry.world(name))
        let ended = try world.poll(.signedData, of: "buyer")
        try await session.delete(fuel).expectStatus(204)
        for await _ in ended { break }
        let news = await session.store.send(
            "GET", "\(TestSessionFixture.base)/device/v1/updates?after=\(cursor)&signed=true",
            token: session.token)
        let events = try WireJSON.decode(UpdatesBody.self, from: news.body).events
        #expect(events.map(\.kind) == [.signedChanged])
        #expect(events.first?.transaction == nil && events.first?.subject == nil)
    }

    @Test func `a device that was away is told of the deletion and not of the purchase`()
        async throws
    {
        let session = try await TestSessionFixture()
        let fuel = try await session.buy(Samples.fuel).transactionId
        try await session.delete(fuel).expectStatus(204)
        for (query, kinds) in [("", []), ("&signed=true", [UpdateBody.Kind.signedChanged])] {
            let answer = await session.store.send(
                "GET", "\(TestSessionFixture.base)/device/v1/updates?after=0\(query)",
                token: session.token)
            let events = try WireJSON.decode(UpdatesBody.self, from: answer.body).events
            #expect(events.map(\.kind) == kinds)
        }
        // The owner's history tells what happened.
        let history = try await session.store.control("GET", "\(TestSessionFixture.control)/events")
        let told = try WireJSON.decode(EventsBody.self, from: history.body).events
        #expect(told.map(\.kind) == ["purchased", "deleted"])
        #expect(told.map(\.account) == ["buyer", "buyer"])
    }

    @Test func `app servers do not find it`() async throws {
        let session = try await TestSessionFixture()
        let fuel = try await session.buy(Samples.fuel).transactionId
        let kept = try await session.buy(Samples.fuel).transactionId
        let made = try await session.store.control(
            "POST", "\(TestSessionFixture.control)/apps/\(TestStore.bundleID)/offer-keys")
        let server = try ServerAPIFixture(
            store: session.store, base: TestSessionFixture.base,
            key: WireJSON.decode(MadeOfferKeyBody.self, from: made.body))
        try await session.delete(fuel).expectStatus(204)
        #expect(
            try await server.error("GET", "/inApps/v1/transactions/\(fuel)") == [404, 4_040_010])
        #expect(try await server.error("GET", "/inApps/v2/history/\(fuel)") == [404, 4_040_010])
        let history = await server.ask("GET", "/inApps/v2/history/\(kept)")
        let signed = try JSONValue(parsing: history.body)["signedTransactions"]?.array
        #expect(signed?.count == 1)
    }
}
