import Foundation
import StoreKit

// Carries out the player's intents through StoreKit.
extension Game {
    func carryOut(_ intent: Intent) {
        switch intent {
        case .buy(let product, let quantity): buy(product, quantity: quantity)
        case .restore: restore()
        case .refreshReceipt: fetchReceipt()
        case .tryAgain:
            shop.ask()
            observer.deliverAgain(queue.transactions, in: queue)
            followOwned()
            look()
        case .startDownload(let row): start(row)
        case .pauseDownload(let row): queue.pause(downloads(of: row))
        case .cancelDownload(let row): queue.cancel(downloads(of: row))
        case .redraw: drawAnew()
        case .suspend: suspend()
        case .quit: exitCode = 0
        }
    }

    /// A backend that does not answer is asked again at the next start, or at the player's request.
    func followOwned() {
        guard garage.player != nil else { return }
        delivery.followOwned { [unowned self] _ in look() }
    }

    private func buy(_ identifier: String, quantity: Int) {
        guard SKPaymentQueue.canMakePayments() else {
            return state.tell("Purchases are not allowed on this device.", .bad)
        }
        guard let product = shop.product(identifier) else { return }
        guard garage.player != nil || Garage.deliversAlone(identifier) || product.isDownloadable
        else {
            return state.tell(
                "\(product.localizedTitle) comes from the game server: start with "
                    + "--user NAME:PASSWORD to play there.", .warning)
        }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = garage.player?.name
        withSheet(.payment(product: identifier)) { queue.add(payment) }
    }

    private func restore() {
        restoredCount = 0
        withSheet(.restore) { queue.restoreCompletedTransactions() }
    }

    private func fetchReceipt() {
        let fetch = ReceiptFetch { [unowned self] error in
            sheetEnded(.receipt)
            receiptFetch = nil
            if let error {
                state.tell("The receipt was not refreshed. \(error.localizedDescription)", .bad)
            } else {
                state.tell("The receipt was refreshed.", .good)
            }
            look()
        }
        receiptFetch = fetch
        withSheet(.receipt) { fetch.start() }
    }

    // MARK: - Downloads

    private func downloads(of row: DownloadRow) -> [SKDownload] {
        queue.transactions.flatMap(\.downloads).filter {
            $0.transaction.transactionIdentifier == row.transaction
                && $0.contentIdentifier == row.content
        }
    }

    /// A paused download resumes and a waiting one begins; one that has ended is delivered again,
    /// which starts with its download.
    private func start(_ row: DownloadRow) {
        let downloads = downloads(of: row)
        switch row.stage {
        case .paused: queue.resume(downloads)
        case .waiting: queue.start(downloads)
        case .failed, .cancelled:
            observer.deliverAgain(downloads.map(\.transaction), in: queue)
        case .active, .finished: break
        }
    }
}
