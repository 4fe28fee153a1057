import StoreWire

// How an account's purchases proceed.
extension AccountCommand {
    static func set(
        _ arguments: Arguments, needsApproval: Bool? = nil, interruptsPurchases: Bool? = nil,
        failsRenewals: Bool? = nil
    ) throws {
        let body = AccountSettingsBody(
            environment: arguments.environment, name: arguments["NAME"],
            needsApproval: needsApproval, interruptsPurchases: interruptsPurchases,
            failsRenewals: failsRenewals)
        try arguments.send("POST", "/accounts/settings", body) { (account: AccountBody) in
            let isUsual =
                !account.needsApproval && !account.interruptsPurchases && !account.failsRenewals
            return "\(account.name): "
                + (isUsual ? "buys at once, without approval" : purchases(of: account))
        }
    }

    static func resolve(_ arguments: Arguments) throws {
        let body = NamedAccountBody(environment: arguments.environment, name: arguments["NAME"])
        try arguments.send("POST", "/accounts/resolve", body) { (body: ResolvedPurchasesBody) in
            guard !body.purchases.isEmpty else {
                return "\(arguments["NAME"]) has no interrupted purchases"
            }
            return body.purchases.map { purchase in
                let outcome =
                    purchase.transactionId.map { "bought, \($0)" }
                    ?? purchase.refusal.map { "not sold: \($0.message)" }
                    ?? "waiting for its payment"
                return "\(purchase.quantity) × \(purchase.productId) \(outcome)"
            }.joined(separator: "\n")
        }
    }

    /// How an account's purchases proceed, for the list.
    static func purchases(of account: AccountBody) -> String {
        let words = [
            account.needsApproval ? "approval" : nil,
            account.interruptsPurchases ? "interrupted" : nil,
            account.failsRenewals ? "renewals fail" : nil,
        ]
        let unusual = words.compactMap { $0 }.joined(separator: ", ")
        return unusual.isEmpty ? "at once" : unusual
    }
}
