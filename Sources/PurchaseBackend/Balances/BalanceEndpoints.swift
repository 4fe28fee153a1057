import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum BalanceEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "POST", "/v1/products/:product/uses", "useConsumable", "Use some of a consumable",
            about: "The same `useId` again uses nothing and answers the balance.",
            takes: [Parameter(.path, "product", schema: "ProductID", example: "coins")],
            body: RequestBody(
                .json(ConsumableUseBody.self),
                example: ["quantity": 1, "useId": "2c1f7a52-5c55-4f5e-9a30-5d3b3a1f8a11"]),
            answers: [Answer(200, "The balance after it.", .json(ConsumableBalanceBody.self))],
            refuses: [
                404: "`notFound`: there is no such consumable.",
                409: """
                `notEnough`: the balance is lower. `useIdTaken`: another use has that identifier.
                """, 422: "`badField`: the message says which.",
            ],
            .raw { call, _ in
                let body: ConsumableUseBody
                do {
                    body = try WireJSON.decodeBody(ConsumableUseBody.self, from: call.request.body)
                } catch {
                    throw Refusal.badBody(WireJSON.explain(error))
                }
                try call.parts.balances.use(call["product"], body, call.context)
            }
        )
    ]
}

extension ConsumableUseBody: Described {
    package static let notes: Notes = [
        "useId": [
            "description": "Made by the app for each use, and kept until it is answered.",
            "minLength": 1, "maxLength": .integer(BackendLimits.useIDBytesMax),
            "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#,
        ],
        "quantity": ["minimum": 1, "maximum": .integer(BackendLimits.usedQuantityMax)],
    ]
}

extension ConsumableBalanceBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "balance": 2, "granted": 5, "productId": "coins", "takenBack": 1, "used": 2,
            ]
        ],
        "granted": .component("Count", "Everything that was bought, with what was refunded."),
        "takenBack": .component(
            "Count", "What was taken back because the store refunded it; without what is kept."),
        "used": .component("Count"),
        "balance": "Below zero when more was taken back than was left.",
    ]
}
