import Foundation
import StoreLog
import StoreModel
import StoreWire

/// Receipts that go with the answer to an attempt, and save the device two requests.
enum SentReceipts {
    /// The receipts of a purchase that was just answered for; nil when they cannot be given now.
    /// The purchase stands all the same, and the device asks for them as it would have.
    static func make(
        for transaction: StoreTransaction, _ session: DeviceSession, _ account: Account,
        in scene: Scene
    ) -> SentReceiptsBody? {
        do {
            guard let issued = try ReceiptService.issued(to: session, account, in: scene) else {
                return nil
            }
            let own = try TransactionReceiptService.sign(transaction, for: session, in: scene)
            return SentReceiptsBody(
                receipt: Data(issued.bytes).base64EncodedString(), revision: issued.revision,
                transactionReceipt: Data(own).base64EncodedString())
        } catch {
            scene.log.event(StoreEvent.requestFailed, ("why", .text("\(error)")))
            return nil
        }
    }
}
