import StoreModel
import TestSupport
import Testing

@testable import PurchaseBackend

struct ProductListTests {
    @Test func `a product list is read with its content`() throws {
        let folder = TemporaryFolder()
        try folder.write("brrm", "turbo.txt")
        let file = try folder.write(
            """
            {"bundleId": "com.example.rocketcar", "versions": ["1.2"], "products": [
              {"productId": "coins", "kind": "consumable",
               "content": {"name": "100 coins", "mediaType": "text/plain", "text": "100"}},
              {"productId": "turbo", "kind": "nonConsumable",
               "content": {"name": "Turbo", "mediaType": "text/plain", "file": "turbo.txt"}},
              {"productId": "flag", "kind": "nonConsumable"},
              {"productId": "pass", "kind": "nonRenewing"}]}
            """, "products.json")
        let list = try ProductList.read(file: file)
        #expect(list.bundleID == "com.example.rocketcar")
        #expect(list.versions == ["1.2"])
        #expect(list.products.map(\.id) == ["coins", "turbo", "flag", "pass"])
        #expect(
            list.products.map(\.kind)
                == [.consumable, .nonConsumable, .nonConsumable, .nonRenewing])
        #expect(list["coins"]?.content?.bytes == Array("100".utf8))
        #expect(list["turbo"]?.content?.bytes == Array("brrm".utf8))
        #expect(list["flag"]?.content == nil)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let json: String
        let place: String

        var testDescription: String { place }

