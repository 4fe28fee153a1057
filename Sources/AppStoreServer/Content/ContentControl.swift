import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Lists and removes the content of products.
enum ContentControl {
    static func list(_ call: StoreCall, app: String) throws -> ContentVersionsBody {
        let versions = try call.world.database.read { scope in
            try scope.contentVersions(of: try scope.knownApp(app).id)
        }
        return ContentVersionsBody(
            versions: versions.map { ContentVersionBody($0, among: versions) })
    }

    /// `DELETE …/products/{productId}/content` and `…/content/{version}`: purchases bring it no
    /// more. Who has begun it may go on for a day.
    static func remove(_ call: StoreCall, _ place: ContentPlace, version: String?) async throws
        -> RemovedContentBody
    {
        let moment = call.contentKeptSince
        let realNow = call.world.time.real()
        let body = try await call.context.commit { scope in
            try scope.deleteOldContent(before: moment)
            let (app, product) = try scope.reading { try place.found($0) }
            let versions = try scope.reading {
                try $0.contentVersions(of: product, in: app, keptSince: moment)
            }
            let named = versions.filter { version == nil || $0.version == version }
            guard let newest = named.first else {
                let what = version == nil ? "content" : "content of that version"
                throw Refusal(404, "contentUnknown", "The product has no \(what).")
            }
            for version in named { try scope.removeContent(version, realNow: realNow) }
            let current = try scope.reading { try $0.currentContent(of: newest.product, in: app) }
            return RemovedContentBody(
                productId: newest.product.rawValue,
                removed: Set(named.map(\.version)).sorted(), currentVersion: current?.version)
        }
        call.log.event(
            StoreEvent.contentRemoved, ("product", .text(body.productId)),
            ("versions", .text(body.removed.joined(separator: " "))))
        return body
    }
}

extension ContentVersionBody {
    /// `versions` are those of its app, the newest of each product first.
    init(_ version: ContentVersion, among versions: [ContentVersion]) {
        let newest = versions.first { $0.product == version.product }
        self.init(
            productId: version.product.rawValue, contentVersion: version.version,
            isCurrent: newest?.number == version.number, fileCount: version.fileCount,
            contentLength: version.byteCount, addedAt: version.addedAt)
    }
}
