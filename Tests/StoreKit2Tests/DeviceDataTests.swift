import BodegaTesting
import Foundation
import StoreKit
import StoreVerification
import Testing

/// What the store signs for a device, as an app sees it.
@Suite struct DeviceDataTests {
    @Test func `the app transaction is verified, remembered, and fetched anew on request`()
        async throws
    {
        try await Kiosk.world().run {
            let transaction = try await AppTransaction.shared.payloadValue
            #expect(transaction.bundleID == Kiosk.app && transaction.environment == .sandbox)
            let again = try await AppTransaction.shared
            #expect(again.jwsRepresentation == transaction.jsonText(of: again))
            let anew = try await AppTransaction.refresh()
            #expect(anew.jwsRepresentation != again.jwsRepresentation)
            #expect(try anew.payloadValue.appTransactionID == transaction.appTransactionID)
        }
    }

    @Test func `signed data name the device by a digest of its number`() async throws {
        try await Kiosk.world().run {
            let product = try await Kiosk.product(Kiosk.archive)
            guard case .success(let result) = try await product.purchase() else {
                throw Trouble("not bought")
            }
            let device = try #require(AppStore.deviceVerificationID)
            let nonce = result.deviceVerificationNonce
            let parts = result.jwsRepresentation.split(separator: ".")
            #expect(parts.count == 3)
            #expect(result.signedData == Data("\(parts[0]).\(parts[1])".utf8))
            #expect(result.signatureData.count == 64)
            let payload = try #require(
                try JSONSerialization.jsonObject(with: result.payloadData) as? [String: Any])
            #expect(payload["deviceVerificationNonce"] as? String == nonce.uuidString.lowercased())
            let named = (nonce.uuidString + device.uuidString).lowercased()
            #expect(result.deviceVerification == Data(sha384(Array(named.utf8))))
            #expect(
                payload["deviceVerification"] as? String
                    == result.deviceVerification.base64EncodedString())
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `the storefront is the account's, and a move is told`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            #expect(await Storefront.current?.countryCode == "USA")
            var moves = Storefront.updates.makeAsyncIterator()
            try await world.move(world.buyer, toStorefront: "DEU")
            #expect(await moves.next()?.countryCode == "DEU")
            #expect(await Storefront.current?.countryCode == "DEU")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a move before the app listens is told as soon as it does`() async throws {
        let world = try await Kiosk.world()
        try await world.run {
            #expect(await Storefront.current?.countryCode == "USA")
            try await world.move(world.buyer, toStorefront: "DEU")
            var moves = Storefront.updates.makeAsyncIterator()
            #expect(await moves.next()?.countryCode == "DEU")
        }
    }
}

extension AppTransaction {
    /// The JWS of a result that has the same payload.
    fileprivate func jsonText(of result: VerificationResult<AppTransaction>) -> String? {
        result.payloadData == jsonRepresentation ? result.jwsRepresentation : nil
    }
}
