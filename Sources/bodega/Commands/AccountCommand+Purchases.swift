import StoreWire

// How an account's purchases go.
extension AccountCommand {
    static func setApproval(_ arguments: Arguments) throws {
        let (name, isOn) = try setting("approval", arguments)
        try set(
            AccountSettingsBody(
                environment: try arguments.environment(), name: name, needsApproval: isOn),
            arguments)
    }

    static func setInterruption(_ arguments: Arguments) throws {
        let (name, isOn) = try setting("interrupt", arguments)
        try set(
            AccountSettingsBody(
                environment: try arguments.environment(), name: name, interruptsPurchases: isOn),
            arguments)
    }

    static func resolve(_ arguments: Arguments) throws {
        let name = try arguments.words("resolve", "name")[1]
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/resolve",
            NamedAccountBody(environment: try arguments.environment(), name: name))
        try Answer.show(answer, as: ResolvedPurchasesBody.self, arguments) { body in
            guard !body.purchases.isEmpty else { return "nothing of \(name) was interrupted" }
            return body.purchases.map { purchase in
                let outcome =
                    purchase.transactionId.map { "bought, \($0)" }
                    ?? purchase.refusal.map { "not sold: \($0.message)" }
                    ?? "waits for its payment"
                return "\(purchase.quantity) × \(purchase.productId) \(outcome)"
            }.joined(separator: "\n")
        }
    }

    /// What is unusual about an account's purchases, for the list.
    static func purchases(of account: AccountBody) -> String {
        let words = [
            account.needsApproval ? "approval" : nil,
            account.interruptsPurchases ? "interrupted" : nil,
        ]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    private static func setting(
        _ verb: String, _ arguments: Arguments
    ) throws -> (name: String, isOn: Bool) {
        let words = try arguments.words(verb, "name", "on or off")
        guard ["on", "off"].contains(words[2]) else {
            throw UsageError("\(words[2]) is neither: say on or off")
        }
        return (words[1], words[2] == "on")
    }

    private static func set(_ body: AccountSettingsBody, _ arguments: Arguments) throws {
        let answer = try ControlClient(arguments).send("POST", "/accounts/settings", body)
        try show(answer, arguments) { account in
            let words = purchases(of: account)
            return "\(account.name): \(words.isEmpty ? "buys by itself and at once" : words)"
        }
    }
}
