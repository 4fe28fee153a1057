package import StoreService
package import StoreWire

/// The waits of processes with devices in many worlds.
enum NewsWaitEndpoints: StoreEndpoints {
    static let root: [Endpoint<StoreHandler>] = [
        Endpoint(
            "POST", "/device/v1/waits", "waitForNews", "Wait until one of many devices has news",
            about: """
                For processes with many devices, such as tests side by side; a device alone asks for \
                its updates. Each device waits as its `getUpdates` would, and asks for them when it \
                is ready.
                """,
            body: RequestBody(
                .json(NewsWaitBody.self),
                example: [
                    "devices": [
                        [
                            "after": 0, "environment": "sandbox",
                            "id": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "signed": true,
                            "token": "of the device", "world": "one",
                        ]
                    ], "wait": 0,
                ]),
            answers: [
                Answer(200, "The devices that are ready.", .json(NewsWaitAnswerBody.self))
            ],
            refuses: [
                422: """
                `badField`: `devices` has none or more than \(Limits.devicesPerWaitMax), `wait` or \
                `after` is negative, `id` is not a UUID, or a world cannot have such a name.
                """
            ],
            .raw { call, responder in
                try NewsWaitService.wait(call.request, call.context, responder)
            }
        )
    ]
}

extension NewsWaitBody: Described {
    package static let notes: Notes = [
        "devices": ["minItems": 1, "maxItems": .integer(Limits.devicesPerWaitMax)],
        "wait": [
            "description": .string(
                """
                How many seconds to wait, \(Limits.pollSecondsMax) at most; 0 answers at \
                once.
                """), "minimum": 0,
        ],
    ]
}

extension NewsWaitBody.Device: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "id": .component(
            "UUID",
            """
            Chosen for this wait. A wait that another request names again is no longer part of the \
            earlier one, which is answered. Of an id that stands twice, the first is ready.
            """),
        "world": .component("WorldName"),
        "after": ["description": "The cursor of the last answer.", "minimum": 0],
        "signed": "Whether to hear also of what only changes signed data.",
    ]
}

extension NewsWaitAnswerBody: Described {
    package static let notes: Notes = [
        "ready": [
            "description": """
            The places in `devices`, from 0, of those that ask for their updates now: they have \
            news, or may not wait and learn why. Empty when the wait ended.
            """,
            "items": ["minimum": 0, "type": "integer"],
        ]
    ]
}
