import StoreKit

extension SKTestSession {
    /// Has an interface of StoreKit fail, until it is set to nil.
    ///
    /// The error arises in this process, before the store hears of anything. It holds for code that
    /// runs in this session.
    ///
    /// - Throws: `SKTestError`, when the session's store is gone.
    public func setSimulatedError<API>(
        _ error: API.Failure?, forAPI api: API
    ) async throws where API: FailableStoreKitAPI {
        try world.checkRunning()
        failures.set(error, for: API.self)
        // Read from the failures, so that both say the same.
        let failures = failures
        world.context.simulate { settings in
            settings.loadProducts = failures.of(StoreKitLoadProductsAPI.self)?.error
            settings.purchase = failures.of(StoreKitPurchaseAPI.self)?.error
            settings.verification = failures.of(StoreKitVerificationAPI.self)?.error
            settings.failsSync = failures.of(StoreKitAppStoreSyncAPI.self) != nil
            settings.failsStatuses = failures.of(StoreKitSubscriptionStatusAPI.self) != nil
            settings.failsAppTransaction = failures.of(StoreKitAppTransactionAPI.self) != nil
        }
    }

    /// The error that an interface of StoreKit fails with in this session; nil for none.
    public func simulatedError<API>(
        forAPI api: API
    ) async -> API.Failure? where API: FailableStoreKitAPI {
        failures.of(API.self)
    }
}
