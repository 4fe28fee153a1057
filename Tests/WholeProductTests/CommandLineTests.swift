import Foundation
import StoreWire
import TestSupport
import Testing

/// What `bodega` says and how it ends.
@Suite(.ownThreads) struct CommandLineTests {
    private func run(_ arguments: [String], in lab: Lab) throws -> (Int32, String) {
        let program = try Program(
            "bodega", arguments, environment: ["BODEGA_DATA": lab.storeData],
            logs: lab.folder + "/logs")
        let code = try program.wait()
        return (code, program.output + program.errors)
    }

    @Test(arguments: [[], ["--help"], ["help"], ["-h"], ["--version"]])
    func `help needs no store and exits with 0`(arguments: [String]) throws {
        let (code, text) = try run(arguments, in: try Lab())
        #expect(code == 0)
        #expect(text.contains("bodega"))
    }

    @Test(arguments: [
        ["nothing"], ["serve", "--nothing"], ["serve", "--port", "x"], ["serve", "--port"],
        ["serve", "extra"], ["catalog"], ["catalog", "import"], ["catalog", "import", "f"],
        ["clock", "advance", "soon"], ["clock", "hold", "tomorrow"], ["world", "delete"],
        ["backend"], ["buy", "p"], ["receipt", "verify"], ["receipt", "show"], ["shop"],
        ["shop", "set"],
        ["shop", "set", "--delay", "soon"], ["shop", "set", "--new-products", "later"],
        ["shop", "set", "--new-products", "wait", "--bundle-id", "a"], ["developer", "assign"],
        ["secret", "revoke", "x"], ["secret", "make", "--overlap", "1y"],
        ["secret", "list", "--bundle-id", "a", "--developer", "b"],
        ["offer-key"], ["offer-key", "revoke", "--bundle-id", "a"],
        ["offer-code"], ["offer-code", "make", "p", "--count", "1", "--bundle-id", "a"],
        ["offer-code", "make", "p", "o", "--bundle-id", "a"],
        ["offer-code", "make", "p", "o", "--word", "a", "--bundle-id", "a"],
        ["offer-code", "make", "p", "o", "--word", "a", "--count", "1", "--bundle-id", "a"],
        ["offer-code", "deactivate", "p", "x", "--bundle-id", "a"],
        ["product", "reject", "p", "--bundle-id", "a"],
        ["product", "reject", "p", "--bundle-id", "a", "--reason", "dislike"],
        ["product", "price", "p", "1", "--bundle-id", "a", "--from", "2026-12-24"],
        ["product", "category", "p", "toy", "--bundle-id", "a"],
        ["product", "cancel-price", "p", "x", "--bundle-id", "a"],
        ["openapi"], ["openapi", "nothing"], ["world", "seed"], ["content"],
        ["content", "upload", "p", "--bundle-id", "a"],
        ["world", "snapshot"], ["world", "restore", "default"], ["world", "reset"],
        ["account", "lock"], ["account", "lock", "a", "--until", "soon"], ["account", "sign-out"],
        ["account", "approval", "a"], ["account", "approval", "a", "maybe"],
        ["account", "interrupt", "a"], ["account", "resolve"], ["ask-to-buy"],
        ["ask-to-buy", "approve"], ["ask-to-buy", "decline", "x"], ["ask-to-buy", "approve", "0"],
        ["price-consent"], ["price-consent", "ask", "a", "p", "--bundle-id", "b"],
        ["price-consent", "ask", "a", "p", "dear", "--bundle-id", "b"],
        ["price-consent", "agree", "x"], ["price-consent", "decline"],
        ["credit"], ["credit", "add", "a"], ["credit", "take", "a", "1"], ["gift-code"],
        ["gift-code", "make", "1"], ["gift-code", "void", "x"],
        ["family"], ["family", "make"], ["family", "add", "x", "a"], ["family", "share", "1", "a"],
        ["family", "share", "1", "a", "maybe"], ["family", "delete", "0"],
        ["device"], ["device", "status"], ["transaction"], ["transaction", "sell"],
        ["transaction", "revoke", "1", "--reason", "dislike"],
        ["refund"], ["refund", "request", "1"], ["refund", "grant", "x"], ["refund", "decline"],
        ["refund", "request", "1", "--reason", "dislike"],
        ["refund", "consumption", "1", "--delivery", "delivered"],
        ["refund", "consumption", "1", "--consented", "--delivery", "lost"],
        [
            "refund", "consumption", "1", "--consented", "--delivery", "delivered", "--percentage",
            "101",
        ],
        ["device", "sign-in", "--home", "d"],
        ["doctor", "extra"], ["completion"], ["completion", "tcsh"],
    ])
    func `a misunderstood command exits with 2 and a sentence`(arguments: [String]) throws {
        let (code, text) = try run(arguments, in: try Lab())
        #expect(code == 2, "\(text)")
        #expect(text.hasPrefix("bodega: error: "))
        #expect(!text.contains("\u{1B}["), "colours are for terminals")
    }

