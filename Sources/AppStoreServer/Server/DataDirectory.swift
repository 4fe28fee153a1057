import Foundation
import StoreDatabase
package import StoreModel
package import StoreSigning

/// The store's directory: one process at a time, keys and worlds that belong together.
///
///     lock            held by the running store
///     control-token   opens /control, mode 0600
///     metrics-token   opens /metrics, mode 0600
///     last-backup     empty; its time is that of the last backup
///     server.json     where the running store listens
///     keys/           keys, certificates, roots
///     tls/            the key and certificate for TLS, and their authority
///     worlds/         default.sqlite and sessions/
///     content/        bytes of products' content, of all worlds
package struct DataDirectory: Sendable {
    package let path: String
    private let lock: DirectoryLock

    static let lastBackupName = "last-backup"

    package var keysPath: String { path + "/keys" }
    package var tlsPath: String { path + "/tls" }
    package var worldsPath: String { path + "/worlds" }
    package var contentPath: String { path + "/content" }
    package var tokenPath: String { path + "/control-token" }
    package var metricsTokenPath: String { path + "/metrics-token" }
    package var serverPath: String { path + "/server.json" }

    /// Makes the directory when it is missing and holds it; throws `StartFailure`.
    package init(path: String) throws {
        self.path = path
        do {
            lock = try DirectoryLock(directory: path)
            // Its keys come last.
            let stages = BackupStage.names(in: path, prefix: BackupStage.restorePrefix)
            guard stages.isEmpty || isThere(path + "/keys") else {
                throw StartFailure(
                    "a restore of a backup into \(path) did not end: remove what is there and "
                        + "restore it again, or remove \(stages.joined(separator: ", ")) for a new "
                        + "store")
            }
            try DirectoryLock.make(path + "/worlds")
        } catch let failure as StartFailure {
            throw failure
        } catch let held as DirectoryLock.Held {
            let holder = held.processID.map { " (process \($0))" } ?? ""
            throw StartFailure(
                "another bodega\(holder) is using \(path); stop it, or give this one its own "
                    + "directory with --data")
        } catch {
            throw StartFailure("cannot use the data directory \(path): \(error)")
        }
    }

    /// The key and certificate of the port for TLS, under some names beside Apple's and those of
    /// this machine; made when missing, and renewed in time.
    package func openTLS(for hosts: [String], now: Timestamp) throws -> TLSIdentity {
        let own = ["localhost", "127.0.0.1", "::1"]
        let names = Set(
            (AppleHost.allCases.map(\.rawValue) + own + hosts).compactMap { ServerName($0) })
        return try TLSIdentity(in: tlsPath, names: names, now: now)
    }

    /// The keys: read, or made when no data are signed by old ones.
    package func openKeys() throws -> KeyStore {
        let hasData = FileManager.default.fileExists(
            atPath: WorldRegistry.defaultPath(below: worldsPath))
        switch KeyStore.presence(in: keysPath) {
        case .complete: break
        case .absent where !hasData: try KeyStore.create(in: keysPath)
        case .incomplete where !hasData:
            // The first start was interrupted: nothing was signed with these keys yet.
            try FileManager.default.removeItem(atPath: keysPath)
            try KeyStore.create(in: keysPath)
        case .absent:
            throw StartFailure(
                "\(path) holds a store without its keys: restore \(keysPath) from a backup. New "
                    + "keys are never made over old data, because every receipt would become "
                    + "worthless; for a new store use another --data directory")
        case .incomplete(let missing):
            throw StartFailure(
                "\(keysPath) lacks \(missing.joined(separator: ", ")): restore it from a backup. "
                    + "New keys are never made over old data; for a new store use another --data "
                    + "directory")
        }
        return try KeyStore(directory: keysPath)
    }
}
