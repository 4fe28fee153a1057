import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// Who is asked about again, when, and what comes of it.
@Suite(.ownThreads) struct SubscriptionWorkerTests {
    private typealias Answers = SubscriptionAnswers

    private func rig(folder: TemporaryFolder? = nil, firstRandom: Int = 0) throws -> Rig {
        try Rig(
            products: Rig.subscriptions, folder: folder, firstRandom: firstRandom, secret: "secret")
    }

    /// One round, to the end of what it handed out.
    private func round(_ rig: Rig) {
        rig.parts.subscriptionWorker.round()
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
    }

    private func subscription(_ rig: Rig, _ token: String) throws -> UserSubscriptionBody {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        let body = try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
        return try #require(body.subscriptions.first)
    }

    private func found(
        _ rig: Rig, _ transaction: String = "1000000000000001"
    ) throws -> OperatorSubscriptionBody {
        let answer = try rig.send(
            "GET", "/operator/v1/subscriptions", token: Rig.operatorToken,
            query: [("transaction", transaction)])
        let body = try WireJSON.decode(OperatorSubscriptionsBody.self, from: answer.body)
        return try #require(body.subscriptions.first)
    }

    @Test func `renewals are followed on schedule, each with the newest receipt`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        var period = Answers.Period(ends: Answers.start + 2_000)
        rig.store.answer(.text(Answers.unified([period], latest: "cjE=")))
        _ = try rig.submit(token, product: "gold.month")
        for number in 2...20 {
            let now = rig.clock.now.milliseconds
            let due = try #require(try found(rig).nextCheckAt)
            #expect((1_000...3_000).contains(due - now), "in step with 2 seconds")
            rig.clock.advance(milliseconds: due - now - 1)
            let count = rig.store.requests.count
            round(rig)
            #expect(rig.store.requests.count == count, "not before its time")
            rig.clock.advance(milliseconds: 1)
            period = period.renewed("\(1_000_000_000_000_000 + number)")
            rig.store.answer(
                .text(
                    Answers.unified(
                        [period], at: rig.clock.now.milliseconds, latest: "cj\(number)=")))
            round(rig)
            #expect(rig.store.requests.count == count + 1)
            #expect(try subscription(rig, token).expires == period.ends)
            #expect(try subscription(rig, token).isServed)
        }
        #expect(try rig.count("SELECT count(*) FROM latest_receipts") == 1)
        let body = String(decoding: rig.store.requests.last?.body ?? [], as: UTF8.self)
        #expect(body.contains("\"password\":\"secret\""))
        #expect(!body.contains("exclude-old-transactions"), "upgrades must be told from refunds")
        try expectGolden(body, "verify-request-check")
        let history = try found(rig).history?.map(\.event)
        #expect(history == ["began"] + Array(repeating: "renewed", count: 19))
    }

    @Test func `a subscription of too many periods is followed by its newest alone`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        // The receipt has both; one was replaced by an upgrade, which only the whole list tells.
        var replaced = first
        replaced.cancelledAt = second.begins - 1_000
        let answer = Answers.unified([second], at: second.begins, inApp: [replaced, second])
        rig.store.answer(.longUnlessExcluded(answer))
        rig.clock.advance(milliseconds: Answers.month)
        let submitted = try rig.submit(
            token, product: "gold.month", transaction: "1000000000000002")
        #expect(try submitted.outcome.status == .granted)
        #expect(rig.store.requests.count == 2)
        #expect(try subscription(rig, token).isServed)
        let third = second.renewed("1000000000000003")
        rig.clock.advance(milliseconds: Answers.month)
        rig.store.answer(
            .longUnlessExcluded(
                Answers.unified([third], at: third.begins, inApp: [replaced, second])))
        round(rig)
        #expect(try subscription(rig, token).expires == third.ends)
        #expect(try found(rig).failures == 0)
    }

    @Test func `a very long newest receipt does not replace the one that is followed`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let long = "MIIB" + String(repeating: "AAAA", count: 1 << 19)
        rig.store.answer(.text(Answers.unified([.init()], latest: "MIIC")))
        _ = try rig.submit(token, product: "gold.month")
        for (latest, sent) in [(long, "MIIC"), ("MIID", "MIID")] {
            rig.clock.advance(milliseconds: Answers.day)
            rig.store.answer(
                .text(Answers.unified([.init()], at: rig.clock.now.milliseconds, latest: latest)))
            round(rig)
            #expect(try found(rig).failures == 0)
            rig.clock.advance(milliseconds: Answers.day)
            round(rig)
            let body = String(decoding: rig.store.requests.last?.body ?? [], as: UTF8.self)
            #expect(body.contains("\"\(sent)\""))
        }
    }

    @Test func `the next check uses the newest receipt of the last answer`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()], latest: "Zmlyc3Q=")))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(
            .text(
                Answers.unified(
                    [.init()], at: rig.clock.now.milliseconds, latest: "c2Vjb25k")))
        round(rig)
        rig.clock.advance(milliseconds: Answers.day)
        round(rig)
        let sent = rig.store.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(sent[1].contains("\"receipt-data\":\"Zmlyc3Q=\""))
        #expect(sent[2].contains("\"receipt-data\":\"c2Vjb25k\""))
    }

    @Test func `a monthly subscription is checked daily and shortly after its end`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        var waits: [Int64] = []
        for _ in 0..<31 {
            let now = rig.clock.now.milliseconds
            let due = try #require(try found(rig).nextCheckAt)
            waits.append(due - now)
            rig.clock.advance(milliseconds: due - now)
            rig.store.answer(.text(Answers.unified([.init()], at: rig.clock.now.milliseconds)))
            round(rig)
        }
        #expect(waits.prefix(30).allSatisfy { $0 == Answers.day })
        #expect(waits[30] == Answers.day + 60_000)
        rig.clock.advance(milliseconds: 3_600_000)
        #expect(try subscription(rig, token).state == .expired)
    }

    @Test func `a billing retry is checked at growing intervals until it recovers`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.month + 60_000)
        var waits: [Int64] = []
        for _ in 0..<12 {
            let now = rig.clock.now.milliseconds
            rig.store.answer(.text(Answers.unified([first], [.init(isRetried: true)], at: now)))
            round(rig)
            let due = try #require(try found(rig).nextCheckAt)
            waits.append((due - now) / 60_000)
            rig.clock.advance(milliseconds: due - now)
        }
        #expect(waits == [10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440, 1_440, 1_440])
        #expect(try subscription(rig, token).state == .billingRetry)
        var paid = first.renewed("1000000000000002")
        paid.begins = rig.clock.now.milliseconds
        paid.ends = paid.begins + Answers.month
        rig.store.answer(.text(Answers.unified([paid, first], at: paid.begins)))
        round(rig)
        #expect(try subscription(rig, token).state == .active)
        #expect(try found(rig).history?.last?.event == "recovered")
    }

    @Test func `an ended subscription is checked less and finally only on request`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period(ends: Answers.start + 10_000)
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        for _ in 0..<100 {
            rig.clock.advance(milliseconds: 20_000)
            rig.store.answer(
                .text(
                    Answers.unified(
                        [first], [.init(renews: false, isRetried: false, intent: 1)],
                        at: rig.clock.now.milliseconds)))
            round(rig)
        }
        #expect(rig.store.requests.count == 62, "the app's, the one that found the end, and sixty")
        #expect(try found(rig).nextCheckAt == nil)
        let asked = try rig.send(
            "POST", "/operator/v1/subscriptions/1000000000000001/check", token: Rig.operatorToken)
        #expect(asked.status == 200)
        #expect(rig.store.requests.count == 63)
        #expect(try found(rig).nextCheckAt != nil)
    }

    @Test func `due checks survive a restart, even in the middle of one`() throws {
        let folder = TemporaryFolder()
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        let gate = Gate()
        let before = try rig(folder: folder)
        let token = try before.signUp(forGood: true)
        before.store.answer(.text(Answers.unified([first])))
        _ = try before.submit(token, product: "gold.month")
        before.clock.advance(milliseconds: Answers.month + 60_000)
        before.store.answer(.held(gate, Answers.unified([second, first], at: second.begins)))
        before.parts.subscriptionWorker.round()
        try eventually { before.store.requests.count == 2 }

        // Another process on the same file, while the first still waits for its answer.
        let after = try rig(folder: folder, firstRandom: 100)
        after.clock.advance(milliseconds: Answers.month + 60_000)
        after.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        round(after)
        #expect(after.store.requests.count == 1)
        #expect(try subscription(after, token).expires == second.ends)
        gate.open()
        #expect(before.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        #expect(try subscription(after, token).expires == second.ends)
        #expect(try found(after).history?.map(\.event) == ["began", "renewed"])
    }

    @Test func `a hanging check delays no other and is not repeated meanwhile`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.status(21_005)))
        rig.parts.subscriptionWorker.round()
        try eventually { rig.store.requests.count == 2 }

        let radio = Answers.Period(product: "radio", transaction: "9", original: "9")
        let renewal = Answers.Renewal(original: "9", product: "radio")
        rig.store.answer(
            .text(
                Answers.unified([radio], [renewal], at: rig.clock.now.milliseconds, latest: "cjI=")
            ))
        _ = try rig.submit(token, product: "radio", transaction: "9")
        rig.clock.advance(milliseconds: Answers.day)
        rig.parts.subscriptionWorker.round()
        try eventually { try found(rig, "9").checkedAt == rig.clock.now.milliseconds }
        rig.parts.subscriptionWorker.round()
        gate.open()
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        #expect(rig.store.requests.count == 4)
        #expect(try found(rig).failures == 1)
    }

    @Test func `while no answer can be written down, the store is asked one thing at a time`()
        throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        let radio = Answers.Period(product: "radio", transaction: "9", original: "9")
        rig.store.answer(
            .text(Answers.unified([radio], [.init(original: "9", product: "radio")])))
        _ = try rig.submit(token, product: "radio", transaction: "9")
        rig.clock.advance(milliseconds: Answers.day)
        rig.database.stopWriting()
        round(rig)
        #expect(rig.store.requests.count == 4, "each was due")
        #expect(rig.parts.subscriptionWorker.round() == .failed)
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        #expect(rig.store.requests.count == 5)
    }

    @Test func `trouble is reported, retried at growing intervals and forgotten once over`() throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.failure(.unreachable))
        var waits: [Int64] = []
        for _ in 0..<10 {
            round(rig)
            let now = rig.clock.now.milliseconds
            let due = try #require(try found(rig).nextCheckAt)
            waits.append((due - now) / 1_000)
            rig.clock.advance(milliseconds: due - now)
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
        #expect(try found(rig).failures == 10)
        #expect(try found(rig).trouble?.contains("no answer") == true)
        #expect(rig.log.contains { $0.contains("\"subscription.checkFailed\"") })
        #expect(try subscription(rig, token).isServed, "what is paid is served")
        let listed = try rig.send(
            "GET", "/operator/v1/subscriptions", token: Rig.operatorToken,
            query: [("trouble", "true")])
        #expect(
            try WireJSON.decode(OperatorSubscriptionsBody.self, from: listed.body)
                .subscriptions.count == 1)

        rig.store.answer(.text(Answers.unified([.init()], at: rig.clock.now.milliseconds)))
        round(rig)
        #expect(try found(rig).failures == 0)
        #expect(try found(rig).trouble == nil)
    }

    @Test(arguments: [
        StoreAnswers.status(21_003), StoreAnswers.verified([]),
        SubscriptionAnswers.unified([.init()], bundle: "com.example.other"),
        SubscriptionAnswers.unified([.init(transaction: "5", original: "5")]),
    ])
    func `an answer without the subscription changes nothing`(text: String) throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        let before = try subscription(rig, token)
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text(text))
        for number in 1...60 {
            round(rig)
            #expect(try found(rig).failures == number)
            rig.clock.advance(milliseconds: Answers.day)
        }
        #expect(try found(rig).nextCheckAt == nil, "believed at last")
        var after = try subscription(rig, token)
        #expect(after.state == .unconfirmed)
        rig.clock.advance(milliseconds: -61 * Answers.day)
        after = try subscription(rig, token)
        #expect(after == before)
    }

    @Test func `a store that asks for a pause gets no checks`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text("busy", status: 503, headers: ["retry-after": "1800"]))
        round(rig)
        let due = try #require(try found(rig).nextCheckAt)
        #expect(due - rig.clock.now.milliseconds == 1_800_000)
    }

    @Test func `checks become due when the store's clock jumps past them`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        // The next answer, about something else, comes two months later by the store's clock.
        rig.store.answer(
            .text(
                Answers.unified(
                    [], [], at: Answers.start + 2 * Answers.month, others: [.init()])))
        _ = try rig.submit(token, product: "coins")
        #expect(try found(rig).nextCheckAt == rig.clock.now.milliseconds)
        #expect(try subscription(rig, token).state == .unconfirmed)
        rig.store.answer(
            .text(
                Answers.unified(
                    [.init()], [.init(renews: false, intent: 1)],
                    at: Answers.start + 2 * Answers.month)))
        round(rig)
        #expect(try subscription(rig, token).state == .expired)
    }

    @Test func `a store whose clock went back is not asked more often`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text(Answers.unified([first])))
        round(rig)
        round(rig)
        #expect(rig.store.requests.count == 2)
        #expect(try found(rig).trouble?.contains("older") == true)
        #expect(try found(rig).subscription.expires == second.ends)
    }

    @Test func `the backend's own clock going back does not stop the checks`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: -10 * Answers.day)
        round(rig)
        #expect(rig.store.requests.count == 2)
        let due = try #require(try found(rig).nextCheckAt)
        #expect(due - rig.clock.now.milliseconds == Answers.day)
    }

    @Test func `other receipts do not shorten the wait after failed checks`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.month + 60_000)
        rig.store.answer(.failure(.unreachable))
        for _ in 0..<6 {
            round(rig)
            let due = try #require(try found(rig).nextCheckAt)
            rig.clock.advance(milliseconds: due - rig.clock.now.milliseconds)
        }
        round(rig)
        let before = try found(rig)
        #expect(before.failures == 7)
        rig.store.answer(
            .text(
                Answers.unified([], [], at: rig.clock.now.milliseconds, others: [.init()])))
        _ = try rig.submit(token, product: "coins")
        #expect(try found(rig).nextCheckAt == before.nextCheckAt)
    }

    @Test func `a doubtful answer revokes nothing, ends after sixty, and the operator can restart`()
        throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        // A whole receipt, in the iOS 6 style.
        rig.store.answer(.text(Answers.unified([.init()], latest: "eyB9")))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        var waits: [Int64] = []
        while true {
            round(rig)
            let now = rig.clock.now.milliseconds
            guard let due = try found(rig).nextCheckAt else { break }
            waits.append((due - now) / 1_000)
            try #require(waits.count < 60)
            rig.clock.advance(milliseconds: due - now)
        }
        #expect(waits.count == 59)
        #expect(waits.prefix(10) == [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560])
        #expect(waits.suffix(40).allSatisfy { $0 == 86_400 })
        let asked = rig.store.requests.count
        rig.clock.advance(milliseconds: Answers.month)
        round(rig)
        #expect(rig.store.requests.count == asked, "nothing more happens by itself")
        let listed = try rig.send(
            "GET", "/operator/v1/subscriptions", token: Rig.operatorToken,
            query: [("trouble", "true")])
        let row = try #require(
            try WireJSON.decode(OperatorSubscriptionsBody.self, from: listed.body)
                .subscriptions.first)
        #expect(row.trouble?.contains("21002") == true && row.nextCheckAt == nil)
        #expect(row.subscription.state == .unconfirmed, "it is neither revoked nor expired")
        let original = try #require(row.subscription.originalTransactionId)
        rig.store.answer(
            .text(Answers.unified([.init()], at: rig.clock.now.milliseconds)))
        let checked = try rig.send(
            "POST", "/operator/v1/subscriptions/\(original)/check", token: Rig.operatorToken)
        #expect(checked.status == 200)
        #expect(try found(rig).trouble == nil && found(rig).failures == 0)
    }

    @Test func `an unreachable store does not count as a refusal`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()], latest: "eyB9")))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.day)
        rig.store.answer(.failure(.unreachable))
        for _ in 0..<70 {
            round(rig)
            rig.clock.advance(milliseconds: Answers.day)
        }
        #expect(try found(rig).failures == 70)
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        for number in 1...60 {
            #expect(try found(rig).nextCheckAt != nil, "after \(number - 1) refusals")
            round(rig)
            rig.clock.advance(milliseconds: Answers.day)
        }
        #expect(try found(rig).nextCheckAt == nil)
    }

    @Test func `a receipt without news is not a check`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.month + 60_000)
        func hear() {
            rig.store.answer(
                .text(
                    Answers.unified(
                        [first], [.init(isRetried: true)], at: rig.clock.now.milliseconds)))
        }
        hear()
        round(rig)
        let before = try found(rig)
        for _ in 0..<20 {
            rig.clock.advance(milliseconds: 1_000)
            hear()
            _ = try rig.submit(token, product: "gold.month")
        }
        #expect(try found(rig).nextCheckAt == before.nextCheckAt)
        #expect(try found(rig).quietChecks == before.quietChecks)
        #expect(try found(rig).answeredAt == rig.clock.now.milliseconds)
    }

    @Test func `a delayed answer does not set the store's clock back`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let gate = Gate()
        let late = Answers.unified(
            [], [], others: [.init(product: "coins", transaction: "7")])
        rig.store.answer(.held(gate, late))
        let body = try Rig.submission(product: "coins", transaction: "7")
        let waiting = rig.begin("POST", "/v1/receipts", token: token, body)
        try eventually { rig.store.requests.count == 1 }
        rig.clock.advance(milliseconds: 1_000)
        let ahead = Answers.start + Answers.month
        rig.store.answer(
            .text(Answers.unified([], [], at: ahead, others: [.init(transaction: "8")])))
        _ = try rig.submit(token, product: "coins", transaction: "8")
        rig.clock.advance(milliseconds: 1_000)
        gate.open()
        #expect(try waiting.answer().status == 200)
        let now = try rig.database.read {
            try StoreClockRecords.now($0, .production, at: rig.clock.now)
        }
        #expect(now.milliseconds == ahead + 1_000)
        // Ours was put back: what was seen then lies ahead of it.
        rig.clock.advance(milliseconds: -Answers.day)
        rig.store.answer(.text(Answers.unified([], [], others: [.init(transaction: "9")])))
        _ = try rig.submit(token, product: "coins", transaction: "9")
        #expect(
            try rig.count("SELECT store_at FROM store_clocks") == Answers.start)
    }
}
