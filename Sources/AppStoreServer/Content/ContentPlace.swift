import Dispatch
import StoreDatabase
import StoreDigest
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Whose content an owner's request is about, as its path names it.
enum ContentPlace: Sendable {
    case product(String, app: String)
    /// The on-demand resources of a tag in a version of the app.
    case tag(String, appVersion: String, app: String)

    init(_ path: PathParameters) {
        let app = path.named("app")
        self =
            path["tag"].map { .tag($0, appVersion: path.named("appVersion"), app: app) }
            ?? .product(path.named("product"), app: app)
    }

    /// 404 when there is no such app or product, or when the text is not a tag.
    func found(_ scope: borrowing ReadScope) throws -> ContentOwner {
        switch self {
        case .product(let product, let app):
            let app = try scope.knownApp(app).id
            return .product(try scope.knownProduct(product, of: app).product.id, in: app)
        case .tag(let tag, _, let app):
            let app = try scope.knownApp(app).id
            guard let tag = ResourceTag(tag) else { throw Refusal.resourceUnknown }
            return .tag(tag, in: app)
        }
    }

    /// Whether content of a version can be meant: a tag's path names the version, too.
    func names(_ version: String) -> Bool {
        switch self {
        case .product: true
        case .tag(_, let appVersion, _): version == appVersion
        }
    }

    /// The package that a request wants to begin, with the kind of resources.
    func package(
        begunBy request: HTTPRequest
    ) throws -> (package: ContentPackage, kind: ResourceKind?) {
        switch self {
        case .product:
            let body = try request.decoded(BeginContentBody.self)
            let files = body.files.map(ContentFile.init)
            return (try ContentPackage(version: body.contentVersion, files: files), nil)
        case .tag(let tag, let appVersion, _):
            if let problem = ResourceTag.problem(of: tag) {
                throw ContentRefusal.badTag(tag, problem)
            }
            let body = try request.decoded(BeginResourceBody.self)
            let files = body.files.map(ContentFile.init)
            return (try ContentPackage(appVersion: appVersion, files: files), body.kind)
        }
    }

    /// An upload's identifier, the same for the same files under the same version, whatever their
    /// order.
    func uploadID(of package: ContentPackage, _ kind: ResourceKind?) -> String {
        let digest = RunningDigest()
        let names =
            switch self {
            case .product(let product, let app): [app, product, package.version]
            case .tag(let tag, _, let app):
                [app, tag, package.version, kind?.rawValue ?? "", "resource"]
            }
        for text in names { digest.add(Array("\(text)\u{0}".utf8)[...]) }
        for file in package.files {
            let text = "\(file.path)\u{0}\(file.byteCount)\u{0}\(file.digest)\u{0}"
            digest.add(Array(text.utf8)[...])
        }
        return hexadecimal(digest.finish().prefix(16))
    }
}

extension Refusal {
    init(_ refusal: ContentRefusal) {
        self.init(422, "badContent", "\(refusal)")
    }

    static let uploadUnknown = Refusal(
        404, "uploadUnknown",
        "This upload does not exist, or was abandoned for a day; begin it again.")

    static let resourceUnknown = Refusal(
        404, "resourceUnknown", "This version of the app has no such tag.")
}

extension ContentFile {
    init(_ body: ContentFileBody) {
        self.init(path: body.path, byteCount: body.size, digest: body.sha256)
    }
}

extension ContentFileBody {
    init(_ file: ContentFile) {
        self.init(path: file.path, size: file.byteCount, sha256: file.digest)
    }
}

extension Scene {
    /// The moment of the real clock before which removed content and abandoned uploads are too old.
    var contentKeptSince: Timestamp {
        world.time.real().adding(milliseconds: -Limits.contentKeptMilliseconds)
    }

    /// Answers away from the listener's threads, which must not wait for the disk.
    func answerContent(
        _ responder: Responder, _ body: @escaping @Sendable () throws -> HTTPResponse
    ) {
        content.queue.async {
            answer(responder) {
                do {
                    return try body()
                } catch let refusal as ContentRefusal {
                    throw Refusal(refusal)
                }
            }
        }
    }
}
