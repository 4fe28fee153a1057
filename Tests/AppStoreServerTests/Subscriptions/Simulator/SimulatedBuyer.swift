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
    let told: AgreedLines
    let environment: StoreEnvironment
    let wallet: SimulatedWallet
    var random: SeededRandom
    /// The number of each subscription's first transaction, by its group.
    private var originals: [String: String] = [:]
    private var attempts: [SimulatedAttempt] = []
    /// Those that nobody waited for, because the provider did not answer.
    private(set) var left: [SimulatedAttempt] = []
    /// The transactions that it was told of, each once.
    private(set) var purchases: [String] = []
    /// Those that are no subscriptions.
    private(set) var singles: [String] = []
    /// Purchases whose money it asked for.
    var refunds: [String] = []

    init(
        seed: Int, token: String, told: AgreedLines, in environment: StoreEnvironment,
        paying wallet: SimulatedWallet
    ) {
        self.seed = seed
        self.environment = environment
        self.wallet = wallet
        self.token = token
        self.told = told
        random = SeededRandom(seed: UInt64(seed))
    }

    var name: String { "seed-\(seed)" }
    var base: String { "/\(environment.rawValue)" }

    /// Where and when it acts.
    struct Moment: Sendable {
        let store: TestStore
        let now: Timestamp
        let pace: RenewalPace
        /// Of real accounts; nil where credit alone pays.
        var provider: SimulatedProvider?
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Does up to three things at this moment.
    mutating func act(at moment: Moment) async throws {
        try await learn(at: moment)
        if environment == .production, random.below(3) < 2 { try await topUp(at: moment) }
        for _ in 0..<random.below(4) {
            try await settle(at: moment)
            try await actOnce(at: moment)
        }
        try await settle(at: moment)
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
        case 59..<69:
            if try !hasOpenPayment(at: moment) { try await change(original, "recover", at: moment) }
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
    mutating func topUp(at moment: Moment) async throws {
        let count = Int64(1 + random.below(8))
        guard let milliunits = wallet.topUpMilliunits.map({ $0 * count }) else { return }
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
        let attempt = SimulatedAttempt(product: SimulatedShop.id(product), quantity: quantity)
        if try hasOpenPayment(at: moment) { return }
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
        if try isLeft(attempt, at: moment) {
            left.append(attempt)
            try await moveCredit(at: moment)
        }
        try noteOriginal(of: group, at: moment)
    }

    /// Asks what became of what nobody waited for.
    private mutating func learn(at moment: Moment) async throws {
        for attempt in left {
            let isSingle = SimulatedShop.singles.map(SimulatedShop.id).contains(attempt.product)
            note(try await bought(attempt, at: moment), isSingle: isSingle)
        }
        left = []
        for group in SimulatedShop.products.keys.sorted() {
            try noteOriginal(of: group, at: moment)
        }
    }

    private mutating func noteOriginal(of group: String, at moment: Moment) throws {
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
        if try hasOpenPayment(at: moment) { return }
        _ = try await bought(attempt, at: moment)
    }

    /// Posts an attempt; the number of its transaction, nil when it was refused, or nobody waits for
    /// its answer.
    private func bought(
        _ attempt: SimulatedAttempt, at moment: Moment
    ) async throws -> String? {
        guard let body = try await post(attempt, at: moment), let transaction = body.transaction
        else { return nil }
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
