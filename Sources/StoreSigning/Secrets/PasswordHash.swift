import COpenSSL
import FoundationEssentials

/// scrypt password hashes in the form `scrypt$16384$8$1$<salt>$<hash>` (base64).
///
/// A password counts by its UTF-8 bytes. Each call takes about 50 ms and 16 MB, so callers keep it
/// off threads that serve others and limit concurrent calls.
package enum PasswordHash {
    /// The longest password that is hashed, in UTF-8 bytes.
    package static let passwordBytesMax = 1_024
    /// The longest text that is read as a hash.
    package static let textBytesMax = 256
    /// The highest work factor that a stored hash may require.
    package static let workFactorMax: UInt64 = 65_536

    private static let workFactor: UInt64 = 16_384
    private static let blockSize: UInt64 = 8
    private static let parallelism: UInt64 = 1
    private static let saltBytes = 16
    private static let hashBytes = 32

    /// A hash of a password under a new random salt.
    package static func make(_ password: String) throws -> String {
        guard password.utf8.count <= passwordBytesMax else {
            throw SigningFailure(
                .invalidValue, "A password may have at most \(passwordBytesMax) bytes.")
        }
        let salt = randomBytes(saltBytes)
        guard let hash = scrypt(password, salt: salt, workFactor: workFactor) else {
            throw opensslFailure("hash a password")
        }
        return "scrypt$\(workFactor)$\(blockSize)$\(parallelism)$\(base64(salt))$\(base64(hash))"
    }

    /// False for a wrong password and for a text that is not one of our hashes.
    package static func matches(_ password: String, _ hash: String) -> Bool {
        guard password.utf8.count <= passwordBytesMax, hash.utf8.count <= textBytesMax else {
            return false
        }
        let parts = hash.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let factor = UInt64(parts[1]),
            (2...workFactorMax).contains(factor), factor.nonzeroBitCount == 1,
            parts[2] == "\(blockSize)", parts[3] == "\(parallelism)",
            let salt = bytes(parts[4]), salt.count == saltBytes,
            let expected = bytes(parts[5]), expected.count == hashBytes,
            let actual = scrypt(password, salt: salt, workFactor: factor)
        else { return false }
        return isEqualInConstantTime(actual, expected)
    }

    private static func scrypt(_ password: String, salt: [UInt8], workFactor: UInt64) -> [UInt8]? {
        // OpenSSL refuses to use more memory than this; the work itself takes 128 * N * r bytes.
        let memoryMax = 128 * workFactor * blockSize + (1 << 20)
        var hash = [UInt8](repeating: 0, count: hashBytes)
        let done = unsafe EVP_PBE_scrypt(
            password, password.utf8.count, salt, salt.count, workFactor, blockSize, parallelism,
            memoryMax, &hash, hash.count)
        return done == 1 ? hash : nil
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        Data(base64Encoded: String(text)).map { Array($0) }
    }
}
