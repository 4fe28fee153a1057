import Foundation
import StoreKit

/// Content that the store keeps for a purchase: downloaded, then moved into the app's own folder,
/// before the transaction is finished.
final class StoreContents {
    private struct Order {
        let transaction: SKPaymentTransaction
        let done: (Bool) -> Void
    }

    /// Larger content begins at the player's request; a script starts everything.
    private let askAboveBytes: Int64
    private let garage: Garage
    private let report: (News) -> Void
    private let start: ([SKDownload]) -> Void
    private var orders: [ObjectIdentifier: Order] = [:]

    init(
        garage: Garage, askAboveBytes: Int64, report: @escaping (News) -> Void,
        start: @escaping ([SKDownload]) -> Void = { SKPaymentQueue.default().start($0) }
    ) {
        self.garage = garage
        self.askAboveBytes = askAboveBytes
        self.report = report
        self.start = start
    }

    /// Fetches a purchase's content. `done(true)` means that all of it is in the app's folder, or
    /// there is none; `done(false)` leaves the purchase as it is.
    func bring(_ transaction: SKPaymentTransaction, done: @escaping (Bool) -> Void) {
        let missing = transaction.downloads.filter { !isHere($0) }
        guard !missing.isEmpty else { return done(true) }
        orders[ObjectIdentifier(transaction)] = Order(transaction: transaction, done: done)
        for download in missing { begin(download, of: transaction) }
        moved(missing.filter { $0.state == .finished })
    }

    /// Checks downloads that have changed.
    func moved(_ downloads: [SKDownload]) {
        for download in downloads {
            let transaction = download.transaction
            guard let order = orders[ObjectIdentifier(transaction)] else { continue }
            let product = transaction.payment.productIdentifier
            switch download.state {
            case .finished: take(download, order)
            case .failed:
                report(
                    .downloadFailed(
                        product: product, message: download.error?.localizedDescription ?? ""))
                end(order, isBrought: false)
            case .cancelled:
                report(.downloadCancelled(product: product))
                end(order, isBrought: false)
            case .waiting, .active, .paused: continue
            }
        }
    }

    private func begin(_ download: SKDownload, of transaction: SKPaymentTransaction) {
        let product = transaction.payment.productIdentifier
        let identifier = transaction.transactionIdentifier ?? "-"
        let bytes = download.expectedContentLength
        switch download.state {
        // The player has agreed to one that has begun, so it continues by itself.
        case .waiting where bytes > askAboveBytes && download.progress == 0:
            report(.largeDownload(product: product, transaction: identifier, bytes: bytes))
        case .waiting, .failed, .cancelled:
            report(.downloading(product: product, transaction: identifier))
            start([download])
        case .active, .paused, .finished: break
        }
    }

    /// Moves a finished download, and ends the order after the last one.
    private func take(_ download: SKDownload, _ order: Order) {
        let transaction = order.transaction
        do {
            if !isHere(download) { try keep(download, of: transaction) }
        } catch {
            report(.trouble("the download cannot be saved: \(error)"))
            return end(order, isBrought: false)
        }
        guard transaction.downloads.allSatisfy(isHere) else { return }
        report(
            .downloaded(
                product: transaction.payment.productIdentifier,
                transaction: transaction.transactionIdentifier ?? "-"))
        end(order, isBrought: true)
    }

    private func end(_ order: Order, isBrought: Bool) {
        orders[ObjectIdentifier(order.transaction)] = nil
        order.done(isBrought)
    }

    /// The new content is first placed beside the old: a crash leaves one or the other.
    private func keep(_ download: SKDownload, of transaction: SKPaymentTransaction) throws {
        guard let loaded = download.contentURL else { throw CocoaError(.fileNoSuchFile) }
        let files = FileManager.default
        let place = garage.storeContentFolder(product: download.contentIdentifier)
        let fresh = place.appendingPathExtension("new")
        try? files.removeItem(at: fresh)
        try files.moveItem(at: loaded, to: fresh)
        if files.fileExists(atPath: place.path) { try files.removeItem(at: place) }
        try files.moveItem(at: fresh, to: place)
        try SavedGame.change(in: garage.home) {
            $0.storeContent[download.contentIdentifier] = SavedGame.StoreContent(
                version: download.contentVersion,
                transactionId: transaction.transactionIdentifier ?? "-")
        }
    }

    /// Whether the app's folder has it, in this version.
    private func isHere(_ download: SKDownload) -> Bool {
        let identifier = download.contentIdentifier
        guard let game = try? SavedGame.load(from: garage.home),
            let held = game.storeContent[identifier]
        else { return false }
        return held.version == download.contentVersion
            && FileManager.default.fileExists(
                atPath: garage.storeContentFolder(product: identifier).path)
    }
}
