import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What the backend asks the store by itself about what it granted, and what becomes of it.
@Suite(.ownThreads) struct GrantCheckTests {
    private static let day: Int64 = 86_400_000

    private func round(_ rig: Rig) {
        rig.parts.grantWorker.round()
        #expect(rig.parts.grantWorker.pool.drain(milliseconds: 20_000))
    }

    private func owned(_ rig: Rig, _ token: String) throws -> [OwnedPurchasesBody.Purchase] {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).purchases
    }

    private func content(_ rig: Rig, _ token: String, _ product: String = "turbo") throws -> Int {
        try rig.send("GET", "/v1/products/\(product)/content", token: token).status
    }

    /// A user who bought the turbo.
    private func bought(_ rig: Rig) throws -> (token: String, submission: String) {
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init(product: "turbo"))
        return (token, try rig.submit(token, product: "turbo").outcome.submissionId)
    }

    @Test func `a revoked purchase is taken back within the configured time without the app`()
        throws
    {
        let rig = try Rig { $0.grantCheckMilliseconds = 2 * Self.day }
        let (token, id) = try bought(rig)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        rig.clock.advance(milliseconds: 2 * Self.day - 1)
        round(rig)
        #expect(rig.store.requests.count == 1, "not before its time")
        rig.clock.advance(milliseconds: 1)
        round(rig)
        #expect(rig.store.requests.count == 2)
        #expect(try owned(rig, token).first?.refundedAt != nil)
        #expect(try content(rig, token) == 404)
        let found = try rig.submission(id)
        #expect(found.history?.map(\.event) == ["received", "granted", "refunded"])
        #expect(found.history?.last?.requestId == "worker")
        #expect(found.grant?.nextCheckAt == rig.clock.now.milliseconds + 2 * Self.day)
    }

    @Test func `a reversed refund is believed by the answer that showed the refund`() throws {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        rig.clock.advance(milliseconds: Self.day)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        round(rig)
        rig.clock.advance(milliseconds: Self.day)
        round(rig)
        #expect(rig.store.requests.count == 3, "it is asked about again")
        #expect(try owned(rig, token).first?.refundedAt != nil)
        rig.clock.advance(milliseconds: Self.day)
        rig.store.verified(.init(product: "turbo"))
        round(rig)
        #expect(try owned(rig, token).first?.refundedAt == nil)
        #expect(try content(rig, token) == 200)
        #expect(try rig.submission(id).history?.last?.event == "refundReversed")
    }

    @Test func `an answer that never showed a refund does not reverse it`() throws {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        // Another receipt shows the refund, which the answer for the kept one never does.
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        let told = try rig.submit(token, product: "turbo", receipt: "bmV3")
        #expect(try told.outcome.reason == "cancelled")
        rig.store.verified(.init(product: "turbo"))
        for _ in 1...3 {
            rig.clock.advance(milliseconds: Self.day)
            round(rig)
        }
        #expect(rig.store.requests.count == 5)
        #expect(try owned(rig, token).first?.refundedAt != nil)
        // The operator knows better.
        _ = try rig.look("/\(id)/recheck", method: "POST")
        #expect(try owned(rig, token).first?.refundedAt == nil)
    }

    @Test func `a refund that another receipt shows is looked for at once in the kept one`() throws
    {
        let rig = try Rig()
        let (token, _) = try bought(rig)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        _ = try rig.submit(token, product: "turbo", receipt: "bmV3")
        round(rig)
        #expect(rig.store.requests.count == 3)
        rig.store.verified(.init(product: "turbo"))
        rig.clock.advance(milliseconds: Self.day)
        round(rig)
        #expect(try owned(rig, token).first?.refundedAt == nil)
    }

    @Test func `a purchase about which the store never answers holds up no other`() throws {
        let rig = try Rig()
        let (token, _) = try bought(rig)
        rig.clock.advance(milliseconds: 1_000)
        rig.store.verified(.init(product: "flag", transaction: "2"))
        _ = try rig.submit(token, product: "flag", transaction: "2", receipt: "dHdv")
        rig.store.answer(.failure(.unreachable))
        rig.clock.advance(milliseconds: Self.day)
        round(rig)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        rig.clock.advance(milliseconds: 3_600_000)
        round(rig)
        let body = String(decoding: rig.store.requests.last?.body ?? [], as: UTF8.self)
        #expect(body.contains("cmVjZWlwdA=="), "not the one that failed")
        #expect(try owned(rig, token).map { $0.refundedAt != nil } == [true, false])
    }

    @Test func `a report of a refund reaches its purchases by their keys`() throws {
        let rig = try Rig()
        _ = try bought(rig)
        let sql = "EXPLAIN QUERY PLAN " + GrantCheckRecords.hastening
        let plan: [String] = try rig.parts.database.read { scope in
            try scope.rows(sql, [0, "", "", "", 0, 0, 0]).map { try $0["detail"] }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH grants") && $0.contains("key_transaction=?") })
        #expect(!plan.contains { $0.hasPrefix("SCAN grants") || $0.contains("grants_due") })
    }

    @Test func `the longer a purchase stands, the less often it is asked about`() throws {
        let rig = try Rig()
        _ = try bought(rig)
        func checks(days: Int) -> Int {
            let before = rig.store.requests.count
            for _ in 1...days {
                rig.clock.advance(milliseconds: Self.day)
                round(rig)
            }
            return rig.store.requests.count - before
        }
        #expect(checks(days: 30) == 30)
        #expect((20...30).contains(checks(days: 60)))
        #expect((30...45).contains(checks(days: 275)))
        let timings = rig.parts.settler.timings
        #expect(timings.grantWait(ageMilliseconds: 5_000 * Self.day) == 30 * Self.day)
    }

    @Test func `a silent store is asked about one purchase of a user, not about each`() throws {
        let rig = try Rig()
        let (token, _) = try bought(rig)
        rig.store.verified(.init(product: "flag", transaction: "2"))
        _ = try rig.submit(token, product: "flag", transaction: "2", receipt: "dHdv")
        let calls = rig.store.requests.count
        rig.store.answer(.failure(.unreachable))
        rig.clock.advance(milliseconds: Self.day)
        for _ in 1...3 { round(rig) }
        #expect(rig.store.requests.count == calls + 1)
        #expect(try rig.count("SELECT count(*) FROM grants WHERE next_check_at > 0") == 2)
    }

    @Test func `a purchase that stands is asked about again and again`() throws {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        for _ in 1...5 {
            rig.clock.advance(milliseconds: Self.day)
            round(rig)
            let grant = try rig.submission(id).grant
            #expect(grant?.checkedAt == rig.clock.now.milliseconds)
            #expect(grant?.nextCheckAt == rig.clock.now.milliseconds + Self.day)
        }
        #expect(rig.store.requests.count == 6)
        #expect(try owned(rig, token).first?.refundedAt == nil)
    }

    @Test func `one answer counts for everything that its receipt lists`() throws {
        let rig = try Rig()
        let (token, _) = try bought(rig)
        rig.store.verified(
            .init(product: "turbo"), .init(product: "flag", transaction: "2"),
            .init(product: "coins", transaction: "3"))
        rig.clock.advance(milliseconds: 1_000)
        _ = try rig.submit(token, product: "flag", transaction: "2", receipt: "dHdv")
        rig.clock.advance(milliseconds: 1_000)
        _ = try rig.submit(token, product: "coins", transaction: "3", receipt: "dGhyZWU=")
        let calls = rig.store.requests.count
        rig.clock.advance(milliseconds: Self.day)
        rig.store.verified(
            .init(product: "turbo"), .init(product: "flag", transaction: "2", isCancelled: true),
            .init(product: "coins", transaction: "3"))
        for _ in 1...3 { round(rig) }
        let asked = rig.store.requests.dropFirst(calls).map {
            String(decoding: $0.body ?? [], as: UTF8.self)
        }
        #expect(asked.count == 2, "with the newest receipt, and with that of the refund")
        #expect(asked.first?.contains("dGhyZWU=") == true)
        #expect(asked.last?.contains("dHdv") == true)
        #expect(try owned(rig, token).map { $0.refundedAt != nil } == [false, true, false])
    }

    @Test func `content is given after the store was asked, unless it answered a moment ago`()
        throws
    {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        #expect(try content(rig, token) == 200)
        #expect(rig.store.requests.count == 1, "it answered a moment ago")
        rig.clock.advance(milliseconds: 1_000)
        #expect(try content(rig, token) == 200)
        #expect(try content(rig, token) == 200)
        #expect(rig.store.requests.count == 2)
        rig.clock.advance(milliseconds: 1_000)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        let state = try rig.send("GET", "/v1/receipts/\(id)", token: token).outcome
        #expect(state.content == nil)
        #expect(try content(rig, token) == 404)
        #expect(rig.store.requests.count == 3)
    }

    @Test func `content of a restored copy is given after the store was asked about the purchase`()
        throws
    {
        let rig = try Rig()
        let (token, _) = try bought(rig)
        rig.store.verified(
            .init(product: "turbo", transaction: "2", original: "1000000000000001"))
        let copy = try rig.submit(token, product: "turbo", transaction: "2", receipt: "dHdv")
            .outcome
        #expect(copy.status == .alreadyGranted)
        rig.clock.advance(milliseconds: 60_000)
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        let state = try rig.send("GET", "/v1/receipts/\(copy.submissionId)", token: token).outcome
        #expect(state.content == nil)
        #expect(rig.store.requests.count == 3)
    }

    @Test(arguments: [
        ScriptedStore.Answer.failure(.unreachable), .text(StoreAnswers.status(21_005)),
        .text(StoreAnswers.status(21_003)), .text(StoreAnswers.verified([])),
    ])
    func `an answer that says nothing about a purchase takes nothing back`(
        answer: ScriptedStore.Answer
    ) throws {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        rig.store.answer(answer)
        rig.clock.advance(milliseconds: Self.day)
        round(rig)
        #expect(try content(rig, token) == 200)
        #expect(try rig.submission(id).grant?.checkFailures == 1)
        #expect(try rig.submission(id).grant?.nextCheckAt ?? 0 > rig.clock.now.milliseconds)
        #expect(rig.log.contains { $0.contains("grant.checkFailed") })
        rig.store.verified(.init(product: "turbo", isCancelled: true))
        rig.clock.advance(milliseconds: Self.day)
        round(rig)
        #expect(try content(rig, token) == 404)
    }

    @Test func `a store that refuses a receipt for two months is not asked about it any more`()
        throws
    {
        let rig = try Rig()
        let (token, id) = try bought(rig)
        rig.store.answer(.text(StoreAnswers.status(21_010)))
        for _ in 0..<70 {
            rig.clock.advance(milliseconds: Self.day)
            round(rig)
        }
        #expect(rig.store.requests.count == 61)
        #expect(try rig.submission(id).grant?.nextCheckAt == nil)
        rig.store.verified(.init(product: "turbo"))
        _ = try rig.look("/\(id)/recheck", method: "POST")
        #expect(try rig.submission(id).grant?.nextCheckAt != nil)
        #expect(try content(rig, token) == 200)
    }

    @Test func `a receipt without a granted consumable has the store asked by the kept one`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init())
        #expect(try rig.submit(token).status == 200)
        rig.clock.advance(milliseconds: 10_000)
        // The app tells of the revocation; a revoked consumable has left its receipt.
        rig.store.answer(.text(StoreAnswers.verified([])))
        let told = try rig.submit(token, receipt: "bmV3")
        #expect(try told.outcome.reason == "transactionNotInReceipt")
        rig.store.verified(.init(isCancelled: true))
        round(rig)
        let body = String(decoding: rig.store.requests.last?.body ?? [], as: UTF8.self)
        #expect(body.contains("cmVjZWlwdA=="))
        #expect(try owned(rig, token).first?.refundedAt != nil)
        // Of another user it says nothing.
        let other = try rig.signUp("emil")
        rig.store.answer(.text(StoreAnswers.verified([])))
        _ = try rig.submit(other, receipt: "bmV3")
        let calls = rig.store.requests.count
        round(rig)
        #expect(rig.store.requests.count == calls)
    }

    @Test func `one finished consumable has the store asked about the newest of its product`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        let countMax = BackendLimits.consumablesHastenedMax
        func receipt(_ number: Int) -> String { "cmVj" + String(1_000 + number) }
        for number in 1...countMax + 2 {
            rig.clock.advance(milliseconds: 1)
            rig.store.verified(.init(transaction: "\(number)"))
            let bought = try rig.submit(
                token, transaction: "\(number)", receipt: receipt(number))
            #expect(bought.status == 200)
        }
        rig.store.verified(.init(product: "turbo", transaction: "99"))
        _ = try rig.submit(token, product: "turbo", transaction: "99", receipt: "dHVy")
        rig.clock.advance(milliseconds: 10_000)
        rig.store.answer(.text(StoreAnswers.verified([])))
        let before = rig.store.requests.count + 1
        _ = try rig.submit(token, transaction: "1", receipt: "bmV3")
        for _ in 0..<countMax + 5 { round(rig) }
        #expect(rig.store.requests.count == before + 1, "the others were asked about lately")
        rig.clock.advance(milliseconds: BackendLimits.consumableRestMilliseconds)
        for _ in 0..<countMax + 5 { round(rig) }
        let asked = rig.store.requests.dropFirst(before).map {
            String(decoding: $0.body ?? [], as: UTF8.self)
        }
        #expect(asked.count == countMax + 1, "the named one and the newest")
        for number in [1] + Array(3...countMax + 2) {
            #expect(asked.contains { $0.contains(receipt(number)) }, "\(number)")
        }
    }

    @Test func `a refund told within a second of the store's last answer is asked about after it`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        rig.store.verified(.init())
        _ = try rig.submit(token)
        rig.clock.advance(milliseconds: 400)
        rig.store.answer(.text(StoreAnswers.verified([])))
        _ = try rig.submit(token, receipt: "bmV3")
        rig.store.verified(.init(isCancelled: true))
        rig.clock.advance(milliseconds: 599)
        round(rig)
        #expect(rig.store.requests.count == 2)
        rig.clock.advance(milliseconds: 1)
        round(rig)
        #expect(try owned(rig, token).first?.refundedAt != nil)
    }

    @Test func `due checks survive a restart`() throws {
        let folder = TemporaryFolder()
        let before = try Rig(folder: folder)
        let token = try bought(before).token
        before.parts.database.close()
        let after = try Rig(folder: folder, firstRandom: 1_000)
        after.clock.advance(milliseconds: Self.day)
        after.store.verified(.init(product: "turbo", isCancelled: true))
        round(after)
        #expect(try content(after, token) == 404)
    }

    @Test func `a subscription's content is given after the store was asked, too`() throws {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret")
        let token = try rig.signUp(forGood: true)
        let period = SubscriptionAnswers.Period()
        rig.store.answer(.text(SubscriptionAnswers.unified([period])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: 60_000)
        // Its clock was moved on by months, and nothing was renewed.
        rig.store.answer(
            .text(
                SubscriptionAnswers.unified(
                    [period], [.init(renews: false, isRetried: false, intent: 1)],
                    at: period.ends + 90 * Self.day)))
        #expect(try content(rig, token, "gold.month") == 404)
        let listed = try rig.send("GET", "/v1/purchases", token: token)
        let body = try WireJSON.decode(OwnedPurchasesBody.self, from: listed.body)
        #expect(body.subscriptions.map(\.state) == [.expired])
    }

    @Test func `subscriptions are listed after the store was asked about the stalest one`() throws {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret") {
            $0.listFreshMilliseconds = 1_000
        }
        let token = try rig.signUp(forGood: true)
        let gold = SubscriptionAnswers.Period()
        let radio = SubscriptionAnswers.Period(product: "radio", transaction: "9", original: "9")
        rig.store.answer(.text(SubscriptionAnswers.unified([gold])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: 500)
        rig.store.answer(.text(SubscriptionAnswers.unified([radio], [.init(original: "9")])))
        _ = try rig.submit(token, product: "radio", transaction: "9")
        #expect(try owned(rig, token).isEmpty)
        #expect(rig.store.requests.count == 2, "it answered a moment ago")
        // Its clock was moved on by months.
        rig.clock.advance(milliseconds: 500)
        let now = gold.ends + 90 * Self.day
        rig.store.answer(
            .text(
                SubscriptionAnswers.unified(
                    [gold], [.init(renews: false, isRetried: false, intent: 1)], at: now)))
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        let listed = try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).subscriptions
        #expect(listed.map(\.state) == [.expired, .unconfirmed], "the other one's end has passed")
        #expect(rig.store.requests.count == 3)
        #expect(
            try rig.count("SELECT next_check_at FROM subscriptions WHERE product_id = 'radio'")
                == rig.clock.now.milliseconds)
        rig.store.answer(.failure(.unreachable))
        rig.clock.advance(milliseconds: 5_000)
        #expect(try rig.send("GET", "/v1/purchases", token: token).status == 200)
        #expect(rig.store.requests.count == 3, "what is not served is not asked about")
    }
}
