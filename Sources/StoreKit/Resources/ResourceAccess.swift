import Foundation
import StoreModel
import Synchronization

/// One request's access to the resources of some tags, from its beginning to its end.
final class ResourceAccess: Sendable {
    /// Texts that are not tags are unknown to every store.
    let texts: Set<String>
    let tags: Set<ResourceTag>
    /// The bundle that shows the resources.
    let bundlePath: String
    let progress: Progress
    private let sizes = Mutex<[ResourceTag: (arrived: Int64, length: Int64)]>([:])
    private let loadingPriority = Mutex(0.5)

    init(texts: Set<String>, bundlePath: String) {
        self.texts = texts
        tags = Set(texts.compactMap(ResourceTag.init))
        self.bundlePath = bundlePath
        progress = Progress(parent: nil)
        progress.totalUnitCount = 1
        progress.isCancellable = true
        progress.isPausable = true
    }

    /// Downloads for higher ones come first.
    var priority: Double {
        get { loadingPriority.withLock { $0 } }
        set { loadingPriority.withLock { $0 = newValue } }
    }

    /// Has the progress act on the access.
    func heed(
        cancel: @escaping @Sendable (ResourceAccess) -> Void,
        pause: @escaping @Sendable (ResourceAccess, Bool) -> Void
    ) {
        progress.cancellationHandler = { [weak self] in self.map(cancel) }
        progress.pausingHandler = { [weak self] in self.map { pause($0, true) } }
        progress.resumingHandler = { [weak self] in self.map { pause($0, false) } }
    }

    /// Shows the bytes of a tag in the progress, which never goes back, even when bytes turn out to
    /// be useless.
    func show(_ tag: ResourceTag, arrived: Int64, of length: Int64) {
        sizes.withLock { sizes in
            sizes[tag] = (arrived, length)
            progress.totalUnitCount = max(1, sizes.values.reduce(0) { $0 + $1.length })
            // The last byte counts when the access has begun.
            let shown = min(
                sizes.values.reduce(0) { $0 + $1.arrived }, progress.totalUnitCount - 1)
            if shown > progress.completedUnitCount { progress.completedUnitCount = shown }
        }
    }

    func showBegun() {
        sizes.withLock { _ in progress.completedUnitCount = progress.totalUnitCount }
    }
}
