package import StoreWire

/// What a test session buys for its account, read from the options of `buyProduct`.
package struct TestOrder: Sendable {
    package let quantity: Int
    package let applicationUsername: String?
    package let offer: PurchaseOfferBody?
    package let test: TestPurchaseBody?

    /// Reads options, which have no order; what only an app on a device could mean is left out.
    package init(
        _ options: Set<Product.PurchaseOption> = []
    ) throws(Product.PurchaseError) {
        let terms = try PurchaseTerms(options)
        quantity = terms.quantity
        applicationUsername = terms.appAccountToken?.uuidString.lowercased()
        offer =
            switch terms.offer {
            case .signed(let id, _), .promotional(let id, _): PurchaseOfferBody(promotional: id)
            case .winBack(let id): PurchaseOfferBody(winBack: id)
            case nil: nil
            }
        test = terms.test.map { TestPurchaseBody($0) }
    }
}
