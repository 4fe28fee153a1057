import StoreModel
package import StoreWire

/// Compares what the backend delivered with what the store charged: values in, a report out.
///
/// Every sale of the export is counted once, so the report's totals are those of the store's ledger.
package struct Reconciliation {
    private let prices: [Place: [PriceRecordBody]]
    private let delivered: Set<Sale>
    private var lines: [LineKey: ReconciliationBody.Line] = [:]
    private var report = ReconciliationBody()

    package static func report(
        _ sales: [SoldTransactionBody], delivered: [DeliveryBody], prices: [PriceRecordBody]
    ) -> ReconciliationBody {
        var reconciliation = Reconciliation(delivered, prices)
        for sale in sales { reconciliation.count(sale) }
        let exported = Set(sales.flatMap { [Sale($0), Sale(originalOf: $0)] })
        reconciliation.report.notExported = delivered.filter {
            !exported.contains(Sale($0)) && !exported.contains(Sale(originalOf: $0))
        }.map(\.transactionId)
        return reconciliation.finished()
    }

    private init(_ deliveries: [DeliveryBody], _ prices: [PriceRecordBody]) {
        self.prices = Dictionary(grouping: prices) {
            Place(product: $0.productId, storefront: $0.storefront)
        }
        // All but consumables are delivered by their original transaction.
        delivered = Set(
            deliveries.map {
                $0.kind == ProductKind.consumable.rawValue ? Sale($0) : Sale(originalOf: $0)
            })
    }

    private mutating func count(_ sale: SoldTransactionBody) {
        let key = LineKey(sale)
        var line =
            lines[key]
            ?? .init(productId: key.product, currency: key.currency, month: key.month)
        line[keyPath: judge(sale)].add(sale.chargedMilliunits)
        if sale.refundedMilliunits != 0 { line.refunded.add(sale.refundedMilliunits) }
        lines[key] = line
    }

    private mutating func judge(
        _ sale: SoldTransactionBody
    ) -> WritableKeyPath<ReconciliationBody.Line, ReconciliationBody.Tally> {
        let isConsumable = sale.kind == ProductKind.consumable.rawValue
        guard delivered.contains(isConsumable ? Sale(sale) : Sale(originalOf: sale)) else {
            report.notDelivered.append(sale.transactionId)
            return \.unknown
        }
        if sale.chargedMilliunits == 0, sale.isFreeByRule { return \.free }
        guard let expected = expected(sale) else {
            report.notPriced.append(sale.transactionId)
            return \.unknown
        }
        guard expected == sale.chargedMilliunits else {
            report.differences.append(
                .init(
                    transactionId: sale.transactionId, productId: sale.productId,
                    currency: sale.currency, expectedMilliunits: expected,
                    chargedMilliunits: sale.chargedMilliunits, offer: sale.offer))
            return \.differs
        }
        return expected == 0 ? \.free : \.sold
    }

    /// What the records say; nil without one in the sale's currency.
    private func expected(_ sale: SoldTransactionBody) -> Int64? {
        let ofPlace = prices[Place(product: sale.productId, storefront: sale.storefront)] ?? []
        guard let price = PriceRecordRules.inForce(ofPlace, at: sale.purchasedAt),
            price.currency == sale.currency, let currency = Currency(code: price.currency)
        else { return nil }
        return price.amount * currency.smallestMilliunits * Int64(sale.quantity)
    }

    private func finished() -> ReconciliationBody {
        var report = report
        report.lines = lines.values.sorted {
            ($0.productId, $0.currency, $0.month) < ($1.productId, $1.currency, $1.month)
        }
        report.totals = Dictionary(grouping: report.lines, by: \.currency).map { currency, lines in
            let refunded = lines.reduce(0) { $0 + $1.refunded.milliunits }
            let net = lines.reduce(0) { $0 + $1.netMilliunits }
            return .init(
                currency: currency, chargedMilliunits: net + refunded,
                refundedMilliunits: refunded)
        }.sorted { $0.currency < $1.currency }
        return report
    }

    private struct Place: Hashable {
        let product: String
        let storefront: String
    }

    private struct LineKey: Hashable {
        let product: String
        let currency: String
        let month: String

        init(_ sale: SoldTransactionBody) {
            product = sale.productId
            currency = sale.currency
            let date = CalendarDate(Timestamp(milliseconds: sale.purchasedAt))
            month = String(date.rfc3339.prefix(7))
        }
    }

    /// A transaction in its environment.
    private struct Sale: Hashable {
        let environment: String
        let transaction: String

        init(_ sale: SoldTransactionBody) {
            (environment, transaction) = (sale.environment, sale.transactionId)
        }

        init(originalOf sale: SoldTransactionBody) {
            (environment, transaction) = (sale.environment, sale.originalTransactionId)
        }

        init(_ delivery: DeliveryBody) {
            (environment, transaction) = (delivery.environment, delivery.transactionId)
        }

        init(originalOf delivery: DeliveryBody) {
            (environment, transaction) = (delivery.environment, delivery.originalTransactionId)
        }
    }
}

extension SoldTransactionBody {
    /// Whether nothing is charged for it, whatever the product costs: in the sandbox, with an offer,
    /// for a family member, and for a product that was bought before.
    fileprivate var isFreeByRule: Bool {
        environment == StoreEnvironment.sandbox.wireName || offer != nil || isShared
            || (kind == ProductKind.nonConsumable.rawValue
                && transactionId != originalTransactionId)
    }
}

extension ReconciliationBody.Tally {
    fileprivate mutating func add(_ milliunits: Int64) {
        count += 1
        self.milliunits += milliunits
    }
}
