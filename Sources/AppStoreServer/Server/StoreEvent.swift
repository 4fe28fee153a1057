/// The names of the store's log lines.
enum StoreEvent: String {
    case started
    case stopping
    case stopped
    case listensWithoutTLS
    case request
    case requestFailed
    case worldMade
    case worldDeleted
    case worldSnapshot
    case snapshotDeleted
    case worldRestored
    case worldReset
    case worldSeeded
    case deviceRegistered
    case signedIn
    case signInRefused
    case signedOut
    case purchased
    case purchaseRefused
    case finished
    case receiptIssued
    case receiptVerified
    case receiptRefused
    case catalogueImported
    case productChanged
    case accountMade
    case accountLocked
    case accountUnlocked
    case passwordReset
    case accountSignedOut
    case clockSet
}
