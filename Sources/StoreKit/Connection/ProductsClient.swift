import Foundation
import StoreWire

/// Fetches a products request's answer from the store, or gives the reason why it cannot.
struct ProductsClient: Sendable {
    /// The store's maximum per request; more identifiers are split over several requests.
    static let identifiersPerRequestMax = 1_000

    let connection: Result<StoreConnection, FailureReason>
    let retries: Retries

    func products(_ identifiers: Set<String>) -> Result<SKProductsResponse, SKError> {
        if case .failure(let reason) = connection { return .failure(reason.error) }
        return bodies(identifiers).map { Self.response($0) }.mapError {
            SKError(.unknown, sentence: $0.sentence)
        }
    }

    /// The store's answer, for a device that has a store.
    func bodies(_ identifiers: Set<String>) -> Result<ProductsAnswerBody, StoreFailure> {
        guard case .success(let connection) = connection, !identifiers.isEmpty else {
            return .success(ProductsAnswerBody(products: [], invalidProductIdentifiers: []))
        }
        var products: [ProductBody] = []
        var invalid: [String] = []
        var rest = identifiers.sorted()[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.identifiersPerRequestMax))
            rest = rest.dropFirst(part.count)
            switch patiently({ () throws(StoreFailure) in try connection.products(part) }) {
            case .success(let body):
                products += body.products
                invalid += body.invalidProductIdentifiers
            case .failure(let failure): return .failure(failure)
            }
        }
        return .success(
            ProductsAnswerBody(products: products, invalidProductIdentifiers: invalid))
    }

    /// Asks a few times while the store cannot be reached.
    func patiently<Answer>(
        _ ask: () throws(StoreFailure) -> Answer
    ) -> Result<Answer, StoreFailure> {
        var tries = 0
        while true {
            tries += 1
            do throws(StoreFailure) {
                return .success(try ask())
            } catch {
                guard error.kind == .lost, tries < Retries.impatientTriesMax else {
                    return .failure(error)
                }
                let delay = retries.delayMilliseconds(afterTries: tries)
                Thread.sleep(forTimeInterval: Double(delay) / 1_000)
            }
        }
    }

    static func response(_ body: ProductsAnswerBody) -> SKProductsResponse {
        SKProductsResponse(
            products: body.products.map { SKProduct(details: ProductDetails($0)) },
            invalidProductIdentifiers: body.invalidProductIdentifiers)
    }
}

extension FailureReason: Error {}
