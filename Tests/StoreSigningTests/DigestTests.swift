import StoreDigest
import StoreSigning
import StoreVerification
import StoreDigest
import Testing

struct DigestTests {
    // FIPS 180-2, appendices A and B.
    @Test(arguments: [
        (
            "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709"
        ),
        (
            "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
    ])
    func `digests match the standard's examples`(text: String, long: String, short: String) {
        #expect(hexText(sha256(Array(text.utf8))) == long)
        #expect(hexText(sha1(Array(text.utf8))) == short)
    }

    // FIPS 180-2, appendix D.
    @Test func `a digest of 384 bits matches the standard's example`() {
        #expect(
            hexText(sha384(Array("abc".utf8)))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7")
    }

    @Test(arguments: [[0], [0, 0], [1], [63, 1, 0], [64, 64, 3], [1_000_000, 1]])
    func `a digest of pieces equals that of the whole`(sizes: [Int]) {
        let digest = RunningDigest()
        let pieces = sizes.enumerated().map { [UInt8](repeating: UInt8($0), count: $1) }
        for piece in pieces { digest.add(piece[...]) }
        #expect(digest.finish() == sha256(pieces.flatMap { $0 }))
    }

    @Test(arguments: [0, 1, 16, 4_096])
    func `random bytes have the requested length and do not repeat`(count: Int) {
        let first = randomBytes(count)
        #expect(first.count == count)
        if count >= 16 { #expect(first != randomBytes(count)) }
    }

    @Test(
        arguments: [
            ([], [], true), ([1], [1], true), ([1], [2], false), ([1], [1, 0], false),
            ([], [0], false),
            ([1, 2, 3], [1, 2, 3], true), ([0, 2, 3], [1, 2, 3], false),
            ([1, 2, 2], [1, 2, 3], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `byte strings are compared as a whole`(left: [UInt8], right: [UInt8], isEqual: Bool) {
        #expect(isEqualInConstantTime(left, right) == isEqual)
    }
}
