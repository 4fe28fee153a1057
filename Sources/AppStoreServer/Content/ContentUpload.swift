import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Takes new versions of products' content and of on-demand resources: begin, parts, commit. Each
/// request may be repeated.
enum ContentUpload {
    /// `POST …/products/{productId}/content-uploads` and `…/resources/{appVersion}/{tag}/uploads`
    static func begin(
        _ request: HTTPRequest, _ place: ContentPlace, _ scene: Scene, _ responder: Responder
    ) {
        scene.answerContent(responder) {
            let (package, kind) = try place.package(begunBy: request)
            let upload = place.uploadID(of: package, kind)
            return try scene.content.holding(package.digests) {
                try store(package, kind, as: upload, place, scene)
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

    /// `PUT …/{uploadId}/files/{sha256}?offset=N`
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

    /// `POST …/{uploadId}/commit`: devices get it from now on.
    static func commit(
        _ request: HTTPRequest, _ place: ContentPlace, upload: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.answerContent(responder) {
            let (known, files) = try scene.world.database.read { scope in
                (
                    try committed(scope, upload, place),
                    try filesOnTheirWay(scope, upload, place, scene)
                )
            }
            guard let files else {
                guard let known else { throw Refusal.uploadUnknown }
                return .json(try place.body(of: known.version, among: known.all))
            }
            let made = try scene.content.holding(Set(files.map(\.digest))) {
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
                StoreEvent.contentAdded,
                (place.isTag ? "tag" : "product", .text(made.version.owner)),
                ("version", .text(made.version.version)),
                ("bytes", .number(made.version.byteCount)))
            return .json(try place.body(of: made.version, among: made.all))
        }
    }

    private static func store(
        _ package: ContentPackage, _ kind: ResourceKind?, as upload: String,
        _ place: ContentPlace, _ scene: Scene
    ) throws {
        let moment = scene.contentKeptSince
        let realNow = scene.world.time.real()
        try scene.world.database.write { scope in
            try scope.deleteOldContent(before: moment)
            let owner = try place.found(scope.reading)
            try place.checkFree(package.version, upload: upload, of: owner, scope.reading)
            try scope.saveUpload(upload, of: package, for: owner, kind: kind, realNow: realNow)
            guard try scope.reading.uploadCount() <= Limits.contentUploadsMax else {
                throw Refusal(
                    409, "tooManyUploads",
                    "\(Limits.contentUploadsMax) uploads are on their way; commit some, or wait a "
                        + "day until abandoned ones end.")
            }
        }
    }

    /// A version that an upload has become, and all of its owner, the newest first.
    private typealias Committed = (version: ContentVersion, all: [ContentVersion])

    private static func commit(
        _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> Committed {
        let time = scene.world.time
        return try scene.world.database.write { scope in
            if let known = try committed(scope.reading, upload, place) {
                try scope.deleteUpload(upload)
                return known
            }
            let owner = try place.found(scope.reading)
            let version = try uploadVersion(scope.reading, upload, place, scene)
            try place.checkFree(version, upload: upload, of: owner, scope.reading)
            try scope.addContentVersion(fromUpload: upload, now: time.now())
            let made = try committed(scope.reading, upload, place)
            guard let made else { preconditionFailure("a version that was just added exists") }
            return made
        }
    }

    /// The version that an upload has become; nil when it is on its way or unknown. An upload that
    /// was begun again may already be a version, and then replaces the bytes that the store has
    /// lost.
    private static func committed(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace
    ) throws -> Committed? {
        let versions = try scope.contentVersions(of: try place.found(scope))
        return versions.first { $0.upload == upload && place.names($0.version) }
            .map { ($0, versions) }
    }

    /// The files of an upload on its way; nil when there is none.
    private static func filesOnTheirWay(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> [ContentFile]? {
        let version = try scope.versionOfUpload(
            upload, of: try place.found(scope), begunSince: scene.contentKeptSince)
        guard let version, place.names(version) else { return nil }
        return try scope.uploadFiles(of: upload)
    }

    /// The version of an upload on its way; 404 when there is none.
    @discardableResult
    private static func uploadVersion(
        _ scope: borrowing ReadScope, _ upload: String, _ place: ContentPlace, _ scene: Scene
    ) throws -> String {
        let version = try scope.versionOfUpload(
            upload, of: try place.found(scope), begunSince: scene.contentKeptSince)
        guard let version, place.names(version) else { throw Refusal.uploadUnknown }
        return version
    }

    /// The files whose bytes are missing, one for each digest.
    private static func missing(
        _ files: [ContentFile], in content: ContentStore
    ) -> [ContentFile] {
        var seen: Set<String> = []
        return files.filter { seen.insert($0.digest).inserted && !content.has($0) }
    }
}

extension ContentPlace {
    var isTag: Bool {
        if case .tag = self { true } else { false }
    }

    /// The answer about a version; `versions` are those of its owner, the newest first.
    fileprivate func body(
        of version: ContentVersion, among versions: [ContentVersion]
    ) throws -> [UInt8] {
        isTag
            ? try WireJSON.encode(TaggedResourceBody(version))
            : try WireJSON.encode(ContentVersionBody(version, among: versions))
    }

    /// Throws unless a version can be added, or exists with these very files.
    fileprivate func checkFree(
        _ version: String, upload: String, of owner: ContentOwner, _ scope: borrowing ReadScope
    ) throws {
        let versions = try scope.contentVersions(of: owner)
        if let known = versions.first(where: { $0.version == version }) {
            guard known.upload == upload else { throw exists(version) }
        } else if isTag {
            let resources = try scope.resources(of: owner.app)
            guard resources.count < Limits.resourcesMax,
                resources.count(where: { $0.version == version }) < Limits.tagsMax
            else { throw Self.tooManyTags }
        } else if versions.count >= Limits.contentVersionsMax {
            throw Refusal(
                409, "tooManyContentVersions",
                "\(owner.name) has \(Limits.contentVersionsMax) versions of content; remove some "
                    + "first.")
        }
    }

    private func exists(_ version: String) -> Refusal {
        isTag
            ? Refusal(
                409, "resourceExists",
                "The tag has other files or another kind in version \(version) of the app; use "
                    + "another version, or remove it first.")
            : Refusal(
                409, "contentVersionExists",
                "The product already has other content of version \(version); use another "
                    + "version.")
    }

    private static let tooManyTags = Refusal(
        409, "tooManyTags",
        "A version of an app has at most \(Limits.tagsMax) tags, all versions together "
            + "\(Limits.resourcesMax); remove some first.")
}
