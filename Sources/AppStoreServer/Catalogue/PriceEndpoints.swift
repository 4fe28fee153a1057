import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum PriceEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "PUT", "/apps/:app/products/:product/price", "setBasePrice",
            "Set the price for storefronts without one of their own",
            body: RequestBody(
                .schema([
                    "type": "object", "required": ["price"],
                    "properties": ["price": .component("Price")],
                ]), example: ["price": "0.99"]),
            answers: ["The product as it is now."],
            refuses: [
                409: """
                `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product \
                are on their way.
                """,
                422: """
                `badPrice`: not a price that the currency of the app's storefront can express.
                """,
            ],
            .later {
                try await CatalogueService.setBasePrice(
                    $0, $1, app: $0["app"], product: $0["product"])
            }
        ),
        Endpoint(
            "PUT", "/apps/:app/products/:product/prices/:storefront", "setStorefrontPrice",
            "Set or remove a storefront's own price",
            takes: [Parameter(.path, "storefront", schema: "StorefrontCode", example: "JPN")],
            body: RequestBody(
                .schema([
                    "type": "object",
                    "properties": ["price": ["anyOf": [.component("Price"), ["type": "null"]]]],
                ]), example: ["price": "160"],
                description: "Null, or absent, removes the storefront's own price."),
            answers: ["The product as it is now."],
            refuses: [
                409: """
                `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product \
                are on their way.
                """,
                422: """
                `badPrice`: not a price, or one that the storefront's currency cannot express. \
                `storefrontUnknown`: the message lists the valid ones.
                """,
            ],
            .later {
                try await ProductService.setPrice(
                    $0, $1, app: $0["app"], product: $0["product"], storefront: $0["storefront"])
            }
        ),
        Endpoint(
            "GET", "/apps/:app/products/:product/price-schedule", "listPrices",
            "A product's prices in storefronts: past, in force and coming",
            answers: [
                """
                By storefront, then in the order they were added; the newest \
                \(Limits.priceEntriesPerAnswerMax).
                """
            ],
            .now { try PriceService.list($0, app: $0["app"], product: $0["product"]) }
        ),
        Endpoint(
            "POST", "/apps/:app/products/:product/price-schedule", "addPrice",
            "Let a storefront's own price begin, or end, at a date",
            example: ["from": 4_070_908_800_000, "price": "0.79", "storefront": "DEU"],
            answers: [
                Answer(
                    200, "The very same entry is already scheduled.", .json(PriceEntryBody.self)),
                Answer(201, "Added.", .json(PriceEntryBody.self)),
            ],
            refuses: [
                409: """
                `dateTaken`: another price of the storefront begins then. `tooManyPrices`: \
                the product has \(PriceRules.ownPricesMax) in use. `tooManyChanges`: \
                \(PropagationRules.versionsMax) changes of the product are on their way.
                """,
                422: """
                `badPrice`: not a price, or one that the storefront's currency cannot express. \
                `storefrontUnknown`: the message lists the valid ones. `dateIsOver`: the date is past by the world's clock. `dateOutOfRange`: a \
                price must begin in the years 2000 to 2099.
                """,
            ],
            .later { try await PriceService.add($0, $1, app: $0["app"], product: $0["product"]) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/products/:product/price-schedule/:number", "cancelPrice",
            "Cancel a scheduled price",
            about: "A repeated request gets the same answer.",
            takes: [Parameter(.path, "number", schema: "PriceNumber", example: 1)],
            answers: [Answer(200, "Cancelled, now or before.", .json(PriceEntryBody.self))],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `priceUnknown`: the app, its product or the entry \
                does not exist.
                """,
                409: """
                `priceHasBegun`: it is or was already in force. `tooManyChanges`: \
                \(PropagationRules.versionsMax) changes of the product are on their way.
                """,
            ],
            .later {
                try await PriceService.cancel(
                    $0, app: $0["app"], product: $0["product"], number: $0["number"])
            }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "Price": [
            "type": "string",
            "description": "Up to \(Price.milliunitsMax / 1_000), with at most three places.",
            "pattern": #"^(1000000(\.0{1,3})?|[0-9]{1,6}(\.[0-9]{1,3})?)$"#,
        ],
        "PriceNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ],
    ]
}

extension AddPriceBody: Described {
    package static let notes: Notes = [
        "storefront": .component("StorefrontCode"),
        "price": .component("Price", "Null, or absent, ends the storefront's own price."),
        "from": "By the world's clock.",
    ]
}

extension PriceEntryBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "addedAt": 1_714_558_830_123, "currency": "EUR", "from": 1_714_645_230_123,
                "number": 1, "price": "0.79", "state": "coming", "storefront": "DEU",
            ]
        ],
        "number": ["minimum": 1],
        "storefront": .component("StorefrontCode"),
        "currency": ["pattern": "^[A-Z]{3}$"],
        "price": .component("Price", "Absent for an entry that ends the storefront's own price."),
        "from": "Absent for a price that was set at once.",
        "state": """
        `past`: another price has begun since. `replaced`: a price that was set at once replaced \
        it.
        """,
    ]
}

extension PricesBody: Described {
    package static let notes: Notes = [
        "basePrice": .component("Price", "Applies where no storefront's own price is in force."),
        "prices": ["maxItems": .integer(Limits.priceEntriesPerAnswerMax)],
    ]
}
