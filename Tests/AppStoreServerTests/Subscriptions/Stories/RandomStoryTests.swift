import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Years of one person's subscription by chance, from a seed. Nobody has written out how they go;
/// after each step the receipt and all that is answered have to agree with each other and with what
/// was sold.
struct RandomStoryTests {
    private typealias Fixture = SubscriptionFixture
    private static let steps = 30

    /// Every other one pays.
    @Test(arguments: [2, 5, 9, 24])
    func `receipts and answers agree after every step of a random story`(seed: UInt64) async throws
    {
        let shop = try await Fixture(
            at: "2027-12-31T10:00:00Z", trial: Fixture.freeWeek,
            in: seed % 2 == 0 ? .production : .sandbox)
        try await shop.serve(graceDays: seed % 4 < 2 ? 16 : nil)
        var walk = RandomWalk(shop, seed: seed)
        for _ in 0..<Self.steps { try await walk.step() }
        #expect(walk.done.count > 6, "seed \(seed) did only \(walk.done)")
        if shop.base == "/production" { #expect(try shop.store.ledgerFinding().state == .good) }
    }
}

/// Somebody, and the shop's owner, who do what they like.
struct RandomWalk {
    private typealias Fixture = SubscriptionFixture

    private let shop: SubscriptionFixture
    private let seed: UInt64
    private var story: Story
    private var random: SeededRandom
    private var now: Timestamp
    /// Whether a refund was reversed: that period, and the one that was bought meanwhile, are two.
    private var hasReversed = false
    /// The purchase whose money was asked back last.
    private var asked: String?
    /// What was done and not refused.
    private(set) var done: Set<String> = []

    init(_ shop: SubscriptionFixture, seed: UInt64) {
        self.shop = shop
        self.seed = seed
        story = Story(shop)
        random = SeededRandom(seed: seed)
        now = shop.store.registry.defaultWorld.time.now()
    }

    mutating func step() async throws {
        let name = try await act()
        if !name.contains("refused") { done.insert(name) }
        try await story.tell(name)
        try await compare()
    }

    private static let products = [
        Fixture.gold, Fixture.silver, Fixture.silverYear, Fixture.bronze,
    ]

    private mutating func act() async throws -> String {
        let ids = try subscribed()
        guard let original = ids.first else {
            return random.below(2) == 0 ? try await topUp() : try await buy()
        }
        let path = "/control/v1/subscriptions/\(original)/"
        switch random.below(20) {
        case 0, 1, 2, 3: return try await pass()
        case 4, 5, 6: return try await buy()
        case 7: return try await topUp()
        case 8: return try await post(path + "cancel")
        case 9: return try await post(path + "resume")
        case 10:
            return try await post(
                path + "choose", ChooseSubscriptionBody(productId: random.one(of: Self.products)))
        case 11: return try await post(path + "fail-billing")
        case 12: return try await post(path + "recover")
        case 13:
            return try await post(
                path + "extend", ExtendSubscriptionBody(days: random.below(90) + 1))
        case 14: return try await increasePrice(path)
        case 15: return try await post(path + random.one(of: ["renew", "renew", "expire"]))
        case 16, 17, 18: return try await refund(random.one(of: ids))
        default:
            return try await post(
                "/control/v1/transactions/\(random.one(of: ids))/revoke",
                RevokeBody(reason: .issue))
        }
    }

    private mutating func buy() async throws -> String {
        let answer = try await shop.store.attempt(
            random.one(of: Self.products), token: shop.token, in: shop.base)
        try #require(answer.status == 200)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        return body.refusal.map { "buy refused: \($0.code.rawValue)" } ?? "buy"
    }

    private mutating func topUp() async throws -> String {
        guard shop.base == "/production" else { return try await pass() }
        try await shop.store.topUp("\(random.below(200) + 1)")
        // What is owed is tried again in this moment, and happens in the next at the latest.
        try await move(bySeconds: 1)
        return "topUp"
    }

