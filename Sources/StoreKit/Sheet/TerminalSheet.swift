/// Asks at the process's terminal, regardless of its standard input and output.
struct TerminalSheet: PaymentSheet {
    /// The name used for an empty answer.
    let suggestedAccount: String?
    var terminalPath = "/dev/tty"

    var showsDetails: Bool { true }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> {
        guard let terminal = openTerminal() else { return .cancelled }
        if let trouble {
            terminal.write("\(printable(trouble))\n")
        } else {
            terminal.write("\nSign in to the store to \(deed(prompt)).\n")
        }
        let suggestion = suggestedAccount.map { " [\(printable($0))]" } ?? ""
        terminal.write("Account\(suggestion): ")
        guard let typed = terminal.readLine() else { return .cancelled }
        guard let account = typed.isEmpty ? suggestedAccount : typed else { return .cancelled }
        terminal.write("Password: ")
        guard let password = terminal.readSecret(), !password.isEmpty else { return .cancelled }
        return .given(StoreConfiguration.Account(name: account, password: password))
    }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
        guard let terminal = openTerminal() else { return .cancelled }
        let price = prompt.price.map { " for \(printable($0))" } ?? ""
        let account = prompt.account.map { " as \(printable($0))" } ?? ""
        terminal.write("\nBuy \(name(prompt))\(price)\(account)?\n")
        while true {
            terminal.write("[b]uy / [c]ancel: ")
            switch terminal.readLine()?.lowercased() {
            case "b", "buy": return .given(true)
            case "c", "cancel", nil: return .cancelled
            default: continue
            }
        }
    }

    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool> {
        guard let terminal = openTerminal() else { return .cancelled }
        let title = printable(prompt.title ?? prompt.productIdentifier)
        terminal.write(
            "\n\(title) will cost \(printable(prompt.newPrice)) from the next renewal, now "
                + "\(printable(prompt.oldPrice)). Continue as \(printable(prompt.account))?\n")
        while true {
            terminal.write("[a]gree / [d]ecline / [l]ater: ")
            switch terminal.readLine()?.lowercased() {
            case "a", "agree": return .given(true)
            case "d", "decline": return .given(false)
            case "l", "later", nil: return .cancelled
            default: continue
            }
        }
    }

    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String> {
        guard let terminal = openTerminal() else { return .cancelled }
        if let trouble {
            terminal.write("\(printable(trouble))\n")
        } else {
            let account = prompt.account.map { " as \(printable($0))" } ?? ""
            terminal.write("\nRedeem an offer code\(account) (leave empty to cancel).\n")
        }
        terminal.write("Code: ")
        guard let typed = terminal.readLine() else { return .cancelled }
        let code = typed.filter { !$0.isWhitespace }
        return code.isEmpty ? .cancelled : .given(code)
    }

    func show(_ sentence: String) {
        if let terminal = Terminal(path: terminalPath) {
            terminal.write("\(printable(sentence))\n")
        } else {
            Diagnostic.say(sentence)
        }
    }

    private func deed(_ prompt: SheetPrompt) -> String {
        if prompt.isRestoring { return "restore purchases" }
        if prompt.isOfferCode { return "redeem an offer code" }
        return prompt.isReceipt ? "get the receipt" : "buy \(name(prompt))"
    }

    private func name(_ prompt: SheetPrompt) -> String {
        let title = printable(prompt.title ?? prompt.productIdentifier)
        return prompt.quantity == 1 ? title : "\(prompt.quantity) × \(title)"
    }

    /// Without control characters, which could overwrite the sheet.
    private func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }
                .reduce(into: "") { $0.unicodeScalars.append($1) })
    }

    private func openTerminal() -> Terminal? {
        if let terminal = Terminal(path: terminalPath) { return terminal }
        Diagnostic.sayOnce(
            "there is no terminal for the payment sheet, so the request was cancelled; set "
                + "STOREKIT_SHEET to approve or cancel.")
        return nil
    }
}
