import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Takes new versions of products' content: begin, parts, commit. Each request may be repeated.
enum ContentUpload {
    /// `POST …/products/{productId}/content-uploads`
    static func begin(
        _ request: HTTPRequest, _ place: ContentPlace, _ scene: Scene, _ responder: Responder
    ) {
        scene.answerContent(responder) {
            let body = try request.decoded(BeginContentBody.self)
            let package = try ContentPackage(
                version: body.contentVersion,
                files: body.files.map {
                    ContentFile(path: $0.path, byteCount: $0.size, digest: $0.sha256)
                })
            let upload = place.uploadID(of: package)
            return try scene.content.holding(package.digests) {
                try store(package, as: upload, place, scene)
                let body = ContentUploadBody(
                    uploadId: upload, partBytesMax: Int64(Limits.contentPartBytesMax),
                    missing: missing(package.files, in: scene.content).map {
                        MissingContentBody(
                            sha256: $0.digest, size: $0.byteCount,
                            received: scene.content.received($0))
                    })
                return .json(try WireJSON.encode(body))
            }
        }
    }

    /// `PUT …/content-uploads/{uploadId}/files/{sha256}?offset=N`
    static func take(
        _ request: HTTPRequest, _ place: ContentPlace, upload: String, digest: String,
        _ scene: Scene, _ responder: Responder
    ) {
        scene.answerContent(responder) {
            guard let offset = try request.queryNumber("offset") else {
                throw Refusal(400, "badQuery", "offset is missing.")
            }
            return try scene.content.holding([digest]) {
                let file = try scene.world.database.read { scope in
                    try uploadVersion(scope, upload, place, scene)
                    return try scope.uploadFiles(of: upload, digest: digest).first
                }
                guard let file else {
                    throw Refusal(404, "fileUnknown", "The upload has no file with that SHA-256.")
                }
                let received = try scene.content.add(request.body, at: offset, to: file)
                let body = ContentPartBody(
                    sha256: digest, size: file.byteCount, received: received)
                return .json(try WireJSON.encode(body))
            }
        }
    }

    /// `POST …/content-uploads/{uploadId}/commit`: purchases bring it from now on.
    static func commit(
        _ request: HTTPRequest, _ place: ContentPlace, upload: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.answerContent(responder) {
            let (known, files) = try scene.world.database.read { scope in
                (
                    try committed(scope, upload, place, scene),
                    try filesOnTheirWay(scope, upload, place, scene)
                )
            }
            guard let files else {
                guard let known else { throw Refusal.uploadUnknown }
                return .json(try WireJSON.encode(known))
            }
            let body = try scene.content.holding(Set(files.map(\.digest))) {
                let missing = missing(files, in: scene.content)
                guard missing.isEmpty else {
                    throw Refusal(
                        409, "contentIncomplete",
                        "\(missing.count) files are still missing or incomplete, "
                            + "\"\(ContentNames.shown(missing[0].path))\" first.")
                }
                CrashPoint.storeContentComplete.reach()
                return try commit(upload, place, scene)
            }
            CrashPoint.storeContentCommitted.reach()
            scene.log.event(
                StoreEvent.contentAdded, ("product", .text(body.productId)),
                ("version", .text(body.contentVersion)), ("bytes", .number(body.contentLength)))
            return .json(try WireJSON.encode(body))
        }
    }

    private static func store(
        _ package: ContentPackage, as upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws {
        let moment = scene.contentKeptSince
        let realNow = scene.world.time.real()
        try scene.world.database.write { scope in
            try scope.deleteOldContent(before: moment)
            let (app, product) = try place.found(scope.reading)
            try checkFree(package.version, upload: upload, of: product, in: app, scope.reading)
            try scope.saveUpload(upload, of: package, for: product, in: app, realNow: realNow)
            guard try scope.reading.uploadCount() <= Limits.contentUploadsMax else {
                throw Refusal(
                    409, "tooManyUploads",
                    "\(Limits.contentUploadsMax) uploads are on their way; commit some, or wait a "
                        + "day until abandoned ones end.")
            }
        }
    }

    private static func commit(
        _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> ContentVersionBody {
        let time = scene.world.time
        return try scene.world.database.write { scope in
            if let known = try committed(scope.reading, upload, place, scene) {
                try scope.deleteUpload(upload)
                return known
            }
            let (app, product) = try place.found(scope.reading)
            let version = try uploadVersion(scope.reading, upload, place, scene)
            try checkFree(version, upload: upload, of: product, in: app, scope.reading)
            try scope.addContentVersion(
                fromUpload: upload, version: version, of: product, in: app, now: time.now())
            let made = try committed(scope.reading, upload, place, scene)
            guard let made else { preconditionFailure("a version that was just added exists") }
            return made
        }
    }

    /// The version that an upload has become; nil when it is on its way or unknown. An upload that
    /// was begun again may already be a version, and then replaces the bytes that the store has
    /// lost.
    private static func committed(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> ContentVersionBody? {
        let app = try scope.knownApp(place.app).id
        let versions = try scope.contentVersions(of: app)
        guard
            let version = versions.first(where: {
                $0.upload == upload && $0.product.rawValue == place.product
            })
        else { return nil }
        return ContentVersionBody(version, among: versions)
    }

    /// The files of an upload on its way; nil when there is none.
    private static func filesOnTheirWay(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> [ContentFile]? {
        let (app, product) = try place.found(scope)
        let version = try scope.versionOfUpload(
            upload, of: product, in: app, begunSince: scene.contentKeptSince)
        return version == nil ? nil : try scope.uploadFiles(of: upload)
    }

    /// The version of an upload on its way; 404 when there is none.
    @discardableResult
    private static func uploadVersion(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> String {
        let (app, product) = try place.found(scope)
        let version = try scope.versionOfUpload(
            upload, of: product, in: app, begunSince: scene.contentKeptSince)
        guard let version else { throw Refusal.uploadUnknown }
        return version
    }

    /// Throws unless a version can be added, or exists with these very files.
    private static func checkFree(
        _ version: String, upload: String, of product: ProductID, in app: AppID,
        _ scope: borrowing ReadScope
    ) throws {
        let versions = try scope.contentVersions(of: app).filter { $0.product == product }
        let known = versions.first { $0.version == version }
        guard known?.upload ?? upload == upload else {
            throw Refusal.contentVersionExists(version)
        }
        guard known != nil || versions.count < Limits.contentVersionsMax else {
            throw Refusal(
                409, "tooManyContentVersions",
                "\(product) has \(Limits.contentVersionsMax) versions of content; remove some "
                    + "first.")
        }
    }

    /// The files whose bytes are missing, one for each digest.
    private static func missing(
        _ files: [ContentFile], in content: ContentStore
    ) -> [ContentFile] {
        var seen: Set<String> = []
        return files.filter { seen.insert($0.digest).inserted && !content.has($0) }
    }
}
