import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum FamilyEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(
            .path, "number", schema: "FamilyNumber", example: 1,
            unknown: "`familyUnknown`: the world has no family with that number.")
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
            "POST", "/families", "makeFamily", "Make a family with its organiser",
            example: ["organiser": "buyer@example.com"],
            answers: [Answer(201, "Made.")],
            refuses: [
                404: "`accountUnknown`: the environment has no account of that name.",
                409: "`inFamily`: the account is already in a family.",
            ],
            .later(FamilyService.make)
        ),
        Endpoint(
            "GET", "/families/:number", "getFamily", "A family",
            answers: ["The family."],
            .now { try FamilyService.show($0, $0["number"]) }
        ),
        Endpoint(
            "DELETE", "/families/:number", "deleteFamily", "End a family",
            about: "Its members lose what the others shared; each keeps their own purchases.",
            answers: ["Ended."],
            .later { try await FamilyService.delete($0, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/add", "addFamilyMember", "Let an account join a family",
            about: """
                The account gets what the others share, and they get its purchases that may be \
                shared. When it is already in the family, the answer is the same except for the \
                counts.
                """,
            example: ["name": "walker@example.com"],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has no family with that number. `accountUnknown`: its \
                environment has no account of that name.
                """,
                409: """
                `inFamily`: the account is in another family. `familyFull`: the family has \
                \(FamilyRules.membersMax) members.
                """,
            ],
            .later { try await FamilyService.add($0, $1, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/remove", "removeFamilyMember", "Let a member leave a family",
            about: "The member loses what the others shared, and they lose what it shared.",
            example: ["name": "walker@example.com"],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has no family with that number. `accountUnknown`: its \
                environment has no account of that name.
                """,
                409: """
                `notInFamily`: the account is not in this family. `organiserStays`: it is the \
                organiser.
                """,
            ],
            .later { try await FamilyService.remove($0, $1, $0["number"]) }
        ),
        Endpoint(
            "POST", "/families/:number/sharing", "setFamilySharing",
            "Let a member share its purchases, or stop it",
            about: """
                Stopping takes back what the others have of it; sharing again gives it to them in \
                new transactions.
                """,
            example: ["name": "walker@example.com", "sharesPurchases": false],
            answers: ["Changed, now or before."],
            refuses: [
                404: """
                `familyUnknown`: the world has no family with that number. `accountUnknown`: its \
                environment has no account of that name.
                """, 409: "`notInFamily`: the account is not in this family.",
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
        "name": "The name of an account in the family's environment."
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
            "description": "The organiser first; empty once the family has ended.",
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
            "description": "Transactions that gave members what others had bought.",
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
