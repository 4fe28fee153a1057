package import StoreModel

/// The purchase that an app claims; compared with the receipt, never trusted.
package struct PurchaseClaim: Hashable, Sendable {
    package let productID: String
    package let transactionID: String
    package let appVersion: String
}

/// The products that this backend delivers, and to whom.
package struct GrantPolicy: Hashable, Sendable {
    package let bundleID: String
    /// Empty when every version that the app itself names is served.
    package let versions: Set<String>
    package let kinds: [String: ProductKind]
    package let allowsSandbox: Bool
    /// Of non-renewing subscriptions, by product.
    package let terms: [String: NonRenewingTerms]
    /// The groups of auto-renewable subscriptions, by product.
    package let groups: [String: String]

    package init(
        bundleID: String, versions: Set<String>, kinds: [String: ProductKind],
        allowsSandbox: Bool, terms: [String: NonRenewingTerms] = [:],
        groups: [String: String] = [:]
    ) {
        self.bundleID = bundleID
        self.versions = versions
        self.kinds = kinds
        self.allowsSandbox = allowsSandbox
        self.terms = terms
        self.groups = groups
    }

    package init(_ products: ProductList, allowsSandbox: Bool) {
        self.init(
            bundleID: products.bundleID, versions: products.versions,
            kinds: Dictionary(products.products.map { ($0.id, $0.kind) }) { first, _ in first },
            allowsSandbox: allowsSandbox,
            terms: Dictionary(
                products.products.filter { $0.kind == .nonRenewing }.map {
                    ($0.id, NonRenewingTerms(length: $0.length, service: $0.service))
                }
            ) { first, _ in first },
            groups: Dictionary(
                products.products.compactMap { product in product.group.map { (product.id, $0) } }
            ) { first, _ in first })
    }
}

/// The transaction under which a purchase is delivered once: a consumable's own, the original
/// transaction of anything else.
package struct GrantKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let transaction: String
}

/// A purchase that passed every check except who owns it.
package struct GrantCandidate: Hashable, Sendable {
    package let key: GrantKey
    package let kind: ProductKind
    /// As the receipt says, not as the app claims.
    package let purchase: ReceiptSummary.Purchase
}

package enum GrantExamination: Hashable, Sendable {
    case candidate(GrantCandidate)
    case refused(GrantRefusal)
    case keep(String)
}

/// The user who was granted a purchase before.
package struct GrantHolder: Hashable, Sendable {
    package let user: BackendUserID
    /// When the store revoked it.
    package let refundedAt: Timestamp?
    /// Whether it is a renewal of the user's own subscription that was not seen before.
    package let isNewRenewal: Bool

    package init(
        user: BackendUserID, refundedAt: Timestamp? = nil, isNewRenewal: Bool = false
    ) {
        self.user = user
        self.refundedAt = refundedAt
        self.isNewRenewal = isNewRenewal
    }
}

/// A grant that is marked as refunded.
package struct RefundMark: Hashable, Sendable {
    package let key: GrantKey
    /// What was granted.
    package let claim: PurchaseClaim
    /// Whether it is kept by its original transaction, as all but consumables are.
    package let isKeptByOriginal: Bool
    package let refundedAt: Timestamp
    /// The submission whose receipt was granted.
    package let submission: SubmissionID
    /// Whether the answer for that receipt showed the refund.
    package let isShown: Bool
}

package enum GrantDecision: Hashable, Sendable {
    case grant
    /// Bought again after a refund.
    case grantAgain
    /// A renewal of an earlier grant, which stays.
    case renewal
    case alreadyGranted
    case refused(GrantRefusal)
}

