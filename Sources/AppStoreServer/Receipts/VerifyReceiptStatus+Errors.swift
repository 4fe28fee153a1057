import StoreDatabase
import StoreRules
import StoreSigning
import StoreVerification

extension VerifyReceiptStatus {
    /// The status for an error that has no other answer.
    ///
    /// A receipt is refused for good, with 21002 or 21003, only when a fault was found in it; any
    /// other trouble is the store's own, and the client is to ask again.
    init(of error: any Error) {
        self =
            switch error {
            case let refusal as StatusRefusal: refusal.status
            case VerificationRefusal.malformed: .receiptMalformed
            case VerificationRefusal.notAuthentic: .receiptNotAuthentic
            case let failure as DatabaseError: Self(failure)
            default: .internalError
            }
    }

    /// A temporary failure, or broken data.
    private init(_ failure: DatabaseError) {
        self =
            switch failure.code {
            case .unavailable, .diskFull, .inputOutput: .temporarilyUnavailable
            case .constraint, .notADatabase, .olderSchema, .newerSchema, .other: .internalError
            }
    }
}
