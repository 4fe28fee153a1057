import StoreModel
import StoreWire

extension BodegaWorld {
    /// The most transactions that a page has.
    private static let pageMax = 100

    /// Everything that was sold, in the order of the sales; of one customer when one is named.
    public func transactions(of account: Account? = nil) async throws -> [Sale] {
        guard let account else { return try await sales("") }
        return try await named(account) {
            try await sales("&account=\(ControlDoor.escaped(account.name))")
        }
    }

    private func sales(_ query: String) async throws(BodegaError) -> [Sale] {
        var sales: [Sale] = []
        var after: String?
        repeat {
            let place = after.map { "&after=\(ControlDoor.escaped($0))" } ?? ""
            let page = try await ask(
                SalesBody.self, "GET",
                "/transactions?environment=sandbox&order=oldest&limit=\(Self.pageMax)\(query)\(place)"
            )
            sales += page.transactions.map(Sale.init)
            after = page.next
        } while after != nil
        return sales
    }

    /// Refunds a purchase at once: devices learn that it was revoked, and its money goes back.
    public func refund(_ transactionID: String) async throws {
        _ = try await ask(
            RevokedBody.self, "POST",
            "/transactions/\(ControlDoor.escaped(transactionID))/revoke",
            RevokeBody(reason: .other))
    }

    /// The same for a transaction of the list.
    public func refund(_ sale: Sale) async throws {
        try await refund(sale.transactionID)
    }

    /// Sets a product's price, such as `"4.99"`, at once; in one country only when one is named.
    public func setPrice(
        _ price: String, of productID: String, inStorefront storefront: String? = nil
    ) async throws {
        let products = "/apps/\(ControlDoor.escaped(bundleID))/products"
        let place = storefront.map { "prices/\(ControlDoor.escaped($0))" } ?? "price"
        do throws(BodegaError) {
            _ = try await ask(
                CatalogueProductBody.self, "PUT",
                "\(products)/\(ControlDoor.escaped(productID))/\(place)", PriceBody(price: price))
        } catch {
            guard error.code == "productUnknown" else { throw error }
            let known = try? await ask(CatalogueProductsBody.self, "GET", products)
            throw error.naming(
                Spelling.nearest(to: productID, of: known?.products.map(\.productId) ?? []))
        }
    }
}
