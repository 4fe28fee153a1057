import Foundation
import StoreModel

/// One process's settings from its environment, its connection and its queue.
struct StoreKitProcess: Sendable {
    static let shared = StoreKitProcess(configuration: configuration)
    static let configuration = StoreConfiguration.read(ProcessInfo.processInfo.environment)

    let productsClient: ProductsClient
    let engine: QueueEngine

    private init(
        configuration: Result<StoreConfiguration?, StoreConfiguration.Problem>
    ) {
        let parts = Self.parts(configuration)
        if case .failure(let reason) = parts { Message.sayOnce(reason.sentence) }
        productsClient = ProductsClient(
            connection: parts.map(\.connection).mapError {
                FailureReason(.unknown, $0.sentence)
            }, retries: .standard)
        engine = QueueEngine(parts: parts)
    }

    private static func parts(
        _ configuration: Result<StoreConfiguration?, StoreConfiguration.Problem>
    ) -> Result<QueueEngine.Parts, FailureReason> {
        switch configuration {
        case .failure(let problem):
            .failure(FailureReason(.paymentNotAllowed, problem.sentence))
        case .success(nil):
            .failure(
                FailureReason(
                    .paymentNotAllowed,
                    "No store is configured, so nothing can be bought. Set STOREKIT_URL to a "
                        + "store's address, such as http://127.0.0.1:8080/sandbox."))
        case .success(let configuration?):
            QueueEngine.Parts.make(configuration)
        }
    }
}

extension QueueEngine.Parts {
    /// The real parts for a configuration.
    static func make(_ configuration: StoreConfiguration) -> Result<Self, FailureReason> {
        do {
            let home = try HomeFolder(path: configuration.home)
            let connection = StoreConnection(configuration: configuration, home: home)
            return .success(
                Self(
                    connection: connection, home: home, sheet: sheet(configuration),
                    retries: .standard))
        } catch {
            return .failure(
                FailureReason(
                    .paymentNotAllowed, "STOREKIT_HOME cannot be used: \(error)."))
        }
    }

    private static func sheet(_ configuration: StoreConfiguration) -> any PaymentSheet {
        switch configuration.sheet {
        case .terminal: TerminalSheet(suggestedAccount: configuration.account?.name)
        case .approve:
            AutomaticSheet(account: configuration.account, offerCode: configuration.offerCode)
        case .cancel: CancellingSheet()
        }
    }
}

extension WallClock {
    /// The machine's clock.
    static let system = WallClock {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
