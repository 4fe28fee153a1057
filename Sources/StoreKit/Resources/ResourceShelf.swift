import Foundation
import Glibc
import StoreModel

/// The on-demand resources on a device: `OnDemandResources/WORLD/VERSION/TAG` in the home folder.
///
/// A process that uses a tag's resources shares the lock of their folder, one that fetches or purges
/// them has it alone, so that a process that ends leaves nothing held. A folder's record counts its
/// whole size from before the first byte arrives: room that was promised is taken.
struct ResourceShelf: Sendable {
    static let folderName = "OnDemandResources"
    private static let recordName = "record.json"
    private static let prioritiesName = "priorities.json"

    let home: HomeFolder
    let spaceBytes: Int64

    private var top: String { "\(home.path)/\(Self.folderName)" }

    private struct Record: Codable {
        var byteCount: Int64
        var isInitial: Bool
        var wasUsed: Bool
        var usedAtNanoseconds: Int64
    }

    // MARK: - Folders

    /// The folder of a tag, created with its parents if missing.
    func folder(_ place: ResourcePlace) throws(DownloadTrouble) -> DownloadFolder {
        var parent = try Descriptor(folder: home.path).folder(Self.folderName)
        for name in place.folders { parent = try parent.folder(name) }
        return try DownloadFolder(place.tag.text, in: parent, .plain)
    }

    /// The folder of a tag with its whole resources, which nobody purges while the value lives; nil
    /// when they are not there, or are being purged.
    func hold(_ place: ResourcePlace) throws(DownloadTrouble) -> DownloadFolder? {
        guard let folder = try existing(place.folders + [place.tag.text]), try hold(folder)
        else { return nil }
        return folder
    }

    /// Whether a folder is whole and was still in its place when its lock was shared.
    func hold(_ folder: DownloadFolder) throws(DownloadTrouble) -> Bool {
        guard try folder.takeLock(isShared: true) else { return false }
        return try folder.isWhole()
    }

    private func existing(_ folders: [String]) throws(DownloadTrouble) -> DownloadFolder? {
        var parent = try Descriptor(folder: home.path)
        for name in [Self.folderName] + folders.dropLast() {
            guard try parent.status(of: name) != nil else { return nil }
            parent = try parent.existingFolder(name)
        }
        return try DownloadFolder(existing: folders.last ?? "", in: parent, .plain)
    }

    // MARK: - Room

    /// Promises room for a tag's resources, of which some may have arrived: purges what is not in
    /// use until they fit. Throws ENOSPC when they do not fit even so.
    func makeRoom(
        for place: ResourcePlace, byteCount: Int64, arrived: Int64, isInitial: Bool,
        in folder: DownloadFolder
    ) throws(DownloadTrouble) {
        try locked { () throws(DownloadTrouble) in
            let stored = try stored()
            let own = place.folders + [place.tag.text]
            var taken = stored.filter { $0.folders != own }.reduce(0) { $0 + $1.byteCount }
            let missing = byteCount - arrived
            for resource in stored.inPurgeOrder where resource.folders != own {
                if taken + byteCount <= spaceBytes, try folder.room() >= missing { break }
                if try purge(resource) { taken -= resource.byteCount }
            }
            guard taken + byteCount <= spaceBytes, try folder.room() >= missing else {
                throw DownloadTrouble(
                    .disk(ENOSPC),
                    "There is no room for \(byteCount) bytes of on-demand resources, though "
                        + "everything that is not in use was purged.")
            }
            DurableFile.removeUnfinished(in: folder.path)
            try save(
                Record(
                    byteCount: byteCount, isInitial: isInitial, wasUsed: false,
                    usedAtNanoseconds: Self.now()), in: folder.path)
        }
    }

    /// False when somebody uses or fetches it.
    private func purge(_ resource: StoredResource) throws(DownloadTrouble) -> Bool {
        guard let folder = try existing(resource.folders) else { return true }
        guard try folder.takeLock() else { return false }
        try folder.remove()
        return true
    }

