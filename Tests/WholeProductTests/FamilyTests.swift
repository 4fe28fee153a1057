import Foundation
import StoreWire
import TestSupport
import Testing

/// A family from the command line to the apps of two people and their backend.
@Suite(.ownThreads) struct FamilyTests {
    private static let track = "com.example.rocketcar.moontrack"
    private static let kid = ["STOREKIT_ACCOUNT": "kid@example.com:rocket-fuel-1"]

    @Test func `a shared purchase reaches a member's app and the backend grants each their own`()
        throws
    {
        let lab = try Lab.open()
        try lab.bodega(["account", "add", "kid@example.com", "--password", "rocket-fuel-1"])
        #expect(
            try lab.bodega(["family", "make", "buyer@example.com"])
                == "family 1: buyer@example.com (organiser)\nshared 0, revoked 0\n")
        try lab.bodega(["family", "add", "1", "kid@example.com"])
        _ = try lab.buyAndKeep([Lab.fuel], device: "kid", environment: Self.kid)
        let bought = try #require(try lab.buyAndKeep([Self.track]).first)
        let shared = try #require(
            try lab.buyAndKeep([], before: 2, device: "kid", environment: Self.kid).last)
        #expect(shared.product == Self.track)
        #expect(shared.transaction != bought.transaction)

        let mother = try lab.backendUser("mother")
        let child = try lab.backendUser("child")
        #expect(try lab.submit(bought.appReceipt, of: bought, as: mother).status == .granted)
        #expect(try lab.submit(shared.appReceipt, of: shared, as: child).status == .granted)
        #expect(
            try lab.submit(shared.transactionReceipt, of: shared, as: child).status
                == .alreadyGranted)
        #expect(
            try lab.submit(shared.appReceipt, of: shared, as: mother).reason
                == "ownedByAnotherUser")
        #expect(try lab.grantCount() == 2)

        #expect(
            try lab.bodega(["family", "remove", "1", "kid@example.com"])
                == "family 1: buyer@example.com (organiser)\nshared 0, revoked 1\n")
        let app = try Program(
            "PurchaseProbe", [],
            environment: lab.appEnvironment(device: "kid").merging(Self.kid) { $1 },
            logs: lab.folder + "/logs")
        try app.wait()
        #expect(app.output.contains("revoked \(Self.track)"), "\(app.output)\(app.errors)")
        #expect(try lab.submit(shared.appReceipt, of: shared, as: child).reason == "cancelled")
        #expect(
            try lab.submit(bought.appReceipt, of: bought, as: mother).status == .alreadyGranted)
    }

    @Test func `families are listed, shown and ended from the command line`() throws {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega(["account", "add", "kid@example.com", "--password", "rocket-fuel-1"])
        try lab.bodega(["family", "make", "buyer@example.com"])
        try lab.bodega(["family", "add", "1", "kid@example.com"])
        let quiet = "family 1: buyer@example.com (organiser, does not share), kid@example.com\n"
        #expect(
            try lab.bodega(["family", "share", "1", "buyer@example.com", "off"])
                == quiet + "shared 0, revoked 0\n")
        #expect(try lab.bodega(["family", "show", "1"]) == quiet)
        #expect(try lab.bodega(["family", "list"]).contains("kid@example.com"))
        #expect(try lab.bodega(["family", "list", "--json"]).contains(#""number":1"#))
        #expect(
            try lab.bodega(["family", "remove", "1", "buyer@example.com"], code: 1)
                .contains("delete the family"))
        #expect(
            try lab.bodega(["family", "delete", "1"])
                == "family 1 has ended\nshared 0, revoked 0\n")
        try lab.bodega(["family", "show", "1"], code: 1)
    }
}
