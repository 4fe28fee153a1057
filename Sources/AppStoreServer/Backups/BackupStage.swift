import Glibc

import class Foundation.FileManager

/// A folder in which something is prepared on the disk where it is to be.
///
/// Its process holds a lock in it: in containers that share a volume, processes do not know each
/// other, and may have the same number.
final class BackupStage: Sendable {
    /// Of the archive of a backup.
    static let backupPrefix = ".bodega-backup."
    /// Of the data of a restore.
    static let restorePrefix = ".bodega-restore."

    let path: String
    private let lock: Int32

    /// Removes those whose processes ended before they could.
    init(in folder: String, prefix: String, code: String) throws {
        for name in Self.names(in: folder, prefix: prefix) {
            let left = "\(folder)/\(name)"
            guard let lock = Self.hold(left) else { continue }
            try? FileManager.default.removeItem(atPath: left)
            close(lock)
        }
        // Another process may take a new one for one that was left.
        for _ in 0..<Self.triesMax {
            guard let made = makePrivateFolder("\(folder)/\(prefix)") else {
                throw BackupFailure.system("write into", folder, code: code)
            }
            guard let lock = Self.hold(made) else {
                try? FileManager.default.removeItem(atPath: made)
                continue
            }
            path = made
            self.lock = lock
            return
        }
        throw BackupFailure(code, "cannot lock a file in \(folder)")
    }

    deinit { close(lock) }

    private static let triesMax = 10

    static func names(in folder: String, prefix: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasPrefix(prefix) }
    }

    /// The lock of a stage that nobody else holds.
    private static func hold(_ stage: String) -> Int32? {
        let file = open(stage + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        // Its previous holder may have removed it.
        if flock(file, LOCK_EX | LOCK_NB) == 0, isThere(stage + "/lock") { return file }
        close(file)
        return nil
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    static func folder(of file: String) -> String {
        let place = file.lastIndex(of: "/")
        guard let place else { return "." }
        return place == file.startIndex ? "/" : String(file[..<place])
    }
}

/// Makes a folder of mode 0700 whose name begins with a path and goes on at random; nil, with `errno`,
/// when it cannot be made.
package func makePrivateFolder(_ start: String) -> String? {
    var name = "\(start)XXXXXX".utf8CString.map { $0 }
    guard mkdtemp(&name) != nil else { return nil }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
