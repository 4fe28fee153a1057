import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum FamilyEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(.path, "number", schema: "FamilyNumber", example: 1)
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/families", "listFamilies", "The families of the world, oldest first",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(FamilyService.list)
        ),
        Endpoint(
            "POST", "/families", "makeFamily", "Make a family of its organiser",
            example: ["organiser": "buyer@example.com"],
            answers: [Answer(201, "Made.")],
            refuses: [
                404: "`accountUnknown`: there is no such account in the environment.",
                409: "`inFamily`: the account is in a family already.",
            ],
            .later(FamilyService.make)
        ),
        Endpoint(
            "GET", "/families/:number", "getFamily", "A family",
            answers: ["As it is."],
            refuses: [404: "`familyUnknown`: the world has none of that number."],
            .now { try FamilyService.show($0, $0["number"]) }
        ),
        Endpoint(
            "DELETE", "/families/:number", "deleteFamily", "End a family",
            about: "Nobody has anything of it any more; what each bought stays theirs.",
            answers: ["Ended."],
            refuses: [404: "`familyUnknown`: the world has none of that number."],
            .later { try await FamilyService.delete($0, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/add", "addFamilyMember", "Let an account join a family",
            about: """
                It gets what the others share, and they what it bought and may be shared. The \
                same answer, but for what it came to, when it is in the family already.
                """,
            example: ["name": "walker@example.com"],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """,
                409: """
                `inFamily`: it is in another. `familyFull`: it has \
                \(FamilyRules.membersMax) members.
                """,
            ],
            .later { try await FamilyService.add($0, $1, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/remove", "removeFamilyMember", "Let a member leave a family",
            about: "It loses what it has of the others, and they what they have of it.",
            example: ["name": "walker@example.com"],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """,
                409: """
                `notInFamily`: it is not in this one. `organiserStays`: it is the \
                organiser.
                """,
            ],
            .later { try await FamilyService.remove($0, $1, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/sharing", "setFamilySharing",
            "Let a member share its purchases, or stop it",
            about: """
                What the others have of it goes with that, and comes again as transactions of \
                their own.
                """,
            example: ["name": "walker@example.com", "sharesPurchases": false],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has none of that number. `accountUnknown`: \
                there is no such account in its environment.
                """, 409: "`notInFamily`: it is not in this one.",
            ],
            .later { try await FamilyService.setSharing($0, $1, $0["number"]) }
        ),
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
        "takenBack": ["minimum": 0, "description": "Shared transactions that members lost."],
        "withoutRoom": [
            "minimum": 0,
            "description":
                "Purchases that a member did not get because the member's receipt is full.",
        ],
    ]
}

extension FamiliesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["families": []]],
        "families": ["maxItems": .integer(Limits.familiesPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension FamilyBody.Member: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "name": "The account's name.",
        "sharesPurchases": "Whether this member's purchases are shared with the others.",
    ]
}
