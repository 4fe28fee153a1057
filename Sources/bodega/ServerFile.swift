import AppStoreServer
import Foundation
import StoreWire

/// The file in which a running server writes its address.
enum ServerFile {
    /// The address below a data directory; nil when none is written.
    ///
    /// Fails unless the process that wrote it still holds the directory, which it does not after a
    /// crash: the token must not be sent to another program that listens at that address now.
    /// `start` is the command that starts the server.
    static func address(below directory: String, start: String) throws -> String? {
        try body(below: directory, start: start)?.url
    }

    /// The same for TLS; nil also when the server does not speak it.
    static func tlsAddress(below directory: String, start: String) throws -> String? {
        try body(below: directory, start: start)?.tlsUrl
    }

    private static func body(below directory: String, start: String) throws -> ServerFileBody? {
        guard let data = FileManager.default.contents(atPath: directory + "/server.json"),
            let file = try? WireJSON.decode(ServerFileBody.self, from: Array(data))
        else { return nil }
        guard LockLook.isHeld(directory + "/lock", by: file.processId) else {
            throw Failure(
                "nothing runs for \(directory): process \(file.processId), which listened at "
                    + "\(file.url), has ended; start it again with: \(start)")
        }
        return file
    }

    /// Where a token may be sent when the address is not given: to `usual` only when the token is
    /// not from the data directory, since anybody on this machine can listen there while the server
    /// does not run.
    static func address(
        below directory: String, start: String, usual: String, ifHeldIn variable: String
    ) throws -> String {
        if let written = try address(below: directory, start: start) { return written }
        guard ProcessInfo.processInfo.environment[variable, default: ""].isEmpty else {
            return usual
        }
        throw Failure(
            "no server has written its address in \(directory): start one with: \(start), or "
                + "name its address with --url")
    }
}
