public import Foundation

extension BodegaWorld {
    /// What a world sells: a StoreKit configuration file, as Xcode writes it.
    ///
    /// ```swift
    /// let catalogue = BodegaWorld.Catalogue.file(
    ///     URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Products.storekit"))
    /// ```
    public struct Catalogue: Hashable, Sendable {
        private enum Source: Hashable {
            case file(URL)
            case bytes([UInt8])
        }

        private let source: Source

        /// The file at an address.
        public static func file(_ url: URL) -> Self { Self(source: .file(url)) }

        /// The file's text.
        public static func text(_ text: String) -> Self { Self(source: .bytes(Array(text.utf8))) }

        /// The file's bytes.
        public static func data(_ data: Data) -> Self { Self(source: .bytes(Array(data))) }

        /// What the store's sentences about it begin with; empty when it is not a file.
        var place: String {
            if case .file(let url) = source { "\(url.path): " } else { "" }
        }

        func bytes() throws(BodegaError) -> [UInt8] {
            switch source {
            case .bytes(let bytes): return bytes
            case .file(let url):
                do {
                    return Array(try Data(contentsOf: url))
                } catch {
                    throw BodegaError(
                        "unreadable",
                        "The catalogue \(url.path) cannot be read: \(error.localizedDescription)")
                }
            }
        }
    }
}
