import StoreModel
import StoreWire
import Synchronization

/// A tag's resources, as a run of their download fetches them.
final class TaggedContent: DownloadSource {
    private let place: ResourcePlace
    private let isInitial: Bool
    private let kept: ResourceShelf
    private let connection: StoreConnection
    /// Called once when there is no room; what it releases may be purged.
    private let askForRoom: @Sendable () -> Void
    private let held = Mutex<DownloadFolder?>(nil)

    init(
        _ place: ResourcePlace, isInitial: Bool, kept: ResourceShelf,
        connection: StoreConnection, askForRoom: @escaping @Sendable () -> Void
    ) {
        self.place = place
        self.isInitial = isInitial
        self.kept = kept
        self.connection = connection
        self.askForRoom = askForRoom
    }

    /// Gives the folder with the whole resources away, which is held as long as it lives; nil when
    /// they were purged again before they could be held.
    func takeFolder() -> DownloadFolder? {
        held.withLock { folder in
            defer { folder = nil }
            return folder
        }
    }

    var customer: Customer? { nil }
    var isShared: Bool { true }
    var takesNewest: Bool { false }

    func path() throws(StoreFailure) -> String {
        "resources/\(StoreConnection.escaped(place.tag.text))"
    }

    func folder(in home: HomeFolder) throws(DownloadTrouble) -> DownloadFolder {
        try kept.folder(place)
    }

    func manifest(_ body: ContentManifestBody) throws(DownloadTrouble) -> DownloadManifest {
        guard connection.session?.worldId == place.worldId else {
            throw DownloadTrouble(
                .absent, "The store at this address is not the same one as before.")
        }
        return try DownloadManifest(body, of: place.tag.text, .plain) { $0 == place.appVersion }
    }

    func makeRoom(
        for manifest: DownloadManifest, arrived: Int64, in folder: DownloadFolder
    ) throws(DownloadTrouble) {
        func make() throws(DownloadTrouble) {
            try kept.makeRoom(
                for: place, byteCount: manifest.byteCount, arrived: arrived,
                isInitial: isInitial, in: folder)
        }
        do throws(DownloadTrouble) {
            try make()
        } catch {
            guard error.isNoRoom else { throw error }
            askForRoom()
            try make()
        }
    }

    func complete(_ folder: DownloadFolder) {
        // If this fails, the folder is looked at again.
        guard (try? kept.hold(folder)) == true else { return }
        held.withLock { $0 = folder }
    }
}
