/// Cancels everything, for tests of what an app does then.
struct CancellingSheet: PaymentSheet {
    var showsDetails: Bool { false }

    func signIn(
        _ matter: SheetMatter, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { .cancelled }

    func approve(_ matter: SheetMatter) -> SheetAnswer<Bool> { .cancelled }

    func approveRestore(_ matter: SheetMatter) -> SheetAnswer<Bool> { .cancelled }

    func show(_ sentence: String) { Message.say(sentence) }
}
