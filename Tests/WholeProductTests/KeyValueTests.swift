import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Key values between devices of an account: real apps, a real store, kills and restarts.
@Suite(.ownThreads) struct KeyValueTests {
    /// Starts the app on a device. Signing in is what its first purchase did.
    private func start(
        _ lab: Lab, _ device: String, _ steps: [String], environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            "KeyValueProbe", steps,
            environment: lab.appEnvironment(device: device).merging(environment) { $1 },
            logs: lab.folder + "/logs")
    }

    @discardableResult
    private func run(
        _ lab: Lab, _ device: String, _ steps: [String], environment: [String: String] = [:],
        code: Int32 = 0
    ) throws -> String {
        let program = try start(lab, device, steps, environment: environment)
        #expect(try program.wait() == code, "\(program.output)\(program.errors)")
        return program.output
    }

    /// A lab in which the account is signed in on some devices.
    private func open(_ devices: String...) throws -> Lab {
        let lab = try Lab.open()
        for device in devices { try signIn(lab, device) }
        return lab
    }

    private func signIn(_ lab: Lab, _ device: String, account: String = Lab.account) throws {
        let program = try Program(
            "PurchaseProbe", ["--until=1", Lab.fuel],
            environment: lab.appEnvironment(device: device)
                .merging(["STOREKIT_ACCOUNT": account]) { $1 },
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
    }

    /// The device's settings: who is signed in stays so until they sign out.
    private func signOut(_ lab: Lab, _ device: String) throws {
        try lab.bodega([
            "device", "sign-out", "--home", "\(lab.folder)/\(device)", "--store-url",
            "\(lab.storeURL)/sandbox", "--bundle-id", Lab.bundleID, "--app-version", "1.0",
        ])
    }

    /// What the store has, as its owner sees it.
    private func stored(_ lab: Lab) throws -> [String: PropertyListValue?] {
        let text = try lab.bodega([
            "account", "key-values", "buyer@example.com", "--bundle-id", Lab.bundleID, "--json",
        ])
        let body = try WireJSON.decode(AccountKeyValuesBody.self, from: Array(text.utf8))
        return Dictionary(uniqueKeysWithValues: body.entries.map { ($0.key, $0.value) })
    }

    private func expectStored(
        _ lab: Lab, _ key: String, _ text: String?, location: SourceLocation = #_sourceLocation
    ) {
        let isThere = eventually {
            (try? stored(lab)).map { $0[key] ?? nil } == text.map { .string($0) }
        }
        #expect(isThere, "\(key) is not \(text ?? "gone")", sourceLocation: location)
    }

    @Test func `two running devices of an account share key values`() throws {
        let lab = try open("phone", "tablet")
        let phone = try start(
            lab, "phone", ["set=turbo=bought", "until=colour=red", "heard", "print=colour"])
        let tablet = try start(
            lab, "tablet", ["until=turbo=bought", "set=colour=red", "print=turbo", "stay"])
        expectStored(lab, "colour", "red")
        #expect(try phone.wait() == 0)
        tablet.kill()
        #expect(tablet.output.contains("turbo is bought"))
        #expect(phone.output.contains("colour is red"))
        #expect(phone.output.contains("changed 0 colour"))
        #expect(!phone.output.contains("off the main thread"))
        #expect(!phone.output.contains("turbo,") && !phone.output.contains(" turbo\n"))
        let table = try lab.bodega([
            "account", "key-values", "buyer@example.com", "--bundle-id", Lab.bundleID,
        ])
        #expect(table.contains("turbo") && table.contains("string") && table.contains("2 keys"))
    }

    @Test
    func `another device gets numbers, switches and a receipt, which verifies until it is altered`()
        throws
    {
        let lab = try open("phone", "tablet")
        let phone = try start(
            lab, "phone",
            ["number=level=15", "switch=rocket=true", "file=receipt=\(lab.receiptPath())", "stay"])
        let copy = lab.folder + "/copy"
        let told = try run(
            lab, "tablet", ["keep=receipt=\(copy)", "print-number=level", "print-switch=rocket"])
        phone.kill()
        #expect(try stored(lab)["level"] == .integer(15))
        #expect(try stored(lab)["rocket"] == .boolean(true))
        #expect(told.contains("level is 15\n") && told.contains("rocket is true\n"), "\(told)")
        let verify = ["receipt", "verify", copy, "--url", lab.storeURL + "/sandbox"]
        #expect(try lab.bodega(verify).contains(#""bundle_id":"\#(Lab.bundleID)""#))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        let place = try #require(bytes.range(of: Data(Lab.bundleID.utf8))).lowerBound
        bytes[place] ^= 1
        try bytes.write(to: URL(fileURLWithPath: copy))
        #expect(try lab.bodega(verify, code: 1) == "{\"status\":21003}\n")
    }

    @Test func `values set while the store is away are sent when it returns`() throws {
        let lab = try open("phone")
        lab.store?.kill()
        try run(lab, "phone", ["set=level=7", "synchronize"])
        try lab.startStore()
        let phone = try start(lab, "phone", ["print=level", "stay"])
        expectStored(lab, "level", "7")
        phone.kill()
        #expect(phone.output.contains("level is 7"))
    }

    @Test(arguments: [CrashPoint.deviceKeyValueWritten, .deviceKeyValuesAnswered])
    func `an app killed around sending a value loses nothing`(point: CrashPoint) throws {
        let lab = try open("phone", "tablet")
        try run(
            lab, "phone", ["set=level=7", "stay"],
            environment: ["BODEGA_CRASH_POINT": point.rawValue], code: 128 + SIGKILL)
        let phone = try start(lab, "phone", ["print=level", "stay"])
        expectStored(lab, "level", "7")
        // A value that came later stays, whatever the killed app had sent before.
        let tablet = try start(lab, "tablet", ["until=level=7", "set=level=8", "stay"])
        expectStored(lab, "level", "8")
        phone.kill()
        tablet.kill()
        #expect(try run(lab, "phone", ["until=level=8", "print=level"]).contains("level is 8"))
        #expect(
            try lab.count("SELECT revision FROM key_value_revision", in: lab.storeFile) == 2)
    }

    @Test func `a store killed after the commit and before its answer applies a value once`() throws
    {
        let lab = try open("phone")
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(
            environment: ["BODEGA_CRASH_POINT": CrashPoint.storeKeyValuesCommitted.rawValue])
        let phone = try start(lab, "phone", ["set=level=7", "stay"])
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        expectStored(lab, "level", "7")
        #expect(
            eventually {
                guard let text = try? record(lab, "phone") else { return false }
                return text.contains("\"revision\":1") && !text.contains("\"request\"")
            })
        phone.kill()
        #expect(
            try lab.count("SELECT revision FROM key_value_revision", in: lab.storeFile) == 1)
    }

    /// The file in which a device keeps the account's values.
    private func record(_ lab: Lab, _ device: String) throws -> String {
        let folder = "\(lab.folder)/\(device)/key-values"
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        let name = try #require(
            files.compactMap { $0 as? String }.first {
                $0.contains("/") && $0.hasSuffix(".json")
            })
        return try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    @Test func `two processes of one app on a device lose none of each other's values`() throws {
        let lab = try open("phone")
        let keys = 20
        let programs = try (0..<3).map { number in
            try start(
                lab, "phone", (0..<keys).map { "set=k\(number)-\($0)=v" } + ["until=done=yes"])
        }
        for number in 0..<3 { expectStored(lab, "k\(number)-\(keys - 1)", "v") }
        let last = try start(lab, "phone", ["set=done=yes", "stay"])
        for program in programs { #expect(try program.wait() == 0) }
        expectStored(lab, "done", "yes")
        last.kill()
        #expect(try stored(lab).count == 3 * keys + 1)
    }

    @Test
    func `another account's values replace the current ones, which return with their account`()
        throws
    {
        let lab = try open("phone")
        try lab.bodega(["account", "add", "other@example.com", "--password", "rocket-fuel-1"])
        let first = try start(lab, "phone", ["set=level=7", "stay"])
        expectStored(lab, "level", "7")
        first.kill()
        try signOut(lab, "phone")
        try signIn(lab, "phone", account: "other@example.com:rocket-fuel-1")
        let other = try run(lab, "phone", ["until=level=", "heard", "print=level", "set=level=1"])
        #expect(other.contains("level is nothing"))
        #expect(other.contains("changed 3 level"))
        try signOut(lab, "phone")
        try signIn(lab, "phone")
        #expect(try run(lab, "phone", ["until=level=7", "print=level"]).contains("level is 7"))
        expectStored(lab, "level", "7")
    }

    @Test func `a world that was set back is sent no values of the earlier one`() throws {
        let lab = try open("phone")
        try lab.bodega(["world", "snapshot", "default", "s"])
        let phone = try start(lab, "phone", ["set=level=7", "stay"])
        expectStored(lab, "level", "7")
        phone.kill()
        try lab.bodega(["world", "restore", "default", "s", "--yes"])
        #expect(try stored(lab).isEmpty)
        try signIn(lab, "phone")
        let again = try start(lab, "phone", ["until=level=", "heard", "set=level=1", "stay"])
        expectStored(lab, "level", "1")
        again.kill()
        #expect(again.output.contains("changed 3 level"))
        #expect(try stored(lab).count == 1)
    }

    @Test func `two devices that were apart can exceed the quota and lose nothing`() throws {
        let lab = try open("phone", "tablet")
        let phone = try start(lab, "phone", ["bytes=a=700000", "set=phone=here", "stay"])
        expectStored(lab, "phone", "here")
        phone.kill()
        lab.store?.kill()
        // The tablet has never asked, so it thinks there is room.
        let offline = try run(lab, "tablet", ["bytes=b=700000", "set=tablet=here"])
        #expect(!offline.contains("changed"))
        try lab.startStore()
        let tablet = try start(lab, "tablet", ["until=phone=here", "stay"])
        #expect(eventually { tablet.output.contains("changed 2 b,tablet") })
        #expect(eventually { tablet.output.contains("phone") })
        #expect(try stored(lab)["b"] == nil)
        tablet.kill()
        let cleared = try start(lab, "tablet", ["print=tablet", "remove=a", "stay"])
        expectStored(lab, "tablet", "here")
        #expect(eventually { (try? stored(lab)).map { ($0["b"] ?? nil) != nil } == true })
        cleared.kill()
        #expect(cleared.output.contains("tablet is here"))
    }

    @Test func `key values without a store do not crash, and synchronizing fails`() throws {
        let lab = try Lab()
        let program = try Program(
            "KeyValueProbe", ["set=a=b", "print=a", "synchronize"], environment: [:],
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 0)
        #expect(program.output == "a is b\nsynchronized false\n")
        #expect(program.errors.contains("STOREKIT_URL"))
    }
}
