import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// Non-renewing subscriptions whose product list changes after they were sold.
@Suite(.ownThreads) struct NonRenewingTests {
    private typealias Answers = SubscriptionAnswers

    private static func pass(_ id: String, _ length: CalendarSpan?) -> BackendProduct {
        BackendProduct(
            id: id, kind: .nonRenewing,
            content: ProductContent(
                name: "Season", mediaType: "text/plain", bytes: Array("2024".utf8)),
            service: "season", length: length)
    }

    private func rig(
        _ products: [BackendProduct], _ folder: TemporaryFolder, firstRandom: Int = 100
    ) throws -> Rig {
        try Rig(
            products: ProductList(
                bundleID: "com.example.rocketcar", versions: [], products: products),
            folder: folder, firstRandom: firstRandom)
    }

    /// A week and a month were sold, as one service.
    private func sold(_ folder: TemporaryFolder) throws -> String {
        let rig = try rig(
            [Self.pass("week", .days(7)), Self.pass("month", .months(1))], folder, firstRandom: 0)
        let token = try rig.signUp(forGood: true)
        rig.store.answer(
            .text(
                Answers.unified(
                    [], [],
                    others: [
                        .init(product: "week", transaction: "1"),
                        .init(product: "month", transaction: "2"),
                    ])))
        _ = try rig.submit(token, product: "week", transaction: "1")
        _ = try rig.submit(token, product: "month", transaction: "2")
        return token
    }

    private func owned(_ rig: Rig, _ token: String) throws -> OwnedPurchasesBody {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
    }

    private static let end = Answers.start + 38 * Answers.day

    @Test func `a product removed from the list does not end anyone's service`() throws {
        let folder = TemporaryFolder()
        let token = try sold(folder)
        for products in [[Self.pass("month", .months(1))], []] {
            let rig = try rig(products, folder)
            let subscriptions = try owned(rig, token).subscriptions
            #expect(subscriptions.map(\.service) == ["season"])
            #expect(subscriptions.map(\.expires) == [Self.end])
            #expect(subscriptions.map(\.isServed) == [true])
            let submissions = try rig.look(query: [("transaction", "1")])
            let found = try WireJSON.decode(OperatorSubmissionsBody.self, from: submissions.body)
            let id = try #require(found.submissions.first?.submissionId)
            let state = try rig.send("GET", "/v1/receipts/" + id, token: token).outcome
            #expect(state.subscription?.expires == Self.end)
        }
    }

    @Test func `removing a length from the list serves nobody for ever`() throws {
        let folder = TemporaryFolder()
        let token = try sold(folder)
        let rig = try rig([Self.pass("week", nil), Self.pass("month", nil)], folder)
        #expect(try owned(rig, token).subscriptions.map(\.expires) == [Self.end])
        #expect(try rig.send("GET", "/v1/products/week/content", token: token).status == 200)
        rig.clock.advance(milliseconds: 38 * Answers.day)
        let over = try owned(rig, token)
        #expect(over.subscriptions.map(\.state) == [.expired])
        #expect(over.purchases.allSatisfy { $0.content == nil })
        #expect(try rig.send("GET", "/v1/products/week/content", token: token).status == 404)
        rig.store.answer(
            .text(
                Answers.unified(
                    [], [], at: rig.clock.now.milliseconds,
                    others: [.init(product: "week", transaction: "1")])))
        let again = try rig.submit(token, product: "week", transaction: "1").outcome
        #expect(again.status == .alreadyGranted)
        #expect(again.subscription?.state == .expired)
        #expect(again.content == nil)
    }

    @Test func `a purchase without a length has no end beside one that has`() throws {
        let folder = TemporaryFolder()
        let token = try sold(folder)
        let rig = try rig([Self.pass("week", nil), Self.pass("month", nil)], folder)
        rig.store.answer(
            .text(Answers.unified([], [], others: [.init(product: "week", transaction: "3")])))
        let forEver = try rig.submit(token, product: "week", transaction: "3").outcome
        #expect(forEver.status == .granted)
        #expect(forEver.content != nil)
        rig.clock.advance(milliseconds: 400 * Answers.day)
        rig.store.answer(.failure(.unreachable))
        #expect(try rig.send("GET", "/v1/products/week/content", token: token).status == 200)
        #expect(try rig.send("GET", "/v1/products/month/content", token: token).status == 404)
        let state = try rig.send(
            "GET", "/v1/receipts/" + forEver.submissionId, token: token
        ).outcome
        #expect(state.content != nil)
        #expect(
            try owned(rig, token).purchases.map { $0.content != nil } == [false, false, true])
    }
}
