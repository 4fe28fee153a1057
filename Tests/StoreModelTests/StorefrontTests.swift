import Foundation
import StoreModel
import Testing

@Suite struct StorefrontTests {
    @Test func `the storefront table has each country and number once, in order`() {
        let codes = Storefront.all.map(\.countryCode)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        #expect(Set(Storefront.all.map(\.identifier)).count == codes.count)
    }

    @Test(arguments: Storefront.all)
    func `a storefront has a country, a number, a currency and a locale`(
        storefront: Storefront
    ) throws {
        #expect(storefront.countryCode.utf8.count == 3)
        #expect(storefront.countryCode.utf8.allSatisfy { (0x41...0x5A).contains($0) })
        #expect(storefront.identifier.hasPrefix("143") && storefront.identifier.utf8.count == 6)
        #expect(Locale.commonISOCurrencyCodes.contains(storefront.currency.code))
        let region = try #require(Locale(identifier: storefront.locale).region)
        #expect(Locale.Region(storefront.countryCode).identifier.utf8.count == 3)
        #expect(Self.alpha2[storefront.countryCode] ?? "" == region.identifier)
        #expect(Storefront(countryCode: storefront.countryCode) == storefront)
    }

    @Test(arguments: ["", "usa", "US", "USAA", "XXX", "U\u{0}A"])
    func `an unknown country has no storefront`(code: String) {
        #expect(Storefront(countryCode: code) == nil)
    }

    @Test func `the default storefront is in the table`() {
        #expect(Storefront(countryCode: "USA") == .default)
    }

    /// Country codes whose two letters are not their first two, and all others by rule.
    private static let alpha2: [String: String] = {
        let special = [
            "ARE": "AE", "AUT": "AT", "CHL": "CL", "CHN": "CN", "DNK": "DK", "EST": "EE",
            "IRL": "IE", "ISR": "IL", "KAZ": "KZ", "KOR": "KR", "MEX": "MX", "NGA": "NG",
            "PAK": "PK", "POL": "PL", "PRT": "PT", "SVK": "SK", "SVN": "SI", "SWE": "SE",
            "TUR": "TR", "UKR": "UA",
        ]
        let rule = Storefront.all.map { ($0.countryCode, String($0.countryCode.prefix(2))) }
        return Dictionary(uniqueKeysWithValues: rule).merging(special) { $1 }
    }()
}
