import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// An account whose person, and whose shop's owner, do things by chance: the same for a seed,
/// whatever other accounts do.
struct SimulatedBuyer: Sendable {
    let seed: Int
    let token: String
    let told: ToldLines
    private let environment: StoreEnvironment
    var random: SeededRandom
    /// The number of each subscription's first transaction, by its group.
    private var originals: [String: String] = [:]
    private var attempts: [(id: String, product: String, quantity: Int)] = []
    /// The transactions that it was told of, each once.
    private(set) var purchases: [String] = []
    /// Those that are no subscriptions.
    private(set) var singles: [String] = []
    /// Purchases whose money it asked for.
    var refunds: [String] = []

    init(seed: Int, token: String, told: ToldLines, in environment: StoreEnvironment) {
        self.seed = seed
        self.environment = environment
        self.token = token
        self.told = told
        random = SeededRandom(seed: UInt64(seed))
    }

    var name: String { "seed-\(seed)" }
    private var base: String { "/\(environment.rawValue)" }

    /// Where and when it acts.
    struct Moment: Sendable {
        let store: TestStore
        let now: Timestamp
        let pace: RenewalPace
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Does up to three things at this moment.
    mutating func act(at moment: Moment) async throws {
        if environment == .production, random.below(3) < 2 { try await topUp(at: moment) }
        for _ in 0..<random.below(4) { try await actOnce(at: moment) }
    }

    private mutating func actOnce(at moment: Moment) async throws {
        let roll = random.below(128)
        guard let group = originals.keys.sorted().randomOne(&random), (28..<118).contains(roll),
            let original = originals[group]
        else { return try await buy(at: moment, twice: roll % 4 == 0) }
        switch roll {
        case 28..<34: try await repeatAttempt(at: moment)
        case 34..<45: try await change(original, "cancel", at: moment)
        case 45..<52: try await change(original, "resume", at: moment)
        case 52..<59: try await change(original, "fail-billing", at: moment)
        case 59..<69: try await change(original, "recover", at: moment)
        case 69..<75: try await choose(original, group, at: moment)
        case 75..<79: try await extend(original, at: moment)
        case 79..<84: try await cut(original, "renew", at: moment)
        case 84..<86: try await cut(original, "expire", at: moment)
        case 86..<91: try await raise(original, at: moment)
        case 91..<96: try await answer(at: moment)
        case 96..<98: try await revoke(original, at: moment)
        case 98..<106:
            let newest = random.below(2) == 0 ? try await show(original, at: moment) : nil
            try await askForMoney(of: newest?.transactionId, at: moment)
        case 106..<115: try await decideOnMoney(at: moment)
        default: try await finishAndRestore(at: moment)
        }
    }

    // MARK: - On the device

    /// Pays in too little for ever and enough for a while, at times twice under the same id.
    private mutating func topUp(at moment: Moment) async throws {
        let milliunits = Int64(1 + random.below(8)) * 9_990
        let body = TopUpBody(
            environment: environment, name: name, requestId: UUID().uuidString,
            amount: Price(milliunits: milliunits)?.decimal ?? "")
        let path = "/control/v1/accounts/credit/top-up"
        for _ in 0..<(1 + random.below(2)) {
            let answer = try await moment.store.control("POST", path, body: body)
            guard answer.status == 200 else { throw failure("POST \(path)", answer) }
        }
        told.add("topped-up", name, milliunits)
    }

