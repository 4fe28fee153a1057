import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Shows what was sold: for the owner's books, and one sale with all that belongs to it.
enum SaleService {
    /// `GET /control/v1/transactions`, of all accounts and apps unless filters say otherwise.
    static func list(_ call: StoreCall) throws -> SalesBody {
        let order: ListOrder = try call.request.queryName("order") ?? .oldest
        let countMax = try call.request.limit(
            Limits.salesPerAnswerMax, countMax: Limits.salesPerAnswerMax)
        let after = try position(call)
        return try call.world.database.read { scope in
            let page = try SalePage(
                try SaleFilter(call.request, scope), after: after, order, countMax: countMax, scope)
            let position = order == .oldest ? page.position : try scope.lastSales()
            return SalesBody(
                transactions: page.sales, next: page.goesOn ? "\(page.position)" : nil,
                position: "\(position)")
        }
    }

    /// `GET /control/v1/transactions.csv?after=…`: all of them as comma-separated values.
    static func csv(_ call: StoreCall) throws -> HTTPResponse {
        let after = try position(call)
        let page = try call.world.database.read { scope in
            try SalePage(
                .all, after: after, .oldest, countMax: Limits.salesPerAnswerMax, scope)
        }
        var headers = HTTPHeaders([
            ("Content-Type", "text/csv; charset=utf-8; header=present"),
            (positionHeader, "\(page.position)"),
        ])
        if page.goesOn { headers.add(nextHeader, "\(page.position)") }
        let lines = [SoldTransactionBody.csvHeader] + page.sales.map(\.sold.csvFields)
        return HTTPResponse(
            status: 200, headers: headers, body: lines.flatMap { Array(CSV.line($0).utf8) })
    }

    private static func position(_ call: StoreCall) throws -> SalePosition {
        guard let position = SalePosition(call.request.queryValue("after") ?? "0") else {
            throw Refusal(
                400, "badQuery", "after is not a position that an earlier page gave, nor 0.")
        }
        return position
    }

    /// `GET /control/v1/transactions/{id}`
    static func show(_ call: StoreCall, _ text: String) throws -> SaleDetailsBody {
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.transactionUnknown
        }
        return try call.world.database.read { scope in
            guard let found = try scope.transaction(TransactionID(number)),
                let sale = try scope.sale(found.id)
            else { throw Refusal.transactionUnknown }
            return try details(of: found, sale, scope)
        }
    }

    private static func details(
        of found: StoreTransaction, _ sale: SaleBody, _ scope: borrowing ReadScope
    ) throws -> SaleDetailsBody {
        let payment = try scope.namedPayment(for: found.id)
        let refund = try scope.namedRefund(of: scope.refundedPurchase(of: found).id)
        return SaleDetailsBody(
            transaction: sale, originallyPurchasedAt: found.originallyPurchasedAt,
            deviceId: found.device.rawValue,
            attemptId: found.restoration?.restore.rawValue ?? found.attempt.rawValue,
            applicationUsername: found.applicationUsername,
            subscriptionGroup: found.subscription?.group,
            restoredTransactionId: found.restoration.map { "\($0.purchase)" },
            sharedTransactionId: found.share.map { "\($0.purchase)" },
            familyCopies: try scope.copies(of: found.id).compactMap { try scope.sale($0.id) },
            refund: refund.map { RefundBody($0) },
            upgradeRefundMilliunits: try scope.upgradeRefund(of: found.id),
            payment: payment.map { PaymentBody($0) },
            ledger: try scope.ledgerEntries(of: found.id, paidBy: payment).map {
                try LedgerEntryBody($0, scope)
            })
    }

    /// The `after` of the next page, where the body does not have it.
    static let nextHeader = "Next-After"
    /// The `after` of a later export, likewise.
    static let positionHeader = "Position"
}
