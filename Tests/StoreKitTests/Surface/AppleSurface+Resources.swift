extension AppleSurface {
    /// Of Apple's Foundation; Foundation on Linux has it not.
    static let resources = """
        class NSBundleResourceRequest : NSObject, ProgressReporting
            convenience init(tags: Set<String>)
            init(tags: Set<String>, bundle: Bundle)
            var loadingPriority: Double { get set }
            var tags: Set<String> { get }
            var bundle: Bundle { get }
            var progress: Progress { get }
            func beginAccessingResources(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
            func beginAccessingResources() async throws
            func conditionallyBeginAccessingResources(completionHandler: @escaping @Sendable (Bool) -> Void)
            func conditionallyBeginAccessingResources() async -> Bool
            func endAccessingResources()
        extension Bundle
            func setPreservationPriority(_ priority: Double, forTags tags: Set<String>)
            func preservationPriority(forTag tag: String) -> Double
        extension NSNotification.Name
            static let NSBundleResourceRequestLowDiskSpace: NSNotification.Name
        extension CocoaError
            static var bundleOnDemandResourceOutOfSpace: CocoaError.Code { get }
            static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code { get }
            static var bundleOnDemandResourceInvalidTag: CocoaError.Code { get }
        extension CocoaError.Code
            static var bundleOnDemandResourceOutOfSpace: CocoaError.Code { get }
            static var bundleOnDemandResourceExceededMaximumSize: CocoaError.Code { get }
            static var bundleOnDemandResourceInvalidTag: CocoaError.Code { get }
        let NSBundleResourceRequestLoadingPriorityUrgent: Double
        var NSBundleOnDemandResourceOutOfSpaceError: Int { get }
        var NSBundleOnDemandResourceExceededMaximumSizeError: Int { get }
        var NSBundleOnDemandResourceInvalidTagError: Int { get }

        """
}