    private mutating func buy(at moment: Moment, twice: Bool) async throws {
        let group = random.below(4) == 0 ? "news" : "fan"
        let isSingle = random.below(8) == 0
        let products = isSingle ? SimulatedShop.singles : SimulatedShop.products[group] ?? []
        let product = random.one(of: products)
        let quantity = product == "fuel" ? 1 + random.below(3) : 1
        let attempt = (
            id: UUID().uuidString, product: SimulatedShop.id(product), quantity: quantity
        )
        attempts.append(attempt)
        if twice {
            // As a device does whose answer was lost: the same again, while the first is at work.
            let buyer = self
            async let first = buyer.bought(attempt, at: moment)
            async let second = buyer.bought(attempt, at: moment)
            let both = try await (first, second)
            if both.0 != both.1 { throw failure("attempt \(attempt.id) became two: \(both)") }
            note(both.0, isSingle: isSingle)
        } else {
            note(try await bought(attempt, at: moment), isSingle: isSingle)
        }
        if originals[group] == nil, let first = try original(of: group, at: moment) {
            originals[group] = first
        }
    }

    private mutating func note(_ purchase: String?, isSingle: Bool) {
        guard let purchase, !purchases.contains(purchase) else { return }
        purchases.append(purchase)
        if isSingle { singles.append(purchase) }
    }

    private mutating func repeatAttempt(at moment: Moment) async throws {
        guard let attempt = attempts.randomOne(&random) else { return }
        _ = try await bought(attempt, at: moment)
    }

    /// Posts an attempt; the number of its transaction, nil when it was refused.
    private func bought(
        _ attempt: (id: String, product: String, quantity: Int), at moment: Moment
    ) async throws -> String? {
        let answer = try await moment.store.attempt(
            attempt.product, id: attempt.id, quantity: attempt.quantity, token: token, in: base)
        guard answer.status == 200 else { throw failure("POST attempts", answer) }
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        guard let transaction = body.transaction else { return nil }
        told.add("bought", name, transaction.transactionId, transaction.productId)
        return transaction.transactionId
    }

    private func original(of group: String, at moment: Moment) throws -> String? {
        try moment.store.registry.defaultWorld.database.read { scope in
            try scope.row(
                """
                SELECT original_id FROM subscription
                JOIN account ON account.id = subscription.account_id
                WHERE account.name = ?1 AND subscription_group = ?2
                """, [.text(name), .text(group)]
            ).map { "\($0.integer(0))" }
        }
    }

