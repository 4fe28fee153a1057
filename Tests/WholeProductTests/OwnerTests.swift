import Foundation
import StoreWire
import TestSupport
import Testing

/// The shop owner's commands for accounts, worlds and the installation.
@Suite(.ownThreads) struct OwnerTests {
    @Test func `accounts are locked, unlocked, signed out and given new passwords`() throws {
        let lab = try Lab.open()
        let name = "buyer@example.com"
        try lab.app(["buy", Lab.fuel])
        #expect(try lab.bodega(["account", "list", "--json"]).contains(#""devicesSignedIn":1"#))
        let locked = try lab.bodega(["account", "lock", name, "--reason", "Call us."])
        #expect(locked.contains("Call us."))
        #expect(try lab.bodega(["account", "list"]).contains("until it is unlocked: Call us."))
        try lab.app(["buy", Lab.fuel, "--time-limit", "20"], code: nil)
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        try lab.bodega(["account", "unlock", name])
        try lab.bodega(["account", "password", name, "--password", "rocket-fuel-2"])
        try lab.bodega(["account", "password", name, "--password", "rocket-fuel-1", "--json"])
        try lab.bodega(["account", "sign-out", name])
        try lab.bodega(["account", "sign-out", "nobody"], code: 1)
        try lab.app(["buy", Lab.fuel])
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) >= 2)
    }

    @Test func `a world is seeded from one file, copied, restored and reset`() throws {
        let lab = try Lab.open()
        let file = lab.folder + "/shop.json"
        let catalogue = Lab.package + "/Examples/RocketCar/RocketCar.storekit"
        try FileManager.default.copyItem(atPath: catalogue, toPath: lab.folder + "/a.storekit")
        let text = """
            {
              "clock": { "mode": "held", "now": "2026-03-31" },
              "apps": [ { "bundleId": "\(Lab.bundleID)", "catalogue": "a.storekit" } ],
              "accounts": [ { "name": "ann", "password": "rocket-fuel-1" } ],
              "purchases": [
                { "account": "ann", "productId": "\(Lab.turbo)", "at": "2026-01-31" }
              ]
            }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try lab.bodega(["world", "seed", file]).contains("1 transactions"))
        #expect(
            try lab.bodega(
                ["catalog", "export", "--bundle-id", Lab.bundleID, "--world", "shop"])
                == String(contentsOfFile: catalogue, encoding: .utf8))
        try lab.bodega(["world", "seed", file], code: 1)
        try lab.bodega(["world", "seed", file, "shop", "--replace"])
        try lab.bodega(["world", "snapshot", "shop", "s"])
        try lab.bodega(["world", "reset", "shop"])
        #expect(try lab.bodega(["world", "show", "shop"]).contains("0 apps"))
        #expect(try lab.bodega(["world", "restore", "shop", "s"]).contains("1 transactions"))
        #expect(try lab.bodega(["world", "snapshots", "shop", "--json"]).contains(#""name":"s""#))
        try lab.bodega(["world", "delete-snapshot", "shop", "s"])
        // The line is that of the file, although a catalogue was put before it.
        let bad = text.replacingOccurrences(of: "2026-01-31", with: "2027-01-31")
        try Data(bad.utf8).write(to: URL(fileURLWithPath: file))
        let said = try lab.bodega(["world", "seed", file, "other"], code: 1)
        #expect(said.contains("line 6, "))
        #expect(said.contains("purchases[0].at: is after"))
        let lost = text.replacingOccurrences(of: "a.storekit", with: "b.storekit")
        try Data(lost.utf8).write(to: URL(fileURLWithPath: file))
        #expect(
            try lab.bodega(["world", "seed", file, "other"], code: 1)
                .contains("apps[0].catalogue: cannot read"))
        try lab.bodega(["world", "seed", lab.folder + "/none.json", "other"], code: 1)
        #expect(!(try lab.bodega(["world", "list"])).contains("other"))
    }

    @Test func `a data directory without a name is refused`() throws {
        let lab = try Lab()
        for typed in [
            ["serve", "--data", ""], ["serve", "--data="], ["doctor", "--data", ""],
            ["backend", "doctor", "--data", ""], ["world", "list", "--data", ""],
        ] {
            let program = try Program("bodega", typed, logs: lab.folder + "/logs")
            #expect(try program.wait() == 2, "\(typed): \(program.output)")
            #expect(program.errors.contains("--data is empty"), "\(program.errors)")
        }
    }

    @Test func `a control token that others may read is refused with advice`() throws {
        let lab = try Lab.open()
        lab.store?.kill()
        let path = lab.storeData + "/control-token"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let refused = try lab.bodega(["serve", "--port", "0"], code: 1)
        #expect(refused.contains("chmod 600 \(path)"), "\(refused)")
    }

    @Test func `hidden characters of a name are escaped on the terminal and in JSON`() throws {
        let lab = try Lab.open()
        let name = "a\u{202E}b\u{200B}c\u{9B}d\u{2028}e"
        try lab.bodega(["account", "add", name, "--password", "rocket-fuel-1"])
        let list = try lab.bodega(["account", "list"])
        #expect(list.contains(#"a\u{202E}b\u{200B}c\u{9B}d\u{2028}e"#), "\(list)")
        let json = try lab.bodega(["account", "list", "--json"])
        #expect(json.contains(#"a\u202eb\u200bc\u009bd\u2028e"#), "\(json)")
        let value = try JSONValue(parsing: Array(json.utf8))
        let names = value["accounts"]?.array?.compactMap { $0["name"]?.string }
        #expect(names?.contains(name) == true)
        let refused = try lab.bodega(
            ["account", "add", name, "--password", "rocket-fuel-1"], code: 1)
        #expect(!refused.unicodeScalars.contains("\u{202E}"))
    }

    @Test func `the doctor examines a running, a stopped and a broken store`() throws {
        let lab = try Lab.open()
        let running = try lab.doctor()
        #expect(running.contains("this store answers at"))
        #expect(running.contains("This installation is sound."))
        lab.store?.kill()
        let port = ["--port", "\(lab.storePort)"]
        #expect(try lab.bodega(["doctor"] + port).contains("is free"))
        try FileManager.default.removeItem(atPath: lab.storeData + "/control-token")
        let broken = try lab.bodega(["doctor", "--json"] + port, code: 1)
        #expect(broken.contains(#""isSound":false"#))
        #expect(broken.contains(#""check":"control token""#))
        for (path, said) in [
            ("/none", "/none does not exist"), ("/logs", "does not hold a store"),
            ("/store/server.json", "is a file, not a directory"),
        ] {
            let text = try lab.bodega(["doctor", "--data", lab.folder + path] + port, code: 1)
            #expect(text.contains(said), "\(text)")
            #expect(text.split(separator: "\n").count { $0.hasPrefix("BAD") } == 1, "\(text)")
        }
        #expect(!FileManager.default.fileExists(atPath: lab.folder + "/none"))
    }
}
