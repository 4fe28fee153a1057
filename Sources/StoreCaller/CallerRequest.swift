/// One outgoing request.
package struct CallerRequest: Sendable {
    package var method: String
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// The time limit for the whole exchange, from the first byte to the last.
    package var timeoutMilliseconds: Int
    package var connectTimeoutMilliseconds: Int
    /// A longer answer is an error, unless it is cut; its rest is never read.
    package var responseBodyMax: Int
    /// An answer above the limit is cut there: the call ends with its status and the part read, and
    /// the connection is closed.
    package var cutsLongAnswers: Bool
    /// Sent over its own connection, which is closed with the answer. Only such a request is
    /// guaranteed to be sent at most once.
    package var isAlone: Bool
    /// Certificates in PEM, trusted instead of the system's and of the caller's file.
    package var certificateAuthority: String?
    /// Connects only to hosts on the public internet (see `PrivateAddress`). Addresses are judged
    /// when a connection is opened, and no connection of a request that allows all is used.
    package var refusesPrivateAddresses: Bool

    package init(
        method: String, url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, timeoutMilliseconds: Int = 10_000,
        connectTimeoutMilliseconds: Int = 3_000, responseBodyMax: Int = 16 << 20,
        cutsLongAnswers: Bool = false, isAlone: Bool = false, certificateAuthority: String? = nil,
        refusesPrivateAddresses: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeoutMilliseconds = timeoutMilliseconds
        self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
        self.responseBodyMax = responseBodyMax
        self.cutsLongAnswers = cutsLongAnswers
        self.isAlone = isAlone
        self.certificateAuthority = certificateAuthority
        self.refusesPrivateAddresses = refusesPrivateAddresses
    }

    /// The address without its query, which may hold secrets; for messages.
    var place: String {
        String(url.prefix { $0 != "?" && $0 != "#" }.prefix(Self.placeCharactersMax))
    }

    /// Scheme, host and port as the address has them, without regard to case.
    var origin: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return url[..<end].lowercased()
    }

    private static let placeCharactersMax = 200

    /// Refuses requests that could not be sent as intended.
    func check() throws(CallerError) {
        let lowered = url.lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://"),
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw CallerError(
                code: .badURL,
                detail: "\"\(place)\" is not an address that begins with http:// or https://"
                    + " and has no spaces. Use a full address.")
        }
        guard Self.isToken(method) else {
            throw CallerError(
                code: .other, detail: "The method \"\(method)\" is not a valid HTTP method.")
        }
        for header in headers {
            guard Self.isToken(header.name), Self.isFieldValue(header.value) else {
                throw CallerError(
                    code: .other,
                    detail: "The header \"\(header.name)\" has an invalid name or value."
                        + " Use letters, digits and hyphens in names, no control"
                        + " characters in values.")
            }
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: marks.contains(byte)
                }
            }
    }

    /// RFC 9110, section 5.5.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
    }
}
