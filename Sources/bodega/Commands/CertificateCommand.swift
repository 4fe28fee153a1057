import Foundation
import StoreModel
import StoreWire

/// `bodega certificate`
enum CertificateCommand {
    static let command = Command(
        group: "certificate", "the certificates of signed data: rotate, let expire, revoke",
        shared: [.environment] + Option.inWorld,
        details: """
            A world signs data (JWS) under two certificates of its own in each environment: a leaf, and
            an intermediate above it. What is done to them concerns this world alone. Both name the
            store as OCSP responder, which tells verifiers whether they were revoked.

            rotate uses another certificate from now on, a leaf with a new key; it is also the way back
            after expire and revoke. Data signed before stay good online and offline.
            expire uses one that ends now, until it is rotated. Verifiers that work online refuse what
            is signed under it; those that work offline accept what is dated before.
            revoke cannot be taken back. Verifiers that work online refuse whatever was and is signed
            under the certificate, once they ask again: Apple's libraries keep what they found for 15
            minutes. Those that work offline do not notice.
            """,
        examples: [
            "bodega certificate list", "bodega certificate show leaf > leaf.pem",
            "bodega certificate rotate leaf",
            "bodega certificate expire leaf --environment production",
            "bodega certificate revoke intermediate --reason caCompromise --world test1",
        ],
        commands: [
            Command("list", "those in use and the latest others") {
                try list($0, where: { _ in true }, table)
            },
            Command("show leaf|intermediate", "the one in use, in PEM") { arguments in
                let role = try role(arguments)
                try list(arguments, where: { $0.isInUse && $0.role == role }) { found in
                    guard let used = found.first else {
                        throw Failure(
                            "none is in use: nothing was signed yet at the store's present address; "
                                + "bodega certificate rotate makes one")
                    }
                    return used.certificate.trimmingCharacters(in: .newlines)
                }
            },
            Command("rotate leaf|intermediate", "use another one from now on") {
                try $0.send("POST", try path($0, "rotate"), nil, line)
            },
            Command("expire leaf|intermediate", "use one that ends now") {
                try $0.send("POST", try path($0, "expire"), nil, line)
            },
            Command(
                "revoke leaf|intermediate", "revoke the one in use, or an earlier one",
                [
                    Option(
                        "reason", "R", "why; unspecified when absent",
                        choices: CertificateRevocationReason.allCases.map(\.rawValue)),
                    Option("serial", "NUMBER", "an earlier one, by its number in the list"),
                ]
            ) { arguments in
                let body = RevokeCertificateBody(
                    reason: arguments.value("reason").flatMap { .init(rawValue: $0) },
                    serial: arguments.value("serial")?.uppercased())
                try arguments.send("POST", try path(arguments, "revoke"), body, line)
            },
        ])

    private static func role(_ arguments: Arguments) throws -> DataCertificateRole {
        let word = arguments["leaf|intermediate"]
        guard let role = DataCertificateRole(rawValue: word) else {
            throw UsageError("\(word) is neither leaf nor intermediate")
        }
        return role
    }

    private static func path(_ arguments: Arguments, _ action: String) throws -> String {
        let role = try role(arguments)
        return "/certificates/\(arguments.environment.rawValue)/\(role.rawValue)/\(action)"
    }

    /// Those of the environment.
    private static func list(
        _ arguments: Arguments, where isWanted: (CertificateBody) -> Bool,
        _ text: ([CertificateBody]) throws -> String
    ) throws {
        try arguments.send("GET", "/certificates") { (body: CertificatesBody) in
            try text(
                body.certificates.filter {
                    $0.environment == arguments.environment && isWanted($0)
                })
        }
    }

    private static func table(_ certificates: [CertificateBody]) -> String {
        guard !certificates.isEmpty else { return "none: nothing was signed yet" }
        return Terminal.table(
            ["ROLE", "SERIAL NUMBER", "STATE", "MADE", "ENDS", "OCSP"],
            certificates.map {
                [
                    $0.role.rawValue, $0.serial, state(of: $0), TimeWords.text($0.madeAt),
                    TimeWords.text($0.notAfter), $0.ocspUrl,
                ]
            })
    }

    private static func state(of one: CertificateBody) -> String {
        let use =
            one.isInUse ? "in use" : one.replacedAt == nil ? "for another address" : "replaced"
        return use + (one.revokedAt == nil ? "" : ", revoked")
    }

    private static func line(_ one: CertificateBody) -> String {
        let revocation = one.revokedAt.map { time in
            "; revoked at \(TimeWords.text(time)): \((one.reason ?? .unspecified).rawValue)"
        }
        return "\(one.role.rawValue) \(one.serial), valid until \(TimeWords.text(one.notAfter))"
            + (revocation ?? "")
    }
}
