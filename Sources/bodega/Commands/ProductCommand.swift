import Foundation
import StoreModel
import StoreWire

/// `bodega product list|approve|reject|hold|remove|history|policy|price|prices|…`
enum ProductCommand {
    static let command = Command(
        help: """
            bodega product: look at products, review them, take them off sale, price them

              bodega product list --bundle-id ID
              bodega product approve PRODUCT --bundle-id ID    cleared for sale
              bodega product reject PRODUCT --bundle-id ID --reason R [--note TEXT]
              bodega product hold PRODUCT --bundle-id ID       waits for review, unknown to apps
              bodega product remove PRODUCT --bundle-id ID     off sale; what was sold stays
              bodega product history [PRODUCT] --bundle-id ID  every decision and its reason
              bodega product policy                            the reasons there are

              bodega product price PRODUCT PRICE --bundle-id ID
                  [--storefront USA [--from TIME]]
              bodega product prices PRODUCT --bundle-id ID     what holds and what is to come
              bodega product cancel-price PRODUCT NUMBER --bundle-id ID
              bodega product category PRODUCT CATEGORY --bundle-id ID

            A price without --storefront holds wherever a storefront has none of its own, and is
            written into the exported catalogue. A storefront's price holds at once or, with
            --from, from that time of the world's clock on; it is what the app shows and what is
            charged. PRICE "none" takes a storefront's own away. An exported catalogue file has
            neither storefronts' prices nor states, categories and decisions.

            What was rejected is handed in again with hold, then approved. approve also puts back
            what was removed. CATEGORY is content, functionality, service, subscription or none.

            Options:
              --bundle-id ID   the app
              --storefront S   a country by its three letters
              --from TIME      UTC, as 2026-03-31 or 2026-03-31T12:00:00Z
              --reason R       digitalGoodsOnly, noIntermediaryCurrency or other
              --note TEXT      what else is to be said of a decision
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega product price com.example.rocketcar.fuel 160 --storefront JPN \\
                  --bundle-id com.example.rocketcar
              bodega product price com.example.rocketcar.fuel 0.79 --storefront DEU \\
                  --from 2030-12-24 --bundle-id com.example.rocketcar
              bodega product reject com.example.rocketcar.fuel --reason noIntermediaryCurrency \\
                  --note "sell what the fuel buys" --bundle-id com.example.rocketcar
              bodega product list --bundle-id com.example.rocketcar --json
            """,
        options: ControlClient.options.union([
            "bundle-id", "storefront", "from", "reason", "note",
        ]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "list": try list(arguments)
        case "approve": try setState(.clearedForSale, arguments)
        case "reject": try setState(.rejected, arguments)
        case "hold": try setState(.pendingApproval, arguments)
        case "remove": try setState(.removedFromSale, arguments)
        case "history": try history(arguments)
        case "policy": try policy(arguments)
        case "price": try setPrice(arguments)
        case "prices": try prices(arguments)
        case "cancel-price": try cancelPrice(arguments)
        case "category": try setCategory(arguments)
        default:
            throw arguments.notOne(
                of: "list", "approve", "reject", "hold", "remove", "history", "policy", "price",
                "prices", "cancel-price", "category")
        }
    }

    /// The path of the app that `--bundle-id` names.
    static func app(_ arguments: Arguments) throws -> String {
        "/apps/\(ControlClient.escaped(try arguments.required("bundle-id")))"
    }

    /// The path of one of its products.
    static func product(_ id: String, _ arguments: Arguments) throws -> String {
        "\(try app(arguments))/products/\(ControlClient.escaped(id))"
    }

    /// Prints a product after a change.
    static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: CatalogueProductBody.self, arguments) {
            row($0).filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let path = "\(try app(arguments))/products"
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: CatalogueProductsBody.self, arguments) { body in
            Terminal.table(
                ["PRODUCT", "KIND", "STATE", "PRICE", "OWN PRICES", "CATEGORY", "NOTE"],
                body.products.map { row($0) })
        }
    }

    private static func setCategory(_ arguments: Arguments) throws {
        let words = try arguments.words("category", "product", "category")
        let category = SalesCategory(rawValue: words[2])
        guard category != nil || words[2] == "none" else {
            let known = SalesCategory.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("CATEGORY \(words[2]) is none of \(known) and none")
        }
        let path = try product(words[1], arguments) + "/category"
        try show(
            try ControlClient(arguments).send("PUT", path, CategoryBody(category: category)),
            arguments)
    }

    private static func row(_ product: CatalogueProductBody) -> [String] {
        let own = product.storefrontPrices.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let notes = [
            product.reason.map { "rejected: \($0.rawValue)" }, product.note,
            product.settlesAt.map { "devices see this from \(TimeWords.text($0)) on" },
        ]
        return [
            product.productId, product.kind.rawValue, product.state.rawValue, product.price, own,
            product.category?.rawValue ?? "", notes.compactMap { $0 }.joined(separator: "; "),
        ]
    }
}
