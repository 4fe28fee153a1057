import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum GiftCodeEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/gift-codes", "listGiftCodes",
            "The gift codes of the world, used ones too, oldest first",
            takes: [.after],
            answers: [
                "A page of them, without the codes themselves."
            ],
            refuses: [400: .badAfter],
            .now(GiftCodeService.list)
        ),
        Endpoint(
            "POST", "/gift-codes", "makeGiftCode", "Make a gift code",
            example: ["amount": "25", "currency": "USD"],
            answers: [
                Answer(
                    201, "Made. No other answer ever shows the code.")
            ],
            refuses: [
                409: """
                `tooManyGiftCodes`: \(Limits.giftCodesMax) are kept, including used ones.
                """,
                422: """
                `badField`: `amount` is not a valid amount, or `expiresAt` is in the past by the \
                world's clock or after 2099.
                """,
            ],
            .later(GiftCodeService.make)
        ),
        Endpoint(
            "DELETE", "/gift-codes/:number", "voidGiftCode",
            "Void a gift code",
            takes: [Parameter(.path, "number", schema: "GiftCodeNumber", example: 1)],
            answers: ["Voided, now or before."],
            refuses: [
                404: "`giftCodeUnknown`: the world has none with that number.",
                409: "`giftCodeRedeemed`: an account has redeemed it.",
            ],
            .later { try await GiftCodeService.void($0, number: $0["number"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "GiftCodeNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ]
    ]
}

extension MakeGiftCodeBody: Described {
    package static let notes: Notes = [
        "environment": "Only its accounts may redeem it; `sandbox` when absent.",
        "amount": .component("Amount"),
        "expiresAt": "By the world's clock; never expires when absent.",
    ]
}

extension MadeGiftCodeBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "amountMilliunits": 25_000, "code": "7KQM-0D3T-XW9A-5FGH-2RNZ", "currency": "USD",
                "environment": "sandbox", "madeAt": 1_714_558_830_123, "number": 1,
            ]
        ],
        "number": ["minimum": 1],
        "amountMilliunits": ["minimum": 1],
        "currency": .component("CurrencyCode"),
        "expiresAt": "Absent for one that never expires.",
        "code": ["pattern": "^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}$"],
    ]
}

extension GiftCodeBody: Described {
    package static let notes: Notes = [
        "": [
            "description": "Its times are by the world's clock.",
            "example": [
                "amountMilliunits": 25_000, "currency": "USD", "environment": "sandbox",
                "madeAt": 1_714_558_830_123, "number": 1, "state": "open",
            ],
        ],
        "number": ["minimum": 1],
        "amountMilliunits": ["minimum": 1],
        "currency": .component("CurrencyCode"),
        "expiresAt": "Absent for one that never expires.",
        "redeemedBy": "The account's name.",
    ]
}

extension GiftCodesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["giftCodes": []]],
        "giftCodes": ["maxItems": .integer(Limits.giftCodesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}
