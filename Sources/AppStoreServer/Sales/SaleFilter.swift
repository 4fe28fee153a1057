import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Which sales a list has; nil for any.
struct SaleFilter: Sendable {
    private(set) var environment: StoreEnvironment?
    private(set) var account: AccountID?
    private(set) var app: AppID?
    private(set) var product: ProductID?
    private(set) var state: TransactionState?
    private(set) var from: Timestamp?
    /// Sales of this moment and later ones are left out.
    private(set) var until: Timestamp?

    static let all = SaleFilter()

    private init() {}

    init(_ request: HTTPRequest, _ scope: borrowing ReadScope) throws {
        let owner = try OwnerFilter(request, scope)
        environment = owner.environment
        account = owner.account
        app = owner.app
        state = try request.queryName("state")
        from = try request.queryTime("from")
        until = try request.queryTime("until")
        if let from, let until, from >= until {
            throw Refusal(400, "badQuery", "until is not after from.")
        }
        guard let name = request.queryValue("product") else { return }
        let apps = try scope.apps(thatSold: ProductID(name), among: app)
        guard let first = apps.first else {
            throw Refusal(
                404, "productUnknown", "There is no product \"\(name.prefix(255))\" to list.")
        }
        product = ProductID(name)
        if apps.count == 1 { app = first }
    }

    static let parameters = [
        Parameter.ofAccount, .ofEnvironment, .ofApp,
        Parameter(
            .query, "product", "Only those of this product, even if it was removed.",
            schema: "Identifier", example: "com.example.rocketcar.fuel"),
        Parameter(
            .query, "state", "Only those in this state.",
            schema: .oneOf(TransactionState.allCases.map(\.rawValue)), example: "unfinished"),
        Parameter(
            .query, "from", "Only those bought then or later.", schema: "Timestamp",
            example: 1_704_067_200_000),
        Parameter(
            .query, "until", "Only those bought before.", schema: "Timestamp",
            example: 1_735_689_600_000),
    ]
}

extension ReadScope {
    /// The apps, or the one app, that have a product or sold it before it was removed.
    fileprivate borrowing func apps(
        thatSold product: ProductID, among app: AppID?
    ) throws -> [AppID] {
        try values(appsOfProduct, [product, app])
    }
}

/// Takes a product and an app or null.
let appsOfProduct = """
    SELECT app.id FROM app WHERE (?2 IS NULL OR app.id = ?2)
        AND (EXISTS (SELECT 1 FROM product WHERE app_id = app.id AND product_id = ?1)
            OR EXISTS (SELECT 1 FROM store_transaction
                WHERE app_id = app.id AND product_id = ?1))
    """
