import Foundation
import StoreModel
import StoreWire
import TestSupport
import Testing

/// Offers from the backend that signs, or the code that a person has, to what receipts say.
@Suite(.ownThreads) struct OfferPaymentTests {
    private static let club = "com.example.rocketcar.club"
    private static let catalogue = """
        {"products":[],"subscriptionGroups":[{"id":"G","subscriptions":[{
        "adHocOffers":[{"displayPrice":"0.99","offerID":"spring","paymentMode":"payAsYouGo",
        "subscriptionPeriod":"P1M"}],
        "codeOffers":[{"paymentMode":"free","referenceName":"Spring fair",
        "subscriptionPeriod":"P1M"}],
        "winbackOffers":[{"displayPrice":"2.99","offerID":"back","paymentMode":"payAsYouGo",
        "isEligible":true,"subscriptionPeriod":"P1M"}],
        "displayPrice":"9.99","productID":"\(club)","recurringSubscriptionPeriod":"P1M",
        "subscriptionGroupID":"G","type":"RecurringSubscription"}]}],
        "version":{"major":4,"minor":0}}
        """
    private static let products = """
        {"bundleId":"\(Lab.bundleID)","versions":[],"products":[{"productId":"\(club)",
        "kind":"autoRenewable","service":"club","group":"G",
        "offers":[{"offerId":"spring","usesPerUser":1}]}]}
        """

    private func open() throws -> Lab {
        let lab = try Lab.open(withBackend: false)
        let path = try write(Self.catalogue, "club.storekit", lab)
        try lab.bodega(["catalog", "import", path, "--bundle-id", Lab.bundleID])
        return lab
    }

    /// Writes a file that nobody else may read.
    private func write(_ text: String, _ name: String, _ lab: Lab) throws -> String {
        let path = lab.folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    private func decoded<Body: Decodable>(_ type: Body.Type, _ text: String) throws -> Body {
        try WireJSON.decode(type, from: Array(text.utf8))
    }

    private func probe(
        _ lab: Lab, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> String {
        let program = try Program(
            "PurchaseProbe", arguments,
            environment: lab.appEnvironment().merging(environment) { $1 },
            logs: lab.folder + "/logs")
        try program.wait()
        return program.output + program.errors
    }

    private func charges(_ lab: Lab) throws -> String {
        let database = try SQLiteFile(lab.storeFile)
        let count = try database.number("SELECT count(*) FROM store_transaction")
        return try (0..<count).map {
            let charge =
                "SELECT charged_milliunits FROM store_transaction ORDER BY id LIMIT 1 OFFSET"
            return "\(try database.number("\(charge) \($0)"))"
        }.joined(separator: " ")
    }

    /// What verifyReceipt says of the app's receipt, with the app's shared secret.
    private func verify(_ lab: Lab, _ secret: String) throws -> String {
        let receipt = try #require(FileManager.default.contents(atPath: lab.receiptPath()))
        let body = #"{"receipt-data":"\#(receipt.base64EncodedString())","password":"\#(secret)"}"#
        let answer = try Lab.call(
            "POST", lab.storeURL + "/sandbox/verifyReceipt", body: Array(body.utf8))
        return String(decoding: answer.body, as: UTF8.self)
    }

    private func secret(_ lab: Lab) throws -> String {
        let made = try lab.bodega(["secret", "make", "--json", "--bundle-id", Lab.bundleID])
        return try decoded(MadeSecretBody.self, made).secret
    }

    private func makeCode(_ lab: Lab) throws {
        try lab.bodega([
            "offer-code", "make", Self.club, "Spring fair", "--word", "SPRING", "--redemptions",
            "9", "--bundle-id", Lab.bundleID,
        ])
    }

    private func startBackend(_ lab: Lab) throws {
        let made = try lab.bodega(["offer-key", "make", "--json", "--bundle-id", Lab.bundleID])
        let key = try decoded(MadeOfferKeyBody.self, made)
        try lab.startBackend(
            products: try write(Self.products, "products.json", lab),
            extra: [
                "--offer-key", try write(key.privateKey, "offers.p8", lab),
                "--offer-key-id", key.keyId,
            ])
    }

    @Test func `the backend signs an offer and the store sells at its price`() throws {
        let lab = try open()
        let secret = try secret(lab)
        try startBackend(lab)
        let user = try lab.backendUser("driver")
        func ask() throws -> (status: Int, body: [UInt8]) {
            let answer = try Lab.call(
                "POST", lab.backendURL + "/v1/offers", token: user,
                body: try WireJSON.encode(
                    OfferRequestBody(productId: Self.club, offerId: "spring")))
            return (answer.status, answer.body)
        }
        #expect(try ask().status == 403, "who never subscribed gets none")

        let first = try probe(lab, ["--emptied=1", "--user=driver", Self.club])
        let number = try #require(first.firstMatch(of: /purchased [^ ]+ ([0-9]+)/)).1
        let receipt = try #require(FileManager.default.contents(atPath: lab.receiptPath()))
        _ = try lab.submit(
            receipt.base64EncodedString(),
            of: BoughtItem(
                product: Self.club, transaction: String(number), appReceipt: "",
                transactionReceipt: ""), as: user)
        try lab.bodega(["subscription", "cancel", String(number)])
        try lab.bodega(["clock", "advance", "10m"])

        let asked = try ask()
        try #require(asked.status == 200, "\(String(decoding: asked.body, as: UTF8.self))")
        let offer = try WireJSON.decode(OfferSignatureBody.self, from: asked.body)
        let name = "--user=\(offer.applicationUsername)"
        let discount =
            "--discount=\(offer.offerId),\(offer.keyIdentifier),\(offer.nonce),\(offer.signature),"
            + "\(offer.timestamp)"
        let stranger = try probe(lab, ["--user=another", discount, Self.club])
        #expect(stranger.contains("failed with offer spring 12"), "\(stranger)")
        let bought = try probe(lab, ["--emptied=1", name, discount, Self.club])
        #expect(bought.contains("purchased \(Self.club)"), "\(bought)")
        #expect(try charges(lab) == "9990 990")
        let said = try verify(lab, secret)
        #expect(said.contains(#""promotional_offer_id":"spring""#))
        #expect(said.contains(#""app_account_token":"\#(offer.applicationUsername)""#))
        let again = try probe(lab, [name, discount, Self.club])
        #expect(again.contains("failed with offer spring 12"), "\(again)")

        try lab.bodega(["clock", "advance", "5m"])
        #expect(try charges(lab) == "9990 990 9990")
        let shown = try lab.bodega(["subscription", "show", String(number)])
        #expect(shown.contains("for 9.99 USD"))
    }

    @Test func `an offer code is redeemed once on the sheet and named in the receipt`() throws {
        let lab = try open()
        let secret = try secret(lab)
        let app = ["--bundle-id", Lab.bundleID]
        try makeCode(lab)
        let wrong = try probe(lab, ["--redeem"], ["STOREKIT_OFFER_CODE": "WINTER"])
        #expect(wrong.contains("This code is not valid"), "\(wrong)")
        let bought = try probe(
            lab, ["--emptied=1", "--redeem"], ["STOREKIT_OFFER_CODE": "spring"])
        #expect(bought.contains("purchased \(Self.club)"), "\(bought)")
        #expect(try charges(lab) == "0")
        #expect(try verify(lab, secret).contains(#""offer_code_ref_name":"Spring fair""#))
        // Nothing waits in the journal, and the next launch brings nothing.
        #expect(try probe(lab, ["--impatient"]).contains("purchased") == false)
        let list = try lab.bodega(["offer-code", "list", Self.club] + app)
        #expect(list.contains("1 of 9"))
    }

    @Test func `a redemption whose answer was lost with the store is redeemed once`() throws {
        let lab = try open()
        try makeCode(lab)
        // Somebody is signed in, so that the code is all that is asked for.
        _ = try probe(lab, ["--restore"])
        lab.store?.kill()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": "store-redemption-committed"])
        let lost = try probe(lab, ["--redeem", "--impatient"], ["STOREKIT_OFFER_CODE": "SPRING"])
        #expect(!lost.contains("purchased"), "\(lost)")
        try lab.startStore()
        let bought = try probe(lab, ["--emptied=1"])
        #expect(bought.contains("purchased \(Self.club)"), "\(bought)")
        #expect(try charges(lab) == "0")
        #expect(
            try lab.count("SELECT count(*) FROM offer_redemption", in: lab.storeFile) == 1)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: lab.folder + "/phone/journal")
        #expect(files.filter { $0.hasPrefix("redemption") }.isEmpty)
    }

