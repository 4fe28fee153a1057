import Foundation
import Glibc

/// Whether a file is locked, without locking it: a store that starts now must not find it taken.
enum LockLook {
    static func isHeld(_ path: String) -> Bool {
        var info = stat()
        guard stat(path, &info) == 0 else { return false }
        return isInKernelList(inode: UInt64(info.st_ino)) || isOpenInHolder(path)
    }

    /// `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`: process, device and inode.
    private static func isInKernelList(inode: UInt64) -> Bool {
        guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
            return false
        }
        return list.split(separator: "\n").contains { line in
            let parts = line.split(separator: " ")
            return parts.count > 5 && parts[1] == "FLOCK" && parts[5].hasSuffix(":\(inode)")
        }
    }

    /// Containers may hide the list: then the process that the file names must have it open.
    private static func isOpenInHolder(_ path: String) -> Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return false }
        let folder = "/proc/\(process)/fd"
        let wanted = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return open.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                == wanted
        }
    }
}
