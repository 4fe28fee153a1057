import StoreKit
import Testing

/// Names, numbers and defaults that apps rely on.
@Suite struct PublicValueTests {
    @Test(arguments: [
        (SKErrorDomain, "SKErrorDomain"),
        (SKReceiptPropertyIsExpired, "expired"),
        (SKReceiptPropertyIsRevoked, "revoked"),
        (SKReceiptPropertyIsVolumePurchase, "vpp"),
        (SKStoreProductParameterITunesItemIdentifier, "id"),
        (SKStoreProductParameterProductIdentifier, "productIdentifier"),
        (SKStoreProductParameterAffiliateToken, "at"),
        (SKStoreProductParameterCampaignToken, "ct"),
        (SKStoreProductParameterProviderToken, "pt"),
        (SKStoreProductParameterAdvertisingPartnerToken, "advp"),
        (
            Notification.Name.SKCloudServiceCapabilitiesDidChange.rawValue,
            "SKCloudServiceCapabilitiesDidChangeNotification"
        ),
        (
            Notification.Name.SKStorefrontCountryCodeDidChange.rawValue,
            "SKStorefrontCountryCodeDidChangeNotification"
        ),
        (
            Notification.Name.SKStorefrontIdentifierDidChange.rawValue,
            "SKStorefrontIdentifierDidChangeNotification"
        ),
    ])
    func `public constants have Apple's values`(constant: String, value: String) {
        #expect(constant == value)
    }

    @Test(arguments: Array(zip(0...21, ErrorNames.all)))
    func `error codes have Apple's numbers`(number: Int, code: SKError.Code) {
        #expect(code.rawValue == number)
    }

    @Test func `enumeration cases have Apple's numbers`() {
        let transactionStates: [SKPaymentTransactionState] = [
            .purchasing, .purchased, .failed, .restored, .deferred,
        ]
        let downloadStates: [SKDownloadState] = [
            .waiting, .active, .paused, .finished, .failed, .cancelled,
        ]
        let visibilities: [SKProductStorePromotionVisibility] = [.default, .show, .hide]
        let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
        let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        let types: [SKProductDiscount.`Type`] = [.introductory, .subscription]
        #expect(transactionStates.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(downloadStates.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(visibilities.map(\.rawValue) == [0, 1, 2])
        #expect(units.map(\.rawValue) == [0, 1, 2, 3])
        #expect(modes.map(\.rawValue) == [0, 1, 2])
        #expect(types.map(\.rawValue) == [0, 1])
    }

    @Test func `a non-frozen enumeration accepts future values`() {
        #expect(SKProduct.PeriodUnit(rawValue: 9)?.rawValue == 9)
        #expect(SKProductDiscount.PaymentMode(rawValue: 9)?.rawValue == 9)
        let type: SKProductDiscount.`Type`? = .init(rawValue: 9)
        #expect(type?.rawValue == 9)
    }

    @Test func `empty payments, discounts and downloads have Apple's defaults`() {
        let payment = SKPayment()
        #expect(payment.quantity == 1)
        #expect(payment.applicationUsername == nil && payment.requestData == nil)
        #expect(!payment.simulatesAskToBuyInSandbox)
        #expect(payment.paymentDiscount == nil)
        let download = SKDownload()
        #expect(download.state == .waiting && download.downloadState == .waiting)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        #expect(download.progress == 0 && download.contentLength == 0)
        #expect(download.contentURL == nil && download.error == nil)
        #expect(download.transaction.downloads == [])
        #expect(SKReceiptRefreshRequest().receiptProperties == nil)
        #expect(SKProductsRequest().delegate == nil)
        #expect(SKPaymentTransaction().transactionState == .purchasing)
        #expect(SKProduct().discounts == [])
    }

    @Test func `a receipt refresh request keeps its properties`() {
        let request = SKReceiptRefreshRequest(
            receiptProperties: [SKReceiptPropertyIsExpired: true])
        #expect(request.receiptProperties?[SKReceiptPropertyIsExpired] as? Bool == true)
    }

    @Test func `optional delegate methods have Apple's defaults`() {
        final class Observer: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
            func paymentQueue(
                _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
            ) {}
        }
        let (queue, observer) = (SKPaymentQueue(), Observer())
        #expect(
            !observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
        #expect(
            observer.paymentQueue(
                queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()))
        #expect(observer.paymentQueueShouldShowPriceConsent(queue))
        observer.paymentQueue(queue, updatedDownloads: [])
        observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: [])
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
    }

    @Test func `SKTerminateForInvalidReceipt exits with Apple's status`() async {
        await #expect(processExitsWith: .exitCode(173)) {
            SKTerminateForInvalidReceipt()
        }
    }
}

/// All codes, in the order of their numbers.
enum ErrorNames {
    static let all: [SKError.Code] = [
        SKError.unknown, SKError.clientInvalid, SKError.paymentCancelled, SKError.paymentInvalid,
        SKError.paymentNotAllowed, SKError.storeProductNotAvailable,
        SKError.cloudServicePermissionDenied, SKError.cloudServiceNetworkConnectionFailed,
        SKError.cloudServiceRevoked, SKError.privacyAcknowledgementRequired,
        SKError.unauthorizedRequestData, SKError.invalidOfferIdentifier, SKError.invalidSignature,
        SKError.missingOfferParams, SKError.invalidOfferPrice, SKError.overlayCancelled,
        SKError.overlayInvalidConfiguration, SKError.overlayTimeout, SKError.ineligibleForOffer,
        SKError.unsupportedPlatform, SKError.overlayPresentedInBackgroundScene,
        SKError.paymentMethodBindingConfigurationRequired,
    ]
}
