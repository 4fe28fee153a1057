import Foundation
import StoreModel
import StoreWire

/// Submissions as printed for the operator.
enum OperatorPage {
    static func table(_ submissions: [OperatorSubmissionBody]) -> String {
        Terminal.table(
            [
                "SUBMISSION", "USER", "PRODUCT", "TRANSACTION", "STATE", "WHY", "RECEIVED",
                "TRIES", "NEXT TRY", "REFUNDED",
            ],
            submissions.map { submission in
                [
                    submission.submissionId, clean(submission.userName),
                    clean(submission.productId), clean(submission.transactionId),
                    submission.state.rawValue, why(submission), time(submission.receivedAt),
                    "\(submission.tries)", time(submission.nextTryAt),
                    time(submission.grant?.refundedAt),
                ]
            })
    }

    static func table(_ users: [OperatorUserBody]) -> String {
        Terminal.table(
            ["USER", "IDENTIFIER", "MADE"],
            users.map { [clean($0.userName), $0.userId, time($0.createdAt)] })
    }

    /// One submission, a line for each known fact, and its history.
    static func text(_ submission: OperatorSubmissionBody) -> String {
        var parts = [lines(facts(submission) + grantFacts(submission.grant))]
        if let left = submission.historyLeftOut {
            parts.append("\(left) older entries are not shown")
        }
        if let history = submission.history { parts.append(table(history)) }
        return parts.joined(separator: "\n\n")
    }

    /// Names and values, a line each; empty values are left out.
    static func lines(_ facts: [(String, String)]) -> String {
        facts.filter { !$0.1.isEmpty }
            .map { "\($0.0.padding(toLength: 14, withPad: " ", startingAt: 0))  \(clean($0.1))" }
            .joined(separator: "\n")
    }

    private static func facts(_ submission: OperatorSubmissionBody) -> [(String, String)] {
        let dropped = submission.receipt.droppedAt.map { ", dropped \(time($0))" }
        let size = "\(submission.receipt.byteCount) bytes"
        return [
            ("submission", submission.submissionId),
            ("user", "\(submission.userName) (\(submission.userId))"),
            ("product", submission.productId), ("transaction", submission.transactionId),
            ("original", submission.originalTransactionId ?? ""),
            ("app version", submission.appVersion),
            ("receipt", "\(submission.receipt.sha256), \(dropped.map { "0 bytes\($0)" } ?? size)"),
            ("state", submission.state.rawValue), ("reason", submission.reason ?? ""),
            ("message", submission.message ?? ""), ("environment", submission.environment ?? ""),
            ("HTTP status", submission.httpStatus.map(String.init) ?? ""),
            ("store status", submission.storeStatus.map(String.init) ?? ""),
            (
                "received",
                "\(time(submission.receivedAt)), \(submission.timesReceived) time(s)"
            ),
            ("tries", "\(submission.tries)"), ("last try", time(submission.lastTriedAt)),
            ("next try", time(submission.nextTryAt)), ("given up", time(submission.stalledAt)),
        ]
    }

    private static func grantFacts(_ grant: OperatorGrantBody?) -> [(String, String)] {
        guard let grant else { return [] }
        return [
            ("granted", "\(time(grant.grantedAt)), \(grant.quantity) of \(grant.productId)"),
            ("granted to", "\(grant.userName) (\(grant.userId)) for \(grant.submissionId)"),
            ("refunded", time(grant.refundedAt)),
            ("refund seen", time(grant.refundSeenAt)),
            ("kept", grant.keptQuantity.map { "\($0) of \(grant.quantity), used" } ?? ""),
            ("balance", grant.balance.map(balance) ?? ""),
            ("checked", time(grant.checkedAt)), ("next check", time(grant.nextCheckAt)),
            ("failed checks", grant.checkFailures.map(String.init) ?? ""),
        ]
    }

    private static func balance(_ balance: ConsumableBalanceBody) -> String {
        "\(balance.balance): \(balance.granted) granted, \(balance.takenBack) taken back, "
            + "\(balance.used) used"
    }

    private static func table(_ history: [OperatorEventBody]) -> String {
        Terminal.table(
            [
                "AT", "EVENT", "TRY", "ASKED AT", "ENVIRONMENT", "HTTP", "STATUS", "REQUEST",
                "DETAIL",
            ],
            history.map { event in
                [
                    time(event.at), event.event, event.tryNumber.map(String.init) ?? "",
                    time(event.triedAt), event.environment ?? "",
                    event.httpStatus.map(String.init) ?? "",
                    event.storeStatus.map(String.init) ?? "", clean(event.requestId),
                    clean(event.detail ?? ""),
                ]
            })
    }

    private static func why(_ submission: OperatorSubmissionBody) -> String {
        guard let reason = submission.reason else { return "" }
        let status = submission.storeStatus.map { $0 == 0 ? "" : " \($0)" } ?? ""
        return reason + (reason == "storeRefused" ? status : "")
    }

    static func time(_ milliseconds: Int64?) -> String {
        milliseconds.map { CalendarDate(Timestamp(milliseconds: $0)).rfc3339 } ?? ""
    }

    /// A text from outside, without control sequences for the terminal.
    static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                        ? "\u{FFFD}" : scalar
                }))
    }
}
