import StoreModel
import Testing

@Suite struct ProductTests {
    private func product(locales: [String]) throws -> Product {
        Product(
            id: ProductID("fuel"), kind: .consumable, referenceName: nil,
            isFamilyShareable: false, subscriptionGroup: nil, state: .clearedForSale,
            basePrice: try #require(Price(decimal: "0.99")),
            texts: locales.map { ProductText(locale: $0, name: $0, description: "") })
    }

    @Test(
        arguments: [
            ("de_DE", ["en_US", "de_DE", "de_AT"], "de_DE"),
            ("de_CH", ["en_US", "de_AT", "de_DE"], "de_AT"),
            ("de", ["en_US", "de_AT"], "de_AT"),
            ("de-CH", ["en_US", "de_AT"], "de_AT"),
            ("zh_Hans_CN", ["en_US", "zh_Hans"], "zh_Hans"),
            ("tr_TR", ["ja_JP", "tr"], "tr"),
            ("fr_FR", ["ja_JP", "en_US"], "en_US"),
            ("fr_FR", ["ja_JP", "en_GB"], "ja_JP"),
            ("", ["ja_JP"], "ja_JP"),
            ("fr_FR", [], nil),
        ] as [(String, [String], String?)])
    func `product texts fall back from the locale to its language, American and the first`(
        locale: String, locales: [String], expected: String?
    ) throws {
        #expect(try product(locales: locales).text(for: locale)?.locale == expected)
    }

    @Test(
        arguments: [
            (["de_DE": "Verein", "en_US": "Club"], "Verein"),
            (["de_DE": "", "en_US": "Club"], "Club"), (["de_DE": "", "en_US": ""], "Pit crew"),
            ([:], "Pit crew"),
        ] as [([String: String], String)])
    func `a group's name skips localizations without one`(
        names: [String: String], expected: String
    ) {
        let group = SubscriptionGroup(
            id: "1", referenceName: "Pit crew",
            texts: names.map { ProductText(locale: $0.key, name: $0.value, description: "") })
        #expect(group.displayName(for: "de_DE") == expected)
    }
}
