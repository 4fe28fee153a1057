import FoundationEssentials
import StoreVerification
package import StoreModel

/// The private key and certificate with which a store speaks TLS, and the authority above them.
///
/// A directory of mode 0700 holds them, each file whole or absent:
///
///     authority-key.pem   the authority's key and certificate, mode 0600
///     authority.pem       the certificate alone, for clients
///     server.pem          the server's key and certificate, mode 0600
///
/// The authority is no root of receipts or signed data, carries none of their markers, and may
/// certify the store's own names alone.
package struct TLSIdentity: Sendable {
    static let authorityKeyFile = "authority-key.pem"
    package static let authorityFile = "authority.pem"
    static let serverFile = "server.pem"

    private static let day: Int64 = 86_400_000
    /// For clients whose clocks are behind.
    private static let daysBefore: Int64 = 1
    private static let authorityDays: Int64 = 3_650
    /// Some clients refuse certificates of more than 398 days.
    private static let serverDays: Int64 = 396
    /// A start renews a certificate that ends sooner.
    private static let serverDaysLeftMin: Int64 = 90

    /// In PEM.
    package let key: [UInt8]
    package let certificate: [UInt8]
    package let notAfter: Timestamp
    /// Whether clients that trusted an earlier authority of this directory must trust this one now.
    package let isAuthorityReplaced: Bool

    /// Reads the files, making those that are missing, near their end, or without one of the names.
    ///
    /// For the one process that holds the data directory; `now` is the real time.
    package init(in path: String, names: Set<ServerName>, now: Timestamp) throws {
        let directory = KeyDirectory(path: path)
        try directory.prepare()
        let old = try Authority.read(from: directory)
        let isKept = try old?.covers(names, now: now, days: Self.serverDays) == true
        let authority: Authority
        if let old, isKept {
            authority = old
        } else {
            authority = try Authority.make(
                permitting: (try old?.certificate.permittedSubtrees ?? [])
                    .union(names.map(\.subtree)), now: now)
            try directory.write(
                try authority.key.pem() + ChainMaterial.pem(authority.certificate.der),
                to: Self.authorityKeyFile, mode: 0o600)
        }
        try authority.publish(in: directory)
        let server =
            try Server.read(from: directory, below: authority, names: names, now: now)
            ?? Server.make(below: authority, names: names, now: now, in: directory)
        try directory.sync()
        key = try server.key.pem()
        certificate = ChainMaterial.pem(server.certificate.der)
        notAfter = server.certificate.notAfter
        isAuthorityReplaced = old != nil && !isKept
    }

    /// When the certificate of a directory ends; nil when there is none, or one that the next start
    /// replaces. Throws what keeps a start from using the authority. Changes nothing.
    package static func notAfter(in path: String) throws -> Timestamp? {
        let directory = KeyDirectory(path: path)
        guard try Authority.read(from: directory) != nil, directory.has(serverFile) else {
            return nil
        }
        let pem = try directory.read(serverFile, isSecret: true)
        return try? certificate(in: pem, of: directory.path(of: serverFile)).notAfter
    }

    /// The certificate in a file of PEM.
    private static func certificate(in pem: [UInt8], of path: String) throws -> Certificate {
        let text = String(decoding: pem, as: UTF8.self)
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        guard let start = text.firstRange(of: begin),
            let stop = text[start.upperBound...].firstRange(of: end),
            let der = Data(
                base64Encoded: String(text[start.upperBound..<stop.lowerBound]),
                options: .ignoreUnknownCharacters),
            let certificate = try? Certificate(Array(der))
        else { throw damaged(path) }
        return certificate
    }

    private static func damaged(_ path: String) -> SigningFailure {
        SigningFailure(
            .damaged, "\(path) does not hold a key and its certificate.",
            advice: "Put it back from a backup, or remove it: a start then makes a new one, which"
                + " clients must trust anew if it is the authority's.")
    }

    private static func start(_ now: Timestamp) -> Timestamp {
        now.adding(milliseconds: -daysBefore * day)
    }

    private static func end(_ now: Timestamp, days: Int64) -> Timestamp {
        now.adding(milliseconds: days * day)
    }
}

