import Foundation
import StoreModel
import StoreWire

/// The store's export of its transactions, as `bodega transaction export` wrote it.
enum SalesFile {
    /// Amounts beyond it are not the store's; with the limit of rows, sums stay within 64 bits.
    private static let milliunitsMax: Int64 = 1_000_000_000_000
    private static let countMax = 1_000_000

    static func read(_ path: String) throws -> [SoldTransactionBody] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("\(path) cannot be read")
        }
        let sales = try bytes.first == UInt8(ascii: "{") ? json(bytes, path) : csv(bytes, path)
        guard sales.count <= countMax else {
            throw Failure("\(path) has more than \(countMax) transactions")
        }
        var seen: Set<String> = []
        for (index, sale) in sales.enumerated() {
            let amounts = [
                sale.priceMilliunits, sale.chargedMilliunits, sale.refundedMilliunits,
            ]
            guard amounts.allSatisfy({ (0...milliunitsMax).contains($0) }) else {
                throw Failure("\(path), transaction \(index + 1): an amount is not possible")
            }
            guard (1...1_000).contains(sale.quantity),
                Timestamp.range.contains(Timestamp(milliseconds: sale.purchasedAt))
            else {
                throw Failure(
                    "\(path), transaction \(index + 1): the quantity or the time is not possible")
            }
            guard seen.insert("\(sale.environment)/\(sale.transactionId)").inserted else {
                throw Failure(
                    "\(path), transaction \(index + 1): \(sale.transactionId) is there twice")
            }
        }
        return sales
    }

    private static func json(_ bytes: Data, _ path: String) throws -> [SoldTransactionBody] {
        do {
            return try WireJSON.decode(SoldTransactionsBody.self, from: Array(bytes)).transactions
        } catch {
            throw Failure("\(path) is not an export of transactions: \(WireJSON.explain(error))")
        }
    }

    private static func csv(_ bytes: Data, _ path: String) throws -> [SoldTransactionBody] {
        let rows: [[String]]
        do {
            rows = try CSV.rows(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw Failure("\(path), line \(error.line): \(error.sentence)")
        }
        guard rows.first == SoldTransactionBody.csvHeader else {
            throw Failure(
                "\(path) is not an export of transactions: the first line must name the fields "
                    + SoldTransactionBody.csvHeader.joined(separator: ","))
        }
        return try rows.dropFirst().enumerated().map { index, fields in
            guard let sale = SoldTransactionBody(csvFields: fields) else {
                throw Failure("\(path), row \(index + 2): it is not a transaction")
            }
            return sale
        }
    }
}