    /// All resources on the device, whole or not.
    private func stored() throws(DownloadTrouble) -> [StoredResource] {
        let priorities = loadPriorities()
        var found: [StoredResource] = []
        for world in names(in: top) {
            for version in names(in: "\(top)/\(world)") {
                for tag in names(in: "\(top)/\(world)/\(version)") {
                    let folders = [world, version, tag]
                    guard let folder = try existing(folders) else { continue }
                    let record = record(in: folder)
                    found.append(
                        StoredResource(
                            folders: folders,
                            byteCount: byteCount(of: folder),
                            usedAt: record?.usedAtNanoseconds ?? 0,
                            wasUsed: record?.wasUsed ?? true, isInitial: record?.isInitial ?? false,
                            priority: priorities[tag] ?? 0))
                }
            }
        }
        return found
    }

    /// The folders in a folder.
    private func names(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            var info = stat()
            return lstat("\(path)/\(name)", &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
    }

    /// What a tag's resources take on the device.
    func byteCount(of folder: DownloadFolder) -> Int64 {
        let record = record(in: folder)
        return record?.byteCount ?? (try? folder.byteCount()) ?? 0
    }

    /// Notes that an app begins or ends to use a tag's resources.
    func noteUse(of folder: DownloadFolder) {
        guard var record = record(in: folder) else { return }
        record.wasUsed = true
        record.usedAtNanoseconds = Self.now()
        // What is lost with the machine's power changes only the order of purging.
        try? home.save(
            record, to: "\(folder.path)/\(Self.recordName)", isSynced: false)
    }

    // MARK: - What the store lists

    func manifest(_ worldId: String, _ appVersion: String) -> ResourceManifest? {
        (try? home.load(ResourceManifest.self, from: manifestFile(worldId, appVersion))) ?? nil
    }

    func save(
        _ manifest: ResourceManifest, _ worldId: String, _ appVersion: String
    ) throws(DownloadTrouble) {
        let path = manifestFile(worldId, appVersion)
        try file { try DurableFile.makeFolder(DurableFile.folder(of: path)) }
        try file { try home.save(manifest, to: path) }
    }

    private func manifestFile(_ worldId: String, _ appVersion: String) -> String {
        let folders = ResourcePlace.folders(worldId, appVersion).joined(separator: "/")
        return "\(top)/\(folders).json"
    }

    // MARK: - Preservation priorities

    func priority(of tag: ResourceTag) -> Double { loadPriorities()[tag.text] ?? 0 }

    func setPriority(_ priority: Double, of tags: Set<ResourceTag>) throws(DownloadTrouble) {
        try locked { () throws(DownloadTrouble) in
            var priorities = loadPriorities()
            for tag in tags { priorities[tag.text] = priority == 0 ? nil : priority }
            try file { try home.save(priorities, to: "\(top)/\(Self.prioritiesName)") }
        }
    }

    private func loadPriorities() -> [String: Double] {
        let path = "\(top)/\(Self.prioritiesName)"
        return ((try? home.load([String: Double].self, from: path)) ?? nil) ?? [:]
    }

    // MARK: -

    /// The machine's clock, in nanoseconds since 1970: finer than what a request takes.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func record(in folder: DownloadFolder) -> Record? {
        (try? home.load(Record.self, from: "\(folder.path)/\(Self.recordName)")) ?? nil
    }

    private func save(_ record: Record, in folder: String) throws(DownloadTrouble) {
        try file { try home.save(record, to: "\(folder)/\(Self.recordName)") }
    }

    /// Runs a body alone among all processes that change what is on the kept.
    private func locked(_ body: () throws(DownloadTrouble) -> Void) throws(DownloadTrouble) {
        try file { try DurableFile.makeFolder(top) }
        try file { try home.locked(by: "\(Self.folderName)/lock", body) }
    }

    private func file(_ body: () throws -> Void) throws(DownloadTrouble) {
        do {
            try body()
        } catch let trouble as DownloadTrouble {
            throw trouble
        } catch {
            throw DownloadTrouble(.disk(errno), "\(error)")
        }
    }
}
