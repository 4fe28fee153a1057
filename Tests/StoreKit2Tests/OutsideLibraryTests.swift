import BodegaTesting
import Foundation
import TestSupport
import Testing

@testable import StoreKit

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// What an app reads as `jwsRepresentation`, verified by libraries from outside.
@Suite(
    .enabled(if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"),
    .ownThreads)
struct OutsideLibraryTests {
    /// What the verifier is told; see `Tests/Verifiers/device_data.py`.
    private struct Told: Encodable {
        struct Key: Codable {
            let keyId: String
            let issuerId: String
            let privateKey: String
        }

        let url: String
        let bundleId: String
        let appVersion: String
        let root: Data
        let key: Key
        let transactions: [String]
        let renewals: [String]
        let appTransaction: String
    }

    @Test func `Apple's library accepts all that a device got, which says what servers are told`()
        async throws
    {
        let device = Device(world: try await Kiosk.worldWithWinBack())
        let world = device.world
        let key = try JSONDecoder().decode(
            Told.Key.self, from: try await world.control("POST", "/apps/\(Kiosk.app)/offer-keys"))
        let told = try await device.launch {
            let (transactions, renewals) = try await Self.live(in: world)
            return Told(
                url: world.url.absoluteString, bundleId: Kiosk.app, appVersion: "1.0",
                root: try Self.root(of: device),
                key: key, transactions: transactions, renewals: renewals,
                appTransaction: try await AppTransaction.shared.jwsRepresentation)
        }
        #expect(told.transactions.count == 6 && told.renewals.count == 1)
        let file = device.home.file("told.json")
        try JSONEncoder().encode(told).write(to: URL(fileURLWithPath: file))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Verifiers/device_data.py").standardizedFileURL.path
        let verifier = try Command(try #require(outsidePython), ["-B", script, file])
        #expect(verifier.status == 0, "\(verifier.output)")
        #expect(
            verifier.output.contains(
                "all checks passed: 6 transactions, 1 renewals, an app transaction"))
    }

    /// Products of every kind; a subscription that was renewed, ended, and was won back; a refund.
    private static func live(
        in world: BodegaWorld
    ) async throws -> (transactions: [String], renewals: [String]) {
        let token = Product.PurchaseOption.appAccountToken(UUID())
        let bought = try await Kiosk.buy(Kiosk.monthly, options: [token])
        try await world.advance(to: try #require(bought.expirationDate).addingTimeInterval(1))
        let group = try #require(try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
        try await world.post("/subscriptions/\(bought.id)/cancel")
        let renewed = try group.transaction.payloadValue
        try await world.advance(to: try #require(renewed.expirationDate).addingTimeInterval(1))
        let club = try await Kiosk.product(Kiosk.monthly)
        let offer = try #require(club.subscription?.winBackOffers.first)
        _ = try await Kiosk.buy(Kiosk.monthly, options: [.winBackOffer(offer)])
        _ = try await Kiosk.buy(Kiosk.issue, options: [.quantity(3), token])
        _ = try await Kiosk.buy(Kiosk.summer)
        let archive = try await Kiosk.buy(Kiosk.archive)
        try await world.refund("\(archive.id)")
        var transactions: [String] = []
        for await result in Transaction.all {
            if case .unverified(_, let error) = result { throw error }
            transactions.append(result.jwsRepresentation)
        }
        let renewals = try await Product.SubscriptionInfo.status(for: Kiosk.group)
            .map(\.renewalInfo.jwsRepresentation)
        return (transactions, renewals)
    }

    /// The root that the store named when the device registered.
    private static func root(of device: Device) throws -> Data {
        let home = try HomeFolder(path: device.path)
        let world = try #require(try home.deviceSession()).worldId
        return Data(try #require(try RootPins(home: home).root(of: world)))
    }
}
