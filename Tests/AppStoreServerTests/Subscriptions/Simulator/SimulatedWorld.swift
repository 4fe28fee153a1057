import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// A world in which years pass for some buyers, while its store is closed and opened, products
/// come and go and the clock's advances are given up half way.
struct SimulatedWorld {
    static let paces: [RenewalPace] = [
        .calendar, .calendar, .calendar, .sandboxFiveMinutes, .calendar, .calendar,
        .monthlyRenewalEveryThirtySeconds, .calendar, .oneRenewalEveryTenSeconds,
        .sandboxThreeMinutes,
    ]
    /// Of each; the clock moves on by up to five months between them.
    static let steps = 14

    let number: Int
    let folder: TemporaryFolder
    /// Of real accounts; nil where credit alone pays.
    let provider: SimulatedProvider?
    private let shop: SimulatedShop
    private let pace: RenewalPace
    private let told = AgreedLines()
    private var random: SeededRandom
    /// Of what the provider does.
    var silences: SeededRandom
    private(set) var buyers: [SimulatedBuyer]
    private var families: [SimulatedFamilies]
    var store: TestStore
    private(set) var now: Timestamp
    /// Lets the real time pass while the provider does not answer.
    var waiting: Task<Void, Never>?
    private var removed: Set<String> = []

    /// With `only`, nobody else is there but the buyer of that seed, and who may be of its family.
    init(_ number: Int, in shop: SimulatedShop, only: Int? = nil) throws {
        let firstSeed = number * shop.tokens.count
        self.number = number
        self.shop = shop
        pace = Self.paces[number % Self.paces.count]
        random = SeededRandom(seed: 1_000_000 + UInt64(number))
        silences = SeededRandom(seed: 5_000_000 + UInt64(number))
        let provider = number % 2 == 1 ? SimulatedProvider() : nil
        self.provider = provider
        let told = told
        if provider != nil { told.add("provider") }
        buyers = shop.tokens.enumerated().map { index, token in
            SimulatedBuyer(
                seed: firstSeed + index, token: token, told: told,
                in: SimulatedShop.environment(of: index),
                paying: provider == nil ? .credit : .of(seed: firstSeed + index))
        }
        families = StoreEnvironment.allCases.map { environment in
            SimulatedFamilies(
                in: environment, of: shop.tokens.indices, firstSeed: firstSeed, told: told)
        }
        if let only {
            let name = "seed-\(only)"
            let mates = families.first { $0.names.contains(name) }?.names ?? [name]
            buyers = buyers.filter { mates.contains($0.name) }
        }
        folder = try shop.copy(firstSeed: firstSeed)
        store = try TestStore(folder: folder, provider: provider?.connect())
        // Ends of months and the leap day are met from here.
        let starts = ["2023-11-30T10:00:00Z", "2024-01-31T23:30:00Z", "2024-02-29T00:00:00Z"]
        let start = try #require(Timestamp(rfc3339: starts[number % starts.count]))
        now = start.adding(milliseconds: Int64(number) * 37)
    }

    /// Lets the years pass and leaves what the auditor reads in `folder`; the store is closed.
    mutating func run() async throws {
        letTimePass()
        defer { waiting?.cancel() }
        try await accept("PUT", "/control/v1/clock", ClockBody(mode: .held, now: now))
        try await accept(
            "PUT", "/control/v1/clock/pace", PacesBody(production: pace, sandbox: pace))
        let server = try SimulatedServer()
        for environment in StoreEnvironment.allCases {
            try await accept("PUT", Self.path(ofTargetIn: environment), server.target)
        }
        let grace = random.one(of: [nil, 3, 16, 28])
        try await accept("PUT", "\(SimulatedShop.app)/grace-period", GracePeriodBody(days: grace))
        for _ in 0..<Self.steps {
            beginStep()
            try await letBuyersAct()
            for index in families.indices { try await families[index].change(in: store) }
            try await changeShop()
            try await endSilence()
            try await moveOn()
            try await settle()
        }
        for buyer in buyers {
            try await buyer.keepAnswer(from: store, secret: shop.secret, in: folder.path)
        }
        try await deliver()
        await closeStore()
        try server.stop(writingTo: folder.path)
        try told.write(to: folder.path)
        try provider?.writeBook(to: folder.path)
    }

