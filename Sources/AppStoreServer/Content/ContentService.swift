import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Gives devices the content of unfinished purchases, and on-demand resources.
enum ContentService {
    /// `GET /device/v1/transactions/{id}/content?version=V`
    static func manifest(
        _ request: HTTPRequest, _ id: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let asked = request.queryValue("version")
            let (session, account) = try scene.signedIn(request)
            let moment = scene.contentKeptSince
            let body = try scene.world.database.read { scope in
                let transaction = try scope.unfinished(id, of: account.id, in: session.app)
                return try scope.manifest(
                    of: try scope.content(of: transaction, version: asked, since: moment))
            }
            return .json(try WireJSON.encode(body))
        }
    }

    /// `GET /device/v1/transactions/{id}/content/{version}/{sha256}`, whole or a range of it.
    static func file(
        _ request: HTTPRequest, _ id: String, version: String, digest: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.answer(responder) {
            let (session, account) = try scene.signedIn(request)
            let moment = scene.contentKeptSince
            let file = try scene.world.database.read { scope in
                let transaction = try scope.unfinished(id, of: account.id, in: session.app)
                let version = try scope.content(of: transaction, version: version, since: moment)
                return try scope.contentFile(digest, of: version)
            }
            guard let file else { throw Refusal.contentUnknown }
            return try answer(with: file, request, scene)
        }
    }

    /// The answer that sends a file, whole or a range of it.
    static func answer(
        with file: ContentFile, _ request: HTTPRequest, _ scene: Scene
    ) throws -> HTTPResponse {
        guard let open = scene.content.open(file) else {
            scene.log.event(StoreEvent.contentMissing, ("digest", .text(file.digest)))
            throw Refusal(
                503, "contentMissing",
                "The store has lost the bytes of this content; its owner can upload it again.",
                retryAfterSeconds: 60)
        }
        if let response = HTTPResponse.file(open, digest: file.digest, for: request) {
            return response
        }
        var response = Refusal(
            416, "rangeBehindEnd", "The range begins after the file's end."
        ).response
        response.headers.add("Content-Range", HTTPResponse.unsatisfiedRange(of: open))
        return response
    }
}

/// Lists and removes the content of products.
extension ContentService {
    static func list(_ call: StoreCall, app: String) throws -> ContentVersionsBody {
        let versions = try call.world.database.read { scope in
            try scope.contentVersions(of: try scope.knownApp(app).id)
        }
        return ContentVersionsBody(
            versions: versions.map { ContentVersionBody($0, among: versions) })
    }

    /// `DELETE …/products/{productId}/content` and `…/content/{version}`: purchases no longer bring
    /// it. A device that has begun to fetch it may continue for a day.
    static func remove(_ call: StoreCall, _ place: ContentPlace, version: String?) async throws
        -> RemovedContentBody
    {
        let moment = call.contentKeptSince
        let realNow = call.world.time.real()
        let body = try await call.context.commit { scope in
            try scope.deleteOldContent(before: moment)
            let owner = try place.found(scope.reading)
            let versions = try scope.reading.contentVersions(of: owner, keptSince: moment)
            let named = versions.filter { version == nil || $0.version == version }
            guard let newest = named.first else {
                let what = version == nil ? "content" : "content of that version"
                throw Refusal(404, "contentUnknown", "The product has no \(what).")
            }
            for version in named { try scope.removeContent(version, realNow: realNow) }
            let current = try scope.reading.currentContent(
                of: ProductID(newest.owner), in: owner.app)
            return RemovedContentBody(
                productId: newest.owner,
                removed: Set(named.map(\.version)).sorted(), currentVersion: current?.version)
        }
        call.log.event(
            StoreEvent.contentRemoved, ("product", .text(body.productId)),
            ("versions", .text(body.removed.joined(separator: " "))))
        return body
    }
}

extension ReadScope {
    /// The files of a version, as devices get them.
    borrowing func manifest(of version: ContentVersion) throws -> ContentManifestBody {
        ContentManifestBody(
            contentIdentifier: version.owner, contentVersion: version.version,
            contentLength: version.byteCount,
            files: try contentFiles(of: version).map(ContentFileBody.init))
    }

    /// A transaction of the account in an app that waits to be finished; 404 or 409 otherwise.
    fileprivate borrowing func unfinished(
        _ id: String, of account: AccountID, in app: AppID
    ) throws -> StoreTransaction {
        guard let number = Int64(id), "\(number)" == id,
            let transaction = try transaction(TransactionID(number)),
            transaction.account == account, transaction.app == app
        else {
            throw Refusal(
                404, "transactionUnknown", "This account has no such transaction in this app.")
        }
        guard transaction.finishedAt == nil else {
            throw Refusal(
                409, "transactionFinished",
                "The transaction is finished, so its downloads have ended.")
        }
        guard try !isTakenBack(transaction) else {
            throw Refusal(
                409, "transactionRevoked",
                "The purchase was taken back, so its downloads have ended.")
        }
        return transaction
    }

    /// The product's newest content, or that of a version while it is kept.
    fileprivate borrowing func content(
        of transaction: StoreTransaction, version: String?, since moment: Timestamp
    ) throws -> ContentVersion {
        let versions = try contentVersions(
            of: .product(transaction.product, in: transaction.app), keptSince: moment)
        let found = versions.first {
            version == nil ? !$0.isRemoved : $0.version == version
        }
        guard let found else { throw Refusal.contentUnknown }
        return found
    }
}

extension Refusal {
    fileprivate static let contentUnknown = Refusal(
        404, "contentUnknown", "The transaction does not have such content, or no longer has it.")
}

extension DeliveredTransaction {
    /// The transaction with its content; one that is finished or taken back has none.
    func bringing(_ content: CurrentContent?) -> DeliveredTransaction {
        var copy = self
        copy.content = isOver ? nil : content
        return copy
    }
}

extension DownloadBody {
    init(_ content: CurrentContent, of product: ProductID) {
        self.init(
            contentIdentifier: product.rawValue, contentVersion: content.version,
            contentLength: content.byteCount)
    }
}

extension ContentVersionBody {
    /// `versions` are those of its app, the newest of each product first.
    init(_ version: ContentVersion, among versions: [ContentVersion]) {
        let newest = versions.first { $0.owner == version.owner }
        self.init(
            productId: version.owner, contentVersion: version.version,
            isCurrent: newest?.number == version.number, fileCount: version.fileCount,
            contentLength: version.byteCount, addedAt: version.addedAt)
    }
}
