import Foundation
import Synchronization

/// A new folder inside the temporary one, removed with its last owner.
package final class TemporaryFolder: Sendable {
    package let path: String
    private let isKept = Atomic(false)

    package init() {
        path = NSTemporaryDirectory() + "bodega-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no temporary folder: \(error)")
        }
    }

    deinit {
        guard !isKept.load(ordering: .relaxed) else { return }
        Self.remove(path)
        // A thread that still worked for its owner may have put something there meanwhile.
        Self.removeAtExit(path)
    }

    /// One for what is made once for all tests; removed when the process ends.
    package static func untilExit() -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.keep(true)
        removeAtExit(folder.path)
        return folder
    }

    private static func removeAtExit(_ path: String) {
        let isFirst = pathsAtExit.withLock { paths in
            paths.append(path)
            return paths.count == 1
        }
        guard isFirst else { return }
        atexit {
            for path in TemporaryFolder.pathsAtExit.withLock({ $0 }) {
                // Such threads go on until the process is gone.
                for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
                    TemporaryFolder.remove(path)
                }
            }
        }
    }

    /// Whether the folder is left behind, for somebody to look at.
    package func keep(_ isKept: Bool) {
        self.isKept.store(isKept, ordering: .relaxed)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file; its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a file of text; its path.
    @discardableResult
    package func write(_ text: String, _ name: String) throws -> String {
        try write(text.utf8, name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    package func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return attributes[.posixPermissions] as? Int ?? -1
    }

    private static let pathsAtExit = Mutex<[String]>([])

    private static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
