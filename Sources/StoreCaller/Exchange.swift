import Glibc

/// What has happened in one call: the part of its answer that has arrived, within its limits, and
/// an address that was refused.
final class Exchange {
    /// The limit for all header lines of an answer together.
    static let headerBytesMax = 256 << 10

    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private(set) var isBodyTooLong = false
    private(set) var isHeaderTooLong = false
    /// The first address that was not connected to because it is private.
    private(set) var refusedAddress: String?
    private var headerBytes = 0
    private let bodyMax: Int
    private let cutsBody: Bool
    private let refusesPrivateAddresses: Bool

    init(_ request: CallerRequest) {
        bodyMax = request.responseBodyMax
        cutsBody = request.cutsLongAnswers
        refusesPrivateAddresses = request.refusesPrivateAddresses
    }

    /// Whether the body was longer than its limit and ends there.
    var isCut: Bool { isBodyTooLong && cutsBody }

    /// Takes an address in network order, which may be refused.
    func mayConnect(to address: [UInt8]) -> Bool {
        guard refusesPrivateAddresses, PrivateAddress.includes(address) else { return true }
        if refusedAddress == nil { refusedAddress = Self.text(address) }
        return false
    }

    /// Returns false when the transfer must end here.
    func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyMax - body.count else {
            isBodyTooLong = true
            let room = max(0, bodyMax - body.count)
            if cutsBody { unsafe body.append(contentsOf: bytes.prefix(room)) }
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// Takes one header line with its line end; returns false when the transfer must end here.
    func addHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.headerBytesMax else {
            isHeaderTooLong = true
            return false
        }
        unsafe add(String(decoding: bytes, as: UTF8.self))
        return true
    }

    private func add(_ line: String) {
        if line.hasPrefix("HTTP/") {
            // An interim answer (1xx) came first; its header does not belong to the answer.
            headers = [:]
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
        let end = value.lastIndex { !$0.isWhitespace }
        headers[line[..<colon].lowercased()] = end.map { String(value[...$0]) } ?? ""
    }

    private static func text(_ address: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard address.count == 4 || address.count == 16,
            unsafe inet_ntop(family, address, &text, socklen_t(text.count)) != nil
        else { return "of an unknown kind" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
