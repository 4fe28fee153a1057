import StoreDatabase
import StoreModel
import StoreRules

/// A request that is due to a provider.
enum ProviderTask: Sendable {
    case payment(Payment, customer: String, bundleID: String)
    case refund(PaymentRefund, of: Payment)

    /// Identifies it while it is under way.
    var key: String {
        switch self {
        case .payment(let payment, _, _): payment.id.rawValue
        case .refund(let refund, _): refund.id.rawValue
        }
    }
}

// Each line has its own partial index: however many wait, the first are found at once.
extension ProviderLine {
    /// Selects the payments in it.
    var condition: String {
        switch self {
        case .purchases: "payment.state = 'authorizing' AND waiting_number IS NOT NULL"
        case .settlements: "payment.state IN ('capturing', 'voiding')"
        case .renewals: "payment.state = 'authorizing' AND subscription_id IS NOT NULL"
        }
    }

    /// Selects those that are due by ?1, ?2 at most.
    var tasks: String {
        "\(namedPaymentRows) WHERE \(condition) AND next_real_ms <= ?1 ORDER BY next_real_ms LIMIT ?2"
    }

    /// Selects when the first ?1 of them are due.
    var next: String {
        "SELECT id, next_real_ms FROM payment WHERE \(condition) ORDER BY next_real_ms LIMIT ?1"
    }
}

/// The refunds in the line of settlements. A payment that is still being captured is refunded after
/// that.
enum PaymentRefundLine {
    private static let isCaptured = """
        EXISTS (
            SELECT 1 FROM payment WHERE payment.id = payment_id AND payment.state = 'captured')
        """

    static let tasks = """
        SELECT \(paymentRefundColumns), next_real_ms FROM payment_refund
        WHERE next_real_ms <= ?1 AND \(isCaptured) ORDER BY next_real_ms LIMIT ?2
        """

    static let next = """
        SELECT id, next_real_ms FROM payment_refund
        WHERE next_real_ms IS NOT NULL AND \(isCaptured) ORDER BY next_real_ms LIMIT ?1
        """
}

extension ReadScope {
    /// The requests due to a provider by a moment of the real clock, without those under way: in
    /// each line the longest-waiting first, with a limit per line.
    borrowing func providerTasks(
        until real: Timestamp, except busy: Set<String>, countMax: Int
    ) throws -> [ProviderLine: [ProviderTask]] {
        var found: [ProviderLine: [ProviderTask]] = [:]
        guard countMax > 0 else { return found }
        let values: [any ColumnValue] = [real, countMax + busy.count]
        for line in ProviderLine.allCases {
            var due: [(task: ProviderTask, at: Timestamp)] = try rows(line.tasks, values).map {
                row in
                (task: try ProviderTask(row), at: try row["next_real_ms"])
            }
            if line == .settlements { due += try dueRefunds(values) }
            found[line] = due.filter { !busy.contains($0.task.key) }.sorted { $0.at < $1.at }
                .prefix(countMax).map(\.task)
        }
        return found
    }

    private borrowing func dueRefunds(
        _ values: [any ColumnValue]
    ) throws -> [(task: ProviderTask, at: Timestamp)] {
        var due: [(task: ProviderTask, at: Timestamp)] = []
        for row in try rows(PaymentRefundLine.tasks, values) {
            let refund = try PaymentRefund(row)
            guard let payment = try payment(refund.payment) else { continue }
            due.append((.refund(refund, of: payment), try row["next_real_ms"]))
        }
        return due
    }

    /// When a provider's next request is due, by the real clock, without those under way.
    borrowing func nextProviderTask(except busy: Set<String>) throws -> Timestamp? {
        var next: Timestamp?
        for line in ProviderLine.allCases.map(\.next) + [PaymentRefundLine.next] {
            let first = try rows(line, [busy.count + 1])
                .first { !busy.contains(try $0["id"]) }
            guard let due: Timestamp = try first?["next_real_ms"] else { continue }
            next = min(next ?? due, due)
        }
        return next
    }

    /// How many payments and their refunds are not settled.
    borrowing func openPaymentCount() throws -> Int64 {
        let lines = ProviderLine.allCases.map {
            "(SELECT count(*) FROM payment WHERE \($0.condition) AND next_real_ms IS NOT NULL)"
        }
        return try value(
            """
            SELECT \(lines.joined(separator: " + "))
                + (SELECT count(*) FROM payment_refund WHERE next_real_ms IS NOT NULL)
            """) ?? 0
    }
}

extension ProviderTask {
    /// From `namedPaymentRows`.
    fileprivate init(_ row: Row) throws {
        self = .payment(
            try Payment(row), customer: try row["name"],
            bundleID: try row["bundle_id"])
    }
}
