import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum OfferEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "POST", "/v1/offers", "signOffer",
            "Sign a promotional offer for an eligible user",
            about: """
                For users who have or had a subscription in the group. Asking again returns \
                the same signature while it is valid and unused.
                """,
            body: RequestBody(
                .json(OfferRequestBody.self),
                example: ["offerId": "back", "productId": "gold.month"]),
            answers: [
                Answer(
                    200, "Signed: valid for 24 hours and one use.", .json(OfferSignatureBody.self))
            ],
            refuses: [
                403: "`notEligible`: the user never had a subscription in the group.",
                404: "`notFound`: the backend does not give out such an offer.",
                409: """
                `offerInUse`: the subscription runs at its price. `offerUsedUp`: used, or \
                promised, as often as one user may use it.
                """, 422: "`badField`: the message says which.",
            ],
            .raw { call, _ in try call.parts.offers.sign(call.context) }
        )
    ]

}

extension OfferRequestBody: Described {
    package static let notes: Notes = [
        "productId": .component("ProductID"),
        "offerId": [
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f\u2063]+$"#, "minLength": 1,
            "maxLength": .integer(BackendLimits.offerIDBytesMax),
        ],
        "applicationUsername": [
            "description": "The name that the backend gave this user before; optional.",
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f\u2063]*$"#,
            "maxLength": .integer(BackendLimits.applicationUsernameBytesMax),
        ],
    ]
}

extension OfferSignatureBody: Described {
    package static let notes: Notes = [
        "": ["description": "The values of an SKPaymentDiscount."],
        "applicationUsername": [
            "format": "uuid",
            "description": "The backend's name for the user, which the payment must have.",
        ],
        "nonce": ["format": "uuid"],
        "timestamp": .component("Timestamp"),
        "signature": [
            "description": "ECDSA on P-256 with SHA-256, in DER.", "contentEncoding": "base64",
        ],
    ]
}
