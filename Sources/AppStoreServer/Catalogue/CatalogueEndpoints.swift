import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum CatalogueEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/catalog", "exportCatalogue",
            "An app's catalogue file, byte for byte as it was imported",
            about: "Except for base prices that were changed since.",
            answers: [
                Answer(200, "A StoreKit configuration file of Xcode.", .schema("CatalogueFile"))
            ],
            .now { try CatalogueService.export($0, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/catalog", "importCatalogue",
            "Import an app's catalogue file; makes the app when there is none",
            about: """
                Replaces the previous file in one commit. A product that is no longer in the file \
                is deleted; one that was sold stays, removed from sale.
                """,
            body: RequestBody(
                .schema("CatalogueFile"),
                example: [
                    "identifier": "1C3A5B7D",
                    "products": [
                        [
                            "displayPrice": "0.99", "familyShareable": false,
                            "internalID": "6446000001",
                            "localizations": [
                                [
                                    "description": "100 litres", "displayName": "Fuel",
                                    "locale": "en_US",
                                ]
                            ], "productID": "com.example.rocketcar.fuel", "referenceName": "Fuel",
                            "type": "Consumable",
                        ]
                    ], "settings": [:], "subscriptionGroups": [],
                    "version": ["major": 3, "minor": 0],
                ],
                description: """
                    A StoreKit configuration file, as Xcode writes it in versions 1.0 to 5.0.
                    """, bytesMax: Limits.catalogueBodyMax),
            answers: ["The changes of the import."],
            refuses: [
                404: .whole("`worldUnknown`, `notFound`: nothing is at this path."),
                409: """
                `kindOfSoldProduct`: a sold product cannot change its kind. `termsOfSoldProduct`: \
                a sold subscription cannot change its period or group. `kindNeedsNoDelay`: a kind \
                cannot change while changes take time to arrive. `tooManyChanges`: \
                \(PropagationRules.versionsMax) changes of a product are on their way.
                """,
                422: """
                `badCatalogue`: the file cannot be read; the message says where. `badField`: not a \
                bundle identifier.
                """,
                400: .whole(
                    "`badRequest`: the path, the query or a header can be read in two ways."),
            ],
            .later { try await CatalogueService.importFile($0, app: $0["app"]) }
        ),
        Endpoint(
            "GET", "/apps/:app/products", "listProducts",
            "An app's products as the shop owner sees them",
            answers: ["The products."],
            .now { try ProductService.list($0, app: $0["app"]) }
        ),
        Endpoint(
            "GET", "/apps/:app/offers", "listOffers",
            "The offers of an app's subscriptions, as its catalogue file has them",
            takes: [
                Parameter(
                    .query, "product", "Only this product's.", schema: "Identifier",
                    example: "com.example.rocketcar.club")
            ],
            answers: ["The offers, by product."],
            refuses: [
                404: """
                `appUnknown`: no catalogue of that app has been imported. `productUnknown`: the \
                app has no such product.
                """, 422: .badField,
            ],
            .now { try ProductService.offers($0, app: $0["app"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/products/:product/category", "setCategory",
            "Sort a product into a sales category, or take it out",
            body: RequestBody(
                .schema([
                    "type": "object",
                    "properties": [
                        "category": ["anyOf": [.component("SalesCategory"), ["type": "null"]]]
                    ],
                ]), example: ["category": "content"],
                description: "Null, or absent, removes the category."),
            answers: ["The product as it is now."],
            .later {
                try await ProductService.setCategory($0, app: $0["app"], product: $0["product"])
            }
        ),
    ]

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/device/v1/products", "findProducts",
            "The products for sale among these identifiers",
            body: RequestBody(
                .json(ProductsRequestBody.self),
                example: [
                    "locale": "de_DE",
                    "productIdentifiers": ["com.example.rocketcar.turbo", "absent"],
                ]),
            answers: [
                Answer(
                    200, "The products for sale, and the other identifiers.",
                    .json(ProductsAnswerBody.self))
            ],
            refuses: [
                401: "`tokenUnknown`: the token is missing, expired, or of another world.",
                422: """
                `tooMany`: more than \(Limits.productIdentifiersMax) identifiers. \
                `badField`: the locale is empty, too long or has control characters.
                """,
            ],
            .raw { call, responder in
                ProductService.products(call.request, call.context, responder)
            }
        )
    ]

    static let scalars: [Scalar] = [
        .cases(of: ProductKind.self, as: "ProductKind"),
        .cases(of: SalesCategory.self, as: "SalesCategory", "It has no effect."),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "CatalogueFile": [
            "type": "object",
            "description": """
            Apple does not document the format; `docs/fidelity.md` lists the parts that are read.
            """,
        ]
    ]
}

