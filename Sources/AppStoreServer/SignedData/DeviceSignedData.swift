import StoreDatabase
import StoreModel
import StoreSigning
import StoreWire

/// An account's signed data in an app as one of its devices gets them: read first, and signed after
/// that.
struct DeviceSignedData: Sendable {
    /// A transaction before it is signed.
    struct Transaction: Sendable {
        let delivered: DeliveredTransaction
        let payload: [UInt8]
    }

    /// A subscription group before its subscriptions are signed.
    struct Group: Sendable {
        let id: String
        let isEligible: Bool
        let subscriptions: [SignedSubscription]
    }

    let maker: SignedDataMaker
    let account: AccountID

    init(
        _ session: DeviceSession, _ account: Account, at now: Timestamp,
        _ scope: borrowing ReadScope
    ) throws {
        self.account = account.id
        maker = try SignedDataMaker(
            app: scope.app(session.app), environment: session.environment, now: now,
            device: SignedDevice(guid: session.guid), scope)
    }

    /// Some of the account's transactions, in their order.
    func transactions(
        _ delivered: [DeliveredTransaction], _ scope: borrowing ReadScope
    ) throws -> [Transaction] {
        let payloads = try maker.transactions(delivered.map(\.transaction), scope)
        return zip(delivered, payloads).map { Transaction(delivered: $0, payload: $1) }
    }

    /// The subscription groups of the app's catalogue, and those that the account has subscriptions
    /// of, by identifier.
    func groups(_ scope: borrowing ReadScope) throws -> [Group] {
        let subscriptions = Dictionary(
            grouping: try maker.subscriptions(of: account, scope), by: \.group)
        let ids = Set(try scope.subscriptionGroups(of: maker.app.id)).union(subscriptions.keys)
        return try ids.sorted().map { id in
            let own = subscriptions[id] ?? []
            // An introduction leaves a subscription behind.
            let hadOne =
                try !own.isEmpty && scope.hadIntroduction(account, in: maker.app.id, group: id)
            return Group(id: id, isEligible: !hadOne, subscriptions: own)
        }
    }
}

/// Signs what a device gets in one answer, under one header.
struct DeviceSigning: Sendable {
    private let signer: SignedDataSigner
    private let moment: Timestamp

    /// Waits for a commit when the world signs data for the first time.
    init(_ maker: SignedDataMaker, in world: World) throws {
        signer = try world.dataSigner(for: maker.environment)
        moment = maker.now
    }

    var header: String { signer.head }

    func body(_ one: DeviceSignedData.Transaction) throws -> SignedTransactionBody {
        let plain = TransactionBody(one.delivered)
        return SignedTransactionBody(
            transactionId: plain.transactionId, attemptId: plain.attemptId,
            deviceGuid: plain.deviceGuid, isFinished: plain.isFinished,
            transaction: try sign(one.payload))
    }

    func body(_ group: DeviceSignedData.Group) throws -> SignedGroupBody {
        SignedGroupBody(
            groupId: group.id, isEligibleForIntroductoryOffer: group.isEligible,
            statuses: try group.subscriptions.map {
                SignedStatusBody(
                    status: $0.status.rawValue, originalTransactionId: "\($0.original)",
                    transaction: try sign($0.transaction), renewal: try sign($0.renewal))
            })
    }

    private func sign(_ payload: [UInt8]) throws -> String {
        try signer.signBehindHead(payload, at: moment)
    }
}