        init(_ json: String, _ place: String) {
            self.json = json
            self.place = place
        }
    }

    private static func product(_ fields: String) -> String {
        #"{"bundleId":"b","products":[{"productId":"a","kind":"consumable"},{"#
            + fields + "}]}"
    }

    private static func content(_ fields: String) -> String {
        product("\"productId\":\"b\",\"kind\":\"consumable\",\"content\":{\(fields)}")
    }

    private static func subscription(_ fields: String) -> String {
        product("\"productId\":\"b\",\(fields)")
    }

    private static func offers(_ items: String) -> String {
        subscription("\"kind\":\"autoRenewable\",\"group\":\"g\",\"offers\":[\(items)]")
    }

    @Test func `listed subscriptions state their service, their length and their offers`() throws {
        let folder = TemporaryFolder()
        let file = try folder.write(
            """
            {"bundleId": "b", "products": [
              {"productId": "gold", "kind": "autoRenewable", "service": "club", "group": "g",
               "offers": [{"offerId": "back"}, {"offerId": "again", "usesPerUser": 3}]},
              {"productId": "silver", "kind": "autoRenewable"},
              {"productId": "week", "kind": "nonRenewing", "length": "P1W"}]}
            """, "products.json")
        let list = try ProductList.read(file: file)
        #expect(list["gold"]?.service == "club")
        #expect(list["gold"]?.group == "g")
        #expect(
            list["gold"]?.offers == [
                PromotionalOffer(id: "back", usesPerUserMax: 1),
                PromotionalOffer(id: "again", usesPerUserMax: 3),
            ])
        #expect(list["silver"]?.service == "silver")
        #expect(list["silver"]?.ends == true)
        #expect(list["week"]?.length == .days(7))
        #expect(list["week"]?.ends == true)
    }

    @Test(arguments: [
        Broken("", "line 1, column 1"), Broken("[]", "the body"),
        Broken("{\"products\":[]}", "bundleId"),
        Broken("{\"bundleId\":\"\",\"products\":[]}", "bundleId"),
        Broken("{\"bundleId\":\"b\"}", "products"),
        Broken("{\"bundleId\":\"b\",\"products\":[],\"version\":[]}", "version"),
        Broken("{\"bundleId\":\"b\",\"products\":[],\"versions\":[\"1\",\"\"]}", "versions[1]"),
        Broken("{\"bundleId\":\"b\",\"products\":[],\"versions\":\"1\"}", "versions"),
        Broken(product("\"kind\":\"consumable\""), "products.[1].productId"),
        Broken(product("\"productId\":\"b\""), "products.[1].kind"),
        Broken(product("\"productId\":\"b\",\"kind\":\"big\""), "products[1].kind"),
        Broken(subscription(#""kind":"consumable","service":"s""#), "products[1].service"),
        Broken(subscription(#""kind":"nonRenewing","service":"""#), "products[1].service"),
        Broken(subscription(#""kind":"nonRenewing","group":"g""#), "products[1].group"),
        Broken(subscription(#""kind":"autoRenewable","length":"P1M""#), "products[1].length"),
        Broken(subscription(#""kind":"nonRenewing","length":"a week""#), "products[1].length"),
        Broken(subscription(#""kind":"nonRenewing","length":"P2Y""#), "products[1].length"),
        Broken(
            subscription(#""kind":"autoRenewable","offers":[{"offerId":"o"}]"#),
            "products[1].offers"),
        Broken(offers(#"{"offerId":""}"#), "products[1].offers[0].offerId"),
        Broken(offers(#"{"usesPerUser":1}"#), "products.[1].offers.[0].offerId"),
        Broken(offers(#"{"offerId":"o","uses":1}"#), "products.[1].offers.[0].uses"),
        Broken(offers(#"{"offerId":"o"},{"offerId":"o"}"#), "products[1].offers[1].offerId"),
        Broken(offers(#"{"offerId":"o","usesPerUser":0}"#), "products[1].offers[0].usesPerUser"),
        Broken(product("\"productId\":\"a\",\"kind\":\"consumable\""), "products[1].productId"),
        Broken(product("\"productId\":\"b\\n\",\"kind\":\"consumable\""), "products[1].productId"),
        Broken(
            product("\"productId\":\"b\",\"price\":1,\"kind\":\"consumable\""), "products.[1].price"
        ),
        Broken(content("\"name\":\"n\",\"mediaType\":\"m\""), "products[1].content"),
        Broken(
            content("\"name\":\"n\",\"mediaType\":\"m\",\"text\":\"t\",\"file\":\"f\""),
            "products[1].content"),
        Broken(content("\"mediaType\":\"m\",\"text\":\"t\""), "products.[1].content.name"),
        Broken(content("\"name\":\"n\",\"text\":\"t\""), "products.[1].content.mediaType"),
        Broken(
            content("\"name\":\"n\",\"mediaType\":\"m\",\"file\":\"none.txt\""),
            "products[1].content.file"),
        Broken(
            content("\"name\":\"n\",\"mediaType\":\"m\",\"file\":\"../up.txt\""),
            "products[1].content.file"),
        Broken(
            content("\"name\":\"n\",\"mediaType\":\"m\",\"file\":\"/etc/passwd\""),
            "products[1].content.file"),
    ])
    func `a broken product list is refused with the place`(broken: Broken) throws {
        let folder = TemporaryFolder()
        let file = try folder.write(broken.json, "products.json")
        let error = #expect(throws: BackendError.self) {
            try ProductList.read(file: file)
        }
        #expect(error?.code == .productList)
        #expect(error?.detail.contains(" \(broken.place)") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains(file) == true)
    }

    @Test func `a missing product list is refused`() {
        let error = #expect(throws: BackendError.self) {
            try ProductList.read(file: "/nowhere/products.json")
        }
        #expect(error?.detail.contains("/nowhere/products.json cannot be opened") == true)
    }

    @Test func `product list files above the limits are refused`() throws {
        let folder = TemporaryFolder()
        let long = String(repeating: " ", count: BackendLimits.productListBytesMax + 1)
        let list = try folder.write(long, "long.json")
        #expect(throws: BackendError.self) { try ProductList.read(file: list) }

        try folder.write(
            String(repeating: "x", count: BackendLimits.contentBytesMax + 1), "big.txt")
        let file = try folder.write(
            Self.content("\"name\":\"n\",\"mediaType\":\"m\",\"file\":\"big.txt\""), "list.json")
        let error = #expect(throws: BackendError.self) { try ProductList.read(file: file) }
        #expect(error?.detail.contains("the limit") == true)
    }
}
