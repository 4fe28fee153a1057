/// Cancels everything, for tests of what an app does then.
struct CancellingSheet: PaymentSheet {
    var showsDetails: Bool { false }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { .cancelled }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .cancelled }

    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .cancelled }

    func show(_ sentence: String) { Message.say(sentence) }
}
