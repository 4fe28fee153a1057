import CStoreKit
import Dispatch

/// This device's settings for promoted products, kept in its home folder.
struct StorePromotions: Sendable {
    private let queue: DispatchQueue

    /// The file's contents; anything missing is as in the catalogue.
    private struct Contents: Codable {
        var visibility: [String: Int] = [:]
        var order: [String] = []
    }

    /// Its parts, created when first needed.
    private let parts: @Sendable () -> Result<QueueEngine.Parts, FailureReason>

    init(
        lanes: Lanes = Lanes(),
        parts: @escaping @Sendable () -> Result<QueueEngine.Parts, FailureReason>
    ) {
        self.parts = parts
        queue = DispatchQueue(label: "StoreKit.promotions", target: lanes.calls)
    }

    func visibility(
        of productIdentifier: String
    ) async throws -> SKProductStorePromotionVisibility {
        let raw = try contents(of: usable().home).visibility[productIdentifier] ?? 0
        return SKProductStorePromotionVisibility(rawValue: raw) ?? .default
    }

    func setVisibility(
        _ visibility: SKProductStorePromotionVisibility, of productIdentifier: String
    ) async throws {
        try change {
            $0.visibility[productIdentifier] =
                visibility == .default ? nil : visibility.rawValue
        }
    }

    /// The products in their order, without those no longer for sale.
    func order() async throws -> [SKProduct] {
        let identifiers = try contents(of: usable().home).order
        if identifiers.isEmpty { return [] }
        let parts = try usable()
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        // Waiting for the store here would block a thread of the cooperative pool.
        let products = try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let response = client.products(Set(identifiers))
                continuation.resume(with: response.map { UncheckedBox($0.products) })
            }
        }.value
        return identifiers.compactMap { identifier in
            products.first { $0.productIdentifier == identifier }
        }
    }

    func setOrder(_ productIdentifiers: [String]) async throws {
        var seen: Set<String> = []
        let order = productIdentifiers.filter { seen.insert($0).inserted }
        try change { $0.order = order }
    }

    private func usable() throws -> QueueEngine.Parts {
        switch parts() {
        case .success(let parts): return parts
        case .failure(let reason): throw reason.error
        }
    }

    private func contents(of home: HomeFolder) throws -> Contents {
        try home.load(Contents.self, from: home.promotionsFile) ?? Contents()
    }

    private func change(_ body: (inout Contents) -> Void) throws {
        let home = try usable().home
        do {
            try home.locked {
                var contents = try contents(of: home)
                body(&contents)
                try home.save(contents, to: home.promotionsFile)
            }
        } catch {
            throw SKError(.unknown, sentence: "The promotion cannot be saved: \(error)")
        }
    }
}