/// The decisions about a purchase: values in, a decision out.
package enum GrantRules {
    /// Whether a receipt covers the purchase that the app claims; the first refusal in the order of
    /// `GrantRefusal` wins.
    package static func examine(
        _ claim: PurchaseClaim, _ answer: VerifyAnswer, _ policy: GrantPolicy
    ) -> GrantExamination {
        switch answer {
        case .retry(let reason, _): return .keep(reason)
        case .refused(status: 21_007) where !policy.allowsSandbox:
            return .refused(.sandboxNotAllowed)
        case .refused(let status): return .refused(.storeRefused(status: status))
        case .verified(let receipt):
            do {
                return .candidate(try candidate(claim, receipt, policy))
            } catch {
                return .refused(error)
            }
        }
    }

    /// What to do with a purchase that passed, given its earlier holder.
    ///
    /// A receipt from before a refund does not show it, so a refunded purchase is granted again
    /// only if it was made later. The mark of a reversed refund has been removed by then
    /// (`isReversed`).
    package static func decide(
        for user: BackendUserID, purchasedAt: Timestamp?, holder: GrantHolder?
    ) -> GrantDecision {
        guard let holder else { return .grant }
        guard holder.user == user else { return .refused(.ownedByAnotherUser) }
        guard let refundedAt = holder.refundedAt else {
            return holder.isNewRenewal ? .renewal : .alreadyGranted
        }
        guard let purchasedAt, purchasedAt > refundedAt else { return .refused(.cancelled) }
        return .grantAgain
    }

    /// Whether a receipt shows that a refund was reversed: it is newer than the refund and lists
    /// the purchase as not revoked. Dates of receipts do not have milliseconds, so one of the
    /// refund's own second does not count.
    package static func isReversed(_ mark: RefundMark, in receipt: ReceiptSummary) -> Bool {
        guard let madeAt = receipt.madeAt, madeAt.seconds > mark.refundedAt.seconds else {
            return false
        }
        return stands(mark, in: receipt)
    }

    /// Whether the answer for the granted receipt itself shows that a refund was reversed: an
    /// earlier one showed the refund, or the store is known to show refunds there (`isTrusted`), and
    /// this one, asked for after the mark was made, does not. No newer receipt lists a finished
    /// consumable.
    package static func isReversed(
        _ mark: RefundMark, inOwn receipt: ReceiptSummary, isTrusted: Bool = false
    ) -> Bool {
        (mark.isShown || isTrusted) && stands(mark, in: receipt)
    }

    private static func stands(_ mark: RefundMark, in receipt: ReceiptSummary) -> Bool {
        mark.key.environment == receipt.environment
            && receipt.isCancelled(mark.claim, isKeptByOriginal: mark.isKeptByOriginal) == false
    }

    /// Whether a store that called a receipt malformed may only be in trouble.
    static func isDoubtful(_ report: VerifyReport, _ receipt: [UInt8]) -> Bool {
        report.asked?.httpStatus == 200 && report.answer == .refused(status: 21_002)
            && ReceiptShape.isWhole(receipt)
    }

    /// Whether a refusal of the production address asks for the sandbox.
    package static func belongsToSandbox(_ answer: VerifyAnswer) -> Bool {
        answer == .refused(status: 21_007)
    }

    private static func candidate(
        _ claim: PurchaseClaim, _ receipt: ReceiptSummary, _ policy: GrantPolicy
    ) throws(GrantRefusal) -> GrantCandidate {
        guard receipt.environment == .production || policy.allowsSandbox else {
            throw .sandboxNotAllowed
        }
        guard receipt.bundleID == policy.bundleID else { throw .wrongBundle }
        guard receipt.applicationVersion == claim.appVersion,
            policy.versions.isEmpty || policy.versions.contains(receipt.applicationVersion)
        else { throw .wrongVersion }
        guard let kind = policy.kinds[claim.productID] else { throw .productUnknown }
        guard
            let purchase = receipt.purchases.first(where: {
                $0.transactionID == claim.transactionID && $0.productID == claim.productID
            }) ?? changedPeriod(claim, receipt, policy)
        else { throw .transactionNotInReceipt }
        guard
            kind != .autoRenewable
                || receipt.purchases.contains(where: {
                    $0.originalTransactionID == purchase.originalTransactionID
                        && $0.expiresAt != nil
                })
        else { throw .notASubscription }
        guard !purchase.isCancelled else { throw .cancelled }
        let transaction =
            kind == .consumable ? purchase.transactionID : purchase.originalTransactionID
        return GrantCandidate(
            key: GrantKey(environment: receipt.environment, transaction: transaction),
            kind: kind, purchase: purchase)
    }

    /// The running period that a payment for a change of its product names; nil without one.
    ///
    /// A downgrade or cross-grade takes effect at the next renewal, and its payment has the new
    /// product with the identifier of the period that still runs. It need not be the last change:
    /// any product of the group counts, and so does one that the subscription once had.
    private static func changedPeriod(
        _ claim: PurchaseClaim, _ receipt: ReceiptSummary, _ policy: GrantPolicy
    ) -> ReceiptSummary.Purchase? {
        guard policy.kinds[claim.productID] == .autoRenewable else { return nil }
        return receipt.purchases.first { period in
            guard period.transactionID == claim.transactionID,
                period.expiresAt != nil || policy.kinds[period.productID] == .autoRenewable
            else { return false }
            let original = period.originalTransactionID
            let group = policy.groups[period.productID]
            return receipt.renewals[original]?.renewsAs == claim.productID
                || group != nil && group == policy.groups[claim.productID]
                || receipt.purchases.contains {
                    $0.originalTransactionID == original && $0.productID == claim.productID
                }
        }
    }
}
