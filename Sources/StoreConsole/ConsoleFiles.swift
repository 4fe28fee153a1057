import CConsoleFiles
import Foundation
import StoreHTTP
import StoreService
import StoreVerification

/// The files of the console's pages: those in the program, or in a folder while they are being
/// written.
package struct ConsoleFiles: Sendable {
    /// The page at the folder's own address.
    static let page = "index.html"

    /// The variable of the environment that names a folder to read instead.
    package static let folderVariable = "BODEGA_CONSOLE_FILES"

    private let folder: String?

    /// Those in the program; those of a folder, read for each request, if one is given.
    package init(folder: String? = nil) {
        self.folder = folder
    }

    /// By their paths below the console's, as they are in the program.
    package static let embedded: [String: [UInt8]] = Dictionary(
        uniqueKeysWithValues: (0..<console_file_count()).map { place in
            let file = unsafe console_file_at(place)
            let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: Int(file.count))
            return unsafe (String(cString: file.name), Array(bytes))
        })

    private static let tags = embedded.mapValues { tag(of: $0) }

    /// The answer to a request for a file; 304 when the client has it.
    func answer(_ request: HTTPRequest, _ name: String) throws(Refusal) -> HTTPResponse {
        guard let type = Self.mediaType(of: name), let bytes = bytes(name) else {
            throw Refusal(404, "notFound", "The console has no such file.")
        }
        let tag = folder == nil ? Self.tags[name] ?? "" : Self.tag(of: bytes)
        let isKnown = request.headers["If-None-Match"] == tag
        var response = HTTPResponse(status: isKnown ? 304 : 200, headers: Self.walls)
        response.headers.add("ETag", tag)
        guard !isKnown else { return response }
        response.headers.add("Content-Type", type)
        response.body = bytes
        return response
    }

    private func bytes(_ name: String) -> [UInt8]? {
        guard let folder else { return Self.embedded[name] }
        guard Self.isPlain(name) else { return nil }
        return FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
    }

    private static func tag(of bytes: [UInt8]) -> String {
        let digest = sha256(bytes).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "\"\(digest.joined())\""
    }

    /// Whether a path has only parts such as `now.js`, none of which leads out of the folder.
    private static func isPlain(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.hasPrefix(".") && !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                        || byte == 0x2D || byte == 0x2E
                }
        }
    }

    private static func mediaType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    /// What browsers are told about every file: they run its scripts alone, show it in no other page,
    /// and tell no other server about it.
    ///
    /// Source: Content Security Policy Level 3; Trusted Types; Fetch, *Cross-Origin-Resource-Policy
    /// header*; HTML, *Cross-origin opener policies*.
    private static let walls = HTTPHeaders([
        (
            "Content-Security-Policy",
            """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
            require-trusted-types-for 'script'; trusted-types 'none'
            """
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ("Cache-Control", "no-cache"),
    ])
}
