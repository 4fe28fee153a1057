/// Chains that are ready to sign, by what they sign.
struct OpenChains: Sendable {
    var receipts: [ChainName: IssuingChain] = [:]
    var transactions: [ChainName: TransactionChain] = [:]
    var signedData: [ChainName: SignedDataChain] = [:]

    mutating func add(_ other: OpenChains) {
        receipts.merge(other.receipts) { _, new in new }
        transactions.merge(other.transactions) { _, new in new }
        signedData.merge(other.signedData) { _, new in new }
    }
}
