import StoreDatabase
import StoreHTTP
import StoreService
import StoreWire

/// Exports what was sold, for the owner's books.
enum SaleService {
    /// `GET /control/v1/transactions?after=…`, of all accounts and apps.
    static func list(_ call: StoreCall) throws -> SoldTransactionsBody {
        let page = try page(call)
        return SoldTransactionsBody(transactions: page.items, next: next(page))
    }

    /// `GET /control/v1/transactions.csv?after=…`: the same as comma-separated values.
    static func csv(_ call: StoreCall) throws -> HTTPResponse {
        let page = try page(call)
        var headers = HTTPHeaders([("Content-Type", "text/csv; charset=utf-8; header=present")])
        if let next = next(page) { headers.add(nextHeader, "\(next)") }
        let lines = [SoldTransactionBody.csvHeader] + page.items.map(\.csvFields)
        return HTTPResponse(
            status: 200, headers: headers, body: lines.flatMap { Array(CSV.line($0).utf8) })
    }

    private static func page(_ call: StoreCall) throws -> Page<SoldTransactionBody> {
        let after = try call.request.after()
        return try call.world.database.read { scope in
            try Page(of: Limits.soldTransactionsPerAnswerMax) {
                try scope.soldTransactions(after: after, countMax: $0)
            }
        }
    }

    private static func next(_ page: Page<SoldTransactionBody>) -> Int64? {
        page.next { Int64($0.transactionId) ?? 0 }
    }

    /// The `after` of the next page, where the body does not have it.
    static let nextHeader = "Next-After"
}
