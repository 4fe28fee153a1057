import Foundation
import StoreKit
import StoreKitTest
import Synchronization

/// StoreKit 2 on a device, and test sessions. All but the launch have stores of their own, which
/// `BODEGA_PROGRAM` starts.
enum SignedBench {
    private static let product = "com.example.bench.one"
    private static let club = "com.example.bench.club"
    private static let warmUps = 20
    private static let catalogues = Mutex<[URL]>([])

    // MARK: - Purchases and renewals

    /// `purchase()` until it returns a verified transaction, and finished off the clock.
    static func buy(_ options: Options) throws {
        let seconds = try options.number("seconds")
        let file = try makeCatalogue(count: 1)
        try run { @MainActor in
            let session = try SKTestSession(contentsOf: file)
            let bought = try await one(product)
            var watch = Stopwatch()
            for _ in 0..<warmUps { try await buy(bought) { _ in } }
            let start = Stopwatch.now()
            while Stopwatch.now() - start < UInt64(seconds * 1e9) {
                try await buy(bought) { watch.add(since: $0) }
            }
            try report(["milliseconds": watch.milliseconds])
            _ = session
        }
    }

    @MainActor
    private static func buy(_ product: Product, _ add: (UInt64) -> Void) async throws {
        let start = Stopwatch.now()
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            throw Failure("a purchase gave no verified transaction")
        }
        add(start)
        await transaction.finish()
    }

    /// A forced renewal, from the request for it until `updates` has brought it, verified.
    static func renew(_ options: Options) throws {
        let seconds = try options.number("seconds")
        let file = try makeCatalogue(count: 1)
        try run { @MainActor in
            let session = try SKTestSession(contentsOf: file)
            var updates = Transaction.updates.makeAsyncIterator()
            try await buy(one(club)) { _ in }
            var watch = Stopwatch()
            let start = Stopwatch.now()
            var last: UInt64?
            while Stopwatch.now() - start < UInt64(seconds * 1e9) {
                let begun = Stopwatch.now()
                try session.forceRenewalOfSubscription(productIdentifier: club)
                guard case .verified(let renewal)? = await updates.next(), renewal.id != last
                else { throw Failure("updates brought something else") }
                watch.add(since: begun)
                last = renewal.id
                await renewal.finish()
            }
            try report(["milliseconds": watch.milliseconds])
        }
    }

    // MARK: - Reading

    /// `currentEntitlements` of many products, from a copy on the disk and then from memory.
    static func readEntitlements(_ options: Options) throws {
        let count = Int(try options.number("count"))
        let file = try makeCatalogue(count: count)
        try run {
            let session = try SKTestSession(contentsOf: file)
            for number in 0..<count {
                try await session.buyProduct(identifier: "com.example.bench.own\(number)")
            }
            // An app has delivered what its customer is entitled to.
            for await case .verified(let bought) in Transaction.unfinished { await bought.finish() }
            guard await entitlements() == count else { throw Failure("the copy lacks some") }
            // Another process of the app, as far as memory goes.
            let again = session.secondProcess()
            try await again.run {
                // Listening, so that the second read does not ask the store.
                let listener = Task { for await _ in Transaction.updates {} }
                var watch = Stopwatch()
                for _ in 0..<20 {
                    let start = Stopwatch.now()
                    guard await entitlements() == count else { throw Failure("some are missing") }
                    watch.add(since: start)
                }
                listener.cancel()
                try report([
                    "first_ms": watch.milliseconds[0],
                    "again_ms": Stopwatch.percentile(
                        0.5, of: Array(watch.milliseconds.dropFirst())),
                ])
            }
            again.end()
        }
    }

    private static func entitlements() async -> Int {
        var count = 0
        for await case .verified in Transaction.currentEntitlements { count += 1 }
        return count
    }

    /// A launch with many unfinished transactions, until `updates` has brought all; the device is that
    /// of the `STOREKIT_` variables.
    static func launch(_ options: Options) throws {
        let count = Int(try options.number("count"))
        try run {
            let start = Stopwatch.now()
            var heard: Set<UInt64> = []
            for await case .verified(let transaction) in Transaction.updates {
                heard.insert(transaction.id)
                if heard.count == count { break }
            }
            let milliseconds = Double(Stopwatch.now() - start) / 1e6
            let memory = try ProcessMemory.now()
            try report([
                "milliseconds": milliseconds, "resident_mb": memory.residentMegabytes,
                "peak_mb": memory.peakMegabytes,
            ])
        }
    }

    // MARK: - Sessions

    /// A session made with its catalogue and buyer; and gone again.
    static func session(_ options: Options) throws {
        let seconds = try options.number("seconds")
        let file = try makeCatalogue(count: 10)
        try run {
            let first = try SKTestSession(contentsOf: file)
            var (making, ending) = (Stopwatch(), Stopwatch())
            let start = Stopwatch.now()
            while Stopwatch.now() - start < UInt64(seconds * 1e9) {
                let begun = Stopwatch.now()
                let session = try SKTestSession(contentsOf: file)
                making.add(since: begun)
                let over = Stopwatch.now()
                await session.end()
                ending.add(since: over)
            }
            try report(["made_ms": making.milliseconds, "gone_ms": ending.milliseconds])
            _ = first
        }
    }

    /// Many sessions at once: each buys a subscription, renews it, and verifies both. With listeners,
    /// each hears of the renewal by `updates`, and listens until all are done.
    static func sessions(_ options: Options, listening: Bool) throws {
        let count = Int(try options.number("count"))
        let file = try makeCatalogue(count: 1)
        try run {
            let first = try SKTestSession(contentsOf: file)
            let threads = Most()
            let start = Stopwatch.now()
            let sessions = try await withThrowingTaskGroup(
                of: (session: SKTestSession, listener: Task<Void, Never>?).self
            ) { group in
                for _ in 0..<count {
                    group.addTask {
                        let session = try SKTestSession(contentsOf: file)
                        let listener = try await session.run {
                            try await subscribeAndRenew(in: session, listening: listening)
                        }
                        threads.note(try threadCount())
                        return (session, listener)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let seconds = Double(Stopwatch.now() - start) / 1e9
            let memory = try ProcessMemory.now()
            try report([
                "seconds": seconds, "threads": threads.number.withLock { $0 },
                "resident_mb": memory.residentMegabytes,
                "store_mb": try ProcessMemory.ofChild().residentMegabytes,
                "sessions": sessions.count,
            ])
            for session in sessions { session.listener?.cancel() }
            _ = first
        }
    }

    private static func subscribeAndRenew(
        in session: SKTestSession, listening: Bool
    ) async throws -> Task<Void, Never>? {
        let (heard, hear) = AsyncStream.makeStream(of: VerificationResult<Transaction>.self)
        let listener =
            listening ? Task { for await news in Transaction.updates { hear.yield(news) } } : nil
        try await buy(one(club)) { _ in }
        try session.forceRenewalOfSubscription(productIdentifier: club)
        if listening {
            guard case .verified? = await heard.first(where: { _ in true }) else {
                throw Failure("updates brought no verified renewal")
            }
        }
        var verified = 0
        for await case .verified in Transaction.all { verified += 1 }
        guard verified == 2 else { throw Failure("\(verified) of 2 transactions are verified") }
        return listener
    }

    /// The highest number that was noted.
    private final class Most: Sendable {
        let number = Mutex(0)

        @inline(never)
        func note(_ value: Int) {
            number.withLock { $0 = max($0, value) }
        }
    }

    private static func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    // MARK: -

    private static func one(_ id: String) async throws -> Product {
        guard let product = try await Product.products(for: [id]).first else {
            throw Failure("\(id) is not for sale")
        }
        return product
    }

    /// A configuration file that sells a consumable, a subscription and many other products; removed
    /// when the process exits.
    private static func makeCatalogue(count: Int) throws -> URL {
        func item(_ id: String, _ type: String) -> [String: Any] {
            [
                "displayPrice": "0.99", "familyShareable": false, "internalID": id,
                "localizations": [["description": "", "displayName": id, "locale": "en_US"]],
                "productID": "com.example.bench.\(id)", "referenceName": id, "type": type,
            ]
        }
        var club = item("club", "RecurringSubscription")
        club["groupNumber"] = 1
        club["recurringSubscriptionPeriod"] = "P1M"
        club["subscriptionGroupID"] = "club-group"
        let file: [String: Any] = [
            "identifier": "BE4C0001", "version": ["major": 3, "minor": 0],
            "products": [item("one", "Consumable")]
                + (0..<count).map { item("own\($0)", "NonConsumable") },
            "nonRenewingSubscriptions": [],
            "subscriptionGroups": [
                [
                    "id": "club-group", "name": "Club", "localizations": [],
                    "subscriptions": [club],
                ]
            ],
        ]
        let url = FileManager.default.temporaryDirectory
            .appending(path: "bench-\(UUID().uuidString).storekit")
        try JSONSerialization.data(withJSONObject: file).write(to: url)
        catalogues.withLock { $0.append(url) }
        atexit {
            for url in SignedBench.catalogues.withLock({ $0 }) {
                try? FileManager.default.removeItem(at: url)
            }
        }
        return url
    }

    /// Runs a body while the main run loop turns, as an app's does.
    private static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        Task {
            do {
                try await body()
                end(.success(()))
            } catch {
                end(.failure(error))
            }
        }
        while true {
            if let found = result.withLock({ $0 }) { return try found.get() }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
    }

    /// Never inlined: the optimizer looks for its thread before a wait, and a mutex that is locked after
    /// it on another one would stop the process.
    @inline(never)
    private static func end(_ found: Result<Void, any Error>) {
        result.withLock { $0 = found }
    }

    /// How the body of `run` ended.
    private static let result = Mutex<Result<Void, any Error>?>(nil)
}
