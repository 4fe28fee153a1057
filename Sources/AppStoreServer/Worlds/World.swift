package import StoreDatabase
package import StoreHTTP
package import StoreLog
package import StoreModel
import StoreRules
package import StoreSigning
import Synchronization

/// One isolated universe: catalogue, accounts, transactions, clock, history, one database file.
package final class World: Sendable {
    package let name: WorldName
    /// A UUID in its leaf certificates.
    package let id: String
    package let database: Database
    package let time: WorldTime
    package let updates: UpdateHub
    package let renewals: RenewalWorker
    /// Nil when customers pay with credit alone.
    let payments: PaymentWorker?
    private let keys: KeyStore
    package let faults = Faults()
    package let registrations = RegistrationGuard()
    /// Tokens of the App Store Server API.
    let serverTokens = ServerTokens()
    /// Tries of offer codes, by the real clock: a custom word can be guessed, so a right guess counts
    /// like a wrong one.
    let redemptions = TokenBuckets<AccountID>(
        atOnceMax: Limits.redemptionsAtOnceMax, perMinuteMax: Limits.redemptionsPerMinuteMax,
        callersMax: Limits.redeemersMax)
    private let leaves: [StoreEnvironment: [UInt8]]
    /// The leaves of signed data that the file had when it was opened.
    private let dataLeaves: [StoreEnvironment: [UInt8]]
    private let signers = Mutex<[StoreEnvironment: ReceiptSigner]>([:])
    private let transactionSigners = Mutex<[StoreEnvironment: TransactionReceiptSigner]>([:])
    private let dataSigners = Mutex<[StoreEnvironment: SignedDataSigner]>([:])
    private let hasClosed = Atomic(false)

    package var isSession: Bool { !name.isDefault }

    /// Opens the file of a world, or makes it when there is none.
    ///
    /// A new world counts its transactions from `numberOffset` on in each environment's range.
    package init(
        name: WorldName, path: String, keys: KeyStore, wall: WallClock, polls: Gate,
        numberOffset: Int64, provider: (any PaymentProvider)? = nil, log: Log = .silent
    ) throws {
        self.name = name
        self.keys = keys
        let isSession = !name.isDefault
        database = try Database(
            path: path, durability: isSession ? .processOnly : .full,
            schema: WorldSchema.current)
        let start = try Self.start(
            name, in: database, keys: keys, now: wall.now(), numberOffset: numberOffset,
            asksProvider: provider != nil)
        id = start.world.id
        leaves = start.world.leaves
        dataLeaves = start.world.dataLeaves
        time = WorldTime(clock: start.clock, recorded: start.recorded, wall: wall)
        database.keep(time)
        updates = UpdateHub(gate: polls)
        let worldLog = log.adding("world", .text(name.text))
        renewals = RenewalWorker(database: database, time: time, updates: updates, log: worldLog)
        payments = Self.payments(
            of: provider, openCount: start.openPayments, in: database, time, telling: updates,
            renewals, log: worldLog)
        if let payments { renewals.use(payments) }
        if !start.isNew {
            // The file may have been changed by others. A new world's leaves were just made, and
            // reading and checking them would take as long as all the rest.
            for environment in leaves.keys { _ = try signer(for: environment) }
            for environment in dataLeaves.keys { _ = try dataSigner(for: environment) }
            // Settles what became due while the file was closed.
            renewals.wake()
            payments?.wake()
        }
    }

    /// Made on first use: many worlds never sign a receipt.
    package func signer(for environment: StoreEnvironment) throws -> ReceiptSigner {
        try signers.withLock { signers in
            if let known = signers[environment] { return known }
            guard let leaf = leaves[environment] else {
                preconditionFailure("a world has every environment")
            }
            let made = try keys.receiptSigner(environment, isTest: isSession, leaf: leaf)
            signers[environment] = made
            return made
        }
    }

    /// Also made on first use.
    package func transactionSigner(
        for environment: StoreEnvironment
    ) throws -> TransactionReceiptSigner {
        try transactionSigners.withLock { signers in
            if let known = signers[environment] { return known }
            let made = try keys.transactionReceiptSigner(
                environment, isTest: isSession, worldID: id)
            signers[environment] = made
            return made
        }
    }

    /// Signs JWS. Made on first use, as its leaf certificate is: creating a session costs nothing
    /// for data that it may never sign.
    ///
    /// Waits for the commit of a new leaf, so it must not be called within one.
    package func dataSigner(for environment: StoreEnvironment) throws -> SignedDataSigner {
        try dataSigners.withLock { signers in
            if let known = signers[environment] { return known }
            let leaf = try dataLeaves[environment] ?? makeDataLeaf(for: environment)
            let made = try keys.dataSigner(environment, isTest: isSession, leaf: leaf)
            signers[environment] = made
            return made
        }
    }

    private func makeDataLeaf(for environment: StoreEnvironment) throws -> [UInt8] {
        let leaf = try keys.makeDataLeaf(environment, isTest: isSession, worldID: id)
        try database.write { try $0.keepDataLeaf(leaf, in: environment) }
        return leaf
    }

    /// Whether new requests get 503.
    package var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

    /// Ends waiting polls, commits pending writes and closes the file; false when its log remains,
    /// because another program has it open.
    @discardableResult
    package func close() -> Bool {
        hasClosed.store(true, ordering: .releasing)
        renewals.close()
        payments?.close()
        updates.close()
        return database.close()
    }

    /// The values that a world has when its file is opened.
    private struct Start: Sendable {
        let world: FoundedWorld
        let isNew: Bool
        let clock: WorldClock
        let recorded: Timestamp
        let openPayments: Int64
    }

    /// Reads the world's identity; a new file gets one in this commit.
    private static func start(
        _ name: WorldName, in database: Database, keys: KeyStore, now: Timestamp,
        numberOffset: Int64, asksProvider: Bool
    ) throws -> Start {
        try database.write { scope in
            let known = try scope.reading.foundedWorld()
            let world: FoundedWorld
            if let known {
                world = known
            } else {
                let id = makeUUID()
                let leaves = try makeLeaves(of: id, isSession: !name.isDefault, keys: keys)
                try scope.found(
                    name, id: id, leaves: leaves, now: now, numberOffset: numberOffset)
                world = FoundedWorld(id: id, leaves: Dictionary(uniqueKeysWithValues: leaves))
            }
            if try scope.reading.asksProvider(in: .production) != asksProvider {
                try scope.setAsksProvider(asksProvider, in: .production)
            }
            return Start(
                world: world, isNew: known == nil, clock: try scope.reading.clock(),
                recorded: try scope.reading.lastRecorded(),
                openPayments: try scope.reading.openPaymentCount())
        }
    }
}

/// Certificates that name a world, one per environment.
func makeLeaves(
    of worldID: String, isSession: Bool, keys: KeyStore
) throws -> [(StoreEnvironment, [UInt8])] {
    try StoreEnvironment.allCases.map { environment in
        (environment, try keys.makeLeaf(environment, isTest: isSession, worldID: worldID))
    }
}

/// A UUID (version 4) in capital letters, made of 16 bytes, by default random ones.
func makeUUID(_ source: [UInt8] = randomBytes(16)) -> String {
    var bytes = source
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }
    return groups.joined(separator: "-").uppercased()
}