extension TLSIdentity {
    fileprivate struct Authority {
        let key: CurvePrivateKey
        let certificate: Certificate

        /// Nil when there is none.
        static func read(from directory: KeyDirectory) throws -> Authority? {
            guard directory.has(authorityKeyFile) else { return nil }
            let pem = try directory.read(authorityKeyFile, isSecret: true)
            let path = directory.path(of: authorityKeyFile)
            let certificate = try TLSIdentity.certificate(in: pem, of: path)
            guard let key = try? CurvePrivateKey(pem: pem, on: .p384),
                try key.publicKeyInfo() == certificate.publicKeyInfo
            else { throw damaged(path) }
            return Authority(key: key, certificate: certificate)
        }

        static func make(permitting subtrees: Set<[UInt8]>, now: Timestamp) throws -> Authority {
            let key = try CurvePrivateKey.make(on: .p384)
            let info = try key.publicKeyInfo()
            let number = hexadecimal(
                Array(try CertificateTemplate.keyIdentifier(ofPublicKeyInfo: info).prefix(4)))
            let template = try CertificateTemplate.tlsAuthority(
                IssuingChain.name("Bodega TLS Authority \(number)"), publicKeyInfo: info,
                subtrees: subtrees, from: start(now), to: end(now, days: authorityDays))
            return Authority(key: key, certificate: try Certificate(try template.signed(by: key)))
        }

        /// Whether it may certify all names, for some days from now. A clock that shows a time
        /// before its making is wrong, and no reason to have clients trust another.
        func covers(_ names: Set<ServerName>, now: Timestamp, days: Int64) throws -> Bool {
            try certificate.permittedSubtrees.isSuperset(of: names.map(\.subtree))
                && end(now, days: days) <= certificate.notAfter
        }

        /// Writes the file for clients, unless it is as it should be.
        func publish(in directory: KeyDirectory) throws {
            let pem = ChainMaterial.pem(certificate.der)
            let isThere =
                directory.has(authorityFile)
                && (try? directory.read(authorityFile, isSecret: false)) == pem
            if !isThere { try directory.write(pem, to: authorityFile, mode: 0o644) }
        }
    }

    fileprivate struct Server {
        let key: CurvePrivateKey
        let certificate: Certificate

        /// Nil when it must be made: it is missing, damaged, of another authority, for other names,
        /// or near its end.
        static func read(
            from directory: KeyDirectory, below authority: Authority, names: Set<ServerName>,
            now: Timestamp
        ) throws -> Server? {
            guard directory.has(serverFile) else { return nil }
            let pem = try directory.read(serverFile, isSecret: true)
            guard
                let certificate = try? TLSIdentity.certificate(
                    in: pem, of: directory.path(of: serverFile)),
                let key = try? CurvePrivateKey(pem: pem),
                try key.publicKeyInfo() == certificate.publicKeyInfo,
                certificate.issuer == authority.certificate.subject,
                certificate.extensions[.subjectAlternativeName] == .subjectAlternativeNames(names),
                certificate.notBefore <= now,
                end(now, days: serverDaysLeftMin) <= certificate.notAfter
            else { return nil }
            return Server(key: key, certificate: certificate)
        }

        static func make(
            below authority: Authority, names: Set<ServerName>, now: Timestamp,
            in directory: KeyDirectory
        ) throws -> Server {
            let key = try CurvePrivateKey.make()
            let template = try CertificateTemplate.tlsServer(
                IssuingChain.name("Bodega Store"), publicKeyInfo: try key.publicKeyInfo(),
                names: names, below: authority.certificate, from: start(now),
                to: end(now, days: serverDays))
            let der = try template.signed(by: authority.key)
            try directory.write(
                try key.pem() + ChainMaterial.pem(der), to: serverFile, mode: 0o600)
            return Server(key: key, certificate: try Certificate(der))
        }
    }
}
