package import StoreModel

/// What is due of a subscription from now on, by the rules that will decide it.
package enum RenewalForecast {
    /// One thing that will happen by itself.
    package struct Step: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// A period begins, and this is charged.
            case renewal(SubscriptionBill)
            /// The payment is tried and fails; it is retried from then on.
            case failure
            case graceEnd
            case expiry(ExpirationReason)
        }

        package let at: Timestamp
        package let kind: Kind

        package init(at: Timestamp, kind: Kind) {
            self.at = at
            self.kind = kind
        }
    }

    /// More than a subscription's retries, each of which is a step of the rules and none of the forecast.
    private static let decisionsMax = 1_000

    /// The next steps in their order, up to a number of them: with the customer's choices as they are,
    /// and payments that all succeed or all fail. `facts` gives those of a moment, since prices change
    /// by date. Of retries that fail, only the first is a step. Empty when nothing more happens by
    /// itself.
    package static func steps(
        of subscription: Subscription, isPaid: Bool, countMax: Int,
        _ facts: (_ product: ProductID, _ at: Timestamp) throws -> RenewalFacts
    ) rethrows -> [Step] {
        var (now, steps): (Subscription, [Step]) = (subscription, [])
        for _ in 0..<decisionsMax where steps.count < countMax {
            guard let at = now.dueAt else { break }
            let (before, facts) = (now, try facts(now.productToRenew, at))
            switch RenewalRules.due(now, facts, at: at) {
            case .nothing: return steps
            case .charge(let bill):
                guard isPaid else {
                    now = RenewalRules.unpaid(now, facts, at: at)
                    if !steps.contains(where: { $0.kind == .failure }) {
                        steps.append(Step(at: at, kind: .failure))
                    }
                    break
                }
                now = RenewalRules.paid(now, bill)
                steps.append(Step(at: at, kind: .renewal(bill)))
            case .tryLater: now = RenewalRules.unpaid(now, facts, at: at)
            case .endGracePeriod:
                now = RenewalRules.graceEnded(now)
                steps.append(Step(at: at, kind: .graceEnd))
            case .expire(let reason):
                now = RenewalRules.expired(now, reason)
                steps.append(Step(at: at, kind: .expiry(reason)))
            }
            // What changes nothing would be due for ever.
            guard now != before else { break }
        }
        return steps
    }
}
