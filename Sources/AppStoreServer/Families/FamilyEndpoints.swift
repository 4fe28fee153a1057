import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum FamilyEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/families", "listFamilies", "The families of the world, oldest first",
            takes: [.after],
            answers: [Answer(200, "A page of them.", .json(FamiliesBody.self))],
            refuses: [400: .badAfter]
        ) { FamilyControl.list($0, $2, $3) },
        Endpoint(
            "POST", "/families", "makeFamily", "Make a family of its organiser",
            body: RequestBody(
                .json(MakeFamilyBody.self), example: ["organiser": "buyer@example.com"]),
            answers: [Answer(201, "Made.", .json(FamilyChangeBody.self))],
            refuses: [
                404: "`accountUnknown`: there is no such account in the environment.",
                409: "`inFamily`: the account is in a family already.",
            ]
        ) { FamilyControl.make($0, $2, $3) },
        Endpoint(
            "GET", "/families/:number", "getFamily", "A family",
            takes: [Parameter(.path, "number", schema: "FamilyNumber", example: 1)],
            answers: [Answer(200, "As it is.", .json(FamilyBody.self))],
            refuses: [404: "`familyUnknown`: the world has none of that number."]
        ) { FamilyControl.show($0, $1.named("number"), $2, $3) },
        Endpoint(
            "DELETE", "/families/:number", "deleteFamily", "End a family",
            about: "Nobody has anything of it any more; what each bought stays theirs.",
            takes: [Parameter(.path, "number", schema: "FamilyNumber", example: 1)],
            answers: [Answer(200, "Ended.", .json(FamilyChangeBody.self))],
            refuses: [404: "`familyUnknown`: the world has none of that number."]
        ) { FamilyControl.delete($0, $1.named("number"), $2, $3) },
        Endpoint(
            "POST", "/families/:number/add", "addFamilyMember", "Let an account join a family",
            about: """
                It gets what the others share, and they what it bought and may be shared. The \
                same answer, but for what it came to, when it is in the family already.
                """,
            takes: [Parameter(.path, "number", schema: "FamilyNumber", example: 1)],
            body: RequestBody(
                .json(FamilyMemberNameBody.self), example: ["name": "walker@example.com"]),
            answers: [Answer(200, "Changed, now or before.", .json(FamilyChangeBody.self))],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """,
                409: """
                `inFamily`: it is in another. `familyFull`: it has \
                \(FamilyRules.membersMax) members.
                """,
            ]
        ) { FamilyControl.add($0, $1.named("number"), $2, $3) },
        Endpoint(
            "POST", "/families/:number/remove", "removeFamilyMember", "Let a member leave a family",
            about: "It loses what it has of the others, and they what they have of it.",
            takes: [Parameter(.path, "number", schema: "FamilyNumber", example: 1)],
            body: RequestBody(
                .json(FamilyMemberNameBody.self), example: ["name": "walker@example.com"]),
            answers: [Answer(200, "Changed, now or before.", .json(FamilyChangeBody.self))],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """,
                409: """
                `notInFamily`: it is not in this one. `organiserStays`: it is the \
                organiser.
                """,
            ]
        ) { FamilyControl.remove($0, $1.named("number"), $2, $3) },
        Endpoint(
            "POST", "/families/:number/sharing", "setFamilySharing",
            "Let a member share its purchases, or stop it",
            about: """
                What the others have of it goes with that, and comes again as transactions of \
                their own.
                """,
            takes: [Parameter(.path, "number", schema: "FamilyNumber", example: 1)],
            body: RequestBody(
                .json(FamilySharingBody.self),
                example: ["name": "walker@example.com", "sharesPurchases": false]),
            answers: [Answer(200, "Changed, now or before.", .json(FamilyChangeBody.self))],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """, 409: "`notInFamily`: it is not in this one.",
            ]
        ) { FamilyControl.setSharing($0, $1.named("number"), $2, $3) },
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "FamilyNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ]
    ]
}

extension MakeFamilyBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "organiser": "The account's name.",
    ]
}

extension FamilyMemberNameBody: Described {
    package static let notes: Notes = [
        "name": "Of an account of the family's environment."
    ]
}

extension FamilySharingBody: Described {
    package static let notes: Notes = [
        "name": "The account's name."
    ]
}

extension FamilyBody: Described {
    package static let notes: Notes = [
        "": [
            "description": "Its times are by the world's clock.",
            "example": [
                "environment": "sandbox", "madeAt": 1_714_558_830_123,
                "members": [
                    [
                        "isOrganiser": true, "joinedAt": 1_714_558_830_123,
                        "name": "buyer@example.com", "sharesPurchases": true,
                    ]
                ], "number": 1,
            ],
        ],
        "number": .component("FamilyNumber"),
        "members": [
            "description": "The organiser first; none in a family that has ended.",
            "maxItems": .integer(FamilyRules.membersMax),
        ],
    ]
}

extension FamilyChangeBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "family": [
                    "environment": "sandbox", "madeAt": 1_714_558_830_123,
                    "members": [
                        [
                            "isOrganiser": true, "joinedAt": 1_714_558_830_123,
                            "name": "buyer@example.com", "sharesPurchases": true,
                        ]
                    ], "number": 1,
                ], "shared": 0, "takenBack": 0, "withoutRoom": 0,
            ]
        ],
        "shared": [
            "minimum": 0,
            "description": "The transactions by which members got what others had bought.",
        ],
        "takenBack": ["minimum": 0, "description": "Those that members had and have no more."],
        "withoutRoom": [
            "minimum": 0,
            "description": "Purchases that a member did not get because its receipt is full.",
        ],
    ]
}

extension FamiliesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["families": []]],
        "families": ["maxItems": .integer(Limits.familiesPerAnswerMax)],
        "next": ["minimum": 1, "description": "Where the next page goes on; absent on the last."],
    ]
}

extension FamilyBody.Member: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "name": "The account's name.",
        "sharesPurchases": "Whether the others get what this one buys.",
    ]
}
