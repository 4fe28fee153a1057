import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization
import Testing

/// Customers and an owner who bring about everything that an app's server is notified of, whatever
/// becomes of the store meanwhile. A request without an answer is repeated; one that the store
/// refuses is not.
final class NotifiedShop: Sendable {
    static let products = ["fuel", "turbo", "silver", "gold", "bronze", "magazine"]
    private static let accounts = (0..<6).map { "fan\($0)" }
    private static let begin = Timestamp(seconds: 951_782_400)  // 29 February 2000
    private static let pauseMicroseconds: UInt32 = 5_000
    private static let daysMax: UInt64 = 40

    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        var target = NotifiedShop.begin
        var actions = 0
    }

    private let environment: StoreEnvironment
    private let version: Int
    private let url: String
    private let controlToken: String
    private let tokens: [String: String]
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    /// Sets up catalogue, clock and customers; nothing is bought yet.
    init(lab: Lab, seed: UInt64, in environment: StoreEnvironment, version: Int) throws {
        self.environment = environment
        self.version = version
        url = lab.storeURL
        controlToken = try String(
            contentsOfFile: lab.storeData + "/control-token", encoding: .utf8
        ).trimmingCharacters(in: .newlines)
        state = Mutex(State(random: SplitMix(seed: seed)))
        let catalogue = lab.folder + "/catalogue.storekit"
        try Data(try Self.catalogue().utf8).write(to: URL(fileURLWithPath: catalogue))
        try lab.bodega(["catalog", "import", catalogue, "--bundle-id", Lab.bundleID])
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "\(CalendarDate(Self.begin).rfc3339)"])
        var tokens: [String: String] = [:]
        for account in Self.accounts {
            switch environment {
            case .sandbox:
                try lab.bodega(["account", "add", account, "--password", "rocket-fuel-1"])
            case .production: try lab.openProduction(account, credit: "9000.00")
            }
            tokens[account] = try lab.signedInDevice(account: account, in: environment.rawValue)
        }
        self.tokens = tokens
        // One run has days of grace, the other has none.
        if environment == .production {
            ask("PUT", "/apps/\(Lab.bundleID)/grace-period", #"{"days":16}"#)
        }
    }

    /// The fan club, all of which a family may share, with something to use up and something to
    /// keep.
    private static func catalogue() throws -> String {
        let products = [("fuel", "Consumable"), ("turbo", "NonConsumable")].map { name, type in
            """
            {"displayPrice": "0.99", "familyShareable": \(type == "NonConsumable"),
             "internalID": "\(name)", "localizations": [],
             "productID": "\(Lab.bundleID).\(name)", "referenceName": "\(name)",
             "type": "\(type)"}
            """
        }.joined(separator: ", ")
        return try String(
            contentsOfFile: Lab.package + "/docs/lifecycle/fans.storekit", encoding: .utf8
        ).replacing(#""familyShareable" : false"#, with: #""familyShareable" : true"#)
            .replacing(#""products" : []"#, with: #""products" : [\#(products)]"#)
    }

    /// The clock at present.
    var now: Timestamp { state.withLock { $0.target } }
    var actions: Int { state.withLock { $0.actions } }

    // MARK: - What happens

    /// Everything once, while nothing is killed.
    func open() throws {
        let (first, second) = (Self.accounts[0], Self.accounts[1])
        // What nobody is told of any more when all is over.
        for product in ["fuel", "turbo"] { buy(product, as: Self.accounts[2]) }
        let old = Set(purchases())
        advance(days: 150)
        ask("POST", "/families", MakeFamilyBody(environment: environment, organiser: first))
        addToFamily(second)
        for product in Self.products where product != "bronze" { buy(product, as: first) }
        let sold = try #require(purchases().first { !old.contains($0) }, "nothing was sold")
        ask("POST", "/refunds/\(sold)/request", #"{"reason":"OTHER"}"#)
        ask("POST", "/refunds/\(sold)/grant", #"{"type":"REFUND_FULL"}"#)
        ask("POST", "/refunds/\(sold)/reverse", "{}")
        let mine = try #require(subscriptions().first, "nothing was subscribed to")
        for change in ["cancel", "resume", "fail-billing"] { self.change(mine, change) }
        ask("POST", "/subscriptions/\(mine)/extend", #"{"days":3}"#)
        advance(days: 40)
        change(mine, "recover")
        ask(
            "POST", "/subscriptions/\(mine)/price-increase",
            #"{"price":"29.99","needsConsent":true}"#)
        answerPrices(agree: true)
        ask("POST", "/families/1/remove", FamilyMemberNameBody(name: second))
        change(mine, "expire")
        buy("bronze", as: first)
        buy("magazine", as: second)
        buy("fuel", as: second)
        advance(days: 70)
    }

    /// Goes on by chance, on a thread of its own until `stop`.
    func start() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopping }) {
                act()
                // Each of version 1 carries a customer's newest hundred purchases: a store that is
                // killed again and again would never deliver what happens at full speed.
                if version == 1 { ask("POST", "/notifications/settle", "{}") }
                state.withLock { $0.actions += 1 }
            }
            ended.signal()
        }
    }

    /// Begins nothing more, and waits until the last thing has happened.
    func stop() {
        state.withLock { $0.isStopping = true }
        ended.wait()
    }

    private func act() {
        switch draw(20) {
        case 0...6: buy(pick(Self.products), as: pick(Self.accounts))
        case 7...9:
            guard let one = choose(subscriptions()) else { return }
            change(one, pick(["cancel", "resume", "fail-billing", "recover", "recover", "expire"]))
        case 10:
            guard let one = choose(subscriptions()) else { return }
            ask("POST", "/subscriptions/\(one)/extend", #"{"days":\#(1 + draw(9))}"#)
        case 11:
            guard let one = choose(subscriptions()) else { return }
            let product = pick(["silver", "gold", "bronze"])
            ask(
                "POST", "/subscriptions/\(one)/choose",
                #"{"productId":"\#(Lab.bundleID).\#(product)"}"#)
        case 12:
            guard let one = choose(subscriptions()) else { return }
            let needsConsent = draw(2) == 0
            ask(
                "POST", "/subscriptions/\(one)/price-increase",
                #"{"price":"\#(20 + draw(400)).99","needsConsent":\#(needsConsent)}"#)
        case 13: answerPrices(agree: draw(2) == 0)
        case 14...15: refundSomething()
        case 16:
            let name = pick(Self.accounts)
            if draw(2) == 0 {
                addToFamily(name)
            } else {
                ask("POST", "/families/1/remove", FamilyMemberNameBody(name: name))
            }
        default: advance(days: Int64(1 + draw(Self.daysMax)))
        }
    }

    private func buy(_ product: String, as account: String) {
        let body = AttemptRequestBody(
            attemptId: UUID().uuidString, productId: "\(Lab.bundleID).\(product)", quantity: 1,
            applicationUsername: nil)
        guard let bytes = try? WireJSON.encode(body) else { return }
        _ = answer {
            try Lab.call(
                "POST", "\(url)/\(environment.rawValue)/device/v1/attempts",
                token: tokens[account], body: bytes)
        }
    }

    private func addToFamily(_ name: String) {
        ask("POST", "/families/1/add", FamilyMemberNameBody(name: name))
    }

    private func change(_ original: String, _ what: String) {
        ask("POST", "/subscriptions/\(original)/\(what)", "{}")
    }

    private func refundSomething() {
        guard let sold = choose(purchases()) else { return }
        ask("POST", "/refunds/\(sold)/request", #"{"reason":"OTHER"}"#)
        switch draw(4) {
        case 0: ask("POST", "/refunds/\(sold)/decline", "{}")
        case 1: ask("POST", "/transactions/\(sold)/revoke", #"{"reason":"issue"}"#)
        case 2: ask("POST", "/refunds/\(sold)/grant", #"{"type":"REFUND_FULL"}"#)
        default:
            ask("POST", "/refunds/\(sold)/grant", #"{"type":"REFUND_FULL"}"#)
            ask("POST", "/refunds/\(sold)/reverse", "{}")
        }
    }

    private func answerPrices(agree: Bool) {
        let found = ask("GET", "/price-consents").flatMap {
            try? WireJSON.decode(PriceConsentsBody.self, from: $0.body)
        }
        for consent in found?.priceConsents ?? [] where consent.state == .pending {
            ask("POST", "/price-consents/\(consent.number)/\(agree ? "agree" : "decline")", "{}")
        }
    }

    /// Moves the clock on, and asks until it is there.
    func advance(days: Int64) {
        let target = state.withLock { state in
            state.target = state.target.adding(milliseconds: days * Timestamp.dayMilliseconds)
            return state.target
        }
        guard let body = try? WireJSON.encode(AdvanceClockBody(to: target)) else { return }
        while true {
            ask("POST", "/clock/advance", bytes: body)
            if let answer = ask("GET", "/clock"),
                let clock = try? WireJSON.decode(ClockBody.self, from: answer.body),
                let now = clock.now, now >= target, clock.advance?.state != .running
            {
                return
            }
            usleep(Self.pauseMicroseconds)
        }
    }

    /// Lets everything be attempted until nothing is due any more, however much later.
    func settle() throws {
        let isSettled = eventually {
            guard let left = left() else { return false }
            if left.due == 0, left.later > 0 { advance(days: 3) }
            return left.due == 0 && left.later == 0
        }
        try #require(isSettled, "notifications are still due")
    }

    /// Waits until all that is due now was attempted.
    func attempt() throws {
        try #require(eventually { left()?.due == 0 }, "notifications are still due")
    }

    private func left() -> SettledNotificationsBody? {
        ask("POST", "/notifications/settle", "{}").flatMap {
            try? WireJSON.decode(SettledNotificationsBody.self, from: $0.body)
        }
    }

    // MARK: - Asking

    private func draw(_ count: UInt64) -> UInt64 { state.withLock { $0.random.next(below: count) } }

    private func pick(_ names: [String]) -> String { names[Int(draw(UInt64(names.count)))] }

    private func choose(_ names: [String]) -> String? { names.isEmpty ? nil : pick(names) }

    private func subscriptions() -> [String] {
        ask("GET", "/subscriptions").flatMap {
            try? WireJSON.decode(SubscriptionsBody.self, from: $0.body)
        }?.subscriptions.map(\.originalTransactionId) ?? []
    }

    /// What may be refunded; the newest ones.
    private func purchases() -> [String] {
        ask("GET", "/transactions").flatMap {
            try? WireJSON.decode(SoldTransactionsBody.self, from: $0.body)
        }?.transactions.map(\.transactionId) ?? []
    }

    @discardableResult
    private func ask(_ method: String, _ path: String, _ body: String) -> CallerResponse? {
        ask(method, path, bytes: Array(body.utf8))
    }

    private func ask(_ method: String, _ path: String, _ body: some Encodable) {
        if let bytes = try? WireJSON.encode(body) { ask(method, path, bytes: bytes) }
    }

    @discardableResult
    private func ask(_ method: String, _ path: String, bytes: [UInt8]? = nil) -> CallerResponse? {
        answer {
            try Lab.call(method, "\(url)/control/v1\(path)", token: controlToken, body: bytes)
        }
    }

    /// The first answer; nil when there is none for long.
    private func answer(_ call: () throws -> CallerResponse) -> CallerResponse? {
        var answer: CallerResponse?
        _ = eventually {
            answer = try? call()
            return answer.map { $0.status < 500 } ?? false
        }
        return answer
    }
}
