/// How much the inspector keeps of a member of a body or query, by the member's name.
///
/// A name that looks like that of a secret counts as one until it is decided here, and
/// `InspectorDocumentTests` requires a decision for every such name in the store's document.
enum MemberSecrets {
    enum Verdict: Hashable, Sendable {
        case shown
        /// Only how long it is.
        case counted
        /// How long it is, and its SHA-256: receipts and signed data.
        case digested
        /// An address, whose query may have a password.
        case address
    }

    static func verdict(_ name: String) -> Verdict {
        if let decided = decided[name] { return decided }
        return smells(name) ? .counted : .shown
    }

    /// The same below another member: answers give the reason of a refusal as a `code`.
    static func verdict(_ name: String, in parent: String) -> Verdict {
        name == "code" && ["error", "refusal"].contains(parent) ? .shown : verdict(name)
    }

    /// Whether a name may be that of a secret.
    static func smells(_ name: String) -> Bool {
        let letters = Array(name.lowercased().utf8)[...]
        return smells.contains { letters.hasPart($0) }
    }

    static func isDecided(_ name: String) -> Bool { decided[name] != nil }

    private static let smells = [
        "password", "passwd", "passphrase", "secret", "token", "code", "key", "sign", "jws", "jwt",
        "receipt", "private", "credential", "authori", "cookie", "session", "bearer",
    ].map { Array($0.utf8) }

    static let decided: [String: Verdict] = Dictionary(
        uniqueKeysWithValues: [
            (counted, Verdict.counted), (digested, .digested), (shown, .shown),
            (["url"], .address),
        ].flatMap { names, verdict in names.map { ($0, verdict) } })

    private static let counted = [
        "password", "secret", "sharedSecret", "deviceToken", "session", "token", "privateKey",
        "signature",
        // Of gifts and offers; an offer's word is a code that many may use.
        "code", "codes", "word",
    ]

    private static let digested = [
        "receipt-data", "receipt", "transactionReceipt", "latest_receipt",
        "jws", "compactJWS", "introductoryOfferEligibility",
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        "signedTransactions", "signedDataRoot", "appTransaction",
    ]

    /// Names, numbers, dates and flags; and what holds members that are judged by their own names.
    private static let shown = [
        "appAccountToken", "app_account_token", "paginationToken", "testNotificationToken",
        "keyId", "keyIdentifier", "key", "keys", "keyValues", "issuerId", "nonce",
        "errorCode", "countryCode", "extendReasonCode", "storefrontCountryCodes",
        "codeOfferReferenceName", "offer_code_ref_name", "offerCode", "offerCodes", "giftCodes",
        "promotionalOfferId", "codeOffers", "subscriptionOffersKeyPair", "sessions", "signed",
        "signedDate", "devicesSignedIn", "isSession", "tokenCreationDate",
        "receipts", "receiptRevision", "receipt_type", "receipt_creation_date",
        "receipt_creation_date_ms", "receipt_creation_date_pst", "verifyReceipt",
        "latest_receipt_info", "latest_expired_receipt_info", "secrets",
        "allowsPrivateAddresses",
    ]
}
