import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreVerification

/// The filters and the order of a customer's transactions. Source: Apple, *Get Transaction History*.
struct TransactionHistory {
    static let pageCountMax = 20

    /// The happenings that move a transaction to the end of the history.
    enum Source: String {
        /// Its purchase, its replacement by another product, and that it was taken back.
        case all
        /// The same without consumables that were finished: version 1.
        case unfinished
        /// Refunds alone, by their dates.
        case refunds
    }

    let source: Source
    private(set) var isAscending = true
    private(set) var startDate: Timestamp?
    private(set) var endDate: Timestamp?
    private(set) var productIDs: [String] = []
    private(set) var kinds: Set<ProductKind> = []
    private(set) var groups: [String] = []
    private(set) var ownership: Ownership?
    private(set) var isRevoked: Bool?
    private(set) var revision: String?

    /// All refunds of a customer's own purchases.
    static func refunds(_ query: [(name: String, value: String)]) -> TransactionHistory {
        var history = TransactionHistory(source: .refunds)
        history.ownership = .purchased
        history.isRevoked = true
        history.revision = query.first { $0.name == "revision" }?.value
        return history
    }

    /// The same, the newest first.
    static var newestRefunds: TransactionHistory {
        var history = refunds([])
        history.isAscending = false
        return history
    }

    /// The filters of a query; parameters that Apple does not have are passed over.
    init(_ source: Source, _ query: [(name: String, value: String)]) throws {
        self.init(source: source)
        for (name, value) in query {
            switch name {
            case "revision": revision = value
            case "startDate": startDate = try Self.date(value, else: .invalidStartDate)
            case "endDate": endDate = try Self.date(value, else: .invalidEndDate)
            case "productId":
                guard Self.isIdentifier(value) else { throw ServerAPIError.invalidProductID }
                productIDs.append(value)
            case "productType":
                guard let kind = Self.kinds[value] else { throw ServerAPIError.invalidProductType }
                kinds.insert(kind)
            case "sort":
                guard value == "ASCENDING" || value == "DESCENDING" else {
                    throw ServerAPIError.invalidSort
                }
                isAscending = value == "ASCENDING"
            case "subscriptionGroupIdentifier":
                guard Self.isIdentifier(value) else {
                    throw ServerAPIError.invalidSubscriptionGroupIdentifier
                }
                groups.append(value)
            case "inAppOwnershipType":
                guard let known = Ownership(rawValue: value) else {
                    throw ServerAPIError.invalidInAppOwnershipType
                }
                ownership = known
            case "revoked":
                isRevoked = try Self.flag(value, else: .invalidRevoked)
            case "excludeRevoked":
                if try Self.flag(value, else: .invalidExcludeRevoked) { isRevoked = false }
            default: break
            }
        }
        if let startDate, let endDate, startDate >= endDate {
            throw ServerAPIError.invalidEndDate
        }
        guard productIDs.count + groups.count <= Limits.historyFiltersMax else {
            throw ServerAPIError.generalBadRequest
        }
    }

    private init(source: Source) {
        self.source = source
    }

    /// Everything but the revision: a revision belongs to one customer of an app, and to the same
    /// filters.
    func identity(of account: AccountID, in app: AppID) -> String {
        var parts = ["\(account)", "\(app)", source.rawValue, "\(isAscending)"]
        parts += [startDate, endDate].map { $0.map { "\($0.milliseconds)" } ?? "" }
        parts += [
            productIDs.sorted().joined(separator: "\n"),
            kinds.map(\.rawValue).sorted().joined(separator: "\n"),
            groups.sorted().joined(separator: "\n"), ownership?.rawValue ?? "",
            isRevoked.map { "\($0)" } ?? "",
        ]
        return parts.joined(separator: "\u{1F}")
    }

    private static let kinds: [String: ProductKind] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing,
        "CONSUMABLE": .consumable, "NON_CONSUMABLE": .nonConsumable,
    ]

    static func isIdentifier(_ text: String) -> Bool {
        (1...Limits.identifierBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func date(_ text: String, else error: ServerAPIError) throws -> Timestamp {
        guard let milliseconds = Int64(text),
            Timestamp.range.contains(Timestamp(milliseconds: milliseconds))
        else { throw error }
        return Timestamp(milliseconds: milliseconds)
    }

    /// Python writes its own `True` and `False`.
    private static func flag(_ text: String, else error: ServerAPIError) throws -> Bool {
        switch text.lowercased() {
        case "true": true
        case "false": false
        default: throw error
        }
    }
}

/// A place in a history, for the caller to continue from: letters, digits and a hyphen, which every
/// client sends back as they are.
///
/// It names the last transaction that was given, in the order in which they changed, and is good for
/// ever. A digest binds it to the world, the customer and the filters; there is no secret in it,
/// since it opens nothing that its bearer's token does not.
struct HistoryRevision {
    private static let digestBytes = 12
    let position: Int64

    init(_ position: Int64) {
        self.position = position
    }

    /// Throws for a text that was altered, or made for another question.
    init(_ text: String, of identity: String, in world: World) throws {
        let digits = text.prefix { $0 != "-" }
        guard let position = Int64(digits), position >= 0, digits == "\(position)" else {
            throw ServerAPIError.invalidRequestRevision
        }
        self.position = position
        guard self.text(of: identity, in: world) == text else {
            throw ServerAPIError.invalidRequestRevision
        }
    }

    func text(of identity: String, in world: World) -> String {
        Self.bind("\(position)", to: identity, in: world)
    }

    /// The text of a place with a digest that binds it to a world and a question.
    static func bind(_ place: String, to identity: String, in world: World) -> String {
        let bound = sha256(Array("\(world.id)\u{1F}\(place)\u{1F}\(identity)".utf8))
        return "\(place)-\(hexadecimal(bound.prefix(digestBytes)))"
    }
}
