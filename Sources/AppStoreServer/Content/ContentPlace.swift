import Dispatch
import StoreDatabase
import StoreDigest
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// The product whose content an owner's request is about, as its path names it.
struct ContentPlace: Sendable {
    let app: String
    let product: String

    init(_ path: PathParameters) {
        app = path.named("app")
        product = path.named("product")
    }

    /// The rows; 404 when there is no such app or product.
    func found(_ scope: borrowing ReadScope) throws -> (app: AppID, product: ProductID) {
        let app = try scope.knownApp(self.app).id
        return (app, try scope.knownProduct(product, of: app).product.id)
    }

    /// An upload's identifier, the same for the same files under the same version, whatever their
    /// order.
    func uploadID(of package: ContentPackage) -> String {
        let digest = RunningDigest()
        for text in [app, product, package.version] {
            digest.add(Array("\(text)\u{0}".utf8)[...])
        }
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

    static func contentVersionExists(_ version: String) -> Refusal {
        Refusal(
            409, "contentVersionExists",
            "The product already has other content of version \(version); use another version.")
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
