import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// Subscriptions from the app's first receipt to their end, as their user sees them.
@Suite(.ownThreads) struct SubscriptionScenarioTests {
    private typealias Answers = SubscriptionAnswers

    private func rig(allowsSandbox: Bool = false) throws -> Rig {
        try Rig(
            allowsSandbox: allowsSandbox, products: Rig.subscriptions,
            secret: "0123456789abcdef0123456789abcdef")
    }

    private func owned(_ rig: Rig, _ token: String) throws -> OwnedPurchasesBody {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
    }

    private func subscription(_ rig: Rig, _ token: String) throws -> UserSubscriptionBody {
        try #require(owned(rig, token).subscriptions.first)
    }

    @Test func `a subscription is granted and served until its end`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(Answers.unified([.init()])))
        let answer = try rig.submit(token, product: "gold.month")
        try expectGolden(answer.transcript, "receipts-granted-subscription")
        try expectGolden(
            String(decoding: rig.store.requests[0].body ?? [], as: UTF8.self),
            "verify-request-secret")
        try expectGolden(
            rig.send("GET", "/v1/purchases", token: token).transcript, "purchases-subscription")
        #expect(try rig.send("GET", "/v1/products/gold.month/content", token: token).status == 200)

        rig.clock.advance(milliseconds: Answers.month - 1)
        #expect(try subscription(rig, token).isServed)
        rig.clock.advance(milliseconds: 3_600_000)
        #expect(try subscription(rig, token).state == .active, "a renewal is no gap")
        rig.clock.advance(milliseconds: 1)
        let late = try subscription(rig, token)
        #expect(late.state == .unconfirmed)
        #expect(!late.isServed)
        rig.store.answer(.failure(.unreachable))
        #expect(try rig.send("GET", "/v1/products/gold.month/content", token: token).status == 404)
        let state = try rig.send(
            "GET", "/v1/receipts/" + answer.outcome.submissionId, token: token
        ).outcome
        #expect(state.status == .granted)
        #expect(state.content == nil)
        #expect(state.subscription?.state == .unconfirmed)
    }

    @Test func `a renewal sent by the app is granted once and moves the end`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        rig.clock.advance(milliseconds: Answers.month)
        rig.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        let renewal = try rig.submit(token, product: "gold.month", transaction: "1000000000000002")
        #expect(try renewal.outcome.status == .granted)
        #expect(try renewal.outcome.subscription?.expires == second.ends)
        #expect(try renewal.outcome.content != nil)
        let again = try rig.submit(token, product: "gold.month", transaction: "1000000000000002")
        #expect(try again.outcome.status == .alreadyGranted)
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
        #expect(try rig.count("SELECT count(*) FROM subscriptions") == 1)
        #expect(try rig.count("SELECT count(*) FROM latest_receipts") == 1)
        #expect(
            try rig.count("SELECT count(*) FROM subscription_events WHERE event = 'renewed'") == 1)
    }

    @Test func `another user's submission is refused and the subscription stays with its owner`()
        throws
    {
        let rig = try rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        let first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(dora, product: "gold.month")
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        let other = try rig.submit(emil, product: "gold.month", transaction: "1000000000000002")
        #expect(other.status == 403)
        #expect(try other.outcome.reason == "ownedByAnotherUser")
        #expect(try owned(rig, emil).subscriptions.isEmpty)
        // What the store said is true all the same.
        #expect(try subscription(rig, dora).expires == second.ends)
    }

    @Test func `an old receipt that arrives late changes nothing`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.unified([second, first], at: second.begins)))
        _ = try rig.submit(token, product: "gold.month", transaction: "1000000000000002")
        rig.store.answer(
            .text(Answers.unified([first], [.init(renews: false)], latest: "c3RhbGU=")))
        let late = try rig.submit(token, product: "gold.month")
        #expect(try late.outcome.subscription?.expires == second.ends)
        #expect(try subscription(rig, token).autoRenews == true)
        #expect(
            try rig.count(
                "SELECT count(*) FROM latest_receipts WHERE bytes = CAST('latest' AS BLOB)") == 1)
    }

    @Test func `grace period, billing retry and recovery are shown as the store reports them`()
        throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let end = first.ends
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")

        func hear(_ renewal: Answers.Renewal, at now: Int64) throws -> UserSubscriptionBody {
            rig.store.answer(.text(Answers.unified([first], [renewal], at: now)))
            _ = try rig.submit(token, product: "gold.month")
            return try subscription(rig, token)
        }
        let grace = try hear(
            .init(isRetried: true, graceEnds: end + 6 * Answers.day), at: end + 1_000)
        #expect(grace.state == .gracePeriod)
        #expect(grace.inGracePeriod)
        #expect(grace.isServed)
        #expect(grace.gracePeriodEnds == end + 6 * Answers.day)
        rig.clock.advance(milliseconds: 6 * Answers.day)
        #expect(try subscription(rig, token).state == .billingRetry, "the grace is over by itself")
        let retry = try hear(.init(isRetried: true), at: end + 7 * Answers.day)
        #expect(retry.state == .billingRetry)
        #expect(!retry.isServed)
        let gone = try hear(
            .init(renews: false, isRetried: false, intent: 2), at: end + 60 * Answers.day)
        #expect(gone.state == .expired)
        #expect(gone.reason == "billingError")
        #expect(gone.autoRenews == false)

        var again = first.renewed("1000000000000003")
        again.begins = end + 70 * Answers.day
        again.ends = again.begins + Answers.month
        rig.store.answer(.text(Answers.unified([again, first], at: again.begins)))
        _ = try rig.submit(token, product: "gold.month", transaction: "1000000000000003")
        #expect(try subscription(rig, token).state == .active)
        let events = try rig.database.read { scope in
            try scope.rows("SELECT event FROM subscription_events ORDER BY id").map { $0.text(0) }
        }
        #expect(
            events == [
                "began", "gracePeriod", "billingRetry", "renewalSwitchedOff", "expired",
                "recovered", "renewalSwitchedOn",
            ])
    }

    @Test func `a revoked period ends the service and keeps the grant`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        var first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        let sound = first
        first.cancelledAt = Answers.start + 5_000
        rig.store.answer(.text(Answers.unified([first], at: Answers.start + 9_000)))
        let replay = try rig.submit(token, product: "gold.month")
        #expect(try replay.outcome.reason == "cancelled")
        let revoked = try subscription(rig, token)
        #expect(revoked.state == .revoked)
        #expect(revoked.revokedAt == Answers.start + 5_000)
        // A receipt from before does not bring it back.
        rig.store.answer(.text(Answers.unified([sound])))
        #expect(try rig.submit(token, product: "gold.month").outcome.content == nil)
        #expect(try subscription(rig, token).state == .revoked)
        #expect(try rig.count("SELECT count(*) FROM grants WHERE refunded_at IS NULL") == 1)
    }

    @Test func `a reversed refund restores the service, whatever older receipts say`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let sound = Answers.Period()
        var taken = sound
        taken.cancelledAt = Answers.start + 5_000
        rig.store.answer(.text(Answers.unified([sound])))
        _ = try rig.submit(token, product: "gold.month")
        rig.store.answer(.text(Answers.unified([taken], at: Answers.start + 6_000)))
        _ = try rig.submit(token, product: "gold.month")
        #expect(try subscription(rig, token).state == .revoked)
        for (now, held) in [(9_000, sound), (10_000, taken)] {
            rig.store.answer(
                .text(Answers.unified([sound], at: Answers.start + Int64(now), inApp: [held])))
            let answer = try rig.submit(token, product: "gold.month")
            #expect(try answer.outcome.content?.name == "Gold")
            #expect(try subscription(rig, token).state == .active)
        }
        let events = try rig.database.read { scope in
            try scope.rows("SELECT event FROM subscription_events ORDER BY id").map { $0.text(0) }
        }
        #expect(events == ["began", "revoked", "recovered"])
    }

    @Test func `an upgrade moves the service to the other product`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        var first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        var year = first.renewed("1000000000000002", product: "gold.year")
        year.begins = Answers.start + Answers.day
        first.cancelledAt = year.begins
        first.isUpgraded = true
        rig.store.answer(.text(Answers.unified([year, first], at: year.begins)))
        let upgrade = try rig.submit(token, product: "gold.year", transaction: "1000000000000002")
        #expect(try upgrade.outcome.status == .granted)
        let now = try subscription(rig, token)
        #expect(now.productId == "gold.year")
        #expect(now.service == "gold")
        #expect(try owned(rig, token).subscriptions.count == 1)
        #expect(try rig.send("GET", "/v1/products/gold.month/content", token: token).status == 404)
        let content = try rig.send("GET", "/v1/products/gold.year/content", token: token)
        #expect(content.status == 200, "the grant is of the month, what is paid is the year")
        #expect(content.text.contains("Gold year"))
        #expect(try upgrade.outcome.content?.name == "Gold year")
    }

    @Test func `a product whose payments ended gives nothing more`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let year = Answers.Period(product: "gold.year")
        rig.store.answer(.text(Answers.unified([year])))
        let first = try rig.submit(token, product: "gold.year")
        #expect(try first.outcome.content?.name == "Gold year")
        // It goes down to the month at its end.
        let month = year.renewed("1000000000000002", product: "gold.month")
        rig.clock.advance(milliseconds: Answers.month)
        rig.store.answer(.text(Answers.unified([month, year], at: month.begins)))
        let down = try rig.submit(token, product: "gold.month", transaction: "1000000000000002")
        #expect(try down.outcome.content?.name == "Gold")
        let replay = try rig.submit(token, product: "gold.year")
        #expect(try replay.outcome.status == .alreadyGranted)
        #expect(try replay.outcome.subscription?.isServed == true)
        #expect(try replay.outcome.content == nil)
        let state = try rig.send(
            "GET", "/v1/receipts/" + first.outcome.submissionId, token: token
        ).outcome
        #expect(state.content == nil)
        #expect(try rig.send("GET", "/v1/products/gold.year/content", token: token).status == 404)
        #expect(try rig.send("GET", "/v1/products/gold.month/content", token: token).status == 200)
    }

    @Test func `an upgrade is not a refund, though the receipt only shows a cancellation`()
        throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        var first = Answers.Period()
        rig.store.answer(.text(Answers.unified([first])))
        _ = try rig.submit(token, product: "gold.month")
        var year = first.renewed("1000000000000002", product: "gold.year")
        year.begins = Answers.start + Answers.day
        first.cancelledAt = year.begins
        first.isUpgraded = true
        rig.store.answer(.text(Answers.unified([year, first], at: year.begins)))
        let again = try rig.submit(token, product: "gold.month", receipt: "YW5vdGhlcg==")
        #expect(try again.outcome.status == .alreadyGranted)
        #expect(
            try rig.count("SELECT count(*) FROM subscriptions WHERE revoked_at IS NOT NULL") == 0)
    }

    @Test func `one receipt with two groups gives two subscriptions`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let gold = Answers.Period()
        let radio = Answers.Period(product: "radio", transaction: "9", original: "9")
        rig.store.answer(
            .text(
                Answers.unified(
                    [gold, radio], [.init(), .init(original: "9", product: "radio", renews: false)]
                )))
        _ = try rig.submit(token, product: "gold.month")
        #expect(try owned(rig, token).subscriptions.map(\.productId) == ["gold.month"])
        _ = try rig.submit(token, product: "radio", transaction: "9")
        let both = try owned(rig, token).subscriptions
        #expect(Set(both.map(\.service)) == ["gold", "radio"])
        #expect(both.first { $0.productId == "radio" }?.autoRenews == false)
    }

    @Test func `an iOS 6 style subscription is followed, too`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        rig.store.answer(.text(Answers.old(first, latest: first)))
        let answer = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        #expect(try answer.outcome.subscription?.state == .active)
        #expect(
            try rig.count(
                "SELECT count(*) FROM latest_receipts WHERE style = 'transaction'") == 1)
        rig.clock.advance(milliseconds: Answers.month)
        rig.store.answer(.text(Answers.old(first, latest: second)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        #expect(try subscription(rig, token).expires == second.ends)
        rig.store.answer(
            .text(
                Answers.old(
                    second, latest: second, status: 21_006, renews: false, isRetried: false,
                    intent: 1)))
        let expired = try rig.submit(
            token, product: "gold.month", transaction: "1000000000000002", receipt: "eyB9")
        #expect(try expired.outcome.status == .granted, "it is the user's, whatever it gives")
        #expect(try expired.outcome.content == nil)
        #expect(try expired.outcome.subscription?.state == .expired)
        #expect(try expired.outcome.subscription?.reason == "voluntary")
    }

    /// A period that is over by our clock, long before the test begins.
    private func past(_ transaction: String, days: Int64, product: String = "gold.month")
        -> Answers.Period
    {
        let begins = Answers.start - 400 * Answers.day
        return Answers.Period(
            product: product, transaction: transaction, original: transaction, begins: begins,
            ends: begins + days * Answers.day)
    }

    @Test func `a good iOS 6 style receipt is served though the store's clock stands behind ours`()
        throws
    {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let (month, week) = (past("1", days: 31), past("2", days: 7, product: "radio"))
        for (period, product) in [(month, "gold.month"), (week, "radio"), (month, "gold.month")] {
            rig.store.answer(.text(Answers.old(period, latest: period)))
            let answer = try rig.submit(
                token, product: product, transaction: period.transaction, receipt: "eyB9")
            #expect(try answer.outcome.subscription?.state == .active)
            #expect(try answer.outcome.subscription?.isServed == true)
            // The two are not due together.
            rig.clock.advance(milliseconds: 1_000)
        }
        // As long as the store says so, also hours after the first answer.
        rig.store.answer(.text(Answers.old(month, latest: month)))
        for _ in 0..<40 {
            let due = try rig.count("SELECT min(next_check_at) FROM subscriptions")
            let wait = due - rig.clock.now.milliseconds
            #expect(wait <= 450_000, "less than what is served without an answer")
            rig.clock.advance(milliseconds: wait)
            #expect(try subscription(rig, token).isServed)
            rig.store.answer(
                .text(
                    try rig.count(
                        """
                        SELECT original_transaction = '1' FROM subscriptions
                        ORDER BY next_check_at, original_transaction LIMIT 1
                        """) == 1
                        ? Answers.old(month, latest: month) : Answers.old(week, latest: week)))
            rig.parts.subscriptionWorker.round()
            #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        }
        #expect(try owned(rig, token).subscriptions.allSatisfy { $0.isServed })
        rig.store.answer(
            .text(Answers.old(month, latest: month, status: 21_006, renews: false, intent: 1)))
        _ = try rig.submit(token, product: "gold.month", transaction: "1", receipt: "eyB9")
        #expect(
            try owned(rig, token).subscriptions.first { $0.productId == "gold.month" }?.state
                == .expired)
    }

    @Test func `an iOS 6 style answer tells that the store's clock passed an end`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let (gold, radio) = (
            Answers.Period(), Answers.Period(product: "radio", transaction: "9", original: "9")
        )
        rig.store.answer(.text(Answers.old(gold, latest: gold)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        rig.store.answer(.text(Answers.old(radio, latest: radio)))
        _ = try rig.submit(token, product: "radio", transaction: "9", receipt: "eyB9")
        // The store went on by months; the app sends one of the two.
        rig.clock.advance(milliseconds: 1_000)
        var newest = gold
        for number in 2...5 { newest = newest.renewed("100000000000000\(number)") }
        rig.store.answer(.text(Answers.old(gold, latest: newest)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        #expect(
            try rig.count(
                "SELECT next_check_at FROM subscriptions WHERE product_id = 'radio'")
                == rig.clock.now.milliseconds)
        let states = try owned(rig, token).subscriptions
        #expect(states.first { $0.productId == "gold.month" }?.expires == newest.ends)
        #expect(states.first { $0.productId == "radio" }?.state == .unconfirmed)
    }

    @Test(arguments: [true, false])
    func `a downgrade's payment is accepted as the running period`(isUnified: Bool) throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let running = Answers.Period()
        let renewal = Answers.Renewal(renewsAs: "gold.year")
        let changed =
            isUnified
            ? Answers.unified([running], [renewal])
            : Answers.old(running, latest: running, renewsAs: "gold.year")
        rig.store.answer(.text(Answers.unified([running])))
        _ = try rig.submit(token, product: "gold.month")
        rig.store.answer(.text(changed))
        let answer = try rig.submit(token, product: "gold.year", receipt: "eyB9")
        #expect(answer.status == 200)
        let outcome = try answer.outcome
        #expect(outcome.status == .alreadyGranted)
        #expect(outcome.productId == "gold.year")
        #expect(outcome.transactionId == running.transaction)
        #expect(outcome.content == nil, "the other product runs")
        #expect(outcome.subscription?.productId == "gold.month")
        #expect(outcome.subscription?.renewsAs == "gold.year")
        #expect(outcome.subscription?.isServed == true)
        #expect(
            try rig.send("GET", "/v1/receipts/\(outcome.submissionId)", token: token).outcome
                .productId == "gold.year")
        // A backend that never heard of the period before takes it from the change.
        let fresh = try self.rig()
        let other = try fresh.signUp(forGood: true)
        fresh.store.answer(.text(changed))
        let first = try fresh.submit(other, product: "gold.year", receipt: "eyB9").outcome
        #expect(first.status == .granted)
        #expect(first.subscription?.productId == "gold.month")
        #expect(try fresh.submit(other, product: "gold.month").outcome.status == .alreadyGranted)
    }

    @Test func `only what the store calls a subscription is served`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(
            .text(Answers.unified([], [], others: [.init(product: "gold.month")])))
        let answer = try rig.submit(token, product: "gold.month")
        #expect(answer.status == 422)
        #expect(try answer.outcome.reason == "notASubscription")
        #expect(try owned(rig, token).subscriptions.isEmpty)
        #expect(try rig.count("SELECT count(*) FROM grants") == 0)
    }

    @Test func `the store's clock counts, wherever it stands`() throws {
        let rig = try rig(allowsSandbox: true)
        let token = try rig.signUp(forGood: true)
        let future = Answers.start + 3_000 * Answers.day
        let period = Answers.Period(begins: future, ends: future + 300_000)
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        rig.store.answer(
            .text(Answers.unified([period], at: future + 1_000, environment: .sandbox)),
            in: .sandbox)
        _ = try rig.submit(token, product: "gold.month")
        #expect(try subscription(rig, token).isServed)
        #expect(try subscription(rig, token).environment == "Sandbox")
        #expect(
            try rig.count("SELECT next_check_at FROM subscriptions")
                == rig.clock.now.milliseconds + 299_000 + 5_000)
        rig.clock.advance(milliseconds: 299_000 + 300_000)
        #expect(try subscription(rig, token).state == .unconfirmed)
    }

    @Test func `non-renewing subscriptions add up and appear on another device`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        let start = Answers.start
        rig.store.answer(
            .text(
                Answers.unified(
                    [], [],
                    others: [
                        .init(product: "pass.week", transaction: "1"),
                        .init(product: "pass.week", transaction: "2", purchasedAt: start + 1_000),
                    ])))
        let first = try rig.submit(token, product: "pass.week", transaction: "1")
        #expect(try first.outcome.subscription?.expires == start + 7 * Answers.day)
        #expect(try first.outcome.content != nil)
        let second = try rig.submit(token, product: "pass.week", transaction: "2")
        #expect(try second.outcome.subscription?.expires == start + 14 * Answers.day)
        rig.clock.advance(milliseconds: 10 * Answers.day)
        let elsewhere = try owned(rig, token)
        #expect(elsewhere.subscriptions.map(\.service) == ["season"])
        #expect(elsewhere.subscriptions.map(\.state) == [.active])
        #expect(elsewhere.purchases.map(\.kind) == ["nonRenewing", "nonRenewing"])
        #expect(elsewhere.purchases.allSatisfy { $0.content != nil })

        // One of the two is taken back.
        rig.store.answer(
            .text(
                Answers.unified(
                    [], [], at: start + 10 * Answers.day,
                    others: [
                        .init(product: "pass.week", transaction: "1"),
                        .init(product: "pass.week", transaction: "2", isCancelled: true),
                    ])))
        let replay = try rig.submit(token, product: "pass.week", transaction: "1")
        #expect(try replay.outcome.content == nil, "its week is over")
        let left = try owned(rig, token)
        #expect(left.subscriptions.map(\.state) == [.expired])
        #expect(left.subscriptions.map(\.expires) == [start + 7 * Answers.day])
        #expect(left.purchases.allSatisfy { $0.content == nil })
        #expect(try rig.send("GET", "/v1/products/pass.week/content", token: token).status == 404)
    }

    @Test func `a sold subscription keeps its length, whatever the list says later`() throws {
        let folder = TemporaryFolder()
        let start = Answers.start
        func rig(_ days: Int, firstRandom: Int) throws -> Rig {
            let pass = BackendProduct(
                id: "pass", kind: .nonRenewing, content: nil, length: .days(days))
            return try Rig(
                products: ProductList(
                    bundleID: "com.example.rocketcar", versions: [], products: [pass]),
                folder: folder, firstRandom: firstRandom)
        }
        let before = try rig(7, firstRandom: 0)
        let token = try before.signUp(forGood: true)
        before.store.answer(
            .text(Answers.unified([], [], others: [.init(product: "pass", transaction: "1")])))
        _ = try before.submit(token, product: "pass", transaction: "1")
        let after = try rig(30, firstRandom: 100)
        #expect(try subscription(after, token).expires == start + 7 * Answers.day)
        after.store.answer(
            .text(Answers.unified([], [], others: [.init(product: "pass", transaction: "2")])))
        _ = try after.submit(token, product: "pass", transaction: "2")
        #expect(try subscription(after, token).expires == start + 37 * Answers.day)
        _ = try after.database.write { try $0.execute("UPDATE grants SET length = NULL") }
        #expect(try subscription(after, token).expires == start + 60 * Answers.day)
    }

    @Test func `a thousand renewals give one subscription`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        var periods = [Answers.Period()]
        for number in 2...1_000 {
            let last = try #require(periods.last)
            periods.append(last.renewed("\(1_000_000_000_000_000 + number)"))
        }
        let last = try #require(periods.last)
        rig.store.answer(.text(Answers.unified(periods.reversed(), at: last.begins)))
        let answer = try rig.submit(
            token, product: "gold.month", transaction: "1000000000000500")
        #expect(try answer.outcome.subscription?.expires == last.ends)
        #expect(try rig.count("SELECT count(*) FROM subscriptions") == 1)
    }

    @Test func `a wrong shared secret keeps the purchase and alerts the operator`() throws {
        let rig = try rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(StoreAnswers.status(21_004)))
        let kept = try rig.submit(token, product: "gold.month")
        #expect(kept.status == 202)
        let seen = try rig.submission(kept.outcome.submissionId)
        #expect(seen.storeStatus == 21_004)
        #expect(seen.message?.contains("does not accept the shared secret") == true)
        #expect(rig.log.contains { $0.contains("\"secret.refused\"") })
        #expect(!rig.log.joined().contains("0123456789abcdef"))
        rig.store.answer(.text(Answers.unified([.init()])))
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        #expect(try rig.submission(kept.outcome.submissionId).state == .granted)
    }

    @Test func `a missing shared secret is reported as such`() throws {
        let rig = try Rig()
        let token = try rig.signUp(forGood: true)
        rig.store.answer(.text(StoreAnswers.status(21_004)))
        let kept = try rig.submit(token)
        let seen = try rig.submission(kept.outcome.submissionId)
        #expect(seen.message?.contains("none is set") == true)
        #expect(seen.message?.contains("--shared-secret-file") == true)
    }
}
