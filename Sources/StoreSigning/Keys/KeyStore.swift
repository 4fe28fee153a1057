package import StoreModel
import Synchronization

/// The store's keys and certificates, created once and kept in a directory of mode 0700, the secret
/// ones with mode 0600.
///
/// The directory also holds the roots for verifiers, as `root-production.pem`, `root-sandbox.pem`,
/// `root-test-production.pem`, `root-test-sandbox.pem`, and with `.der`; and the authorities of
/// transaction receipts, named alike, as `transaction-authority-production.pem` and so on.
package final class KeyStore: Sendable {
    /// Whether a directory holds a complete set, none at all, or a damaged one.
    package enum Presence: Equatable, Sendable {
        case complete
        case absent
        case incomplete(missing: [String])
    }

    private let directory: KeyDirectory
    private let chains: Mutex<[ChainName: IssuingChain]>
    private let roots: TrustedRoots
    private let transactionChains: Mutex<[ChainName: TransactionChain]>
    private let authorities: TransactionAuthorities
    /// Held while the test chains are created, so that other chains stay in use meanwhile.
    private let preparing = Mutex(())

    package static func presence(in directory: String) -> Presence {
        ChainSet.lasting.presence(in: KeyDirectory(path: directory))
    }

    /// Creates the keys and roots of the production and sandbox environments; refuses to touch a
    /// directory where any of them exists.
    ///
    /// Takes about half a second. The directory's parent must exist. A crash in between leaves a
    /// directory that `presence` reports as incomplete or absent.
    package static func create(in directory: String) throws {
        let files = KeyDirectory(path: directory)
        try files.prepare()
        try files.locked {
            guard ChainSet.lasting.presence(in: files) == .absent else {
                throw SigningFailure(
                    .alreadyThere,
                    "\(directory) already holds keys of a store; new ones are never made over old "
                        + "ones.")
            }
            try ChainSet.lasting.make(in: files)
        }
    }

    /// Reads what `create` created, and the test chains if they exist; creates the keys that sign
    /// transaction receipts if they are missing.
    package init(directory: String) throws {
        let files = KeyDirectory(path: directory)
        var found: [ChainName: IssuingChain]
        switch ChainSet.lasting.presence(in: files) {
        case .complete: found = try ChainSet.lasting.read(from: files)
        case .absent:
            throw SigningFailure(.incomplete, "\(directory) holds no keys of a store.")
        case .incomplete(let missing):
            throw ChainSet.lasting.files.lacking(missing, in: files)
        }
        var transactions = try Self.openTransactionChains(of: .lasting, in: files)
        if ChainSet.test.presence(in: files) == .complete {
            found.merge(try ChainSet.test.read(from: files)) { _, new in new }
            transactions.merge(
                try Self.openTransactionChains(of: .test, in: files)
            ) { _, new in new }
        }
        self.directory = files
        roots = TrustedRoots(found.values.map(\.root))
        chains = Mutex(found)
        authorities = TransactionAuthorities(transactions.values.map(\.authority))
        transactionChains = Mutex(transactions)
    }

    /// Creates the chains of test sessions if they are missing, which takes about a second.
    ///
    /// Concurrent callers wait for the one that creates them, even in another process. Chains left
    /// incomplete by a crash were never used and are created anew.
    package func prepareTestChains() throws {
        try preparing.withLock { _ in
            guard chain(ChainName.test[0]) == nil else { return }
            let made = try directory.locked {
                if !directory.has(ChainSet.test.files.marker) {
                    try ChainSet.test.make(in: directory)
                }
                return try ChainSet.test.read(from: directory)
            }
            let transactions = try Self.openTransactionChains(of: .test, in: directory)
            // A verifier must know a root before the first receipt under it is signed.
            for chain in made.values { roots.add(chain.root) }
            for chain in transactions.values { authorities.add(chain.authority) }
            transactionChains.withLock { $0.merge(transactions) { _, new in new } }
            chains.withLock { $0.merge(made) { _, new in new } }
        }
    }

    /// The root certificate (DER) of an environment.
    package func rootCertificate(_ environment: StoreEnvironment, isTest: Bool) throws -> [UInt8] {
        try readyChain(environment, isTest).root.der
    }

    /// A new leaf certificate (DER) over the shared leaf key, naming a world.
    package func makeLeaf(
        _ environment: StoreEnvironment, isTest: Bool, worldID: String
    ) throws -> [UInt8] {
        try readyChain(environment, isTest).makeLeaf(worldID: worldID)
    }

    /// Signs receipts under a leaf that `makeLeaf` made.
    package func receiptSigner(
        _ environment: StoreEnvironment, isTest: Bool, leaf: [UInt8]
    ) throws -> ReceiptSigner {
        try readyChain(environment, isTest).signer(leaf: leaf)
    }

    /// Verifies receipts against every root of this store, including those added later.
    package func receiptVerifier() -> ReceiptVerifier { ReceiptVerifier(roots: roots) }

    /// Signs transaction receipts under a certificate that names a world; the same world gets the
    /// same certificate at every start.
    package func transactionReceiptSigner(
        _ environment: StoreEnvironment, isTest: Bool, worldID: String
    ) throws -> TransactionReceiptSigner {
        try readyTransactionChain(environment, isTest).signer(worldID: worldID)
    }

    /// Verifies transaction receipts against every authority of this store, including those added
    /// later.
    package func transactionReceiptVerifier() -> TransactionReceiptVerifier {
        TransactionReceiptVerifier(authorities: authorities)
    }

    /// The certificate (DER) of the authority that certifies an environment's transaction-receipt
    /// signers.
    package func transactionAuthority(
        _ environment: StoreEnvironment, isTest: Bool
    ) throws -> [UInt8] {
        try readyTransactionChain(environment, isTest).authority.certificate.der
    }

    private func readyTransactionChain(
        _ environment: StoreEnvironment, _ isTest: Bool
    ) throws -> TransactionChain {
        let name = ChainName(environment: environment, isTest: isTest)
        guard let found = transactionChains.withLock({ $0[name] }) else {
            throw Self.noTestChains
        }
        return found
    }

    private static func openTransactionChains(
        of set: ChainSet, in directory: KeyDirectory
    ) throws -> [ChainName: TransactionChain] {
        try directory.locked { try set.openTransactionChains(in: directory) }
    }

    private static let noTestChains = SigningFailure(
        .noTestChains, "The keys of test sessions do not exist yet; prepare them first.")

    private func chain(_ name: ChainName) -> IssuingChain? { chains.withLock { $0[name] } }

    private func readyChain(
        _ environment: StoreEnvironment, _ isTest: Bool
    ) throws -> IssuingChain {
        guard let found = chain(ChainName(environment: environment, isTest: isTest)) else {
            throw Self.noTestChains
        }
        return found
    }
}
