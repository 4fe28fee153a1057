import Foundation
import StoreKitTest
import Testing

/// The errors that a session has StoreKit fail with.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionFailureTests {
    @Test func `products do not load while that fails`() async throws {
        let session = try Press.session()
        try await session.run {
            try await session.setSimulatedError(
                .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
            let error = await #expect(throws: StoreKitError.self) {
                try await Product.products(for: [Press.issue])
            }
            guard case .networkError(let reason)? = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(reason.code == .notConnectedToInternet)
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            #expect(try await Product.products(for: [Press.issue]).count == 1)
        }
    }

    @MainActor
    @Test func `a purchase fails with the error of its kind, and sells nothing`() async throws {
        let session = try Press.session()
        try await session.run {
            let product = try await Press.product(Press.issue)
            try await session.setSimulatedError(
                SKTestFailures.Purchase.purchase(.productUnavailable),
                forAPI: StoreKitPurchaseAPI.purchase)
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await product.purchase()
            }
            try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            let error = await #expect(throws: StoreKitError.self) { try await product.purchase() }
            guard case .userCancelled? = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(await session.simulatedError(forAPI: .purchase) == .generic(.userCancelled))
            #expect(session.allTransactions().isEmpty)
            try await session.setSimulatedError(nil, forAPI: .purchase)
            #expect(await session.simulatedError(forAPI: .purchase) == nil)
            try await Press.buy(Press.issue)
        }
    }

    @Test(arguments: [
        VerificationResult<Any>.VerificationError.revokedCertificate, .invalidCertificateChain,
        .invalidDeviceVerification, .invalidEncoding, .invalidSignature,
        .missingRequiredProperties,
    ])
    func `what is signed fails the verification in every place`(
        _ error: VerificationResult<Any>.VerificationError
    ) async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.monthly)
            try await session.setSimulatedError(.verification(error), forAPI: .verification)
            func fails<Value>(_ result: VerificationResult<Value>?) -> Bool {
                guard case .unverified(_, let reason)? = result else { return false }
                return "\(reason)" == "\(error)"
            }
            #expect(fails(await Transaction.latest(for: Press.monthly)))
            var count = 0
            for await result in Transaction.all {
                #expect(fails(result))
                count += 1
            }
            #expect(count == 1)
            let status = try await Press.status(session)
            #expect(fails(status.transaction) && fails(status.renewalInfo))
            #expect(fails(try await AppTransaction.shared))
            guard case .success(let result) = try await Press.product(Press.issue).purchase()
            else {
                Issue.record("Nothing was bought.")
                return
            }
            #expect(fails(result))
            try await session.setSimulatedError(nil, forAPI: .verification)
            #expect(
                try await Transaction.latest(for: Press.monthly)?.payloadValue.id == bought.id)
        }
    }

    @Test func `sync, statuses and the app transaction fail while they are to`() async throws {
        let session = try Press.session()
        try await session.run {
            try await Press.buy(Press.monthly)
            let product = try await Press.product(Press.monthly)
            try await session.setSimulatedError(.generic, forAPI: .appStoreSync)
            try await session.setSimulatedError(.generic, forAPI: .subscriptionStatus)
            try await session.setSimulatedError(.generic, forAPI: .appTransaction)
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            await #expect(throws: StoreKitError.self) { try await product.subscription?.status }
            await #expect(throws: StoreKitError.self) { try await AppTransaction.shared }
            session.resetToDefaultState()
            try await AppStore.sync()
            #expect(try await product.subscription?.status.count == 1)
            _ = try await AppTransaction.shared
        }
    }

    @Test func `errors of sheets are kept, though nothing shows them`() async throws {
        let session = try Press.session()
        try await session.setSimulatedError(.generic, forAPI: .manageSubscriptions)
        try await session.setSimulatedError(
            .refundRequest(.duplicateRequest), forAPI: .refundRequest)
        try await session.setSimulatedError(.generic, forAPI: .offerCodeRedeem)
        #expect(await session.simulatedError(forAPI: .manageSubscriptions) == .generic)
        #expect(
            await session.simulatedError(forAPI: .refundRequest)
                == .refundRequest(.duplicateRequest))
        #expect(await session.simulatedError(forAPI: .offerCodeRedeem) == .generic)
    }
}
