import StoreDatabase
import StoreModel
import StoreRules
import StoreWire

/// Writes what is signed of one app's transactions in an environment, at a moment of the world's
/// clock: the same for the App Store Server API, for notifications and, but for two members, for
/// devices.
///
/// It is written within a read and signed after it. Absent members are left out, never null.
/// Source: Apple, *JWSTransactionDecodedPayload* and its neighbours.
struct SignedDataMaker: Sendable {
    let app: AppRow
    let environment: StoreEnvironment
    /// The environment as signed data name it.
    let environmentName: String
    let now: Timestamp
    /// The device that the data are for; nil for servers.
    var device: SignedDevice?

    init(
        app: AppRow, environment: StoreEnvironment, now: Timestamp, device: SignedDevice? = nil,
        _ scope: borrowing ReadScope
    ) throws {
        (self.app, self.environment, self.now, self.device) = (app, environment, now, device)
        environmentName = try scope.signedName(of: environment)
    }

    func transaction(
        _ transaction: StoreTransaction, _ scope: borrowing ReadScope
    ) throws -> [UInt8] {
        try transactions([transaction], scope)[0]
    }

    /// Of one account.
    func transactions(
        _ transactions: [StoreTransaction], _ scope: borrowing ReadScope
    ) throws -> [[UInt8]] {
        guard let account = transactions.first?.account else { return [] }
        let appTransaction = try scope.appTransaction(of: account, in: app.id)?.id
        var payloads: [[UInt8]] = []
        for one in transactions { payloads.append(try transaction(one, appTransaction, scope)) }
        return payloads
    }

    /// A transaction, with the next renewal of its subscription as the account sees it, which is
    /// read where it is not known.
    func purchase(
        _ transaction: StoreTransaction, _ kept: SubscriptionRecord, next: NextRenewal? = nil,
        _ scope: borrowing ReadScope
    ) throws -> (transaction: [UInt8], renewal: [UInt8]) {
        let appTransaction = try scope.appTransaction(of: transaction.account, in: app.id)?.id
        let isShared = transaction.share != nil
        let signed = SignedRenewal(
            kept: kept, appTransaction: appTransaction,
            next: try isShared ? .ofFamilyMember : next ?? scope.nextRenewal(of: kept, at: now),
            environmentName: environmentName, device: device, signedAt: now)
        return (
            try self.transaction(transaction, appTransaction, scope),
            Self.json(capacity: 1_000, signed.write)
        )
    }

    private func transaction(
        _ transaction: StoreTransaction, _ appTransaction: AppTransactionID?,
        _ scope: borrowing ReadScope
    ) throws -> [UInt8] {
        let signed = SignedTransaction(
            transaction: transaction,
            // The purchase may have changed since it was restored.
            sold: try transaction.restoration.flatMap { try scope.transaction($0.purchase) }
                ?? transaction,
            bundleID: app.bundleID, appTransaction: appTransaction,
            revocation: try scope.signedRevocation(of: transaction),
            environmentName: environmentName, device: device, signedAt: now)
        return Self.json(capacity: 1_200, signed.write)
    }

    /// `appVersion` is that of the device's installation, which servers do not get.
    func appTransaction(_ transaction: AppTransaction, appVersion: String? = nil) -> [UInt8] {
        Self.json(capacity: 400) { json in
            // The sandbox has no apps with numbers.
            json.member("appAppleId", environment == .production ? app.number.rawValue : 0)
            json.member("appTransactionId", plain: "\(transaction.id)")
            if let appVersion { json.member("applicationVersion", appVersion) }
            json.member("bundleId", app.bundleID)
            device?.write(to: &json)
            json.member("originalApplicationVersion", transaction.version)
            json.member("originalPlatform", plain: transaction.platform.rawValue)
            json.member("originalPurchaseDate", transaction.purchasedAt.milliseconds)
            json.member("receiptCreationDate", now.milliseconds)
            json.member("receiptType", plain: environmentName)
        }
    }

    private static func json(
        capacity: Int, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object(members)
        return writer.bytes
    }
}
