// Enumerations of StoreKit 1. They are C enums because Apple may extend them: a raw value that
// this version does not know is a legal value, and `@unknown default` is legal in a switch. Those
// that Apple calls frozen are closed.
#ifndef CSTOREKIT_H
#define CSTOREKIT_H

#define STOREKIT_OPEN_ENUM __attribute__((enum_extensibility(open)))
#define STOREKIT_FROZEN_ENUM __attribute__((enum_extensibility(closed)))

/// Where a transaction stands.
typedef enum STOREKIT_OPEN_ENUM SKPaymentTransactionState : long {
    /// The store is processing it.
    SKPaymentTransactionStatePurchasing = 0,
    /// Paid for: deliver, then finish.
    SKPaymentTransactionStatePurchased = 1,
    /// Ended without a purchase; `error` says why. Finish it too.
    SKPaymentTransactionStateFailed = 2,
    /// A purchase made before, given back.
    SKPaymentTransactionStateRestored = 3,
    /// Waits for somebody's approval. Do not finish it.
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

/// What a discount is for.
typedef enum STOREKIT_OPEN_ENUM SKProductDiscountType : unsigned long {
    SKProductDiscountTypeIntroductory = 0,
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// Where a download stands.
typedef enum STOREKIT_FROZEN_ENUM SKDownloadState : long {
    /// Not started yet.
    SKDownloadStateWaiting = 0,
    /// Under way.
    SKDownloadStateActive = 1,
    /// Stopped by the app; goes on when it says so.
    SKDownloadStatePaused = 2,
    /// All of it is on disk.
    SKDownloadStateFinished = 3,
    /// Ended by an error; `error` says which.
    SKDownloadStateFailed = 4,
    /// Ended by the app.
    SKDownloadStateCancelled = 5,
} SKDownloadState;

/// Whether a person sees a promoted product on the store's page of the app.
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

// The terminal while a password is typed. Not for apps.

/// Hides what is typed at a terminal and turns its signals off, until `storekit_terminal_show`,
/// the process's end by `exit`, or SIGTERM, SIGHUP or SIGINT. Returns 0 when that has worked.
__attribute__((swift_private)) int storekit_terminal_hide(int file);

/// Puts the terminal back; does nothing when that has happened already.
__attribute__((swift_private)) void storekit_terminal_show(void);

/// Whether the terminal is hidden still: 0 when the process is about to end.
__attribute__((swift_private)) int storekit_terminal_is_hidden(void);

#endif
