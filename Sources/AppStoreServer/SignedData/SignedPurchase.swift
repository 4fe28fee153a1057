import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// The data that a device wants with the answer to its attempt, once the attempt is done.
enum PurchaseEnclosure: Sendable {
    case none
    case receipts
    case signedData

    init(_ request: HTTPRequest) throws {
        let wantsReceipts = try request.queryFlag(SentReceiptsBody.queryName)
        let wantsSigned = try request.queryFlag(SignedPurchaseBody.queryName)
        switch (wantsReceipts, wantsSigned) {
        case (false, false): self = .none
        case (true, false): self = .receipts
        case (false, true): self = .signedData
        case (true, true):
            throw Refusal(
                400, "badQuery", "receipts and signed cannot both be true; choose one of them.")
        }
    }
}

/// Signed data included in the answer to an attempt, which save the device a request.
enum SignedPurchase {
    /// The data of a purchase that stands; nil when they cannot be given now. The purchase still
    /// stands, and the device asks for them separately.
    static func make(
        for sold: DeliveredTransaction, _ session: DeviceSession, _ account: Account,
        in scene: Scene
    ) -> SignedPurchaseBody? {
        let now = scene.world.time.now()
        do {
            let (data, transaction, groups) = try scene.world.database.read { scope in
                let data = try DeviceSignedData(session, account, at: now, scope)
                return (
                    data, try data.transactions([sold], scope)[0],
                    try sold.transaction.subscription.map { _ in try data.groups(scope) }
                )
            }
            let signing = try DeviceSigning(data.maker, in: scene.world)
            return SignedPurchaseBody(
                header: signing.header, transaction: try signing.body(transaction),
                groups: try groups?.map { try signing.body($0) })
        } catch {
            scene.log.event(StoreEvent.requestFailed, ("why", .text("\(error)")))
            return nil
        }
    }
}
