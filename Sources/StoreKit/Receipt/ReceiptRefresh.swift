import CStoreKit
import Dispatch

/// Fetches a fresh receipt on the app's request.
struct ReceiptRefresh: Sendable {
    /// Its engine, created when first needed.
    private let engine: @Sendable () -> QueueEngine

    init(engine: @escaping @Sendable () -> QueueEngine) {
        self.engine = engine
    }

    init(in context: StoreContext) {
        engine = { context.engine }
    }

    /// Writes the newest receipt to disk, then reports the outcome on another thread; if no account
    /// is signed in, the customer signs in on the sheet, in turn with payments.
    ///
    /// The properties count in the sandbox only. A receipt with properties stays until the next
    /// change.
    func run(
        _ properties: ReceiptProperties, end: @escaping @Sendable (Result<Void, SKError>) -> Void
    ) {
        let engine = engine()
        let end: @Sendable (Result<Void, SKError>) -> Void = { result in
            engine.calls.now { end(result) }
        }
        switch engine.usable {
        case .failure(let reason): engine.refreshes.async { end(.failure(reason.error)) }
        case .success(let parts):
            engine.sheets.async {
                let refusal = SheetFlow(parts).signInForReceipt()
                // The next sheet need not wait for the receipt.
                engine.refreshes.async {
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
    init(_ parts: QueueEngine.Parts) {
        self.init(
            sheet: parts.sheet,
            client: ProductsClient(
                connection: .success(parts.connection), retries: parts.retries),
            connection: parts.connection, shouldContinue: { true })
    }

    /// Why no account is signed in now, or nil when one is.
    func signInForReceipt() -> FailureReason? {
        guard connection.account == nil else { return nil }
        connection.takeStoredSignIn()
        guard connection.account == nil else { return nil }
        return signIn(SheetPrompt(productIdentifier: "", quantity: 0, isReceipt: true))
    }
}
