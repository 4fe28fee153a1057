import Foundation

// The queue does not report the end of a subscription, and the store restores neither those that do
// not renew nor consumables: the backend knows what the player has.
extension Delivery {
    /// Makes this installation agree with the backend: the tank, and the content of subscriptions;
    /// reports each.
    func followOwned(done: @escaping (Backend.Trouble?) -> Void) {
        guard garage.player != nil else {
            return done(Backend.Trouble(description: "needs ROCKETCAR_USER"))
        }
        session.ask { [backend] player, then in
            backend.owned(by: player, then)
        } _: { [self] result in
            switch result {
            case .failure(let trouble): done(trouble)
            case .success(let owned):
                fill(with: owned.purchases)
                follow(owned.subscriptions[...], done)
            }
        }
    }

    /// Fills the tank with fuel bought on other devices, and takes out what was refunded. The tank
    /// does not go below empty: fuel that was used stays used.
    private func fill(with purchases: [Backend.Purchase]) {
        let fuel = purchases.filter { $0.productId == Garage.fuel }
        do {
            let before = try SavedGame.load(from: garage.home)
            let after = try SavedGame.change(in: garage.home) { game in
                for purchase in fuel {
                    let litres = purchase.quantity * Garage.litresPerPurchase
                    if purchase.refundedAt == nil {
                        _ = game.fill(litres, transaction: purchase.transactionId)
                    } else {
                        game.drain(litres, transaction: purchase.transactionId)
                    }
                }
                return game
            }
            guard after.fuelTransactions != before.fuelTransactions else { return }
            report(
                after.fuel < before.fuel
                    ? .drained(litres: after.fuel) : .fuel(litres: after.fuel, isNew: true))
        } catch {
            report(.trouble("the game cannot be saved: \(error)"))
        }
    }

    /// One after another.
    private func follow(
        _ memberships: ArraySlice<Backend.Membership>,
        _ done: @escaping (Backend.Trouble?) -> Void
    ) {
        guard let membership = memberships.first else { return done(nil) }
        let product = membership.productId
        report(
            .subscription(product: product, state: membership.state, until: membership.end))
        let isHere = (try? SavedGame.load(from: garage.home))?.content[product] != nil
        switch (membership.isServed, isHere) {
        case (true, false):
            session.ask { [backend] player, then in
                backend.content(of: product, for: player, then)
            } _: { [self] result in
                switch result {
                case .failure(let trouble): done(trouble)
                case .success(let content):
                    if let content { _ = keep(content, of: product, "-") }
                    follow(memberships.dropFirst(), done)
                }
            }
        case (false, true):
            if removeContent(of: product) { report(.ended(product: product)) }
            follow(memberships.dropFirst(), done)
        case (true, true), (false, false):
            follow(memberships.dropFirst(), done)
        }
    }
}
