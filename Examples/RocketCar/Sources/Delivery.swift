import Foundation
import StoreKit

/// Gives the player what was bought: from the backend, into the saved game, or by unlocking.
final class Delivery {
    let contents: StoreContents
    let garage: Garage
    let backend: Backend
    let session: PlayerSession
    let report: (News) -> Void

    init(garage: Garage, contents: StoreContents, report: @escaping (News) -> Void) {
        self.garage = garage
        self.contents = contents
        self.report = report
        backend = Backend(garage: garage)
        session = PlayerSession(garage: garage, backend: backend, report: report)
    }

    /// Delivers a purchase: first the store's content, then the backend's.
    /// `done(false)` leaves it for the next launch.
    func deliver(_ transaction: SKPaymentTransaction, done: @escaping (Bool) -> Void) {
        contents.bring(transaction) { [self] isBrought in
            if isBrought { grant(transaction, done: done) } else { done(false) }
        }
    }

    private func grant(_ transaction: SKPaymentTransaction, done: @escaping (Bool) -> Void) {
        let product = transaction.payment.productIdentifier
        guard let identifier = transaction.transactionIdentifier else { return done(false) }
        guard garage.player != nil else {
            // Without a player at the backend, the app delivers what it can by itself.
            guard Garage.deliversAlone(product) || !transaction.downloads.isEmpty else {
                report(
                    .waiting(
                        product: product, transaction: identifier, reason: "needs ROCKETCAR_USER"))
                return done(false)
            }
            return done(deliverHere(transaction, identifier))
        }
        guard let proof = proof(of: transaction) else {
            report(
                .waiting(
                    product: product, transaction: identifier, reason: "there is no receipt"))
            return done(false)
        }
        session.ask { [backend] player, then in
            backend.deliver(
                receipt: proof.receipt, product: product, transaction: proof.transaction,
                as: player, then)
        } _: { [self] result in
            done(received(result, transaction, identifier))
        }
    }

    /// Proof of the purchase for the backend. The app's receipt lists every purchase, but not a
    /// restored one, which has a receipt of its own.
    private func proof(
        of transaction: SKPaymentTransaction
    ) -> (receipt: Data, transaction: String)? {
        let isWithOwn = transaction.transactionState == .restored || garage.sendsTransactionReceipts
        if isWithOwn, let receipt = transaction.transactionReceipt,
            let identifier = transaction.transactionIdentifier
        {
            return (receipt, identifier)
        }
        let purchase = transaction.original ?? transaction
        guard let identifier = purchase.transactionIdentifier,
            let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url)
        else { return nil }
        return (receipt, identifier)
    }

    private func received(
        _ result: Result<Backend.Delivery, Backend.Trouble>, _ transaction: SKPaymentTransaction,
        _ identifier: String
    ) -> Bool {
        let product = transaction.payment.productIdentifier
        switch result {
        case .failure(let trouble):
            report(
                .kept(product: product, transaction: identifier, reason: trouble.description))
            return false
        case .success(.kept(let message)):
            report(.kept(product: product, transaction: identifier, reason: message))
            return false
        case .success(.refused(let reason, let message)):
            report(
                .refused(
                    product: product, transaction: identifier, reason: reason, message: message))
            return false
        case .success(.granted(let content?, _)):
            return keep(content, of: product, identifier) && deliverHere(transaction, identifier)
        case .success(.granted(nil, let membership?)):
            report(Self.news(of: product, membership))
            return true
        case .success(.granted(nil, nil)): return deliverHere(transaction, identifier)
        }
    }

    /// What became of a payment for a subscription that brought no content: the subscription runs
    /// without any or as another product, which this one follows at the renewal, or it has ended.
    private static func news(of product: String, _ membership: Backend.Membership) -> News {
        guard membership.isServed else { return .ended(product: product) }
        if membership.productId != product, membership.renewsAs == product {
            return .chosen(product: product, from: membership.end)
        }
        return .subscription(
            product: membership.productId, state: membership.state, until: membership.end)
    }

    /// Puts content into the saved game; false on failure.
    func keep(_ content: Backend.Content, of product: String, _ transaction: String) -> Bool {
        do {
            try DurableWrite.write(content.data, to: garage.contentFile(product: product))
            try SavedGame.change(in: garage.home) {
                $0.content[product] = SavedGame.Content(
                    name: content.name, mediaType: content.mediaType, transactionId: transaction)
            }
        } catch {
            report(.trouble("the content cannot be saved: \(error)"))
            return false
        }
        report(.delivered(product: product, transaction: transaction, name: content.name))
        return true
    }

    /// Deliveries within the app: the turbo is unlocked, fuel goes into the tank.
    private func deliverHere(_ transaction: SKPaymentTransaction, _ identifier: String) -> Bool {
        switch transaction.payment.productIdentifier {
        case Garage.turbo:
            Turbo.remember(garage)
            report(.unlocked(Turbo.state(garage)))
        case Garage.fuel:
            do {
                let (fuel, isNew) = try SavedGame.change(in: garage.home) { game in
                    let isNew = game.fill(
                        transaction.payment.quantity * Garage.litresPerPurchase,
                        transaction: identifier)
                    return (game.fuel, isNew)
                }
                report(.fuel(litres: fuel, isNew: isNew))
            } catch {
                report(.trouble("the game cannot be saved: \(error)"))
                return false
            }
        default: break
        }
        return true
    }
}
