import StoreModel
import Testing

@testable import StoreWire

@Suite struct CatalogueFileTests {
    @Test(arguments: Samples.all)
    func `exporting gives back the imported bytes`(name: String) throws {
        #expect(try Samples.file(name).bytes == Samples.bytes(name))
    }

    @Test(arguments: Samples.xcode)
    func `an Xcode file is written as Xcode wrote it`(name: String) throws {
        let bytes = try Samples.bytes(name)
        #expect(text(try JSONValue(parsing: bytes).xcodeBytes) == text(bytes))
    }

    @Test(arguments: Samples.xcode)
    func `a document without its own text gets Xcode's form`(name: String) throws {
        let value = try JSONValue(parsing: Samples.bytes(name))
        #expect(try CatalogueFile(document: value).bytes == Samples.bytes(name))
    }

    @Test(arguments: zip(Samples.xcode, ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"]))
    func `the version of a catalogue file is recognised`(name: String, version: String) throws {
        #expect(try Samples.file(name).version?.description == version)
    }

    static let products: [(file: String, products: [String])] = [
        (
            "v1.0",
            ["fuel consumable 0.99", "nitro nonConsumable 4.99", "crew.monthly autoRenewable 3.99"]
        ),
        (
            "v1.1",
            [
                "fuel consumable 1", "paint nonConsumable 0", "season nonRenewing 19.99",
                "crew.weekly autoRenewable 0.99",
            ]
        ),
        ("v1.2", ["crew.yearly autoRenewable 39.99"]),
        ("v2.0", ["nitro nonConsumable 199.99"]),
        (
            "v3.0",
            [
                "fuel consumable 0.99", "nitro nonConsumable 5",
                "crew.two-monthly autoRenewable 17.99", "crew.monthly autoRenewable 9.99",
            ]
        ),
        (
            "v4.0",
            [
                "fuel consumable 0.99", "nitro nonConsumable 4.99",
                "crew.half-yearly autoRenewable 24.99", "crew.quarterly autoRenewable 14.99",
            ]
        ),
        (
            "v5.0",
            [
                "fuel consumable 1.49", "nitro nonConsumable 4.99", "season nonRenewing 1.69",
                "crew.yearly autoRenewable 11.88",
            ]
        ),
        ("by-hand", ["fuel consumable 0.99", "nitro nonConsumable 5", "crew autoRenewable 3.99"]),
    ]

    @Test(arguments: products)
    func `the products of a file are read in order`(
        file: String, products: [String]
    ) throws {
        let read = try Samples.file(file).products.map {
            "\($0.id.rawValue.dropFirst("com.example.rocketcar.".count)) \($0.kind) "
                + $0.basePrice.decimal
        }
        #expect(read == products)
    }

    @Test func `a product is read with all its parts`() throws {
        let file = try Samples.file("v1.0")
        #expect(
            file.products[1]
                == Product(
                    id: ProductID("com.example.rocketcar.nitro"), kind: .nonConsumable,
                    referenceName: "Nitro", internalID: "3C6EF362", isFamilyShareable: true,
                    subscriptionGroup: nil,
                    state: .clearedForSale, basePrice: try #require(Price(milliunits: 4_990)),
                    texts: [
                        ProductText(
                            locale: "en_US", name: "Nitro", description: "Goes faster, for ever."),
                        ProductText(
                            locale: "de_DE", name: "Nitro", description: "Schneller, für immer."),
                    ]))
        #expect(file.products[2].subscriptionGroup == "51A0C0DE")
        #expect(file.products[2].renewalPeriod == .month && file.products[2].groupLevel == 1)
        #expect(file.identifier == nil && file.locale == nil && file.storefront == nil)
    }

    @Test func `groups are read with their names, and only where they have an identifier`() throws {
        #expect(
            try Samples.file("v1.0").groups
                == [SubscriptionGroup(id: "51A0C0DE", referenceName: "Pit crew", texts: [])])
        let crew = ProductText(locale: "en_US", name: "Pit crew", description: "")
        #expect(try Samples.file("v4.0").groups.first?.texts == [crew])
        #expect(try Samples.file("by-hand").groups == [])
        let twice = #"""
            {"subscriptionGroups":[{"id":"a","name":"A"},{"id":"a","name":"B"},{"id":""}]}
            """#
        #expect(try CatalogueFile(bytes: twice.bytes).groups.map(\.referenceName) == ["A"])
        let bad = #"{"subscriptionGroups":[{"id":"a","localizations":[{"locale":1}]}]}"#
        #expect(throws: CatalogueFileError.self) { try CatalogueFile(bytes: bad.bytes) }
    }

    @Test func `a file's identifier, storefront and locale are read`() throws {
        let file = try Samples.file("v1.1")
        #expect(file.identifier?.utf8.count == 8)
        #expect(file.storefront?.countryCode == "ESP")
        #expect(file.locale == "es_MX")
    }

    @Test func `optional parts of a file have defaults`() throws {
        let file = try Samples.file("by-hand")
        #expect(file.version == nil && file.identifier == nil)
        #expect(file.products[0].texts.isEmpty && !file.products[0].isFamilyShareable)
        #expect(file.products[0].referenceName == nil)
        #expect(file.products[1].texts.map(\.description) == [""])
        #expect(file.products[2].subscriptionGroup == "crew")
        #expect(file.products[2].renewalPeriod == .month && file.products[2].groupLevel == nil)
        #expect(try CatalogueFile(bytes: "{}".bytes).products.isEmpty)
        let nulls = #"{"version":null,"products":null,"settings":null,"identifier":null}"#
        #expect(try CatalogueFile(bytes: nulls.bytes).products.isEmpty)
    }

    static let unused: [(file: String, names: [String])] = [
        ("v1.0", []),
        ("v1.1", ["settings._askToBuyEnabled", "settings._locale", "settings._timeRate"]),
        ("v2.0", ["settings._locale", "subscriptionOffersKeyPair"]),
        (
            "v4.0",
            [
                "appPolicies", "settings._locale", "settings._storeKitErrors",
            ]
        ),
        (
            "v5.0",
            ["settings._locale"]
                + ["billingPlans", "introductoryOffers[].billingPlanType"].map(inSubscriptions)
        ),
        ("by-hand", ["x-note"].map(inSubscriptions)),
    ]
    private static func inSubscriptions(_ key: String) -> String {
        "subscriptionGroups[].subscriptions[].\(key)"
    }

    @Test(arguments: unused)
    func `an unused setting is named once when it is set`(
        file: String, names: [String]
    ) throws {
        #expect(Set(try Samples.file(file).keptUnused).isSuperset(of: names))
        #expect(Set(try Samples.file(file).keptUnused).subtracting(names).isEmpty)
    }

    @Test func `offers of codes and those that win back are used, but for what codes stack with`()
        throws
    {
        let names = try ["v1.2", "v4.0"].flatMap { try Samples.file($0).keptUnused }
        let stackable = Self.inSubscriptions("codeOffers[].isStackable")
        #expect(names.filter { $0.contains("Offers") } == [stackable])
    }

    @Test func `an unknown storefront is kept and named`() throws {
        let file = try CatalogueFile(bytes: #"{"settings":{"_storefront":"XXX"}}"#.bytes)
        #expect(file.storefront == nil)
        #expect(
            file.keptUnused == ["settings._storefront (there is no storefront \"XXX\")"])
    }

    @Test func `a synchronised file has the app's number, and one that is not a number is named`()
        throws
    {
        #expect(try Samples.file("v3.0").appNumber == AppNumber(1_500_000_001))
        #expect(try Samples.file("v1.0").appNumber == nil)
        for text in ["1588941280x", "-1", "01", "1000000000000"] {
            let file = try CatalogueFile(
                bytes: #"{"settings":{"_applicationInternalID":"\#(text)"}}"#.bytes)
            #expect(file.appNumber == nil)
            #expect(
                file.keptUnused == [
                    "settings._applicationInternalID (\"\(text)\" is not an app's number)"
                ])
        }
    }

    @Test func `the list of unused settings is limited`() throws {
        let members = (1...150).map { "\"k\($0)\":1" }.joined(separator: ",")
        let names = try CatalogueFile(bytes: "{\(members)}".bytes).keptUnused
        #expect(names.count == CatalogueFile.keptUnusedMax + 1)
        #expect(names.last == "and 50 more")
    }

    @Test(arguments: Samples.all)
    func `a changed price changes only that price in the text`(name: String) throws {
        let file = try Samples.file(name)
        let price = try #require(Price(decimal: "123.45"))
        for (index, product) in file.products.enumerated() {
            let changed = try file.updated(withBasePrice: price, for: product.id)
            #expect(changed.products[index].basePrice == price)
            #expect(changed.products.map(\.id) == file.products.map(\.id))
            let old = text(file.bytes).split(separator: "\n", omittingEmptySubsequences: false)
            let new = text(changed.bytes).split(separator: "\n", omittingEmptySubsequences: false)
            let differing = zip(old, new).filter { $0 != $1 }
            #expect(old.count == new.count && differing.count == 1)
            #expect(differing.allSatisfy { $1.contains("\"123.45\"") })
            let back = try changed.updated(withBasePrice: product.basePrice, for: product.id)
            #expect(back.products == file.products)
        }
    }

    @Test func `several prices change at once and equal ones keep their spelling`() throws {
        let file = try Samples.file("v1.1")
        let price = try #require(Price(decimal: "2.5"))
        var prices = Dictionary(uniqueKeysWithValues: file.products.map { ($0.id, $0.basePrice) })
        #expect(try file.updated(withBasePrices: prices).bytes == file.bytes)
        for product in file.products where product.kind != .nonConsumable {
            prices[product.id] = price
        }
        prices[ProductID("com.example.rocketcar.unknown")] = price
        let changed = try file.updated(withBasePrices: prices)
        #expect(changed.products.map(\.basePrice.decimal) == ["2.5", "0", "2.5", "2.5"])
        #expect(text(changed.bytes).contains("\"displayPrice\" : \"0.0\""))
    }
}
