import Dispatch
import StoreModel
import Synchronization

// The account's move to another country.
extension QueueEngine {
    /// Tells observers and sequences the account's storefront.
    func tell(storefront session: DeviceRecord.Session) {
        board.tell(storefront: session.storefrontIdentifier, queue: queue)
        feed?.tell(
            storefront: Storefront(
                countryCode: session.countryCode, id: session.storefrontIdentifier))
    }

    /// Records the move, tells observers, and asks the app once per payment whether it continues.
    func changeStorefront(
        _ move: StorefrontMove, _ customer: Customer, asking keys: [QueueKey]
    ) {
        guard case .success(let parts) = parts else { return }
        let (moved, isSaved) = parts.connection.move(customer, toStorefront: move.countryCode)
        unsavedMoves.withLock { $0[customer] = isSaved ? nil : move }
        if isSaved { listener?.marks.saved(move, of: customer) }
        guard let session = moved else { return }
        tell(storefront: session)
        calls.onMain { [self] in
            for key in keys {
                let before = self.move(key, to: session)
                // The payment's sheet may have asked already.
                if before == session.storefrontIdentifier { continue }
                if !ask(key, session) { handle(.notContinued(key)) }
            }
        }
    }

    /// Tries again to save a move that the home folder refused. Observers already know it.
    func saveMove(of customer: Customer) {
        guard let move = unsavedMoves.withLock({ $0[customer] }) else { return }
        changeStorefront(move, customer, asking: [])
    }

    // MARK: - Payments not yet approved

    /// Records a payment's storefront when it is added; payments that have left are forgotten.
    func noteStorefront(of key: QueueKey, _ parts: Parts) {
        let present = look { Set($0.items.keys) }
        storefronts.withLock { known in
            known = known.filter { present.contains($0.key) }
            known[key] = known[key] ?? parts.connection.session?.storefrontIdentifier
        }
    }

    /// Whether a payment's storefront differs from the one that the app knows.
    func hasMoved(_ key: QueueKey, _ parts: Parts) -> Bool {
        guard let known = storefronts.withLock({ $0[key] }) else { return false }
        return parts.connection.session?.storefrontIdentifier != known
    }

    /// Records the storefront of payments at the sheet that were added before the device spoke to
    /// the store: the one that the store names first, before the sign-in.
    func noteStorefront(ofFirst session: DeviceRecord.Session) {
        let waiting = look { $0.inOrder.filter { $0.stage == .atSheet }.map(\.key) }
        storefronts.withLock { known in
            for key in waiting { known[key] = known[key] ?? session.storefrontIdentifier }
        }
    }

    /// Whether the app continues with a payment; it is asked once in every storefront but the
    /// first.
    func goesOn(with key: QueueKey, _ parts: Parts) -> Bool {
        guard let session = parts.connection.session, let before = move(key, to: session),
            before != session.storefrontIdentifier
        else { return true }
        return calls.askOnMain(otherwise: true) { ask(key, session) }
    }

    /// Records a payment's new storefront and gives the previous one.
    private func move(_ key: QueueKey, to session: DeviceRecord.Session) -> String? {
        storefronts.withLock { $0.updateValue(session.storefrontIdentifier, forKey: key) }
    }

    /// Asks the delegate, on the main thread.
    private func ask(_ key: QueueKey, _ session: DeviceRecord.Session) -> Bool {
        if let storefront = StoreModel.Storefront(countryCode: session.countryCode),
            let answer = feed?.callers.mayContinue(key, in: storefront)
        {
            return answer
        }
        guard let queue, let delegate = queue.delegate, let transaction = board.transaction(key)
        else { return true }
        let storefront = SKStorefront(
            countryCode: session.countryCode, identifier: session.storefrontIdentifier)
        return delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront)
    }
}
