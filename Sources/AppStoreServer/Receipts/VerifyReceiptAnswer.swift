import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// The bodies of `verifyReceipt`: nearly every value is a string, in the order seen on the wire.
enum VerifyReceiptAnswer {
    static func refusal(_ status: VerifyReceiptStatus) -> JSONValue {
        .object([JSONValue.Member("status", .number("\(status.rawValue)"))])
    }

    /// The answer to a valid unified receipt without subscriptions.
    static func valid(
        _ payload: ReceiptPayload, environment: StoreEnvironment, now: Timestamp
    ) -> JSONValue {
        .object([
            JSONValue.Member("status", .number("0")),
            JSONValue.Member("environment", .string(environment.wireName)),
            JSONValue.Member("receipt", receipt(payload, now: now)),
        ])
    }

    /// The answer to a valid transaction receipt: what it says, under the names that JSON has.
    static func valid(
        _ receipt: VerifiedTransactionReceipt, _ revocation: Revocation?
    ) -> JSONValue {
        var members = receipt.pairs.map { pair in
            JSONValue.Member(
                String(pair.key.map { $0 == "-" ? "_" : $0 }), .string(pair.value))
        }
        if let revocation {
            members += dates("cancellation_date", revocation.at)
            members.append(
                .init("cancellation_reason", .string("\(revocation.reason.receiptNumber)")))
        }
        return .object([
            JSONValue.Member("receipt", .object(members)),
            JSONValue.Member("status", .number("\(VerifyReceiptStatus.valid.rawValue)")),
        ])
    }

    private static func receipt(_ payload: ReceiptPayload, now: Timestamp) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("receipt_type", .string(payload.receiptType)),
            .init("adam_id", .number("\(payload.appItemID)")),
            .init("app_item_id", .number("\(payload.appItemID)")),
            .init("bundle_id", .string(payload.bundleID)),
            .init("application_version", .string(payload.applicationVersion)),
            .init("download_id", .number("\(payload.downloadID)")),
            .init("version_external_identifier", .number("\(payload.versionExternalIdentifier)")),
        ]
        members += dates("receipt_creation_date", payload.createdAt)
        members += dates("request_date", now)
        members += dates("original_purchase_date", payload.originalPurchaseDate)
        members.append(
            .init("original_application_version", .string(payload.originalApplicationVersion)))
        if let expiry = payload.expiresAt { members += dates("expiration_date", expiry) }
        // The receipt's own order is that of its bytes, which nobody can use.
        let oldestFirst = payload.purchases.sorted {
            ($0.purchasedAt, $0.transactionID) < ($1.purchasedAt, $1.transactionID)
        }
        members.append(.init("in_app", .array(oldestFirst.map { purchase($0) })))
        return .object(members)
    }

    private static func purchase(_ purchase: ReceiptPurchase) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("quantity", .string("\(purchase.quantity)")),
            .init("product_id", .string(purchase.productID)),
            .init("transaction_id", .string(purchase.transactionID)),
            .init("original_transaction_id", .string(purchase.originalTransactionID)),
        ]
        members += dates("purchase_date", purchase.purchasedAt)
        members += dates("original_purchase_date", purchase.originallyPurchasedAt)
        if let cancelled = purchase.cancelledAt {
            members += dates("cancellation_date", cancelled)
            members.append(
                .init("cancellation_reason", .string("\(purchase.cancellationReason ?? 0)")))
        }
        members += [
            .init("is_trial_period", .string(purchase.isTrialPeriod ? "true" : "false")),
            .init("in_app_ownership_type", .string("PURCHASED")),
        ]
        return .object(members)
    }

    /// A date three times: in UTC, in milliseconds, in Los Angeles.
    private static func dates(_ name: String, _ date: Timestamp) -> [JSONValue.Member] {
        let pacific = PacificTime.date(at: date)
        return [
            .init(name, .string(CalendarDate(date).spaced + " Etc/GMT")),
            .init(name + "_ms", .string("\(date.milliseconds)")),
            .init(name + "_pst", .string(pacific.spaced + " America/Los_Angeles")),
        ]
    }
}
