import StoreDatabase
import StoreHTTP
import StoreService
import StoreWire

/// Exports what was sold, for the owner's books.
enum SaleService {
    /// `GET /control/v1/transactions?after=…`, of all accounts and apps.
    static func list(_ call: StoreCall) throws -> SoldTransactionsBody {
        let (page, position) = try page(call)
        return SoldTransactionsBody(
            transactions: page.items, next: page.next { _ in "\(position)" },
            position: "\(position)")
    }

    /// `GET /control/v1/transactions.csv?after=…`: the same as comma-separated values.
    static func csv(_ call: StoreCall) throws -> HTTPResponse {
        let (page, position) = try page(call)
        var headers = HTTPHeaders([
            ("Content-Type", "text/csv; charset=utf-8; header=present"),
            (positionHeader, "\(position)"),
        ])
        if let next = page.next({ _ in "\(position)" }) { headers.add(nextHeader, next) }
        let lines = [SoldTransactionBody.csvHeader] + page.items.map(\.csvFields)
        return HTTPResponse(
            status: 200, headers: headers, body: lines.flatMap { Array(CSV.line($0).utf8) })
    }

    /// A page, and the position after it.
    private static func page(
        _ call: StoreCall
    ) throws -> (Page<SoldTransactionBody>, SalePosition) {
        let text = call.request.queryValue("after") ?? "0"
        guard let position = SalePosition(text) else {
            throw Refusal(
                400, "badQuery", "after is not a position that an earlier page gave, nor 0.")
        }
        let page = try call.world.database.read { scope in
            try Page(of: Limits.soldTransactionsPerAnswerMax) {
                try scope.soldTransactions(after: position, countMax: $0)
            }
        }
        return (page, position.after(page.items))
    }

    /// The `after` of the next page, where the body does not have it.
    static let nextHeader = "Next-After"
    /// The `after` of a later export, likewise.
    static let positionHeader = "Position"
}
