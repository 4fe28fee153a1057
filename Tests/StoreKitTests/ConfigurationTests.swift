import Foundation
import StoreModel
import StoreWire
import Testing

@testable import StoreKit

@Suite struct ConfigurationTests {
    static let good = [
        "STOREKIT_URL": "http://127.0.0.1:8080/sandbox", "STOREKIT_BUNDLE_ID": "com.example.a",
        "STOREKIT_APP_VERSION": "1.0", "HOME": "/home/a",
    ]

    @Test func `an empty configuration means no store and no problem`() throws {
        #expect(try StoreConfiguration.read(["HOME": "/home/a"]).get() == nil)
        #expect(try StoreConfiguration.read(["STOREKIT_URL": ""]).get() == nil)
    }

    @Test func `missing settings get their defaults`() throws {
        let read = try StoreConfiguration.read(Self.good).get()
        let configuration = try #require(read)
        #expect(configuration.url == "http://127.0.0.1:8080/sandbox")
        #expect(configuration.environment == .sandbox)
        #expect(configuration.home == "/home/a/.local/share/storekit/com.example.a")
        #expect(configuration.sheet == .terminal)
        #expect(configuration.account == nil)
        #expect(
            configuration.receiptPath == configuration.home + "/StoreKit/sandboxReceipt")
    }

    @Test(arguments: [
        ("Production", false), ("Sandbox", true), ("Xcode", true), ("Anything", true),
    ])
    func `every environment but production's has the sandbox's receipt`(
        name: String, isSandbox: Bool
    ) throws {
        let session = DeviceRecord.Session(
            DeviceSessionBody(
                deviceToken: "token", environment: name, worldId: "world", account: nil,
                storefront: StorefrontBody(.default)),
            guid: "guid", scope: StoreScope(url: try #require(URL(string: "http://a/"))),
            appVersion: "1", accountBefore: nil)
        #expect(session.isOfSandbox == isSandbox)
    }

    @Test(arguments: [
        ("STOREKIT_URL", "127.0.0.1:8080"), ("STOREKIT_URL", "ftp://a/sandbox"),
        ("STOREKIT_URL", "http://"), ("STOREKIT_URL", "http://a/sandbox?x=1"),
        ("STOREKIT_BUNDLE_ID", ""), ("STOREKIT_BUNDLE_ID", "../../etc"),
        ("STOREKIT_BUNDLE_ID", "com/example"), ("STOREKIT_APP_VERSION", ""),
        ("STOREKIT_APP_VERSION", "1 0"), ("STOREKIT_SHEET", "maybe"),
        ("STOREKIT_ACCOUNT", "nocolon"), ("STOREKIT_ACCOUNT", ":secret"),
        ("STOREKIT_HOME", "relative"), ("STOREKIT_LISTING_DELAY", "-1"),
        ("STOREKIT_LISTING_DELAY", "60001"), ("STOREKIT_LISTING_DELAY", "1s"),
    ])
    func `an invalid setting is named in the problem`(name: String, value: String) {
        var environment = Self.good
        environment[name] = value
        guard case .failure(let problem) = StoreConfiguration.read(environment) else {
            Issue.record("\(name)=\(value) was taken")
            return
        }
        #expect(problem.sentence.contains(name))
        #expect(!problem.sentence.contains("secret"))
    }

    @Test(arguments: [(nil, 0), ("0", 0), ("600", 600), ("60000", 60_000)] as [(String?, Int)])
    func `purchases are listed late by the milliseconds of the setting`(
        text: String?, milliseconds: Int
    ) throws {
        var environment = Self.good
        environment["STOREKIT_LISTING_DELAY"] = text
        let configuration = try StoreConfiguration.read(environment).get()
        #expect(configuration?.listingDelayMilliseconds == milliseconds)
    }

    @Test func `a password may contain a colon`() throws {
        var environment = Self.good
        environment["STOREKIT_ACCOUNT"] = "ada:a:b"
        let configuration = try StoreConfiguration.read(environment).get()
        #expect(configuration?.account == StoreConfiguration.Account(name: "ada", password: "a:b"))
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], "de_DE"), (["LC_ALL": "ja_JP", "LANG": "de_DE"], "ja_JP"),
        (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil), ([:], nil),
    ])
    func `the locale comes from the customer's environment`(
        variables: [String: String], locale: String?
    ) throws {
        let environment = Self.good.merging(variables) { $1 }
        #expect(try StoreConfiguration.read(environment).get()?.locale == locale)
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/sandbox", "http://localhost:2/sandbox", true),
        ("http://127.0.0.1:1/sandbox", "http://127.0.0.1:1/production", false),
        ("http://127.0.0.1:1/t/a/sandbox", "http://127.0.0.1:1/t/b/sandbox", false),
        ("https://a.example/sandbox", "https://b.example/sandbox", false),
        ("https://a.example:1/sandbox", "https://a.example:2/sandbox", false),
    ])
    func `stores are distinguished by their address`(
        one: String, other: String, isSame: Bool
    ) throws {
        let first = StoreScope(url: try #require(URL(string: one)))
        let second = StoreScope(url: try #require(URL(string: other)))
        #expect((first == second) == isSame)
    }

    @Test func `a slash at the end of the address changes nothing`() throws {
        var environment = Self.good
        environment["STOREKIT_URL"] = "http://127.0.0.1:8080/sandbox/"
        let with = try StoreConfiguration.read(environment).get()
        #expect(try StoreConfiguration.read(Self.good).get() == with)
    }
}
