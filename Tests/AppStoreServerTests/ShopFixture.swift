import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The shop owner's side of a stocked test store, in short words.
struct ShopFixture {
    let store: TestStore
    static let app = "/control/v1/apps/\(TestStore.bundleID)"

    init() throws {
        store = try TestStore()
    }

    func path(_ product: String) -> String { "\(Self.app)/products/\(product)" }

    func importFile(_ text: String = Samples.catalogue) async -> HTTPResponse {
        await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken, body: Array(text.utf8))
    }

    /// So many seconds after the first moment that a world's clock can show.
    static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp.certified.lowerBound.adding(milliseconds: seconds * 1_000)
    }

    /// Holds the world's clock at a `moment`.
    func hold(_ seconds: Int64) async throws {
        let answer = try await store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: Self.moment(seconds)))
        #expect(answer.status == 200)
    }

    func set(delay milliseconds: Int64) async throws {
        let answer = try await store.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: nil, delayMilliseconds: milliseconds))
        #expect(answer.status == 200)
    }

    func set(
        _ product: String, _ state: SaleState, _ reason: RejectionReason? = nil,
        note: String? = nil
    ) async throws -> HTTPResponse {
        try await store.control(
            "PUT", path(product) + "/state",
            body: SaleStateBody(state: state, reason: reason, note: note))
    }

    func listed(_ product: String) async throws -> CatalogueProductBody? {
        let answer = try await store.control("GET", "\(Self.app)/products")
        return try WireJSON.decode(CatalogueProductsBody.self, from: answer.body).products
            .first { $0.productId == product }
    }

    /// What a device is shown of a product; nil when the store does not know it.
    func shown(_ product: String, token: String) async throws -> ProductBody? {
        let answer = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [product], locale: nil)))
        let body = try WireJSON.decode(ProductsAnswerBody.self, from: answer.body)
        #expect(body.products.count + body.invalidProductIdentifiers.count == 1)
        return body.products.first
    }

    /// What became of a purchase: the milliunits charged, or the reason it was refused for.
    func bought(_ product: String, token: String) async throws -> String {
        let answer = try await store.attempt(product, token: token)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        if let refusal = body.refusal { return refusal.code.rawValue }
        let id = try #require(body.transaction.flatMap { Int64($0.transactionId) })
        let sold = try store.registry.defaultWorld.database.read {
            try $0.transaction(TransactionID(id))
        }
        return "\(try #require(sold).charged.milliunits)"
    }

    func history(_ query: String = "") async throws -> ReviewsBody {
        let answer = try await store.control("GET", "\(Self.app)/reviews\(query)")
        #expect(answer.status == 200)
        return try WireJSON.decode(ReviewsBody.self, from: answer.body)
    }
}
