import Foundation

/// The parts of its own receipt that the app reads: enough to unlock purchases.
///
/// The signature is not checked here; anybody who can change this file can also change the app. The
/// backend checks everything worth protecting.
struct AppReceipt {
    struct Purchase {
        var productIdentifier = ""
        var transactionIdentifier = ""
        var quantity = 1
        /// Whether the store took it back, after a refund or when a family stopped sharing it.
        var isCancelled = false
        /// Whether it paid for a period of a subscription.
        var isPeriod = false
    }

    private(set) var bundleIdentifier = ""
    private(set) var version = ""
    private(set) var purchases: [Purchase] = []

    /// Reads the payload of a PKCS#7 signed receipt.
    init(_ data: Data) throws {
        var outer = DERReader(Array(data)[...])
        var info = DERReader(try outer.next(tag: DERReader.sequence))
        _ = try info.next(tag: DERReader.object)
        var wrapped = DERReader(try info.next(tag: DERReader.explicitZero))
        var signed = DERReader(try wrapped.next(tag: DERReader.sequence))
        _ = try signed.next(tag: DERReader.integer)
        _ = try signed.next(tag: DERReader.set)
        var content = DERReader(try signed.next(tag: DERReader.sequence))
        _ = try content.next(tag: DERReader.object)
        var explicit = DERReader(try content.next(tag: DERReader.explicitZero))
        let payload = try explicit.next(tag: DERReader.octets)
        for attribute in try Self.attributes(payload) {
            switch attribute.type {
            case 2: bundleIdentifier = try Self.text(attribute.value)
            case 3: version = try Self.text(attribute.value)
            case 17: purchases.append(try Self.purchase(attribute.value))
            default: break
            }
        }
    }

    /// This installation's receipt, when it belongs to this app and version.
    static func own(of garage: Garage) -> AppReceipt? {
        guard let url = Bundle.main.appStoreReceiptURL, let data = try? Data(contentsOf: url),
            let receipt = try? AppReceipt(data),
            receipt.bundleIdentifier == Garage.bundleIdentifier,
            receipt.version == garage.version
        else { return nil }
        return receipt
    }

    func holds(product: String) -> Bool {
        purchases.contains { $0.productIdentifier == product && !$0.isCancelled }
    }

    private static func purchase(_ bytes: ArraySlice<UInt8>) throws -> Purchase {
        var purchase = Purchase()
        for attribute in try attributes(bytes) {
            switch attribute.type {
            case 1701: purchase.quantity = try number(attribute.value)
            case 1702: purchase.productIdentifier = try text(attribute.value)
            case 1703: purchase.transactionIdentifier = try text(attribute.value)
            case 1708: purchase.isPeriod = try !text(attribute.value).isEmpty
            case 1712: purchase.isCancelled = try !text(attribute.value).isEmpty
            default: break
            }
        }
        return purchase
    }

    /// A set of (type, version, value), the form of both the receipt and its purchases.
    private static func attributes(
        _ bytes: ArraySlice<UInt8>
    ) throws -> [(type: Int, value: ArraySlice<UInt8>)] {
        var outer = DERReader(bytes)
        var set = DERReader(try outer.next(tag: DERReader.set))
        var attributes: [(type: Int, value: ArraySlice<UInt8>)] = []
        while !set.isAtEnd {
            var attribute = DERReader(try set.next(tag: DERReader.sequence))
            let type = try integer(try attribute.next(tag: DERReader.integer))
            _ = try attribute.next(tag: DERReader.integer)
            attributes.append((type, try attribute.next(tag: DERReader.octets)))
        }
        return attributes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        var reader = DERReader(bytes)
        return String(decoding: try reader.next().content, as: UTF8.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) throws -> Int {
        var reader = DERReader(bytes)
        return try integer(try reader.next(tag: DERReader.integer))
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) throws -> Int {
        guard (1...8).contains(bytes.count) else { throw DERReader.Damaged() }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