extension CatalogueImportBody: Described {
    package static var schemaName: String? { "CatalogueChanges" }
    package static let notes: Notes = [
        "unchangedCount": ["minimum": 0],
        "keptUnused": "Settings in the file that have no effect yet, by name.",
        "rounded": """
        Prices that the currency of the file's storefront cannot express, and what is charged there \
        instead.
        """,
    ]
}

extension CatalogueImportBody.RoundedPrice: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "offerId": "Of an offer; absent for the product's own price and an introductory offer's.",
        "price": .component("Price", "As the file has it."),
        "charged": .component("Price"),
        "currency": ["pattern": "^[A-Z]{3}$"],
    ]
}

extension CatalogueProductBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "kind": "consumable", "price": "1.49", "productId": "com.example.rocketcar.fuel",
                "referenceName": "Fuel", "state": "clearedForSale",
                "storefrontPrices": ["JPN": "160"],
            ]
        ],
        "reason": "Why the product was rejected; absent, like `note`, in every other state.",
        "subscriptionGroup": "Subscriptions only, like the next two.",
        "groupLevel": "The rank in its group, 1 for the highest.",
        "price": .component("Price"),
        "storefrontPrices": [
            "description": "Own prices in force, by storefront.",
            "propertyNames": .component("StorefrontCode"),
            "additionalProperties": .component("Price"),
        ],
        "settlesAt": """
        When devices see the last change, by the world's clock; absent when they already do.
        """,
    ]
}

extension CatalogueOfferBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "customers": [], "kind": "promotional", "numberOfPeriods": 2, "offerId": "spring",
                "paymentMode": "payAsYouGo", "period": "P1M", "price": "0.99",
                "productId": "com.example.rocketcar.club",
            ]
        ],
        "offerId": """
        The reference name of an offer for codes; absent from an introductory one.
        """,
        "period": offerPeriod, "numberOfPeriods": offerPeriodCount,
        "price": .component("Price", "Of one payment, in the currency of the catalogue file."),
        "customers": [
            "description": """
            The customers who may redeem an offer for codes; empty for the other kinds.
            """,
            "maxItems": .integer(Int64(SubscriptionOffer.Customer.allCases.count)),
        ],
    ]
}

extension CatalogueOffersBody: Described {
    package static let notes: Notes = [:]
}

private let offerPeriod: JSONValue = [
    "description": "One period of the offer, such as P3D, P1W or P1M.",
    "pattern": "^P[1-9][0-9]{0,2}[DWMY]$",
]
private let offerPeriodCount: JSONValue = ["minimum": 1, "maximum": 12]

extension OfferBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "numberOfPeriods": 1, "paymentMode": "freeTrial", "period": "P1W",
                "priceMilliunits": 0,
            ]
        ],
        "offerId": "For a promotional offer; absent from an introductory one.",
        "period": offerPeriod, "numberOfPeriods": offerPeriodCount,
        "priceMilliunits": [
            "description":
                "The price of one payment, in thousandths of the unit of the product's currency.",
            "minimum": 0,
        ],
    ]
}

extension CatalogueImportBody.Change: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "fields": "By their names in a file, such as `displayPrice`."
    ]
}
