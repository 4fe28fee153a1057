/// The content that requests are using now; accessed only under the lock of the content's store.
struct ContentClaims {
    /// How often each digest is held.
    private var held: [String: Int] = [:]
    /// The digests that are being written.
    private var written: Set<String> = []
    /// The digests held at any time of the present sweep; nil without one.
    private var heldInSweep: Set<String>?

    mutating func hold(_ digests: Set<String>) {
        for digest in digests { held[digest, default: 0] += 1 }
        heldInSweep?.formUnion(digests)
    }

    mutating func release(_ digests: Set<String>) {
        for digest in digests {
            let count = (held[digest] ?? 1) - 1
            held[digest] = count == 0 ? nil : count
        }
    }

    /// False when another request is writing it.
    mutating func beginWriting(_ digest: String) -> Bool { written.insert(digest).inserted }

    mutating func endWriting(_ digest: String) { written.remove(digest) }

    /// False when a sweep is already running.
    mutating func beginSweep() -> Bool {
        guard heldInSweep == nil else { return false }
        heldInSweep = Set(held.keys)
        return true
    }

    mutating func endSweep() { heldInSweep = nil }

    /// Whether a request that began or ended during the sweep may have come to need it.
    func isClaimed(_ digest: String) -> Bool {
        heldInSweep?.contains(digest) ?? true || written.contains(digest)
    }
}