    private mutating func letBuyersAct() async throws {
        let moment = SimulatedBuyer.Moment(
            store: store, now: now, pace: pace, provider: provider)
        let buyers = buyers
        self.buyers = try await withThrowingTaskGroup(of: (Int, SimulatedBuyer).self) { group in
            for (index, buyer) in buyers.enumerated() {
                group.addTask {
                    var buyer = buyer
                    try await buyer.act(at: moment)
                    return (index, buyer)
                }
            }
            var after = buyers
            for try await (index, buyer) in group { after[index] = buyer }
            return after
        }
    }

    // MARK: - The shop

    private mutating func changeShop() async throws {
        let product = awaited() ?? SimulatedShop.id(random.one(of: SimulatedShop.all))
        let roll = random.below(4)
        let price = Int64(1 + random.below(40)) * 500 + 490
        let path = "\(SimulatedShop.app)/products/\(product)"
        switch roll {
        case 0, 1:
            for product in removed.sorted() {
                try await setSale(of: product, .clearedForSale)
                told.add("sold", product, now.milliseconds)
            }
            removed = []
        case 2:
            try await setSale(of: product, .removedFromSale)
            told.add("unsold", product, now.milliseconds)
            removed.insert(product)
        case 3:
            let text = "\(price / 1_000).\(price % 1_000 / 10)"
            try await accept("PUT", "\(path)/price", PriceBody(price: text))
            told.add("price", product, price, now.milliseconds)
        default: break
        }
    }

    private func setSale(of product: String, _ state: SaleState) async throws {
        try await accept(
            "PUT", "\(SimulatedShop.app)/products/\(product)/state",
            SaleStateBody(state: state, reason: nil, note: nil))
    }

    // MARK: - The clock

    /// Moves the clock on to the next step, undisturbed or not.
    private mutating func moveOn() async throws {
        let fault = random.below(6)
        now = next()
        let body = try WireJSON.encode(AdvanceClockBody(to: now))
        switch fault {
        case 0:
            // It is cancelled while it runs, or has just ended.
            let (path, store) = ("/control/v1/clock/advance", store)
            async let answer = store.send("POST", path, token: TestStore.controlToken, body: body)
            let cancelled = try await store.control("DELETE", path)
            guard cancelled.status == 200 else { throw failure("DELETE \(path)", cancelled) }
            _ = await answer
        case 1:
            // The store is closed while it runs; what becomes of the answer nobody knows.
            store.start(
                "POST", "/control/v1/clock/advance", token: TestStore.controlToken, body: body
            ) { _ in }
            try await reopen()
        case 2: try await reopen()
        default: break
        }
        try await advance()
    }

    /// By chance between nothing and five months, as long as they last at this pace; now and then
    /// to the very day of the month.
    private mutating func next() -> Timestamp {
        let (months, part) = (random.below(5), random.below(1_000))
        switch pace.length(of: .months(1)) {
        case .fixed(let month):
            return now.adding(milliseconds: Int64(months) * month + Int64(part) * month / 1_000)
        case .calendar:
            let whole = now.adding(.months(months))
            return part < 300
                ? whole
                : whole.adding(milliseconds: Int64(part) * 30 * Timestamp.dayMilliseconds / 1_000)
        }
    }

    private func advance() async throws {
        let path = "/control/v1/clock/advance"
        // One that was cancelled before it began goes on.
        if try await restingClock().now.map({ $0 >= now }) ?? false { return }
        let answer = try await store.control("POST", path, body: AdvanceClockBody(to: now))
        guard [200, 202].contains(answer.status) else { throw failure("POST \(path)", answer) }
        let body = try await restingClock()
        guard body.now == now, body.advance?.state == .done else {
            throw failure("POST \(path)", answer)
        }
    }

    /// The clock, once it is not moved on any more.
    private func restingClock() async throws -> ClockBody {
        while true {
            let answer = try await store.control("GET", "/control/v1/clock")
            let body = try WireJSON.decode(ClockBody.self, from: answer.body)
            guard body.advance?.state == .running else { return body }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func accept(_ method: String, _ path: String, _ body: any Encodable) async throws {
        let answer = try await store.control(method, path, body: body)
        guard answer.status == 200 else { throw failure("\(method) \(path)", answer) }
    }

    private func failure(_ request: String, _ answer: HTTPResponse) -> SimulatedBuyer.Failure {
        SimulatedBuyer.Failure(
            description: "world \(number): \(request): \(answer.status) "
                + String(decoding: answer.body, as: UTF8.self))
    }
}