    private mutating func answer(at moment: Moment) async throws {
        let verb = random.below(3) == 0 ? "decline" : "agree"
        let listed = try moment.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT number FROM price_consent
                JOIN account ON account.id = price_consent.account_id
                WHERE account.name = ?1 AND answer IS NULL AND withdrawn_ms IS NULL ORDER BY number
                """, [.text(name)]
            ).map { $0.integer(0) }
        }
        for number in listed {
            let answer = await moment.store.send(
                "POST", "\(base)/device/v1/price-consents/\(number)/\(verb)", token: token)
            guard answer.status == 200 else { throw failure("answer \(number)", answer) }
        }
    }

    /// The app finishes what waits and restores all it has, as one that was installed anew.
    private func finishAndRestore(at moment: Moment) async throws {
        for _ in 0..<2 {
            let waiting = await moment.store.send(
                "GET", "\(base)/device/v1/transactions", token: token)
            guard waiting.status == 200 else { throw failure("GET transactions", waiting) }
            let body = try WireJSON.decode(UnfinishedBody.self, from: waiting.body)
            for transaction in body.transactions {
                let id = transaction.transactionId
                let done = await moment.store.send(
                    "POST", "\(base)/device/v1/transactions/\(id)/finish", token: token)
                guard done.status == 200 else { throw failure("finish \(id)", done) }
            }
        }
        let restored = await moment.store.send(
            "POST", "\(base)/device/v1/restores", token: token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        guard restored.status == 200 else { throw failure("POST restores", restored) }
    }

    // MARK: - In the settings, and by the owner

    private mutating func choose(
        _ original: String, _ group: String, at moment: Moment
    ) async throws {
        let product = random.one(of: SimulatedShop.products[group] ?? [])
        try await change(
            original, "choose",
            body: ChooseSubscriptionBody(productId: SimulatedShop.id(product)), at: moment)
    }

    private mutating func extend(_ original: String, at moment: Moment) async throws {
        let days = 1 + random.below(ExtendSubscriptionBody.daysMax)
        // Where a month has minutes, a day would hold the subscription up for good.
        guard moment.pace == .calendar else { return }
        let body = ExtendSubscriptionBody(days: days)
        if let after = try await change(original, "extend", body: body, at: moment) {
            told.add("extended", after.transactionId, days)
        }
    }

    /// Ends the period now.
    private func cut(_ original: String, _ verb: String, at moment: Moment) async throws {
        let before = try await show(original, at: moment)
        guard try await change(original, verb, at: moment) != nil else { return }
        if verb == "expire" { told.add("ended", original, moment.now.milliseconds) }
        if moment.now < before.expiresDate {
            told.add("cut", before.transactionId, moment.now.milliseconds)
        }
    }

    private mutating func raise(_ original: String, at moment: Moment) async throws {
        let more = Int64(1 + random.below(5)) * 500
        let needsConsent = random.below(2) == 0
        let price = try await show(original, at: moment).priceMilliunits + more
        let text = "\(price / 1_000)." + String("\(1_000 + price % 1_000)".dropFirst().prefix(2))
        let body = IncreaseSubscriptionPriceBody(price: text, needsConsent: needsConsent)
        if try await change(original, "price-increase", body: body, at: moment) != nil {
            told.add("raised", original, price, needsConsent ? "needed" : "not")
        }
    }

    private mutating func revoke(_ original: String, at moment: Moment) async throws {
        let isNewest = random.below(2) == 0
        let reason: Revocation.Reason = random.below(2) == 0 ? .issue : .other
        let other = random.below(3) == 0 ? purchases.randomOne(&random) : original
        let id = isNewest ? try await show(original, at: moment).transactionId : other ?? original
        let answer = try await moment.store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: reason))
        guard [200, 409].contains(answer.status) else { throw failure("revoke \(id)", answer) }
    }

    /// Nil when the store refused it, as it may.
    @discardableResult
    private func change(
        _ original: String, _ verb: String, body: (any Encodable)? = nil, at moment: Moment
    ) async throws -> SubscriptionBody? {
        let path = "/control/v1/subscriptions/\(original)/\(verb)"
        let answer = try await moment.store.control("POST", path, body: body)
        if answer.status == 409 { return nil }
        guard answer.status == 200 else { throw failure("POST \(path)", answer) }
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    private func show(_ original: String, at moment: Moment) async throws -> SubscriptionBody {
        let path = "/control/v1/subscriptions/\(original)"
        let answer = try await moment.store.control("GET", path)
        guard answer.status == 200 else { throw failure("GET \(path)", answer) }
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    // MARK: -

    /// Asks for its receipt and what `verifyReceipt` says of it, and keeps that for the auditor.
    func keepAnswer(from store: TestStore, secret: String, in folder: String) async throws {
        let receipt = await store.send("GET", "\(base)/device/v1/receipt", token: token)
        guard receipt.status == 200 else { throw failure("GET receipt", receipt) }
        let answer = await store.send(
            "POST", "\(base)/verifyReceipt",
            body: JSONValue.object([
                .init("receipt-data", .string(Data(receipt.body).base64EncodedString())),
                .init("password", .string(secret)),
            ]).compactBytes)
        guard answer.status == 200 else { throw failure("verifyReceipt", answer) }
        try Data(answer.body).write(
            to: URL(fileURLWithPath: "\(folder)/audit/answers/\(name).json"))
    }

    func failure(_ request: String, _ answer: HTTPResponse) -> Failure {
        failure("\(request): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    }

    private func failure(_ text: String) -> Failure { Failure(description: "\(name): \(text)") }
}

extension Array {
    /// One of them, by chance; nil of none.
    func randomOne(_ random: inout SeededRandom) -> Element? {
        isEmpty ? nil : random.one(of: self)
    }
}
