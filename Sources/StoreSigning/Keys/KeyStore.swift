package import StoreModel
package import StoreVerification
import Synchronization

/// The store's keys and certificates, created once and kept in a directory of mode 0700, the secret
/// ones with mode 0600.
///
/// The directory also holds the roots for verifiers, as `root-production.pem`, `root-sandbox.pem`,
/// `root-test-production.pem`, `root-test-sandbox.pem`, and with `.der`; and, named alike, the
/// authorities of transaction receipts, `transaction-authority-production.pem` and so on, and the
/// roots of signed data, `signed-data-root-production.pem` and so on.
package final class KeyStore: Sendable {
    /// Whether a directory holds a complete set, none at all, or a damaged one.
    package enum Presence: Equatable, Sendable {
        case complete
        case absent
        case incomplete(missing: [String])
    }

    private let directory: KeyDirectory
    private let chains: Mutex<OpenChains>
    private let roots: TrustedRoots
    private let authorities: TransactionAuthorities
    private let dataRoots: TrustedRoots
    private let responders = Mutex<[ChainName: OCSPResponder]>([:])
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
    /// transaction receipts, and those that sign data, if they are missing.
    package init(directory: String) throws {
        let files = KeyDirectory(path: directory)
        switch ChainSet.lasting.presence(in: files) {
        case .complete: break
        case .absent:
            throw SigningFailure(.incomplete, "\(directory) holds no keys of a store.")
        case .incomplete(let missing):
            throw ChainSet.lasting.files.lacking(missing, in: files)
        }
        let found = try files.locked {
            var found = try ChainSet.lasting.open(in: files)
            if ChainSet.test.presence(in: files) == .complete {
                found.add(try ChainSet.test.open(in: files))
            }
            return found
        }
        self.directory = files
        roots = TrustedRoots(found.receipts.values.map(\.root))
        authorities = TransactionAuthorities(found.transactions.values.map(\.authority))
        dataRoots = TrustedRoots(found.signedData.values.map(\.root))
        chains = Mutex(found)
    }

    /// Creates the chains of test sessions if they are missing, which takes about a second.
    ///
    /// Concurrent callers wait for the one that creates them, even in another process. Chains left
    /// incomplete by a crash were never used and are created anew.
    package func prepareTestChains() throws {
        try preparing.withLock { _ in
            guard chains.withLock({ $0.receipts[ChainName.test[0]] }) == nil else { return }
            let made = try directory.locked {
                if !directory.has(ChainSet.test.files.marker) {
                    try ChainSet.test.make(in: directory)
                }
                return try ChainSet.test.open(in: directory)
            }
            // A verifier must know a root before anything under it is signed.
            for chain in made.receipts.values { roots.add(chain.root) }
            for chain in made.transactions.values { authorities.add(chain.authority) }
            for chain in made.signedData.values { dataRoots.add(chain.root) }
            chains.withLock { $0.add(made) }
        }
    }

    /// The root certificate (DER) of an environment.
    package func rootCertificate(_ environment: StoreEnvironment, isTest: Bool) throws -> [UInt8] {
        try ready(\.receipts, environment, isTest).root.der
    }

    /// A new leaf certificate (DER) over the shared leaf key, naming a world.
    package func makeLeaf(
        _ environment: StoreEnvironment, isTest: Bool, worldID: String
    ) throws -> [UInt8] {
        try ready(\.receipts, environment, isTest).makeLeaf(worldID: worldID)
    }

    /// Signs receipts under a leaf that `makeLeaf` made.
    package func receiptSigner(
        _ environment: StoreEnvironment, isTest: Bool, leaf: [UInt8]
    ) throws -> ReceiptSigner {
        try ready(\.receipts, environment, isTest).signer(leaf: leaf)
    }

    /// Verifies receipts against every root of this store, including those added later.
    package func receiptVerifier() -> ReceiptVerifier { ReceiptVerifier(roots: roots) }

    /// Signs transaction receipts under a certificate that names a world; the same world gets the
    /// same certificate at every start.
    package func transactionReceiptSigner(
        _ environment: StoreEnvironment, isTest: Bool, worldID: String
    ) throws -> TransactionReceiptSigner {
        try ready(\.transactions, environment, isTest).signer(worldID: worldID)
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
        try ready(\.transactions, environment, isTest).authority.certificate.der
    }

    /// The root certificate (DER) of an environment's signed data.
    package func dataRoot(_ environment: StoreEnvironment, isTest: Bool) throws -> [UInt8] {
        try ready(\.signedData, environment, isTest).root.der
    }

    /// A new leaf certificate (DER) for signed data, naming a world.
    package func makeDataLeaf(
        _ environment: StoreEnvironment, isTest: Bool, worldID: String,
        _ terms: DataCertificateTerms = DataCertificateTerms()
    ) throws -> [UInt8] {
        try ready(\.signedData, environment, isTest).makeLeaf(terms, worldID: worldID)
    }

    /// A new certificate (DER) of the intermediate authority of signed data, over its one key.
    package func makeDataIntermediate(
        _ environment: StoreEnvironment, isTest: Bool, _ terms: DataCertificateTerms
    ) throws -> [UInt8] {
        try ready(\.signedData, environment, isTest).makeIntermediate(terms)
    }

    /// Signs data under certificates that `makeDataLeaf` and `makeDataIntermediate` made;
    /// `keyNumber` is that of the leaf's terms. Certificates are checked unless they were `justMade`.
    package func dataSigner(
        _ environment: StoreEnvironment, isTest: Bool, leaf: [UInt8],
        intermediate: [UInt8]? = nil, keyNumber: Int64 = 0, justMade: Bool = false
    ) throws -> SignedDataSigner {
        try ready(\.signedData, environment, isTest).signer(
            leaf: leaf, intermediate: intermediate, keyNumber: keyNumber, justMade: justMade)
    }

    /// Answers for the certificates of an environment's signed data; made when it is first asked for.
    package func ocspResponder(
        _ environment: StoreEnvironment, isTest: Bool
    ) throws -> OCSPResponder {
        let chain = try ready(\.signedData, environment, isTest)
        return try responders.withLock { responders in
            let name = ChainName(environment: environment, isTest: isTest)
            if let known = responders[name] { return known }
            let made = try chain.makeResponder()
            responders[name] = made
            return made
        }
    }

    /// Verifies signed data against every root of this store, including those added later.
    package func dataVerifier() -> SignedDataVerifier { SignedDataVerifier(roots: dataRoots) }

    /// An environment's chain of one family.
    private func ready<Chain: Sendable>(
        _ family: (OpenChains) -> [ChainName: Chain], _ environment: StoreEnvironment,
        _ isTest: Bool
    ) throws -> Chain {
        let name = ChainName(environment: environment, isTest: isTest)
        guard let found = chains.withLock({ family($0)[name] }) else {
            throw SigningFailure(
                .noTestChains, "The keys of test sessions do not exist yet; prepare them first.")
        }
        return found
    }
}
