import Foundation
import StoreKitTest
import Testing

/// Configuration files that Xcode wrote, of all its versions; those in the folder that
/// `BODEGA_CATALOGUES` names, too.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct ConfigurationFilesTests {
    static let files: [URL] = {
        let samples = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../StoreWireTests/Samples")
        let folders =
            [samples]
            + (ProcessInfo.processInfo.environment["BODEGA_CATALOGUES"].map {
                [URL(fileURLWithPath: $0)]
            } ?? [])
        return folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
                .filter { $0.hasSuffix(".storekit") }.map { folder.appending(path: $0) }
        }
    }()

    @Test(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_CATALOGUES"] != nil))
    func `the named folder has configuration files`() {
        #expect(Self.files.count > 8, "only those of this project were found")
    }

    @Test(arguments: files)
    func `each product is loaded, bought, renewed twice if it renews, and refunded`(
        _ file: URL
    ) async throws {
        let session = try SKTestSession(contentsOf: file)
        session.resetToDefaultState()
        session.askToBuyEnabled = false
        session.interruptedPurchasesEnabled = false
        session.timeRate = .realTime
        let ids = try Self.productIDs(in: file)
        try await session.run {
            let products = try await Product.products(for: ids)
            #expect(Set(products.map(\.id)) == Set(ids))
            for product in products {
                let bought = try await Press.buy(product.id)
                #expect(bought.productID == product.id)
                var newest = bought.id
                if product.type == .autoRenewable {
                    for _ in 1...2 {
                        try session.forceRenewalOfSubscription(productIdentifier: product.id)
                        let latest = try #require(await Transaction.latest(for: product.id))
                        #expect(try latest.payloadValue.originalID == bought.originalID)
                        #expect(try latest.payloadValue.id != newest)
                        newest = try latest.payloadValue.id
                    }
                }
                try session.refundTransaction(identifier: Int(newest))
                let refunded = try #require(await Transaction.latest(for: product.id)).payloadValue
                #expect(refunded.id == newest && refunded.revocationDate != nil)
            }
        }
    }

    /// What a file sells, read without the store.
    private static func productIDs(in file: URL) throws -> [String] {
        struct Sold: Decodable {
            let productID: String
        }
        struct Group: Decodable {
            let subscriptions: [Sold]
        }
        struct Catalogue: Decodable {
            let products: [Sold]?
            let nonRenewingSubscriptions: [Sold]?
            let subscriptionGroups: [Group]?
        }
        let read = try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file))
        return
            ((read.products ?? []) + (read.nonRenewingSubscriptions ?? [])
            + (read.subscriptionGroups ?? []).flatMap(\.subscriptions)).map(\.productID)
    }
}
