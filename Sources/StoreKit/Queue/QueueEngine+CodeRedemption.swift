import Dispatch

// Offer codes that a customer redeems.
extension QueueEngine {
    /// Shows the sheet for offer codes. A code's purchase reaches observers like any other.
    func presentCodeRedemption() {
        if let reason = objection() { return Diagnostic.sayOnce(reason.sentence) }
        guard case .success(let parts) = parts else {
            return Diagnostic.sayOnce(
                "no store is configured, so the offer-code sheet was not shown.")
        }
        sheets.async { [self] in
            guard let redeemed = flow(parts).run() else { return }
            if redeemed.isForRenewal {
                parts.sheet.show("The offer begins with the next renewal.")
            }
            handle(.codeRedeemed(redeemed))
        }
    }

    /// Asks for the outcome of codes that an earlier process left in the journal.
    func askAfterRedemptions(_ parts: Parts) {
        guard
            !Journal(home: parts.home).redemptions(of: parts.connection.configuration.scope)
                .isEmpty
        else { return }
        courier.async { [self] in
            for redeemed in flow(parts).runLeftOver() { handle(.codeRedeemed(redeemed)) }
        }
    }

    private func flow(_ parts: Parts) -> CodeRedemptionFlow {
        CodeRedemptionFlow(
            sheet: SheetFlow(
                sheet: parts.sheet,
                client: ProductsClient(
                    connection: .success(parts.connection), retries: parts.retries),
                connection: parts.connection, shouldContinue: { true },
                refusal: { self.refusal(parts) }),
            journal: Journal(home: parts.home))
    }
}
