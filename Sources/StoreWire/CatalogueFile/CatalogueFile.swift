package import StoreModel

/// A StoreKit configuration file (`.storekit`), written by Xcode or by hand.
///
/// The whole text is kept, so that unused parts are exported unchanged. The fields follow files
/// that Xcode wrote in versions 1.0 to 5.0; Apple does not document the format.
package struct CatalogueFile: Sendable {
    /// The longest file that is read.
    package static let bytesMax = 8 * 1024 * 1024
    /// The most products, subscriptions included, as many as the App Store allows an app.
    package static let productsMax = 10_000
    /// The most localised texts of one product.
    package static let textsMax = 200
    /// The most offers of one subscription, of all kinds together.
    package static let offersMax = 100
    /// The longest name or description, in bytes of UTF-8.
    package static let textBytesMax = 4_096
    /// The most names in `keptUnused`.
    package static let keptUnusedMax = 100
    /// The lowest rank a subscription may have in its group.
    package static let groupLevelMax: Int64 = 10_000

    /// The text and its value.
    package let document: JSONDocument
    /// Eight hexadecimal digits in Xcode's files; absent from version 1.0.
    package let identifier: String?
    /// Nil when the file does not say.
    package let version: CatalogueFileVersion?
    /// In the order of the file: `products`, `nonRenewingSubscriptions`, `subscriptionGroups`. All
    /// are cleared for sale, without storefront prices.
    package let products: [Product]
    /// The groups of its subscriptions, in the order of the file.
    package let groups: [SubscriptionGroup]
    /// The storefront the file was made for, when it names one that this store has.
    package let storefront: Storefront?
    /// The app's number in the App Store, in files that Xcode synchronises with it; nil when it is
    /// missing or not a number.
    package let appNumber: AppNumber?
    /// The locale of the file's settings, such as `en_US`.
    package let locale: String?
    /// Settings in the file that have no effect here yet, by name, in the order of the file:
    /// `settings._timeRate`, `subscriptionGroups[].subscriptions[].adHocOffers`.
    ///
    /// Names without content (null, false, 0, empty) are left out.
    package let keptUnused: [String]

    /// The key with which Xcode signs promotional offers, as written in the file; nil when it is
    /// missing or malformed.
    package let offerKeyPair: OfferKeyPair?

    private let places: [ProductID: JSONPath]

    /// Reads a file; throws at the first error, with its place.
    package init(bytes: [UInt8]) throws(CatalogueFileError) {
        do {
            document = try JSONDocument(
                bytes: bytes, limits: JSONLimits(bytesMax: Self.bytesMax))
        } catch {
            throw CatalogueFileError(error)
        }
        let reader = CatalogueReader(document: document)
        identifier = try reader.identifier()
        version = try reader.version()
        storefront = try reader.storefront()
        appNumber = try reader.appNumber()
        locale = try reader.locale()
        let found = try reader.products()
        products = found.map(\.product)
        groups = try reader.groups()
        places = Dictionary(
            found.map { ($0.product.id, $0.path) }, uniquingKeysWith: { first, _ in first })
        keptUnused = UnusedParts.names(in: document.value)
        offerKeyPair = OfferKeyPair(document.value[OfferKeyPair.name])
    }

    /// Reads a document that does not have a text of its own; it gets the text that Xcode would
    /// write.
    package init(document: JSONValue) throws(CatalogueFileError) {
        try self.init(bytes: document.xcodeBytes)
    }

    /// The file's text: the bytes that were read, except for changed prices.
    package var bytes: [UInt8] { document.bytes }

    /// The same file with other prices; only the bytes of a changed price differ.
    ///
    /// Products that are not in the file are ignored. A price that is only written differently
    /// (`1.50`) stays unchanged. Prices of offers and billing plans do not change.
    package func updated(
        withBasePrices prices: [ProductID: Price]
    ) throws(CatalogueFileError) -> CatalogueFile {
        var changes: [(range: Range<Int>, price: Price)] = []
        for product in products {
            guard let price = prices[product.id], price != product.basePrice,
                let path = places[product.id],
                let range = document.range(of: path.appending("displayPrice"))
            else { continue }
            changes.append((range, price))
        }
        guard !changes.isEmpty else { return self }
        var bytes: [UInt8] = []
        var copiedTo = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += document.bytes[copiedTo..<change.range.lowerBound]
            bytes += "\"\(change.price.decimal)\"".utf8
            copiedTo = change.range.upperBound
        }
        bytes += document.bytes[copiedTo...]
        return try CatalogueFile(bytes: bytes)
    }

    /// The same file with another price of one product.
    package func updated(
        withBasePrice price: Price, for product: ProductID
    ) throws(CatalogueFileError) -> CatalogueFile {
        try updated(withBasePrices: [product: price])
    }
}

/// Why a catalogue file cannot be read, and where in it.
package struct CatalogueFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the document, such as `products[2].displayPrice`; nil when it is not JSON.
    package let path: JSONPath?
    package let place: TextPlace
    package let message: String

    /// `line 12, column 24: products[2].displayPrice: "abc" is not a price; …`.
    package var description: String {
        [place.description, path?.description, message].compactMap(\.self).joined(separator: ": ")
    }
}

extension CatalogueFileError {
    init(_ error: JSONParseError) {
        self.init(path: nil, place: error.place, message: error.message)
    }
}

/// The version in a catalogue file.
package struct CatalogueFileVersion: Hashable, Sendable, CustomStringConvertible {
    /// The major versions that are read: 1.0 to 5.0, and all versions between.
    package static let majorsRead: ClosedRange<Int64> = 1...5

    package let major: Int64
    package let minor: Int64

    package var description: String { "\(major).\(minor)" }
}

/// A catalogue file's key for signing promotional offers in tests; only its shape is checked.
package struct OfferKeyPair: Hashable, Sendable {
    /// Its name in a file, and in `CatalogueFile.keptUnused`.
    package static let name = "subscriptionOffersKeyPair"

    /// Eight hexadecimal digits in Xcode's files.
    package let id: String
    /// PKCS#8 (DER) in base64.
    package let privateKey: String

    init?(_ value: JSONValue?) {
        guard let id = value?["id"]?.string, let key = value?["privateKey"]?.string else {
            return nil
        }
        self.id = id
        privateKey = key
    }
}
