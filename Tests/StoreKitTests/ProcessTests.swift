import CrashPoints
import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// Whole processes: the receipt's address in each way of linking, and kills at each named line.
@Suite(.ownThreads) struct ProcessTests {
    struct Outcome {
        let status: Int32
        let wasKilled: Bool
        let lines: [String]
        let errors: String
    }

    static func run(
        _ program: URL, _ arguments: [String], _ environment: [String: String]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = variables(environment)
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal
                && process.terminationStatus == SIGKILL,
            lines: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init),
            errors: String(decoding: errorData, as: UTF8.self))
    }

    /// The test's own variables, but none of StoreKit's except those given.
    static func variables(_ given: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("STOREKIT_") }
            .merging(given) { $1 }
    }

    static func built(_ name: String) -> URL {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent(name)
    }

    // MARK: - The receipt's address

    static let staticProbe = ProcessInfo.processInfo.environment["BODEGA_STATIC_PROBE"]

    @Test func `the receipt has an address before it is there, with shared libraries`() throws {
        try checkReceiptURL(Self.built("ReceiptURLProbe"))
    }

    @Test(.enabled(if: staticProbe != nil))
    func `the receipt has an address before it is there, with a static standard library`() throws {
        try checkReceiptURL(URL(fileURLWithPath: try #require(Self.staticProbe)))
    }

    func checkReceiptURL(_ program: URL) throws {
        let shop = try Shop()
        let settings = shop.settings()
        let folder = try HomeFolder(path: shop.home)
        let receipt = folder.receiptFile(isSandbox: true)
        for isThere in [false, true] {
            if isThere { try DurableFile.write([1], to: receipt) }
            let outcome = try Self.run(program, [], settings)
            #expect(outcome.status == 0)
            #expect(outcome.lines == ["before \(receipt)", "after \(receipt) true", "other nil"])
            #expect(outcome.errors == "")
        }
    }

    @Test func `with no store the receipt has an address at which there is none`() throws {
        let probe = Self.built("ReceiptURLProbe")
        let folder = probe.deletingLastPathComponent().resolvingSymlinksInPath().path
        let receipt = folder + "/StoreKit/receipt"
        let outcome = try Self.run(probe, [], [:])
        #expect(outcome.lines == ["before \(receipt)", "after \(receipt) false", "other nil"])
        #expect(!FileManager.default.fileExists(atPath: receipt))
    }

    @Test func `an app without a store gets one warning and no crash`() throws {
        let outcome = try Self.run(Self.built("PurchaseProbe"), [Shop.fuel], [:])
        #expect(outcome.status == 0)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("STOREKIT_URL"))
        #expect(outcome.lines.contains { $0.hasPrefix("failed \(Shop.fuel)") })
        #expect(outcome.lines.last == "removed \(Shop.fuel)")
    }

    @Test func `an incomplete store configuration names the variable and does not crash`() throws {
        let shop = try Shop()
        var settings = shop.settings()
        settings["STOREKIT_BUNDLE_ID"] = nil
        let outcome = try Self.run(Self.built("PurchaseProbe"), [Shop.fuel], settings)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("STOREKIT_BUNDLE_ID"))
        #expect(outcome.lines.contains { $0.hasPrefix("failed \(Shop.fuel)") })
    }

    // MARK: - Products

    @Test func `an app killed during a products request does not send it at its next launch`()
        async throws
    {
        let shop = try Shop()
        let gate = DispatchSemaphore(value: 0)
        shop.store.next("products", .held(gate))
        let asking = Process()
        asking.executableURL = Self.built("PurchaseProbe")
        asking.arguments = ["--ask", Shop.fuel]
        asking.environment = Self.variables(shop.settings())
        asking.standardOutput = FileHandle.nullDevice
        try asking.run()
        try await shop.sees("the question") { shop.store.count("products") == 1 }
        kill(asking.processIdentifier, SIGKILL)
        asking.waitUntilExit()
        gate.signal()
        let later = try Self.run(Self.built("PurchaseProbe"), [Shop.fuel], shop.settings())
        #expect(later.lines.last == "removed \(Shop.fuel)", "a purchase is made meanwhile")
        #expect(shop.store.count("products") == 1)
        let again = try Self.run(
            Self.built("PurchaseProbe"), ["--ask", Shop.fuel], shop.settings())
        #expect(again.lines.last?.hasPrefix("product \(Shop.fuel) ") == true, "\(again.lines)")
        #expect(shop.store.count("products") == 2)
    }

    @Test func `an app on a restricted device loads products and may not pay until it is lifted`()
        throws
    {
        let shop = try Shop()
        let program = Self.built("PurchaseProbe")
        for isRestricted in [false, true, false] {
            try DeviceSettings.change(home: shop.home) { $0.arePaymentsRestricted = isRestricted }
            let asked = try Self.run(program, ["--ask", Shop.fuel], shop.settings())
            #expect(asked.lines.first == "may pay \(!isRestricted)")
            #expect(asked.lines.last?.hasPrefix("product \(Shop.fuel) ") == true)
            let bought = shop.store.transactions.count
            let heard = try Self.run(program, [Shop.fuel], shop.settings()).lines.dropFirst().first
            let word = isRestricted ? "failed" : "purchased"
            #expect(heard?.hasPrefix("\(word) \(Shop.fuel) ") == true, "\(heard ?? "nothing")")
            #expect(shop.store.transactions.count == bought + (isRestricted ? 0 : 1))
        }
    }

    @Test func `finishing a purchasing transaction and adding an empty payment end the app`() throws
    {
        let shop = try Shop()
        let finishing = try Self.run(
            Self.built("PurchaseProbe"), ["--finish-early", Shop.fuel], shop.settings())
        #expect(finishing.status != 0)
        #expect(finishing.errors.contains("Cannot finish a purchasing transaction"))
        let empty = try Self.run(Self.built("PurchaseProbe"), [""], shop.settings())
        #expect(empty.status != 0)
        #expect(empty.errors.contains("productIdentifier is empty"))
        let none = try Self.run(
            Self.built("PurchaseProbe"), ["--none", Shop.fuel], shop.settings())
        #expect(none.status != 0)
        #expect(none.errors.contains("quantity is 0"))
    }

    // MARK: - Kills

    struct Kill: Sendable, CustomTestStringConvertible {
        let point: CrashPoint
        /// How many purchases there are once the app has run again.
        let bought: Int
        /// Whether the app hears `purchased` after the kill.
        let isHeardAgain: Bool
        var testDescription: String { point.rawValue }
    }

    @Test(arguments: [
        Kill(point: .deviceAttemptWritten, bought: 0, isHeardAgain: false),
        Kill(point: .deviceAttemptApproved, bought: 1, isHeardAgain: true),
        Kill(point: .deviceAttemptAnswered, bought: 1, isHeardAgain: true),
        Kill(point: .deviceReceiptWritten, bought: 1, isHeardAgain: true),
        Kill(point: .deviceFinishCalled, bought: 1, isHeardAgain: true),
        Kill(point: .deviceFinishWritten, bought: 1, isHeardAgain: false),
        Kill(point: .deviceFinishAnswered, bought: 1, isHeardAgain: false),
    ])
    func `a killed app loses nothing and buys nothing twice`(kill: Kill) throws {
        let shop = try Shop()
        let program = Self.built("PurchaseProbe")
        var settings = shop.settings()
        settings["BODEGA_CRASH_POINT"] = kill.point.rawValue
        let killed = try Self.run(program, [Shop.fuel], settings)
        #expect(killed.wasKilled)
        let again = try Self.run(program, [], shop.settings())
        #expect(again.status == 0)
        #expect(shop.store.transactions.count == kill.bought)
        let heard = again.lines.filter { $0.hasPrefix("purchased") }
        #expect(heard.count == (kill.isHeardAgain ? 1 : 0))
        if kill.isHeardAgain {
            #expect(again.lines.contains("receipt receipt 2000000000000001"))
        }
        #expect(shop.store.finished.count == kill.bought)
        #expect(shop.journalFiles == [])
        let third = try Self.run(program, [], shop.settings())
        #expect(third.lines == [])
    }

    @Test func `an app killed while a payment is asked for again buys nothing`() throws {
        let shop = try Shop()
        // Polling would sign the account in again before the payment finds it gone.
        shop.store.state.withLock { _ = $0.failing.insert("updates") }
        shop.store.next("attempts", .unauthorized)
        let program = Self.built("PurchaseProbe")
        var settings = shop.settings()
        settings["BODEGA_CRASH_POINT"] = CrashPoint.deviceAttemptWritten.rawValue + ":2"
        #expect(try Self.run(program, [Shop.fuel], settings).wasKilled)
        #expect(shop.journalFiles.count == 1)
        shop.store.state.withLock { $0.failing = [] }
        let again = try Self.run(program, [], shop.settings())
        #expect(again.status == 0)
        #expect(again.lines == [])
        #expect(shop.store.transactions.isEmpty)
        #expect(shop.journalFiles == [])
    }
}
