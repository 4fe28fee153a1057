/// `GET` and `PUT /control/v1/shop`: a world's settings as a shop; a `PUT` leaves absent settings
/// unchanged.
package struct ShopBody: Codable, Hashable, Sendable {
    package enum NewProducts: String, Codable, CaseIterable, Sendable {
        case clearedForSale
        case waitForReview
    }

    /// What happens to products that an import adds.
    package let newProducts: NewProducts?
    /// How long a change of the catalogue takes to reach devices, by the world's clock.
    package let delayMilliseconds: Int64?

    package init(newProducts: NewProducts?, delayMilliseconds: Int64?) {
        self.newProducts = newProducts
        self.delayMilliseconds = delayMilliseconds
    }
}

/// `PUT /control/v1/apps/{bundleId}/delay`; null goes by the world's again.
/// `PUT /control/v1/apps/{bundleId}/grace-period`
package struct GracePeriodBody: Codable, Hashable, Sendable {
    /// 3, 16 or 28; null or absent for none.
    package let days: Int?

    package init(days: Int?) {
        self.days = days
    }
}

package struct DelayBody: Codable, Hashable, Sendable {
    package let milliseconds: Int64?

    package init(milliseconds: Int64?) {
        self.milliseconds = milliseconds
    }
}

/// An app as the shop owner sees it.
package struct AppBody: Codable, Hashable, Sendable {
    package let bundleId: String
    /// Its number in the App Store.
    package let appAppleId: Int64
    /// The developer account it belongs to.
    package let developer: String
    /// The storefront of customers who are not signed in.
    package let storefront: String
    /// Absent when the world's delay applies.
    package let delayMilliseconds: Int64?
    /// How many days it serves subscribers whose renewal is unpaid; absent for none.
    package let gracePeriodDays: Int?

    package init(
        bundleId: String, appAppleId: Int64, developer: String, storefront: String,
        delayMilliseconds: Int64?,
        gracePeriodDays: Int? = nil
    ) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.developer = developer
        self.storefront = storefront
        self.delayMilliseconds = delayMilliseconds
        self.gracePeriodDays = gracePeriodDays
    }
}

/// `GET /control/v1/apps`
package struct AppsBody: Codable, Hashable, Sendable {
    package let apps: [AppBody]

    package init(apps: [AppBody]) {
        self.apps = apps
    }
}
