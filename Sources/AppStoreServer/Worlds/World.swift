import Foundation
package import StoreCaller
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
    /// The sandbox's name in its signed data.
    let sandboxName: SandboxName
    package let database: Database
    package let time: WorldTime
    package let updates: UpdateHub
    let history = HistoryWatch()
    package let renewals: RenewalWorker
    let notifications: NotificationWorker
    let massExtensions: MassExtensionWorker
    /// Nil when customers pay with credit alone.
    let payments: PaymentWorker?
    package let faults = Faults()
    /// Those of whole requests, whatever their answer would be.
    let requestFaults = Faults()
    let requestLimits = RequestLimits()
    package let registrations = RegistrationGuard()
    /// Tokens of the App Store Server API.
    let serverTokens = ServerTokens()
    /// Tries of offer codes, by the real clock: a custom word can be guessed, so a right guess counts
    /// like a wrong one.
    let redemptions = TokenBuckets<AccountID>(
        atOnceMax: Limits.redemptionsAtOnceMax, perMinuteMax: Limits.redemptionsPerMinuteMax,
        callersMax: Limits.redeemersMax)
    private let signers: WorldSigners
    private let hasClosed = Atomic(false)

    package var isSession: Bool { !name.isDefault }

    /// Opens the file of a world, or makes it when there is none.
    ///
    /// A new world counts its transactions from `numberOffset` on in each environment's range, and
    /// its signed data call the sandbox `sandboxName`.
    /// `caller` delivers its notifications. Its certificates name `storeAddress`. `meter` counts its
    /// commits.
    package init(
        name: WorldName, path: String, keys: KeyStore, wall: WallClock, polls: Gate,
        numberOffset: Int64, sandboxName: SandboxName = .sandbox,
        provider: (any PaymentProvider)? = nil,
        caller: CallerLoop = .forNotifications(), storeAddress: String = usualStoreAddress,
        meter: CommitMeter = CommitMeter(), log: Log = .silent
    ) throws {
        self.name = name
        let isSession = !name.isDefault
        database = try Database(
            path: path, durability: isSession ? .processOnly : .full,
            schema: WorldSchema.current, meter: meter)
        let start = try Self.start(
            name, in: database, keys: keys, now: wall.now(), numberOffset: numberOffset,
            sandboxName: sandboxName, asksProvider: provider != nil)
        id = start.world.id
        self.sandboxName = start.sandboxName
        let signers = WorldSigners(
            keys: keys, isTest: isSession, world: start.world,
            certificates: WorldCertificates(
                keys: keys, isTest: isSession, worldID: start.world.id,
                address: storeAddress + (isSession ? "/t/\(name.text)" : ""), database: database,
                wall: wall))
        self.signers = signers
        time = WorldTime(clock: start.clock, recorded: start.recorded, wall: wall)
        database.keep(time)
        updates = UpdateHub(gate: polls)
        let worldLog = log.adding("world", .text(name.text))
        renewals = RenewalWorker(database: database, time: time, updates: updates, log: worldLog)
        notifications = NotificationWorker(
            database: database, time: time, signers: signers, caller: caller, log: worldLog)
        massExtensions = MassExtensionWorker(
            database: database, time: time, updates: updates, renewals: renewals, log: worldLog)
        payments = Self.payments(
            of: provider, openCount: start.openPayments, in: database, time, telling: updates,
            renewals, log: worldLog)
        if let payments { renewals.use(payments) }
        database.whenAnnounced { [notifications, history] announcement in
            if announcement == .notifications { notifications.wake() }
            if announcement == .history { history.wake() }
        }
        time.whenSet { [notifications] in notifications.wake() }
        if !start.isNew {
            // The file may have been changed by others. A new world's leaves were just made, and
            // reading and checking them would take as long as all the rest.
            try signers.check()
            // Settles what became due while the file was closed.
            renewals.wake()
            payments?.wake()
            notifications.wake()
            massExtensions.wake()
        }
    }

    package func signer(for environment: StoreEnvironment) throws -> ReceiptSigner {
        try signers.receipts(environment)
    }

    package func transactionSigner(
        for environment: StoreEnvironment
    ) throws -> TransactionReceiptSigner {
        try signers.transactions(environment)
    }

    /// Signs JWS. Waits for a commit when the world signs data for the first time, so it must not be
    /// called within one.
    package func dataSigner(for environment: StoreEnvironment) throws -> SignedDataSigner {
        try signers.data(environment)
    }

    /// The root certificate (DER) of an environment's JWS.
    func dataRoot(for environment: StoreEnvironment) throws -> [UInt8] {
        try signers.dataRoot(environment)
    }

    /// The certificates under which it signs JWS.
    var certificates: WorldCertificates { signers.certificates }

    /// Whether new requests get 503.
    package var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

    /// Ends waiting polls, commits pending writes and closes the file; false when its log remains,
    /// because another program has it open.
    @discardableResult
    package func close() -> Bool {
        hasClosed.store(true, ordering: .releasing)
        notifications.close()
        massExtensions.close()
        renewals.close()
        payments?.close()
        endWaits()
        return database.close()
    }

    /// Ends every request that waits for what happens, and refuses new ones.
    func endWaits() {
        updates.close()
        history.close()
    }

    /// The values that a world has when its file is opened.
    private struct Start: Sendable {
        let world: FoundedWorld
        let sandboxName: SandboxName
        let isNew: Bool
        let clock: WorldClock
        let recorded: Timestamp
        let openPayments: Int64
    }

    /// Reads the world's identity; a new file gets one in this commit.
    private static func start(
        _ name: WorldName, in database: Database, keys: KeyStore, now: Timestamp,
        numberOffset: Int64, sandboxName: SandboxName, asksProvider: Bool
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
                    name, id: id, leaves: leaves, now: now, numberOffset: numberOffset,
                    sandboxName: sandboxName)
                world = FoundedWorld(id: id, leaves: Dictionary(uniqueKeysWithValues: leaves))
            }
            if try scope.reading.asksProvider(in: .production) != asksProvider {
                try scope.setAsksProvider(asksProvider, in: .production)
            }
            return Start(
                world: world, sandboxName: try scope.reading.sandboxName(),
                isNew: known == nil, clock: try scope.reading.clock(),
                recorded: try scope.reading.lastRecorded(),
                openPayments: try scope.reading.openPaymentCount())
        }
    }
}

/// Where a store listens that nobody configured.
package let usualStoreAddress = "http://127.0.0.1:8080"

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
    let b = source
    return UUID(
        uuid: (
            b[0], b[1], b[2], b[3], b[4], b[5], b[6] & 0x0F | 0x40, b[7], b[8] & 0x3F | 0x80, b[9],
            b[10], b[11], b[12], b[13], b[14], b[15]
        )
    ).uuidString
}
