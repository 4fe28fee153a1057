import Glibc

/// The address that `STOREKIT_URL` had when the process first used StoreKit: what was bought lies
/// there, in the home folder and in the journal.
///
/// A test that sets the variable afterwards would buy in the store of another one without noticing.
/// So payments, restores and receipt refreshes fail with `paymentNotAllowed`, requests for products
/// with `unknown`, resource requests with `CocoaError.featureUnsupported`, and neither price consents
/// nor the sheet for offer codes are shown at the app's request, until the variable has its first
/// value again. What was begun goes on with the first store, and so do downloads and key values.
struct UsedAddress: Sendable {
    static let ofProcess = UsedAddress(first: read())

    /// Nil when the variable was not set.
    let first: String?

    /// Why nothing may be begun now, said on standard error, too; nil when it may.
    var objection: FailureReason? {
        guard let reason = objection(now: Self.read()) else { return nil }
        Diagnostic.sayOnce(reason.sentence)
        return reason
    }

    func objection(now: String?) -> FailureReason? {
        guard now != first else { return nil }
        func word(_ address: String?) -> String { address.map { "\"\($0)\"" } ?? "not set" }
        return FailureReason(
            .paymentNotAllowed,
            "STOREKIT_URL is \(word(now)) now and was \(word(first)) when this process first used "
                + "StoreKit, which stays with that store, so nothing can be bought. Set it before "
                + "the first use; tests that need several stores use worlds of BodegaTesting.")
    }

    private static func read() -> String? {
        guard let text = getenv("STOREKIT_URL"), text.pointee != 0 else { return nil }
        return String(cString: text)
    }
}
