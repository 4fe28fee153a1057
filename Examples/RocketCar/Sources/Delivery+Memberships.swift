import Foundation

// The queue does not report the end of a subscription, and the store does not restore those that do
// not renew: the backend knows the state of each.
extension Delivery {
    /// Fetches the content of current subscriptions and removes that of ended ones; reports each.
    func followMemberships(done: @escaping (Backend.Trouble?) -> Void) {
        guard garage.player != nil else {
            return done(Backend.Trouble(description: "needs ROCKETCAR_USER"))
        }
        signedIn { [self] result in
            switch result {
            case .failure(let trouble): done(trouble)
            case .success(let player):
                backend.memberships(token: player.token) { [self] result in
                    switch result {
                    case .failure(let trouble): done(trouble)
                    case .success(let memberships):
                        follow(memberships[...], token: player.token, done)
                    }
                }
            }
        }
    }

    /// One after another.
    private func follow(
        _ memberships: ArraySlice<Backend.Membership>, token: String,
        _ done: @escaping (Backend.Trouble?) -> Void
    ) {
        guard let membership = memberships.first else { return done(nil) }
        let product = membership.productId
        report(
            .subscription(
                product: product, state: membership.state,
                until: Date(timeIntervalSince1970: Double(membership.expires) / 1_000)))
        let isHere = (try? SavedGame.load(from: garage.home))?.content[product] != nil
        switch (membership.isServed, isHere) {
        case (true, false):
            backend.content(of: product, token: token) { [self] result in
                switch result {
                case .failure(let trouble): done(trouble)
                case .success(let content):
                    _ = keep(content, of: product, "-")
                    follow(memberships.dropFirst(), token: token, done)
                }
            }
        case (false, true):
            takeAway(product)
            follow(memberships.dropFirst(), token: token, done)
        case (true, true), (false, false):
            follow(memberships.dropFirst(), token: token, done)
        }
    }

    private func takeAway(_ product: String) {
        do {
            try SavedGame.change(in: garage.home) { $0.content[product] = nil }
            try? FileManager.default.removeItem(at: garage.contentFile(product: product))
            report(.ended(product: product))
        } catch {
            report(.trouble("the game cannot be saved: \(error)"))
        }
    }
}
