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
