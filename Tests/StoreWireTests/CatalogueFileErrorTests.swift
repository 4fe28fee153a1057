import StoreModel
import Testing

@testable import StoreWire

@Suite struct CatalogueFileErrorTests {
    private static let item = #""productID":"a","type":"Consumable","displayPrice":"1""#
    private static let sub =
        #""productID":"s","type":"RecurringSubscription","displayPrice":"1","recurringSubscriptionPeriod":"P1M""#

    /// A file with one object in `products`.
    private static func product(_ members: String) -> String { #"{"products":[{\#(members)}]}"# }

    /// A file with one subscription in the group `g`.
    private static func subscription(_ members: String) -> String {
        #"{"subscriptionGroups":[{"id":"g","subscriptions":[{\#(members)}]}]}"#
    }

    static let refused: [(text: String, error: String)] = [
        ("[]", "line 1, column 1: the file: expected an object, found an array"),
        ("{", "line 1, column 2: expected a key in double quotes, found the end of the text"),
        (
            "{\n  \"products\" : [\n    { \"locale\" 1 }\n  ]\n}",
            "line 3, column 16: expected \":\" after the key \"locale\""
        ),
        (
            "{\"products\":[\n{\(item)},\n{\"type\":\"Consumable\",\"productID\":\"b\",\"displayPrice\":\"abc\"}]}",
            "line 3, column 53: products[1].displayPrice: \"abc\" is not a price; write digits and"
                + " at most three decimal places, such as \"0.99\", and at most 1000000"
        ),
        (
            product(#""productID":"a","type":"Consumable","displayPrice":0.99"#),
            "line 1, column 66: products[0].displayPrice: expected a string, found a number"
        ),
        (
            product(#""productID":"a","type":"Consumable""#),
            "line 1, column 14: products[0].displayPrice: is missing"
        ),
        (
            product(#""type":"Consumable","displayPrice":"1""#),
            "line 1, column 14: products[0].productID: is missing"
        ),
        (
            product(#""productID":null,"type":"Consumable","displayPrice":"1""#),
            "line 1, column 27: products[0].productID: is null"
        ),
        (
            product(#""productID":"a","displayPrice":"1""#),
            "line 1, column 14: products[0].type: is missing"
        ),
        (
            product(#""productID":"a","type":"Gift","displayPrice":"1""#),
            "line 1, column 38: products[0].type: \"Gift\" is not a known type;"
                + " expected Consumable or NonConsumable"
        ),
        (
            product(#""productID":"a","type":"RecurringSubscription","displayPrice":"1""#),
            "line 1, column 38: products[0].type: \"RecurringSubscription\" does not belong in"
                + " this array; expected Consumable or NonConsumable"
        ),
        (
            #"{"nonRenewingSubscriptions":[{\#(item)}]}"#,
            "line 1, column 54: nonRenewingSubscriptions[0].type: \"Consumable\" does not belong"
                + " in this array; expected NonRenewingSubscription"
        ),
        (
            product(#""productID":"","type":"Consumable","displayPrice":"1""#),
            "line 1, column 27: products[0].productID: a product identifier is empty"
        ),
        (
            product(#""productID":"..","type":"Consumable","displayPrice":"1""#),
            "line 1, column 27: products[0].productID: \"..\" is not a product identifier; use more"
                + " than full stops"
        ),
        (
            product(#""productID":"a b","type":"Consumable","displayPrice":"1""#),
            "line 1, column 27: products[0].productID: \"a b\" is not a product identifier; use"
                + " only letters A to Z, digits, \".\", \"_\" and \"-\""
        ),
        (
            product(
                #""productID":"\#(String(repeating: "x", count: 256))","type":"Consumable","displayPrice":"1""#
            ),
            "line 1, column 27: products[0].productID: \"\(String(repeating: "x", count: 60))...\""
                + " is longer than 255 characters"
        ),
        (
            #"{"products":{}}"#,
            "line 1, column 13: products: expected an array, found an object"
        ),
        (
            #"{"products":[1]}"#,
            "line 1, column 14: products[0]: expected an object, found a number"
        ),
        (
            #"{"products":[null]}"#,
            "line 1, column 14: products[0]: expected an object, found null"
        ),
        (
            product(item + #","familyShareable":"yes""#),
            "line 1, column 88: products[0].familyShareable: expected true or false,"
                + " found a string"
        ),
        (
            product(item + #","referenceName":[]"#),
            "line 1, column 86: products[0].referenceName: expected a string, found an array"
        ),
        (
            product(item + #","referenceName":"\u0000""#),
            "line 1, column 86: products[0].referenceName: the text holds the character U+0000"
        ),
        (
            product(item + #","localizations":[{"displayName":"x"}]"#),
            "line 1, column 87: products[0].localizations[0].locale: is missing"
        ),
        (
            product(item + #","localizations":[{"locale":"tr"},{"locale":"tr"}]"#),
            "line 1, column 113: products[0].localizations[1].locale: \"tr\" appears twice in one"
                + " product"
        ),
        (
            "{\"products\":[{\(item)},{\(item)}]}",
            "line 1, column 84: products[1].productID: \"a\" is used twice; the first use is"
                + " products[0]"
        ),
        (
            #"{"products":[{\#(item)}],"subscriptionGroups":[{"id":"g","subscriptions":[{\#(sub.replacing(#""s""#, with: #""a""#))}]}]}"#,
            "line 1, column 134: subscriptionGroups[0].subscriptions[0].productID: \"a\" is used"
                + " twice; the first use is products[0]"
        ),
        (
            subscription(#""productID":"s","type":"RecurringSubscription","displayPrice":"1""#),
            "line 1, column 51: subscriptionGroups[0].subscriptions[0]"
                + ".recurringSubscriptionPeriod: is missing"
        ),
        (
            subscription(sub.replacing("P1M", with: "P5M")),
            "line 1, column 148: subscriptionGroups[0].subscriptions[0]"
                + ".recurringSubscriptionPeriod: \"P5M\" is not a renewal period; use one of P1W,"
                + " P1M, P2M, P3M, P6M, P1Y"
        ),
        (
            subscription(sub + #","subscriptionGroupID":"h""#),
            "line 1, column 176: subscriptionGroups[0].subscriptions[0].subscriptionGroupID:"
                + " \"h\" is not the group that contains it, \"g\""
        ),
        (
            #"{"subscriptionGroups":[{"subscriptions":[{\#(sub)}]}]}"#,
            "line 1, column 42: subscriptionGroups[0].subscriptions[0].subscriptionGroupID:"
                + " is missing or empty, and the group has no \"id\""
        ),
        (
            #"{"version":{"major":6,"minor":3}}"#,
            "line 1, column 12: version: version 6.3 is not supported; versions 1.0 to 5.0 are"
        ),
        (
            #"{"version":{"major":0,"minor":9}}"#,
            "line 1, column 12: version: version 0.9 is not supported; versions 1.0 to 5.0 are"
        ),
        (
            #"{"version":{"major":1}}"#,
            "line 1, column 12: version: expected whole numbers \"major\" and \"minor\""
        ),
        (
            #"{"version":"5.0"}"#,
            "line 1, column 12: version: expected an object, found a string"
        ),
        (
            #"{"settings":[]}"#,
            "line 1, column 13: settings: expected an object, found an array"
        ),
        (
            #"{"settings":{"_storefront":1}}"#,
            "line 1, column 28: settings._storefront: expected a string, found a number"
        ),
        (
            #"{"identifier":7}"#,
            "line 1, column 15: identifier: expected a string, found a number"
        ),
    ]

    @Test(arguments: refused)
    func `a broken catalogue file is refused with the place and the reason`(
        text: String, error: String
    ) {
        #expect(fault(text)?.description == error)
    }

    @Test(arguments: RenewalPeriod.allCases)
    func `every listed renewal period is read`(period: RenewalPeriod) throws {
        let text = Self.subscription(Self.sub.replacing("P1M", with: period.rawValue))
        #expect(try CatalogueFile(bytes: text.bytes).products.map(\.renewalPeriod) == [period])
    }

    @Test(arguments: ["0", "-1", "10001", "1.5", "\"1\"", "true", "[]", "1e99"])
    func `a group rank is a whole number from 1 up`(level: String) {
        let text = Self.subscription(Self.sub + ",\"groupNumber\":\(level)")
        let error = fault(text)
        #expect(error?.message == "expected a whole number of 1 to 10000")
        #expect(
            error?.path?.description == "subscriptionGroups[0].subscriptions[0].groupNumber")
    }

    @Test func `the number of products in a file is limited`() throws {
        func file(_ count: Int) -> String {
            let items = (0..<count).map {
                #"{"productID":"p\#($0)","type":"Consumable","displayPrice":"1"}"#
            }
            return #"{"products":[\#(items.joined(separator: ","))]}"#
        }
        #expect(try CatalogueFile(bytes: file(10_000).bytes).products.count == 10_000)
        let error = fault(file(10_001))
        #expect(error?.message == "the file has 10001 products; the limit is 10000")
        #expect(error?.path?.description == "products[10000]")
    }

    @Test func `bytes, localizations and text lengths are limited`() throws {
        let blanks = String(repeating: " ", count: CatalogueFile.bytesMax - 2)
        _ = try CatalogueFile(bytes: "{}\(blanks)".bytes)
        #expect(
            fault("{}\(blanks) ")?.description
                == "line 1, column 1: the text is longer than 8388608 bytes")
        let texts = (0...200).map { #"{"locale":"l\#($0)"}"# }.joined(separator: ",")
        #expect(
            fault(Self.product(Self.item + #","localizations":[\#(texts)]"#))?.message
                == "a product has at most 200 localizations")
        func named(_ length: Int) -> String {
            let name = String(repeating: "n", count: length)
            return Self.product(Self.item + #","referenceName":"\#(name)""#)
        }
        _ = try CatalogueFile(bytes: named(4_096).bytes)
        #expect(fault(named(4_097))?.message == "the text is longer than 4096 bytes")
    }

    private func fault(_ text: String) -> CatalogueFileError? {
        do {
            _ = try CatalogueFile(bytes: text.bytes)
            return nil
        } catch {
            return error
        }
    }
}
