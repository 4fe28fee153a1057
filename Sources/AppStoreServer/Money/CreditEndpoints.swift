import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum CreditEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/accounts/credit", "getCredit",
            "An account's credit and its statement, newest entry first",
            takes: .oneAccount() + [
                Parameter(
                    .query, "before", "The `next` of the page before; the newest when absent.",
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 100)
            ],
            answers: [
                "The credit, and a page of the statement."
            ],
            refuses: [
                400: """
                `badQuery`: `account` is missing, `environment` is neither `sandbox` nor \
                `production`, or `before` is not a whole number from 0 up.
                """, 404: "`accountUnknown`: the environment has no account of that name.",
            ],
            .now(CreditService.show)
        ),
        Endpoint(
            "POST", "/accounts/credit/top-up", "topUpCredit", "Add what a customer paid in",
            about: """
                Done once for each `requestId` of the world: a repeated request gets the same \
                answer.
                """,
            example: [
                "name": "buyer@example.com",
                "requestId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "amount": "10",
            ],
            answers: ["Entered, now or before."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                409: """
                `requestIdReused`: the id was used for another change of credit. `otherCurrency`: \
                the account's storefront has another currency. `creditLimit`: the account would \
                have more than \(CreditRules.creditMilliunitsMax / 1_000).
                """, 422: .badField,
            ],
            .later(CreditService.topUp)
        ),
        Endpoint(
            "POST", "/accounts/credit/correct", "correctCredit",
            "Correct a customer's credit: add to it or take from it",
            about: """
                Done once for each `requestId` of the world: a repeated request gets the same \
                answer.
                """,
            example: [
                "name": "buyer@example.com",
                "requestId": "0B7A6D0C-54D6-4B38-9B8F-5B0E7B3C9A02", "amount": "-4.99",
                "reason": "Paid in twice.",
            ],
            answers: ["Entered, now or before."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                409: """
                `requestIdReused`: the id was used for another change of credit. `otherCurrency`: \
                the account's storefront has another currency. `creditLimit`: the account would \
                have more than \(CreditRules.creditMilliunitsMax / 1_000). `creditTooLow`: the \
                account has less than is to be taken.
                """, 422: .badField,
            ],
            .later(CreditService.correct)
        ),
        Endpoint(
            "POST", "/accounts/credit/redeem", "redeemGiftCode",
            "Redeem a gift code for an account",
            about: """
                Once for each code: a repeated request for the same account gets the same answer.
                """,
            example: ["name": "buyer@example.com", "code": "7KQM-0D3T-XW9A-5FGH-2RNZ"],
            answers: ["Redeemed, now or before."],
            refuses: [
                404: """
                `accountUnknown`: the environment has no account of that name. `giftCodeUnknown`: \
                the environment has no such code.
                """,
                409: """
                `giftCodeRedeemed`: by another account. `giftCodeVoided`, `giftCodeExpired`: it is \
                no longer valid. `otherCurrency`: the account's storefront has another currency. \
                `creditLimit`: the account would have more than \
                \(CreditRules.creditMilliunitsMax / 1_000).
                """,
            ],
            .later(CreditService.redeem)
        ),
    ]

    static let scalars = [
        Scalar(
            Storefront.default.currency, as: "CurrencyCode",
            ["type": "string", "pattern": "^[A-Z]{3}$"])
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "Amount": [
            "type": "string",
            "description": """
            Above 0 and up to \(Price.milliunitsMax / 1_000), with at most three \
            places.
            """, "pattern": #"^(1000000(\.0{1,3})?|[0-9]{1,6}(\.[0-9]{1,3})?)$"#,
        ],
        "CorrectingAmount": [
            "type": "string",
            "description": "The same, with a hyphen before an amount that is taken.",
            "pattern": #"^-?(1000000(\.0{1,3})?|[0-9]{1,6}(\.[0-9]{1,3})?)$"#,
        ],
    ]
}

extension CreditBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "buyer@example.com", "balances": [["currency": "USD", "milliunits": 0]],
                "entries": [], "environment": "sandbox",
            ]
        ],
        "balances": "One for each currency in which the account ever had credit.",
        "entries": ["maxItems": .integer(Limits.creditEntriesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension CreditEntryBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "amountMilliunits": 10_000, "at": 1_714_558_830_123, "balanceMilliunits": 10_000,
                "currency": "USD", "kind": "topUp", "number": 1,
                "reference": "request/6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
            ]
        ],
        "number": ["minimum": 1],
        "amountMilliunits":
            "The change of the account's credit, in thousandths; negative for a debit.",
        "currency": ["pattern": "^[A-Z]{3}$"],
        "balanceMilliunits": [
            "minimum": 0, "description": "The balance in this currency after the entry.",
        ],
        "reference": "The source of the entry, such as `giftCode/3`; unique.",
        "transactionId": .component("TransactionID", "For charges and refunds."),
        "reason": "For corrections.",
    ]
}

extension TopUpBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "requestId": .component(
            "UUID", "Made by the sender; the same when the request is repeated."),
        "currency": "The currency of the account's storefront when absent.",
        "amount": .component("Amount"),
    ]
}

extension CorrectCreditBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "requestId": .component(
            "UUID", "Made by the sender; the same when the request is repeated."),
        "currency": "The currency of the account's storefront when absent.",
        "amount": .component("CorrectingAmount"),
        "reason": [
            "description": "Without control characters.", "pattern": #"^[^\u0000-\u001f\u007f]+$"#,
            "minLength": 1, "maxLength": .integer(Limits.creditReasonBytesMax),
        ],
    ]
}

extension RedeemGiftCodeBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "code": """
        Hyphens, blanks and the case of its letters do not matter; O is taken for 0, I \
        and L for 1.
        """,
    ]
}

extension BalanceBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "currency": ["pattern": "^[A-Z]{3}$"],
        "milliunits": ["minimum": 0, "description": "In thousandths."],
    ]
}
