import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum FaultEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/faults", "getFaults", "The faults that the store injects",
            answers: ["As they are now."],
            .now(FaultService.show)
        ),
        Endpoint(
            "PUT", "/faults", "setFaults", "Set the faults that the store injects",
            about: """
                Sets all of them; a fault that the body leaves out ends. They also end when the \
                store stops.
                """,
            example: ["verifyReceipt": ["count": 3, "status": 21_005]],
            answers: ["As they are now."],
            refuses: [
                422: """
                `badField`: a status or error that cannot be injected, a count or percentage of 0, a \
                path that is not there, or two faults at one.
                """
            ],
            .now(FaultService.set)
        ),
        Endpoint(
            "PUT", "/faults/verify-receipt", "setReceiptFault",
            "Set the status that verifyReceipt gives instead of an answer",
            about: "Other faults stay, with what is left of them.",
            example: ["count": 3, "status": 21_005],
            answers: ["All faults as they are now."],
            refuses: [422: "`badField`: a status that cannot be injected, or a count of 0."],
            .now(FaultService.setReceipt)
        ),
        Endpoint(
            "DELETE", "/faults/verify-receipt", "removeReceiptFault",
            "Have verifyReceipt answer correctly again",
            answers: ["All faults as they are now."],
            .now(FaultService.removeReceipt)
        ),
        Endpoint(
            "PUT", "/faults/requests", "setRequestFault", "Set the fault of one path",
            about: """
                In place of the one that the path has in the environment, or in both. Other faults \
                stay, with what is left of them.
                """,
            example: ["count": 2, "path": "/inApps/v1/notifications/test", "status": 503],
            answers: ["All faults as they are now."],
            refuses: [
                422: """
                `badField`: a status or error that cannot be injected, a count or percentage of 0, or \
                a path that is not there.
                """
            ],
            .now(FaultService.setRequest)
        ),
        Endpoint(
            "DELETE", "/faults/requests", "removeRequestFault", "End the fault of one path",
            takes: [
                Parameter(
                    .query, "path", "Of the fault, as this document writes it or with real values.",
                    schema: ["type": "string", "maxLength": 255],
                    example: "/inApps/v1/notifications/test", isRequired: true),
                Parameter(
                    .query, "environment", "That of the fault; absent for a fault of both.",
                    schema: "Environment"),
            ],
            answers: ["All faults as they are now; the one of the path has ended, now or before."],
            refuses: [
                400: "`badQuery`: the path is missing, or the environment does not exist.",
                422: "`badField`: nothing below an environment has the path.",
            ],
            .now(FaultService.removeRequest)
        ),
    ]

}

extension FaultsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["verifyReceipt": ["count": 3, "status": 21_005]]]
    ]
}

extension RequestFaultBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            One of `status`, `errorCode` and `breaks`, or a delay alone, after which the answer is \
            as usual.
            """, "example": ["count": 2, "path": "/inApps/v1/notifications/test", "status": 503],
        ],
        "path": [
            "description": "Below the environment, as this document writes it.",
            "maxLength": 255,
        ],
        "environment": "Absent for both.",
        "status": ["minimum": 400, "maximum": 599],
        "errorCode": "Of the App Store Server API, such as 5000001.",
        "breaks": "Whether the connection is closed without an answer.",
        "delayMilliseconds": [
            "minimum": 0, "maximum": .integer(Limits.faultDelayMillisecondsMax),
        ],
        "count": [
            "minimum": 1, "maximum": 1_000_000,
            "description": "For this many requests that meet it; when absent, until it is removed.",
        ],
        "percentage": [
            "minimum": 1, "maximum": 100,
            "description": "How many requests in a hundred meet it; all when absent.",
        ],
        "seed": """
        The same seed picks the same requests, counted from the fault's beginning; 0 when absent. \
        Only with `percentage`.
        """,
    ]
}

extension ReceiptFaultBody: Described {
    package static let notes: Notes = [
        "status": "21005, 21009, 21010, or 21100 to 21199.",
        "isRetryable": "For 21100 to 21199 only.",
        "count": [
            "minimum": 1, "maximum": 1_000_000,
            "description": "For this many requests; when absent, until it is removed.",
        ],
    ]
}
