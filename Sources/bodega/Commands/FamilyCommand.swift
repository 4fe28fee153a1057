import StoreModel
import StoreWire

/// `bodega family make|add|remove|share|list|show|delete`
enum FamilyCommand {
    static let command = Command(
        help: """
            bodega family: accounts that share what they buy

              bodega family make ORGANISER
              bodega family add NUMBER ACCOUNT
              bodega family remove NUMBER ACCOUNT
              bodega family share NUMBER ACCOUNT on|off
              bodega family list
              bodega family show NUMBER
              bodega family delete NUMBER

            A family is an organiser and up to five others, accounts of one environment, each in one
            family at most. What a member buys, non-consumables and subscriptions whose product may
            be shared, the others get as transactions of their own, also who joins later; it is
            taken back when either leaves, when its buyer shares no more (share off), and when it is
            refunded. The organiser does not leave; delete ends the family. Every change says what
            was shared and what was taken back.

            Options:
              --environment E  of the organiser: sandbox (when not given) or production
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega family make fan@example.com
              bodega family add 1 kid@example.com
              bodega family share 1 fan@example.com off
              bodega family remove 1 kid@example.com
            """,
        options: ControlClient.options.union(["environment"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make":
            let body = MakeFamilyBody(
                environment: try arguments.environment(),
                organiser: try arguments.words("make", "organiser")[1])
            try show(try ControlClient(arguments).send("POST", "/families", body), arguments)
        case "add", "remove":
            let verb = arguments.positional[0]
            let words = try arguments.words(verb, "number", "account")
            try change(words[1], verb, FamilyMemberNameBody(name: words[2]), arguments)
        case "share": try share(arguments)
        case "list": try list(arguments)
        case "show":
            let number = try named(try arguments.words("show", "number")[1])
            let answer = try ControlClient(arguments).send("GET", "/families/\(number)")
            try Answer.show(answer, as: FamilyBody.self, arguments) { text(of: $0) }
        case "delete":
            let number = try named(try arguments.words("delete", "number")[1])
            try show(try ControlClient(arguments).send("DELETE", "/families/\(number)"), arguments)
        default:
            throw arguments.notOne(of: "make", "add", "remove", "share", "list", "show", "delete")
        }
    }

    private static func named(_ word: String) throws -> Int64 {
        try Arguments.number(word, listedBy: "bodega family list")
    }

    private static func share(_ arguments: Arguments) throws {
        let words = try arguments.words("share", "number", "account", "on|off")
        guard ["on", "off"].contains(words[3]) else {
            throw UsageError("a member shares on or off, not \(words[3])")
        }
        let body = FamilySharingBody(name: words[2], sharesPurchases: words[3] == "on")
        try change(words[1], "sharing", body, arguments)
    }

    private static func change(
        _ number: String, _ verb: String, _ body: any Encodable, _ arguments: Arguments
    ) throws {
        let path = "/families/\(try named(number))/\(verb)"
        try show(try ControlClient(arguments).send("POST", path, body), arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: FamilyChangeBody.self, arguments) { body in
            var lines = [text(of: body.family)]
            lines.append("shared \(body.shared), taken back \(body.takenBack)")
            if body.withoutRoom > 0 {
                lines.append("\(body.withoutRoom) not shared: a receipt is full")
            }
            return lines.joined(separator: "\n")
        }
    }

    private static func text(of family: FamilyBody) -> String {
        guard !family.members.isEmpty else { return "family \(family.number) has ended" }
        return "family \(family.number): "
            + family.members.map { text(of: $0) }.joined(separator: ", ")
    }

    private static func text(of member: FamilyBody.Member) -> String {
        let notes =
            (member.isOrganiser ? ["organiser"] : [])
            + (member.sharesPurchases ? [] : ["shares nothing"])
        return member.name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let families = try ControlClient(arguments).pages(
            FamiliesBody.self, "/families", next: \.next
        ).flatMap(\.families)
        if arguments.has("json") {
            let all = try WireJSON.encode(FamiliesBody(families: families, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["NUMBER", "ENVIRONMENT", "MADE", "MEMBERS"],
                families.map { family in
                    [
                        "\(family.number)", family.environment.rawValue,
                        TimeWords.text(family.madeAt),
                        family.members.map { text(of: $0) }.joined(separator: ", "),
                    ]
                }))
    }
}
