import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum FaultEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/faults", "getFaults", "What the store answers wrongly on purpose",
            answers: ["As they are now."],
            .now(FaultService.show)
        ),
        Endpoint(
            "PUT", "/faults", "setFaults", "Make it so",
            about: """
                Sets all of them; what the body leaves out is none. They end when the store \
                does.
                """,
            example: ["verifyReceipt": ["count": 3, "status": 21_005]],
            answers: ["As they are now."],
            refuses: [
                422: """
                `badField`: no such status, or one that has circumstances of its own; a \
                count of 0.
                """
            ],
            .now(FaultService.set)
        ),
    ]

}

extension FaultsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["verifyReceipt": ["count": 3, "status": 21_005]]]
    ]
}

extension ReceiptFaultBody: Described {
    package static let notes: Notes = [
        "status": "21005, 21009, 21010, or 21100 to 21199.",
        "isRetryable": "For 21100 to 21199 only.",
        "count": [
            "minimum": 1, "maximum": 1_000_000,
            "description": "For so many requests; until it is taken away when absent.",
        ],
    ]
}
