import Foundation
import StoreWire

/// Prepares a seed for the store, which does not follow paths: catalogue files named in it are
/// inserted as text.
///
/// The text does not have line breaks, so the lines that the store names are those of the file.
enum SeedFile {
    static let bytesMax = 16 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let bytes = try contents(of: path)
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes: bytes, limits: JSONLimits(bytesMax: bytesMax))
        } catch {
            throw Failure("\(path): \(error)")
        }
        let folder = (path as NSString).deletingLastPathComponent
        var result: [UInt8] = []
        var copiedTo = 0
        for index in (document.value["apps"]?.array ?? []).indices {
            let place = JSONPath(steps: [.key("apps"), .index(index), .key("catalogue")])
            guard let name = document.value[place]?.string,
                name.first(where: { !$0.isWhitespace }) != "{",
                let range = document.range(of: place)
            else { continue }
            let file = name.hasPrefix("/") || folder.isEmpty ? name : "\(folder)/\(name)"
            let text: String
            do {
                text = String(decoding: try contents(of: file), as: UTF8.self)
            } catch {
                throw Failure("\(path): \(document.place(of: place)): \(place): \(error)")
            }
            result += bytes[copiedTo..<range.lowerBound] + JSONValue.string(text).compactBytes
            copiedTo = range.upperBound
        }
        return result + bytes[copiedTo...]
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        guard data.count <= bytesMax else {
            throw Failure("\(path) has more than \(bytesMax) bytes")
        }
        return Array(data)
    }
}
