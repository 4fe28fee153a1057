import Foundation
import TestSupport
import Testing

/// Values that no store has to be asked about: exit code 2, and a sentence that names what stands
/// where and what may.
@Suite(.ownThreads) struct CommandLineValueTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let typed: [String]
        let said: String

        /// The words as they are typed, blanks between them.
        init(_ typed: String, _ said: String) {
            self.typed = typed.split(separator: " ").map(String.init)
            self.said = said
        }

        var testDescription: String { typed.joined(separator: " ") }
    }

    private static let time = "is not a time from 2000 to 2099: write it like 2026-03-31 or"
    private static let amount = "is not an amount of time: write it like 90s, 1.5h or 30d"
    private static let address = "is not an address: write it like http://127.0.0.1:8080"
    private static let name = "is not a name: write 1 to 64 small letters, digits and hyphens"

    private static let words: [Row] = [
        Row("nonsense", #"there is no command "nonsense"; try bodega --help"#),
        Row("help nonsense", #"there is no command "nonsense"; try bodega --help"#),
        Row("clok", #"there is no command "clok" (did you mean clock?); try bodega --help"#),
        Row("help clok", #"there is no command "clok" (did you mean clock?); try bodega --help"#),
        Row("clok --help", #"there is no command "clok" (did you mean clock?); try bodega --help"#),
        Row(
            "clock advnace 1d",
            #"bodega clock has no "advnace" (did you mean advance?): write show, hold, run, adv"#
        ),
        Row(
            "help shop sett", #"bodega shop has no "sett" (did you mean set?): write show, set"#),
        Row("help shop set x", #""x" is one word too many after bodega help shop set"#),
        Row(
            "clock show --jsn", "bodega clock show has no option --jsn (did you mean --json?); try"),
        Row(
            "shop set --dleay=1h",
            "bodega shop set has no option --dleay=1h (did you mean --delay?)"),
        Row("account list --until 1", "bodega account list has no option --until; try"),
        Row("--nothing", "bodega has no option --nothing; try bodega --help"),
        Row("account approval a maybe", #""maybe" is neither on nor off; try bodega account app"#),
        Row("clock pace fast", "PACE fast is not one of calendar, "),
        Row(
            "refund request 1 --reason dislike", "--reason dislike is not one of unintended-purch"),
        Row("refund show x", "ID x is not a transaction's number"),
        Row("fault verify-receipt 21005 --count 0", "--count 0 is not a number from 1 up"),
        Row("server-api limits on --hourly-max 0", "--hourly-max 0 is not a number from 1 up"),
        Row("server-api limits off --hourly-max 5", "--hourly-max is for limits on"),
        Row(
            "certificate rotate root", #""root" is neither leaf nor intermediate; try bodega cert"#),
        Row(
            "certificate revoke leaf --reason gone",
            "--reason gone is not one of unspecified, keyCompromise, "),
        Row("server-api limits --hourly-max 5", "--hourly-max is for limits on"),
        Row("doctor x", #""x" is one word too many after bodega doctor; try bodega doctor --help"#),
        Row("serve x", #""x" is one word too many after bodega serve"#),
        Row("openapi", "bodega openapi needs a subcommand: store or backend; try"),
        Row("openapi app", #"bodega openapi has no "app": write store or backend"#),
        Row("openapi store x", #""x" is one word too many after bodega openapi store"#),
        Row("completion", "bodega completion needs a subcommand: bash, zsh or fish"),
        Row("completion bash x", #""x" is one word too many after bodega completion bash"#),
        Row("receipt", "bodega receipt needs a subcommand: show or verify"),
        Row("receipt verify", "bodega receipt verify needs FILE"),
        Row("receipt verify f", "bodega receipt verify needs --url"),
        Row("clock", "bodega clock needs a subcommand: show, hold, run, advance, "),
        Row(
            "clock advance",
            "bodega clock advance needs AMOUNT|TIME; try bodega clock advance --help"),
        Row("clock show x", #""x" is one word too many after bodega clock show"#),
        Row("clock hold 2026-01-01 x", #""x" is one word too many after bodega clock hold 2026-"#),
        Row("product price a --bundle-id a", "bodega product price needs PRODUCT and PRICE"),
        Row("product approve --bundle-id a", "bodega product approve needs PRODUCT"),
        Row("product history a b --bundle-id a", #""b" is one word too many after bodega product"#),
        Row("product reject p --bundle-id a", "bodega product reject needs --reason"),
        Row("world seed", "bodega world seed needs FILE"),
        Row("world snapshot", "bodega world snapshot needs WORLD"),
        Row("world restore w", "bodega world restore needs WORLD and SNAPSHOT"),
        Row("world make a b", #""b" is one word too many after bodega world make a"#),
        Row("account add", "bodega account add needs NAME"),
        Row("developer add", "bodega developer add needs NAME"),
        Row("catalog import f", "bodega catalog import needs --bundle-id"),
        Row("buy", "bodega buy needs PRODUCT"),
        Row("buy p", "bodega buy needs --account"),
        Row("restore", "bodega restore needs --account"),
        Row("subscription new p --account a", "bodega subscription new needs --state"),
        Row("credit add a", "bodega credit add needs NAME and AMOUNT"),
        Row("credit take a 1", "bodega credit take needs --reason"),
        Row("secret revoke", "bodega secret revoke needs NUMBER"),
        Row("shop set", "bodega shop set needs --new-products or --delay"),
        Row("shop show --nothing", "bodega shop show has no option --nothing"),
        Row("shop show --json=1", "--json does not take a value, but --json=1 has one"),
        Row("shop set --delay", "--delay needs a value after it"),
        Row("backend sell", #"bodega backend has no "sell": write lookup, retry, recheck,"#),
        Row("backend retry", "bodega backend retry needs ID"),
        Row(
            "backend lookup",
            "bodega backend lookup needs a subcommand: all, user,"),
        Row("backend lookup user", "bodega backend lookup user needs NAME"),
    ]

    private static let values: [Row] = [
        Row("serve --port 65536", "--port 65536 is not a port: write a number from 0 to 65535"),
        Row("serve --port -1", "--port -1 is not a port"),
        Row("serve --host here", "--host here is not an address: write it like 127.0.0.1 or ::1"),
        Row("doctor --port x", "--port x is not a port"),
        Row("doctor --host here", "--host here is not an address"),
        Row(
            "backend --products p --production-url here --sandbox-url http://a",
            "--production-url here \(address)"),
        Row(
            "backend --products p --production-url http://a --sandbox-url ftp://a",
            "--sandbox-url ftp://a \(address)"),
        Row(
            "backend --products p --production-url http://a --sandbox-url http://a --port 1e3",
            "--port 1e3 is not a port"),
        Row(
            "backend --products p --production-url http://a --sandbox-url http://a --host here",
            "--host here is not an address"),
        Row("backend lookup user a --url here", "--url here \(address)"),
        Row(
            "backend lookup colour red",
            #"bodega backend lookup has no "colour": write all, user, "#
        ),
        Row("backend lookup state bogus", "STATE bogus is not one of received, kept, stalled"),
        Row("backend lookup user a --limit 500", "--limit 500 is not a number from 1 to 200"),
        Row("backend lookup user a --limit 0", "--limit 0 is not a number from 1 to 200"),
        Row("backend lookup user a --limit many", "--limit many is not a number from 1 to 200"),
        Row("shop show --url here", "--url here \(address)"),
        Row("shop show --world No", "--world No \(name)"),
        Row("shop set --delay soon", "--delay soon \(amount)"),
        Row("shop set --delay 8d", "--delay 8d is too long: the maximum is 7d"),
        Row("shop set --delay -1s", "--delay -1s \(amount)"),
        Row("shop set --delay 8d --bundle-id a", "--delay 8d is too long: the maximum is 7d"),
        Row("shop set --new-products later", "--new-products later is neither clear nor wait"),
        Row("shop set --new-products wait --bundle-id a", "leave one out"),
        Row("secret make --overlap 31d", "--overlap 31d is too long: the maximum is 30d"),
        Row("secret make --overlap 1y", "--overlap 1y \(amount)"),
        Row("secret list --bundle-id a --developer b", "leave one out"),
        Row("secret revoke x", "NUMBER x is not a number from 1 up; bodega secret list shows them"),
        Row("secret revoke 0", "NUMBER 0 is not a number from 1 up"),
        Row("offer-key revoke --bundle-id a", "bodega offer-key revoke needs KEY"),
        Row("buy p --account a --bundle-id b --quantity 0", "--quantity 0 is not a number from 1"),
        Row("buy p --account a --bundle-id b --request-id c", "--request-id c is not a UUID"),
        Row(
            "buy p --account a --bundle-id b --offer spring",
            "--offer spring is not an offer: write"),
        Row(
            "buy p --account a --bundle-id b --offer code:", "--offer code: is not an offer: write"),
        Row(
            "subscription new --account a --state gone",
            "--state gone is not one of trial, active, grace, retry, expired, refunded, upgraded"),
        Row("receipt show", "bodega receipt show needs a FILE or --account, and not both"),
        Row("receipt show f --account a", "bodega receipt show needs a FILE or --account, and not"),
        Row("offer-code make p --count 1", "bodega offer-code make needs PRODUCT and OFFER"),
        Row("offer-code make p o --bundle-id a", "needs --word and --redemptions, or --count"),
        Row("offer-code make p o --count 0 --bundle-id a", "--count 0 is not a number from 1 up"),
        Row("offer-code make p o --count 1 --until x --bundle-id a", "--until x \(time)"),
        Row(
            "offer-code make p o --word a-b --redemptions 1 --bundle-id a",
            "--word a-b is not a code: write up to 64 letters and digits"),
        Row("offer-code deactivate p x --bundle-id a", "NUMBER x is not a number from 1 up"),
        Row("credit add a -1", "AMOUNT -1 is not an amount: write it like 4.99, above 0, with"),
        Row("credit add a 0", "AMOUNT 0 is not an amount"),
        Row("credit add a 1 --currency usd", "--currency usd is not a currency: write three"),
        Row("credit add a 1 --request-id b", "--request-id b is not a UUID"),
        Row("account delete a --request-id b", "--request-id b is not a UUID"),
        Row(
            "account app-transaction a --bundle-id b --purchased x", "--purchased x \(Self.time)"),
        Row(
            "account app-transaction a --bundle-id b --volume x",
            "--volume x is neither on nor off"),
        Row(
            "account app-transaction a --bundle-id b --platform Linux",
            "--platform Linux is not one of iOS, macOS"),
        Row("shop set --bundle-id a --app-number 0", "--app-number 0 is not a number of 1 to"),
        Row("shop set --bundle-id a --app-number x", "--app-number x is not a number of 1 to"),
        Row(
            "shop set --bundle-id a --app-number 1 --delay 1h", "--app-number must be set alone"),
        Row("gift-code make 1 dollars", "CURRENCY dollars is not a currency: write three"),
        Row("gift-code make 1.0001 USD", "AMOUNT 1.0001 is not an amount"),
        Row("gift-code make 1 USD --expires soon", "--expires soon \(time)"),
        Row("gift-code void 0", "NUMBER 0 is not a number from 1 up; bodega gift-code list shows"),
        Row("clock advance soon", "AMOUNT soon \(amount)"),
        Row("clock advance 1.h", "AMOUNT 1.h \(amount)"),
        Row("clock advance .5h", "AMOUNT .5h \(amount)"),
        Row("clock advance 1.0001h", "AMOUNT 1.0001h \(amount)"),
        Row("clock advance 1.+5h", "AMOUNT 1.+5h \(amount)"),
        Row("clock hold tomorrow", "TIME tomorrow \(time)"),
        Row("clock hold 2100-01-01", "TIME 2100-01-01 \(time)"),
        Row("clock run 2026-02-30", "TIME 2026-02-30 \(time)"),
        Row("account lock a --until soon", "--until soon \(time)"),
        Row("account add a --storefront XX", "--storefront XX is not a storefront"),
        Row("account add a --storefront usa", "--storefront usa is not a storefront"),
        Row("world make No", "NAME No \(name)"),
        Row("world show -a", "WORLD -a \(name)"),
        Row("world seed f.json a_b", "WORLD a_b \(name)"),
        Row("world snapshot default S", "SNAPSHOT S \(name)"),
        Row("world restore default S", "SNAPSHOT S \(name)"),
        Row("world delete-snapshot default S", "SNAPSHOT S \(name)"),
        Row("product reject p --bundle-id a --reason dislike", "--reason dislike is not one of"),
        Row(
            "resource add a,b . --app-version 1 --bundle-id a",
            #"TAG "a,b" contains a slash, a backslash or a comma"#),
        Row(
            "resource add a . --app-version 1 --initial --prefetch --bundle-id a",
            "a tag is --initial or --prefetch, not both"),
        Row("resource add a . --bundle-id a", "needs --app-version"),
        Row("product category p toy --bundle-id a", "CATEGORY toy is not one of content,"),
        Row("product price p cheap --bundle-id a", "PRICE cheap is not a price: write it like"),
        Row("product price p 0.9999 --bundle-id a", "PRICE 0.9999 is not a price"),
        Row("product price p none --bundle-id a", "so it needs --storefront"),
        Row("product price p 1 --bundle-id a --storefront X", "--storefront X is not a storefront"),
        Row("product price p 1 --bundle-id a --from 2026-12-24", "--from needs --storefront"),
        Row(
            "product price p 1 --bundle-id a --storefront USA --from soon", "--from soon \(time)"),
        Row("product cancel-price p x --bundle-id a", "NUMBER x is not a number from 1 up"),
        Row("receipt verify f --url here", "--url here \(address)"),
    ]

    @Test(arguments: words + values)
    func `an invalid value is named with its option and what is allowed`(row: Row) throws {
        let lab = try Lab()
        let program = try Program(
            "bodega", row.typed,
            environment: ["BODEGA_DATA": lab.storeData, "BODEGA_BACKEND_DATA": lab.backendData],
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 2, "\(program.output)\(program.errors)")
        #expect(program.output == "")
        #expect(program.errors.hasPrefix("bodega: error: "))
        #expect(program.errors.contains(row.said), "\(program.errors)")
        #expect(program.errors.hasSuffix(" --help\n"), "\(program.errors)")
        #expect(program.errors.split(separator: "\n").count == 1)
        #expect(!FileManager.default.fileExists(atPath: lab.storeData), "nothing was made")
    }

    @Test func `a value that no world could accept exits with 2, though only the store can tell`()
        throws
    {
        let lab = try Lab.open()
        let long = String(repeating: "a", count: 2_000)
        for typed in [
            ["account", "add", "new", "--password", "short"],
            ["account", "add", long, "--password", "long-enough"],
            ["account", "lock", "buyer@example.com", "--reason", long],
            ["developer", "add", long],
            [
                "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
                "--bundle-id", "a b",
            ],
            [
                "product", "reject", Lab.fuel, "--reason", "other", "--bundle-id", Lab.bundleID,
            ],
            ["clock", "advance", "1000000000d"],
        ] {
            let said = try lab.bodega(typed, code: 2)
            #expect(said.contains("; try bodega \(typed[0]) \(typed[1]) --help"), "\(said)")
        }
        // What depends on the world, or on what a file holds, is a refusal.
        let app = ["--bundle-id", Lab.bundleID]
        try lab.bodega(["product", "approve", "absent"] + app, code: 1)
        try lab.bodega(["clock", "show", "--world", "absent"], code: 1)
        try lab.bodega(["catalog", "export"] + app + ["--output", "/nowhere/at/all"], code: 1)
        let misspelt = try lab.bodega(["product", "history", "com.example.tubro"] + app, code: 1)
        #expect(misspelt.contains(#"no product "com.example.tubro""#))
        #expect(misspelt.contains("bodega product list"))
        try lab.bodega(["product", "history", "--bundle-id", "com.example.absent"], code: 1)
    }

    @Test func `the clock examples work as printed, one after another`() throws {
        let lab = try Lab.open()
        let help = try lab.bodega(["help", "clock"])
        let examples = help.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
        #expect(examples.count == 6)
        for line in examples {
            let words = line.split(separator: " ").map(String.init)
            #expect(words.first == "bodega")
            try lab.bodega(Array(words.dropFirst()))
        }
    }
}
