import StoreModel
import StoreWire

/// `bodega family`
enum FamilyCommand {
    static let command = Command(
        group: "family", "accounts that share their purchases", shared: Option.inWorld,
        details: """
            A family is an organiser and up to five others, accounts of one environment, each in at
            most one family. A member's non-consumables and subscriptions, when their product may be
            shared, reach the others as transactions of their own; a new member gets everything the
            others share. A shared purchase is revoked when either leaves, when its buyer stops
            sharing, and when it is refunded. The organiser cannot leave; delete ends the family.
            Every change reports what was shared and what was revoked.
            """,
        examples: [
            "bodega family make fan@example.com", "bodega family add 1 kid@example.com",
            "bodega family share 1 fan@example.com off", "bodega family remove 1 kid@example.com",
        ],
        commands: [
            Command("make ORGANISER", "begin a family", [.environment]) {
                let body = MakeFamilyBody(
                    environment: $0.environment, organiser: $0["ORGANISER"])
                try $0.send("POST", "/families", body) { (change: FamilyChangeBody) in
                    text(of: change)
                }
            },
            Command("add NUMBER ACCOUNT", "add a member") {
                let body = FamilyMemberNameBody(name: $0["ACCOUNT"])
                try $0.send("POST", try path($0) + "/add", body) { (change: FamilyChangeBody) in
                    text(of: change)
                }
            },
            Command("remove NUMBER ACCOUNT", "remove a member") {
                let body = FamilyMemberNameBody(name: $0["ACCOUNT"])
                try $0.send("POST", try path($0) + "/remove", body) { (change: FamilyChangeBody) in
                    text(of: change)
                }
            },
            Command("share NUMBER ACCOUNT on|off", "set whether a member shares purchases") {
                let body = FamilySharingBody(
                    name: $0["ACCOUNT"], sharesPurchases: $0["on|off"] == "on")
                try $0.send("POST", try path($0) + "/sharing", body) { (change: FamilyChangeBody) in
                    text(of: change)
                }
            },
            Command("list", "every family and its members", run: list),
            Command("show NUMBER", "one family") {
                try $0.send("GET", try path($0)) { (family: FamilyBody) in text(of: family) }
            },
            Command("delete NUMBER", "end a family") {
                try $0.send("DELETE", try path($0)) { (change: FamilyChangeBody) in text(of: change)
                }
            },
        ])

    private static func path(_ arguments: Arguments) throws -> String {
        "/families/\(try arguments.number(listedBy: "bodega family list"))"
    }

    private static func text(of change: FamilyChangeBody) -> String {
        var lines = [text(of: change.family)]
        lines.append("shared \(change.shared), revoked \(change.takenBack)")
        if change.withoutRoom > 0 {
            lines.append("\(change.withoutRoom) not shared: a receipt is full")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(of family: FamilyBody) -> String {
        guard !family.members.isEmpty else { return "family \(family.number) has ended" }
        return "family \(family.number): "
            + family.members.map { text(of: $0) }.joined(separator: ", ")
    }

    private static func text(of member: FamilyBody.Member) -> String {
        let notes =
            (member.isOrganiser ? ["organiser"] : [])
            + (member.sharesPurchases ? [] : ["does not share"])
        return member.name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/families", \.families, \.next, FamiliesBody.init,
            ["NUMBER", "ENVIRONMENT", "MADE", "MEMBERS"]
        ) { family in
            [
                "\(family.number)", family.environment.rawValue, TimeWords.text(family.madeAt),
                family.members.map { text(of: $0) }.joined(separator: ", "),
            ]
        }
    }
}
