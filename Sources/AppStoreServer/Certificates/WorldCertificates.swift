import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification
import Synchronization

/// The certificates under which one world signs data, in each environment; from any thread.
///
/// A leaf and an intermediate are made when the world first signs data, and anew when the address of
/// its responder changes. They are the world's own, so that what its owner does to them concerns no
/// other world; only the root is shared. All changes go through here, one after the other.
final class WorldCertificates: Sendable {
    private let keys: KeyStore
    private let isTest: Bool
    private let worldID: String
    /// The world's address.
    private let address: String
    private let database: Database
    private let wall: WallClock
    private let signers = Mutex<[StoreEnvironment: SignedDataSigner]>([:])

    init(
        keys: KeyStore, isTest: Bool, worldID: String, address: String, database: Database,
        wall: WallClock
    ) {
        self.keys = keys
        self.isTest = isTest
        self.worldID = worldID
        self.address = address
        self.database = database
        self.wall = wall
    }

    /// Waits for the commit of new certificates, so it must not be called within one.
    func signer(_ environment: StoreEnvironment) throws -> SignedDataSigner {
        try signers.withLock { signers in
            if let known = signers[environment] { return known }
            let (found, justMade) = try inUse([.leaf, .intermediate], environment)
            let made = try signer(
                leaf: found[0], intermediate: found[1], justMade: justMade)
            signers[environment] = made
            return made
        }
    }

    /// Finds a file that others changed; makes nothing.
    func check() throws {
        let known = try database.read { try $0.dataCertificates() }
        for environment in StoreEnvironment.allCases {
            // The newest stands for all.
            let leaf = known.first { $0.environment == environment && $0.role == .leaf }
            let middle = known.first { $0.environment == environment && $0.role == .intermediate }
            guard let leaf, let middle else { continue }
            _ = try signer(leaf: leaf, intermediate: middle)
        }
    }

    /// The address of the OCSP responder that new certificates name.
    func responder(_ environment: StoreEnvironment) -> String {
        "\(address)/\(environment.rawValue)\(OCSPEndpoints.path)"
    }

    /// The kind of certificate that replaces another.
    enum Successor {
        /// One that is as good as the first, a leaf with a new key.
        case anew
        /// One over the same key that ends now.
        case expired
    }

    /// Puts another certificate in the place of one; gives it.
    func replace(
        _ role: DataCertificateRole, _ environment: StoreEnvironment, by successor: Successor
    ) throws -> DataCertificate {
        try signers.withLock { signers in
            let old = try inUse(role, environment)
            let now = wall.now()
            let new: NewDataCertificate
            switch successor {
            case .anew:
                let keyNumber = role == .leaf ? old.keyNumber + 1 : 0
                new = try make(role, environment, keyNumber: keyNumber, at: now)
            case .expired:
                let end = try Certificate(old.der).notAfter
                if end <= now { return old }
                new = try make(role, environment, after: old, notAfter: now, at: now)
            }
            try database.write { scope in
                try scope.replaceDataCertificates(as: role, in: environment, at: now)
                try scope.add(new, as: role, in: environment)
            }
            signers[environment] = nil
            return try inUse(role, environment)
        }
    }

    /// Revokes the certificate in use, or the one with a number; gives it, or nil when there is no
    /// such certificate.
    func revoke(
        _ role: DataCertificateRole, _ environment: StoreEnvironment, serial: String? = nil,
        for reason: CertificateRevocationReason
    ) throws -> DataCertificate? {
        try signers.withLock { _ in
            let serial = try serial ?? inUse(role, environment).serial
            let now = wall.now()
            return try database.write { scope in
                guard
                    let one = try scope.reading.dataCertificate(
                        serial: serial, as: role, in: environment)
                else { return nil as DataCertificate? }
                try scope.revoke(one, for: reason, at: now)
                return try scope.reading.dataCertificate(
                    serial: serial, as: role, in: environment)
            }
        }
    }

    private func inUse(
        _ role: DataCertificateRole, _ environment: StoreEnvironment
    ) throws -> DataCertificate {
        try inUse([role], environment).certificates[0]
    }

    /// The certificates that are in use; those that do not exist for this address are made, in one
    /// commit. Says whether all of them were. Called under the lock.
    private func inUse(
        _ roles: [DataCertificateRole], _ environment: StoreEnvironment
    ) throws -> (certificates: [DataCertificate], justMade: Bool) {
        let responder = responder(environment)
        var new: [(role: DataCertificateRole, certificate: NewDataCertificate)] = []
        func find() throws -> [[DataCertificate]] {
            try database.read { scope in
                var found: [[DataCertificate]] = []
                for role in roles {
                    found.append(try scope.dataCertificatesInUse(as: role, in: environment))
                }
                return found
            }
        }
        var known = try find()
        for (role, known) in zip(roles, known)
        where !known.contains(where: { $0.responder == responder }) {
            let previous = known.first
            let made = try make(
                role, environment, after: previous,
                notAfter: try previous.map { try Certificate($0.der).notAfter }
                    ?? DataCertificateTerms.usualEnd, at: wall.now())
            new.append((role, made))
        }
        if !new.isEmpty {
            try database.write { [new] scope in
                for (role, made) in new { try scope.add(made, as: role, in: environment) }
            }
            known = try find()
        }
        let certificates = try known.map { known in
            guard let found = known.first(where: { $0.responder == responder }) else {
                throw DatabaseError(code: .other, detail: "a new certificate is not in its table")
            }
            return found
        }
        return (certificates, justMade: new.count == roles.count)
    }

    private func make(
        _ role: DataCertificateRole, _ environment: StoreEnvironment,
        after predecessor: DataCertificate? = nil,
        notAfter: Timestamp = DataCertificateTerms.usualEnd, keyNumber: Int64? = nil,
        at now: Timestamp
    ) throws -> NewDataCertificate {
        let responder = responder(environment)
        let terms = DataCertificateTerms(
            responder: responder, notAfter: notAfter,
            keyNumber: keyNumber ?? predecessor?.keyNumber ?? 0)
        let der =
            switch role {
            case .leaf:
                try keys.makeDataLeaf(environment, isTest: isTest, worldID: worldID, terms)
            case .intermediate:
                try keys.makeDataIntermediate(environment, isTest: isTest, terms)
            }
        return NewDataCertificate(
            certificate: try Certificate(der), terms: terms, responder: responder, madeAt: now,
            predecessor: predecessor)
    }

    private func signer(
        leaf: DataCertificate, intermediate: DataCertificate, justMade: Bool = false
    ) throws -> SignedDataSigner {
        try keys.dataSigner(
            leaf.environment, isTest: isTest, leaf: leaf.der, intermediate: intermediate.der,
            keyNumber: leaf.keyNumber, justMade: justMade)
    }
}
