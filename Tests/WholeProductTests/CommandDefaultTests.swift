import Foundation
import TestSupport
import Testing

/// What commands take for granted, and the names that they suggest.
@Suite(.ownThreads) struct CommandDefaultTests {
    @Test func `a misspelt name gets the nearest one`() throws {
        let lab = try Lab.open(withBackend: false)
        for (typed, meant) in [
            (["product", "prices", "com.example.rocketcar.tubro"], Lab.turbo),
            (["account", "lock", "buyer@exmaple.com"], "buyer@example.com"),
            (["product", "list", "--bundle-id", "com.example.rocketcart"], Lab.bundleID),
            (["clock", "show", "--world", "defualt"], "default"),
        ] {
            let said = try lab.bodega(typed, code: 1)
            #expect(said.contains("(did you mean \(meant)?)"), "\(said)")
        }
    }

    @Test func `a name that is only of the same kind is not suggested`() throws {
        let lab = try Lab.open(withBackend: false)
        let said = try lab.bodega(["account", "lock", "customer@example.com"], code: 1)
        #expect(said.contains("There is no account") && !said.contains("did you mean"), "\(said)")
    }

    @Test func `the only app is meant, and variables name world and app`() throws {
        let lab = try Lab.open(withBackend: false)
        #expect(try lab.bodega(["product", "list"]).contains(Lab.turbo))
        try lab.bodega(["world", "make", "other"])
        let inOther = ["BODEGA_WORLD": "other"]
        let none = try lab.bodega(["product", "list"], code: 1, environment: inOther)
        #expect(none.contains("this world has no app yet: import one with bodega catalog import"))
        let file = Lab.package + "/Examples/RocketCar/RocketCar.storekit"
        for app in ["com.example.one", "com.example.two"] {
            try lab.bodega(
                ["catalog", "import", file],
                environment: inOther.merging(["BODEGA_BUNDLE_ID": app]) { $1 })
        }
        let unclear = try lab.bodega(["product", "list"], code: 2, environment: inOther)
        #expect(
            unclear.contains("needs --bundle-id: the world has com.example.one, com.example.two"))
        let named = inOther.merging(["BODEGA_BUNDLE_ID": "com.example.two"]) { $1 }
        #expect(try lab.bodega(["product", "list"], environment: named).contains(Lab.turbo))
        let typed = ["clock", "show", "--world", "absent"]
        _ = try lab.bodega(typed, code: 1, environment: inOther)
    }
}
