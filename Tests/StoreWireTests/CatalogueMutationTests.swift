import Testing

@testable import StoreWire

@Suite struct CatalogueMutationTests {
    @Test(arguments: Samples.all)
    func `every prefix of a catalogue file is refused with a place in it`(name: String) throws {
        let bytes = try Samples.bytes(name)
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            guard let error = fault(Array(bytes[..<count])) else {
                Issue.record("the first \(count) bytes were read")
                return
            }
            #expect(error.place.line >= 1 && error.place.column >= 1 && error.path == nil)
        }
    }

    @Test(arguments: Samples.all)
    func `mutated catalogue files are read or refused with a place, never a trap`(name: String)
        throws
    {
        let bytes = try Samples.bytes(name)
        var random = SeededRandom(seed: 0x0B0D_E6A0 &+ UInt64(name.utf8.count))
        var refused = 0
        for round in 0..<2_500 {
            let mutant = mutated(bytes, &random)
            do {
                let file = try CatalogueFile(bytes: mutant)
                #expect(file.bytes == mutant, "round \(round)")
                #expect(
                    try CatalogueFile(document: file.document.value).products == file.products,
                    "round \(round)")
            } catch {
                refused += 1
                let lines = mutant.count { $0 == 0x0A } + 1
                #expect((1...lines).contains(error.place.line), "round \(round)")
                #expect(!error.message.isEmpty)
            }
        }
        // A mutation that never breaks a file would show nothing.
        #expect(refused > 500)
    }

    /// One to three changes: a byte, a cut, a doubled piece, or a token from elsewhere.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "-", "1e9", "0",
            "\u{0}", "é", "true", "\"productID\"", "99999999999999999999",
        ]
        var bytes = bytes
        for _ in 0...Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
            switch Int.random(in: 0...4, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(at..<end)
            case 2: bytes.insert(contentsOf: bytes[at..<end], at: at)
            case 3: bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            default:
                bytes.insert(
                    contentsOf: tokens.randomElement(using: &random)?.utf8 ?? "".utf8, at: at)
            }
        }
        return bytes
    }

    private func fault(_ bytes: [UInt8]) -> CatalogueFileError? {
        do {
            _ = try CatalogueFile(bytes: bytes)
            return nil
        } catch {
            return error
        }
    }
}

/// SplitMix64: the same numbers from the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
