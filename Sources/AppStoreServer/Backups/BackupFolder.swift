import Foundation
import Glibc
package import StoreModel

/// A folder of backups that are named by their time, of which the newest are kept.
package struct BackupFolder: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    private static let prefix = "bodega-"
    private static let ending = ".tar"

    /// Such as `bodega-20261126T125500Z.tar`, so that the order of names is that of times.
    package func newFile(now: Timestamp) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let time = CalendarDate(now).rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(path)/\(Self.prefix)\(time)Z\(Self.ending)"
    }

    /// Removes all but the newest; the names of those that went. The file that was just made stays
    /// and counts as the newest, whatever the clock says.
    package func prune(keeping count: Int, with made: String) throws -> [String] {
        let pattern = /bodega-[0-9]{8}T[0-9]{6}Z\.tar/
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.wholeMatch(of: pattern) != nil && "\(path)/\($0)" != made }.sorted()
        return names.dropLast(max(0, count - 1)).filter { unlink("\(path)/\($0)") == 0 }
    }
}
