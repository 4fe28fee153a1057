import StoreHTTP
import Testing

/// Many buckets, of which a bounded number is remembered.
struct TokenBucketsTests {
    @Test func `each caller has its own tokens`() {
        let buckets = TokenBuckets<String>(atOnceMax: 2, perMinuteMax: 6, callersMax: 9)
        #expect(buckets.wait("a", atMilliseconds: 0) == nil)
        for _ in 0..<2 { #expect(buckets.take("a", atMilliseconds: 0) == nil) }
        #expect(buckets.take("a", atMilliseconds: 0) == 10)
        #expect(buckets.wait("a", atMilliseconds: 0) == 10)
        #expect(buckets.take("b", atMilliseconds: 0) == nil)
        #expect(buckets.wait("a", atMilliseconds: 10_000) == nil)
        #expect(buckets.wait("a", atMilliseconds: 10_000) == nil, "waiting takes none")
        #expect(buckets.take("a", atMilliseconds: 10_000) == nil)
        #expect(buckets.take("a", atMilliseconds: 10_000) == 10)
    }

    @Test func `callers beyond the limit wait until an old bucket has filled`() {
        let buckets = TokenBuckets<Int>(atOnceMax: 1, perMinuteMax: 1, callersMax: 2)
        for caller in 0..<2 { #expect(buckets.take(caller, atMilliseconds: 0) == nil) }
        #expect(buckets.take(2, atMilliseconds: 59_999) == 60)
        #expect(buckets.take(2, atMilliseconds: 60_000) == nil)
    }
}
