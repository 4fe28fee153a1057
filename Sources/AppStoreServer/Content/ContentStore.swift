import CrashPoints
import Dispatch
import Foundation
import Glibc
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import Synchronization

/// The bytes of all worlds' content, each once, named by their SHA-256.
///
///     DIGEST             whole, checked, synced; never changed
///     incoming/DIGEST    the first bytes of it
///
/// Worlds name the bytes they need; the next sweep deletes the rest.
package final class ContentStore: Sendable {
    /// Parts are synced after every so many bytes, so that the last one does not wait for all.
    private static let syncedBytes: Int64 = 64 << 20

    let directory: String
    private let claims = Mutex(ContentClaims())
    /// The queue on which requests read, write and hash, because all of these wait for the disk.
    let queue = DispatchQueue(label: "bodega.content", attributes: .concurrent)

    package init(directory: String) throws {
        self.directory = directory
        try FileManager.default.createDirectory(
            atPath: directory + "/incoming", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    private func path(_ digest: String) -> String { "\(directory)/\(digest)" }
    private func incomingPath(_ digest: String) -> String { "\(directory)/incoming/\(digest)" }

    /// A complete file; nil when it is not complete.
    func open(_ file: ContentFile) -> OpenFile? {
        OpenFile(path: path(file.digest)).flatMap { $0.byteCount == file.byteCount ? $0 : nil }
    }

    func has(_ file: ContentFile) -> Bool {
        Self.byteCount(at: path(file.digest)) == file.byteCount
    }

    /// How many of the first bytes the store has.
    func received(_ file: ContentFile) -> Int64 {
        has(file) ? file.byteCount : Self.byteCount(at: incomingPath(file.digest)) ?? 0
    }

    /// Protects the bytes that a request needs from sweeps while the body runs.
    func holding<Value>(_ digests: Set<String>, _ body: () throws -> Value) rethrows -> Value {
        claims.withLock { $0.hold(digests) }
        defer { claims.withLock { $0.release(digests) } }
        return try body()
    }

    /// Adds a part to the received bytes and returns their number; bytes received before are
    /// skipped.
    ///
    /// With the last byte the whole file is checked, synced and named. A file that does not match
    /// its digest is dropped and refused.
    func add(_ part: [UInt8], at offset: Int64, to file: ContentFile) throws -> Int64 {
        if has(file) { return file.byteCount }
        guard claims.withLock({ $0.beginWriting(file.digest) }) else { throw Refusal.contentBusy }
        defer { claims.withLock { $0.endWriting(file.digest) } }
        // Another request may have been sending it until now.
        if has(file) { return file.byteCount }
        let incoming = try IncomingContent(path: incomingPath(file.digest))
        if incoming.byteCount > file.byteCount { try incoming.empty() }
        let before = incoming.byteCount
        guard offset <= before else {
            throw Refusal(
                409, "partOutOfOrder",
                "The store has \(before) bytes; the next part must begin at that offset.")
        }
        let new = part.dropFirst(Int(min(before - offset, Int64(part.count))))
        guard Int64(new.count) <= file.byteCount - before else {
            throw Refusal(
                422, "badField", "The part goes beyond the file's \(file.byteCount) bytes.")
        }
        if before == 0, let kind = CodeKind(head: new) {
            throw ContentRefusal.code(file.path, kind)
        }
        try incoming.append(new)
        let after = incoming.byteCount
        if after == file.byteCount {
            try place(incoming, as: file)
        } else if before / Self.syncedBytes != after / Self.syncedBytes {
            try incoming.sync()
        }
        return after
    }

    private func place(_ incoming: IncomingContent, as file: ContentFile) throws {
        CrashPoint.storeContentReceived.reach()
        do {
            try incoming.check(file)
        } catch let refusal as ContentRefusal {
            unlink(incoming.path)
            throw refusal
        }
        try incoming.sync()
        try moveIntoPlace(incoming.path, to: path(file.digest))
        try syncFile(directory)
    }

    /// Removes unneeded files: `references` returns the needed digests, nil when they cannot be
    /// determined. Returns the number of removed files.
    func sweep(keeping references: () throws -> Set<String>?) throws -> Int {
        guard claims.withLock({ $0.beginSweep() }) else { return 0 }
        defer { claims.withLock { $0.endSweep() } }
        let whole = try Self.digests(in: directory)
        let incoming = try Self.digests(in: directory + "/incoming")
        guard !whole.isEmpty || !incoming.isEmpty, let needed = try references() else { return 0 }
        let unneeded =
            whole.filter { !needed.contains($0) }.map { ($0, path($0)) }
            + incoming.filter { !needed.contains($0) }.map { ($0, incomingPath($0)) }
        // Under the lock: a request that begins now finds the file gone, and does not lose it
        // midway.
        return claims.withLock { claims in
            unneeded.count { digest, path in !claims.isClaimed(digest) && unlink(path) == 0 }
        }
    }

    private static func digests(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter(ContentPackage.isDigest)
    }

    static func byteCount(at path: String) -> Int64? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(info.st_size)
    }
}

extension Refusal {
    static let contentBusy = Refusal(
        503, "contentBusy", "Another request is sending these bytes; ask again in a moment.",
        retryAfterSeconds: 1)
}
