import StoreDatabase
import StoreModel
import StoreWire

/// The state of a transaction named `sold`, as `TransactionState` says. A restored one is revoked
/// with the purchase that it restores.
private let stateOfSold = """
    CASE WHEN EXISTS (SELECT 1 FROM revocation
            WHERE transaction_id IN (sold.id, sold.restored_id)) THEN 'revoked'
        WHEN sold.upgraded_ms IS NOT NULL THEN 'replaced'
        WHEN sold.finished_ms IS NULL THEN 'unfinished'
        ELSE 'finished' END
    """

private func ledgerSum(_ sum: String, _ reference: String) -> String {
    """
    (SELECT coalesce(\(sum)(milliunits), 0) FROM ledger_entry
        JOIN ledger_posting ON entry_number = number
        WHERE ledger_entry.transaction_id = sold.id
            AND reference \(reference) 'charge/' || sold.id AND account_kind = 'customer')
    """
}

/// Selects transactions named `sold`, in the order of their numbers: rows of other tables are found
/// for each.
private let saleRows = """
    SELECT sold.id, sold.original_id, sold.environment, app.bundle_id, sold.product_id, sold.kind,
        sold.quantity, sold.purchased_ms, sold.storefront, sold.currency,
        sold.charged_milliunits, sold.offer_kind, sold.shared_id, account.name,
        \(stateOfSold) AS state, sold.finished_ms, sold.expires_ms, sold.upgraded_ms,
        (SELECT at_ms FROM revocation WHERE transaction_id = sold.id) AS revoked_ms,
        (SELECT reason FROM revocation WHERE transaction_id = sold.id) AS revoked_why,
        \(ledgerSum("-sum", "=")) AS charged, \(ledgerSum("sum", "<>")) AS refunded
    FROM store_transaction AS sold CROSS JOIN app ON app.id = sold.app_id
    CROSS JOIN account ON account.id = sold.account_id
    """

/// Takes an account, an app, the first transaction, the number before which to look, and a count.
let periodsOfSubscription = """
    \(saleRows) WHERE sold.account_id = ?1 AND sold.app_id = ?2 AND sold.id >= ?3
        AND sold.id < ?4 AND sold.original_id = ?3 AND sold.restore_id IS NULL
        AND sold.kind <> 'consumable' AND account.deleted_transaction_id IS NULL
    ORDER BY sold.id DESC LIMIT ?5
    """

/// How the sales of a page are found.
enum SaleSource: CaseIterable, Sendable {
    /// Along the numbers, with the filters looked at for each.
    case walk
    /// By the account's history, which has every sale once.
    case account
    /// By the product or the app, when few of its sales would be met on a walk.
    case product
    case app
    /// By what was taken back.
    case revoked

    /// What a sale's number has to be; takes a span, and then what `page` takes.
    private var place: String {
        switch self {
        case .walk: "sold.id > ?1 AND sold.id < ?2"
        case .account:
            """
            sold.id IN (SELECT transaction_id FROM event WHERE event.account_id = ?3
                AND event.kind IN ('purchased', 'renewed', 'shared')
                AND transaction_id > ?1 AND transaction_id < ?2)
            """
        case .product:
            """
            sold.id IN (SELECT id FROM store_transaction WHERE app_id = ?4 AND product_id = ?5
                AND +id > ?1 AND +id < ?2)
            """
        case .app:
            """
            sold.id IN (SELECT id FROM store_transaction WHERE app_id = ?4
                AND +id > ?1 AND +id < ?2)
            """
        case .revoked:
            """
            sold.id IN (SELECT transaction_id FROM revocation
                WHERE transaction_id > ?1 AND transaction_id < ?2)
            """
        }
    }

    /// Selects the sales of a page; takes a span, the filters and a count.
    func page(_ order: ListOrder) -> String {
        """
        \(saleRows) WHERE \(place) AND sold.restore_id IS NULL
            AND account.deleted_transaction_id IS NULL
            AND (?4 IS NULL OR sold.app_id = ?4) AND (?5 IS NULL OR sold.product_id = ?5)
            AND (?6 IS NULL OR \(stateOfSold) = ?6)
            AND (?7 IS NULL OR sold.purchased_ms >= ?7) AND (?8 IS NULL OR sold.purchased_ms < ?8)
        ORDER BY sold.id \(order.sql) LIMIT ?9
        """
    }
}

