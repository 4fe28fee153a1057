/// A kind of environment inside a world: same catalogue, no accounts or transactions in common.
package enum StoreEnvironment: String, Codable, CaseIterable, Sendable {
    case production
    case sandbox

    /// Apple's spelling at the wire.
    package var wireName: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }

    /// The transaction numbers this environment may use; ranges of two environments never meet,
    /// and every number stays exact in a JSON reader that knows only doubles. A world begins
    /// somewhere in the first 10^15 of them.
    package var transactionNumbers: ClosedRange<Int64> {
        switch self {
        case .production: 100_000_000_000_000...1_999_999_999_999_999
        case .sandbox: 2_000_000_000_000_000...3_999_999_999_999_999
        }
    }
}
