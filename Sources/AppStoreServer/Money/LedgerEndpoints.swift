import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

/// The ledger, which the store writes and nobody else.
enum LedgerEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/ledger/entries", "listLedgerEntries",
            "The entries of the ledger, in the order in which they were made",
            about: """
                With filters a page may have fewer entries than it could, and none at all, while \
                `next` says that the list continues: \(Limits.rowsLookedAtMax) are looked at for \
                it.
                """,
            takes: [
                .after,
                .limit(
                    Limits.ledgerEntriesPerAnswerMax, countMax: Limits.ledgerEntriesPerAnswerMax),
                .order, .ofAccount, .ofEnvironment,
                Parameter(
                    .query, "developer", "Only those that this developer account earned or gave.",
                    schema: "DeveloperName", example: "default"),
                Parameter(
                    .query, "kind", "Only those of this kind.",
                    schema: .oneOf(LedgerEntryKind.allCases.map(\.rawValue)), example: "refund"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, `limit` not a number from 1 \
                to \(Limits.ledgerEntriesPerAnswerMax), or `order`, `environment` or `kind` is \
                unknown.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. \
                `developerUnknown`: there is no developer account of that name.
                """,
            ],
            .now(LedgerService.entries)
        ),
        Endpoint(
            "GET", "/ledger/accounts", "listLedgerAccounts",
            "The accounts of the ledger with what they hold, one for each currency",
            about: """
                Each is the sum of its postings, so that all of a currency sum to zero. Those of \
                customers, who may be many, come last. The other sums are computed for each \
                answer, which takes a moment in a ledger of millions.
                """,
            takes: [
                Parameter(
                    .query, "after", "The `next` of the previous page; 0 when absent.",
                    schema: [
                        "type": "string",
                        "pattern": .string("^0$|\(LedgerPlace.pattern)"),
                    ], example: "0"),
                .limit(
                    Limits.ledgerAccountsPerAnswerMax,
                    countMax: Limits.ledgerAccountsPerAnswerMax),
                Parameter(
                    .query, "holder", "Only those of these holders.",
                    schema: .oneOf(LedgerAccount.Kind.allCases.map(\.rawValue)),
                    example: "developer"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a place that an earlier page gave, nor 0; `limit` is \
                not a number from 1 to \(Limits.ledgerAccountsPerAnswerMax); or `holder` is \
                unknown.
                """
            ],
            .slow(LedgerService.accounts)
        ),
    ]
}

extension LedgerEntryBody: Described {
    package static let notes: Notes = [
        "number": ["minimum": 1],
        "environment": "That of its customer.",
        "reference": "The source of the entry, such as `charge/2000000000000000`; unique.",
        "transactionId": .component("TransactionID", "For charges and refunds."),
        "reason": "For corrections.",
        "currency": ["pattern": "^[A-Z]{3}$"],
        "postings": "Every entry balances to zero.",
    ]
}

extension LedgerPostingBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "holder": .oneOf(LedgerAccount.Kind.allCases.map(\.rawValue)),
        "name": "The customer's or the developer's.",
        "milliunits": "What the account received, in thousandths; negative for what it gave.",
    ]
}

extension LedgerEntriesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["entries": []]],
        "entries": ["maxItems": .integer(Limits.ledgerEntriesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension LedgerAccountBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "currency": "USD", "holder": "developer", "milliunits": 990, "name": "default",
            ]
        ],
        "holder": .oneOf(LedgerAccount.Kind.allCases.map(\.rawValue)),
        "name": "The customer's or the developer's; absent where there is only one such account.",
        "environment": "A customer's; the other accounts serve both.",
        "currency": ["pattern": "^[A-Z]{3}$"],
        "milliunits": "The sum of its postings, in thousandths; negative for what it gave.",
    ]
}

extension LedgerAccountsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["accounts": []]],
        "accounts": ["maxItems": .integer(Limits.ledgerAccountsPerAnswerMax)],
        "next": [
            "pattern": .string(LedgerPlace.pattern),
            "description": "Where the next page continues; absent on the last.",
        ],
    ]
}