    @Test(arguments: try CommandPage.groups())
    func `help has every level, and --help is the same`(group: CommandPage.Group) throws {
        let lab = try Lab()
        let (code, text) = try run(["help", group.name], in: lab)
        #expect(code == 0)
        #expect(text.hasPrefix("bodega \(group.name): "))
        #expect(try run([group.name, "--help"], in: lab).1 == text)
        #expect(try run(["--help", group.name], in: lab).1 == text)
        #expect(try run(["-h", group.name], in: lab).1 == text)
        #expect(try run(["--help"], in: lab).1.contains("bodega \(group.name) "))
        for command in group.commands {
            let (code, text) = try run(["help"] + command.words, in: lab)
            #expect(code == 0)
            #expect(text.hasPrefix("bodega \(command.words.joined(separator: " ")): "))
            let oneLine = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(oneLine.contains(command.synopsis), "\(text)")
            #expect(try run(command.words + ["--json", "--help"], in: lab).1 == text)
        }
    }

    @Test func `help on help is the overview`() throws {
        let lab = try Lab()
        let (code, text) = try run(["help", "help"], in: lab)
        #expect(code == 0)
        #expect(try run(["help"], in: lab).1 == text)
    }

    @Test func `a command may follow two hyphens, and words that begin with a hyphen`() throws {
        let lab = try Lab.open(withBackend: false)
        #expect(try run(["account", "--", "list"], in: lab).0 == 0)
        let (code, text) = try run(["world", "--", "show", "--odd"], in: lab)
        #expect(code == 2)
        #expect(text.contains("--odd"))
    }

