import Foundation
import PurchaseBackend
import StoreModel
import StoreWire

/// The file with the backend's price records, as an operator writes it.
struct PriceFile: Decodable {
    private struct Item: Decodable {
        let productId: String
        let storefront: String
        let currency: String
        let amount: Int64
        let from: String?
        let until: String?
    }

    private let prices: [Item]

    /// Reads and checks it; an error names the record.
    static func read(_ path: String) throws -> PriceRecordsBody {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("\(path) cannot be read")
        }
        let file: PriceFile
        do {
            file = try WireJSON.decodeBody(PriceFile.self, from: Array(bytes))
        } catch {
            throw UsageError("\(path): \(WireJSON.explain(error))")
        }
        let prices = try file.prices.enumerated().map { index, item in
            func time(_ text: String?, _ name: String) throws -> Int64? {
                try text.map {
                    try TimeWords.moment($0, for: "\(path): prices[\(index)].\(name)").milliseconds
                }
            }
            return PriceRecordBody(
                productId: item.productId, storefront: item.storefront, currency: item.currency,
                amount: item.amount, from: try time(item.from, "from"),
                until: try time(item.until, "until"))
        }
        do {
            try PriceRecordRules.check(prices)
        } catch {
            throw UsageError("\(path): \(error.place) \(error.sentence)")
        }
        return PriceRecordsBody(prices: prices)
    }
}
