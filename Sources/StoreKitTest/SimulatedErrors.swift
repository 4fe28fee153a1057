import Foundation
import StoreKit
import Synchronization

/// The errors that a session simulates, by their interfaces.
final class SimulatedErrors: Sendable {
    private let errors = Mutex<[ObjectIdentifier: any SKTestFailure]>([:])

    func of<API: FailableStoreKitAPI>(_ api: API.Type) -> API.Failure? {
        errors.withLock { $0[ObjectIdentifier(api)] as? API.Failure }
    }

    func set<API: FailableStoreKitAPI>(_ error: API.Failure?, for api: API.Type) {
        errors.withLock { $0[ObjectIdentifier(api)] = error }
    }

    func clear() {
        errors.withLock { $0 = [:] }
    }
}

extension SKTestFailures.LoadProducts {
    var error: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase {
    var error: any Error {
        switch self {
        case .generic(let error): error
        case .purchase(let error): error
        }
    }
}

extension SKTestFailures.Verification {
    var error: VerificationResult<Any>.VerificationError {
        switch self {
        case .verification(let error): error
        }
    }
}

extension StoreKitError {
    /// Whether another one is the same, as far as errors can be compared.
    func isSame(as other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled), (.unsupported, .unsupported),
            (.notAvailableInStorefront, .notAvailableInStorefront), (.notEntitled, .notEntitled):
            true
        case (.networkError(let one), .networkError(let other)): one.code == other.code
        case (.systemError(let one), .systemError(let other)):
            (one as NSError).domain == (other as NSError).domain
                && (one as NSError).code == (other as NSError).code
        default: false
        }
    }
}
