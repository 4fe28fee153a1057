import Foundation
import TestSupport
import Testing

/// A small file system in memory that a test can fill and make read-only.
///
/// It is mounted in a namespace of its own; `prefix` runs a program in there, and `outside` is the
/// way to its files from here. With its holder's end all of it is gone.
final class SmallDisk {
    /// Why this system does not let a test mount anything; nil when it does.
    static let whyNot: String? = {
        do {
            let folder = TemporaryFolder()
            _ = try SmallDisk(at: folder.file("mount"), kibibytes: 64, logs: folder.path)
            return nil
        } catch {
            return "no file system can be mounted here, not even in a namespace: \(error)"
        }
    }()

    /// What a skipped test says.
    static var comment: Comment { Comment(rawValue: whyNot ?? "") }

    struct Failure: Error {
        let detail: String
    }

    private let folder: String
    private let logs: String
    private let holder: Program

    var outside: String { "/proc/\(holder.processID)/root\(folder)" }

    /// What stands before the program and its arguments.
    var prefix: [String] {
        let user = getuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        return ["/usr/bin/nsenter", "--target", "\(holder.processID)", "--mount"] + user + ["--"]
    }

    init(at folder: String, kibibytes: Int, logs: String) throws {
        self.folder = folder
        self.logs = logs
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o mode=0700,size=\(kibibytes)k tmpfs "$0" && echo mounted \
            && exec sleep 3600
            """
        holder = try Program(
            "/usr/bin/unshare",
            ["--mount"] + (getuid() == 0 ? [] : ["--map-root-user"])
                + ["/bin/sh", "-c", script, folder], logs: logs)
        let holder = holder
        _ = eventually { holder.output.contains("mounted") || !holder.isRunning }
        guard holder.output.contains("mounted") else {
            throw Failure(detail: holder.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    deinit { holder.kill() }

    private var filler: String { outside + "/filler" }

    /// Takes every byte that is left.
    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(detail: "cannot make \(filler)") }
        defer { close(file) }
        let block = [UInt8](repeating: 0x78, count: 4_096)
        while write(file, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw Failure(detail: "filling ended with \(errno)") }
    }

    /// Gives the bytes back.
    func free() {
        unlink(filler)
    }

    /// Makes it read-only or writable, as a disk with errors or its repair does.
    func remount(readOnly: Bool) throws {
        // A file that is just being written puts it off.
        let isDone = try eventually {
            let option = readOnly ? "remount,ro" : "remount,rw"
            let mount = try Program(
                "/bin/mount", ["-o", option, folder], through: prefix, logs: logs)
            return try mount.wait() == 0
        }
        guard isDone else { throw Failure(detail: "the remount was refused") }
    }
}
