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
        simulatedErrors.set(error, for: API.self)
        simulateErrors()
    }

    /// Has the device simulate the errors that are set, and no others.
    func simulateErrors() {
        let errors = simulatedErrors
        world.context.simulate { settings in
            settings.loadProducts = errors.of(StoreKitLoadProductsAPI.self)?.error
            settings.purchase = errors.of(StoreKitPurchaseAPI.self)?.error
            settings.verification = errors.of(StoreKitVerificationAPI.self)?.error
            settings.failsSync = errors.of(StoreKitAppStoreSyncAPI.self) != nil
            settings.failsStatuses = errors.of(StoreKitSubscriptionStatusAPI.self) != nil
            settings.failsAppTransaction = errors.of(StoreKitAppTransactionAPI.self) != nil
        }
    }

    /// The error that an interface of StoreKit fails with in this session; nil for none.
    public func simulatedError<API>(
        forAPI api: API
    ) async -> API.Failure? where API: FailableStoreKitAPI {
        simulatedErrors.of(API.self)
    }
}
