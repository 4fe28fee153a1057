import Foundation
import StoreModel

/// Where a device keeps a tag's resources: each world and each version of the app has its own.
struct ResourcePlace: Hashable, Sendable {
    let worldId: String
    let appVersion: String
    let tag: ResourceTag

    /// The folders below `OnDemandResources`, none of which leads out of it.
    var folders: [String] { Self.folders(worldId, appVersion) }

    /// The folders of a version, and the names that are not tags in it.
    static func folders(_ worldId: String, _ appVersion: String) -> [String] {
        [name(worldId), name(appVersion)]
    }

    private static func name(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// A tag's resources on a device, or what has arrived of them.
struct StoredResource: Hashable, Sendable {
    /// The folders below `OnDemandResources`, with the tag's as last.
    let folders: [String]
    /// What it takes, or will have taken when it is complete.
    let byteCount: Int64
    /// Nanoseconds since 1970.
    let usedAt: Int64
    /// Whether an app has used it. Resources that come with the app are purged only after that.
    let wasUsed: Bool
    let isInitial: Bool
    /// 0 to 1; what has a lower one is purged first.
    let priority: Double
}

extension [StoredResource] {
    /// Those that may be purged, in order: by preservation priority, then the least recently used
    /// first.
    var inPurgeOrder: [StoredResource] {
        filter { $0.wasUsed || !$0.isInitial }
            .sorted {
                ($0.priority, $0.usedAt, $0.folders.joined(separator: "/"))
                    < ($1.priority, $1.usedAt, $1.folders.joined(separator: "/"))
            }
    }
}
