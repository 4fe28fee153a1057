import StoreDatabase
import StoreModel

/// One subscription that cannot be settled though the database works: what is stored of it, or of
/// what it asks for, makes no sense.
struct DueTrouble: Error, CustomStringConvertible {
    let original: TransactionID
    let cause: any Error

    var description: String { "subscription \(original): \(cause)" }

    /// An error as trouble of one subscription; as it is when the database itself has it.
    static func of(_ original: TransactionID, _ error: any Error) -> any Error {
        guard let code = (error as? DatabaseError)?.code else {
            return DueTrouble(original: original, cause: error)
        }
        return switch code {
        case .constraint, .notADatabase: DueTrouble(original: original, cause: error)
        case .diskFull, .inputOutput, .newerSchema, .unavailable, .other: error
        }
    }
}
