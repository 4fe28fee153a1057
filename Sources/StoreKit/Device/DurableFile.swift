import Foundation
import Glibc
import Synchronization

/// Files that exist completely or not at all, even after a power failure.
enum DurableFile {
    /// Why a file could not be read or written.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ deed: String, _ path: String) {
            description = "cannot \(deed) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// The suffix of a file that is being written; the name also holds its process.
    private static let unfinished = ".tmp"

    /// The folders of devices that end with their process.
    private static let passing = Mutex<Set<String>>([])

    /// From now on, nothing below a folder is synced: it need not survive a power failure. For tests'
    /// devices, of which a process may have a thousand.
    static func syncNothing(below folder: String) {
        passing.withLock { _ = $0.insert(folder + "/") }
    }

    /// Whether a file is below such a folder.
    static func isPassing(_ path: String) -> Bool {
        passing.withLock { $0.contains { path.hasPrefix($0) } }
    }

    /// Makes sure that an open file is on disk; of one that was merely added to, its bytes.
    static func sync(
        _ file: Int32, named path: String, isLonger: Bool = false
    ) throws(Failure) {
        if isPassing(path) { return }
        guard (isLonger ? fdatasync(file) : fsync(file)) == 0 else { throw Failure("sync", path) }
    }

    /// Removes files that processes left unfinished in a folder. Leftovers that cannot be removed
    /// are harmless.
    static func removeUnfinished(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(unfinished) {
            let parts = name.dropLast(unfinished.count).split(separator: ".")
            guard let writer = parts.dropLast().last.flatMap({ Int32($0) }), writer > 0,
                kill(writer, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Writes beside the path, syncs, renames over it and syncs the folder.
    ///
    /// A file that promises nothing need not be synced: it is whole after a crash of the process,
    /// but after a power failure it may be the previous one, or empty.
    static func write(
        _ bytes: [UInt8], to path: String, isSynced: Bool = true
    ) throws(Failure) {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max))\(unfinished)"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("create", temporary) }
        do throws(Failure) {
            defer { close(file) }
            try writeAll(bytes, to: file, named: temporary)
            if isSynced { try sync(file, named: temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let failure = Failure("rename to", path)
            unlink(temporary)
            throw failure
        }
        if isSynced { try syncFolder(of: path) }
    }

    /// Adds to the end of a file that promises nothing.
    static func add(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("open", path) }
        defer { close(file) }
        try writeAll(bytes, to: file, named: path)
    }

    /// The file's bytes, or nil when there is none.
    static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure("open", path)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw Failure("read", path)
            }
        }
    }

    /// Removes a file for good; a missing file is not an error.
    static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 else {
            if errno == ENOENT { return }
            throw Failure("remove", path)
        }
        try syncFolder(of: path)
    }

    /// Creates a folder and its parents, closed to others.
    static func makeFolder(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/") else { throw Failure("make folder", path) }
        try makeFolder(folder(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw Failure("make folder", path)
        }
        try syncFolder(of: path)
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func syncFolder(of path: String) throws(Failure) {
        if isPassing(path) { return }
        let name = folder(of: path)
        let folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure("open folder", name) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Failure("sync folder", name) }
    }

    static func writeAll(
        _ bytes: [UInt8], to file: Int32, named path: String
    ) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Failure("write", path)
            }
        }
    }
}

/// Distinguishes a rewritten file from the one before it.
struct FileMark: Codable, Hashable, Sendable {
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil when there is no file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
