import Foundation
import Testing

@testable import StoreWire

/// The catalogue files in the folder `Samples`.
enum Samples {
    static let xcode = ["v1.0", "v1.1", "v1.2", "v2.0", "v3.0", "v4.0", "v5.0"]
    static let all = xcode + ["by-hand"]

    static func bytes(_ name: String) throws -> [UInt8] {
        let file = try #require(
            Bundle.module.url(
                forResource: name, withExtension: "storekit", subdirectory: "Samples"))
        return Array(try Data(contentsOf: file))
    }

    static func file(_ name: String) throws -> CatalogueFile {
        try CatalogueFile(bytes: bytes(name))
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}