    @Test func `the page of the command line is what bodega prints`() throws {
        let printed = try run(["man", "--markdown"], in: try Lab())
        #expect(printed.0 == 0)
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] != nil {
            try Data(printed.1.utf8).write(to: URL(fileURLWithPath: CommandPage.path))
        }
        let page = try String(contentsOfFile: CommandPage.path, encoding: .utf8)
        #expect(printed.1 == page, "bodega man --markdown > docs/command-line.md")
        for variable in [
            "BODEGA_HOST", "BODEGA_PRODUCTION_URL", "BODEGA_SANDBOX_URL", "BODEGA_DATA",
            "BODEGA_TOKEN",
        ] {
            #expect(page.contains("| `\(variable)` |"))
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"),
            "groff is not installed"))
    func `the manual page is one that man shows without a warning`() throws {
        let lab = try Lab()
        let page = lab.folder + "/bodega.1"
        try Data(try run(["man"], in: lab).1.utf8).write(to: URL(fileURLWithPath: page))
        let groff = try Program(
            "/usr/bin/groff", ["-man", "-ww", "-rLL=200n", "-Tascii", "-P-cbou", page],
            logs: lab.folder + "/logs")
        #expect(try groff.wait() == 0)
        #expect(groff.errors == "")
        for group in try CommandPage.groups() {
            for command in group.commands {
                let typed = command.words.joined(separator: " ")
                #expect(groff.output.contains("bodega \(typed)"), "\(typed)")
            }
        }
        #expect(groff.output.contains("  bodega clock advance 29d --world leap\n"))
    }

    @Test(arguments: ["store", "backend"])
    func `the OpenAPI document is printed with this version`(what: String) throws {
        let lab = try Lab()
        let (code, text) = try run(["openapi", what], in: lab)
        #expect(code == 0)
        let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        #expect(document.openapi == "3.1.0")
        #expect(try run(["--version"], in: lab).1.hasPrefix("bodega \(document.info.version) ("))
    }

    private struct Document: Decodable {
        struct Info: Decodable { let version: String }
        let openapi: String
        let info: Info
    }

    @Test func `the version is that of the newest section of the changes`() throws {
        let changes = try String(contentsOfFile: Lab.package + "/CHANGELOG.md", encoding: .utf8)
        let newest = try #require(changes.firstMatch(of: /(?m)^## ([0-9.]+)/)).1
        #expect(
            try run(["--version"], in: try Lab()).1
                == "bodega \(newest) (built from a working copy)\n")
        #expect(!changes.contains("## Unreleased"))
    }

    @Test func `a command without a running store gets a sentence`() throws {
        let lab = try Lab()
        try FileManager.default.createDirectory(
            atPath: lab.storeData, withIntermediateDirectories: true)
        try Data("a-token-of-more-than-thirty-two-bytes".utf8).write(
            to: URL(fileURLWithPath: lab.storeData + "/control-token"))
        let (code, text) = try run(
            ["account", "list", "--url", "http://127.0.0.1:9"], in: lab)
        #expect(code == 1)
        #expect(text.contains("bodega serve"))
    }

    @Test func `a command without a token says where it looked`() throws {
        let lab = try Lab()
        let (code, text) = try run(["account", "list"], in: lab)
        #expect(code == 1)
        #expect(text.contains("BODEGA_TOKEN"))
        #expect(text.contains(lab.storeData))
    }

    @Test(arguments: [
        (["clock", "advnce", "1d"], 2, "usage"), (["shop", "set", "--delay", "soon"], 2, "usage"),
        (["account", "list"], 1, "failed"),
        (["account", "list", "--url", "http://127.0.0.1:9"], 1, "unreachable"),
        (["backend", "retry", "x", "--url", "http://127.0.0.1:9"], 1, "unreachable"),
        (["catalog", "import", "/nowhere", "--bundle-id", "a"], 1, "failed"),
    ])
    func `with --json an error is an object on standard error`(
        typed: [String], code: Int32, name: String
    ) throws {
        let lab = try Lab()
        var environment = ["BODEGA_DATA": lab.storeData, "BODEGA_BACKEND_DATA": lab.backendData]
        if name == "unreachable" {
            environment["BODEGA_TOKEN"] = "a"
            environment["BODEGA_OPERATOR_TOKEN"] = "a"
        }
        func end(_ more: [String]) throws -> Program {
            let program = try Program(
                "bodega", typed + more, environment: environment, logs: lab.folder + "/logs")
            #expect(try program.wait() == code)
            #expect(program.output == "")
            return program
        }
        let error = try WireJSON.decode(
            ErrorBody.self, from: Array(try end(["--json"]).errors.utf8)
        ).error
        #expect(error.code == name)
        #expect(try end([]).errors == "bodega: error: \(error.message)\n")
    }

    @Test func `with --json an error has the code that the store gave it`() throws {
        let lab = try Lab()
        try lab.startStore()
        for (typed, code, name) in [
            (["clock", "show", "--world", "absent"], Int32(1), "worldUnknown"),
            (["clock", "advance", "1000000000d"], 2, "clockOutOfRange"),
        ] {
            let said = try lab.bodega(typed + ["--json"], code: code)
            let error = try WireJSON.decode(ErrorBody.self, from: Array(said.utf8)).error
            #expect(error.code == name)
            #expect(try lab.bodega(typed, code: code) == "bodega: error: \(error.message)\n")
        }
    }

    @Test func `the shop owner's commands work together`() throws {
        let lab = try Lab.open()
        let app = ["--bundle-id", Lab.bundleID]
        let file = try String(
            contentsOfFile: Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            encoding: .utf8)
        #expect(try lab.bodega(["catalog", "export"] + app) == file)
        let again = try lab.bodega(
            [
                "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
                "--json",
            ] + app)
        #expect(again.contains(#""unchangedCount":5"#))
        try lab.bodega(["product", "price", Lab.fuel, "160", "--storefront", "JPN"] + app)
        try lab.bodega(["product", "remove", Lab.turbo] + app)
        let list = try lab.bodega(["product", "list"] + app)
        #expect(list.contains("JPN 160"))
        #expect(list.contains("removedFromSale"))
        try lab.bodega(["product", "approve", Lab.turbo] + app)
        try lab.bodega(["product", "price", "absent", "1"] + app, code: 1)
        #expect(try lab.bodega(["account", "list"]).contains("buyer@example.com"))
        try lab.bodega(["account", "add", "buyer@example.com", "--password", "12345678"], code: 1)
        try lab.bodega(["world", "make", "leap"])
        let held = try lab.bodega(["clock", "hold", "2028-02-28", "--world", "leap"])
        #expect(held.hasPrefix("2028-02-28T00:00:00Z, held, renewing: "))
        let advanced = try lab.bodega(["clock", "advance", "1d", "--world", "leap"])
        #expect(advanced.hasPrefix("2028-02-29T00:00:00Z, held, renewing: "))
        #expect(advanced.contains("0 renewals, 0 failed payments, 0 subscriptions ended"))
        #expect(try lab.bodega(["world", "list", "--json"]).contains(#""name":"leap""#))
        try lab.bodega(["world", "delete", "leap"])
        try lab.bodega(["clock", "show", "--world", "leap"], code: 1)
    }

    @Test func `reviews, delays, dated prices and secrets work from the command line`() throws {
        let lab = try Lab.open(withBackend: false)
        let app = ["--bundle-id", Lab.bundleID]
        try lab.bodega(["clock", "hold", "2030-01-01"])
        let reject = ["product", "reject", Lab.turbo, "--reason", "digitalGoodsOnly"] + app
        #expect(try lab.bodega(reject).contains("rejected: digitalGoodsOnly"))
        let early = try lab.bodega(["product", "approve", Lab.turbo] + app, code: 1)
        #expect(early.contains("submit it for review again"))
        try lab.bodega(["product", "hold", Lab.turbo] + app)
        try lab.bodega(["product", "approve", Lab.turbo] + app)
        let history = try lab.bodega(["product", "history", Lab.turbo] + app)
        #expect(history.split(separator: "\n").count == 5, "\(history)")
        let json = try lab.bodega(["product", "history", "--json"] + app)
        #expect(json.contains(#""reason":"digitalGoodsOnly""#))
        #expect(try lab.bodega(["product", "policy"]).contains("noIntermediaryCurrency: "))
        #expect(
            try lab.bodega(["product", "category", Lab.fuel, "content"] + app).contains("content"))

        let unknown = try lab.bodega(["product", "offers", "com.example.no"] + app, code: 1)
        #expect(unknown.contains("no product"), "\(unknown)")

        let price = ["product", "price", Lab.fuel, "160", "--storefront", "JPN"] + app
        let added = try lab.bodega(price + ["--from", "2030-01-02"])
        #expect(added.contains("160 JPY  2030-01-02T00:00:00Z  coming"), "\(added)")
        try lab.bodega(price + ["--from", "2029-01-02"], code: 1)
        let number = String(added.prefix { $0 != " " })
        try lab.bodega(["product", "cancel-price", Lab.fuel, number] + app)
        #expect(try lab.bodega(["product", "prices", Lab.fuel] + app).contains("cancelled"))

        #expect(try lab.bodega(["shop", "show"]).contains("cleared for sale"))
        let set = try lab.bodega(["shop", "set", "--new-products", "wait", "--delay", "24h"])
        #expect(set == "new products wait for review, changes are seen after 1d\n")
        let list = try lab.bodega(["product", "price", Lab.fuel, "2"] + app)
        #expect(list.contains("devices see this from 2030-01-02T00:00:00Z on"))
        try lab.bodega(["shop", "set", "--delay", "1.5s"] + app)
        #expect(try lab.bodega(["shop", "apps"]).contains("1.5s"))
        try lab.bodega(["shop", "set", "--delay", "world"] + app)
        #expect(try lab.bodega(["shop", "apps"]).contains("as the world  none"))
        try lab.bodega(["shop", "set", "--grace-period", "16"] + app)
        #expect(try lab.bodega(["shop", "apps"]).contains("as the world  16 days"))
        let listed = try lab.bodega(["shop", "apps", "--json"])
        #expect(listed.contains(#""gracePeriodDays":16"#))

        let secret = try lab.bodega(["secret", "make", "--json"])
        #expect(secret.contains(#""number":1"#))
        try lab.bodega(["developer", "add", "Rocket Games"])
        #expect(try lab.bodega(["developer", "list"]) == "default\nRocket Games\n")
        try lab.bodega(["developer", "assign", "Rocket Games"] + app)
        try lab.bodega(["secret", "make", "--developer", "Rocket Games"])
        try lab.bodega(["secret", "make", "--overlap", "0s"] + app)
        #expect(try lab.bodega(["secret", "list"]).contains("current"))
        #expect(try lab.bodega(["secret", "revoke", "1"]) == "revoked 1\n")
        try lab.bodega(["secret", "revoke", "1"] + app, code: 1)
    }

    @Test func `credit and gift codes work from the command line`() throws {
        let lab = try Lab.open()
        let name = "buyer@example.com"
        #expect(try lab.bodega(["credit", "show", name]) == "\(name) has nothing\n")
        let id = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
        let add = ["credit", "add", name, "10", "--request-id", id]
        let added = try lab.bodega(add)
        #expect(added == "gave 10 USD to \(name), balance then 10 USD (entry 1)\n")
        #expect(try lab.bodega(add) == added)
        try lab.bodega(["credit", "add", name, "11", "--request-id", id], code: 1)
        let why = ["--reason", "Paid in twice."]
        #expect(
            try lab.bodega(["credit", "take", name, "4.99"] + why)
                == "took 4.99 USD from \(name), balance then 5.01 USD (entry 2)\n")
        let more = try lab.bodega(["credit", "take", name, "5.02"] + why, code: 1)
        #expect(more.contains("less credit than that"))
        let made = try lab.bodega(["gift-code", "make", "25", "USD", "--json"])
        let code = try #require(made.firstMatch(of: /"code":"([0-9A-Z-]{24})"/)).1
        #expect(
            try lab.bodega(["credit", "redeem", name, code.lowercased()])
                == "gave 25 USD to \(name), balance then 30.01 USD (entry 3)\n")
        try lab.bodega(["gift-code", "void", "1"], code: 1)
        try lab.bodega(["gift-code", "make", "1", "EUR", "--expires", "2030-12-31"])
        #expect(try lab.bodega(["gift-code", "void", "2"]) == "voided 2\n")
        let codes = try lab.bodega(["gift-code", "list"])
        #expect(codes.contains("redeemed") && codes.contains("voided"))
        #expect(!codes.contains(code))
        let shown = try lab.bodega(["credit", "show", name]).split(separator: "\n")
        #expect(shown.first == "\(name) has 30.01 USD")
        #expect(shown.count == 5, "\(shown)")
        #expect(shown[3].contains("Paid in twice."))
        #expect(try lab.doctor().contains("3 entries, all balanced"))
        let move = ["account", "storefront", name]
        #expect(
            try lab.bodega(move + ["DEU"]).hasPrefix(
                "\(name) now buys in DEU\n30.01 USD of its credit cannot be spent there"))
        #expect(try lab.bodega(move + ["FRA", "--json"]).hasPrefix("{"))
        #expect(try lab.bodega(move + ["USA"]) == "\(name) now buys in USA\n")
    }

    @Test func `a broken catalogue file is refused with its place`() throws {
        let lab = try Lab.open()
        let path = lab.folder + "/broken.storekit"
        try Data("{\n  \"products\" : [\n    {\n".utf8).write(to: URL(fileURLWithPath: path))
        let text = try lab.bodega(
            ["catalog", "import", path, "--bundle-id", Lab.bundleID], code: 1)
        #expect(text.contains(path))
        #expect(text.contains("line 4"))
    }
}
