import StoreWire

// Price increases for which the store needs a customer's consent.
extension QueueState {
    /// Applies the store's list of all price consents that wait for a customer's answer.
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

    /// Takes in new questions, and drops those answered here or elsewhere.
    mutating func priceConsentNews(
        _ updates: [UpdateBody], _ customer: Customer
    ) -> [QueueAction] {
        guard world == nil || world == customer.worldId else { return [] }
        let bodies = updates.compactMap(\.priceConsent)
        for body in bodies where body.state != .pending { priceConsents[body.number] = nil }
        return offer(bodies, customer)
    }

    /// Questions offered to the app, and not yet at the sheet, proceed as it decides.
    mutating func priceConsentAllowed(_ numbers: [Int64], _ isAllowed: Bool) -> [QueueAction] {
        let offered = numbers.filter { priceConsents[$0]?.stage == .offered }
        if isAllowed { return show(offered) }
        for number in offered { priceConsents[number]?.stage = .putOff }
        return []
    }

    /// The app wants the sheet now: everything not already there comes up, one after the other.
    mutating func priceConsentWanted() -> [QueueAction] {
        show(
            priceConsents.filter { $0.value.stage != .atSheet && $0.value.customer == present }
                .keys.sorted())
    }

    /// An unanswered question waits until the app asks for the sheet, or for the next launch.
    mutating func priceConsentSheetEnded(_ number: Int64, isAnswered: Bool) -> [QueueAction] {
        if isAnswered {
            priceConsents[number] = nil
        } else if priceConsents[number]?.stage == .atSheet {
            priceConsents[number]?.stage = .putOff
        }
        return []
    }

    /// The questions to the customer who is signed in that nobody is being asked now.
    var priceOccasions: [MessageOccasion] {
        priceConsents.filter { $0.value.stage != .atSheet && $0.value.customer == present }
            .sorted { $0.key < $1.key }
            .map { .priceIncrease(worldId: $0.value.customer.worldId, number: $0.key) }
    }

    /// Asks the app once about all questions that are new to it.
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

/// A price increase that waits for a customer's answer, and the progress of asking for it.
struct PendingPriceConsent: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// The app is being asked whether the sheet may come now.
        case offered
        /// The app or the customer postponed it.
        case putOff
        case atSheet
    }

    let body: DevicePriceConsentBody
    let customer: Customer
    var stage = Stage.offered
}
