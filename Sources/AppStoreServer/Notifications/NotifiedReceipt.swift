import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification
import StoreWire

/// The content of notifications of version 1: a customer's receipt of an app, as `verifyReceipt`
/// answers it.
///
/// Source: Apple, *responseBodyV1* and *unified_receipt*. Left out: `auto_renew_adam_id`, since
/// products have no numbers, and `deprecation`.
struct NotifiedReceipt {
    private let purchase: NotifiedPurchase
    private let maker: SignedDataMaker
    private let appVersion: String
    private let latest: LatestReceipt
    private let receipt: ReceiptPayload

    private static let purchasesMax = 100

    /// Nil when the customer has never used the app on a device.
    init?(
        of purchase: NotifiedPurchase, _ maker: SignedDataMaker, _ scope: borrowing ReadScope
    ) throws {
        let account = purchase.transaction.account
        guard let holder = try scope.account(account),
            let session = try scope.session(of: holder, on: purchase.transaction.device)
        else { return nil }
        self.purchase = purchase
        self.maker = maker
        appVersion = session.appVersion
        let known = try LatestPurchases(of: account, in: maker.app.id, scope)
        let subscriptions = known.subscriptions.map {
            // The rules' state after what happened may not be stored yet.
            $0.original == purchase.subscription?.original ? purchase.subscription ?? $0 : $0
        }
        latest = LatestReceipt(
            purchases: Array(known.newestFirst(excludesOld: false).prefix(Self.purchasesMax)),
            subscriptions: subscriptions, receipt: "")
        // Of a device that is not asked for it: the hash is not that of any.
        let opaque = Array(sha256(Array("notified/\(purchase.transaction.id)".utf8)).prefix(16))
        receipt = ReceiptPayload(
            DeviceReceipt(
                account: account, appVersion: session.appVersion, revision: 0,
                opaqueValue: opaque, createdAt: maker.now),
            known.purchases.map(\.purchase),
            of: maker.environment == .production
                ? try scope.appTransaction(of: account, in: maker.app.id) : nil,
            session: session, environment: maker.environment)
    }

    /// The receipt that is to be signed, as JSON.
    var payload: [UInt8] {
        get throws { try WireJSON.encode(receipt) }
    }

    /// The body of a notification, with room for the receipt and the shared secret.
    func body(of notice: NoticeName, hasPassword: Bool) -> [UInt8] {
        var dates = ReceiptDates()
        var purchases = VerifyReceiptPurchases(capacity: latest.purchases.count)
        var writer = JSONWriter(capacity: 4_096)
        writer.object { json in
            json.member("notification_type", plain: notice.kind)
            json.member(
                "environment", plain: maker.environment == .production ? "PROD" : "Sandbox")
            if hasPassword { json.member(SignedPart.password.rawValue, plain: "") }
            json.member("bid", maker.app.bundleID)
            json.member("bvrs", appVersion)
            if let kept = purchase.subscription { write(kept, of: notice, &dates, to: &json) }
            json.member("original_transaction_id", purchase.transaction.original.rawValue)
            json.object("unified_receipt") { json in
                json.member("environment", plain: maker.environment.wireName)
                VerifyReceiptAnswer.write(latest, &purchases, &dates, to: &json)
                json.member("status", 0)
            }
        }
        return writer.bytes
    }

    private func write(
        _ kept: SubscriptionRecord, of notice: NoticeName, _ dates: inout ReceiptDates,
        to json: inout JSONWriter
    ) {
        let info = RenewalInfo(kept.state)
        json.member("auto_renew_product_id", info.product.rawValue)
        json.member("auto_renew_status", plain: kept.state.isAutoRenewing ? "true" : "false")
        if notice.kind == NoticeV1.didChangeRenewalStatus.rawValue {
            dates.write(
                "auto_renew_status_change_date", maker.now.roundedDownToSecond, to: &json)
        }
        if let intent = info.expirationIntent { json.member("expiration_intent", intent) }
    }
}
