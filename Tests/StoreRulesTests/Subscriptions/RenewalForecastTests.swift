import StoreModel
import StoreRules
import Testing

/// What comes next of a subscription, without anybody doing anything.
struct RenewalForecastTests {
    /// The steps, each as its day after the start and what happens.
    private func steps(
        _ subscription: Subscription, _ facts: RenewalFacts = Samples.facts(),
        isPaid: Bool = true, countMax: Int = 4
    ) -> [String] {
        RenewalForecast.steps(of: subscription, isPaid: isPaid, countMax: countMax) { _, _ in
            facts
        }.map {
            let days =
                ($0.at.milliseconds - Samples.start.milliseconds) / 86_400_000
            return "\(days): " + words($0.kind)
        }
    }

    private func words(_ kind: RenewalForecast.Step.Kind) -> String {
        switch kind {
        case .renewal(let bill): "\(bill.plan.product) for \(bill.amount.milliunits)"
        case .failure: "fails"
        case .graceEnd: "grace ends"
        case .expiry(let reason): "expires, \(reason)"
        }
    }

    @Test func `an active subscription renews at its dates`() throws {
        #expect(
            steps(try Samples.bought()) == [
                "28: silver for 9990", "59: silver for 9990", "89: silver for 9990",
                "120: silver for 9990",
            ])
        #expect(steps(try Samples.bought(), countMax: 1) == ["28: silver for 9990"])
        #expect(steps(try Samples.bought(), countMax: 0) == [])
    }

    @Test func `one whose renewal is off expires, and then nothing happens`() throws {
        var subscription = try Samples.bought()
        subscription.isAutoRenewing = false
        #expect(steps(subscription) == ["28: expires, voluntary"])
        let ended = RenewalRules.expired(subscription, .voluntary)
        #expect(steps(ended) == [])
    }

    @Test func `a chosen product begins with its own price`() throws {
        var subscription = try Samples.bought()
        subscription.nextProduct = Samples.gold.product
        #expect(
            steps(subscription, Samples.facts(Samples.gold), countMax: 2) == [
                "28: gold for 19990", "59: gold for 19990",
            ])
    }

    @Test func `a product that is not for sale ends it`() throws {
        #expect(
            steps(try Samples.bought(), Samples.facts(nil)) == ["28: expires, productUnavailable"])
    }

    @Test func `a price without an answer ends it`() throws {
        var subscription = try Samples.bought()
        subscription.increase = Subscription.PriceIncrease(
            price: Samples.money(12_990), consent: .pending)
        #expect(steps(subscription) == ["28: expires, noPriceConsent"])
        subscription.increase?.consent = .agreed
        #expect(steps(subscription, countMax: 1) == ["28: silver for 12990"])
    }

    @Test func `payments that fail are a failure, the end of grace and the end`() throws {
        let subscription = try Samples.bought()
        #expect(
            steps(subscription, Samples.facts(grace: .sixteenDays), isPaid: false) == [
                "28: fails", "44: grace ends", "88: expires, billingError",
            ])
        #expect(
            steps(subscription, isPaid: false) == ["28: fails", "88: expires, billingError"])
    }

    @Test func `an owed payment that can succeed is the next period`() throws {
        let facts = Samples.facts(grace: .sixteenDays)
        let active = try Samples.bought()
        let owed = RenewalRules.unpaid(active, facts, at: active.expiresAt)
        let next = try #require(
            RenewalForecast.steps(of: owed, isPaid: true, countMax: 1) { _, _ in facts }.first)
        #expect(next.at == owed.retry?.nextAt)
        guard case .renewal = next.kind else {
            Issue.record("\(next.kind)")
            return
        }
    }

    @Test func `a pace with few renewals ends it after them`() throws {
        let pace = try #require(RenewalPace.allCases.first { $0.renewalsMax != nil })
        let most = try #require(pace.renewalsMax)
        let steps = RenewalForecast.steps(
            of: try Samples.bought(pace: pace), isPaid: true, countMax: 100
        ) { _, _ in Samples.facts(pace: pace) }
        #expect(steps.count == most + 1)
        #expect(steps.last?.kind == .expiry(.voluntary))
    }
}
