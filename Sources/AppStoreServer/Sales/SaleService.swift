import StoreDatabase
import StoreHTTP
import StoreService
import StoreWire

/// Exports what was sold, for the owner's books.
enum SaleService {
    /// `GET /control/v1/transactions?after=…&format=…`, of all accounts and apps.
    static func export(_ call: StoreCall) throws -> HTTPResponse {
        let after = try call.request.after()
        let format = call.request.queryValue("format") ?? "json"
        guard ["json", "csv"].contains(format) else {
            throw Refusal(400, "badQuery", "format is json or csv.")
        }
        let page = try call.world.database.read { scope in
            try Page(of: Limits.soldTransactionsPerAnswerMax) {
                try scope.soldTransactions(after: after, countMax: $0)
            }
        }
        let next = page.next { Int64($0.transactionId) ?? 0 }
        guard format == "csv" else {
            return try .json(
                encoding: SoldTransactionsBody(transactions: page.items, next: next))
        }
        var headers = HTTPHeaders([("Content-Type", "text/csv; charset=utf-8; header=present")])
        if let next { headers.add(nextHeader, "\(next)") }
        let lines = [SoldTransactionBody.csvHeader] + page.items.map(\.csvFields)
        return HTTPResponse(
            status: 200, headers: headers, body: lines.flatMap { Array(CSV.line($0).utf8) })
    }

    /// The `after` of the next page, where the body does not have it.
    static let nextHeader = "Next-After"
}
