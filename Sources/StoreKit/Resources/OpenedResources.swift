import Foundation
import Synchronization

/// The resources that requests of this process have used, by the bundle that shows them.
///
/// They stay after the requests end, as on Apple's platforms, until they are purged.
enum OpenedResources {
    /// By the bundle's path and the tag, the folder of files.
    private static let opened = Mutex<[String: [String: String]]>([:])

    static func open(_ folder: String, of tag: String, inBundleAt path: String) {
        opened.withLock { $0[path, default: [:]][tag] = folder }
    }

    /// The folders that a bundle shows, in the order of their tags.
    static func folders(of bundle: Bundle) -> [String] {
        opened.withLock { opened in
            // Most apps have none, and look up much.
            if opened.isEmpty { return [] }
            return opened[bundle.bundlePath]?.sorted { $0.key < $1.key }.map(\.value) ?? []
        }
    }
}
