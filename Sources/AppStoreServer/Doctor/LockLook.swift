import Foundation
import Glibc

/// Whether a file is locked, without locking it: a store that starts now must not find it taken.
package enum LockLook {
    /// Whether the process that wrote its number into the file holds it; another process may have
    /// that number today.
    package static func isHeld(_ path: String, by process: Int32) -> Bool {
        holder(path) == process && isHeld(path)
    }

    static func isHeld(_ path: String) -> Bool {
        var info = stat()
        guard stat(path, &info) == 0 else { return false }
        let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
        return list.map { names($0, device: info.st_dev, inode: info.st_ino) } ?? false
            || isOpenInHolder(path)
    }

    /// Whether the kernel's list of locks names a file.
    ///
    /// `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`: process, device and inode; the device's
    /// two numbers in hexadecimal.
    static func names(_ list: String, device: dev_t, inode: ino_t) -> Bool {
        let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
        let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
        return list.split(separator: "\n").contains { line in
            let parts = line.split(separator: " ")
            guard parts.count > 5, parts[1] == "FLOCK" else { return false }
            let place = parts[5].split(separator: ":")
            return place.count == 3 && dev_t(place[0], radix: 16) == major
                && dev_t(place[1], radix: 16) == minor && ino_t(place[2]) == inode
        }
    }

    /// Containers may hide the list, and some file systems name another device there. Then the
    /// process that the file names must have it open.
    private static func isOpenInHolder(_ path: String) -> Bool {
        guard let process = holder(path) else { return false }
        let folder = "/proc/\(process)/fd"
        let wanted = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return open.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                == wanted
        }
    }

    /// The process that a file names.
    static func holder(_ path: String) -> Int32? {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}
