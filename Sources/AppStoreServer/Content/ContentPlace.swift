import Dispatch
import StoreDatabase
import StoreDigest
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Whose content a request of the owner is about, as its path names it.
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

    /// The same for the same files under the same version, whatever their order.
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
        "There is no such upload here, or it was left for a day; begin it again.")

    static func contentVersionExists(_ version: String) -> Refusal {
        Refusal(
            409, "contentVersionExists",
            "The product has other content of version \(version); give this another version.")
    }
}

extension Scene {
    /// What is older than this moment of the real clock has been removed or left for too long.
    var contentKeptSince: Timestamp {
        world.time.real().adding(milliseconds: -Limits.contentKeptMilliseconds)
    }

    /// Answers away from the listener's threads, which do not wait for the disk.
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
