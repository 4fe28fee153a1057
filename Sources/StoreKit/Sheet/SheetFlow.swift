import CStoreKit
import Foundation

/// Takes one payment through the sheet: sign in if necessary, then approve.
struct SheetFlow: Sendable {
    enum Outcome: Hashable, Sendable {
        /// Approved by a customer, who was shown this price, if any.
        case approved(Customer, ShownPrice? = nil)
        case ended(FailureReason)
    }

    static let signInTriesMax = 3

    let sheet: any PaymentSheet
    let client: ProductsClient
    let connection: StoreConnection
    /// Whether the app continues in the signed-in customer's storefront.
    let shouldContinue: @Sendable () -> Bool
    /// Why payments are refused on the device; nil when they are allowed.
    var refusal: @Sendable () -> FailureReason? = { nil }

    func run(_ payment: PaymentContents) -> Outcome {
        if let refusal = refusal() { return .ended(refusal) }
        var prompt = SheetPrompt(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity)
        if needsSignIn, let reason = signIn(prompt) { return .ended(reason) }
        guard shouldContinue() else {
            return .ended(
                FailureReason(
                    .storeProductNotAvailable, "The app does not sell in this storefront."))
        }
        guard let customer = connection.customer else {
            return .ended(FailureReason(.unknown, "Signing in did not last; try again."))
        }
        prompt.account = customer.account
        if sheet.showsDetails { addDetails(to: &prompt, payment) }
        switch sheet.approve(prompt) {
        case .given(true):
            // Purchases may have been switched off while the sheet was up.
            if let refusal = refusal() { return .ended(refusal) }
            return .approved(customer, prompt.shownPrice)
        case .given(false), .cancelled: return .ended(Self.cancelled)
        case .unable(let sentence): return .ended(FailureReason(.clientInvalid, sentence))
        }
    }

    /// Whether the paying account is already signed in, as far as this process knows.
    var isSignedIn: Bool {
        connection.account.map { sheet.wantedAccount ?? $0 == $0 } ?? false
    }

    /// Whether no account is signed in, or not the one that the sheet must use.
    var needsSignIn: Bool {
        if connection.account == nil { connection.takeStoredSignIn() }
        guard let present = connection.account else { return true }
        return sheet.wantedAccount.map { $0 != present } ?? false
    }

    static let cancelled = FailureReason(.paymentCancelled, "The payment was cancelled.")

    /// Why no account is signed in now, or nil when one is.
    func signIn(_ prompt: SheetPrompt) -> FailureReason? {
        var trouble: String?
        for _ in 1...Self.signInTriesMax {
            let account: StoreConfiguration.Account
            switch sheet.signIn(prompt, trouble: trouble) {
            case .given(let given): account = given
            case .cancelled: return Self.cancelled
            case .unable(let sentence): return FailureReason(.clientInvalid, sentence)
            }
            let answer = client.patiently { () throws(StoreFailure) in
                try connection.signIn(account)
            }
            guard case .failure(let failure) = answer else { return nil }
            switch failure.kind {
            case .refused(status: 401, _), .signedOut: trouble = failure.sentence
            case .refused:
                sheet.show(failure.sentence)
                return FailureReason(.paymentNotAllowed, failure.sentence)
            case .lost:
                sheet.show(failure.sentence)
                return .unreachable(failure.sentence)
            case .cancelled, .otherWorld:
                sheet.show(failure.sentence)
                return FailureReason(.unknown, failure.sentence)
            }
        }
        if let trouble { sheet.show(trouble) }
        return FailureReason(
            .paymentCancelled, "The account or its password was wrong \(Self.signInTriesMax) times."
        )
    }

    /// The product's name and price for this account; if they are unavailable, the sheet omits
    /// them.
    private func addDetails(to prompt: inout SheetPrompt, _ payment: PaymentContents) {
        let identifiers: Set = [prompt.productIdentifier]
        guard case .success(let response) = client.products(identifiers),
            let product = response.products.first
        else { return }
        prompt.title = product.localizedTitle
        // The store alone knows the price of these.
        if let offers = payment.offers,
            offers.winBackOfferId != nil || offers.introductoryEligibility != nil
                || offers.test != nil
        {
            return
        }
        let offer = payment.discount?.identifier ?? payment.offers?.promotional?.offerId
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        let total = product.price.multiplying(by: NSDecimalNumber(value: prompt.quantity))
        prompt.price = formatter.string(from: total)
        if prompt.price != nil {
            prompt.shownPrice = ShownPrice(product, quantity: prompt.quantity)
        }
        // An offer that the product does not have is refused, whatever was shown.
        guard let offer, let text = prompt.price,
            let discount = product.discounts.first(where: { $0.identifier == offer })
        else { return }
        prompt.price = OfferWords.price(discount, then: text, formatter)
        prompt.shownPrice = ShownPrice(discount)
    }
}
