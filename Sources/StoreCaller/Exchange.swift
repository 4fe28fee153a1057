/// The part of one answer that has arrived, within its limits.
final class Exchange {
    /// The limit for all header lines of an answer together.
    static let headerBytesMax = 256 << 10

    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private(set) var isBodyTooLong = false
    private(set) var isHeaderTooLong = false
    private var headerBytes = 0
    private let bodyMax: Int

    init(bodyMax: Int) {
        self.bodyMax = bodyMax
    }

    /// Returns false when the transfer must end here.
    func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyMax - body.count else {
            isBodyTooLong = true
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
}
