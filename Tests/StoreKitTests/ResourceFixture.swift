import Foundation
import StoreModel
import TestSupport

@testable import StoreKit

/// A shop with on-demand resources, and launches of an app that asks for them.
final class ResourceFixture {
    let shop: Shop

    init() throws {
        shop = try Shop()
    }

    static func bytes(_ count: Int, _ seed: Int = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed &+ ($0 >> 10)) }
    }

    func add(
        _ tag: String, _ files: [String: [UInt8]], kind: ResourceKind = .onDemand,
        version: String = "1.0"
    ) {
        shop.store.state.withLock {
            $0.resources.add(tag, files, kind: kind, version: version)
        }
    }

    /// A tag with one file of its name and that many bytes.
    func add(_ tag: String, bytes: Int, kind: ResourceKind = .onDemand, version: String = "1.0") {
        add(tag, ["\(tag).bin": Self.bytes(bytes, tag.count)], kind: kind, version: version)
    }

    /// An engine as a new process has it.
    func launch(
        version: String = "1.0", settings: [String: String] = [:],
        lowSpace: @escaping @Sendable () -> Void = {}
    ) throws -> ResourceEngine {
        let app = try shop.launch(version: version, extra: settings)
        shop.keep(app)
        let parts = try app.engine.parts.get()
        return ResourceEngine(parts: .success(.make(parts, tellLowSpace: lowSpace)))
    }

    /// How many parts of files the store gave of a tag.
    func parts(of tag: String) -> Int {
        shop.store.state.withLock { state in
            state.content.partsGiven.count { $0.hasPrefix(tag + " ") }
        }
    }

    /// The tags on the device, of any world and version.
    var stored: Set<String> {
        let top = shop.home + "/OnDemandResources"
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: top)) ?? []
        var tags: Set<String> = []
        for path in paths {
            let parts: [Substring] = path.split(separator: "/")
            if parts.count == 4, parts[3] == "content" { tags.insert(String(parts[2])) }
        }
        return tags
    }
}

extension NSBundleResourceRequest {
    /// The error that access ends with; nil when it begins.
    func trouble() async -> NSError? {
        do {
            try await beginAccessingResources()
            return nil
        } catch {
            return error as NSError
        }
    }
}
