import StoreModel
import StoreSigning
import Synchronization

/// Signs for one world, in each environment with leaf certificates that name it; from any thread.
///
/// Everything is made on first use: many worlds never sign anything. JWS are signed under
/// `certificates`.
final class WorldSigners: Sendable {
    private let keys: KeyStore
    private let isTest: Bool
    private let world: FoundedWorld
    private let receipts = Mutex<[StoreEnvironment: ReceiptSigner]>([:])
    private let transactions = Mutex<[StoreEnvironment: TransactionReceiptSigner]>([:])
    let certificates: WorldCertificates

    init(
        keys: KeyStore, isTest: Bool, world: FoundedWorld, certificates: WorldCertificates
    ) {
        self.keys = keys
        self.isTest = isTest
        self.world = world
        self.certificates = certificates
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

    /// Signs JWS. Waits for the commit of new certificates, so it must not be called within one.
    func data(_ environment: StoreEnvironment) throws -> SignedDataSigner {
        try certificates.signer(environment)
    }

    /// The root certificate (DER) of JWS, which stays while the others change.
    func dataRoot(_ environment: StoreEnvironment) throws -> [UInt8] {
        try keys.dataRoot(environment, isTest: isTest)
    }

    /// Makes those whose certificates are known, to find a file that others changed.
    func check() throws {
        for environment in world.leaves.keys { _ = try receipts(environment) }
        try certificates.check()
    }
}
