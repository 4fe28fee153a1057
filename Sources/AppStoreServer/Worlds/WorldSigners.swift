import StoreDatabase
import StoreModel
import StoreSigning
import Synchronization

/// Signs for one world, in each environment with leaf certificates that name it; from any thread.
///
/// Everything is made on first use: many worlds never sign anything.
final class WorldSigners: Sendable {
    private let keys: KeyStore
    private let isTest: Bool
    private let world: FoundedWorld
    private let database: Database
    private let receipts = Mutex<[StoreEnvironment: ReceiptSigner]>([:])
    private let transactions = Mutex<[StoreEnvironment: TransactionReceiptSigner]>([:])
    private let data = Mutex<[StoreEnvironment: SignedDataSigner]>([:])

    init(keys: KeyStore, isTest: Bool, world: FoundedWorld, database: Database) {
        self.keys = keys
        self.isTest = isTest
        self.world = world
        self.database = database
    }

    func receipts(_ environment: StoreEnvironment) throws -> ReceiptSigner {
        try receipts.withLock { signers in
            if let known = signers[environment] { return known }
            guard let leaf = world.leaves[environment] else {
                preconditionFailure("a world has every environment")
            }
            let made = try keys.receiptSigner(environment, isTest: isTest, leaf: leaf)
            signers[environment] = made
            return made
        }
    }

    func transactions(_ environment: StoreEnvironment) throws -> TransactionReceiptSigner {
        try transactions.withLock { signers in
            if let known = signers[environment] { return known }
            let made = try keys.transactionReceiptSigner(
                environment, isTest: isTest, worldID: world.id)
            signers[environment] = made
            return made
        }
    }

    /// Signs JWS. Its leaf certificate, too, is made on first use: creating a session costs nothing
    /// for data that it may never sign.
    ///
    /// Waits for the commit of a new leaf, so it must not be called within one.
    func data(_ environment: StoreEnvironment) throws -> SignedDataSigner {
        try data.withLock { signers in
            if let known = signers[environment] { return known }
            let leaf = try world.dataLeaves[environment] ?? makeDataLeaf(for: environment)
            let made = try keys.dataSigner(environment, isTest: isTest, leaf: leaf)
            signers[environment] = made
            return made
        }
    }

    private func makeDataLeaf(for environment: StoreEnvironment) throws -> [UInt8] {
        let leaf = try keys.makeDataLeaf(environment, isTest: isTest, worldID: world.id)
        try database.write { try $0.keepDataLeaf(leaf, in: environment) }
        return leaf
    }

    /// Makes those whose certificates are known, to find a file that others changed.
    func check() throws {
        for environment in world.leaves.keys { _ = try receipts(environment) }
        for environment in world.dataLeaves.keys { _ = try data(environment) }
    }
}
