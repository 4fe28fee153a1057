import StoreModel
import StoreRules
import StoreService
import StoreWire

/// How a purchase of a test session differs from any other.
struct TestPurchase: Hashable, Sendable {
    /// Nil for now.
    let purchasedAt: Timestamp?
    /// Whether a subscription's renewal is turned off at once.
    let cancelsAtOnce: Bool

    /// The field of an attempt's digest for it.
    var digestField: String {
        "test \(purchasedAt.map { "\($0.milliseconds)" } ?? "now") \(cancelsAtOnce)"
    }
}

extension TestPurchase {
    init(_ body: TestPurchaseBody) throws {
        purchasedAt = body.purchasedAt
        cancelsAtOnce = body.cancelsAtOnce ?? false
        if let purchasedAt, !Limits.times.contains(purchasedAt) {
            throw Refusal(
                422, "dateOutOfRange", "A purchase must be made in the years 2000 to 2099.")
        }
    }
}

extension TestPurchaseBody {
    /// The offers that it asks for; the caller allows one in all.
    var offers: [RequestedOffer] {
        get throws {
            [
                try promotionalOfferId.map {
                    .promised(try Self.checkedName($0, "promotionalOfferId"))
                },
                try codeOfferReferenceName.map {
                    .codeOffer(try Self.checkedName($0, "codeOfferReferenceName"))
                },
            ].compactMap(\.self)
        }
    }

    private static func checkedName(_ text: String, _ member: String) throws -> String {
        try checked(text, "test.\(member)", bytesMax: Limits.identifierBytesMax)
    }
}

extension Scene {
    /// Throws unless the request is for the sandbox of a test session.
    func requireTest() throws {
        guard world.isSession, environment == .sandbox else { throw Refusal.notATest }
    }
}

extension Refusal {
    static let notATest = Refusal(
        409, "notATest",
        "This works only in the sandbox of a test session: make one with "
            + "POST /control/v1/worlds, and send the request below its path.")
}

extension Purchase {
    /// When it is made, as its transaction says: in the past where a test wants that.
    func date(at now: Timestamp) -> Timestamp { request.test?.purchasedAt ?? now }

    /// Throws where a test wants a purchase in the future, or one of a subscription within another
    /// of the same group.
    func checkDate(after known: Subscription?, at now: Timestamp) throws {
        guard let date = request.test?.purchasedAt else { return }
        guard date <= now else {
            throw Refusal(
                422, "badField",
                "test.purchasedAt is \(CalendarDate(date).rfc3339), which the world's clock has not "
                    + "reached; give a time up to \(CalendarDate(now).rfc3339), or move the clock.")
        }
        guard let known, known.isOpen || date < known.expiresAt else { return }
        throw Refusal(
            409, "subscriptionOverlaps",
            "The account has a subscription of this group that did not end before the date: expire "
                + "it, or delete its transaction, and give a date after its end.")
    }
}
