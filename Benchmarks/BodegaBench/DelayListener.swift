import Foundation
import StoreHTTP
import Synchronization

/// An app's server that takes notifications, and tells how long after its cause each came: by the
/// moment at which the store decided on it, just before the commit, and the same machine's clock.
enum DelayListener {
    /// Prints its address, and with each line of standard input what came since the last one; ends
    /// when standard input does.
    static func run() throws {
        let delays = Mutex<[Double]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            responder.send(FloorListener.answer)
            let now = Date().timeIntervalSince1970 * 1e3
            guard let made = signedDate(of: request.body) else { return }
            delays.withLock { $0.append(now - made) }
        }
        try report(["url": listener.url])
        while readLine() != nil {
            let came = delays.withLock { delays in
                defer { delays = [] }
                return delays.sorted()
            }
            try report([
                "count": came.count, "p50_ms": came.isEmpty ? 0 : came[came.count / 2],
                "p99_ms": came.isEmpty ? 0 : came[came.count * 99 / 100],
            ])
        }
        listener.stop()
    }

    /// In milliseconds, of a notification of version 2; the signature is not looked at.
    private static func signedDate(of body: [UInt8]) -> Double? {
        func member(_ name: String, of json: Data) -> Any? {
            (try? JSONSerialization.jsonObject(with: json) as? [String: Any])?[name]
        }
        let parts = (member("signedPayload", of: Data(body)) as? String)?.split(separator: ".")
        guard let parts, parts.count == 3 else { return nil }
        let text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: padded)
            .flatMap { member("signedDate", of: $0) as? NSNumber }?.doubleValue
    }
}
