/// A kind of environment inside a world: the same catalogue, separate accounts and transactions.
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

    /// The transaction numbers that this environment may use; the ranges of two environments do not
    /// overlap, and every number stays exact in a JSON reader that only has doubles. A world begins
    /// at a number within the first 10^15.
    package var transactionNumbers: ClosedRange<Int64> {
        switch self {
        case .production: 100_000_000_000_000...1_999_999_999_999_999
        case .sandbox: 2_000_000_000_000_000...3_999_999_999_999_999
        }
    }

    /// What order line numbers are above transaction numbers: beyond the ranges of both
    /// environments, and still below 2^53.
    package static let orderLineOffset: Int64 = 4_000_000_000_000_000
}
