import CStoreKit
import Dispatch

/// Brings a fresh receipt because the app asks for one.
struct ReceiptRefresh: Sendable {
    private static let queue = DispatchQueue(label: "StoreKit.receiptRefresh")

    /// What it works with, asked for when it is first needed.
    private let engine: @Sendable () -> QueueEngine

    init(engine: @escaping @Sendable () -> QueueEngine = { StoreKitProcess.shared.engine }) {
        self.engine = engine
    }

    /// Puts the newest receipt on disk and says then how that went, on another thread; the person
    /// signs in on the sheet when nobody is, in turn with whoever pays.
    ///
    /// The properties count in the sandbox only. A receipt with some stays until the next change.
    func run(
        _ properties: ReceiptProperties, end: @escaping @Sendable (Result<Void, SKError>) -> Void
    ) {
        let engine = engine()
        switch engine.parts {
        case .failure(let reason): Self.queue.async { end(.failure(reason.error)) }
        case .success(let parts):
            engine.sheets.async {
                let refusal = SheetFlow(parts).signInForReceipt()
                // The next sheet need not wait for the receipt.
                Self.queue.async {
                    end(refusal.map { .failure($0.error) } ?? fetch(properties, engine, parts))
                }
            }
        }
    }

    private func fetch(
        _ properties: ReceiptProperties, _ engine: QueueEngine, _ parts: QueueEngine.Parts
    ) -> Result<Void, SKError> {
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        return client.patiently { () throws(StoreFailure) in
            try engine.renewReceipt(properties, parts)
        }.mapError { SKError(.unknown, sentence: $0.sentence) }
    }
}

extension SheetFlow {
    fileprivate init(_ parts: QueueEngine.Parts) {
        self.init(
            sheet: parts.sheet,
            client: ProductsClient(
                connection: .success(parts.connection), retries: parts.retries),
            connection: parts.connection, shouldContinue: { true })
    }

    /// Why nobody is signed in now, or nil when somebody is.
    fileprivate func signInForReceipt() -> FailureReason? {
        guard connection.account == nil else { return nil }
        connection.takeStoredSignIn()
        guard connection.account == nil else { return nil }
        return signIn(SheetPrompt(productIdentifier: "", quantity: 0, isReceipt: true))
    }
}
