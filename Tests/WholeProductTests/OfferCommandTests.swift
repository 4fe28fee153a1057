import Foundation
import TestSupport
import Testing

/// Offer keys and offer codes from the command line.
@Suite(.ownThreads) struct OfferCommandTests {
    private static let product = "com.example.rocketcar.club"
    private static let catalogue = """
        {"products":[],"subscriptionGroups":[{"id":"G","subscriptions":[{
        "codeOffers":[{"paymentMode":"free","referenceName":"Spring fair",
        "subscriptionPeriod":"P1M"}],"displayPrice":"1.99","productID":"\(product)",
        "recurringSubscriptionPeriod":"P1M","subscriptionGroupID":"G",
        "type":"RecurringSubscription"}]}],"version":{"major":3,"minor":0}}
        """

    private func open() throws -> Lab {
        let lab = try Lab.open()
        let path = lab.folder + "/club.storekit"
        try Data(Self.catalogue.utf8).write(to: URL(fileURLWithPath: path))
        try lab.bodega(["catalog", "import", path, "--bundle-id", Lab.bundleID])
        return lab
    }

    @Test func `an offer key is created, read by others, listed and revoked`() throws {
        let lab = try open()
        let app = ["--bundle-id", Lab.bundleID]
        let made = try lab.bodega(["offer-key", "make"] + app)
        let begin = try #require(made.range(of: "-----BEGIN PRIVATE KEY-----"))
        let path = lab.folder + "/offers.p8"
        try Data(made[begin.lowerBound...].utf8).write(to: URL(fileURLWithPath: path))
        let read = try Program(
            "/usr/bin/openssl", ["pkey", "-in", path, "-noout", "-text"], environment: [:],
            logs: lab.folder + "/logs")
        #expect(try read.wait() == 0, "\(read.errors)")
        #expect(read.output.contains("NIST CURVE: P-256"))

        let json = try lab.bodega(["offer-key", "make", "--json"] + app)
        #expect(json.contains(#""privateKey":"-----BEGIN PRIVATE KEY-----\n"#))
        let list = try lab.bodega(["offer-key", "list"] + app)
        let key = try #require(list.firstMatch(of: /(?m)^([A-Z2-9]{10})\b/)).1
        #expect(list.hasPrefix("issuer ") && !list.contains("BEGIN"))
        #expect(try lab.bodega(["offer-key", "revoke", String(key)] + app) == "revoked \(key)\n")
        try lab.bodega(["offer-key", "revoke", "0000000000"] + app, code: 1)
        try lab.bodega(["offer-key", "make", "--bundle-id", "com.example.none"], code: 1)
    }

    @Test func `the offers of an app and of a product are listed`() throws {
        let lab = try open()
        let app = ["--bundle-id", Lab.bundleID]
        let all = try lab.bodega(["product", "offers"] + app)
        let line = /\n(\S+) +code +Spring fair +0 +freeTrial +P1M +new, existing, expired\n/
        #expect(all.matches(of: line).map { String($0.1) } == [Self.product], "\(all)")
        #expect(try lab.bodega(["product", "offers", Self.product] + app) == all)
        // A product that only its sales keep has none.
        try lab.bodega(["buy", Self.product, "--account", "buyer@example.com"] + app)
        let path = lab.folder + "/none.storekit"
        let empty = #"{"products":[],"subscriptionGroups":[],"version":{"major":3,"minor":0}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: path))
        try lab.bodega(["catalog", "import", path] + app)
        let left = try lab.bodega(["product", "offers", Self.product] + app)
        #expect(left.matches(of: /\n/).count == 1, "\(left)")
    }

    @Test func `offer codes are created, listed and deactivated`() throws {
        let lab = try open()
        let app = ["--bundle-id", Lab.bundleID]
        try lab.bodega(["clock", "hold", "2030-01-01"])
        let make = ["offer-code", "make", Self.product, "Spring fair"]
        let word = ["--word", "spring30", "--redemptions", "5000", "--until", "2030-02-01"]
        let made = try lab.bodega(make + word + app)
        #expect(
            made == "1  SPRING30  Spring fair  0 of 5000  2030-02-01T00:00:00Z  active\n")
        #expect(try lab.bodega(make + word + app) == made)
        let batch = try lab.bodega(make + ["--count", "3"] + app)
        #expect(batch.matches(of: /(?m)^[A-Z2-9]{18}$/).count == 3)
        try lab.bodega(make + ["--word", "spring30", "--redemptions", "1"] + app, code: 1)
        let late = make + ["--count", "1", "--until", "2029-12-31"] + app
        #expect(try lab.bodega(late, code: 1).contains("give a later end"))
        #expect(try lab.bodega(make + ["--count", "10001"] + app, code: 2).contains("1 to 10000"))

        let ended = try lab.bodega(["offer-code", "deactivate", Self.product, "2"] + app)
        #expect(ended == "2  one-time codes  Spring fair  0 of 3  deactivated\n")
        try lab.bodega(["clock", "advance", "31d"])
        let list = try lab.bodega(["offer-code", "list", Self.product] + app)
        #expect(list.split(separator: "\n").count == 3)
        #expect(list.contains("expired") && list.contains("deactivated"))
        let json = try lab.bodega(["offer-code", "list", Self.product, "--json"] + app)
        #expect(json.contains(#""state":"expired""#))
    }
}
