// The texts that stood in for types of later systems.

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// The kind of the offer that it was bought with.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 17.2.")
    public var offerType: OfferType? { offer?.type }

    /// The identifier of the offer that it was bought with.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 17.2.")
    public var offerID: String? { offer?.id }

    /// How the offer was paid.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 17.2.")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

    /// The length of the offer, as an ISO 8601 duration.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use offer, since iOS 18.4.")
    public var offerPeriodStringRepresentation: String? { offerPeriod }

    /// Where it was made.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use environment, since iOS 16.0.")
    public var environmentStringRepresentation: String { environment.rawValue }

    /// Whether it is a purchase or a renewal.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use reason, since iOS 17.0.")
    public var reasonStringRepresentation: String { reason.rawValue }

    /// The country of the storefront in which it was made.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use storefront, since iOS 17.0.")
    public var storefrontCountryCode: String { storefront.countryCode }

    /// The currency of `price`.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @available(*, deprecated, message: "Use currency, since iOS 16.0.")
    public var currencyCode: String? { currency?.identifier }

    /// How much of it was refunded or revoked, as `revocationType` has it.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public var revocationTypeStringRepresentation: String? { revocationType?.rawValue }
}
