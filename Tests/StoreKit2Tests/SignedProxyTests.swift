import BodegaTesting
import Foundation
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Signed data that a proxy altered on their way, or that are somebody else's: they are delivered
/// with the reason not to trust them, unless they cannot be read at all, and nothing is lost.
@Suite(.ownThreads, .serialized) struct SignedProxyTests {
    typealias Verdict = VerificationResult<Transaction>.VerificationError

    /// The answer of the store in which a proxy alters what was signed.
    enum Route: CaseIterable, Sendable {
        case transactions, purchase, statuses, appTransaction
    }

    struct Alteration: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Nil where nothing can be read.
        let verdict: Verdict?
        var routes = Set(Route.allCases)
        var header: @Sendable (String) throws -> String? = { $0 }
        /// Of a payload and its signature.
        var text: @Sendable (String) throws -> String = { $0 }
    }

    static let alterations = [
        Alteration(testDescription: "a payload in other letters", verdict: nil, text: { "!" + $0 }),
        Alteration(
            testDescription: "a text without its signature", verdict: nil,
            text: { String($0.prefix { $0 != "." }) }),
        Alteration(
            testDescription: "an empty object", verdict: nil,
            text: { "e30." + $0.drop { $0 != "." }.dropFirst() }),
        Alteration(
            testDescription: "no product", verdict: nil,
            routes: [.transactions, .purchase, .statuses],
            text: { try rewritten($0) { $0.replacing("productId", with: "productid") } }),
        Alteration(
            testDescription: "no header", verdict: nil, routes: [.transactions, .statuses],
            header: { _ in nil }),
        Alteration(testDescription: "half a text", verdict: nil, text: { String($0.prefix(100)) }),
        Alteration(testDescription: "an empty text", verdict: nil, text: { _ in "" }),
        Alteration(testDescription: "a header with a dot", verdict: nil, header: { $0 + ".e30" }),
        Alteration(
            testDescription: "half a signature", verdict: .invalidEncoding,
            text: { String($0.dropLast(43)) }),
        Alteration(
            testDescription: "no signature", verdict: .invalidEncoding,
            text: { $0.prefix { $0 != "." } + "." }),
        Alteration(
            testDescription: "another price", verdict: .invalidSignature,
            routes: [.transactions, .purchase],
            text: { try rewritten($0) { $0.replacing(#""price":"#, with: #""price":1"#) } }),
        Alteration(
            testDescription: "one member more", verdict: .invalidSignature,
            text: { try rewritten($0) { $0.dropLast() + #","x":1}"# } }),
        Alteration(
            testDescription: "a megabyte more", verdict: .invalidEncoding,
            text: {
                try rewritten($0) {
                    $0.dropLast() + #","x":"\#(String(repeating: "x", count: 1 << 20))"}"#
                }
            }),
        Alteration(
            testDescription: "a header without certificates", verdict: .invalidEncoding,
            header: { _ in "eyJhbGciOiJFUzI1NiJ9" }),
        Alteration(
            testDescription: "alg none", verdict: .invalidEncoding,
            header: { letters(of: try bytes(of: $0).replacing("ES256", with: "none")) }),
        Alteration(
            testDescription: "two certificates", verdict: .invalidEncoding,
            header: {
                let text = try bytes(of: $0)
                let end = try #require(text.lastIndex(of: ","))
                let last = try #require(text[end...].firstIndex(of: "]"))
                return letters(of: text[..<end] + text[last...])
            }),
    ]

    private static func alterations(at route: Route) -> [Alteration] {
        alterations.filter { $0.routes.contains(route) }
    }

    @Test(arguments: alterations(at: .transactions))
    func `an altered answer is delivered with its verdict, or asked for again`(
        alteration: Alteration
    ) async throws {
        let world = try await Kiosk.world()
        let bought = try await Device(world: world).launch { try await Kiosk.buy(Kiosk.archive).id }
        let proxy = try AlteringProxy(to: world, at: .transactions, alteration)
        defer { proxy.close() }
        let device = Device(world: world)
        let results = try await device.launch(proxy.variables) { try await Self.read() }
        if let verdict = alteration.verdict {
            guard case .unverified(let transaction, verdict)? = results.first else {
                throw Trouble("got \(results)")
            }
            #expect(results.count == 1 && transaction.id == bought)
        } else {
            #expect(results.isEmpty)
        }
        #expect(proxy.altered > 0)
        proxy.heal()
        let later = try await device.launch(proxy.variables) {
            // What cannot be read was never taken in; what is unverified is in the copy.
            if alteration.verdict != nil { try await AppStore.sync() }
            return try await Self.read()
        }
        #expect(try later.map { try $0.payloadValue.id } == [bought])
    }

    @Test func `an app that listens hears of what could not be read, once it can`() async throws {
        let world = try await Kiosk.world()
        _ = try await Device(world: world).launch { try await Kiosk.buy(Kiosk.archive).id }
        let proxy = try AlteringProxy(
            to: world, at: .transactions, Self.alterations[0])
        defer { proxy.close() }
        let device = Device(world: world)
        try await device.launch(proxy.variables) {
            let updates = Collector.updates()
            try await device.sees("an altered answer") { proxy.altered > 0 }
            proxy.heal()
            #expect(try await updates.first().first?.payloadValue.productID == Kiosk.archive)
        }
    }

    @Test(arguments: alterations(at: .purchase))
    func `an altered answer to a purchase is told with its verdict, or asked for again`(
        alteration: Alteration
    ) async throws {
        let world = try await Kiosk.world()
        let proxy = try AlteringProxy(to: world, at: .purchase, alteration)
        defer { proxy.close() }
        let device = Device(world: world)
        let bought = try await device.launch(proxy.variables) {
            let result = try await Kiosk.product(Kiosk.archive).purchase()
            guard case .success(let told) = result else { throw Trouble("got \(result)") }
            #expect(Self.error(of: told) == alteration.error)
            let id = told.unsafePayloadValue.id
            #expect(try await Self.read().map(\.unsafePayloadValue.id) == [id])
            return id
        }
        #expect(proxy.altered == 1)
        #expect(try await world.transactions().map(\.transactionID) == ["\(bought)"])
        let later = try await device.launch {
            try await AppStore.sync()
            return try await Self.read().map { try $0.payloadValue.id }
        }
        #expect(later == [bought])
    }

    @Test(arguments: alterations(at: .statuses))
    func `altered statuses have their verdict in both parts, or are asked for again`(
        alteration: Alteration
    ) async throws {
        let world = try await Kiosk.world()
        let bought = try await Device(world: world).launch { try await Kiosk.buy(Kiosk.monthly).id }
        let proxy = try AlteringProxy(to: world, at: .statuses, alteration)
        defer { proxy.close() }
        try await Device(world: world).launch(proxy.variables) {
            typealias Info = Product.SubscriptionInfo
            let statuses = try await Info.status(for: Kiosk.group)
            #expect(statuses.count == (alteration.verdict == nil ? 0 : 1))
            for status in statuses {
                #expect(Self.error(of: status.transaction) == alteration.error)
                #expect(Self.error(of: status.renewalInfo) == alteration.error)
                #expect(status.state == .subscribed)
            }
            #expect(proxy.altered > 0)
            proxy.heal()
            if alteration.verdict != nil { try await AppStore.sync() }
            let healed = try #require(try await Info.status(for: Kiosk.group).first)
            #expect(try healed.transaction.payloadValue.id == bought)
            #expect(try healed.renewalInfo.payloadValue.willAutoRenew)
        }
    }

    @Test(arguments: alterations(at: .appTransaction))
    func `an altered app transaction has its verdict, or cannot be had until it can be read`(
        alteration: Alteration
    ) async throws {
        let world = try await Kiosk.world()
        let proxy = try AlteringProxy(to: world, at: .appTransaction, alteration)
        defer { proxy.close() }
        try await Device(world: world).launch(proxy.variables) {
            do {
                let result = try await AppTransaction.shared
                #expect(alteration.verdict != nil && Self.error(of: result) == alteration.error)
                #expect(result.unsafePayloadValue.bundleID == Kiosk.app)
            } catch StoreKitError.networkError(let error) {
                #expect(alteration.verdict == nil && error.code == .badServerResponse)
            }
            #expect(proxy.altered == 1)
            proxy.heal()
            #expect(try await AppTransaction.refresh().payloadValue.bundleID == Kiosk.app)
        }
    }

    /// Why a result is unverified; nil for one that is verified.
    private static func error<Value>(of result: VerificationResult<Value>) -> String? {
        guard case .unverified(_, let error) = result else { return nil }
        return "\(error)"
    }

    /// Everything unfinished.
    private static func read() async throws -> [VerificationResult<Transaction>] {
        var results: [VerificationResult<Transaction>] = []
        for await result in Transaction.unfinished { results.append(result) }
        return results
    }

    @Test func `data of another world are unverified by their chain`() async throws {
        let (one, other) = (
            Device(world: try await Kiosk.world()), Device(world: try await Kiosk.world())
        )
        #expect(try await Self.verdict(of: one, in: other) == .invalidCertificateChain)
    }

    @Test func `data of another app are unverified by what they say`() async throws {
        let device = Device(world: try await Kiosk.world())
        let app = "com.example.stand"
        let catalogue = try String(contentsOf: Kiosk.catalogue, encoding: .utf8)
            .replacing(Kiosk.app, with: app)
        _ = try await device.world.control(
            "PUT", "/apps/\(app)/catalog", json: Data(catalogue.utf8))
        let stand = Device(world: device.world)
        _ = try await stand.launch(["STOREKIT_BUNDLE_ID": app]) {
            try await Kiosk.buy("\(app).archive").id
        }
        #expect(try await Self.verdict(ofCopyOf: stand, in: device) == .missingRequiredProperties)
    }

    private static func verdict(of one: Device, in other: Device) async throws -> Verdict? {
        _ = try await one.launch { try await Kiosk.buy(Kiosk.archive).id }
        return try await verdict(ofCopyOf: one, in: other)
    }

    /// What a device says of the copy of another one.
    private static func verdict(
        ofCopyOf one: Device, in other: Device
    ) async throws -> Verdict? {
        _ = try await other.launch { try await Transaction.all.all }
        _ = try other.copy.replace(with: try one.copy.read())
        let results = try await other.launch(other.nobody) { try await read() }
        guard results.count == 1, case .unverified(_, let verdict)? = results.first else {
            throw Trouble("got \(results)")
        }
        return verdict
    }

    // MARK: - Texts

    private static func bytes(of letters: String) throws -> String {
        let text = try #require(SignedText("e30.\(letters).e30"))
        return String(decoding: text.payload, as: UTF8.self)
    }

    private static func letters(of text: some StringProtocol) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The text with another payload, under the same signature.
    private static func rewritten(
        _ text: String, _ change: (String) -> some StringProtocol
    ) throws -> String {
        let parts = text.split(separator: ".")
        let payload = try bytes(of: String(parts[0]))
        let changed = change(payload)
        #expect(changed != payload)
        return "\(letters(of: changed)).\(parts[1])"
    }
}
