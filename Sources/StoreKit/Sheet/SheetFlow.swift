import CStoreKit
import Foundation

/// Takes one payment through the sheet: sign in when nobody is, then approve.
struct SheetFlow: Sendable {
    enum Outcome: Hashable, Sendable {
        case approved(Customer)
        case ended(FailureReason)
    }

    static let signInTriesMax = 3

    let sheet: any PaymentSheet
    let client: ProductsClient
    let connection: StoreConnection
    /// Whether the app goes on in another storefront than before.
    let shouldContinueElsewhere: @Sendable () -> Bool

    func run(productIdentifier: String, quantity: Int) -> Outcome {
        var matter = SheetMatter(productIdentifier: productIdentifier, quantity: quantity)
        if needsSignIn {
            let before = connection.session?.storefrontIdentifier
            if let reason = signIn(matter) { return .ended(reason) }
            let after = connection.session?.storefrontIdentifier
            if let before, before != after, !shouldContinueElsewhere() {
                return .ended(
                    FailureReason(
                        .storeProductNotAvailable, "The app does not sell in this storefront."))
            }
        }
        guard let customer = connection.customer else {
            return .ended(FailureReason(.unknown, "Signing in did not last; try again."))
        }
        matter.account = customer.account
        if sheet.showsDetails { addDetails(to: &matter) }
        switch sheet.approve(matter) {
        case .given(true): return .approved(customer)
        case .given(false), .cancelled: return .ended(Self.cancelled)
        case .unable(let sentence): return .ended(FailureReason(.clientInvalid, sentence))
        }
    }

    /// Whether nobody is signed in, or somebody else than the sheet is told to buy as.
    private var needsSignIn: Bool {
        if connection.account == nil { connection.takeStoredSignIn() }
        guard let present = connection.account else { return true }
        return sheet.wantedAccount.map { $0 != present } ?? false
    }

    static let cancelled = FailureReason(.paymentCancelled, "The payment was cancelled.")

    /// Why nobody is signed in now, or nil when somebody is.
    private func signIn(_ matter: SheetMatter) -> FailureReason? {
        var trouble: String?
        for _ in 1...Self.signInTriesMax {
            let account: StoreConfiguration.Account
            switch sheet.signIn(matter, trouble: trouble) {
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
            case .lost, .cancelled, .otherWorld:
                sheet.show(failure.sentence)
                return FailureReason(.unknown, failure.sentence)
            }
        }
        if let trouble { sheet.show(trouble) }
        return FailureReason(
            .paymentCancelled, "The account or its password was wrong \(Self.signInTriesMax) times."
        )
    }

    /// The name and price as this account sees them; the sheet does without when it must.
    private func addDetails(to matter: inout SheetMatter) {
        let identifiers: Set = [matter.productIdentifier]
        guard case .success(let response) = client.products(identifiers),
            let product = response.products.first
        else { return }
        matter.title = product.localizedTitle
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        let total = product.price.multiplying(by: NSDecimalNumber(value: matter.quantity))
        matter.price = formatter.string(from: total)
    }
}
