import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// On-demand resources: for owners, and for devices of the app, whether or not anybody is signed in.
enum ResourceService {
    // MARK: - Owners

    static func list(_ call: StoreCall, app: String) throws -> TaggedResourcesBody {
        let resources = try call.world.database.read { scope in
            try scope.resources(of: try scope.knownApp(app).id)
        }
        return TaggedResourcesBody(resources: try resources.map(TaggedResourceBody.init))
    }

    /// `DELETE …/resources/{appVersion}/{tag}`: devices do not get it any longer. One that has begun
    /// to fetch it may continue for a day; one that has it keeps it until it needs the space.
    static func remove(
        _ call: StoreCall, _ place: ContentPlace, appVersion: String
    ) async throws -> RemovedResourceBody {
        let moment = call.contentKeptSince
        let realNow = call.world.time.real()
        let body = try await call.context.commit { scope in
            try scope.deleteOldContent(before: moment)
            let owner = try place.found(scope.reading)
            let named = try scope.reading.contentVersions(of: owner, keptSince: moment)
                .filter { $0.version == appVersion }
            guard !named.isEmpty else { throw Refusal.resourceUnknown }
            for version in named { try scope.removeContent(version, realNow: realNow) }
            return RemovedResourceBody(tag: owner.name, appVersion: appVersion)
        }
        call.log.event(
            StoreEvent.contentRemoved, ("tag", .text(body.tag)),
            ("versions", .text(body.appVersion)))
        return body
    }

    // MARK: - Devices

    /// `GET /device/v1/resources?version=V`
    static func tags(_ call: StoreCall) throws -> ResourceListBody {
        let version = try appVersion(call.request)
        let session = try call.context.session(call.request)
        let resources = try call.world.database.read {
            try $0.resources(of: session.app, version: version)
        }
        return ResourceListBody(
            tags: try resources.map {
                ResourceListBody.Tag(
                    tag: $0.owner, kind: try $0.kind, contentLength: $0.byteCount)
            })
    }

    /// `GET /device/v1/resources/{tag}?version=V`
    static func manifest(_ call: StoreCall, tag: String) throws -> ContentManifestBody {
        let version = try appVersion(call.request)
        let session = try call.context.session(call.request)
        let moment = call.contentKeptSince
        return try call.world.database.read { scope in
            try scope.manifest(
                of: try scope.resource(
                    tag, of: session.app, version: version, keptSince: moment))
        }
    }

    /// `GET /device/v1/resources/{tag}/{appVersion}/{sha256}`, whole or a range of it.
    static func file(
        _ request: HTTPRequest, tag: String, appVersion: String, digest: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.answer(responder) {
            let session = try scene.session(request)
            let moment = scene.contentKeptSince
            let file = try scene.world.database.read { scope in
                let version = try scope.resource(
                    tag, of: session.app, version: appVersion, keptSince: moment)
                return try scope.contentFile(digest, of: version)
            }
            guard let file else { throw Refusal.resourceUnknown }
            return try ContentService.answer(with: file, request, scene)
        }
    }

    private static func appVersion(_ request: HTTPRequest) throws -> String {
        let versionMax = Limits.appVersionBytesMax
        guard let version = request.queryValue("version"),
            (1...versionMax).contains(version.utf8.count)
        else {
            throw Refusal(
                400, "badQuery",
                "version is missing or has more than \(versionMax) bytes; name the app's version.")
        }
        return version
    }
}

extension ReadScope {
    /// The newest resources of a tag in a version of an app, while they are kept.
    fileprivate borrowing func resource(
        _ tag: String, of app: AppID, version: String, keptSince moment: Timestamp
    ) throws -> ContentVersion {
        guard let tag = ResourceTag(tag),
            let found = try contentVersions(of: .tag(tag, in: app), keptSince: moment)
                .first(where: { $0.version == version })
        else { throw Refusal.resourceUnknown }
        return found
    }
}

extension ContentVersion {
    /// The kind of resources.
    fileprivate var kind: ResourceKind {
        get throws {
            guard let resourceKind else {
                throw DatabaseError(code: .other, detail: "version \(number) has no kind")
            }
            return resourceKind
        }
    }
}

extension TaggedResourceBody {
    init(_ version: ContentVersion) throws {
        self.init(
            tag: version.owner, appVersion: version.version, kind: try version.kind,
            fileCount: version.fileCount, contentLength: version.byteCount,
            addedAt: version.addedAt)
    }
}
