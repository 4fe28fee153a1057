import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum DeviceEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/device/v1/register", "registerDevice",
            "Register an installation of an app",
            about: """
                A device that sends its own valid token stays signed in; that token works for \
                \(Limits.replacedTokenMilliseconds / 60_000) minutes more.
                """,
            body: RequestBody(
                .json(RegisterDeviceBody.self),
                example: [
                    "appVersion": "1.0", "bundleId": "com.example.rocketcar",
                    "guid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                ], mustBeDeclared: true),
            answers: [
                Answer(
                    200, "The device's new token replaces the previous one.",
                    .json(DeviceSessionBody.self))
            ],
            refuses: [
                401: .never,
                404: "`appUnknown`: no catalogue of that app has been imported.", 422: .badField,
                429: .whole(
                    """
                    `tooManyRegistrations`: a world takes \(Limits.registrationsAtOnceMax) at \
                    once and \(Limits.registrationsPerMinuteMax) a minute, besides those of devices \
                    that send their own valid token.
                    """,
                    headers: [
                        "Retry-After": [
                            "required": true, "description": "Seconds.",
                            "schema": ["type": "integer", "minimum": 1],
                        ]
                    ]),
            ],
            .raw { call, responder in DeviceService.register(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "POST", "/device/v1/sign-in", "signIn", "Sign an account in on the device",
            body: RequestBody(
                .json(SignInBody.self),
                example: ["account": "buyer@example.com", "password": "rocket-fuel-1"]),
            answers: [
                Answer(
                    200, "The device's new token replaces the previous one.",
                    .json(DeviceSessionBody.self))
            ],
            refuses: [
                401: """
                `passwordWrong`: the account name or the password is wrong. `tokenUnknown`: the \
                token is missing, expired, or of another world.
                """,
                403: """
                `testAccountInSettings`: test accounts sign in on the payment sheet only. \
                `testAccount`, `realAccount`: the password is right, but the account is of the \
                other environment.
                """, 422: .badField,
                423: """
                `accountLocked`: too many wrong passwords on this device, or by strangers if the \
                account never signed in on it; or the password is right, but the owner locked the \
                account.
                """,
                429: """
                `tooManyGuesses`: too many wrong passwords from this address; not on a device on \
                which the account has signed in before.
                """,
            ],
            .raw { call, responder in SignInService.signIn(call.request, call.context, responder) }
        ),
        Endpoint(
            "POST", "/device/v1/sign-out", "signOut", "Sign out; the previous token ends",
            answers: [
                Answer(
                    200, "The device's new token replaces the previous one.",
                    .json(DeviceSessionBody.self))
            ],
            refuses: [401: "`tokenUnknown`: the token is missing, expired, or of another world."],
            .raw { call, responder in SignInService.signOut(call.request, call.context, responder) }
        ),
    ]

}

extension RegisterDeviceBody: Described {
    package static let notes: Notes = [
        "guid": .component("UUID", "The device's own; its 16 bytes are hashed into receipts."),
        "bundleId": .component("BundleID"),
        "appVersion": [
            "description": "Without control characters.", "pattern": #"^[^\u0000-\u001f\u007f]+$"#,
            "minLength": 1, "maxLength": .integer(Limits.appVersionBytesMax),
        ],
    ]
}

extension SignInBody: Described {
    package static let notes: Notes = [
        "account": .component("AccountName"),
        "password": ["minLength": 1, "maxLength": .integer(Limits.passwordBytesMax)],
        "from": """
        Where the customer signs in: in the device's settings, or on the payment sheet; the \
        payment sheet when absent.
        """,
    ]
}

extension DeviceSessionBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "buyer@example.com",
                "deviceToken": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I",
                "environment": "Sandbox",
                "signedDataRoot": "MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UE…",
                "storefront": ["countryCode": "DEU", "identifier": "143443"],
                "worldId": "1B4E28BA-2FA1-41D2-883F-0016D3CCA427",
            ]
        ],
        "deviceToken": ["minLength": 1],
        "environment": .component("SignedEnvironmentName", "As signed data name it."),
        "worldId": .component("UUID", "A device must not use data of one world in another."),
        "account": "Absent when nobody is signed in.",
        "signedDataRoot": [
            "description": """
            The root certificate of the signed data of this world's environment, DER in base64. A \
            device that keeps it trusts no other.
            """, "contentEncoding": "base64",
        ],
    ]
}

extension ProductsRequestBody: Described {
    package static var schemaName: String? { "FindProducts" }
    package static let notes: Notes = [
        "productIdentifiers": ["maxItems": .integer(Limits.productIdentifiersMax)],
        "locale": [
            "description":
                "The customer's locale, such as `en_US`; the storefront's own when absent.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.localeBytesMax),
        ],
    ]
}

extension ProductsAnswerBody: Described {
    package static var schemaName: String? { "Products" }
    package static let notes: Notes = [
        "invalidProductIdentifiers": "Unknown, or not for sale; in the order asked."
    ]
}

extension ProductBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "currency": "EUR", "isFamilyShareable": false, "kind": "nonConsumable",
                "localizedDescription": "For ever.", "localizedTitle": "Turbo",
                "priceLocale": "de_DE@currency=EUR", "priceMilliunits": 2990,
                "productId": "com.example.rocketcar.turbo",
            ]
        ],
        "priceMilliunits": [
            "description": "The price of one, in thousandths of the currency's unit.", "minimum": 0,
        ],
        "currency": ["pattern": "^[A-Z]{3}$"],
        "priceLocale": "A locale that writes this price.",
        "subscriptionPeriod":
            "How long one period lasts; absent when it is not a subscription.",
        "introductoryOffer":
            "The introductory offer for a new subscriber; absent when there is none.",
        "promotionalOffers": [
            "description": "For a subscription; absent when there are none.", "minItems": 1,
        ],
        "internalId": "The catalogue's own identifier of it; absent when it has none.",
        "subscriptionGroupDisplayName":
            """
        Its group's name for customers; absent when it is not a subscription, and until the \
        catalogue of an earlier version is imported again.
        """,
        "subscriptionGroupLevel": [
            "description": "Its rank in its group, 1 for the highest; absent when there is none.",
            "minimum": 1, "maximum": .integer(CatalogueFile.groupLevelMax),
        ],
        "winBackOffers": [
            "description": "For a subscription; absent when there are none.", "minItems": 1,
        ],
        "downloadContentVersion": .component(
            "ContentVersion",
            "The version of the content that a purchase brings; absent when there is none."),
        "downloadContentLengths": [
            "description": "Bytes of the content; absent when there is none.",
            "items": ["type": "integer", "format": "int64", "minimum": 0],
        ],
    ]
}

extension StorefrontBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "countryCode": .component("StorefrontCode"),
        "identifier": ["pattern": "^[0-9]+$"],
    ]
}
