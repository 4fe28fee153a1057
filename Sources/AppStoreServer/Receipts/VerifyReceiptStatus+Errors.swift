import StoreDatabase
import StoreRules
import StoreSigning

extension VerifyReceiptStatus {
    /// What a client is told when nothing else can be said.
    ///
    /// A receipt is refused for good, as 21002 or 21003, only when something was found in it; all
    /// other trouble is the store's own, and the client is to ask again.
    init(of error: any Error) {
        self =
            switch error {
            case let refusal as StatusRefusal: refusal.status
            case ReceiptRefusal.malformed: .receiptMalformed
            case ReceiptRefusal.notAuthentic: .receiptNotAuthentic
            case let failure as DatabaseError: Self(failure)
            default: .internalError
            }
    }

    /// What may pass, or what is broken.
    private init(_ failure: DatabaseError) {
        self =
            switch failure.code {
            case .unavailable, .diskFull, .inputOutput: .temporarilyUnavailable
            case .constraint, .notADatabase, .olderSchema, .newerSchema, .other: .internalError
            }
    }
}
