/// A world's name: 1 to 64 lowercase letters, digits and hyphens, without a hyphen at either end.
package struct WorldName: Hashable, Sendable, CustomStringConvertible {
    package static let lengthMax = 64
    /// The world that `bodega serve` opens.
    package static let `default` = WorldName(known: "default")

    package let text: String

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.lengthMax).contains(bytes.count), bytes.first != 0x2D,
            bytes.last != 0x2D,
            bytes.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            })
        else { return nil }
        self.text = text
    }

    private init(known text: String) {
        self.text = text
    }

    package var isDefault: Bool { self == .default }
    package var description: String { text }
}
