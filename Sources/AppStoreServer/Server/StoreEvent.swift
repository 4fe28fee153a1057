import StoreConsole
import StoreLog

/// The names of the store's log lines.
enum StoreEvent: String, LogEvent, CaseIterable {
    case started
    case stopping
    case stopped
    case listensWithoutTLS
    case tlsAuthorityReplaced
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
    case purchaseWaits
    /// It changed a renewal, or nothing, and was answered with the current period.
    case purchaseSoldNothing
    case approvalAnswered
    case interruptionResolved
    case priceConsentAsked
    case priceConsentAnswered
    case accountChanged
    case finished
    case purchasesRestored
    case keyValuesChanged
    case revoked
    case refundChanged
    case appAccountTokenSet
    case receiptIssued
    case transactionReceiptsIssued
    case receiptVerified
    case serverTokenRefused
    case receiptRefused
    case catalogueImported
    case productChanged
    case accountMade
    case accountLocked
    case accountUnlocked
    case passwordReset
    case accountSignedOut
    case accountDeleted
    case transactionDeleted
    case appTransactionSet
    case storefrontChanged
    case creditToppedUp
    case creditCorrected
    case giftCodeMade
    case giftCodeRedeemed
    case giftCodeVoided
    case clockSet
    case clockAdvanced
    case paceSet
    case faultsSet
    case requestFaulted
    case serverAPILimitsSet
    case paymentChanged
    case paymentUnanswered
    case paymentFailed
    case paymentsFailed
    case paymentsUnsettled
    case renewalsFailed
    case renewalSetAside
    case subscriptionChanged
    case massExtensionAsked
    case massExtensionEnded
    case massExtensionsFailed
    case massExtensionSetAside
    case familyChanged
    case shopChanged
    case appChanged
    case developerMade
    case secretMade
    case secretRevoked
    case offerKeyMade
    case offerKeyRevoked
    case offerCodeMade
    case offerCodeDeactivated
    case offerCodeRedeemed
    case certificateReplaced
    case certificateRevoked
    case notificationTargetSet
    case notificationTargetRemoved
    case notificationUnsigned
    case notificationUndelivered
    case notificationsFailed
    case contentAdded
    case contentRemoved
    case contentMissing
    case consoleOpened
    case consoleRefused
    case consoleClosed

    static func note(_ happening: ConsoleHappening, in log: Log) {
        switch happening {
        case .opened(let isReadOnly):
            log.event(consoleOpened, ("isReadOnly", .text("\(isReadOnly)")))
        case .refused(let code): log.event(consoleRefused, ("why", .text(code)))
        case .closed: log.event(consoleClosed)
        }
    }

    var level: LogLevel {
        switch self {
        case .requestFailed, .paymentsFailed, .paymentsUnsettled, .paymentFailed, .renewalsFailed,
            .renewalSetAside, .massExtensionsFailed, .massExtensionSetAside, .notificationsFailed,
            .notificationUnsigned, .contentMissing:
            .error
        case .listensWithoutTLS, .tlsAuthorityReplaced, .paymentUnanswered,
            .notificationUndelivered, .accountLocked, .serverTokenRefused, .requestFaulted,
            .consoleRefused:
            .warning
        case .request, .deviceRegistered, .signedIn, .signInRefused, .signedOut, .purchased,
            .purchaseRefused, .purchaseWaits, .purchaseSoldNothing, .interruptionResolved,
            .priceConsentAnswered,
            .finished, .purchasesRestored, .keyValuesChanged, .appAccountTokenSet, .receiptIssued,
            .transactionReceiptsIssued, .receiptVerified, .receiptRefused, .giftCodeRedeemed,
            .paymentChanged, .subscriptionChanged, .offerCodeRedeemed:
            .info
        case .started, .stopping, .stopped, .worldMade, .worldDeleted, .worldSnapshot,
            .snapshotDeleted, .worldRestored, .worldReset, .worldSeeded, .approvalAnswered,
            .priceConsentAsked, .accountChanged, .revoked, .refundChanged, .catalogueImported,
            .productChanged, .accountMade, .accountUnlocked, .passwordReset, .accountSignedOut,
            .accountDeleted, .transactionDeleted, .appTransactionSet, .storefrontChanged,
            .creditToppedUp,
            .creditCorrected, .giftCodeMade, .giftCodeVoided, .clockSet, .clockAdvanced, .paceSet,
            .faultsSet, .serverAPILimitsSet, .massExtensionAsked, .massExtensionEnded,
            .familyChanged, .shopChanged, .appChanged, .developerMade, .secretMade, .secretRevoked,
            .offerKeyMade, .offerKeyRevoked, .offerCodeMade, .offerCodeDeactivated,
            .certificateReplaced, .certificateRevoked, .notificationTargetSet,
            .notificationTargetRemoved, .contentAdded, .contentRemoved, .consoleOpened,
            .consoleClosed:
            .notice
        }
    }
}
