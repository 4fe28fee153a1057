import StoreDatabase
import StoreModel
import StoreService
import StoreWire

/// What an app's server may give its subscribers, one at a time or all at once.
///
/// Source: Apple, *Extend a Subscription Renewal Date*.
enum RenewalExtension {
    /// The most extensions of a subscription within a year.
    private static let countMax = 2
    private static let dayRange = 1...90
    private static let reasons: ClosedRange<Int64> = 0...3
    private static let requestIdentifierLengthMax = 128

    /// The days of a request, whose reason is checked and not kept.
    static func days(in body: JSONValue) throws -> Int {
        guard let days = body["extendByDays"]?.wholeNumber.map({ Int(truncatingIfNeeded: $0) }),
            dayRange.contains(days)
        else { throw ServerAPIError.invalidExtendByDays }
        guard let reason = body["extendReasonCode"]?.wholeNumber, reasons.contains(reason) else {
            throw ServerAPIError.invalidExtendReasonCode
        }
        return days
    }

    /// The terms of a request about one subscription.
    static func terms(in body: JSONValue) throws -> (days: Int, request: String) {
        let days = try days(in: body)
        guard let name = body["requestIdentifier"]?.string,
            (1...requestIdentifierLengthMax).contains(name.unicodeScalars.count)
        else { throw ServerAPIError.invalidRequestIdentifier }
        return (days, name)
    }

    /// Refuses all but a period that is running and was paid for. A repeated request changes
    /// nothing.
    static func check(
        _ kept: SubscriptionRecord, _ request: String, at now: Timestamp,
        _ scope: borrowing ReadScope
    ) throws {
        let known = try scope.extensions(of: kept)
        if known.contains(where: { $0.request == request }) { return }
        guard kept.payment == nil, case .active = kept.state.phase,
            kept.state.offer?.mode != .freeTrial
        else { throw ServerAPIError.subscriptionExtensionIneligible }
        let since = now.adding(milliseconds: -365 * Timestamp.dayMilliseconds)
        guard known.count(where: { $0.at > since }) < countMax else {
            throw ServerAPIError.subscriptionMaxExtension
        }
    }
}