    /// Raises it and, as often as not, has its person answer.
    private mutating func increasePrice(_ path: String) async throws -> String {
        let needsConsent = random.below(3) > 0
        let name = try await post(
            path + "price-increase",
            IncreaseSubscriptionPriceBody(
                price: "\(random.below(100) + 5)", needsConsent: needsConsent))
        guard needsConsent, name == "price-increase", random.below(2) == 0 else { return name }
        let all = try await shop.store.control("GET", "/control/v1/price-consents")
        let asked = try WireJSON.decode(PriceConsentsBody.self, from: all.body).priceConsents
        let number = try #require(asked.last?.number)
        return try await post(
            "/control/v1/price-consents/\(number)/\(random.one(of: ["agree", "decline"]))")
    }

    /// Asks for a purchase's money, or decides about what was asked last.
    private mutating func refund(_ purchase: String) async throws -> String {
        guard let known = asked, random.below(4) > 0 else {
            asked = purchase
            return try await post(
                "/control/v1/refunds/\(purchase)/request", RequestRefundBody(reason: .other))
        }
        let path = "/control/v1/refunds/\(known)/"
        switch random.below(5) {
        case 0: return try await post(path + "decline")
        case 1, 2:
            return try await post(
                path + "grant", GrantRefundBody(type: random.one(of: [.full, .prorated])))
        default:
            let name = try await post(path + "reverse")
            if name == "reverse" { hasReversed = true }
            return name
        }
    }

    /// Does it, or is refused, and says so.
    private func post(_ path: String, _ body: (any Encodable)? = nil) async throws -> String {
        let answer = try await shop.store.control("POST", path, body: body)
        let verb = path.split(separator: "/").last.map(String.init) ?? ""
        if answer.status == 200 { return verb }
        try #require([404, 409].contains(answer.status), "seed \(seed): \(path) \(answer.status)")
        return "\(verb) refused: \(errorCode(answer) ?? "")"
    }

    private mutating func pass() async throws -> String {
        try await move(bySeconds: Int64(random.below(45 * 24) * 3_600 + 1))
        return "wait"
    }

    private mutating func move(bySeconds seconds: Int64) async throws {
        now = now.adding(milliseconds: seconds * 1_000)
        try await shop.advance(to: CalendarDate(now).rfc3339)
    }

    /// What was subscribed to, the first one first.
    private func subscribed() throws -> [String] {
        try shop.store.registry.defaultWorld.database.read {
            try $0.rows("SELECT id FROM store_transaction WHERE restore_id IS NULL ORDER BY id")
                .map { "\($0.integer(0))" }
        }
    }

    private mutating func compare() async throws {
        let receipt = try await shop.store.receipt(token: shop.token, in: shop.base)
        let answer = try await shop.verify(receipt)
        let purchases = answer["latest_receipt_info"]?.array ?? []
        let ids = try subscribed()
        #expect(purchases.compactMap { $0["transaction_id"]?.string }.sorted() == ids, said)
        let served = try purchases.filter { $0["cancellation_date"] == nil }.map { purchase in
            (
                from: try #require(try purchase.date("purchase_date")),
                to: try #require(try purchase.date("expires_date"))
            )
        }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        for (one, next) in zip(served, served.dropFirst()) where !hasReversed {
            #expect(one.to <= next.from, said)
        }
        for pending in answer["pending_renewal_info"]?.array ?? [] {
            let original = try #require(pending["original_transaction_id"]?.string)
            let old = try await shop.verify(
                try await shop.store.transactionReceipt(
                    original, token: shop.token, in: shop.base))
            let isServed =
                pending["expiration_intent"] == nil || pending["grace_period_expires_date"] != nil
            #expect(old["status"]?.integer == (isServed ? 0 : 21_006), said)
            #expect(old.renewing == pending.renewing, said)
            #expect(old["auto_renew_product_id"] == pending["auto_renew_product_id"], said)
            let newest = old["latest_receipt_info"] ?? old["latest_expired_receipt_info"]
            #expect(newest?["product_id"] == pending["product_id"], said)
        }
        if let first = ids.first { try await story.tellOld(first) }
    }

    private var said: Comment {
        "seed \(seed)\n\(story.lines.joined(separator: "\n"))"
    }
}
