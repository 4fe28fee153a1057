import StoreModel
import StoreSigning
import StoreVerification

/// Makes values that nobody can guess: session tokens, nonces, and identifiers of users and
/// submissions.
struct TokenMint: Sendable {
    let random: @Sendable (Int) -> [UInt8]

    init(random: @escaping @Sendable (Int) -> [UInt8] = { randomBytes($0) }) {
        self.random = random
    }

    /// 32 bytes in base64 for addresses, without padding.
    func sessionToken() -> String {
        secretToken(random(32))
    }

    /// The stored form of a token.
    static func hash(_ token: String) -> [UInt8] { sha256(Array(token.utf8)) }

    func userID() -> BackendUserID { BackendUserID("u-" + hexadecimal(random(12))) }

    /// A random UUID (RFC 9562, version 4) in lowercase.
    func nonce() -> String { Self.uuid(random(16), version: 4) }

    /// The name under which a user pays with promotional offers, always the same: a UUID (version
    /// 8) in lowercase, so that receipts carry it.
    static func applicationUsername(of user: BackendUserID) -> String {
        uuid(Array(sha256(Array("offers of \(user.rawValue)".utf8)).prefix(16)), version: 8)
    }

    private static func uuid(_ random: [UInt8], version: UInt8) -> String {
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = hexadecimal(bytes)
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }

    func submissionID() -> SubmissionID { SubmissionID("s-" + hexadecimal(random(12))) }
}
