import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ReviewEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "PUT", "/apps/:app/products/:product/state", "setSaleState",
            "Review a product, or take it off sale and back",
            about: "A repeated request is one decision.",
            example: ["state": "removedFromSale"],
            answers: ["The product as it is now."],
            refuses: [
                409: """
                `stateNotAllowed`: its state does not allow this; the message says what it allows. \
                `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on \
                their way.
                """,
                422: """
                `reasonMissing`, `noteMissing`: a rejection needs a reason, and for \
                `other` a note. `reasonNotWanted`: only a rejection has one. `badField`: \
                the note is empty, too long or has control characters.
                """,
            ],
            .later {
                try await ReviewService.setState($0, $1, app: $0["app"], product: $0["product"])
            }
        ),
        Endpoint(
            "GET", "/apps/:app/reviews", "listReviews",
            "The decisions about an app's products, oldest first",
            takes: [
                Parameter(
                    .query, "product", "Only this product's.", schema: "Identifier",
                    example: "com.example.rocketcar.fuel"), .after,
            ],
            answers: ["A page of the history."],
            refuses: [400: .badAfter, 422: .badField],
            .now { try ReviewService.history($0, app: $0["app"]) }
        ),
        Endpoint(
            "GET", "/policy", "getPolicy", "The policy on products, clause by clause",
            answers: ["The clauses that a rejection can name."],
            .now(ReviewService.policy)
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: SaleState.self, as: "SaleState",
            """
            Only `clearedForSale` products are sold. `pendingApproval`: waits for review.
            """),
        .cases(
            of: RejectionReason.self, as: "RejectionReason",
            "A clause of the policy, or `other` with a note."),
    ]

}

extension SaleStateBody: Described {
    package static var schemaName: String? { "SetSaleState" }
    package static let notes: Notes = [
        "reason": "Required with `rejected`, and not allowed otherwise.",
        "note": [
            "description": "Required with the reason `other`. Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.reviewNoteBytesMax),
        ],
    ]
}

extension ReviewsBody: Described {
    package static let notes: Notes = [
        "reviews": ["maxItems": .integer(Limits.reviewsPerAnswerMax)],
        "next": [
            "description": "The `after` of the next page; absent on the last.",
            "minimum": 1,
        ],
    ]
}

extension ReviewBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "at": 1_714_558_830_123, "note": "It has no text.", "number": 5,
                "productId": "com.example.rocketcar.fuel", "reason": "other", "state": "rejected",
                "step": "rejected",
            ]
        ],
        "number": ["minimum": 1],
        "state": "The resulting state.",
        "at": "By the world's clock.",
    ]
}

extension PolicyBody.Clause: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [:]
}
