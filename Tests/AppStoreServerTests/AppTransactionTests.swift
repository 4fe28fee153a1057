import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What receipts say about the app itself: its number, and when and how the account got it.
struct AppTransactionTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    /// The `receipt` of verifyReceipt's answer.
    private func shown(_ token: String, in base: String = "/production") async throws -> JSONValue {
        let answer = try await store.verify(
            try await store.receipt(token: token, in: base), at: base)
        return try #require(answer["receipt"], "\(answer)")
    }

    private func signIn(
        guid: String = TestStore.guid, version: String, account: String = "payer",
        in base: String = "/production"
    ) async throws -> String {
        let registered = await store.send(
            "POST", "\(base)/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: guid, bundleId: TestStore.bundleID, appVersion: version)))
        let token = try WireJSON.decode(DeviceSessionBody.self, from: registered.body).deviceToken
        let answer = await store.send(
            "POST", "\(base)/device/v1/sign-in", token: token,
            body: try WireJSON.encode(SignInBody(account: account, password: "rocket-fuel-1")))
        try #require(answer.status == 200)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    private func set(_ body: SetAppTransactionBody) async throws -> HTTPResponse {
        try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/app-transaction", body: body)
    }

    private func apps() async throws -> [AppBody] {
        let answer = try await store.control("GET", "/control/v1/apps")
        return try WireJSON.decode(AppsBody.self, from: answer.body).apps
    }

    @Test func `a production receipt shows the first device's date and version for good`()
        async throws
    {
        try await store.stock()
        try await store.addPayer()
        let first = try await signIn(version: "1.2")
        let receipt = try await shown(first)
        let number = try #require(try await apps().first).appAppleId
        #expect(receipt["adam_id"]?.integer == number)
        #expect(receipt["app_item_id"]?.integer == number)
        #expect(receipt["receipt_type"]?.string == "Production")
        #expect(receipt["original_purchase_date_ms"]?.string == "1714558830000")
        #expect(receipt["original_application_version"]?.string == "1.2")
        let download = try #require(receipt["download_id"]?.integer)
        #expect(download >= 500_000_000_000_000)
        store.move(byMilliseconds: 86_400_000)
        let second = try await shown(try await signIn(guid: UUID().uuidString, version: "2.0"))
        #expect(second["application_version"]?.string == "2.0")
        for key in ["original_purchase_date_ms", "original_application_version", "download_id"] {
            #expect(second[key] == receipt[key], "\(key)")
        }
        let known = try await store.control(
            "GET",
            "/control/v1/apps/\(TestStore.bundleID)/app-transaction?account=payer"
                + "&environment=production")
        let body = try WireJSON.decode(AppTransactionBody.self, from: known.body)
        #expect(body.appTransactionId == "\(download)" && body.appAppleId == number)
        #expect(body.originalPlatform == .iOS && !body.isVolumePurchase)
    }

    @Test func `the sandbox keeps Apple's constants, which cannot be set`() async throws {
        try await store.stock()
        let receipt = try await shown(
            try await signIn(version: "7.1", account: "buyer", in: "/sandbox"), in: "/sandbox")
        #expect(receipt["receipt_type"]?.string == "ProductionSandbox")
        for key in ["adam_id", "app_item_id", "download_id"] {
            #expect(receipt[key]?.integer == 0, "\(key)")
        }
        #expect(receipt["original_purchase_date_ms"]?.string == "1375340400000")
        #expect(receipt["original_application_version"]?.string == "1.0")
        let refused = try await set(
            SetAppTransactionBody(name: "buyer", originalApplicationVersion: "1.1"))
        #expect(refused.status == 422 && errorCode(refused) == "badField")
    }

    @Test func `what an account got can be set, also as a volume purchase`() async throws {
        try await store.stock()
        try await store.addPayer()
        let date = try #require(Timestamp(rfc3339: "2020-01-01T00:00:00Z"))
        func setting(
            date: Timestamp? = nil, version: String? = nil, volume: Bool? = nil
        ) async throws -> HTTPResponse {
            try await set(
                SetAppTransactionBody(
                    environment: .production, name: "payer", originalPurchaseDate: date,
                    originalApplicationVersion: version, isVolumePurchase: volume))
        }
        let unknown = try await setting(date: date)
        #expect(errorCode(unknown) == "appTransactionUnknown")
        let future = try await setting(
            date: TestStore.start.adding(milliseconds: 1), version: "1.0")
        #expect(errorCode(future) == "badField")
        #expect(errorCode(try await setting(version: "")) == "badField")
        // Before its first device, and again after it: the device changes nothing.
        #expect(try await setting(date: date, version: "0.9").status == 200)
        let token = try await signIn(version: "3.0")
        let before = try await shown(token)
        #expect(before["original_purchase_date_ms"]?.string == "1577836800000")
        #expect(before["original_application_version"]?.string == "0.9")
        #expect(try await setting(volume: true).status == 200)
        let after = try await shown(token)
        #expect(after["receipt_type"]?.string == "ProductionVPP")
        #expect(after["original_application_version"]?.string == "0.9")
        #expect(after["download_id"] == before["download_id"])
    }

    @Test func `an app's number comes from its file, its identifier or the owner`() async throws {
        try await store.stock()
        let chosen = try #require(try await apps().first).appAppleId
        #expect((1_000_000_000...9_999_999_999).contains(chosen))
        let other = try TestStore()
        try await other.stock()
        let same = try await other.control("GET", "/control/v1/apps")
        #expect(
            try WireJSON.decode(AppsBody.self, from: same.body).apps.first?.appAppleId == chosen)
        let synced = Samples.catalogue.replacingOccurrences(
            of: "\"_timeRate\" : 0", with: "\"_applicationInternalID\" : \"1588941280\"")
        func importFile(_ text: String, _ bundleID: String) async -> HTTPResponse {
            await store.send(
                "PUT", "/control/v1/apps/\(bundleID)/catalog", token: TestStore.controlToken,
                body: Array(text.utf8))
        }
        let report = await importFile(synced, TestStore.bundleID)
        #expect(report.status == 200)
        #expect(
            try !WireJSON.decode(CatalogueImportBody.self, from: report.body).keptUnused
                .contains { $0.contains("_applicationInternalID") })
        #expect(try await apps().first?.appAppleId == 1_588_941_280)
        // A second app with the same file keeps a number of its own.
        #expect(await importFile(synced, "com.example.second").status == 200)
        let numbers = try await apps().map(\.appAppleId)
        #expect(numbers.first == 1_588_941_280 && Set(numbers).count == 2)
        func number(_ number: Int64, of bundleID: String) async throws -> HTTPResponse {
            try await store.control(
                "PUT", "/control/v1/apps/\(bundleID)/number",
                body: AppNumberBody(appAppleId: number))
        }
        let taken = try await number(1_588_941_280, of: "com.example.second")
        #expect(taken.status == 409 && errorCode(taken) == "appNumberTaken")
        for bad in [0, -1, 1_000_000_000_000] as [Int64] {
            #expect(try await number(bad, of: TestStore.bundleID).status == 422)
        }
        try await store.addPayer()
        let token = try await signIn(version: "1.0")
        #expect(try await shown(token)["adam_id"]?.integer == 1_588_941_280)
        #expect(try await number(42, of: TestStore.bundleID).status == 200)
        #expect(try await shown(token)["adam_id"]?.integer == 42)
        // A file without a number leaves it as it is.
        #expect(await importFile(Samples.catalogue, TestStore.bundleID).status == 200)
        #expect(try await apps().map(\.appAppleId).contains(42))
    }

    @Test func `a transaction's receipt has the app's number in production only`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("10")
        let bought = try await store.buy(Samples.turbo, token: token, in: "/production")
        let answer = await store.send(
            "POST", "/production/device/v1/transaction-receipts", token: token,
            body: try WireJSON.encode(
                TransactionReceiptsRequestBody(transactionIds: [bought.transactionId])))
        let data = try #require(
            try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: answer.body).receipts
                .first?.receipt)
        let number = try #require(try await apps().first).appAppleId
        func verified() async throws -> JSONValue {
            let said = await store.send(
                "POST", "/production/verifyReceipt",
                body: Array(#"{"receipt-data":"\#(data)"}"#.utf8))
            return try JSONValue(parsing: said.body)
        }
        #expect(try await verified()["receipt"]?["app_item_id"]?.string == "\(number)")
        // One from before the number changed stays valid, with the old one.
        let changed = try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/number",
            body: AppNumberBody(appAppleId: 42))
        #expect(changed.status == 200)
        #expect(try await verified()["receipt"]?["app_item_id"]?.string == "\(number)")
    }

    @Test func `a deleted account's production receipt without purchases gets 21010`() async throws
    {
        let token = try await store.openProduction()
        let receipt = try await store.receipt(token: token, in: "/production")
        #expect(try await store.verify(receipt, at: "/production")["status"]?.integer == 0)
        let gone = try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(
                environment: .production, name: "payer", requestId: UUID().uuidString))
        #expect(gone.status == 200)
        #expect(try await store.verify(receipt, at: "/production")["status"]?.integer == 21010)
    }

    @Test func `a world's seed says when and how real accounts got its apps`() async throws {
        func seed(_ transactions: String, as name: String) async -> HTTPResponse {
            let accounts = """
                [{"name":"buyer","password":"rocket-fuel-1"},
                 {"name":"payer","password":"rocket-fuel-1","environment":"production"}],
                "appTransactions":\(transactions)
                """
            return await store.send(
                "PUT", "/control/v1/worlds/\(name)", token: TestStore.controlToken,
                body: Array(SeedTests.text(accounts: accounts, purchases: "[]").utf8))
        }
        let got = #"""
            [{"account":"payer","originalPurchaseDate":"2020-01-01",
              "originalApplicationVersion":"1.1","isVolumePurchase":true}]
            """#
        #expect(await seed(got, as: "one").status == 201)
        let token = try await signIn(version: "4.0", in: "/t/one/production")
        let receipt = try await shown(token, in: "/t/one/production")
        #expect(receipt["receipt_type"]?.string == "ProductionVPP")
        #expect(receipt["original_purchase_date_ms"]?.string == "1577836800000")
        #expect(receipt["original_application_version"]?.string == "1.1")
        for (bad, place) in [
            (got.replacingOccurrences(of: "payer", with: "buyer"), "account"),
            (got.replacingOccurrences(of: "2020", with: "2027"), "originalPurchaseDate"),
            (got.replacingOccurrences(of: "2020", with: "1999"), "originalPurchaseDate"),
            (got.replacingOccurrences(of: #""1.1""#, with: #""""#), "originalApplicationVersion"),
            (
                got.replacingOccurrences(of: "}", with: #","originalPlatform":"Linux"}"#),
                "originalPlatform"
            ),
        ] {
            let refused = await seed(bad, as: "two")
            #expect(refused.status == 422)
            let text = String(decoding: refused.body, as: UTF8.self)
            #expect(text.contains("appTransactions[0].\(place): "), "\(text)")
        }
        let twice = "[\(got.dropFirst().dropLast()),\(got.dropFirst().dropLast())]"
        #expect(await seed(twice, as: "two").status == 422)
    }

    @Test func `numbers of app transactions go on after a reset`() async throws {
        let token = try await store.openProduction()
        let first = try await shown(token)["download_id"]?.integer
        let reset = try await store.control(
            "POST", "/control/v1/worlds/default/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(reset.status == 200)
        try await store.addPayer()
        let again = try await signIn(version: "1.0")
        #expect(try await shown(again)["download_id"]?.integer == first.map { $0 + 1 })
    }
}
