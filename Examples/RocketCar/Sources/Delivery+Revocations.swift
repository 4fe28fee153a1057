import Foundation

// After a refund, or when a family stops sharing, the receipt shows the purchase as cancelled. The
// app locks and removes what it gave, and the backend learns of it from the receipt.
extension Delivery {
    /// Takes back products that the account no longer owns, as the queue reports them.
    func takeBack(_ products: [String], done: @escaping () -> Void) {
        let receipt = AppReceipt.own(of: garage)
        for product in products
        where product != Garage.fuel && receipt?.holds(product: product) != true { lock(product) }
        // A finished consumable is in no receipt: the backend finds out which one it was.
        followReceipt(
            alsoTelling: products.contains(Garage.fuel) ? finishedFuel(receipt) : nil, done: done)
    }

    /// Takes back what the receipt shows as cancelled, and sends it to the backend once. Also at each
    /// launch, since an earlier run may have ended halfway.
    func followReceipt(
        alsoTelling other: AppReceipt.Purchase? = nil, done: @escaping () -> Void
    ) {
        guard let receipt = AppReceipt.own(of: garage) else { return done() }
        let cancelled = receipt.purchases.filter(\.isCancelled)
        // A period that an upgrade cut short looks the same: the backend knows which it is.
        let lasting = Set(cancelled.filter { !$0.isPeriod }.map(\.productIdentifier))
        for product in lasting.sorted() where !receipt.holds(product: product) { lock(product) }
        let told = (try? SavedGame.load(from: garage.home))?.cancellationsTold ?? []
        let all = Set(cancelled.map(\.transactionIdentifier))
        // One receipt names them all.
        let news = cancelled.last { !told.contains($0.transactionIdentifier) }
        // The refund of some may have been reversed.
        if news == nil, told != all { noteTold(all) }
        let claims = [other, news].compactMap { $0 }
        guard !claims.isEmpty, garage.player != nil else { return done() }
        tell(claims[...]) { [self] isTold in
            guard isTold else { return done() }
            noteTold(all)
            followOwned { [self] trouble in
                if let trouble { report(.trouble(trouble.description)) }
                done()
            }
        }
    }

    /// Removes a product's content from this installation; false when there was none.
    func removeContent(of product: String) -> Bool {
        do {
            let before = try SavedGame.load(from: garage.home)
            guard before.content[product] != nil || before.storeContent[product] != nil else {
                return false
            }
            try SavedGame.change(in: garage.home) { game in
                game.content[product] = nil
                game.storeContent[product] = nil
            }
            for place in [
                garage.contentFile(product: product), garage.storeContentFolder(product: product),
            ] {
                try? FileManager.default.removeItem(at: place)
            }
            return true
        } catch {
            report(.trouble("the game cannot be saved: \(error)"))
            return false
        }
    }

    // MARK: -

    private func lock(_ product: String) {
        let wasUnlocked = product == Garage.turbo && Turbo.forget(garage)
        let hadContent = removeContent(of: product)
        if wasUnlocked || hadContent { report(.takenBack(product: product)) }
    }

    /// The newest fuel that the receipt no longer lists. The refund of one that it lists is shown
    /// there.
    private func finishedFuel(_ receipt: AppReceipt?) -> AppReceipt.Purchase? {
        let listed = Set(receipt?.purchases.map(\.transactionIdentifier) ?? [])
        let counted = (try? SavedGame.load(from: garage.home))?.fuelTransactions ?? []
        return counted.last { !listed.contains($0) }.map {
            AppReceipt.Purchase(productIdentifier: Garage.fuel, transactionIdentifier: $0)
        }
    }

    /// Sends the receipt with purchases that may be cancelled, one after another. The backend refuses
    /// those that are, and marks every purchase that the receipt shows as cancelled.
    private func tell(
        _ claims: ArraySlice<AppReceipt.Purchase>, _ then: @escaping (Bool) -> Void
    ) {
        guard let cancelled = claims.first else { return then(true) }
        guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url)
        else { return then(false) }
        session.ask { [backend] player, then in
            backend.deliver(
                receipt: receipt, product: cancelled.productIdentifier,
                transaction: cancelled.transactionIdentifier, as: player, then)
        } _: { [self] result in
            switch result {
            case .success(.refused), .success(.granted): tell(claims.dropFirst(), then)
            case .success(.kept(let message)):
                notTold(message)
                then(false)
            case .failure(let trouble):
                notTold(trouble.description)
                then(false)
            }
        }
    }

    private func notTold(_ reason: String) {
        report(.trouble("the backend learns of what was taken back at the next launch: \(reason)"))
    }

    private func noteTold(_ transactions: Set<String>) {
        do {
            try SavedGame.change(in: garage.home) { $0.cancellationsTold = transactions }
        } catch {
            report(.trouble("the game cannot be saved: \(error)"))
        }
    }
}
