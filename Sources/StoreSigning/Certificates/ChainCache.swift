import Glibc
import Synchronization

/// The number of chains a verifier keeps: two per world, for two thousand worlds.
let chainsCachedMax = 4_096

/// Verified chains by the bytes of their certificates; when full, the oldest is evicted.
final class ChainCache<Chain: Sendable>: Sendable {
    private struct Contents {
        /// By SHA-256.
        var chains: [[UInt8]: Chain] = [:]
        /// Keys in order of arrival; `oldest` is the position of the next one to evict.
        var order: [[UInt8]] = []
        var oldest = 0
        var newest: (certificates: [UInt8], chain: Chain)?
    }

    private let contents = Mutex(Contents())
    private let countMax: Int

    init(countMax: Int = chainsCachedMax) {
        precondition(countMax > 0, "a cache of chains holds at least one")
        self.countMax = countMax
    }

    var count: Int { contents.withLock { $0.chains.count } }

    func chain(_ certificates: ArraySlice<UInt8>) -> Chain? {
        if let newest = newest(certificates) { return newest }
        let key = MessageDigest.sha256.hash(certificates)
        let bytes = Array(certificates)
        return contents.withLock { contents in
            guard let known = contents.chains[key] else { return nil }
            contents.newest = (bytes, known)
            return known
        }
    }

    /// The previous chain, when its certificates are the same byte for byte: most stores are asked
    /// about the data of one world, and comparing is cheaper than hashing.
    private func newest(_ certificates: ArraySlice<UInt8>) -> Chain? {
        guard let newest = contents.withLock({ $0.newest }),
            newest.certificates.count == certificates.count
        else { return nil }
        let isSame = unsafe newest.certificates.withUnsafeBytes { known in
            unsafe certificates.withUnsafeBytes { asked in
                guard let one = known.baseAddress, let other = asked.baseAddress else {
                    return unsafe asked.isEmpty
                }
                return unsafe memcmp(one, other, asked.count) == 0
            }
        }
        return isSame ? newest.chain : nil
    }

    func add(_ chain: Chain, _ certificates: ArraySlice<UInt8>) {
        let key = MessageDigest.sha256.hash(certificates)
        contents.withLock { contents in
            guard contents.chains.updateValue(chain, forKey: key) == nil else { return }
            guard contents.order.count == countMax else {
                contents.order.append(key)
                return
            }
            contents.chains[contents.order[contents.oldest]] = nil
            contents.order[contents.oldest] = key
            contents.oldest = (contents.oldest + 1) % countMax
        }
    }
}
