public import Foundation
import StoreModel
import Synchronization

/// The loading priority of a request that the user waits for: higher than every other.
public let NSBundleResourceRequestLoadingPriorityUrgent: Double = .greatestFiniteMagnitude

/// Asks for the on-demand resources of some tags, and keeps them on the device while it uses them.
///
/// On Apple's platforms this class belongs to Foundation; Foundation on Linux does not have it, so
/// StoreKit provides it. The store keeps the resources for each version of the app; nobody needs to
/// be signed in, and nothing needs to be bought or restored. Once access has begun, the methods of
/// the bundle find the files.
///
/// ```swift
/// func openTrack() async throws -> URL? {
///     let request = NSBundleResourceRequest(tags: ["moontrack"])
///     request.loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
///     if await !request.conditionallyBeginAccessingResources() {
///         try await request.beginAccessingResources()
///     }
///     defer { request.endAccessingResources() }
///     return Bundle.main.url(forResource: "moon", withExtension: "track")
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/foundation/nsbundleresourcerequest>
open class NSBundleResourceRequest: NSObject, ProgressReporting, @unchecked Sendable {
    private let access: ResourceAccess
    private let requestedTags: Set<String>
    private let requestedBundle: Bundle
    private let context: StoreContext
    private let engine: ResourceEngine

    /// A request for the tags of the main bundle.
    public convenience init(tags: Set<String>) {
        self.init(tags: tags, bundle: .main)
    }

    /// A request for tags whose resources a bundle shows. The tags are the app's, whatever the
    /// bundle.
    public init(tags: Set<String>, bundle: Bundle) {
        requestedTags = tags
        requestedBundle = bundle
        access = ResourceAccess(texts: tags, bundlePath: bundle.bundlePath)
        context = .current
        engine = context.resources
        engine.follow(access)
    }

    /// For tests: with an engine of their own.
    init(tags: Set<String>, bundle: Bundle = .main, engine: ResourceEngine) {
        requestedTags = tags
        requestedBundle = bundle
        access = ResourceAccess(texts: tags, bundlePath: bundle.bundlePath)
        context = .current
        self.engine = engine
        engine.follow(access)
    }

    deinit {
        engine.end(access)
    }

    /// The tags whose resources it asks for.
    open var tags: Set<String> { requestedTags }

    /// The bundle that shows the resources.
    open var bundle: Bundle { requestedBundle }

    /// How much has arrived, over all tags, in bytes. Cancelling it ends the request for good, with
    /// `NSUserCancelledError`; pausing it pauses the download.
    open var progress: Progress { access.progress }

    /// Which requests come first: 0 to 1, or `NSBundleResourceRequestLoadingPriorityUrgent`. It
    /// may change at any time, and is 0.5 at first.
    open var loadingPriority: Double {
        get { access.priority }
        set { access.priority = newValue }
    }

    /// Fetches what is not on the device, and begins to use the resources.
    ///
    /// - Parameter completionHandler: Called on a queue that is not the main one, with nil when
    ///   the resources can be used. The request lives until then.
    open func beginAccessingResources(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        if let reason = context.engine.objection() {
            return engine.refuse { [context] in
                context.bind {
                    completionHandler(ResourceTrouble.unavailable(reason.sentence).error)
                }
            }
        }
        engine.begin(access) { [self] trouble in
            context.bind { completionHandler(trouble?.error) }
            withExtendedLifetime(self) {}
        }
    }

    /// Fetches what is not on the device, and begins to use the resources; throws the reason when
    /// that is not possible.
    ///
    /// A task that is cancelled ends it with `NSUserCancelledError`; the request can be used again.
    open func beginAccessingResources() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                beginAccessingResources { (error: (any Error)?) in
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume()
                    }
                }
                // The cancellation may have come before there was anything to end.
                if Task.isCancelled { engine.cancel(access) }
            }
        } onCancel: {
            engine.cancel(access)
        }
    }

    /// Begins to use the resources if all of them are on the device. Nothing is fetched for it;
    /// tags that come with the app are waited for.
    ///
    /// - Parameter completionHandler: Called on a queue that is not the main one, with whether
    ///   they are.
    open func conditionallyBeginAccessingResources(
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        engine.begin(access, isLooking: true) { [self] trouble in
            context.bind { completionHandler(trouble == nil) }
            withExtendedLifetime(self) {}
        }
    }

    /// Begins to use the resources if all of them are on the device, and says whether they are.
    /// Nothing is fetched for it; tags that come with the app are waited for.
    open func conditionallyBeginAccessingResources() async -> Bool {
        await withCheckedContinuation { continuation in
            conditionallyBeginAccessingResources { (isThere: Bool) in
                continuation.resume(returning: isThere)
            }
        }
    }

    /// Ends the use of the resources, which may be purged from then on.
    open func endAccessingResources() {
        engine.end(access)
    }
}

extension NSNotification.Name {
    /// There is no room for more resources; posted to the default notification center. What
    /// observers release is purged, and the download goes on if it fits then.
    public static let NSBundleResourceRequestLowDiskSpace = NSNotification.Name(
        "NSBundleResourceRequestLowDiskSpaceNotification")
}

extension Bundle {
    /// Sets which tags are purged last: those with the highest priority, 0 to 1.
    public func setPreservationPriority(_ priority: Double, forTags tags: Set<String>) {
        StoreContext.current.resources.setPriority(
            min(max(priority, 0), 1), of: Set(tags.compactMap(ResourceTag.init)))
    }

    /// The preservation priority of a tag; 0 unless one was set.
    public func preservationPriority(forTag tag: String) -> Double {
        ResourceTag(tag).map { StoreContext.current.resources.priority(of: $0) } ?? 0
    }
}

/// There is no room for on-demand resources.
public var NSBundleOnDemandResourceOutOfSpaceError: Int { 4992 }
/// The app would use more on-demand resources at once than it may.
public var NSBundleOnDemandResourceExceededMaximumSizeError: Int { 4993 }
/// This version of the app has no such tag.
public var NSBundleOnDemandResourceInvalidTagError: Int { 4994 }

extension CocoaError.Code {
    /// There is no room for on-demand resources.
    public static var bundleOnDemandResourceOutOfSpace: CocoaError.Code { Self(rawValue: 4992) }
    /// The app would use more on-demand resources at once than it may.
    public static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code {
        Self(rawValue: 4993)
    }
    /// This version of the app has no such tag.
    public static var bundleOnDemandResourceInvalidTag: CocoaError.Code { Self(rawValue: 4994) }
}

extension CocoaError {
    /// There is no room for on-demand resources.
    public static var bundleOnDemandResourceOutOfSpace: CocoaError.Code {
        .bundleOnDemandResourceOutOfSpace
    }
    /// The app would use more on-demand resources at once than it may.
    public static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code {
        .bundleOnDemandResourceExceededMaximumSize
    }
    /// This version of the app has no such tag.
    public static var bundleOnDemandResourceInvalidTag: CocoaError.Code {
        .bundleOnDemandResourceInvalidTag
    }
}
