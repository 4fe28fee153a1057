/// Approves everything as the account in `STOREKIT_ACCOUNT`, for tests and demonstrations.
struct AutomaticSheet: PaymentSheet {
    let account: StoreConfiguration.Account?
    /// The code in `STOREKIT_OFFER_CODE`.
    var offerCode: String?

    var showsDetails: Bool { false }

    var wantedAccount: String? { account?.name }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> {
        if let trouble {
            return .unable("The store does not accept STOREKIT_ACCOUNT: \(trouble)")
        }
        guard let account else {
            return .unable(
                "Nobody is signed in. With STOREKIT_SHEET=approve, set STOREKIT_ACCOUNT to "
                    + "name:password.")
        }
        return .given(account)
    }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .given(true) }

    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool> { .given(true) }

    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String> {
        // The same code would be refused again.
        if let trouble { return .unable("The store refuses STOREKIT_OFFER_CODE: \(trouble)") }
        guard let offerCode else {
            return .unable("With STOREKIT_SHEET=approve, set STOREKIT_OFFER_CODE to a code.")
        }
        return .given(offerCode)
    }

    func show(_ sentence: String) { Diagnostic.say(sentence) }
}

/// Cancels everything, for tests of how an app reacts.
struct CancellingSheet: PaymentSheet {
    var showsDetails: Bool { false }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { .cancelled }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .cancelled }

    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .cancelled }

    func show(_ sentence: String) { Diagnostic.say(sentence) }
}
