package import StoreHTTP
import StoreModel
import StoreWire

/// Every address of the backend.
///
/// `BackendDocument` describes each of them; a test holds the two together.
package enum BackendRoutes {
    static let table: Router<BackendScene> = {
        var router = Router<BackendScene>()
        func add(
            _ method: String, _ pattern: String, bodyBytesMax: Int = BackendLimits.bodyMax,
            _ serve: @escaping @Sendable (BackendScene, PathParameters) throws -> Void
        ) {
            router.add(method, pattern, bodyBytesMax: bodyBytesMax) { _, path, scene, _ in
                scene.attempt(bodyBytesMax: bodyBytesMax) { try serve(scene, path) }
            }
        }
        add("GET", "/health") { scene, _ in
            scene.send(jsonResponse(status: 200, ["status": "ok"]))
        }
        add("GET", "/ready") { scene, _ in scene.send(try scene.ready()) }
        add("GET", "/openapi.json") { scene, _ in scene.send(.json(BackendDocument.bytes)) }
        add("GET", "/v1/products") { scene, _ in
            let identifiers = scene.parts.products.products.map(\.id)
            scene.send(
                jsonResponse(
                    status: 200, ProductIdentifiersBody(productIdentifiers: identifiers)))
        }
        add("GET", "/v1/products/:product/content") { scene, path in
            scene.send(
                try scene.parts.receipts.content(
                    of: path["product"] ?? "", for: try scene.user()))
        }
        add("POST", "/v1/users") { scene, _ in
            try scene.parts.accounts.signUp(scene.request, scene.responder)
        }
        add("POST", "/v1/sessions") { scene, _ in
            try scene.parts.accounts.signIn(scene.request, scene.responder)
        }
        add("DELETE", "/v1/sessions") { scene, _ in
            try scene.parts.accounts.signOut(scene.request, scene.responder)
        }
        add("POST", "/v1/receipts", bodyBytesMax: BackendLimits.receiptBodyMax) { scene, _ in
            let user = try scene.user()
            scene.read(bodyBytesMax: BackendLimits.receiptBodyMax) {
                try scene.parts.receipts.submit(scene.request, by: user, scene.responder)
            }
        }
        add("GET", "/v1/receipts/:submission") { scene, path in
            scene.send(
                try scene.parts.receipts.state(
                    SubmissionID(path["submission"] ?? ""), for: try scene.user()))
        }
        add("GET", "/v1/purchases") { scene, _ in
            scene.send(try scene.parts.receipts.purchases(of: try scene.user()))
        }
        add("POST", "/v1/offers") { scene, _ in
            try scene.parts.offers.sign(scene.request, for: try scene.user(), scene.responder)
        }
        add("GET", "/operator/v1/submissions") { scene, _ in
            scene.send(try scene.parts.operators.list(scene.request))
        }
        add("GET", "/operator/v1/submissions/:submission") { scene, path in
            scene.send(
                try scene.parts.operators.show(
                    SubmissionID(path["submission"] ?? ""), scene.request))
        }
        add("POST", "/operator/v1/submissions/:submission/retry") { scene, path in
            scene.send(
                try scene.parts.operators.retry(
                    SubmissionID(path["submission"] ?? ""), scene.request))
        }
        add("POST", "/operator/v1/submissions/:submission/recheck") { scene, path in
            try scene.parts.operators.recheck(
                SubmissionID(path["submission"] ?? ""), scene.request, scene.responder)
        }
        addSubscriptions(add)
        return router
    }()

    private typealias Serve = @Sendable (BackendScene, PathParameters) throws -> Void

    private static func addSubscriptions(_ add: (String, String, Int, @escaping Serve) -> Void) {
        add("GET", "/operator/v1/subscriptions", BackendLimits.bodyMax) { scene, _ in
            scene.send(try scene.parts.operators.listSubscriptions(scene.request))
        }
        let check = "/operator/v1/subscriptions/:original/check"
        add("POST", check, BackendLimits.bodyMax) { scene, path in
            scene.send(
                try scene.parts.operators.checkSubscription(
                    path["original"] ?? "", scene.request))
        }
    }

    package static var all: [RouteEntry] { table.entries }
}
