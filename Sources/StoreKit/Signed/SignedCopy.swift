import Foundation
import StoreWire

/// What a store signed of a customer in an app, as this device has it. It stands for no more than the
/// store's answers: nothing in it is verified before it is read.
struct SignedCopy: Sendable {
    /// A subscription's status, with what the store signed of it.
    struct Status: Sendable {
        let number: Int
        let transaction: SignedText
        let renewal: SignedText
        /// The status as the app gets it, once it was read.
        let value = Memo<Product.SubscriptionInfo.Status?>()
    }

    /// A subscription group as the customer sees it.
    struct Group: Sendable {
        let id: String
        let isEligibleForIntroductoryOffer: Bool
        fileprivate(set) var statuses: [Status]
    }

    /// By transaction.
    private(set) var entries: [UInt64: SignedEntry] = [:]
    /// The transactions that the store deleted, as far as this process knows. Numbers are not used
    /// twice.
    private(set) var removed: Set<UInt64> = []
    private(set) var groups: [Group] = []
    var appTransaction: SignedText?
    /// The event up to which it is complete; nil while the store has never been asked.
    var cursor: Int64?

    /// Takes in a transaction, and says how it differs from what was there. One that was
    /// merely signed again stays as it is, since an app may compare what it got.
    ///
    /// - Parameter isAnew: Whether what is there may be wrong, and is replaced in any case.
    mutating func take(_ entry: SignedEntry, isAnew: Bool = false) -> SignedChange? {
        guard let before = entries[entry.id] else {
            entries[entry.id] = entry
            return SignedChange(entry: entry, isNew: true)
        }
        // The store may not have heard of a finish yet.
        let isFinished = before.isFinished || entry.isFinished
        let isSame = before.text.saysTheSame(as: entry.text)
        let kept = isSame && !isAnew ? before : entry
        entries[entry.id] = isFinished ? kept.finished : kept
        return isSame ? nil : SignedChange(entry: entry, isNew: false)
    }

    /// Takes in all groups, and gives the statuses to tell: those that changed, but not for whether
    /// the renewal is on, which iOS tells with the next renewal.
    mutating func take(_ groups: [Group], isAnew: Bool = false) -> [Status] {
        let before = Dictionary(
            self.groups.flatMap(\.statuses).map { ($0.transaction.original, $0) },
            uniquingKeysWith: { first, _ in first })
        var changed: [Status] = []
        self.groups = groups.map { group in
            var group = group
            group.statuses = group.statuses.map { status in
                guard let known = before[status.transaction.original] else {
                    changed.append(status)
                    return status
                }
                if known.saysTheSame(as: status) { return isAnew ? status : known }
                if !known.saysTheSame(as: status, besides: SignedText.ofRenewalSwitch) {
                    changed.append(status)
                }
                return status
            }
            return group
        }
        return changed
    }

    /// Takes out a transaction that the store no longer has, for good.
    mutating func remove(_ id: UInt64) {
        entries[id] = nil
        removed.insert(id)
    }

    /// Notes that the app finished a transaction, or another device's did; false when it was known.
    mutating func finish(_ id: UInt64) -> Bool {
        guard let entry = entries[id], !entry.isFinished else { return false }
        entries[id] = entry.finished
        return true
    }
}

/// A transaction that is new to a copy, or says something else than before.
struct SignedChange: Sendable {
    let entry: SignedEntry
    let isNew: Bool
}

/// A transaction of a copy.
struct SignedEntry: Sendable {
    let id: UInt64
    /// The attempt or the restore that it came from, and the device that made it.
    let attemptId: String
    let deviceGuid: String
    private(set) var isFinished: Bool
    let text: SignedText
    /// The transaction as the app gets it, once it was read: verifying it takes a tenth of a
    /// millisecond.
    let value = Memo<VerificationResult<Transaction>?>()

    var finished: SignedEntry {
        var entry = self
        entry.isFinished = true
        return entry
    }
}

extension SignedEntry {
    /// Nil when the store's answer cannot be read.
    init?(_ body: SignedTransactionBody, header: String) {
        guard let id = UInt64(body.transactionId),
            let text = SignedText(body.transaction, below: header)
        else { return nil }
        self.init(
            id: id, attemptId: body.attemptId, deviceGuid: body.deviceGuid,
            isFinished: body.isFinished == true, text: text)
    }
}

extension SignedCopy.Group {
    init(_ body: SignedGroupBody, header: String) {
        id = body.groupId
        isEligibleForIntroductoryOffer = body.isEligibleForIntroductoryOffer
        statuses = body.statuses.compactMap { status in
            guard let transaction = SignedText(status.transaction, below: header),
                let renewal = SignedText(status.renewal, below: header)
            else { return nil }
            return SignedCopy.Status(
                number: status.status, transaction: transaction, renewal: renewal)
        }
    }
}

extension SignedChangesBody {
    /// Whether all that the store signed has a payload from which an app gets a value. Whether it is to
    /// be trusted is for whoever verifies it.
    var isReadable: Bool {
        let statuses = (groups ?? []).flatMap(\.statuses)
        guard let header else { return transactions.isEmpty && statuses.isEmpty }
        @Sendable func value<Value: SignedValue & Sendable>(_: Value.Type, _ text: String) -> Value?
        {
            SignedText(text, below: header).flatMap { try? Value($0) }
        }
        let sold = transactions.concurrentMap {
            UInt64($0.transactionId) != nil && value(Transaction.self, $0.transaction) != nil
        }
        return !header.contains(".") && !sold.contains(false)
            && statuses.allSatisfy {
                value(Transaction.self, $0.transaction) != nil
                    && value(Product.SubscriptionInfo.RenewalInfo.self, $0.renewal) != nil
            }
    }
}

extension SignedPurchaseBody {
    /// The same of what came with a purchase.
    var isReadable: Bool {
        SignedChangesBody(
            header: header, transactions: [transaction], groups: groups, cursor: 0, hasMore: false
        ).isReadable
    }
}

extension SignedCopy.Status {
    fileprivate func saysTheSame(
        as other: SignedCopy.Status, besides members: Set<String> = []
    ) -> Bool {
        number == other.number && transaction.saysTheSame(as: other.transaction)
            && renewal.saysTheSame(as: other.renewal, besides: members)
    }
}

extension SignedText {
    /// The members that differ each time the store signs the same.
    private static let passing: Set = [
        "deviceVerification", "deviceVerificationNonce", "receiptCreationDate", "signedDate",
    ]

    /// The members that say whether a subscription renews.
    fileprivate static let ofRenewalSwitch: Set = [
        "autoRenewStatus", "currency", "expirationIntent", "renewalPrice",
    ]

    /// Whether another text says the same, whenever it was signed, besides some members.
    func saysTheSame(as other: SignedText, besides members: Set<String> = []) -> Bool {
        if self == other { return true }
        let aside = Self.passing.union(members)
        return facts(besides: aside) == other.facts(besides: aside)
    }

    /// What the payload says.
    private func facts(besides members: Set<String>) -> [JSONValue.Member] {
        let payload = try? JSONValue(parsing: Array(payload))
        return (payload?.object ?? []).filter { !members.contains($0.key) }
    }

    /// The number of the first transaction.
    fileprivate var original: String {
        PayloadMembers(payload).text("originalTransactionId") ?? ""
    }
}
