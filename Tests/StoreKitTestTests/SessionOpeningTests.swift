import Foundation
import StoreKitTest
import TestSupport
import Testing

/// Opening a configuration file, and what its settings say.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionOpeningTests {
    @Test func `a file in the test's resources is found by its name`() async throws {
        let session = try SKTestSession(configurationFileNamed: "Press")
        try await session.run {
            let products = try await Product.products(for: [Press.issue, Press.monthly])
            #expect(products.count == 2)
        }
    }

    @Test func `a subclass opens a file by its address, as Apple's designated initializer`() throws
    {
        final class QuietSession: SKTestSession, @unchecked Sendable {
            let opened: URL

            override init(
                contentsOf fileURL: URL, environment: AppStore.Environment = .xcode
            ) throws {
                opened = fileURL
                try super.init(contentsOf: fileURL, environment: environment)
                disableDialogs = true
            }
        }
        let session = try QuietSession(configurationFileNamed: "Press")
        #expect(session.opened.lastPathComponent == "Press.storekit")
        #expect(session.disableDialogs && session.storefront == "DEU")
    }

    @Test func `the file's settings are the session's`() throws {
        let session = try SKTestSession(contentsOf: Press.file)
        #expect(session.storefront == "DEU")
        #expect(session.locale.identifier == "de_DE")
        #expect(session.timeRate == .oneRenewalEveryFifteenMinutes)
        #expect(session.billingGracePeriodIsEnabled)
        #expect(!session.askToBuyEnabled)
        #expect(!session.interruptedPurchasesEnabled)
        #expect(!session.shouldEnterBillingRetryOnRenewal)
        #expect(!session.disableDialogs)
    }

    @Test func `storefront and locale reach products and transactions`() async throws {
        let session = try SKTestSession(contentsOf: Press.file)
        try await session.run {
            let product = try await Press.product(Press.issue)
            #expect(product.displayName == "Ausgabe")
            let german = try await Press.buy(Press.issue)
            #expect(german.storefront.countryCode == "DEU")
            session.storefront = "USA"
            session.locale = Locale(identifier: "en_US")
            #expect(try await Press.product(Press.issue).displayName == "Issue")
            let american = try await Press.buy(Press.issue)
            #expect(american.storefront.countryCode == "USA")
        }
    }

    @Test func `the default state is the file's, and keeps transactions`() async throws {
        let session = try SKTestSession(contentsOf: Press.file)
        session.storefront = "USA"
        session.askToBuyEnabled = true
        session.askToBuyEnabled = false
        session.timeRate = .realTime
        session.billingGracePeriodIsEnabled = false
        session.shouldEnterBillingRetryOnRenewal = true
        session.interruptedPurchasesEnabled = true
        try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
        session.resetToDefaultState()
        #expect(session.storefront == "DEU")
        #expect(session.timeRate == .oneRenewalEveryFifteenMinutes)
        #expect(session.billingGracePeriodIsEnabled)
        #expect(!session.shouldEnterBillingRetryOnRenewal)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        try await session.run {
            let bought = try await Press.buy(Press.issue)
            session.resetToDefaultState()
            #expect(session.allTransactions().map(\.identifier) == [Int(bought.id)])
        }
    }

    @Test func `what is signed names the environment of Xcode, or the sandbox if asked`()
        async throws
    {
        let xcode = try SKTestSession(contentsOf: Press.file)
        try await xcode.run {
            let bought = try await Press.buy(Press.issue)
            #expect(bought.environment == .xcode)
            #expect(try await AppTransaction.shared.payloadValue.environment == .xcode)
        }
        let sandbox = try SKTestSession(contentsOf: Press.file, environment: .sandbox)
        try await sandbox.run {
            let bought = try await Press.buy(Press.issue)
            #expect(bought.environment == .sandbox)
        }
        expectRefused(.invalidAction) {
            try SKTestSession(contentsOf: Press.file, environment: .production)
        }
    }

    // MARK: - Files that cannot be opened

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String?
        let code: SKTestError.Code
        let sentence: String

        var testDescription: String { name }
    }

    @Test(arguments: [
        Wrong(name: "none.storekit", text: nil, code: .fileNotFound, sentence: "There is no file"),
        Wrong(name: "shop.json", text: "{}", code: .invalidURL, sentence: "ends in .storekit"),
        Wrong(
            name: "cut.storekit", text: #"{"products": ["#, code: .invalidURL,
            sentence: "cannot be read"),
        Wrong(
            name: "list.storekit", text: "[]", code: .invalidURL, sentence: "cannot be read"),
        Wrong(
            name: "six.storekit",
            text:
                #"{"products": [], "subscriptionGroups": [], "version": {"major": 6, "minor": 0}}"#,
            code: .invalidURL, sentence: "version"),
    ])
    func `a file that cannot be opened is refused with its name and the reason`(
        _ wrong: Wrong
    ) throws {
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder.file(wrong.name))
        try wrong.text.map { try Data($0.utf8).write(to: url) }
        let error = #expect(throws: SKTestError.self) { try SKTestSession(contentsOf: url) }
        #expect(error?.code == wrong.code)
        #expect(error?.localizedDescription.contains(wrong.sentence) == true, "\(error as Any)")
        #expect(error?.localizedDescription.contains(wrong.name) == true)
    }

    @Test(arguments: ["Nowhere", "../Press", ""])
    func `a name that no resource has is refused`(_ name: String) {
        let error = #expect(throws: SKTestError.self) {
            try SKTestSession(configurationFileNamed: name)
        }
        #expect([.fileNotFound, .invalidURL].contains(error?.code))
    }

    @Test func `an address of the web is refused`() throws {
        let url = try #require(URL(string: "https://example.com/Press.storekit"))
        expectRefused(.invalidURL) { try SKTestSession(contentsOf: url) }
    }

    @Test func `an error has Apple's domain and number`() throws {
        let error =
            #expect(throws: SKTestError.self) {
                try SKTestSession(configurationFileNamed: "Nowhere")
            } as NSError?
        #expect(error?.domain == "SKTestErrorDomain")
        #expect(error?.code == 4)
    }

    @Test func `an error keeps what it is given and is caught by its code`() {
        let given = SKTestError(
            .noTransactionFound, userInfo: [NSLocalizedDescriptionKey: "It is gone.", "number": 7])
        #expect(given.localizedDescription == "It is gone." && "\(given)" == "It is gone.")
        #expect(given.userInfo["number"] as? Int == 7 && given.errorCode == 6)
        #expect(given == given && given != SKTestError(.noTransactionFound))
        do {
            throw given
        } catch SKTestError.fileNotFound {
            Issue.record("That is another code.")
        } catch SKTestError.noTransactionFound {
        } catch {
            Issue.record(error)
        }
    }
}
