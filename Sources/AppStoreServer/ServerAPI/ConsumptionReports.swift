import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// *Send Consumption Information*, of both versions: accepted with 202 whether or not a refund is
/// still undecided, and kept where one is.
enum ConsumptionReports {
    static func send(
        _ call: StoreCall, _ id: String,
        _ read: @escaping @Sendable (JSONValue, ProductKind) throws -> Consumption
    ) async throws -> HTTPResponse {
        let time = call.world.time
        return try await ServerAPI.serve(call) { _ in
            let body = try ServerAPI.object(call)
            let kept = try await call.context.commitSettling { scope, left in
                let caller = try ServerAPICaller(call, scope.reading)
                let found = try caller.transaction(id, scope.reading)
                guard found.share == nil else {
                    throw ServerAPIError.familyTransactionNotSupported
                }
                let report = try read(body, found.kind)
                do throws(ConsumptionFault) {
                    try ConsumptionRules.check(report, of: found.kind)
                } catch {
                    throw ServerAPIError(error)
                }
                let purchase = try scope.reading.refundedPurchase(of: found)
                guard let refund = try scope.reading.refund(of: purchase.id),
                    refund.state == .requested
                else { return nil as RefundChange.Outcome? }
                return try RefundChange.answer(report)
                    .carryOut(on: found.id, except: left, scope, time: time)
            }
            CrashPoint.storeRefundCommitted.reach()
            if let kept, kept.isNew { RefundService.tell(kept.refund, call.context) }
            return ServerAPI.empty(202)
        }
    }

    /// Source: Apple, *ConsumptionRequest*.
    static func current(_ body: JSONValue, _ kind: ProductKind) throws -> Consumption {
        guard body["customerConsented"]?.bool == true else {
            throw ServerAPIError.invalidCustomerConsented
        }
        guard let sampled = body["sampleContentProvided"]?.bool else {
            throw ServerAPIError.invalidSampleContentProvided
        }
        let delivery = body["deliveryStatus"]?.string
            .flatMap(Consumption.DeliveryStatus.init(rawValue:))
        guard let delivery else { throw ServerAPIError.invalidDeliveryStatus }
        let preference = try body["refundPreference"].map { value in
            guard let known = value.string.flatMap(Consumption.Preference.init(rawValue:)) else {
                throw ServerAPIError.invalidRefundPreference
            }
            return known
        }
        let percentage = try body["consumptionPercentage"].map { value in
            guard let number = value.wholeNumber else { throw ServerAPIError.generalBadRequest }
            return number
        }
        return Consumption(
            customerConsented: true, consumptionPercentage: percentage, deliveryStatus: delivery,
            refundPreference: preference, sampleContentProvided: sampled)
    }

    /// Source: Apple, *ConsumptionRequestV1*. The facts about the customer are checked, and not
    /// used.
    static func first(_ body: JSONValue, _ kind: ProductKind) throws -> Consumption {
        guard kind == .consumable || kind == .autoRenewable else {
            throw ServerAPIError.invalidTransactionTypeNotSupported
        }
        guard body["customerConsented"]?.bool == true else {
            throw ServerAPIError.invalidCustomerConsented
        }
        guard let sampled = body["sampleContentProvided"]?.bool else {
            throw ServerAPIError.invalidSampleContentProvided
        }
        for (name, numbers, error) in numbersOfFirst {
            guard let number = body[name]?.wholeNumber, numbers.contains(number) else {
                throw error
            }
        }
        guard let token = body["appAccountToken"]?.string,
            token.isEmpty || AppAccountToken(applicationUsername: token) != nil
        else { throw ServerAPIError.invalidAppAccountToken }
        let preference: Consumption.Preference?
        switch body["refundPreference"]?.wholeNumber {
        case nil where body["refundPreference"] == nil, 0?, 3?: preference = nil
        case 1?: preference = .grantFull
        case 2?: preference = .decline
        default: throw ServerAPIError.invalidRefundPreference
        }
        let delivery = deliveries[Int(body["deliveryStatus"]?.wholeNumber ?? 0)]
        let consumed = percentages[Int(body["consumptionStatus"]?.wholeNumber ?? 0)]
        return Consumption(
            customerConsented: true,
            consumptionPercentage: kind == .autoRenewable || delivery != .delivered
                ? nil : consumed,
            deliveryStatus: delivery, refundPreference: preference,
            sampleContentProvided: sampled)
    }

    private static let numbersOfFirst: [(String, ClosedRange<Int64>, ServerAPIError)] = [
        ("consumptionStatus", 0...3, .invalidConsumptionStatus),
        ("platform", 0...2, .invalidPlatform),
        ("deliveryStatus", 0...5, .invalidDeliveryStatus),
        ("accountTenure", 0...7, .invalidAccountTenure),
        ("playTime", 0...7, .invalidPlayTime),
        ("lifetimeDollarsRefunded", 0...7, .invalidLifetimeDollarsRefunded),
        ("lifetimeDollarsPurchased", 0...7, .invalidLifetimeDollarsPurchased),
        ("userStatus", 0...4, .invalidUserStatus),
    ]

    static let schemaOfFirst: JSONValue = [
        "type": "object",
        "required": .names(
            ["appAccountToken", "customerConsented", "sampleContentProvided"]
                + numbersOfFirst.map(\.0)),
        "properties": .object(
            numbersOfFirst.map { name, numbers, _ in
                .init(
                    name,
                    [
                        "type": "integer", "minimum": .integer(numbers.lowerBound),
                        "maximum": .integer(numbers.upperBound),
                    ])
            } + [
                .init(
                    "appAccountToken",
                    ["anyOf": [.component("UUID"), ["type": "string", "maxLength": 0]]]),
                .init("customerConsented", ["const": true]),
                .init("refundPreference", ["type": "integer", "minimum": 0, "maximum": 3]),
                .init("sampleContentProvided", ["type": "boolean"]),
            ]),
    ]

    private static let deliveries: [Consumption.DeliveryStatus] = [
        .delivered, .undeliveredQualityIssue, .undeliveredWrongItem, .undeliveredServerOutage,
        .undeliveredOther, .undeliveredOther,
    ]

    /// Undeclared, nothing, a part of unknown size, and everything.
    private static let percentages: [Int64?] = [nil, 0, nil, Percentage.whole]
}

extension ServerAPIError {
    /// Apple does not publish the numbers of two of them.
    fileprivate init(_ fault: ConsumptionFault) {
        self =
            switch fault {
            case .notConsented: .invalidCustomerConsented
            case .percentageOfSubscription: .consumptionPercentageAutoRenewableSubscription
            case .percentageOutOfRange, .undeliveredConsumed: .generalBadRequest
            }
    }
}
