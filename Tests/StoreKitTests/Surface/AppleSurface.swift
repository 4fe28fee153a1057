/// StoreKit as Apple's headers and its interface read in Swift.
///
/// A line at the margin is a type, a function or a constant; an indented one is a member of the
/// type above it. Availability, access and names that begin with an underscore are left out.
enum AppleSurface {
    static let declarations: Set<String> = read(
        errors + requests + products + payments + queue + downloads + rest + keyValues + resources
            + storeKit2)

    /// What Apple has and this module has not.
    static let leftOut = keyValuesLeftOut + storeKitLeftOut + storeKit2LeftOut

    private static let storeKitLeftOut: [(declaration: String, reason: String)] = [
        (
            "SKDownload class func contentURL(forProductID productID: String) -> URL?",
            "for macOS only; `contentLength` has the type of iOS, too"
        ),
        (
            "SKDownload class func deleteContent(forProductID productID: String)",
            "for macOS only"
        ),
        (
            "SKStoreReviewController class func requestReview(in windowScene: UIWindowScene)",
            "there is no UIKit"
        ),
        ("var SKDownloadTimeRemainingUnknown: TimeInterval", constant),
    ]

    /// What this module has and Apple's has not, or has by inheritance.
    static let extras = keyValueExtras + storeKitExtras + storeKit2Extras

    private static let storeKitExtras: [(declaration: String, reason: String)] =
        [
            "SKDownload", "SKPayment", "SKPaymentDiscount", "SKPaymentQueue",
            "SKPaymentTransaction", "SKProduct", "SKProductDiscount",
            "SKProductStorePromotionController", "SKProductSubscriptionPeriod",
            "SKProductsRequest", "SKProductsResponse", "SKReceiptRefreshRequest", "SKStorefront",
            "NSUbiquitousKeyValueStore",
        ].map { ("\($0) init()", "NSObject's, which Swift has restated") } + [
            ("SKPayment func copy(with zone: NSZone? = nil) -> Any", "NSCopying's"),
            ("SKPayment func mutableCopy(with zone: NSZone? = nil) -> Any", "NSMutableCopying's"),
            ("SKPayment func isEqual(_ object: Any?) -> Bool", "NSObject's, overridden"),
            ("SKPayment var hash: Int { get }", "NSObject's, overridden"),
            ("SKStorefront func isEqual(_ object: Any?) -> Bool", "NSObject's, overridden"),
            ("SKStorefront var hash: Int { get }", "NSObject's, overridden"),
            ("let SKDownloadTimeRemainingUnknown: TimeInterval", constant),
            ("SKError var errorUserInfo: [String : Any] { get }", "CustomNSError's"),
            (
                "SKError.Code static func ~= (match: Self, error: any Error) -> Bool",
                "_ErrorCodeProtocol's"
            ),
            ("SKError typealias Code = SKError.Code", cName),
            ("SKProduct typealias PeriodUnit = SKProduct.PeriodUnit", cName),
            ("SKProductDiscount typealias PaymentMode = SKProductDiscount.PaymentMode", cName),
            ("SKProductDiscount typealias `Type` = SKProductDiscount.`Type`", cName),
        ]

    static let constant = "a constant, which Apple's is in all but its declaration"
    private static let cName = "C cannot nest its enumerations as Apple's headers do"

    /// What a surface declares, in the same words. What is imported from a header is
    /// `@preconcurrency` without saying so.
    static func declarations(of surface: Surface) -> Set<String> {
        Set(
            surface.entries.map { entry in
                let parent = entry.path.dropLast().joined(separator: ".")
                let optional = entry.isOptional ? "optional " : ""
                let declaration = entry.declaration
                    .replacingOccurrences(of: "@preconcurrency ", with: "")
                return line(optional + declaration, in: parent)
            })
    }

    // MARK: -

    static func read(_ text: String) -> Set<String> {
        var type = ""
        var found: Set<String> = []
        for text in text.split(separator: "\n") {
            let declaration = text.drop { $0 == " " }
            if declaration.startIndex == text.startIndex {
                type = name(declaration)
                if !declaration.hasPrefix("extension") {
                    found.insert(line(String(declaration), in: ""))
                }
            } else {
                found.insert(line(String(declaration), in: type))
            }
        }
        return found
    }

    /// The name of what a line at the margin declares.
    private static func name(_ declaration: Substring) -> String {
        let words = declaration.split { " :(<".contains($0) }
        let kinds = ["class", "enum", "extension", "protocol", "struct"]
        return words.firstIndex { kinds.contains(String($0)) }.map { String(words[$0 + 1]) } ?? ""
    }

    /// The names that C has for enumerations which Apple's headers nest.
    private static let nested = [
        "SKErrorCode": "SKError.Code", "SKProductPeriodUnit": "SKProduct.PeriodUnit",
        "SKProductDiscountPaymentMode": "SKProductDiscount.PaymentMode",
        "SKProductDiscountType": "SKProductDiscount.`Type`",
    ]

    /// One declaration, without sendability, which the headers say of a few only.
    private static func line(_ declaration: String, in parent: String) -> String {
        let plain = (parent.isEmpty ? declaration : "\(parent) \(declaration)")
            .replacing(", Sendable", with: "")
        return nested.reduce(plain) { $0.replacing($1.key, with: $1.value) }
    }
}
