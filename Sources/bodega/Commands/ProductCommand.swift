import Foundation
import StoreModel
import StoreWire

/// `bodega product`
enum ProductCommand {
    static let command = Command(
        group: "product", "look at products, review them, take them off sale, price them",
        shared: Option.inWorld,
        details: """
            A price without --storefront applies wherever a storefront has none of its own, and is
            written into the exported catalogue. A storefront's price applies at once or, with
            --from, from that time of the world's clock; the app shows it and customers are charged
            it. PRICE none removes a storefront's own price. An exported catalogue file does not
            contain storefronts' prices, states, categories or decisions.

            To resubmit a rejected product, use hold, then approve. approve also puts a removed
            product back on sale.
            """,
        examples: [
            "bodega product price com.example.rocketcar.fuel 160 --storefront JPN "
                + "--bundle-id com.example.rocketcar",
            "bodega product price com.example.rocketcar.fuel 0.79 --storefront DEU "
                + "--from 2030-12-24 --bundle-id com.example.rocketcar",
            "bodega product reject com.example.rocketcar.fuel --reason noIntermediaryCurrency "
                + "--note \"sell what the fuel buys\" --bundle-id com.example.rocketcar",
            "bodega product list --bundle-id com.example.rocketcar --json",
        ],
        commands: [
            Command("list", "an app's products with states and prices", [.bundleID]) {
                try $0.send("GET", try $0.app() + "/products") { (body: CatalogueProductsBody) in
                    Terminal.table(
                        ["PRODUCT", "KIND", "STATE", "PRICE", "OWN PRICES", "CATEGORY", "NOTE"],
                        body.products.map { row($0) })
                }
            },
            Command(
                "offers [PRODUCT]", "the offers of subscriptions, as the catalogue file has them",
                [.bundleID]
            ) {
                let product = $0.word("PRODUCT").map { "?product=\(ServerClient.escaped($0))" }
                try $0.send("GET", try $0.app() + "/offers" + (product ?? "")) {
                    (body: CatalogueOffersBody) in
                    Terminal.table(
                        ["PRODUCT", "KIND", "OFFER", "PRICE", "PAYMENT", "DURATION", "FOR"],
                        body.offers.map { row($0) })
                }
            },
            Command("approve PRODUCT", "clear it for sale", [.bundleID, note]) {
                try setState(.clearedForSale, $0)
            },
            Command(
                "reject PRODUCT", "reject it, with a reason of bodega product policy",
                [
                    .bundleID,
                    Option(
                        "reason", "R",
                        Spelling.either(RejectionReason.allCases.map(\.rawValue)),
                        choices: RejectionReason.allCases.map(\.rawValue), isRequired: true), note,
                ]
            ) { try setState(.rejected, $0) },
            Command("hold PRODUCT", "hold it for review, hidden from apps", [.bundleID, note]) {
                try setState(.pendingApproval, $0)
            },
            Command(
                "remove PRODUCT", "take it off sale; sold items stay", [.bundleID, note]
            ) { try setState(.removedFromSale, $0) },
            Command(
                "history [PRODUCT]", "every decision and its reason", [.bundleID], run: history),
            Command("policy", "the reasons for rejection") {
                try $0.send("GET", "/policy") { (body: PolicyBody) in
                    body.clauses.map { "\($0.reason.rawValue): \($0.text)" }
                        .joined(separator: "\n")
                }
            },
            Command(
                "price PRODUCT PRICE", "set a price, or a storefront's",
                [
                    .bundleID, Option("storefront", "S", "a country by its three letters"),
                    Option("from", "TIME", "UTC, as 2026-03-31 or 2026-03-31T12:00:00Z"),
                ], run: setPrice),
            Command("prices PRODUCT", "current and future prices", [.bundleID], run: prices),
            Command(
                "cancel-price PRODUCT NUMBER", "cancel a future price", [.bundleID],
                run: cancelPrice),
            Command(
                "category PRODUCT CATEGORY",
                "set its category: \(Spelling.either(categories))", [.bundleID],
                choices: ["CATEGORY": categories]
            ) {
                let body = CategoryBody(category: SalesCategory(rawValue: $0["CATEGORY"]))
                try show(
                    try ControlClient($0).send("PUT", try $0.product() + "/category", body), $0)
            },
        ])

    private static let categories = SalesCategory.allCases.map(\.rawValue) + ["none"]
    private static let note = Option("note", "TEXT", "a note on the decision")

    /// Prints a product after a change.
    static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try arguments.show(answer) { (product: CatalogueProductBody) in
            row(product).filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    private static func row(_ offer: CatalogueOfferBody) -> [String] {
        let count = offer.numberOfPeriods == 1 ? "" : "\(offer.numberOfPeriods) × "
        return [
            offer.productId, offer.kind.rawValue, offer.offerId ?? "", offer.price,
            offer.paymentMode.rawValue, count + offer.period,
            offer.customers.map(\.rawValue).joined(separator: ", "),
        ]
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
