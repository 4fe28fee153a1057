import Foundation
import Glibc

/// The folder of one download, such as `Caches/TRANSACTION-WORLD` in the home folder.
///
/// Its `partial` holds what has arrived so far, and is renamed to `content` when complete. A
/// process that works in the folder holds its lock.
final class DownloadFolder: Sendable {
    static let cachesName = "Caches"
    private static let partialName = "partial"
    private static let contentName = "content"

    private let parent: Descriptor
    private let name: String
    private let folder: Descriptor
    private let layout: DownloadManifest.Layout

    /// Opens the folder, creating it if missing.
    init(
        _ name: String, in parent: Descriptor, _ layout: DownloadManifest.Layout
    ) throws(DownloadTrouble) {
        self.parent = parent
        self.name = name
        self.layout = layout
        folder = try parent.folder(name)
    }

    /// An existing folder; nil when there is none.
    init?(
        existing name: String, in parent: Descriptor, _ layout: DownloadManifest.Layout
    ) throws(DownloadTrouble) {
        guard try parent.status(of: name) != nil else { return nil }
        self.parent = parent
        self.name = name
        self.layout = layout
        folder = try parent.existingFolder(name)
    }

    /// The folder of a transaction's content.
    convenience init(home: HomeFolder, _ transaction: TransactionName) throws(DownloadTrouble) {
        try self.init(
            Journal.fileName(of: transaction),
            in: try Descriptor(folder: home.path).folder(Self.cachesName), .package)
    }

    /// An existing folder of a transaction's content, by its name; nil when there is none.
    convenience init?(existing name: String, home: HomeFolder) throws(DownloadTrouble) {
        let top = try Descriptor(folder: home.path)
        guard try top.status(of: Self.cachesName) != nil else { return nil }
        try self.init(existing: name, in: try top.existingFolder(Self.cachesName), .package)
    }

    deinit {
        // Closing alone leaves the lock to a child process that has not reached its exec yet.
        flock(folder.number, LOCK_UN)
    }

    /// The folder's path.
    var path: String { folder.path }

    /// The content's path once it is complete.
    var contentPath: String { "\(folder.path)/\(Self.contentName)" }

    /// The names of download folders without a record in the journal. Anything that the app itself
    /// keeps in the caches folder is not among them.
    static func withoutRecord(_ journal: Journal) -> [String] {
        let caches = "\(journal.home.path)/\(cachesName)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: caches)) ?? []
        return names.filter {
            Journal.isFileName($0) && access(journal.downloadFile(ofFolder: $0), F_OK) != 0
        }
    }

    /// The content's path once it is complete.
    static func contentPath(home: HomeFolder, _ transaction: TransactionName) -> String {
        let name = Journal.fileName(of: transaction)
        return "\(home.path)/\(cachesName)/\(name)/\(contentName)"
    }

