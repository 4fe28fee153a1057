import Glibc
import StoreSigning
import StoreWire

/// What a running backend leaves in its data directory for its own commands.
enum BackendFiles {
    private static let addressName = "server.json"

    /// Says where it listens.
    static func writeAddress(_ url: String, in directory: String) throws {
        try KeyDirectory(path: directory).write(
            try WireJSON.encode(ServerFileBody(url: url, processId: getpid())), to: addressName,
            mode: 0o600)
    }

    static func removeAddress(in directory: String) {
        unlink(directory + "/" + addressName)
    }
}
