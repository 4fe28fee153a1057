import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum OfferKeyEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/offer-keys", "listOfferKeys",
            "The keys that an app's server signs promotional offers with, newest first",
            answers: [
                "All of them, without their private halves."
            ],
            .now { try OfferKeyService.list($0, app: $0["app"]) }
        ),
        Endpoint(
            "POST", "/apps/:app/offer-keys", "makeOfferKey", "Make an app a new offer key",
            about: "A key on the curve P-256. Earlier ones stay valid.",
            answers: [
                Answer(
                    201, "Made. No other answer ever shows its private half.")
            ],
            refuses: [
                409: """
                `tooManyOfferKeys`: the app has \(Limits.offerKeysMax), including revoked ones.
                """
            ],
            .later { try await OfferKeyService.make($0, app: $0["app"]) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/offer-keys/:key", "revokeOfferKey",
            "Revoke an offer key for good",
            takes: [Parameter(.path, "key", schema: "OfferKeyID", example: "2X9R4HXF34")],
            answers: ["Revoked, now or before."],
            refuses: [404: "`appUnknown`, `offerKeyUnknown`: the app or the key does not exist."],
            .later { try await OfferKeyService.revoke($0, app: $0["app"], key: $0["key"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "OfferKeyID": [
            "type": "string", "pattern": "^[0-9A-Za-z]+$", "minLength": 1,
            "maxLength": .integer(Limits.offerKeyIDBytesMax),
        ],
        "IssuerID": [
            "type": "string", "description": "The `iss` of a JWS from the app's server.",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        ],
    ]
}

extension OfferKeyBody: Described {
    package static let notes: Notes = [
        "": [
            "description": "Its times are by the real clock.",
            "example": ["keyId": "2X9R4HXF34", "madeAt": 1_714_558_830_123, "origin": "made"],
        ],
        "keyId": .component("OfferKeyID"),
        "origin": "`catalogue`: it comes from the app's catalogue file.",
    ]
}

extension OfferKeysBody: Described {
    package static let notes: Notes = [
        "issuerId": .component(
            "IssuerID", "Absent before the first key of the app's developer account."),
        "keys": ["maxItems": .integer(Limits.offerKeysMax)],
    ]
}

extension MadeOfferKeyBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "issuerId": "57246542-96fe-1a63-e053-0824d011072a", "keyId": "2X9R4HXF34",
                "madeAt": 1_714_558_830_123,
                "privateKey": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
            ]
        ],
        "keyId": ["pattern": "^[A-Z0-9]{10}$"],
        "issuerId": .component("IssuerID"),
        "privateKey": [
            "description": "PKCS#8 in PEM, as a server reads it from a `.p8` file.",
            "pattern": #"^-----BEGIN PRIVATE KEY-----\n"#,
        ],
    ]
}
