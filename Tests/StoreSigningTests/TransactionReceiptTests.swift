import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct TransactionReceiptTests {
    static let follows = """
        Follows public receipts of 2012 to 2019 in client code: entries and their order, dates with \
        milliseconds, the text's form. The identifier of the device, which is of unknown making \
        there, holds our world seal.
        """

    @Test func `a transaction receipt says what was signed, for which world and environment`()
        throws
    {
        let verifier = try SharedStore.get().transactionReceiptVerifier()
        for environment in StoreEnvironment.allCases {
            for isTest in [false, true] {
                for info in [Samples.transactionInfo, Samples.transactionSubscription] {
                    let signer = try SharedStore.transactionSigner(environment, isTest: isTest)
                    let receipt = try signer.sign(info)
                    #expect(TransactionReceiptVerifier.isMeant(receipt))
                    let verified = try verifier.verify(receipt)
                    #expect(verified.info == info)
                    #expect(verified.environment == environment)
                    #expect(verified.isTest == isTest)
                    #expect(verified.worldID == Samples.worldID)
                    #expect(
                        verified.pairs.map(\.key).contains("app-item-id")
                            == (environment == .production))
                }
            }
        }
    }

    @Test func `transaction receipt texts match their golden files`() throws {
        var text = ""
        for (environment, info) in [
            (.sandbox, Samples.transactionInfo), (.production, Samples.transactionInfo),
            (.sandbox, Samples.transactionSubscription),
        ] as [(StoreEnvironment, TransactionReceiptInfo)] {
            let seal = WorldSeal(
                worldID: Samples.worldID, environment: environment, isTest: false)
            let inner = PropertyListText.text(info.pairs(sealedFor: seal))
            let outer = TransactionReceiptText.text(
                signature: [2, 255], info: [0x7B, 0x7D], from: environment)
            text += String(decoding: outer + [0x0A] + inner + [0x0A], as: UTF8.self)
        }
        try Golden.check(text, "transaction-receipts.txt", follows: Self.follows)
    }

    @Test func `the transaction certificate matches its golden file`() throws {
        let receipt = try SharedStore.transactionSigner().sign(Samples.transactionInfo)
        let blob = try TransactionSignature(try TransactionReceiptText(receipt).signature)
        #expect(blob.signature.count == 128)
        var dump = ASN1Dump(hidesKeys: true)
        try dump.add(DERReader(blob.certificate))
        try Golden.check(
            dump.text, "transaction-certificate.txt",
            follows: """
                Follows the certificate of a public receipt of version 2: name, marker \
                1.2.840.113635.100.6.5.1, RSA-1024. Different on purpose: SHA-256, dates 2000 to \
                2099, the world as organizational unit.
                """)
    }

    @Test func `the same purchase gives the same receipt bytes, also after keys are reloaded`()
        throws
    {
        let folder = TemporaryFolder()
        try KeyStore.create(in: folder.file("keys"))
        let receipts = try (0..<2).map { _ in
            try KeyStore(directory: folder.file("keys"))
                .transactionReceiptSigner(.sandbox, isTest: false, worldID: Samples.worldID)
                .sign(Samples.transactionInfo)
        }
        #expect(receipts[0] == receipts[1])
    }

    @Test(arguments: ["Zünd \"Stufe\" 2\\3", "🚀", "a\u{0}b\n", "=;{}"])
    func `any text in a transaction receipt is read back unchanged`(text: String) throws {
        var info = Samples.transactionInfo
        info.productID = text
        info.applicationVersion = text
        let receipt = try SharedStore.transactionSigner().sign(info)
        #expect(receipt.allSatisfy { $0 < 0x7F })
        let verified = try SharedStore.get().transactionReceiptVerifier().verify(receipt)
        #expect(verified.info == info)
    }

    @Test func `a receipt no verifier would accept is not signed`() throws {
        let signer = try SharedStore.transactionSigner()
        for change in [
            { $0.purchasedAt = Samples.moment("1999-12-31T23:59:59Z") },
            { $0.purchasedAt = Samples.moment("2100-01-01T00:00:00Z") },
            { $0.originallyPurchasedAt = Timestamp(milliseconds: .max) },
            { $0.productID = String(repeating: "x", count: 1_025) },
        ] as [(inout TransactionReceiptInfo) -> Void] {
            var info = Samples.transactionInfo
            change(&info)
            #expect(throws: SigningFailure(.invalidValue, "")) { try signer.sign(info) }
        }
        #expect(throws: SigningFailure(.invalidValue, "")) {
            try SharedStore.transactionSigner(worldID: "a world")
        }
    }

    @Test func `a device's identifier differs between worlds and is stable in each`() {
        let vendor = Samples.transactionInfo.vendorIdentifier
        let seals = [
            WorldSeal(worldID: Samples.worldID, environment: .sandbox, isTest: false),
            WorldSeal(worldID: Samples.otherWorldID, environment: .sandbox, isTest: false),
            WorldSeal(worldID: Samples.worldID, environment: .production, isTest: false),
            WorldSeal(worldID: Samples.worldID, environment: .sandbox, isTest: true),
        ]
        let names = seals.map { $0.deviceIdentifier(vendorIdentifier: vendor) }
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { $0.utf8.count == 40 })
        #expect(seals[0].deviceIdentifier(vendorIdentifier: vendor) == names[0])
        #expect(seals[0].deviceIdentifier(vendorIdentifier: vendor + "0") != names[0])
    }
}
