import StoreModel
import Synchronization

// A receipt that the app requested.
extension QueueEngine {
    /// Fetches the receipt of the account that is signed in and writes it, whatever the file holds.
    func renewReceipt(_ properties: ReceiptProperties, _ parts: Parts) throws(StoreFailure) {
        guard let session = parts.connection.session, let customer = session.customer else {
            throw StoreFailure(.signedOut, "Nobody is signed in to the store.")
        }
        let isSandbox =
            parts.connection.configuration.environment.map { $0 == .sandbox }
            ?? session.isOfSandbox
        try fetching.withLock { _ throws(StoreFailure) in
            let receipt = try parts.connection.receipt(
                of: customer, with: isSandbox ? properties : ReceiptProperties())
            let state = ReceiptFile.State(
                revision: receipt.revision, customer: customer, appVersion: session.appVersion,
                scope: session.scope)
            do {
                _ = try ReceiptFile(home: parts.home, isSandbox: isSandbox).store(
                    receipt.bytes, as: state, overNewer: true)
            } catch {
                throw StoreFailure(.lost, "\(error)")
            }
        }
    }
}
