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
    case deviceRegistered
    case signedIn
    case signInRefused
    case signedOut
    case purchased
    case purchaseRefused
    case finished
    case receiptIssued
    case transactionReceiptsIssued
    case receiptVerified
    case receiptRefused
    case catalogueImported
    case productChanged
    case accountMade
    case clockSet
    case shopChanged
    case appChanged
    case developerMade
    case secretMade
    case secretRevoked
}
