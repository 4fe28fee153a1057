import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The bodies of `/device` and `/control`, pinned: a device out there was built against them.
struct DeviceGoldenTests {
    private let store: TestStore
    private let attempt = "11111111-2222-4333-8444-555555555555"

    init() throws {
        store = try TestStore()
    }

    /// The body with what is random in it replaced, one member a line.
    private func check(_ body: [UInt8], _ name: String, hiding secrets: [String] = []) throws {
        var text = String(decoding: body, as: UTF8.self)
        for secret in secrets { text = text.replacingOccurrences(of: secret, with: "…") }
        text = text.replacingOccurrences(of: ",\"", with: ",\n\"")
        try Golden.check(Array((text + "\n").utf8), name)
    }

    @Test func `answers to devices match the golden files`() async throws {
        try await store.stock(storefront: "DEU")
        let registered = await store.send(
            "POST", "/sandbox/device/v1/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(
                    guid: TestStore.guid, bundleId: TestStore.bundleID, appVersion: "1.0")))
        let first = try WireJSON.decode(DeviceSessionBody.self, from: registered.body).deviceToken
        let world = store.registry.defaultWorld.id
        let root = Data(try store.parts.keys.dataRoot(.sandbox, isTest: false))
            .base64EncodedString()
        try check(registered.body, "device-register.json", hiding: [first, world, root])
        let signedIn = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: first,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        let token = try WireJSON.decode(DeviceSessionBody.self, from: signedIn.body).deviceToken
        try check(signedIn.body, "device-sign-in.json", hiding: [token, world, root])
        let products = await store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [Samples.turbo, "absent"], locale: "de_DE"))
        )
        try check(products.body, "device-products.json")
        let bought = try await store.attempt(
            Samples.fuel, id: attempt, quantity: 2, username: "driver-7", token: token)
        try check(bought.body, "device-attempt-done.json")
        let refused = try await store.attempt("absent", id: TestStore.guid, token: token)
        try check(refused.body, "device-attempt-refused.json")
        let unfinished = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        try check(unfinished.body, "device-transactions.json")
        let finished = await store.send(
            "POST", "/sandbox/device/v1/transactions/2000000000000000/finish", token: token)
        try check(finished.body, "device-finish.json")
        let updates = await store.send("GET", "/sandbox/device/v1/updates?after=0", token: token)
        try check(updates.body, "device-updates.json")
        let error = try await store.attempt(Samples.turbo, id: attempt, token: token)
        try check(error.body, "device-error.json")
    }

    @Test func `restore answers to devices match the golden files`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.attempt(
            Samples.turbo, id: attempt, username: "driver-7", token: token)
        await store.finish("2000000000000000", token: token)
        store.move(byMilliseconds: 60_000)
        let restored = try await store.askToRestore(TestStore.guid, token: token)
        try check(restored.body, "device-restore.json")
    }

    @Test func `answers to the shop owner match the golden files`() async throws {
        try await store.stock()
        let app = "/control/v1/apps/\(TestStore.bundleID)"
        let imported = await store.send(
            "PUT", "\(app)/catalog", token: TestStore.controlToken,
            body: Array(Samples.catalogue(fuelPrice: "1.49", withTurbo: false).utf8))
        try check(imported.body, "control-import.json")
        _ = try await store.control(
            "PUT", "\(app)/products/\(Samples.fuel)/prices/JPN", body: PriceBody(price: "160"))
        try check(
            try await store.control("GET", "\(app)/products").body, "control-products.json")
        try check(
            try await store.control("GET", "/control/v1/accounts").body, "control-accounts.json")
        try check(try await store.control("GET", "/control/v1/clock").body, "control-clock.json")
        let made = try await store.control(
            "POST", "/control/v1/worlds", body: MakeWorldBody(name: "one"))
        let id = try WireJSON.decode(WorldBody.self, from: made.body).id
        try check(made.body, "control-world.json", hiding: [id])
    }

    @Test func `answers about reviews, prices and secrets match the golden files`()
        async throws
    {
        try await store.stock()
        let app = "/control/v1/apps/\(TestStore.bundleID)"
        let fuel = "\(app)/products/\(Samples.fuel)"
        _ = try await store.control(
            "PUT", "\(fuel)/category", body: CategoryBody(category: .content))
        let rejected = try await store.control(
            "PUT", "\(fuel)/state",
            body: SaleStateBody(state: .rejected, reason: .other, note: "It has no text."))
        try check(rejected.body, "control-product.json")
        try check(
            try await store.control("GET", "\(app)/reviews?after=1").body, "control-reviews.json")
        try check(try await store.control("GET", "/control/v1/policy").body, "control-policy.json")
        let from = TestStore.start.adding(milliseconds: 86_400_000)
        let added = try await store.control(
            "POST", "\(fuel)/price-schedule",
            body: AddPriceBody(storefront: "DEU", price: "0.79", from: from))
        try check(added.body, "control-price.json")
        _ = try await store.control("PUT", "\(fuel)/prices/JPN", body: PriceBody(price: "160"))
        try check(
            try await store.control("GET", "\(fuel)/price-schedule").body, "control-prices.json")
        try check(try await store.control("GET", "/control/v1/shop").body, "control-shop.json")
        try check(try await store.control("GET", "/control/v1/apps").body, "control-apps.json")
        try check(
            try await store.control("GET", "/control/v1/developers").body,
            "control-developers.json")
        let made = try await store.control("POST", "\(app)/secrets")
        let secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        try check(made.body, "control-secret.json", hiding: [secret])
        _ = try await store.control("POST", "\(app)/secrets")
        _ = try await store.control("DELETE", "\(app)/secrets/2")
        try check(
            try await store.control("GET", "\(app)/secrets").body, "control-secrets.json")
    }

    @Test func `answers about price consent match the golden files`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let asked = try await store.control(
            "POST", "/control/v1/price-consents",
            body: AskPriceConsentBody(
                name: "buyer", bundleId: TestStore.bundleID, productId: Samples.club,
                price: "2.99"))
        try check(asked.body, "control-price-consent.json")
        let device = "/sandbox/device/v1"
        let unfinished = await store.send("GET", "\(device)/transactions", token: token)
        try check(unfinished.body, "device-price-consent-transactions.json")
        let agreed = await store.send("POST", "\(device)/price-consents/1/agree", token: token)
        try check(agreed.body, "device-price-consent.json")
        let updates = await store.send("GET", "\(device)/updates?after=0", token: token)
        try check(updates.body, "device-price-consent-updates.json")
        try check(
            try await store.control("GET", "/control/v1/price-consents").body,
            "control-price-consents.json")
    }

    @Test func `answers to the shop owner about offers match the golden files`() async throws {
        let fixture = try await OfferFixture()
        let store = fixture.store
        let made = try await store.control("POST", OfferFixture.keys)
        let key = try WireJSON.decode(MadeOfferKeyBody.self, from: made.body)
        let secret = String(decoding: try WireJSON.encode(key.privateKey), as: UTF8.self)
        try check(
            made.body, "control-offer-key.json",
            hiding: [String(secret.dropFirst().dropLast()), key.keyId, key.issuerId])
        await fixture.importFile(keyPair: OfferFixture.pair()).expectStatus(200)
        _ = try await store.control("DELETE", "\(OfferFixture.keys)/0FFE4000")
        try check(
            try await store.control("GET", OfferFixture.keys).body, "control-offer-keys.json",
            hiding: [key.keyId, key.issuerId])
        let end = TestStore.start.adding(milliseconds: 86_400_000)
        let word = try await store.control(
            "POST", OfferFixture.codes,
            body: MakeOfferCodeBody(
                offerId: OfferFixture.fair, word: "spring26", redemptionsMax: 5_000,
                expiresAt: end))
        try check(word.body, "control-offer-code.json")
        let batch = try await store.control(
            "POST", OfferFixture.codes,
            body: MakeOfferCodeBody(offerId: OfferFixture.fair, count: 1))
        let codes = try WireJSON.decode(MadeOfferCodeBody.self, from: batch.body).codes
        try check(batch.body, "control-offer-batch.json", hiding: codes ?? [])
        let ended = try await store.control("DELETE", "\(OfferFixture.codes)/2")
        try check(ended.body, "control-offer-code-ended.json")
        try check(
            try await store.control("GET", OfferFixture.codes).body, "control-offer-codes.json")
    }

    @Test func `answers about credit and gift codes match the golden files`() async throws {
        try await store.stock()
        let toppedUp = try await store.control(
            "POST", "/control/v1/accounts/credit/top-up",
            body: TopUpBody(name: "buyer", requestId: attempt, amount: "10"))
        try check(toppedUp.body, "control-credit-entry.json")
        let made = try await store.control(
            "POST", "/control/v1/gift-codes",
            body: MakeGiftCodeBody(
                amount: "25", currency: Storefront.default.currency,
                expiresAt: TestStore.start.adding(milliseconds: 86_400_000)))
        let code = try WireJSON.decode(MadeGiftCodeBody.self, from: made.body).code
        try check(made.body, "control-gift-code.json", hiding: [code])
        _ = try await store.control(
            "POST", "/control/v1/accounts/credit/redeem",
            body: RedeemGiftCodeBody(name: "buyer", code: code))
        _ = try await store.control(
            "POST", "/control/v1/accounts/credit/correct",
            body: CorrectCreditBody(
                name: "buyer", requestId: TestStore.guid, amount: "-4.99",
                reason: "Paid in twice."))
        try check(
            try await store.control("GET", "/control/v1/accounts/credit?account=buyer").body,
            "control-credit.json")
        try check(
            try await store.control("GET", "/control/v1/gift-codes").body,
            "control-gift-codes.json")
    }
}
