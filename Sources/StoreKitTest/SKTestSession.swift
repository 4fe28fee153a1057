public import Foundation
public import StoreKit
import StoreModel
import Synchronization

/// A store of its own for a test: the products of a StoreKit configuration file, a buyer, and
/// everything that a customer or the App Store could do meanwhile.
///
/// The newest session is the one that StoreKit's code in this process buys from, unless it was made
/// inside another one's `run`. Tests that run at the same time each bind theirs with `run`:
///
/// ```swift
/// @MainActor
/// func testUpgrade() async throws {
///     let session = try SKTestSession(configurationFileNamed: "Products")
///     session.disableDialogs = true
///     try await session.run {
///         for product in try await Product.products(for: ["com.example.pro"]) {
///             _ = try await product.purchase()
///         }
///     }
/// }
/// ```
///
/// It stands on a real store: the one that `BODEGA_URL` and `BODEGA_TOKEN` name, or else one that the
/// process starts. When the session goes, nothing of it is left.
///
/// Properties and methods wait for the store, a few milliseconds each, on the caller's thread. When the
/// store refuses a new value, the property keeps the old one, and a line on standard error gives the
/// reason.
///
/// Apple: <https://developer.apple.com/documentation/storekittest/sktestsession>
open class SKTestSession: NSObject, @unchecked Sendable {
    let world: TestWorld
    let simulatedErrors = SimulatedErrors()

    // MARK: - Beginning

    /// Opens a configuration file in the resources beside the test program.
    ///
    /// - Parameters:
    ///   - filename: The file's name without its ending.
    ///   - environment: What signed data name as their environment: `.xcode` as Apple's, or `.sandbox`
    ///     for a server that takes only that.
    /// - Throws: `SKTestError`.
    public convenience init(
        configurationFileNamed filename: String, environment: AppStore.Environment = .xcode
    ) throws {
        try self.init(contentsOf: ConfigurationFile.address(of: filename), environment: environment)
    }

    /// Opens the configuration file at an address, which must end in `.storekit`.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - environment: What signed data name as their environment: `.xcode` as Apple's, or `.sandbox`
    ///     for a server that takes only that.
    /// - Throws: `SKTestError`.
    public init(contentsOf fileURL: URL, environment: AppStore.Environment = .xcode) throws {
        let file = try ConfigurationFile(at: fileURL)
        guard let name = SandboxName(rawValue: environment.rawValue) else {
            throw SKTestError(
                .invalidAction,
                "A test session's environment is .xcode or .sandbox, not \(environment.rawValue).")
        }
        world = try TestWorld(file, environment: name)
        super.init()
        if !StoreContext.isBound { StoreContext.replaceProcess(with: world.context) }
    }

    deinit {
        StoreContext.restoreProcess(insteadOf: world.context)
        world.end()
    }

    /// Binds StoreKit to this session for a body, and for the tasks that it creates, whatever session
    /// is the newest: so tests can run at the same time.
    ///
    /// What is created here stays here: a request that is started later, an observer that is called
    /// later. A detached task, and work on a dispatch queue, are outside.
    ///
    /// - Parameters:
    ///   - isolation: Where the body runs: where the caller does.
    ///   - body: What the app does.
    public func run<Answer>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Answer
    ) async rethrows -> Answer {
        try await world.context.run(body)
    }

    // MARK: - Settings

    /// The country of the buyer, as three letters; the file's at first.
    public var storefront: String {
        get { world.settings.storefront }
        set { change { $0.storefront = newValue } }
    }

    /// The customer's locale, in whose language products are described; the file's at first.
    public var locale: Locale {
        get { Locale(identifier: world.settings.locale) }
        set { change { $0.locale = newValue.identifier } }
    }

    /// Whether no sheet is shown. None ever is: the buyer approves every payment.
    public var disableDialogs: Bool {
        get { world.settings.disablesDialogs }
        set { change { $0.disablesDialogs = newValue } }
    }

    /// Whether every purchase waits for approval.
    public var askToBuyEnabled: Bool {
        get { world.settings.asksToBuy }
        set { change { $0.asksToBuy = newValue } }
    }

    /// Whether every purchase fails with an issue, as long as this is true;
    /// `resolveIssueForTransaction(identifier:)` makes such a purchase later.
    public var interruptedPurchasesEnabled: Bool {
        get { world.settings.interruptsPurchases }
        set { change { $0.interruptsPurchases = newValue } }
    }

    /// How fast subscriptions renew, from their next period on.
    public var timeRate: TimeRate {
        get { world.settings.timeRate }
        set { change { $0.timeRate = newValue } }
    }

    /// Whether a subscription whose renewal failed is served a while.
    public var billingGracePeriodIsEnabled: Bool {
        get { world.settings.hasGracePeriod }
        set { change { $0.hasGracePeriod = newValue } }
    }

    /// Whether every renewal fails.
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { world.settings.failsRenewals }
        set { change { $0.failsRenewals = newValue } }
    }

    /// Whether every payment fails with `failureError`.
    @available(*, deprecated, message: "Use setSimulatedError(_:forAPI:), since iOS 17.0.")
    public var failTransactionsEnabled: Bool {
        get { world.settings.failsTransactions }
        set { change { $0.failsTransactions = newValue } }
    }

    /// What payments fail with.
    @available(*, deprecated, message: "Use setSimulatedError(_:forAPI:), since iOS 17.0.")
    public var failureError: SKError.Code {
        get { world.settings.failureError }
        set { change { $0.failureError = newValue } }
    }

    /// Restores the file's settings, and ends simulated errors. Transactions stay.
    public func resetToDefaultState() {
        let settings = world.file.settings
        simulatedErrors.clear()
        simulateErrors()
        change { $0 = settings }
    }

    private func change(_ body: (inout SessionSettings) -> Void) {
        do throws(SKTestError) {
            try world.change(body)
        } catch {
            Self.say(error)
        }
    }

    /// Says what a method that cannot throw was refused.
    static func say(_ error: SKTestError) {
        FileHandle.standardError.write(Data("StoreKitTest: \(error)\n".utf8))
    }
}
