import Glibc
import StoreHTTP
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// The secret that opens `/operator`; made at the first start and kept in the data directory with
/// mode 0600. To replace it, delete its file and restart the backend.
package struct OperatorToken: Sendable {
    /// In the data directory.
    package static let fileName = "operator-token"
    /// A shorter text is not a token.
    static let lettersMin = 32

    private let digest: [UInt8]

    package init(_ text: String) {
        digest = sha256(Array(text.utf8))
    }

    /// That of the token which opens `/metrics` alone.
    static let metricsFileName = "metrics-token"

    /// Reads the token's file, or creates it.
    static func open(
        _ fileName: String = fileName, in directory: String
    ) throws(BackendError) -> OperatorToken {
        let folder = KeyDirectory(path: directory)
        do {
            if folder.has(fileName) {
                let bytes = try folder.read(fileName, isSecret: true)
                return try OperatorToken(file: bytes, fileName, in: directory)
            }
            let token = secretToken()
            try folder.write(Array((token + "\n").utf8), to: fileName, mode: 0o600)
            try folder.sync()
            return OperatorToken(token)
        } catch let error as BackendError {
            throw error
        } catch {
            throw BackendError(.dataDirectory, "the operator token cannot be used: \(error)")
        }
    }

    private init(file: [UInt8], _ fileName: String, in directory: String) throws(BackendError) {
        let word = file.split(whereSeparator: { $0 <= 0x20 }).first ?? []
        guard word.count >= Self.lettersMin else {
            throw BackendError(
                .dataDirectory,
                "\(directory)/\(fileName) does not hold a token; delete it and "
                    + "start again to get a new one")
        }
        digest = sha256(Array(word))
    }

    /// Whether a text is the token.
    func isToken(_ text: String) -> Bool {
        isEqualInConstantTime(sha256(Array(text.utf8)), digest)
    }

    /// Whether the request carries the token.
    func opens(_ request: HTTPRequest) -> Bool { isToken(request.headers.bearerToken ?? "") }
}

/// Files that a running backend leaves in its data directory for its own commands.
enum BackendFiles {
    private static let addressName = "server.json"

    /// Writes the address on which it listens.
    static func writeAddress(_ url: String, in directory: String) throws {
        try KeyDirectory(path: directory).write(
            try WireJSON.encode(ServerFileBody(url: url, processId: getpid())), to: addressName,
            mode: 0o600)
    }

    static func removeAddress(in directory: String) {
        unlink(directory + "/" + addressName)
    }
}
