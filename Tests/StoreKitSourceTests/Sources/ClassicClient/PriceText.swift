import StoreKit

extension SKProduct {
    /// The price as the person's storefront writes it.
    public var localizedPrice: String? {
        return priceFormatter(locale: priceLocale).string(from: price)
    }

    public var localizedSubscriptionPeriod: String {
        guard let subscriptionPeriod = subscriptionPeriod else { return "" }
        return subscriptionPeriod.text
    }

    /// What one period costs, shared out over its months.
    public var pricePerMonth: NSDecimalNumber? {
        guard let period = subscriptionPeriod, period.monthsPerPeriod > 0 else { return nil }
        let behavior = NSDecimalNumberHandler(
            roundingMode: .down, scale: 2, raiseOnExactness: false, raiseOnOverflow: false,
            raiseOnUnderflow: false, raiseOnDivideByZero: false)
        let months = NSDecimalNumber(value: period.monthsPerPeriod)
        return price.dividing(by: months).rounding(accordingToBehavior: behavior)
    }

    public var hasFreeTrial: Bool {
        return introductoryPrice?.paymentMode == .freeTrial
    }

    private func priceFormatter(locale: Locale) -> NumberFormatter {
        let formatter = NumberFormatter()
        formatter.locale = locale
        formatter.numberStyle = .currency
        return formatter
    }
}

extension SKProductSubscriptionPeriod {
    public var text: String {
        let unitText: String
        switch unit {
        case .day where numberOfUnits % 7 == 0: return "\(numberOfUnits / 7) week(s)"
        case .day: unitText = "day"
        case .week: unitText = "week"
        case .month: unitText = "month"
        case .year: unitText = "year"
        @unknown default: unitText = "unknown"
        }
        return "\(numberOfUnits) \(unitText)(s)"
    }

    public var monthsPerPeriod: Int {
        switch unit {
        case .month: return numberOfUnits
        case .year: return numberOfUnits * 12
        default: return 0
        }
    }

    /// The same as an ISO 8601 duration.
    public var isoDuration: String {
        let letters: [SKProduct.PeriodUnit: String] = [
            .day: "D", .week: "W", .month: "M", .year: "Y",
        ]
        return "P\(numberOfUnits)\(letters[unit] ?? "?")"
    }
}

extension SKProductDiscount {
    public var localizedPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }

    public var text: String {
        let kind: String
        switch type {
        case .introductory: kind = "introductory"
        case .subscription: kind = identifier ?? "no identifier"
        @unknown default: kind = "unknown"
        }
        switch paymentMode {
        case .freeTrial: return "\(kind): free for \(total)"
        case .payUpFront: return "\(kind): \(localizedPrice ?? "") once for \(total)"
        case .payAsYouGo:
            return "\(kind): \(localizedPrice ?? "") each \(subscriptionPeriod.text)"
        @unknown default: return kind
        }
    }

    private var total: String {
        return "\(numberOfPeriods) x \(subscriptionPeriod.text)"
    }
}
