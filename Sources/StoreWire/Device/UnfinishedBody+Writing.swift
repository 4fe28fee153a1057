// The answer that a device waits for at launch; it may list 10,000 transactions.

extension UnfinishedBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("cursor", cursor)
            if let priceConsents { $0.member("priceConsents", priceConsents) }
            $0.member("receiptRevision", receiptRevision)
            if let storefront { $0.member("storefront", storefront) }
            $0.member("transactions", transactions)
        }
    }
}

extension DevicePriceConsentBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("currency", currency)
            $0.member("newPriceMilliunits", newPriceMilliunits)
            $0.member("number", number)
            $0.member("oldPriceMilliunits", oldPriceMilliunits)
            $0.member("productId", productId)
            $0.member("state", state.rawValue)
        }
    }
}
