import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum AccountEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/accounts", "listAccounts", "Accounts, in the order in which they were made",
            about: """
                With `search` or `environment` a page may have fewer accounts than it could, and \
                none at all, while `next` says that the list continues: \
                \(Limits.rowsLookedAtMax) are looked at for it.
                """,
            takes: [
                .after, .limit(Limits.accountsPerAnswerMax, countMax: Limits.accountsPerAnswerMax),
                .order,
                Parameter(
                    .query, "environment", "Only those of this environment.",
                    schema: "Environment", example: "sandbox"),
                Parameter(
                    .query, "search",
                    "Only those with this part in their names; the case of A to Z does not matter.",
                    schema: "AccountName", example: "@example.com"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, `limit` not a number from 1 \
                to \(Limits.accountsPerAnswerMax), `order` or `environment` is unknown, or \
                `search` is empty, too long or has control characters.
                """
            ],
            .now(AccountService.list)
        ),
        Endpoint(
            "GET", "/accounts/details", "getAccount",
            "An account with its credit and family, and counts of what else it has",
            about: """
                Also under the pseudonym of a deleted account. At most \(Limits.rowsLookedAtMax) \
                rows are looked at for each count.
                """,
            takes: .oneAccount(),
            answers: ["As it is now."],
            refuses: [
                400: """
                `badQuery`: `account` is missing, or `environment` is neither `sandbox` nor \
                `production`.
                """, 404: "`accountUnknown`: the environment has no account of that name.",
            ],
            .now(AccountService.show)
        ),
        Endpoint(
            "POST", "/accounts", "makeAccount", "Make a test account",
            about: """
                Without a password nobody can sign in to it on a device, until \
                `POST /accounts/password` gives it one; the owner signs it in with \
                `POST /devices`, and buys for it with `POST /purchases`.
                """,
            example: [
                "environment": "sandbox", "name": "buyer@example.com",
                "password": "rocket-fuel-1", "storefront": "DEU",
            ],
            answers: [Answer(201, "Made.")],
            refuses: [
                409: "`nameTaken`: an account already has that name.",
                422: """
                `badField`: the message names it. `storefrontUnknown`: the message lists the valid \
                ones.
                """,
            ],
            .later(AccountService.make)
        ),
        Endpoint(
            "POST", "/accounts/lock", "lockAccount", "Lock an account",
            about: "Signs it out on every device.",
            example: ["name": "buyer@example.com", "reason": "A refund is looked into."],
            answers: ["The account as it is now."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                422: """
                `badField`: `until` is in the past by the real clock, or `reason` is too long or \
                has control characters.
                """,
            ],
            .later(AccountUpkeepService.lock)
        ),
        Endpoint(
            "POST", "/accounts/unlock", "unlockAccount",
            "Unlock an account, even one that wrong passwords locked",
            example: ["name": "buyer@example.com"],
            answers: ["The account as it is now."],
            refuses: [404: "`accountUnknown`: the environment has no account of that name."],
            .later(AccountUpkeepService.unlock)
        ),
        Endpoint(
            "POST", "/accounts/password", "resetPassword",
            "Give an account another password, or its first",
            about: """
                Signs it out on every device and ends a lock that wrong passwords caused.
                """,
            example: ["name": "buyer@example.com", "password": "rocket-fuel-2"],
            answers: ["The account as it is now."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                422: .badField,
            ],
            .later(AccountUpkeepService.resetPassword)
        ),
        Endpoint(
            "POST", "/accounts/sign-out", "signAccountOut", "Sign an account out on every device",
            example: ["name": "buyer@example.com"],
            answers: ["The account as it is now."],
            refuses: [404: "`accountUnknown`: the environment has no account of that name."],
            .later(AccountUpkeepService.signOut)
        ),
        Endpoint(
            "POST", "/accounts/storefront", "setStorefront",
            "Move an account to another country's storefront",
            about: "Apps in which it is signed in are notified.",
            example: ["name": "buyer@example.com", "storefront": "DEU"],
            answers: ["The account as it is now."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                422: "`storefrontUnknown`: the message lists the valid ones.",
            ],
            .later(AccountUpkeepService.setStorefront)
        ),
        Endpoint(
            "POST", "/accounts/settings", "setAccount",
            "Set how an account's purchases and renewals proceed",
            about: """
                An absent member leaves its setting as it is. Purchases that wait go on waiting. \
                While renewals fail, each one that falls due is owed, after a grace period where \
                the app has one; once they no longer do, the next try pays it.
                """,
            example: ["name": "buyer@example.com", "needsApproval": true],
            answers: ["The account as it is now."],
            refuses: [404: "`accountUnknown`: the environment has no account of that name."],
            .later(AccountSettingsService.set)
        ),
        Endpoint(
            "POST", "/accounts/delete", "deleteAccount", "Delete an account",
            about: """
                Takes away its name, password, settings, key values, devices and the names that apps \
                gave its purchases. Its subscriptions end, and purchases that wait for a person are \
                declined. Transactions and ledger stay, under a pseudonym; verifyReceipt answers \
                21010 for its receipts. A repeated request with the same id gets the same answer.
                """,
            example: [
                "name": "buyer@example.com", "requestId": "0F8FAD5B-D9CB-469F-A165-70867728950E",
            ],
            answers: ["What is left of it."],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                409: """
                `inFamily`: it is in a family. `paymentPending`: its money waits for a payment \
                provider's answer. `refundOpen`: it requested a refund, which is not decided.
                """, 422: .badField,
            ],
            .later(AccountUpkeepService.delete)
        ),
        Endpoint(
            "GET", "/accounts/export", "exportAccount",
            "Everything the store holds about an account",
            about: """
                For a customer who asks for it, also under the pseudonym of a deleted account. \
                Passwords, tokens and codes, of which the store has only digests, are left out. \
                Times are milliseconds since 1970; members may be added.
                """,
            takes: .oneAccount(),
            answers: [Answer(200, "A list of objects for each kind.", .schema("AccountExport"))],
            refuses: [
                400: """
                `badQuery`: `account` is missing, or `environment` is neither `sandbox` nor \
                `production`.
                """, 404: "`accountUnknown`: the environment has no account of that name.",
                409: "`exportTooLong`: it has more than \(AccountExport.rowsMax) records.",
            ],
            .slow(AccountExport.show)
        ),
        Endpoint(
            "POST", "/accounts/resolve", "resolveInterruptions",
            "Resolve what interrupted the account's purchases",
            about: """
                The purchases are made under the rules of this moment and reach the account's \
                devices. A repeated request finds none left.
                """,
            example: ["name": "buyer@example.com"],
            answers: [
                "The outcome of each, oldest first."
            ],
            refuses: [404: "`accountUnknown`: the environment has no account of that name."],
            .later(AccountSettingsService.resolve)
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "AccountName": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.accountNameBytesMax),
        ],
        "AccountExport": [
            "type": "object", "required": .names(AccountExport.parts.map(\.name)),
            "properties": .object(
                AccountExport.parts.map {
                    .init(
                        $0.name,
                        [
                            "type": "array",
                            "items": ["type": "object", "additionalProperties": true],
                        ])
                }),
        ],
        "Password": [
            "type": "string", "minLength": .integer(AccountService.passwordCharactersMin),
            "maxLength": .integer(Limits.passwordBytesMax),
        ],
    ]
}

extension AccountBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "devicesSignedIn": 0, "environment": "sandbox", "failsRenewals": false,
                "interruptsPurchases": false, "name": "buyer@example.com", "needsApproval": false,
                "storefront": "DEU",
            ]
        ],
        "storefront": .component("StorefrontCode"),
        "devicesSignedIn": ["minimum": 0],
        "lock": "Absent when the account is not locked.",
        "needsApproval": "Whether someone else must approve its purchases.",
        "interruptsPurchases": """
        Whether its purchases fail in the app until the customer resolves the interruption.
        """,
        "failsRenewals": "Whether every renewal of its subscriptions fails.",
        "deletedAt": """
        By the world's clock; absent unless it was deleted, and its name is a pseudonym.
        """,
    ]
}

extension AccountsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["accounts": []]],
        "accounts": ["maxItems": .integer(Limits.accountsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension AccountDetailsBody: Described {
    package static let notes: Notes = [
        "madeAt": "By the world's clock.",
        "balances": "One for each currency in which the account ever had credit.",
        "devices": "The installations on which it has signed in, now or before.",
        "transactions": "Its purchases and renewals, and its copies of what its family bought.",
        "waitingPurchases": "They wait for an approval, for the customer or for a payment.",
        "family": "Absent for an account in none.",
    ]
}

extension CountBody: Described {
    package static let notes: Notes = [
        "count": ["minimum": 0],
        "isExact": "Whether these are all; otherwise there may be more.",
    ]
}

extension SubscriptionCountsBody: Described {
    package static let notes: Notes = [
        "active": ["minimum": 0],
        "gracePeriod": ["minimum": 0],
        "billingRetry": ["minimum": 0],
        "expired": ["minimum": 0],
        "revoked": ["minimum": 0],
        "isExact": "Whether these are all; otherwise there may be more.",
    ]
}

extension DeleteAccountBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "requestId": .component("UUID", "Made by the sender: a repeated request has the same one."),
    ]
}

extension DeletedAccountBody: Described {
    package static let notes: Notes = [
        "account": "The pseudonym under which its history is kept.",
        "deletedAt": "By the world's clock.",
        "balances": "Its credit, which can no longer be spent.",
    ]
}

extension MakeAccountBody: Described {
    package static let notes: Notes = [
        "name": .component("AccountName"),
        "password": .component("Password", "Nobody signs in to an account without one."),
        "storefront": .component("StorefrontCode", "USA when absent."),
        "needsApproval": "Whether someone else must approve its purchases; false when absent.",
    ]
}

extension NamedAccountBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
    ]
}

extension LockAccountBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "reason": [
            "description": """
            Shown to a customer who signs in with the right password. Without control characters.
            """, "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
            "maxLength": .integer(Limits.lockReasonBytesMax),
        ],
        "until": "By the real clock; when absent, only the owner can end the lock.",
    ]
}

extension SetStorefrontBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "storefront": .component("StorefrontCode"),
    ]
}

extension ResetPasswordBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "password": .component("Password"),
    ]
}

extension AccountLockBody: Described {
    package static let notes: Notes = [
        "": ["example": ["by": "owner", "reason": "A refund is looked into."]],
        "until": "By the real clock; absent for a lock that only the owner ends.",
    ]
}
