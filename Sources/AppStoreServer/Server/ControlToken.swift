import Foundation
import Glibc
import StoreHTTP
import StoreService
import StoreSigning
import StoreVerification

/// The secret that opens `/control`, or that for `/metrics`; made at the first start and kept in the
/// data directory.
package struct ControlToken: Sendable {
    static let bytesMin = 32

    private let digest: [UInt8]

    /// Reads the token's file, or makes it with mode 0600; one that others may read is refused.
    /// `made` is the token when it is new, to be shown once.
    package static func open(path: String) throws -> (token: ControlToken, made: String?) {
        if FileManager.default.fileExists(atPath: path) {
            let token = try secretText(in: path, refusal: "the token cannot be used")
            guard token.utf8.count >= bytesMin else {
                throw StartFailure(
                    "\(path) does not hold a token; delete it and start again to get a new "
                        + "one")
            }
            return (ControlToken(token), nil)
        }
        let token = secretToken()
        try writePrivately(Array((token + "\n").utf8), to: path)
        return (ControlToken(token), token)
    }

    package init(_ text: String) {
        digest = sha256(Array(text.utf8))
    }

    /// Whether a text is the token.
    func isToken(_ text: String) -> Bool {
        isEqualInConstantTime(sha256(Array(text.utf8)), digest)
    }

    /// Whether the request carries the token.
    func opens(_ request: HTTPRequest) -> Bool { isToken(request.headers.bearerToken ?? "") }
}

extension Refusal {
    static let controlTokenWrong = Refusal(
        401, "controlTokenWrong",
        "The control token is missing or wrong; find it in the data directory's control-token file."
    )
}

/// The reason why the store does not start, as a sentence that says what to do.
package struct StartFailure: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The text of a file that only its owner can read, without the blanks around it.
func secretText(in path: String, refusal: String) throws -> String {
    let file = URL(fileURLWithPath: path)
    do {
        let bytes = try KeyDirectory(path: file.deletingLastPathComponent().path)
            .read(file.lastPathComponent, isSecret: true)
        return String(decoding: bytes, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
        throw StartFailure("\(refusal): \(error)")
    }
}

/// Writes a file that only its owner can read, whole or not at all.
func writePrivately(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
        throw StartFailure("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let written = write(descriptor, bytes, bytes.count)
    guard written == bytes.count, fsync(descriptor) == 0, rename(temporary, path) == 0 else {
        throw StartFailure("cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
