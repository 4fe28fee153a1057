import StoreHTTP

/// Every address of a world, below its path.
enum StoreRoutes {
    /// Below `/production` and `/sandbox`.
    static let environment: Router<Scene> = {
        var router = Router<Scene>()
        router.add("POST", "/device/v1/register") { DeviceService.register($0, $2, $3) }
        router.add("POST", "/device/v1/sign-in") { SignInService.signIn($0, $2, $3) }
        router.add("POST", "/device/v1/sign-out") { SignInService.signOut($0, $2, $3) }
        router.add("POST", "/device/v1/products") { ProductsService.products($0, $2, $3) }
        router.add("POST", "/device/v1/attempts") { PurchaseService.attempt($0, $2, $3) }
        router.add("GET", "/device/v1/transactions") { UpdatesService.unfinished($0, $2, $3) }
        router.add("POST", "/device/v1/transactions/:id/finish") {
            FinishService.finish($0, $1.named("id"), $2, $3)
        }
        router.add("GET", "/device/v1/updates") { UpdatesService.updates($0, $2, $3) }
        router.add("GET", "/device/v1/receipt") { ReceiptService.receipt($0, $2, $3) }
        return router
    }()

    /// Below a world's `/control/v1`.
    static let control: Router<Scene> = {
        var router = Router<Scene>()
        router.add("GET", "/clock") { ClockService.clock($0, $2, $3) }
        router.add("PUT", "/clock") { ClockService.set($0, $2, $3) }
        router.add("POST", "/clock/advance") { ClockService.advance($0, $2, $3) }
        router.add("GET", "/accounts") { AccountControl.list($0, $2, $3) }
        router.add("POST", "/accounts") { AccountControl.make($0, $2, $3) }
        router.add("POST", "/accounts/lock") { AccountUpkeep.lock($0, $2, $3) }
        router.add("POST", "/accounts/unlock") { AccountUpkeep.unlock($0, $2, $3) }
        router.add("POST", "/accounts/password") { AccountUpkeep.resetPassword($0, $2, $3) }
        router.add("POST", "/accounts/sign-out") { AccountUpkeep.signOut($0, $2, $3) }
        router.add("GET", "/apps/:app/catalog") {
            CatalogueControl.export($0, app: $1.named("app"), $2, $3)
        }
        router.add("PUT", "/apps/:app/catalog") {
            CatalogueControl.importFile($0, app: $1.named("app"), $2, $3)
        }
        router.add("GET", "/apps/:app/products") {
            ProductControl.list($0, app: $1.named("app"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/state") {
            ProductControl.setState($0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/price") {
            CatalogueControl.setBasePrice(
                $0, app: $1.named("app"), product: $1.named("product"), $2, $3)
        }
        router.add("PUT", "/apps/:app/products/:product/prices/:storefront") {
            ProductControl.setPrice(
                $0, app: $1.named("app"), product: $1.named("product"),
                storefront: $1.named("storefront"), $2, $3)
        }
        return router
    }()
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
