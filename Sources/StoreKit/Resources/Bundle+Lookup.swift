import CStoreKit
import Foundation

// The implementations of these methods on Linux, installed by CStoreKit before main(): what
// Foundation finds, then what is in on-demand resources that the bundle shows.
//
// Foundation's own code is called as what it is: a method is a closure whose context is its object.
// Each of the structures has the layout of a closure, code and context, and makes the compiler call
// it by its own type, as no generic function could.
extension Bundle {
    @_silgen_name("storekit_bundle_url")
    final func storeKitURL(forResource name: String?, withExtension ext: String?) -> URL? {
        struct Method { let find: (String?, String?) -> URL? }
        return unsafeBitCast(foundation(.URL), to: Method.self).find(name, ext)
            ?? onDemand().path(name, ext).map { URL(fileURLWithPath: $0) }
    }

    @_silgen_name("storekit_bundle_url_in")
    final func storeKitURL(
        forResource name: String?, withExtension ext: String?, subdirectory: String?
    ) -> URL? {
        struct Method { let find: (String?, String?, String?) -> URL? }
        return unsafeBitCast(foundation(.urlIn), to: Method.self).find(name, ext, subdirectory)
            ?? onDemand(subdirectory).path(name, ext).map { URL(fileURLWithPath: $0) }
    }

    @_silgen_name("storekit_bundle_url_for")
    final func storeKitURL(
        forResource name: String?, withExtension ext: String?, subdirectory: String?,
        localization: String?
    ) -> URL? {
        struct Method { let find: (String?, String?, String?, String?) -> URL? }
        return unsafeBitCast(foundation(.urlFor), to: Method.self)
            .find(name, ext, subdirectory, localization)
            ?? onDemand(subdirectory, localization).path(name, ext)
            .map { URL(fileURLWithPath: $0) }
    }

    @_silgen_name("storekit_bundle_urls_in")
    final func storeKitURLs(
        forResourcesWithExtension ext: String?, subdirectory: String?
    ) -> [NSURL]? {
        struct Method { let find: (String?, String?) -> [NSURL]? }
        let found = unsafeBitCast(foundation(.urlsIn), to: Method.self).find(ext, subdirectory)
        return onDemand(subdirectory).added(to: found, ext)
    }

    @_silgen_name("storekit_bundle_urls_for")
    final func storeKitURLs(
        forResourcesWithExtension ext: String?, subdirectory: String?, localization: String?
    ) -> [NSURL]? {
        struct Method { let find: (String?, String?, String?) -> [NSURL]? }
        let found = unsafeBitCast(foundation(.urlsFor), to: Method.self)
            .find(ext, subdirectory, localization)
        return onDemand(subdirectory, localization).added(to: found, ext)
    }

    @_silgen_name("storekit_bundle_path")
    final func storeKitPath(forResource name: String?, ofType ext: String?) -> String? {
        struct Method { let find: (String?, String?) -> String? }
        return unsafeBitCast(foundation(.path), to: Method.self).find(name, ext)
            ?? onDemand().path(name, ext)
    }

    @_silgen_name("storekit_bundle_path_in")
    final func storeKitPath(
        forResource name: String?, ofType ext: String?, inDirectory directory: String?
    ) -> String? {
        struct Method { let find: (String?, String?, String?) -> String? }
        return unsafeBitCast(foundation(.pathIn), to: Method.self).find(name, ext, directory)
            ?? onDemand(directory).path(name, ext)
    }

    @_silgen_name("storekit_bundle_path_for")
    final func storeKitPath(
        forResource name: String?, ofType ext: String?, inDirectory directory: String?,
        forLocalization localization: String?
    ) -> String? {
        struct Method { let find: (String?, String?, String?, String?) -> String? }
        return unsafeBitCast(foundation(.pathFor), to: Method.self)
            .find(name, ext, directory, localization)
            ?? onDemand(directory, localization).path(name, ext)
    }

    @_silgen_name("storekit_bundle_paths_in")
    final func storeKitPaths(
        forResourcesOfType ext: String?, inDirectory directory: String?
    ) -> [String] {
        struct Method { let find: (String?, String?) -> [String] }
        let found = unsafeBitCast(foundation(.pathsIn), to: Method.self).find(ext, directory)
        // Foundation asks for addresses, which has found them already.
        return found + onDemand(directory).paths(ext).filter { !found.contains($0) }
    }

    @_silgen_name("storekit_bundle_paths_for")
    final func storeKitPaths(
        forResourcesOfType ext: String?, inDirectory directory: String?,
        forLocalization localization: String?
    ) -> [String] {
        struct Method { let find: (String?, String?, String?) -> [String] }
        let found = unsafeBitCast(foundation(.pathsFor), to: Method.self)
            .find(ext, directory, localization)
        return found + onDemand(directory, localization).paths(ext).filter { !found.contains($0) }
    }

    private struct BoundMethod {
        let code: UInt
        let object: Bundle
    }

    private func foundation(_ method: __StoreKitBundleMethod) -> BoundMethod {
        let code = __storekit_bundle_method(method)
        precondition(code != 0, "a method that was replaced exists")
        return BoundMethod(code: UInt(code), object: self)
    }

    private func onDemand(
        _ subdirectory: String? = nil, _ localization: String? = nil
    ) -> ResourceLookup {
        ResourceLookup(
            folders: OpenedResources.folders(of: self), subdirectory: subdirectory,
            localization: localization)
    }
}

extension ResourceLookup {
    fileprivate func added(to found: [NSURL]?, _ fileExtension: String?) -> [NSURL]? {
        let more = paths(fileExtension).map { NSURL(fileURLWithPath: $0) }
        return more.isEmpty ? found : (found ?? []) + more
    }
}
