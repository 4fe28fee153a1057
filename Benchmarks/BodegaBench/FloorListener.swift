import Foundation
import StoreHTTP

/// The store's own listener with a trivial handler: the cost of HTTP alone on this machine.
enum FloorListener {
    static let answer = HTTPResponse.json(Array(#"{"status":"ok"}"#.utf8))

    /// Prints its address and ends when standard input does.
    static func run() throws {
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.send(answer)
        }
        try report(["url": listener.url])
        _ = FileHandle.standardInput.readDataToEndOfFile()
        listener.stop()
    }
}
