import Foundation
import StoreKit

/// Gives the player what was bought: from the backend, into the saved game, or by unlocking.
final class Delivery {
    private let garage: Garage
    private let backend: Backend
    private typealias SignedIn = Result<(user: String, token: String), Backend.Trouble>

    private var player: (user: String, token: String)?
    /// Purchases that wait for the player to be signed in; several may come at one launch, and
    /// signing in several times at once looks like guessing.
    private var waiting: [(SignedIn) -> Void] = []

    init(garage: Garage) {
        self.garage = garage
        backend = Backend(garage: garage)
    }

    /// Delivers a purchase; `done(false)` leaves it for the next launch.
    func deliver(_ transaction: SKPaymentTransaction, done: @escaping (Bool) -> Void) {
        let product = transaction.payment.productIdentifier
        guard let identifier = transaction.transactionIdentifier else { return done(false) }
        guard garage.player != nil else {
            // Without a player at the backend, the app delivers what it can by itself.
            guard product == Garage.turbo || product == Garage.fuel else {
                Say.event("waiting", product, identifier, "needs ROCKETCAR_USER")
                return done(false)
            }
            return done(deliverHere(transaction, identifier))
        }
        guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url)
        else {
            Say.event("waiting", product, identifier, "there is no receipt")
            return done(false)
        }
        signedIn { [self] result in
            switch result {
            case .failure(let trouble):
                Say.event("kept", product, identifier, trouble.description)
                done(false)
            case .success(let player):
                backend.deliver(
                    receipt: receipt, product: product, transaction: identifier,
                    user: player.user, token: player.token
                ) { result in
                    done(self.received(result, transaction, identifier))
                }
            }
        }
    }

    private func received(
        _ result: Result<Backend.Delivery, Backend.Trouble>, _ transaction: SKPaymentTransaction,
        _ identifier: String
    ) -> Bool {
        let product = transaction.payment.productIdentifier
        switch result {
        case .failure(let trouble):
            Say.event("kept", product, identifier, trouble.description)
            return false
        case .success(.kept(let message)):
            Say.event("kept", product, identifier, message)
            return false
        case .success(.refused(let reason, let message)):
            Say.event("refused", product, identifier, reason, message)
            return false
        case .success(.granted(let name, let mediaType, let data)):
            do {
                try DurableWrite.write(data, to: garage.contentFile(product: product))
                try SavedGame.change(in: garage.home) {
                    $0.content[product] = SavedGame.Content(
                        name: name, mediaType: mediaType, transactionId: identifier)
                }
            } catch {
                Say.trouble("the content cannot be saved: \(error)")
                return false
            }
            Say.event("delivered", product, identifier, name)
            return deliverHere(transaction, identifier)
        }
    }

    /// What the app does by itself: the turbo is unlocked, fuel goes into the tank.
    private func deliverHere(_ transaction: SKPaymentTransaction, _ identifier: String) -> Bool {
        switch transaction.payment.productIdentifier {
        case Garage.turbo:
            Turbo.remember(garage)
            Say.event("unlocked", Garage.turbo, Turbo.state(garage).rawValue)
        case Garage.fuel:
            do {
                let (fuel, isNew) = try SavedGame.change(in: garage.home) { game in
                    let isNew = game.fill(
                        transaction.payment.quantity * Garage.litresPerPurchase,
                        transaction: identifier)
                    return (game.fuel, isNew)
                }
                Say.event("fuel", "\(fuel)", isNew ? "filled" : "known")
            } catch {
                Say.trouble("the game cannot be saved: \(error)")
                return false
            }
        default: break
        }
        return true
    }

    private func signedIn(_ then: @escaping (SignedIn) -> Void) {
        if let player { return then(.success(player)) }
        guard let who = garage.player else { return }
        waiting.append(then)
        guard waiting.count == 1 else { return }
        backend.signIn(who.name, who.password) { [self] result in
            if case .success(let signedIn) = result { player = signedIn }
            let served = waiting
            waiting = []
            for then in served { then(result) }
        }
    }
}
