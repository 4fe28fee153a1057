import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreWire

/// A request to `verifyReceipt`.
struct SentReceipt: Sendable {
    let bytes: [UInt8]
    let password: String?
    /// Whether only the newest transaction of each subscription is wanted.
    let excludesOld: Bool

    /// A request has three members; values beyond this limit are not read, since anyone may send
    /// them and a listener's thread reads them.
    private static let limits = JSONLimits(
        bytesMax: Limits.receiptBodyMax, valuesMax: valuesMax)
    static let valuesMax = 100

    /// The Content-Type does not matter, since real clients send any or none, and
    /// `exclude-old-transactions` may be a Boolean or its name.
    init(_ request: HTTPRequest) throws(StatusRefusal) {
        guard request.method == "POST",
            let body = try? JSONValue(parsing: request.body, limits: Self.limits),
            body.object != nil
        else { throw StatusRefusal(status: .requestUnreadable) }
        guard let text = body["receipt-data"]?.string, let data = Self.decodedBase64(text),
            !data.isEmpty
        else { throw StatusRefusal(status: .receiptMalformed) }
        bytes = data
        password = body["password"]?.string
        excludesOld =
            switch body["exclude-old-transactions"] {
            case .bool(let flag): flag
            case .string(let text): text == "true"
            default: false
            }
    }

    /// Standard base64, in which clients leave line breaks and blanks.
    static func decodedBase64(_ text: String) -> [UInt8]? {
        if let data = Data(base64Encoded: text) { return Array(data) }
        // An array of them would be made anew for each of 16 million letters.
        let packed = text.utf8.filter { letter in
            switch letter {
            case 0x20, 0x09, 0x0A, 0x0D: false
            default: true
            }
        }
        return Data(base64Encoded: Data(packed)).map { Array($0) }
    }
}

/// A receipt that is answered with a status alone.
struct StatusRefusal: Error {
    let status: VerifyReceiptStatus
}

/// Receipts included in the answer to an attempt, which save the device two requests.
enum SentReceipts {
    /// The receipts of a purchase that was just made; nil when they cannot be given now. The
    /// purchase still stands, and the device requests them separately.
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
