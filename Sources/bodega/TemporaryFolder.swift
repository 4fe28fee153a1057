import AppStoreServer
import Foundation
import Glibc

/// A private folder of a process that leaves nothing behind.
struct TemporaryFolder {
    private static let removalsMax = 200

    let path: String

    /// Makes one below `TMPDIR` with mode 0700.
    init() throws {
        let place = URL(fileURLWithPath: NSTemporaryDirectory()).path
        guard let made = makePrivateFolder("\(place)/bodega-") else {
            let reason = String(cString: strerror(errno))
            throw Failure(
                "no folder can be made in \(place): \(reason); name another one in TMPDIR")
        }
        path = made
    }

    func remove() { Self.remove(path) }

    /// Removes one with all that is in it, and again what others still put there meanwhile.
    static func remove(_ path: String) {
        for _ in 0..<removalsMax {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(10_000)
        }
    }
}
