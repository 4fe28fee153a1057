public import Foundation

// These belong to Apple's cloud services for music, which are not implemented: they are never
// posted.
extension NSNotification.Name {
    /// What the account may do with the music service has changed.
    public static let SKCloudServiceCapabilitiesDidChange = NSNotification.Name(
        "SKCloudServiceCapabilitiesDidChangeNotification")

    /// The country of the account's storefront has changed.
    public static let SKStorefrontCountryCodeDidChange = NSNotification.Name(
        "SKStorefrontCountryCodeDidChangeNotification")

    /// The number of the account's storefront has changed.
    public static let SKStorefrontIdentifierDidChange = NSNotification.Name(
        "SKStorefrontIdentifierDidChangeNotification")
}
