import StoreModel
import Testing

@testable import StoreWire

@Suite struct CatalogueDifferenceTests {
    private func product(
        _ id: String, kind: ProductKind = .consumable, reference: String? = nil,
        shared: Bool = false, group: String? = nil, period: RenewalPeriod? = nil, level: Int? = nil,
        offers: [SubscriptionOffer] = [], state: SaleState = .clearedForSale,
        price: Int64 = 990, storefronts: [String: Int64] = [:], name: String = "Fuel"
    ) throws -> Product {
        Product(
            id: ProductID(id), kind: kind, referenceName: reference, isFamilyShareable: shared,
            subscriptionGroup: group, renewalPeriod: period, groupLevel: level, offers: offers,
            state: state,
            basePrice: try #require(Price(milliunits: price)),
            ownPrices: storefronts.map {
                DatedPrice(
                    storefront: $0.key, price: Price(milliunits: $0.value), from: nil)
            },
            texts: [ProductText(locale: "en_US", name: name, description: "")])
    }

    @Test func `a catalogue difference lists products added, changed, removed and unchanged`()
        throws
    {
        let difference = CatalogueDifference(
            from: [try product("d"), try product("c"), try product("b"), try product("a")],
            to: [
                try product("f"), try product("c", price: 1), try product("e"), try product("a"),
            ])
        #expect(difference.added.map(\.id.rawValue) == ["e", "f"])
        #expect(difference.changed.map(\.product.id.rawValue) == ["c"])
        #expect(difference.changed.first?.product.basePrice.milliunits == 1)
        #expect(difference.removed.map(\.id.rawValue) == ["b", "d"])
        #expect(difference.unchanged.map(\.id.rawValue) == ["a"])
        #expect(!difference.isEmpty)
    }

    @Test func `every part of a product in the file is compared`() throws {
        let old = try product("a")
        let trial = SubscriptionOffer(
            kind: .introductory, id: nil, mode: .freeTrial, span: .days(7), periodCount: 1,
            price: try #require(Price(milliunits: 0)))
        let rows: [(product: Product, fields: [String])] = [
            (try product("a", kind: .nonConsumable), ["type"]),
            (try product("a", reference: "r"), ["referenceName"]),
            (try product("a", shared: true), ["familyShareable"]),
            (try product("a", group: "g"), ["subscriptionGroupID"]),
            (try product("a", period: .month), ["recurringSubscriptionPeriod"]),
            (try product("a", level: 2), ["groupNumber"]),
            (try product("a", offers: [trial]), ["offers"]),
            (try product("a", price: 1_990), ["displayPrice"]),
            (try product("a", name: "Nitro"), ["localizations"]),
            (try product("a", price: 0, name: ""), ["displayPrice", "localizations"]),
        ]
        for row in rows {
            let difference = CatalogueDifference(from: [old], to: [row.product])
            #expect(difference.changed.map(\.fields) == [row.fields])
        }
    }

    @Test func `values set by hand are not a difference`() throws {
        let old = try product("a", state: .removedFromSale, storefronts: ["DEU": 1_090])
        let difference = CatalogueDifference(from: [old], to: [try product("a")])
        #expect(difference.isEmpty && difference.unchanged.count == 1)
    }

    @Test(arguments: Samples.all)
    func `importing the same file again changes nothing`(name: String) throws {
        let products = try Samples.file(name).products
        let difference = CatalogueDifference(from: products, to: products.reversed())
        #expect(difference.isEmpty && difference.unchanged.count == products.count)
        #expect(CatalogueDifference(from: [], to: products).added.count == products.count)
        #expect(CatalogueDifference(from: products, to: []).removed.count == products.count)
    }

    @Test func `a catalogue difference is readable by programs and people`() throws {
        let difference = CatalogueDifference(
            from: [try product("a"), try product("b"), try product("d")],
            to: [try product("a"), try product("b", price: 1, name: "x"), try product("c")])
        let body = CatalogueImportBody(
            difference, keptUnused: ["appPolicies", "settings._timeRate"])
        #expect(
            text(try WireJSON.encode(body))
                == #"{"added":["c"],"changed":[{"fields":["displayPrice","localizations"],"#
                + #""productId":"b"}],"keptUnused":["appPolicies","settings._timeRate"],"#
                + #""removed":["d"],"rounded":[],"unchangedCount":1}"#)
        #expect(
            try WireJSON.decode(CatalogueImportBody.self, from: WireJSON.encode(body)) == body)
        #expect(
            body.text == """
                1 added, 1 changed, 1 removed, 1 unchanged
                + c
                ~ b: displayPrice, localizations
                - d
                kept, not used yet: appPolicies, settings._timeRate
                  settings._timeRate is for Xcode's tests; here, use bodega clock pace

                """)
    }

    @Test func `an empty catalogue difference is one line`() {
        let body = CatalogueImportBody(CatalogueDifference(from: [], to: []), keptUnused: [])
        #expect(body.text == "0 added, 0 changed, 0 removed, 0 unchanged\n")
    }
}
