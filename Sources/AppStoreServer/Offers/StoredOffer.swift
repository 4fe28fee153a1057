import Foundation
import StoreDatabase
import StoreModel

/// An offer of a subscription as a product's row keeps it, in JSON.
struct StoredOffer: Codable {
    private let kind: SubscriptionOffer.Kind
    private let id: String?
    private let mode: SubscriptionOffer.PaymentMode
    private let span: String
    private let periodCount: Int
    private let milliunits: Int64
    private let customers: [SubscriptionOffer.Customer]?

    init(_ offer: SubscriptionOffer) {
        kind = offer.kind
        id = offer.id
        mode = offer.mode
        span = offer.span.iso8601
        periodCount = offer.periodCount
        milliunits = offer.price.milliunits
        customers =
            offer.customers.isEmpty
            ? nil : offer.customers.sorted { $0.rawValue < $1.rawValue }
    }

    func offer() throws -> SubscriptionOffer {
        guard let span = CalendarSpan(iso8601: span), periodCount > 0 else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(span)\" is not an offer's period")
        }
        return SubscriptionOffer(
            kind: kind, id: id, mode: mode, span: span, periodCount: periodCount,
            price: try Price(stored: milliunits), customers: Set(customers ?? []))
    }
}

extension [SubscriptionOffer] {
    /// The column's text; null for a product that cannot have offers.
    func stored(for kind: ProductKind) throws -> SQLValue {
        guard kind == .autoRenewable else { return .null }
        let data = try JSONEncoder().encode(map { StoredOffer($0) })
        return .text(String(decoding: data, as: UTF8.self))
    }

    init(stored text: String?) throws {
        guard let text else {
            self = []
            return
        }
        do {
            self = try JSONDecoder().decode([StoredOffer].self, from: Data(text.utf8))
                .map { try $0.offer() }
        } catch is DecodingError {
            throw DatabaseError(code: .notADatabase, detail: "a product's offers are unreadable")
        }
    }
}
