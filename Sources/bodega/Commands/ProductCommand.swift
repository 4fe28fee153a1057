import Foundation
import StoreModel
import StoreWire

/// `bodega product list|approve|hold|remove|price`
enum ProductCommand {
    static let command = Command(
        help: """
            bodega product: look at products, clear them for sale, take them off, price them

              bodega product list --bundle-id ID
              bodega product approve PRODUCT --bundle-id ID    cleared for sale
              bodega product hold PRODUCT --bundle-id ID       waits for approval, unknown to apps
              bodega product remove PRODUCT --bundle-id ID     off sale; what was sold stays
              bodega product price PRODUCT PRICE --bundle-id ID [--storefront USA]

            A price without --storefront holds wherever a storefront has none of its own, and is
            written into the exported catalogue. PRICE "none" takes a storefront's own away.

            Options:
              --bundle-id ID   the app
              --storefront S   a country by its three letters
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega product price com.example.rocketcar.fuel 160 --storefront JPN \\
                  --bundle-id com.example.rocketcar
              bodega product list --bundle-id com.example.rocketcar --json
            """,
        options: ControlClient.options.union(["bundle-id", "storefront"]), flags: ["json"]
    ) { arguments in
        let bundleID = ControlClient.escaped(try arguments.required("bundle-id"))
        let products = "/apps/\(bundleID)/products"
        switch arguments.positional.first {
        case "list": try list(products, arguments)
        case "approve": try setState(.clearedForSale, products, arguments)
        case "hold": try setState(.pendingApproval, products, arguments)
        case "remove": try setState(.removedFromSale, products, arguments)
        case "price": try setPrice(products, arguments)
        default: throw UsageError("say list, approve, hold, remove or price; see --help")
        }
    }

    private static func list(_ products: String, _ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).send("GET", products)
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(CatalogueProductsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["PRODUCT", "KIND", "STATE", "PRICE", "OWN PRICES"],
                body.products.map { row($0) }))
    }

    private static func setState(
        _ state: SaleState, _ products: String, _ arguments: Arguments
    ) throws {
        let product = try arguments.words("command", "product")[1]
        let answer = try ControlClient(arguments).send(
            "PUT", "\(products)/\(ControlClient.escaped(product))/state",
            SaleStateBody(state: state))
        try show(answer, arguments)
    }

    private static func setPrice(_ products: String, _ arguments: Arguments) throws {
        let words = try arguments.words("price", "product", "price")
        let product = "\(products)/\(ControlClient.escaped(words[1]))"
        let price = PriceBody(price: words[2] == "none" ? nil : words[2])
        let path = arguments.value("storefront").map {
            "\(product)/prices/\(ControlClient.escaped($0))"
        }
        try show(
            try ControlClient(arguments).send("PUT", path ?? product + "/price", price), arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(CatalogueProductBody.self, from: answer)
        Terminal.print(row(body).filter { !$0.isEmpty }.joined(separator: "  "))
    }

    private static func row(_ product: CatalogueProductBody) -> [String] {
        let own = product.storefrontPrices.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return [
            product.productId, product.kind.rawValue, product.state.rawValue, product.price, own,
        ]
    }
}
