import StoreModel
import StoreSigning

/// Makes what nobody can guess: session tokens, and identifiers of users and submissions.
struct TokenMint: Sendable {
    let random: @Sendable (Int) -> [UInt8]

    init(random: @escaping @Sendable (Int) -> [UInt8] = { randomBytes($0) }) {
        self.random = random
    }

    /// 32 bytes in base64 for addresses, without padding.
    func sessionToken() -> String {
        secretToken(random(32))
    }

    /// What is stored of a token.
    static func hash(_ token: String) -> [UInt8] { sha256(Array(token.utf8)) }

    func userID() -> BackendUserID { BackendUserID("u-" + hexadecimal(random(12))) }

    func submissionID() -> SubmissionID { SubmissionID("s-" + hexadecimal(random(12))) }
}
