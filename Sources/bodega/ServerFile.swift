import Foundation
import Glibc
import StoreWire

/// The file in which a running server says where it listens.
enum ServerFile {
    /// The address below a data directory; nil when none is written.
    ///
    /// Fails when the process that wrote it is gone, as after a crash: whoever listens at that
    /// address now must not be sent the token. `start` is the command that starts the server.
    static func address(below directory: String, start: String) throws -> String? {
        guard let data = FileManager.default.contents(atPath: directory + "/server.json"),
            let file = try? WireJSON.decode(ServerFileBody.self, from: Array(data))
        else { return nil }
        guard file.processId > 0, kill(file.processId, 0) == 0 || errno != ESRCH else {
            throw Failure(
                "nothing runs for \(directory): process \(file.processId), which listened at "
                    + "\(file.url), is gone; start it again with: \(start)")
        }
        return file.url
    }
}
