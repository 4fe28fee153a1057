// Enumerations of StoreKit 1. They are C enums because Apple may extend them: a raw value that
// this version does not know is a legal value, and `@unknown default` is legal in a switch. Those
// that Apple calls frozen are closed.
#ifndef CSTOREKIT_H
#define CSTOREKIT_H

#define STOREKIT_OPEN_ENUM __attribute__((enum_extensibility(open)))
#define STOREKIT_FROZEN_ENUM __attribute__((enum_extensibility(closed)))

/// The current state of a transaction.
typedef enum STOREKIT_OPEN_ENUM SKPaymentTransactionState : long {
    /// The store is processing it.
    SKPaymentTransactionStatePurchasing = 0,
    /// Paid for: deliver it, then finish it.
    SKPaymentTransactionStatePurchased = 1,
    /// Ended without a purchase; `error` gives the reason. Finish it, too.
    SKPaymentTransactionStateFailed = 2,
    /// An earlier purchase, restored.
    SKPaymentTransactionStateRestored = 3,
    /// Waiting for another person's approval. Do not finish it.
    SKPaymentTransactionStateDeferred = 4,
} SKPaymentTransactionState;

/// The unit of a subscription's period.
typedef enum STOREKIT_OPEN_ENUM SKProductPeriodUnit : unsigned long {
    SKProductPeriodUnitDay = 0,
    SKProductPeriodUnitWeek = 1,
    SKProductPeriodUnitMonth = 2,
    SKProductPeriodUnitYear = 3,
} SKProductPeriodUnit;

/// How a discounted period is paid for.
typedef enum STOREKIT_OPEN_ENUM SKProductDiscountPaymentMode : unsigned long {
    SKProductDiscountPaymentModePayAsYouGo = 0,
    SKProductDiscountPaymentModePayUpFront = 1,
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// The purpose of a discount.
typedef enum STOREKIT_OPEN_ENUM SKProductDiscountType : unsigned long {
    SKProductDiscountTypeIntroductory = 0,
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// The current state of a download.
typedef enum STOREKIT_FROZEN_ENUM SKDownloadState : long {
    /// Not started yet.
    SKDownloadStateWaiting = 0,
    /// In progress.
    SKDownloadStateActive = 1,
    /// Paused by the app; continues when the app resumes it.
    SKDownloadStatePaused = 2,
    /// All of it is on disk.
    SKDownloadStateFinished = 3,
    /// Ended by an error; `error` gives the reason.
    SKDownloadStateFailed = 4,
    /// Cancelled by the app.
    SKDownloadStateCancelled = 5,
} SKDownloadState;

/// Whether customers see a promoted product on the app's store page.
typedef enum STOREKIT_FROZEN_ENUM SKProductStorePromotionVisibility : long {
    /// As the catalogue says.
    SKProductStorePromotionVisibilityDefault = 0,
    SKProductStorePromotionVisibilityShow = 1,
    SKProductStorePromotionVisibilityHide = 2,
} SKProductStorePromotionVisibility;

/// Why something in StoreKit failed.
typedef enum STOREKIT_OPEN_ENUM SKErrorCode : long {
    SKErrorUnknown = 0,
    SKErrorClientInvalid = 1,
    SKErrorPaymentCancelled = 2,
    SKErrorPaymentInvalid = 3,
    SKErrorPaymentNotAllowed = 4,
    SKErrorStoreProductNotAvailable = 5,
    SKErrorCloudServicePermissionDenied = 6,
    SKErrorCloudServiceNetworkConnectionFailed = 7,
    SKErrorCloudServiceRevoked = 8,
    SKErrorPrivacyAcknowledgementRequired = 9,
    SKErrorUnauthorizedRequestData = 10,
    SKErrorInvalidOfferIdentifier = 11,
    SKErrorInvalidSignature = 12,
    SKErrorMissingOfferParams = 13,
    SKErrorInvalidOfferPrice = 14,
    SKErrorOverlayCancelled = 15,
    SKErrorOverlayInvalidConfiguration = 16,
    SKErrorOverlayTimeout = 17,
    SKErrorIneligibleForOffer = 18,
    SKErrorUnsupportedPlatform = 19,
    SKErrorOverlayPresentedInBackgroundScene = 20,
    SKErrorPaymentMethodBindingConfigurationRequired = 21,
} SKErrorCode;

// The methods of Foundation's Bundle that this module replaces. Not for apps.

/// Each by its number.
typedef enum __attribute__((enum_extensibility(closed), swift_private))
    StoreKitBundleMethod : int {
    StoreKitBundleReceipt = 0,
    StoreKitBundleURL = 1,
    StoreKitBundleURLIn = 2,
    StoreKitBundleURLFor = 3,
    StoreKitBundleURLsIn = 4,
    StoreKitBundleURLsFor = 5,
    StoreKitBundlePath = 6,
    StoreKitBundlePathIn = 7,
    StoreKitBundlePathFor = 8,
    StoreKitBundlePathsIn = 9,
    StoreKitBundlePathsFor = 10,
} StoreKitBundleMethod;

/// The address of the code of Foundation's own method; 0 if there is none.
__attribute__((swift_private)) unsigned long storekit_bundle_method(StoreKitBundleMethod method);

// The terminal while a password is typed. Not for apps.

/// Hides input typed at a terminal and turns its signals off, until `storekit_terminal_show`, the
/// end of the process by `exit`, or SIGTERM, SIGHUP or SIGINT. Returns 0 on success.
__attribute__((swift_private)) int storekit_terminal_hide(int file);

/// Restores the terminal; does nothing if it has been restored already.
__attribute__((swift_private)) void storekit_terminal_show(void);

/// Whether the terminal is still hidden: 0 when the process is about to end.
__attribute__((swift_private)) int storekit_terminal_is_hidden(void);

#endif
