import Foundation
import TestSupport

/// A network to a store that lets so many parts of content through and holds all after them, so
/// that a download can be seen half way however fast or slow the machine is.
final class ContentGate {
    private let relay: Relay
    /// How many parts may still pass.
    private let partsLeft: Shared<Int>

    /// Everything but content passes at once.
    init(to storePort: Int, parts: Int) throws {
        let relay = try Relay(to: storePort)
        let partsLeft = Shared(parts)
        self.relay = relay
        self.partsLeft = partsLeft
        relay.start { request, device in
            while Self.isPart(request), !Self.pass(partsLeft) { usleep(10_000) }
            device.write(try relay.answer(to: request.bytes))
            return true
        }
    }

    deinit {
        open()
        relay.close()
    }

    /// The address of the store behind it, for the environment of a device.
    var environment: [String: String] {
        ["STOREKIT_URL": "http://127.0.0.1:\(relay.port)/sandbox"]
    }

    /// Lets everything pass from now on.
    func open() {
        partsLeft.update { $0 = .max }
    }

    /// Whether some bytes of a file are asked for.
    private static func isPart(_ request: RawAnswer) -> Bool {
        request.head.hasPrefix("GET ")
            && request.head.prefix { !$0.isNewline }.contains("/content/")
    }

    private static func pass(_ partsLeft: Shared<Int>) -> Bool {
        var mayPass = false
        partsLeft.update { left in
            mayPass = left > 0
            if mayPass, left < .max { left -= 1 }
        }
        return mayPass
    }
}
