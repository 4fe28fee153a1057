import ActorClient
import OwnNamesClient
import Testing

@Suite struct ActorClientTests {
    struct Ids: TransactionSource {
        func productIDs() -> AsyncStream<String> {
            AsyncStream { continuation in
                for id in ["fuel", "club", "fuel"] { continuation.yield(id) }
                continuation.finish()
            }
        }
    }

    @Test func `an actor counts what a source in place of StoreKit gives`() async {
        let counter = Counter(source: Ids())
        await counter.count()
        #expect(await counter.counts == ["fuel": 2, "club": 1])
    }

    @Test func `names of the app's own win over StoreKit's`() {
        let product = Product(id: "gem", price: "$0.99")
        let transaction = Transaction(product: product.id)
        if case .renewed(let renewed) = Message.renewed(transaction) {
            #expect(renewed.product == "gem")
        } else {
            Issue.record("another message")
        }
    }
}
