import Foundation
import StoreWire

/// Fetches a products request's answer from the store, or gives the reason why it cannot.
struct ProductsClient: Sendable {
    /// The store's maximum per request; more identifiers are split over several requests.
    static let identifiersPerRequestMax = 1_000

    let connection: Result<StoreConnection, FailureReason>
    let retries: Retries

    func products(_ identifiers: Set<String>) -> Result<SKProductsResponse, SKError> {
        let connection: StoreConnection
        switch self.connection {
        case .success(let usable): connection = usable
        case .failure(let reason): return .failure(reason.error)
        }
        if identifiers.isEmpty { return .success(SKProductsResponse()) }
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
            case .failure(let failure):
                return .failure(SKError(.unknown, sentence: failure.sentence))
            }
        }
        return .success(
            Self.response(
                ProductsAnswerBody(products: products, invalidProductIdentifiers: invalid)))
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