/// Counts an app's sales, of a product or of all, up to a number; takes app, product and number.
let soldCount = """
    SELECT count(*) FROM (SELECT 1 FROM store_transaction
        WHERE app_id = ?1 AND product_id = ?2 LIMIT ?3) AS found
    """
let soldCountOfApp = """
    SELECT count(*) FROM (SELECT 1 FROM store_transaction WHERE app_id = ?1 LIMIT ?2) AS found
    """

extension ReadScope {
    /// The sales of an environment after a place in an order, without restored copies; and, if the
    /// filters may fit others behind it, the number up to which was looked.
    borrowing func sales(
        _ filter: SaleFilter, in environment: StoreEnvironment, after place: Int64?,
        _ order: ListOrder, countMax: Int, lookingAt lookedAtMax: Int
    ) throws -> (sales: [SaleBody], end: Int64?) {
        let source = try source(of: filter, lookingAt: lookedAtMax)
        var span = NumberSpan(after: place, in: order, of: environment.transactionNumbers)
        var end: Int64?
        if source == .walk {
            end = try walkEnd(over: .sales, span, order, lookingAt: lookedAtMax)
            if let end { span = span.ending(with: end, in: order) }
        }
        let found = try rows(
            source.page(order),
            [
                span.above, span.below, filter.account, filter.app, filter.product, filter.state,
                filter.from, filter.until, countMax,
            ]
        ).map { try SaleBody($0) }
        return (found, end)
    }

    /// The shortest way to the sales of a filter.
    private borrowing func source(
        of filter: SaleFilter, lookingAt lookedAtMax: Int
    ) throws -> SaleSource {
        if filter.account != nil { return .account }
        if filter.state == .revoked { return .revoked }
        guard let app = filter.app else { return .walk }
        let few = lookedAtMax + 1
        let count: Int? =
            if let product = filter.product {
                try value(soldCount, [app, product, few])
            } else {
                try value(soldCountOfApp, [app, few])
            }
        guard count ?? 0 < few else { return .walk }
        return filter.product == nil ? .app : .product
    }

    /// The transactions that paid for a subscription's periods, newest first.
    borrowing func periods(
        of kept: SubscriptionRecord, before number: Int64, countMax: Int
    ) throws -> [SaleBody] {
        try rows(
            periodsOfSubscription, [kept.account, kept.app, kept.original, number, countMax]
        ).map { try SaleBody($0) }
    }

    /// A transaction as lists have it, even a restored one; nil for one that was deleted.
    borrowing func sale(_ id: TransactionID) throws -> SaleBody? {
        try row(
            "\(saleRows) WHERE sold.id = ?1 AND account.deleted_transaction_id IS NULL", [id]
        ).map { try SaleBody($0) }
    }

    /// The newest transaction of each environment.
    borrowing func lastSales() throws -> SalePosition {
        var position = SalePosition.start
        for environment in StoreEnvironment.allCases {
            let numbers = environment.transactionNumbers
            position[environment] =
                try value(
                    "SELECT max(id) FROM store_transaction WHERE id >= ?1 AND id <= ?2",
                    [numbers.lowerBound, numbers.upperBound]) ?? 0
        }
        return position
    }
}

extension SaleBody {
    /// From the columns of `saleRows`.
    fileprivate init(_ row: Row) throws {
        let environment: StoreEnvironment = try row["environment"]
        let (id, original): (Int64, Int64) = (try row["id"], try row["original_id"])
        let sharedID: Int64? = try row["shared_id"]
        self.init(
            sold: SoldTransactionBody(
                transactionId: "\(id)", originalTransactionId: "\(original)",
                environment: environment.wireName, bundleId: try row["bundle_id"],
                productId: try row["product_id"], kind: try row["kind"],
                quantity: try row["quantity"], purchasedAt: try row["purchased_ms"],
                storefront: try row["storefront"], currency: try row["currency"],
                priceMilliunits: try row["charged_milliunits"],
                chargedMilliunits: try row["charged"], refundedMilliunits: try row["refunded"],
                revokedAt: try row["revoked_ms"], offer: try row["offer_kind"],
                isShared: sharedID != nil,
                orderId: sharedID == nil
                    ? OrderNumber(of: TransactionID(id), in: environment)?.text : nil),
            account: try row["name"], state: try row["state"], finishedAt: try row["finished_ms"],
            expiresAt: try row["expires_ms"], replacedAt: try row["upgraded_ms"],
            revocationReason: try row["revoked_why"])
    }
}
