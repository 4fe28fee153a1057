import StoreDatabase
package import StoreHTTP
import StoreModel

/// Every address of the store: one table for its root, two for each world.
///
/// `StoreDocument` describes each of them; a test holds the two together.
package enum StoreRoutes {
    /// At the root only.
    static let root: Router<StoreHandler> = {
        var router = Router<StoreHandler>()
        router.add("GET", "/health") { _, _, store, responder in
            store.answer(responder) { .json(Array(#"{"status":"ok"}"#.utf8)) }
        }
        router.add("GET", "/ready") { _, _, store, responder in
            store.answer(responder) {
                _ = try store.worlds.defaultWorld.database.read { try $0.lastEventNumber() }
                return .json(Array(#"{"status":"ready"}"#.utf8))
            }
        }
        router.add("GET", "/openapi.json") { _, _, store, responder in
            store.answer(responder) { .json(StoreDocument.bytes) }
        }
        router.add("GET", "/control/v1/worlds") { _, _, store, responder in
            store.answer(responder) { try WorldControl.list(store.worlds) }
        }
        router.add("POST", "/control/v1/worlds") { request, _, store, responder in
            // Its first call waits for keys, which is not for the listener's threads.
            store.answerLater(responder) {
                try WorldControl.make(request, store.worlds, log: store.log)
            }
        }
        WorldRoutes.add(to: &router)
        router.add("DELETE", "/control/v1/worlds/:name") { _, path, store, responder in
            store.answer(responder) {
                try WorldControl.delete(path.named("name"), store.worlds, log: store.log)
            }
        }
        return router
    }()

    /// Below `/production` and `/sandbox`.
    static let environment: Router<Scene> = {
        var router = Router<Scene>()
        router.add("POST", "/verifyReceipt", bodyBytesMax: Limits.receiptBodyMax) {
            VerifyReceiptService.verify($0, $2, $3)
        }
        router.add(
            Router<Scene>.anyMethod, "/verifyReceipt", bodyBytesMax: Limits.receiptBodyMax
        ) { VerifyReceiptService.verify($0, $2, $3) }
        router.add("POST", "/device/v1/register") { DeviceService.register($0, $2, $3) }
        router.add("POST", "/device/v1/sign-in") { SignInService.signIn($0, $2, $3) }
        router.add("POST", "/device/v1/sign-out") { SignInService.signOut($0, $2, $3) }
        router.add("POST", "/device/v1/products") { ProductsService.products($0, $2, $3) }
        router.add("POST", "/device/v1/attempts") { PurchaseService.attempt($0, $2, $3) }
        router.add("POST", "/device/v1/offer-codes/redeem") {
            RedemptionService.redeem($0, $2, $3)
        }
        router.add("GET", "/device/v1/transactions") { UpdatesService.unfinished($0, $2, $3) }
        router.add("POST", "/device/v1/transactions/:id/finish") {
            FinishService.finish($0, $1.named("id"), $2, $3)
        }
        router.add("POST", "/device/v1/restores") { RestoreService.restore($0, $2, $3) }
        router.add("GET", "/device/v1/transactions/:id/content") {
            ContentService.manifest($0, $1.named("id"), $2, $3)
        }
        router.add("GET", "/device/v1/transactions/:id/content/:version/:sha256") {
            ContentService.file(
                $0, $1.named("id"), version: $1.named("version"), digest: $1.named("sha256"), $2,
                $3)
        }
        router.add("GET", "/device/v1/updates") { UpdatesService.updates($0, $2, $3) }
        router.add("POST", "/device/v1/price-consents/:number/agree") {
            PriceConsentService.answer(.agreed, $0, number: $1.named("number"), $2, $3)
        }
        router.add("POST", "/device/v1/price-consents/:number/decline") {
            PriceConsentService.answer(.declined, $0, number: $1.named("number"), $2, $3)
        }
        router.add("GET", "/device/v1/key-values") { KeyValueService.values($0, $2, $3) }
        router.add("PUT", "/device/v1/key-values", bodyBytesMax: Limits.keyValuesBodyMax) {
            KeyValueService.change($0, $2, $3)
        }
        router.add("GET", "/device/v1/receipt") { ReceiptService.receipt($0, $2, $3) }
        router.add("POST", "/device/v1/transaction-receipts") {
            TransactionReceiptService.receipts($0, $2, $3)
        }
        return router
    }()

    /// Below a world's `/control/v1`.
    static let control: Router<Scene> = {
        var router = Router<Scene>()
        router.add("GET", "/clock") { ClockService.clock($0, $2, $3) }
        router.add("PUT", "/clock") { ClockService.set($0, $2, $3) }
        router.add("POST", "/clock/advance") { ClockService.advance($0, $2, $3) }
        router.add("DELETE", "/clock/advance") { ClockService.cancelAdvance($0, $2, $3) }
        router.add("PUT", "/clock/pace") { ClockService.setPace($0, $2, $3) }
        router.add("GET", "/accounts") { AccountControl.list($0, $2, $3) }
        router.add("POST", "/accounts") { AccountControl.make($0, $2, $3) }
        router.add("POST", "/accounts/lock") { AccountUpkeep.lock($0, $2, $3) }
        router.add("POST", "/accounts/unlock") { AccountUpkeep.unlock($0, $2, $3) }
        router.add("POST", "/accounts/password") { AccountUpkeep.resetPassword($0, $2, $3) }
        router.add("POST", "/accounts/sign-out") { AccountUpkeep.signOut($0, $2, $3) }
        router.add("GET", "/faults") { FaultControl.show($0, $2, $3) }
        router.add("PUT", "/faults") { FaultControl.set($0, $2, $3) }
        addWaitingPurchases(to: &router)
        addSubscriptions(to: &router)
        addFamilies(to: &router)
        addPriceConsents(to: &router)
        addMoney(to: &router)
        router.add("POST", "/accounts/storefront") { AccountUpkeep.setStorefront($0, $2, $3) }
        router.add("POST", "/transactions/:id/revoke") {
            RevocationControl.revoke($0, $1.named("id"), $2, $3)
        }
        addRefunds(to: &router)
        addCatalogue(to: &router)
        addPrices(to: &router)
        addShop(to: &router)
        addContent(to: &router)
        addOffers(to: &router)
        return router
    }()

    private static func addWaitingPurchases(to router: inout Router<Scene>) {
        router.add("POST", "/accounts/settings") { AccountSettingsControl.set($0, $2, $3) }
        router.add("POST", "/accounts/resolve") { AccountSettingsControl.resolve($0, $2, $3) }
        router.add("GET", "/approvals") { ApprovalControl.list($0, $2, $3) }
        router.add("POST", "/approvals/:number/approve") {
            ApprovalControl.answer(.approved, $0, number: $1.named("number"), $2, $3)
        }
        router.add("POST", "/approvals/:number/decline") {
            ApprovalControl.answer(.declined, $0, number: $1.named("number"), $2, $3)
        }
    }

    private static func addRefunds(to router: inout Router<Scene>) {
        router.add("GET", "/payments") { PaymentControl.list($0, $2, $3) }
        router.add("GET", "/refunds") { RefundControl.list($0, $2, $3) }
        router.add("GET", "/refunds/:transaction") {
            RefundControl.show($0, $1.named("transaction"), $2, $3)
        }
        router.add("POST", "/refunds/:transaction/request") {
            RefundControl.request($0, $1.named("transaction"), $2, $3)
        }
        router.add("PUT", "/refunds/:transaction/consumption") {
            RefundControl.answer($0, $1.named("transaction"), $2, $3)
        }
        router.add("POST", "/refunds/:transaction/grant") {
            RefundControl.grant($0, $1.named("transaction"), $2, $3)
        }
        router.add("POST", "/refunds/:transaction/decline") {
            RefundControl.change(.decline, $1.named("transaction"), $2, $3)
        }
        router.add("POST", "/refunds/:transaction/reverse") {
            RefundControl.change(.reverse, $1.named("transaction"), $2, $3)
        }
    }

    private static func addSubscriptions(to router: inout Router<Scene>) {
        router.add("GET", "/subscriptions") { SubscriptionControl.list($0, $2, $3) }
        router.add("GET", "/subscriptions/:original") {
            SubscriptionControl.show($0, $1.named("original"), $2, $3)
        }
        let plain: [(String, SubscriptionChange)] = [
            ("expire", .expire), ("cancel", .setAutoRenew(false)),
            ("resume", .setAutoRenew(true)), ("fail-billing", .setFailsBilling(true)),
            ("recover", .setFailsBilling(false)),
        ]
        for (name, change) in plain {
            router.add("POST", "/subscriptions/:original/\(name)") {
                SubscriptionControl.change(change, $1.named("original"), $2, $3)
            }
        }
        router.add("POST", "/subscriptions/:original/renew") {
            SubscriptionControl.renew($0, $1.named("original"), $2, $3)
        }
        router.add("POST", "/subscriptions/:original/choose") {
            SubscriptionControl.choose($0, $1.named("original"), $2, $3)
        }
        router.add("POST", "/subscriptions/:original/extend") {
            SubscriptionControl.extend($0, $1.named("original"), $2, $3)
        }
        router.add("POST", "/subscriptions/:original/price-increase") {
            SubscriptionControl.increasePrice($0, $1.named("original"), $2, $3)
        }
        router.add("GET", "/subscriptions/:original/win-backs") {
            WinBackControl.list($0, $1.named("original"), $2, $3)
        }
        router.add("POST", "/subscriptions/:original/win-back") {
            WinBackControl.take($0, $1.named("original"), $2, $3)
        }
        router.add("PUT", "/apps/:app/grace-period") {
            SubscriptionControl.setGracePeriod($0, app: $1.named("app"), $2, $3)
        }
    }

    private static func addFamilies(to router: inout Router<Scene>) {
        router.add("GET", "/families") { FamilyControl.list($0, $2, $3) }
        router.add("POST", "/families") { FamilyControl.make($0, $2, $3) }
        router.add("GET", "/families/:number") {
            FamilyControl.show($0, $1.named("number"), $2, $3)
        }
        router.add("DELETE", "/families/:number") {
            FamilyControl.delete($0, $1.named("number"), $2, $3)
        }
        router.add("POST", "/families/:number/add") {
            FamilyControl.add($0, $1.named("number"), $2, $3)
        }
        router.add("POST", "/families/:number/remove") {
            FamilyControl.remove($0, $1.named("number"), $2, $3)
        }
        router.add("POST", "/families/:number/sharing") {
            FamilyControl.setSharing($0, $1.named("number"), $2, $3)
        }
    }

    private static func addPriceConsents(to router: inout Router<Scene>) {
        router.add("GET", "/price-consents") { PriceConsentControl.list($0, $2, $3) }
        router.add("POST", "/price-consents") { PriceConsentControl.ask($0, $2, $3) }
        router.add("POST", "/price-consents/:number/agree") {
            PriceConsentControl.answer(.agreed, $0, number: $1.named("number"), $2, $3)
        }
        router.add("POST", "/price-consents/:number/decline") {
            PriceConsentControl.answer(.declined, $0, number: $1.named("number"), $2, $3)
        }
    }

    private static func addMoney(to router: inout Router<Scene>) {
        router.add("GET", "/accounts/credit") { CreditControl.show($0, $2, $3) }
        router.add("POST", "/accounts/credit/top-up") { CreditControl.topUp($0, $2, $3) }
        router.add("POST", "/accounts/credit/correct") { CreditControl.correct($0, $2, $3) }
        router.add("POST", "/accounts/credit/redeem") { CreditControl.redeem($0, $2, $3) }
        router.add("GET", "/gift-codes") { GiftCodeControl.list($0, $2, $3) }
        router.add("POST", "/gift-codes") { GiftCodeControl.make($0, $2, $3) }
        router.add("DELETE", "/gift-codes/:number") {
            GiftCodeControl.void($0, number: $1.named("number"), $2, $3)
        }
    }

    private static func addCatalogue(to router: inout Router<Scene>) {
        router.add("GET", "/apps/:app/catalog") {
            CatalogueControl.export($0, app: $1.named("app"), $2, $3)
        }
        router.add("PUT", "/apps/:app/catalog", bodyBytesMax: Limits.catalogueBodyMax) {
            CatalogueControl.importFile($0, app: $1.named("app"), $2, $3)
        }
        router.add("GET", "/apps/:app/products") {
            ProductControl.list($0, app: $1.named("app"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/state") {
            ReviewControl.setState($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/category") {
            ProductControl.setCategory(
                $0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("GET", "/apps/:app/reviews") {
            ReviewControl.history($0, app: $1.named("app"), $2, $3)
        }
        router.add("GET", "/policy") { ReviewControl.policy($0, $2, $3) }
    }

    private static func addPrices(to router: inout Router<Scene>) {
        router.add("PUT", "/apps/:app/products/:product/price") {
            CatalogueControl.setBasePrice(
                $0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/prices/:storefront") {
            ProductControl.setPrice(
                $0, app: $1.named("app"), product: $1.named("product"),
                storefront: $1.named("storefront"), $2, $3)
        }
        router.add("GET", "/apps/:app/products/:product/price-schedule") {
            PriceSchedule.list($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("POST", "/apps/:app/products/:product/price-schedule") {
            PriceSchedule.add($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("DELETE", "/apps/:app/products/:product/price-schedule/:number") {
            PriceSchedule.cancel(
                $0, app: $1.named("app"), product: $1.named("product"),
                number: $1.named("number"), $2, $3)
        }
    }

    private static func addShop(to router: inout Router<Scene>) {
        router.add("GET", "/shop") { ShopControl.show($0, $2, $3) }
        router.add("PUT", "/shop") { ShopControl.set($0, $2, $3) }
        router.add("GET", "/apps") { ShopControl.apps($0, $2, $3) }
        router.add("PUT", "/apps/:app/delay") {
            ShopControl.setDelay($0, app: $1.named("app"), $2, $3)
        }
        router.add("PUT", "/apps/:app/developer") {
            ShopControl.setDeveloper($0, app: $1.named("app"), $2, $3)
        }
        router.add("GET", "/apps/:app/key-values") {
            KeyValueControl.show($0, app: $1.named("app"), $2, $3)
        }
        router.add("GET", "/developers") { DeveloperControl.list($0, $2, $3) }
        router.add("POST", "/developers") { DeveloperControl.add($0, $2, $3) }
        addSecrets(below: "/developers", of: "developer", to: &router) { .developer($0) }
        addSecrets(below: "/apps", of: "app", to: &router) { .app($0) }
    }

    private static func addContent(to router: inout Router<Scene>) {
        router.add("GET", "/apps/:app/content") {
            ContentControl.list($0, app: $1.named("app"), $2, $3)
        }
        router.add("DELETE", "/apps/:app/products/:product/content") {
            ContentControl.remove($0, ContentPlace($1), version: nil, $2, $3)
        }
        router.add("DELETE", "/apps/:app/products/:product/content/:version") {
            ContentControl.remove($0, ContentPlace($1), version: $1.named("version"), $2, $3)
        }
        let uploads = "/apps/:app/products/:product/content-uploads"
        router.add("POST", uploads, bodyBytesMax: Limits.contentManifestBytesMax) {
            ContentUpload.begin($0, ContentPlace($1), $2, $3)
        }
        router.add(
            "PUT", uploads + "/:upload/files/:sha256", bodyBytesMax: Limits.contentPartBytesMax
        ) {
            ContentUpload.take(
                $0, ContentPlace($1), upload: $1.named("upload"), digest: $1.named("sha256"), $2,
                $3)
        }
        router.add("POST", uploads + "/:upload/commit") {
            ContentUpload.commit($0, ContentPlace($1), upload: $1.named("upload"), $2, $3)
        }
    }

    private static func addOffers(to router: inout Router<Scene>) {
        router.add("POST", "/apps/:app/offer-codes/redeem") {
            RedemptionControl.redeem($0, app: $1.named("app"), $2, $3)
        }
        let keys = "/apps/:app/offer-keys"
        router.add("GET", keys) { OfferKeyControl.list($0, app: $1.named("app"), $2, $3) }
        router.add("POST", keys) { OfferKeyControl.make($0, app: $1.named("app"), $2, $3) }
        router.add("DELETE", keys + "/:key") {
            OfferKeyControl.revoke($0, app: $1.named("app"), key: $1.named("key"), $2, $3)
        }
        let codes = "/apps/:app/products/:product/offer-codes"
        router.add("GET", codes) {
            OfferCodeControl.list($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("POST", codes) {
            OfferCodeControl.make($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("DELETE", codes + "/:number") {
            OfferCodeControl.deactivate(
                $0, app: $1.named("app"), product: $1.named("product"),
                number: $1.named("number"), $2, $3)
        }
    }

    private static func addSecrets(
        below folder: String, of name: String, to router: inout Router<Scene>,
        _ owner: @escaping @Sendable (String) -> SecretControl.Owner
    ) {
        let path = "\(folder)/:\(name)"
        router.add("GET", path + "/secrets") {
            SecretControl.list($0, of: owner($1.named(name)), $2, $3)
        }
        router.add("POST", path + "/secrets") {
            SecretControl.make($0, of: owner($1.named(name)), $2, $3)
        }
        router.add("DELETE", path + "/secrets/:number") {
            SecretControl.revoke(
                $0, of: owner($1.named(name)), number: $1.named("number"), $2, $3)
        }
    }

    /// All of them, with the paths that the default world has.
    package static var all: [RouteEntry] {
        root.entries + control.entries.map { $0.below("/control/v1") }
            + environment.entries.map { $0.below("/:environment") }
    }
}

extension PathParameters {
    /// The value of a part that the route's pattern names.
    func named(_ name: String) -> String {
        guard let value = self[name] else {
            preconditionFailure("the route's pattern has no :\(name)")
        }
        return value
    }
}
