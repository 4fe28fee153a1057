/// What a customer is asked to buy or restore.
struct SheetPrompt: Hashable, Sendable {
    let productIdentifier: String
    let quantity: Int
    /// Whether it asks about restoring all earlier purchases, rather than buying a product.
    var isRestoring = false
    /// Whether it asks for the receipt, rather than about a product.
    var isReceipt = false
    /// Whether it asks for an offer code, which determines its product.
    var isOfferCode = false
    /// The product's name; nil when the store did not provide it.
    var title: String?
    /// The formatted price of the whole quantity; for an offer, also the price that follows.
    var price: String?
    /// The same price, as sent to the store.
    var shownPrice: ShownPrice?
    /// The account that is signed in.
    var account: String?
}

/// A customer's answer.
enum SheetAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case cancelled
    /// The sheet cannot ask; the sentence says what to do.
    case unable(String)
}

extension SheetAnswer: Equatable where Value: Equatable {}

/// The system's own interface for payments: apps do not see it and cannot change it.
protocol PaymentSheet: Sendable {
    /// Whether it shows the product's name and price.
    var showsDetails: Bool { get }

    /// The account that must buy, whichever is signed in; nil when the customer chooses.
    var wantedAccount: String? { get }

    /// Asks for an account and its password; `trouble` says why it asks again.
    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account>

    /// Asks for approval of a payment.
    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool>

    /// Asks the customer who is signed in for approval of a restore.
    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool>

    /// Asks whether to continue at a higher price; cancelling postpones the answer.
    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool>

    /// Asks for an offer code; `trouble` says why it asks again.
    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String>

    /// Shows the customer a message.
    func show(_ sentence: String)
}

extension PaymentSheet {
    var wantedAccount: String? { nil }

    /// A customer who is signed in is not asked again.
    func approveRestore(_ prompt: SheetPrompt) -> SheetAnswer<Bool> { .given(true) }

    /// Cancels.
    func offerCode(_ prompt: SheetPrompt, trouble: String?) -> SheetAnswer<String> { .cancelled }

    /// Postpones.
    func consent(to prompt: PriceConsentPrompt) -> SheetAnswer<Bool> { .cancelled }
}

/// A price that a customer is asked to pay from the next renewal on.
struct PriceConsentPrompt: Hashable, Sendable {
    let productIdentifier: String
    /// The product's name; nil when the store did not provide it.
    var title: String?
    /// Formatted, like the new one.
    let oldPrice: String
    let newPrice: String
    let account: String
}
