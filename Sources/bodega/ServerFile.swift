import AppStoreServer
import Foundation
import StoreWire

/// The file in which a running server says where it listens.
enum ServerFile {
    /// The address below a data directory; nil when none is written.
    ///
    /// Fails unless the process that wrote it holds the directory, as it does not after a crash:
    /// whoever listens at that address now must not be sent the token. `start` is the command that
    /// starts the server.
    static func address(below directory: String, start: String) throws -> String? {
        guard let data = FileManager.default.contents(atPath: directory + "/server.json"),
            let file = try? WireJSON.decode(ServerFileBody.self, from: Array(data))
        else { return nil }
        guard LockLook.isHeld(directory + "/lock", by: file.processId) else {
            throw Failure(
                "nothing runs for \(directory): process \(file.processId), which listened at "
                    + "\(file.url), is gone; start it again with: \(start)")
        }
        return file.url
    }

    /// Where a token may be sent when no address is given: to `usual` only when it is not from the
    /// data directory, since anybody of this machine can listen there while the server does not.
    static func address(
        below directory: String, start: String, usual: String, ifHeldIn variable: String
    ) throws -> String {
        if let written = try address(below: directory, start: start) { return written }
        guard ProcessInfo.processInfo.environment[variable, default: ""].isEmpty else {
            return usual
        }
        throw Failure(
            "nothing runs for \(directory): no address is written there; start it with: \(start), "
                + "or name its address with --url")
    }
}
