public import Foundation

/// That the account got the app, as the store signed it.
///
/// ```swift
/// func boughtBeforeVersionTwo() async throws -> Bool {
///     let app = try await AppTransaction.shared.payloadValue
///     return app.originalAppVersion.hasPrefix("1.")
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/apptransaction>
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
public struct AppTransaction: Sendable {
    let signed: SignedText

    /// The app's number in the store; nil in Xcode's test store.
    public let appID: UInt64?
    /// The number of the account's copy of the app; empty if the store did not sign one.
    public var appTransactionID: String { appTransaction }
    /// The app's version.
    public let appVersion: String
    /// The store's number of the app's version; nil in test environments.
    public let appVersionID: UInt64?
    /// The app's bundle identifier.
    public let bundleID: String
    /// Where the account got the app.
    public let environment: AppStore.Environment
    /// The version that the account got first.
    public let originalAppVersion: String
    /// When the account got the app.
    public let originalPurchaseDate: Date
    /// The kind of device that the account got it on first.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public let originalPlatform: AppStore.Platform
    /// When the account ordered it before its release; nil if it did not.
    public let preorderDate: Date?
    /// The digest by which the data are for this device.
    public let deviceVerification: Data
    /// The number that went into the digest.
    public let deviceVerificationNonce: UUID
    /// When the store signed it.
    public let signedDate: Date

    private let appTransaction: String

    /// Reads an app's purchase, whatever its signature is worth.
    init(_ signed: SignedText, _ payload: PayloadMembers) throws(MissingProperty) {
        self.signed = signed
        appID = payload.unsigned("appAppleId")
        appTransaction = payload.text("appTransactionId") ?? ""
        appVersion = try payload.required("applicationVersion", payload.text)
        appVersionID = payload.unsigned("versionExternalIdentifier")
        bundleID = try payload.required("bundleId", payload.text)
        environment = .init(rawValue: try payload.required("receiptType", payload.text))
        originalAppVersion = try payload.required("originalApplicationVersion", payload.text)
        originalPurchaseDate = try payload.required("originalPurchaseDate", payload.date)
        // What is older than this member is of the first of the platforms.
        originalPlatform = payload.text("originalPlatform").map { .init(rawValue: $0) } ?? .iOS
        preorderDate = payload.date("preorderDate")
        let device = DeviceVerification(payload)
        deviceVerification = device.digest
        deviceVerificationNonce = device.nonce
        signedDate = try payload.required("receiptCreationDate", payload.date)
    }

    /// The payload that the store signed: JSON.
    public var jsonRepresentation: Data { signed.payload }

    /// The kind of device that the account got it on first.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use originalPlatform, since iOS 18.4.")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// That the account got the app, from the device or else from the store.
    ///
    /// - Throws: `StoreKitError` when nobody is signed in, or when the store cannot be reached.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws {
            try await StoreContext.current.signedPurchases.appTransaction(refresh: false)
        }
    }

    /// Gets it from the store, after asking for the account.
    ///
    /// - Throws: `StoreKitError`; `userCancelled` when the customer does not sign in.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await StoreContext.current.signedPurchases.appTransaction(refresh: true)
    }
}

extension AppTransaction: SignedValue {}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction: Hashable {
    /// Whether both are the same text: what is signed again is another value.
    public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool {
        lhs.signed == rhs.signed
    }

    /// Hashes the number of the account's copy of the app.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(appTransaction)
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension AppTransaction: CustomDebugStringConvertible {
    /// The payload that the store signed: JSON.
    public var debugDescription: String { String(decoding: signed.payload, as: UTF8.self) }
}
