/// What a person is asked to pay for, or to have back.
struct SheetPrompt: Hashable, Sendable {
    let productIdentifier: String
    let quantity: Int
    /// Whether it is everything that was bought before, rather than a product.
    var isRestoring = false
    /// Whether it is the receipt, rather than a product.
    var isReceipt = false
    /// Whether it is an offer code, which says itself what it is for.
    var isOfferCode = false
    /// The product's name; nil when the store did not tell.
    var title: String?
    /// What the whole quantity costs, written out; of an offer, what comes after it, too.
    var price: String?
    /// The same, as the store is told of it.
    var shownPrice: ShownPrice?
    /// Who is signed in.
    var account: String?
}

/// What a person answered.
enum SheetAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case cancelled
    /// The sheet cannot ask; the sentence says what to do.
    case unable(String)
}

extension SheetAnswer: Equatable where Value: Equatable {}

/// The system's own surface for payments: apps do not see it and cannot change it.
protocol PaymentSheet: Sendable {
    /// Whether it shows the product's name and price.
    var showsDetails: Bool { get }

    /// Who is to buy, whoever is signed in; nil when that is the person's choice.
    var wantedAccount: String? { get }

    /// Asks for an account and its password; `trouble` says why they are asked for again.
    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account>

    /// Asks whether to pay.
    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool>

    /// Asks whoever is signed in whether to give back what they own.
    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool>

    /// Asks whether to go on at a higher price; cancelled is for later.
    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool>

    /// Asks for an offer code; `trouble` says why once more.
    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String>

    /// Tells the person something.
    func show(_ sentence: String)
}

extension PaymentSheet {
    var wantedAccount: String? { nil }

    /// Who is signed in is not asked again.
    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .given(true) }

    /// None.
    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String> { .cancelled }

    /// Later.
    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool> { .cancelled }
}

/// What a person is asked to pay from the next renewal on.
struct PriceConsentPrompt: Hashable, Sendable {
    let productIdentifier: String
    /// The product's name; nil when the store did not tell.
    var title: String?
    /// Written out, like the new one.
    let oldPrice: String
    let newPrice: String
    let account: String
}
