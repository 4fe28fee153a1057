import Foundation
import TestSupport
import Testing

/// The commands on a page, run in its order as a reader would copy them.
@Suite(.ownThreads) struct DocumentCommandTests {
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        /// Options of the store.
        var options: [String] = []
        /// What the page takes for granted.
        var before: [String] = []
        /// What stands on the page for a value that a reader puts in.
        var instead: [String: String] = [:]

        var testDescription: String { name }
    }

    private static let app = Lab.bundleID
    private static let catalogue = """
        bodega catalog import Examples/RocketCar/RocketCar.storekit --bundle-id \(app)
        """

    private static func account(_ name: String, _ more: String = "") -> String {
        "bodega account add \(name) --password rocket-fuel-1 \(more)"
    }

    /// Leaves the number of a purchase in `$bought`.
    private static func purchase(of product: String, _ more: String = "") -> String {
        "bought=$(bodega buy \(product) --account buyer@example.com \(more) "
            + "| sed -n 's/.*transaction \\([0-9]*\\).*/\\1/p')"
    }

    static let pages = [
        Page(name: "buying"),
        Page(
            name: "shop",
            before: [
                "cp Examples/RocketCar/RocketCar.storekit .", "bodega clock hold 2026-11-01",
                catalogue, account("buyer@example.com"), account("gone@example.com"),
                account("other@example.com"),
                account("customer@example.com", "--environment production"),
                account("kid@example.com", "--needs-approval"),
                "bodega buy \(Lab.turbo) --account kid@example.com",
                "bodega buy \(Lab.fuel) --account kid@example.com",
                "bodega price-consent ask other@example.com \(Lab.club) 2.99",
                purchase(of: Lab.turbo, "--finish"),
            ],
            instead: [
                "account delete buyer@example.com": "account delete gone@example.com --yes",
                "2000000000000000": "$bought", "com.example.app": app,
                // It would go on for ever.
                "event list --limit 20 --follow": "event list --limit 20",
                "child@example.com --needs-approval":
                    "child@example.com --needs-approval --password rocket-fuel-1",
            ]),
        Page(
            name: "run-a-shop",
            before: [
                "mkdir backups", catalogue, account("buyer@example.com"),
                "bodega buy \(Lab.turbo) --account buyer@example.com",
            ], instead: ["/mnt/backups": "backups"]),
        Page(
            name: "family",
            before: [
                catalogue, account("buyer@example.com"), account("mother@example.com"),
                account("kid@example.com"), purchase(of: Lab.turbo),
            ], instead: ["TRANSACTION": "$bought"]),
        Page(
            name: "refunds",
            before: [catalogue, account("buyer@example.com"), purchase(of: Lab.fuel)],
            instead: ["2000000000000000": "$bought"]),
        Page(
            name: "money",
            before: [
                account("buyer@example.com"),
                #"code=$(bodega gift-code make 1 USD --json | sed 's/.*"code":"\([^"]*\)".*/\1/')"#,
            ], instead: ["7KQM-0D3T-XW9A-5FGH-2RNZ": "$code"]),
        Page(
            name: "offers",
            before: [
                "bodega clock pace calendar", "bodega clock hold 2026-03-01",
                "bodega catalog import docs/lifecycle/fans.storekit --bundle-id \(app)",
                account("buyer@example.com"), account("fan@example.com"),
                #"key=$(bodega offer-key make --json | sed 's/.*"keyId":"\([^"]*\)".*/\1/')"#,
                "bodega buy \(app).magazine --account fan@example.com",
                purchase(of: "\(app).silver"), "bodega subscription cancel $bought",
                "bodega clock advance 40d",
            ],
            instead: [
                "2X9R4HXF34": "$key", "2000000000000000": "$bought",
                "com.example.app.club": "\(app).silver", "com.example.app": app,
                "redeem SPRING26 buyer": "redeem $(head -1 codes.txt) fan",
            ]),
        Page(
            name: "worlds",
            before: [
                "cp Examples/RocketCar/RocketCar.storekit .", "cp RocketCar.storekit P.storekit",
                """
                echo '{"apps":[{"bundleId":"\(app)","catalogue":"RocketCar.storekit"}]}' > shop.json
                """,
            ]),
        Page(
            name: "notifications",
            before: [
                "bodega catalog import Examples/RocketCar/RocketCar.storekit "
                    + "--bundle-id com.example.app", account("buyer@example.com"),
                account("ann@example.com"),
                "bodega buy \(Lab.fuel) --account ann@example.com",
                purchase(of: Lab.club),
            ],
            // It would listen for ever; a new world's first notification has another number.
            instead: [
                "listen --port 9000": "list", " 7": " 1", "2000000000000001": "$bought",
            ]),
        Page(
            name: "server-api", options: Lab.withTLS,
            before: [
                catalogue, account("buyer@example.com"), purchase(of: Lab.club),
            ],
            instead: [
                "curl -H": "curl --fail -H", "2000000000500001": "$bought",
                "http://127.0.0.1:8080": "$STORE",
                // It runs already.
                "bodega serve --tls-port 8443": "bodega clock show",
            ]),
        Page(
            name: "certificates", options: Lab.withTLS,
            // The first signature makes the first certificate.
            before: [
                catalogue, account("buyer@example.com"), purchase(of: Lab.fuel),
                "bodega offer-key make > key.p8",
                "bodega server-api get /transactions/$bought --key key.p8 --bundle-id \(app)",
            ],
            instead: ["bodega serve --ocsp-url http://store.example:8080": "bodega clock show"]),
        Page(name: "content", before: [catalogue, "mkdir Levels", "echo 1 > Levels/one"]),
        Page(
            name: "on-demand-resources", before: [catalogue, "mkdir Garage", "echo 1 > Garage/one"]
        ),
    ]

    @Test(arguments: pages)
    func `every command of a page works as printed`(page: Page) throws {
        let lab = try Lab()
        try lab.startStore(extra: page.options)
        let folder = lab.folder + "/reader"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let lines = try commands(of: page, in: folder)
        try #require(lines.count > 3)
        let start = [
            "set -ex", "cd '\(folder)'", "ln -s '\(Lab.package)/docs' docs",
            "ln -s '\(Lab.package)/Examples' Examples",
        ]
        let shell = try Program(
            "/bin/sh", ["-c", (start + page.before + lines).joined(separator: "\n")],
            environment: [
                "BODEGA_DATA": lab.storeData, "STORE": lab.storeURL,
                "PATH": "\(Program.folder):/usr/bin:/bin",
            ], logs: lab.folder + "/logs")
        #expect(try shell.wait() == 0, "\(shell.errors.suffix(2_000))")
    }

    /// The indented lines, and those between fences, that call `bodega`, without their breaks.
    private func commands(of page: Page, in folder: String) throws -> [String] {
        let path = "\(Lab.package)/docs/\(page.name).md"
        let code = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(#/( *)```sh\n((?s:.*?))```/#) { fenced in
                fenced.2.split(separator: "\n").map { "    " + $0.dropFirst(fenced.1.count) + "\n" }
                    .joined()
            }
            .split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
            .joined(separator: "\n").replacing("\\\n", with: " ")
        let instead = page.instead.merging(["/tmp/": "\(folder)/"]) { $1 }
        let call = #/(bodega|curl|\(umask) /#
        return code.split(separator: "\n").filter { $0.prefixMatch(of: call) != nil }.map { line in
            instead.sorted { $0.key > $1.key }.reduce(String(line)) {
                $0.replacing($1.key, with: $1.value)
            }
        }
    }
}