    @Test func `a code written down and not sent is redeemed by the next launch`() throws {
        let lab = try open()
        try makeCode(lab)
        _ = try probe(
            lab, ["--redeem"],
            [
                "STOREKIT_OFFER_CODE": "SPRING", "BODEGA_CRASH_POINT": "device-redemption-written",
            ])
        #expect(try charges(lab).isEmpty)
        let bought = try probe(lab, ["--emptied=1"])
        #expect(bought.contains("purchased \(Self.club)"), "\(bought)")
        #expect(try charges(lab) == "0")
    }

    @Test func `the owner redeems a code for an account and wins another back`() throws {
        let lab = try open()
        let secret = try secret(lab)
        let app = ["--bundle-id", Lab.bundleID]
        let made = try lab.bodega(
            ["offer-code", "make", Self.club, "Spring fair", "--count", "1", "--json"] + app)
        let code = try #require(try decoded(MadeOfferCodeBody.self, made).codes?.first)
        let redeem = ["offer-code", "redeem", code, "buyer@example.com"] + app
        #expect(try lab.bodega(redeem, code: 1).contains("has no device"))
        _ = try probe(lab, ["--restore"])
        let redeemed = try lab.bodega(redeem)
        #expect(redeemed.contains("has Spring fair of \(Self.club), transaction"))
        #expect(try lab.bodega(redeem) == redeemed)
        let bought = try probe(lab, ["--emptied=1"])
        let number = String(try #require(bought.firstMatch(of: /purchased [^ ]+ ([0-9]+)/)).1)
        let winBack = ["subscription", "win-back", number]
        #expect(try lab.bodega(winBack).contains("no win-back offer"))
        try lab.bodega(["subscription", "cancel", number])
        try lab.bodega(["clock", "advance", "10m"])
        #expect(try lab.bodega(winBack).contains("back"))
        #expect(try lab.bodega(winBack + ["back"]).contains("active until"))
        #expect(try lab.bodega(winBack + ["back"], code: 1).contains("not for this account"))
        #expect(try charges(lab) == "0 2990")
        _ = try probe(lab, ["--emptied=1"])
        #expect(try verify(lab, secret).contains(#""promotional_offer_id":"back""#))
    }
}