    /// Takes the folder's lock for the lifetime of this value; false while another process or an
    /// earlier run holds it, or has just removed the folder: then open it anew.
    ///
    /// Those that only read share the lock. A lock that is held changes its kind.
    func takeLock(isShared: Bool = false) throws(DownloadTrouble) -> Bool {
        while flock(folder.number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .disk("lock", folder.path) }
        }
        return try parent.status(of: name)?.inode == folder.status().inode
    }

    /// Whether the content is there; in Apple's layout, with its folder of files, which every
    /// package has: an app may have taken either.
    func isWhole() throws(DownloadTrouble) -> Bool {
        guard try folder.status(of: Self.contentName)?.isFolder == true else { return false }
        guard layout == .package else { return true }
        let content = try folder.existingFolder(Self.contentName)
        return try content.status(of: DownloadManifest.contentsName)?.isFolder ?? false
    }

    /// The size of everything in the folder.
    func byteCount() throws(DownloadTrouble) -> Int64 { try Self.byteCount(below: folder) }

    /// The total size of the files that have arrived, complete or not.
    func partialByteCount() throws(DownloadTrouble) -> Int64 {
        guard try folder.status(of: Self.partialName)?.isFolder == true else { return 0 }
        return try Self.byteCount(below: folder.existingFolder(Self.partialName))
    }

    private static func byteCount(below folder: Descriptor) throws(DownloadTrouble) -> Int64 {
        var sum: Int64 = 0
        for name in try folder.names() {
            guard let status = try folder.status(of: name) else { continue }
            if status.isFile { sum += status.byteCount }
            if status.isFolder { sum += try byteCount(below: folder.existingFolder(name)) }
        }
        return sum
    }

    /// Free space on the disk, in bytes.
    func room() throws(DownloadTrouble) -> Int64 {
        var info = statvfs()
        guard fstatvfs(folder.number, &info) == 0 else { throw .disk("inspect", folder.path) }
        let (room, isMore) = UInt64(info.f_bavail).multipliedReportingOverflow(
            by: UInt64(info.f_frsize))
        return isMore ? .max : Int64(clamping: room)
    }

    // MARK: - What has come so far

    /// Removes everything that is not part of the package, such as files of another version.
    func prune(to manifest: DownloadManifest) throws(DownloadTrouble) {
        let partial = try folder.folder(Self.partialName)
        try Self.prune(
            partial, at: "", files: manifest.placesOfFiles, folders: manifest.placesOfFolders)
    }

    private static func prune(
        _ folder: Descriptor, at place: String, files: Set<String>, folders: Set<String>
    ) throws(DownloadTrouble) {
        for name in try folder.names() {
            let inner = place + name
            guard let status = try folder.status(of: name) else { continue }
            if status.isFolder, folders.contains(inner) {
                try prune(
                    folder.existingFolder(name), at: inner + "/", files: files, folders: folders)
            } else if !status.isFile || !files.contains(inner) {
                try folder.remove(name)
            }
        }
    }

    /// How much of a file has arrived; nil when nothing has.
    func byteCount(of place: String) throws(DownloadTrouble) -> Int64 {
        let (parent, name) = try folder(of: place)
        return try parent.status(of: name)?.byteCount ?? 0
    }

    /// A file of the package, created with its folders if missing.
    func file(at place: String) throws(DownloadTrouble) -> DownloadedFile {
        let (parent, name) = try folder(of: place)
        return DownloadedFile(try parent.file(name))
    }

    private func folder(
        of place: String
    ) throws(DownloadTrouble) -> (parent: Descriptor, name: String) {
        var parts = place.split(separator: "/").map(String.init)
        let name = parts.popLast() ?? ""
        var parent = try folder.folder(Self.partialName)
        for part in parts { parent = try parent.folder(part) }
        return (parent, name)
    }

    // MARK: - The end

    /// Renames what has arrived, once all of it is on disk.
    func complete(_ manifest: DownloadManifest) throws(DownloadTrouble) {
        let partial = try folder.folder(Self.partialName)
        if layout == .package { _ = try partial.folder(DownloadManifest.contentsName) }
        if let information = manifest.information {
            let file = try self.file(at: DownloadManifest.informationName)
            try file.empty()
            try file.append(information, at: 0)
            try file.sync()
        }
        try Self.syncFolders(partial)
        // Remains of an earlier download would be in the way.
        if try folder.status(of: Self.contentName) != nil { try folder.remove(Self.contentName) }
        guard renameat(folder.number, Self.partialName, folder.number, Self.contentName) == 0 else {
            throw .disk("rename", partial.path)
        }
        try folder.sync()
    }

    private static func syncFolders(_ folder: Descriptor) throws(DownloadTrouble) {
        for name in try folder.names() where try folder.status(of: name)?.isFolder == true {
            try syncFolders(folder.existingFolder(name))
        }
        try folder.sync()
    }

    /// Removes the folder with everything in it. Call with the lock held.
    func remove() throws(DownloadTrouble) {
        try parent.remove(name)
        try parent.sync()
    }
}
