import Glibc
import Synchronization

/// Verified values, such as chains, by the bytes that they were verified from, such as
/// certificates; when full, the oldest is evicted.
package final class VerificationCache<Verified: Sendable>: Sendable {
    /// Two chains of each world, for two thousand worlds.
    package static var usualCountMax: Int { 4_096 }

    private struct Contents {
        /// By SHA-256.
        var known: [[UInt8]: Verified] = [:]
        /// Keys in order of arrival; `oldest` is the position of the next one to evict.
        var order: [[UInt8]] = []
        var oldest = 0
        var newest: (source: [UInt8], verified: Verified)?
    }

    private let contents = Mutex(Contents())
    private let countMax: Int

    package init(countMax: Int = usualCountMax) {
        precondition(countMax > 0, "a cache holds at least one")
        self.countMax = countMax
    }

    package var count: Int { contents.withLock { $0.known.count } }

    package func verified(_ source: ArraySlice<UInt8>) -> Verified? {
        if let newest = newest(source) { return newest }
        let key = MessageDigest.sha256.hash(source)
        let bytes = Array(source)
        return contents.withLock { contents in
            guard let known = contents.known[key] else { return nil }
            contents.newest = (bytes, known)
            return known
        }
    }

    /// The previous one, when its bytes are the same: most stores are asked about the data of one
    /// world, and comparing is cheaper than hashing.
    private func newest(_ source: ArraySlice<UInt8>) -> Verified? {
        guard let newest = contents.withLock({ $0.newest }),
            newest.source.count == source.count
        else { return nil }
        let isSame = unsafe newest.source.withUnsafeBytes { known in
            unsafe source.withUnsafeBytes { asked in
                guard let one = known.baseAddress, let other = asked.baseAddress else {
                    return unsafe asked.isEmpty
                }
                return unsafe memcmp(one, other, asked.count) == 0
            }
        }
        return isSame ? newest.verified : nil
    }

    package func add(_ verified: Verified, _ source: ArraySlice<UInt8>) {
        let key = MessageDigest.sha256.hash(source)
        contents.withLock { contents in
            guard contents.known.updateValue(verified, forKey: key) == nil else { return }
            guard contents.order.count == countMax else {
                contents.order.append(key)
                return
            }
            contents.known[contents.order[contents.oldest]] = nil
            contents.order[contents.oldest] = key
            contents.oldest = (contents.oldest + 1) % countMax
        }
    }
}
