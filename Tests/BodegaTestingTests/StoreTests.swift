import Foundation
import StoreKit
import TestSupport
import Testing

@testable import BodegaTesting
@testable import ManyWorldsProbe

/// The program that the module starts, and its end.
@Suite(.ownThreads) struct StoreTests {
    private let folder = TemporaryFolder()

    private func program(_ text: String) throws -> String {
        let written = try folder.write("#!/bin/sh\n" + text, "script-\(UUID().uuidString)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: written)
        // A program that a child of this process still has open for writing cannot be run.
        let path = written.replacingOccurrences(of: "script-", with: "bodega-")
        #expect(try Command("cp", [written, path]).status == 0)
        return path
    }

    private func refusal(of program: String) async throws -> BodegaError {
        try #require(
            await #expect(throws: BodegaError.self) {
                _ = try await BodegaStore.start(program: program)
            })
    }

    @Test func `a named program that is not there is named`() throws {
        let search = ProgramSearch(variables: ["BODEGA_PROGRAM": "/nowhere/bodega"], own: "")
        let error = try #require(#expect(throws: BodegaError.self) { try search.found() })
        #expect(error.code == "programMissing" && error.description.contains("/nowhere/bodega"))
    }

    @Test func `without a program every place that was looked at is named`() throws {
        let search = ProgramSearch(variables: ["PATH": "/p1:/p2"], own: "/b/debug/test")
        let error = try #require(#expect(throws: BodegaError.self) { try search.found() })
        for place in ["/b/debug/bodega", "/b/release/bodega", "/p1/bodega", "/p2/bodega"] {
            #expect(error.description.contains(place))
        }
    }

    @Test func `the program beside the tests comes before that on the path`() throws {
        let path = try program("exit 0")
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("bodega"))
        let beside = ProgramSearch(variables: ["PATH": "/bin"], own: folder.file("test"))
        #expect(try beside.found() == folder.file("bodega"))
        let onPath = ProgramSearch(variables: ["PATH": "/nowhere:\(folder.path)"], own: "/b/d/t")
        #expect(try onPath.found() == folder.file("bodega"))
    }

    @Test func `a program of another version, or another program, is refused`() async throws {
        let old = try await refusal(
            of: program("echo 'bodega: unknown option --temporary' >&2; exit 2"))
        #expect(old.code == "programUnsuitable" && old.description.contains("another version"))
        let strange = try await refusal(of: program("echo hello; cat"))
        #expect(strange.description.contains("another program"))
        let broken = try await refusal(of: program("echo 'no room on the disk' >&2; exit 1"))
        #expect(broken.description.contains("no room on the disk"))
        let missing = try await refusal(of: "/nowhere/bodega")
        #expect(missing.code == "programUnsuitable")
    }

    private func lateRefusal(
        of text: String, secondsMax: Double = 60
    ) async throws -> BodegaError {
        let path = try program(text)
        return try #require(
            await #expect(throws: BodegaError.self) {
                _ = try await blocking { try StoreProcess(program: path, secondsMax: secondsMax) }
            })
    }

    @Test func `a program that stays silent, or never ends its line, is ended`() async throws {
        let note = folder.file("silent")
        // It does not end when it is asked to.
        let silent = try await lateRefusal(
            of: "trap '' TERM; echo $$ > '\(note)'; exec sleep 600", secondsMax: 5)
        #expect(silent.code == "programUnsuitable")
        #expect(silent.description.contains("within 5"))
        let text = try String(contentsOfFile: note, encoding: .utf8)
        let number = try #require(Int32(text.trimmingCharacters(in: .newlines)))
        #expect(kill(number, 0) != 0)
        let endless = try await lateRefusal(of: "exec tr '\\0' y < /dev/zero")
        #expect(endless.code == "programUnsuitable")
        let chatty = try await lateRefusal(of: "exec yes")
        #expect(chatty.description.contains("its first line is unknown"))
    }

    @Test func `a request that cannot be sent does not say that the store is gone`() async throws {
        let door = ControlDoor(url: "nonsense://store", token: "") { nil }
        let error = await #expect(throws: BodegaError.self) {
            try await door.send("GET", "/clock")
        }
        #expect(error?.code == "unsent")
    }

    @Test func `a stopped store leaves nothing, and says that it was stopped`() async throws {
        let store = try await BodegaStore.start()
        let world = try await store.world(catalogue: .file(Rocket.catalogue))
        #expect(FileManager.default.fileExists(atPath: store.folder))
        await store.stop()
        #expect(!FileManager.default.fileExists(atPath: store.folder))
        let error = await #expect(throws: BodegaError.self) { _ = try await world.now }
        #expect(error?.description == "This store was stopped.")
    }

    @Test func `a store that dies under a test is said to have died`() async throws {
        let store = try await BodegaStore.start()
        let world = try await store.world(catalogue: .file(Rocket.catalogue), bundleID: Rocket.app)
        kill(store.place.processId, SIGKILL)
        let error = await #expect(throws: BodegaError.self) { _ = try await world.now }
        #expect(error?.code == "storeGone")
        #expect(error?.description.contains("by signal 9") == true)
        await store.stop()
        #expect(!FileManager.default.fileExists(atPath: store.folder))
    }

    @Test func `a store ends with its process, also when that is killed`() async throws {
        let note = folder.file("store")
        await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
            let store = try await BodegaStore.start()
            let text = "\(store.place.processId) \(store.folder)"
            try text.write(toFile: note, atomically: true, encoding: .utf8)
            kill(getpid(), SIGKILL)
        }
        let words = try String(contentsOfFile: note, encoding: .utf8).split(separator: " ")
        let (process, left) = (Int32(words[0]) ?? 0, String(words[1]))
        for _ in 0..<1_200 {
            if kill(process, 0) != 0, !FileManager.default.fileExists(atPath: left) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("process \(process) or \(left) is still there")
    }

    @Test func `an address set after the first use fails loudly, and buys nowhere`() async throws {
        let store = try await BodegaStore.start()
        let (one, other) = try await (
            store.world(catalogue: .file(Rocket.catalogue), bundleID: Rocket.app),
            store.world(catalogue: .file(Rocket.catalogue), bundleID: Rocket.app)
        )
        let (first, second, home) = (
            one.url.absoluteString, other.url.absoluteString, folder.file("home")
        )
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [first = first as String, second = second as String, home = home as String] in
            setenv("STOREKIT_BUNDLE_ID", Rocket.app, 1)
            setenv("STOREKIT_APP_VERSION", "1.0", 1)
            setenv("STOREKIT_HOME", home, 1)
            setenv("STOREKIT_SHEET", "approve", 1)
            setenv("STOREKIT_ACCOUNT", "buyer@example.com:rocket-fuel-1", 1)
            setenv("STOREKIT_URL", first, 1)
            let buyer = Buyer()
            buyer.listen()
            buyer.buy(Rocket.fuel)
            try await buyer.hears("the fuel") { $0.purchases.count == 1 }
            setenv("STOREKIT_URL", second, 1)
            #expect(!SKPaymentQueue.canMakePayments())
            buyer.buy(Rocket.fuel)
            try await buyer.hears("the refusal") { $0.failures.count == 1 }
            #expect(buyer.heard.failures[0].contains(second))
            setenv("STOREKIT_URL", first, 1)
            buyer.buy(Rocket.fuel)
            try await buyer.hears("the fuel again") { $0.purchases.count == 2 }
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("StoreKit: STOREKIT_URL is \"\(second)\" now"))
        #expect(try await one.transactions().count == 2)
        #expect(try await other.transactions().isEmpty)
        await store.stop()
    }
}
