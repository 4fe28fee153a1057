import Foundation
import StoreModel
import Testing

@testable import StoreKit

@Suite struct StorefrontValueTests {
    private typealias Known = StoreModel.Storefront
    private typealias Shown = StoreKit.Storefront

    @Test func `a storefront has the currency of its country, and one elsewhere has none`() throws {
        let germany = Shown(try #require(Known(countryCode: "DEU")))
        #expect(germany.countryCode == "DEU")
        #expect(germany.id == "143443")
        #expect(germany.currency == Locale.Currency("EUR"))
        #expect(Shown(countryCode: "ATA", id: "1").currency == nil)
    }
}
