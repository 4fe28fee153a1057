import Foundation

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "bodega-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no temporary folder: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
