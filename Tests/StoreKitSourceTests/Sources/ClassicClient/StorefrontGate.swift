import StoreKit

/// Stops payments in countries that an app does not sell in, and puts price consent off.
public class StorefrontGate: NSObject, SKPaymentQueueDelegate {
    public var countries: Set<String>
    public var isBusy = false

    public init(countries: Set<String>) {
        self.countries = countries
        super.init()
    }

    public func guardQueue(_ queue: SKPaymentQueue) {
        queue.delegate = self
    }

    public func idle(_ queue: SKPaymentQueue) {
        isBusy = false
        queue.showPriceConsentIfNeeded()
    }

    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        return countries.contains(newStorefront.countryCode)
    }

    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        return !isBusy
    }
}

/// Chooses what the device shows of promoted products.
public struct PromotionSettings {
    private let controller: SKProductStorePromotionController

    public init(controller: SKProductStorePromotionController = .default()) {
        self.controller = controller
    }

    public func hide(_ product: SKProduct, completion: @escaping (Error?) -> Void) {
        controller.update(
            storePromotionVisibility: .hide, for: product, completionHandler: completion)
    }

    /// Asks product by product, and counts in a variable of its own.
    public func countShown(_ products: [SKProduct], completion: @escaping (Int) -> Void) {
        var shown = 0
        var left = products.count
        for product in products {
            controller.fetchStorePromotionVisibility(for: product) { visibility, error in
                DispatchQueue.main.async {
                    if error == nil && visibility != .hide { shown += 1 }
                    left -= 1
                    if left == 0 { completion(shown) }
                }
            }
        }
    }

    public func isInOrder(_ product: SKProduct, completion: @escaping (Bool) -> Void) {
        var isFound = false
        controller.fetchStorePromotionOrder { products, _ in
            isFound = products.contains { $0.productIdentifier == product.productIdentifier }
            completion(isFound)
        }
    }

    public func putFirst(_ products: [SKProduct]) {
        controller.update(storePromotionOrder: products)
    }

    public static func text(_ visibility: SKProductStorePromotionVisibility) -> String {
        switch visibility {
        case .default: return "as in the catalogue"
        case .show: return "shown"
        case .hide: return "hidden"
        }
    }
}

/// The parameters of a product page, as an app would open it.
public func pageParameters(app: Int, campaign: String?) -> [String: Any] {
    var parameters: [String: Any] = [
        SKStoreProductParameterITunesItemIdentifier: NSNumber(value: app)
    ]
    if let campaign = campaign {
        parameters[SKStoreProductParameterCampaignToken] = campaign
        parameters[SKStoreProductParameterAffiliateToken] = "affiliate"
    }
    return parameters
}
