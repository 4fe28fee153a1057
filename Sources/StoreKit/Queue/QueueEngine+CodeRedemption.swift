import Dispatch

// A person redeems an offer code.
extension QueueEngine {
    /// Shows the sheet for offer codes. What a code buys comes to observers as a purchase.
    func presentCodeRedemption() {
        guard case .success(let parts) = parts else {
            return Message.sayOnce("there is no store, so no sheet for offer codes was shown.")
        }
        sheets.async { [self] in
            guard let redeemed = flow(parts).run() else { return }
            if redeemed.isForRenewal {
                parts.sheet.show("The offer begins with the next renewal.")
            }
            handle(.codeRedeemed(redeemed))
        }
    }

    /// Asks what became of codes that an earlier process left in the journal.
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
                refusal: { Self.refusal(parts) }),
            journal: Journal(home: parts.home))
    }
}
