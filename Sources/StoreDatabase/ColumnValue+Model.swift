public import StoreModel

// Model types that columns hold.

/// Said here once more than `RawRepresentable` says it: identifiers are in most rows, and their
/// conformance would be looked up at run time.
extension Identifier: ColumnValue where RawValue: ColumnValue {
    @inlinable package var column: SQLValue { rawValue.column }
    @inlinable package init(column: SQLValue) throws(DatabaseError) {
        self.init(try RawValue(column: column))
    }
}

extension Timestamp: ColumnValue {
    package var column: SQLValue { .integer(milliseconds) }
    package init(column: SQLValue) { self.init(milliseconds: Int64(column: column)) }
}

extension Currency: ColumnValue {
    package var column: SQLValue { .text(code) }
    package init(column: SQLValue) throws(DatabaseError) {
        let code = String(column: column)
        guard let currency = Currency(code: code) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(code)\" is not a currency")
        }
        self = currency
    }
}

extension Storefront: ColumnValue {
    package var column: SQLValue { .text(countryCode) }
    package init(column: SQLValue) throws(DatabaseError) {
        let code = String(column: column)
        guard let storefront = Storefront(countryCode: code) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(code)\" is not a storefront")
        }
        self = storefront
    }
}

extension Price: ColumnValue {
    package var column: SQLValue { .integer(milliunits) }
    package init(column: SQLValue) throws(DatabaseError) {
        let milliunits = Int64(column: column)
        guard let price = Price(milliunits: milliunits) else {
            throw DatabaseError(code: .notADatabase, detail: "\(milliunits) is not a price")
        }
        self = price
    }
}

extension Row {
    /// The money in two columns.
    package func money(
        _ milliunits: StaticString, _ currency: StaticString
    ) throws(DatabaseError) -> Money {
        Money(milliunits: try self[milliunits], currency: try self[currency])
    }

    /// The same; nil where there is no amount.
    package func moneyOrNil(
        _ milliunits: StaticString, _ currency: StaticString
    ) throws(DatabaseError) -> Money? {
        guard let amount: Int64 = try self[milliunits] else { return nil }
        return Money(milliunits: amount, currency: try self[currency])
    }
}

extension AppNumber: ColumnValue {
    package var column: SQLValue { .integer(rawValue) }
    package init(column: SQLValue) throws(DatabaseError) {
        let rawValue = Int64(column: column)
        guard let number = AppNumber(rawValue) else {
            throw DatabaseError(code: .notADatabase, detail: "\(rawValue) is not an app's number")
        }
        self = number
    }
}

extension CalendarSpan: ColumnValue {
    package var column: SQLValue { .text(iso8601) }
    package init(column: SQLValue) throws(DatabaseError) {
        let text = String(column: column)
        guard let span = CalendarSpan(iso8601: text, mayBeLonger: true) else {
            throw DatabaseError(code: .notADatabase, detail: "\(text) is not a duration")
        }
        self = span
    }
}

/// Kept as its number.
extension NotificationVersion: ColumnValue {
    package var column: SQLValue {
        switch self {
        case .v1: .integer(1)
        case .v2: .integer(2)
        }
    }
    package init(column: SQLValue) throws(DatabaseError) {
        switch Int64(column: column) {
        case 1: self = .v1
        case 2: self = .v2
        case let number:
            throw DatabaseError(
                code: .notADatabase, detail: "\(number) is not a version of notifications")
        }
    }
}

extension AppTransaction.Platform: ColumnValue {}
extension AttemptState: ColumnValue {}
extension CertificateRevocationReason: ColumnValue {}
extension Consumption.DeliveryStatus: ColumnValue {}
extension Consumption.Preference: ColumnValue {}
extension DataCertificateRole: ColumnValue {}
extension ExpirationReason: ColumnValue {}
extension GracePeriod: ColumnValue {}
extension SendAttemptResult: ColumnValue {}
extension LedgerEntryKind: ColumnValue {}
extension Ownership: ColumnValue {}
extension Payment.State: ColumnValue {}
extension PaymentRefund.State: ColumnValue {}
extension PriceConsent.Answer: ColumnValue {}
extension ProductKind: ColumnValue {}
extension RefundReason: ColumnValue {}
extension RefundType: ColumnValue {}
extension RefusalCode: ColumnValue {}
extension RejectionReason: ColumnValue {}
extension ResourceKind: ColumnValue {}
extension RenewalPace: ColumnValue {}
extension RenewalPeriod: ColumnValue {}
extension ReviewStep: ColumnValue {}
extension Revocation.Reason: ColumnValue {}
extension SaleState: ColumnValue {}
extension SalesCategory: ColumnValue {}
extension SandboxName: ColumnValue {}
extension StoreEnvironment: ColumnValue {}
extension Subscription.Phase.Name: ColumnValue {}
extension Subscription.PriceIncrease.Consent: ColumnValue {}
extension SubscriptionOffer.Kind: ColumnValue {}
extension SubscriptionOffer.PaymentMode: ColumnValue {}
extension TransactionState: ColumnValue {}
extension WaitingCause: ColumnValue {}
