import StoreHTTP
import StoreModel
import StoreWire

@testable import AppStoreServer

// What a buyer does to a subscription in the settings, and what the shop's owner does to it.
extension SimulatedBuyer {
    mutating func choose(
        _ original: String, _ group: String, at moment: Moment
    ) async throws {
        let product = random.one(of: SimulatedShop.products[group] ?? [])
        try await change(
            original, "choose",
            body: ChooseSubscriptionBody(productId: SimulatedShop.id(product)), at: moment)
    }

    mutating func extend(_ original: String, at moment: Moment) async throws {
        let days = 1 + random.below(ExtendSubscriptionBody.daysMax)
        // Where a month has minutes, a day would hold the subscription up for good.
        guard moment.pace == .calendar else { return }
        let body = ExtendSubscriptionBody(days: days)
        if let after = try await change(original, "extend", body: body, at: moment) {
            told.add("extended", after.transactionId, days)
        }
    }

    /// Ends the period now.
    func cut(_ original: String, _ verb: String, at moment: Moment) async throws {
        let before = try await show(original, at: moment)
        guard try await change(original, verb, at: moment) != nil else { return }
        if verb == "expire" { told.add("ended", original, moment.now.milliseconds) }
        if moment.now < before.expiresDate {
            told.add("cut", before.transactionId, moment.now.milliseconds)
        }
    }

    mutating func raise(_ original: String, at moment: Moment) async throws {
        let more = Int64(1 + random.below(5)) * 500
        let needsConsent = random.below(2) == 0
        let before = try await show(original, at: moment)
        let price = before.priceMilliunits + more
        let text = "\(price / 1_000)." + String("\(1_000 + price % 1_000)".dropFirst().prefix(2))
        let body = IncreaseSubscriptionPriceBody(price: text, needsConsent: needsConsent)
        let after = try await change(original, "price-increase", body: body, at: moment)
        // The same once more changes nothing.
        guard let after, after.priceIncrease != before.priceIncrease else { return }
        told.add("raised", original, price, needsConsent ? "needed" : "not")
    }

    mutating func revoke(_ original: String, at moment: Moment) async throws {
        let isNewest = random.below(2) == 0
        let reason: Revocation.Reason = random.below(2) == 0 ? .issue : .other
        let other = random.below(3) == 0 ? purchases.randomOne(&random) : original
        let id = isNewest ? try await show(original, at: moment).transactionId : other ?? original
        let answer = try await moment.store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: reason))
        guard answer.status == 200 || moment.refuses(answer) else {
            throw failure("revoke \(id)", answer)
        }
    }

    /// Nil when the store refused it, as it may.
    @discardableResult
    func change(
        _ original: String, _ verb: String, body: (any Encodable)? = nil, at moment: Moment
    ) async throws -> SubscriptionBody? {
        let path = "/control/v1/subscriptions/\(original)/\(verb)"
        let answer = try await moment.store.control("POST", path, body: body)
        if moment.refuses(answer) { return nil }
        guard answer.status == 200 else { throw failure("POST \(path)", answer) }
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    func show(_ original: String, at moment: Moment) async throws -> SubscriptionBody {
        let path = "/control/v1/subscriptions/\(original)"
        let answer = try await moment.store.control("GET", path)
        guard answer.status == 200 else { throw failure("GET \(path)", answer) }
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }
}
