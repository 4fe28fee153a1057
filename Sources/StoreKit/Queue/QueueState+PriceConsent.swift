import StoreWire

// Prices that the store has a person asked about.
extension QueueState {
    /// Everything that waits for an answer of a customer, as the store lists it.
    mutating func priceConsentsListed(
        _ bodies: [DevicePriceConsentBody], _ customer: Customer
    ) -> [QueueAction] {
        guard world == nil || world == customer.worldId else { return [] }
        let numbers = Set(bodies.map(\.number))
        priceConsents = priceConsents.filter {
            $0.value.customer == customer && numbers.contains($0.key)
        }
        return offer(bodies, customer)
    }

    /// Takes in what was asked, and drops what was answered, here or elsewhere.
    mutating func priceConsentNews(
        _ updates: [UpdateBody], _ customer: Customer
    ) -> [QueueAction] {
        guard world == nil || world == customer.worldId else { return [] }
        let bodies = updates.compactMap(\.priceConsent)
        for body in bodies where body.state != .pending { priceConsents[body.number] = nil }
        return offer(bodies, customer)
    }

    /// What was offered to the app and is not at the sheet already goes as it says.
    mutating func priceConsentAllowed(_ numbers: [Int64], _ isAllowed: Bool) -> [QueueAction] {
        let offered = numbers.filter { priceConsents[$0]?.stage == .offered }
        if isAllowed { return show(offered) }
        for number in offered { priceConsents[number]?.stage = .putOff }
        return []
    }

    /// The app wants the sheet now: all that is not there comes up, one after the other.
    mutating func priceConsentWanted() -> [QueueAction] {
        show(
            priceConsents.filter { $0.value.stage != .atSheet && $0.value.customer == present }
                .keys.sorted())
    }

    /// What nobody answered waits until the app asks for the sheet, or for the next launch.
    mutating func priceConsentSheetEnded(_ number: Int64, isAnswered: Bool) -> [QueueAction] {
        if isAnswered {
            priceConsents[number] = nil
        } else if priceConsents[number]?.stage == .atSheet {
            priceConsents[number]?.stage = .putOff
        }
        return []
    }

    /// The app is asked once about all that it has not heard of.
    private mutating func offer(
        _ bodies: [DevicePriceConsentBody], _ customer: Customer
    ) -> [QueueAction] {
        var numbers: [Int64] = []
        for body in bodies where body.state == .pending && priceConsents[body.number] == nil {
            priceConsents[body.number] = PendingPriceConsent(body: body, customer: customer)
            numbers.append(body.number)
        }
        return numbers.isEmpty ? [] : [.offerPriceConsents(numbers)]
    }

    private mutating func show(_ numbers: [Int64]) -> [QueueAction] {
        numbers.compactMap { number in
            priceConsents[number]?.stage = .atSheet
            return priceConsents[number].map { .showPriceConsent($0) }
        }
    }
}

/// A price that the store waits for somebody's answer to, and how far asking for it came.
struct PendingPriceConsent: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// The app is asked whether the sheet may come now.
        case offered
        /// The app or the person left it for later.
        case putOff
        case atSheet
    }

    let body: DevicePriceConsentBody
    let customer: Customer
    var stage = Stage.offered
}
