import StoreKit

/// Where transactions come from: StoreKit, or a test.
public protocol TransactionSource: Sendable {
    associatedtype Updates: AsyncSequence<String, Never> & Sendable
    func productIDs() -> Updates
}

public struct StoreKitSource: TransactionSource {
    public init() {}

    public func productIDs() -> some AsyncSequence<String, Never> & Sendable {
        Transaction.updates.map(\.unsafePayloadValue.productID)
    }
}

public actor Counter<Source: TransactionSource> {
    public private(set) var counts: [String: Int] = [:]
    private let source: Source

    public init(source: Source) {
        self.source = source
    }

    public func count() async {
        for await id in source.productIDs() { counts[id, default: 0] += 1 }
    }
}

/// What is cached and logged of signed values.
public struct Proof: Hashable, Sendable {
    public let jws: String
    public let signedAt: Date
    public let isTrusted: Bool

    public init(_ result: VerificationResult<StoreKit.Transaction>) {
        jws = result.jwsRepresentation
        signedAt = result.signedDate
        if case .verified = result { isTrusted = true } else { isTrusted = false }
    }

    public init(_ status: StoreKit.Product.SubscriptionInfo.Status) {
        jws = status.renewalInfo.jwsRepresentation
        signedAt = status.renewalInfo.signedDate
        isTrusted = (try? status.renewalInfo.payloadValue) != nil
    }
}
