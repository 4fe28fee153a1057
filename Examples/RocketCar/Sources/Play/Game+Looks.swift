import Foundation
import StoreKit

// Turns events into what the screen shows.
extension Game {
    /// Takes in events of the observer, the deliveries and the downloads.
    func heard(_ news: News) {
        switch news {
        case .restored: restoredCount += 1
        case .restoreFinished:
            sheetEnded(.restore)
            followOwned()
            state.tell(
                restoredCount == 0
                    ? "There was nothing to restore."
                    : "Restored: \(restoredCount) of what you own.",
                restoredCount == 0 ? .plain : .good)
        case .restoreFailed, .restoreCancelled: sheetEnded(.restore)
        case .storefrontChanged: shop.ask()
        default: break
        }
        if shop.shelf == .asking { early.append(news) } else { tell(news) }
        look()
    }

    private func tell(_ news: News) {
        if let message = news.message(title: shop.title) { state.tell(message.text, message.style) }
    }

    /// Reports the events that waited for product names.
    func tellEarly() {
        for news in early { tell(news) }
        early = []
    }

    /// Reads everything again: shelf, queue, saved game, receipt.
    func look() {
        let game = (try? SavedGame.load(from: garage.home)) ?? SavedGame()
        state.litres = game.fuel
        state.turbo = Turbo.state(garage)
        state.shelf = shop.shelf
        if case .open(let offers) = shop.shelf {
            state.shelf = .open(offers.map { with(holding(of: $0.product, game), $0) })
        }
        state.downloads = queue.transactions.flatMap(\.downloads).map(row)
        state.settings = settings
        state.settle()
    }

    private func with(_ holding: Offer.Holding, _ offer: Offer) -> Offer {
        var offer = offer
        offer.holding = holding
        return offer
    }

    /// An action in progress takes precedence over the current state.
    private func holding(of product: String, _ game: SavedGame) -> Offer.Holding {
        let open = queue.transactions.filter { $0.payment.productIdentifier == product }
        for transaction in open {
            switch transaction.transactionState {
            case .purchasing: return .paying
            case .deferred: return .waitingForApproval
            case .purchased, .restored:
                return observer.isDelivering(transaction) ? .arriving : .undelivered
            default: continue
            }
        }
        switch product {
        case Garage.fuel: return .litres(game.fuel)
        case Garage.turbo: return state.turbo == .locked ? .none : .owned
        default:
            let isHere = game.content[product] != nil || game.storeContent[product] != nil
            return isHere ? .owned : .none
        }
    }

    private func row(_ download: SKDownload) -> DownloadRow {
        let stage: DownloadRow.Stage =
            switch download.state {
            case .waiting: .waiting
            case .active: .active
            case .paused: .paused
            case .finished: .finished
            case .cancelled: .cancelled
            case .failed: .failed(download.error?.localizedDescription ?? "It failed.")
            }
        let seconds = download.timeRemaining
        return DownloadRow(
            transaction: download.transaction.transactionIdentifier ?? "",
            content: download.contentIdentifier,
            title: shop.title(of: download.contentIdentifier), stage: stage,
            progress: Double(download.progress), bytes: download.expectedContentLength,
            secondsLeft: seconds == SKDownloadTimeRemainingUnknown ? nil : Int(seconds))
    }

    private var settings: GameState.Settings {
        let receipt = AppReceipt.own(of: garage)
        return GameState.Settings(
            player: garage.player?.name, backend: garage.backendURL.absoluteString,
            country: queue.storefront?.countryCode, mayBuy: SKPaymentQueue.canMakePayments(),
            receipt: receipt.map {
                "\($0.bundleIdentifier) \($0.version), purchases in it: \($0.purchases.count)"
            }, home: garage.home.path)
    }
}
