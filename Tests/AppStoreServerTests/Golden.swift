import Foundation
import Testing

/// Files that pin what a client sees. `GOLDEN_UPDATE=1` writes them anew; read the diff.
enum Golden {
    static func check(_ bytes: [UInt8], _ name: String) throws {
        let folder = (#filePath as NSString).deletingLastPathComponent + "/Golden/"
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + name))
            return
        }
        let known = FileManager.default.contents(atPath: folder + name) ?? Data()
        #expect(
            String(decoding: bytes, as: UTF8.self) == String(decoding: known, as: UTF8.self),
            "\(name) differs")
    }
}
