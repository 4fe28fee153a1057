// How a change of the store behind the address changes the queue.
extension QueueState {
    /// The items, oldest first.
    var inOrder: [QueueItem] {
        items.values.sorted {
            ($0.madeAtMilliseconds, $0.key.text) < ($1.madeAtMilliseconds, $1.key.text)
        }
    }

    /// A transaction without a recorded world belongs to the present one.
    func placed(_ name: TransactionName) -> TransactionName {
        TransactionName(worldId: name.worldId ?? world, transactionId: name.transactionId)
    }

    /// Continues with this world's items; those of another world wait for it.
    mutating func worldMet(_ worldId: String) -> [QueueAction] {
        guard world != worldId else { return [] }
        let isFirst = world == nil
        world = worldId
        var actions = isFirst ? settleIn(worldId) : []
        launchBatch.removeAll { items[$0]?.worldId != worldId }
        actions += postHeld { $0.worldId == worldId }
        let failed = inOrder.filter {
            $0.stage == .failed && $0.isFromJournal && $0.worldId == worldId
        }
        return actions + tellOrBatch(failed.map(\.key))
    }

    /// Items begun before the device met a world belong to the first one.
    private mutating func settleIn(_ worldId: String) -> [QueueAction] {
        for (name, key) in keysByTransaction where name.worldId == nil {
            keysByTransaction[name] = nil
            keysByTransaction[placed(name)] = key
        }
        return inOrder.filter { $0.worldId == nil }.compactMap { placeless in
            var item = placeless
            item.worldBefore = worldId
            items[item.key] = item
            return item.stage == .failed ? .writeAttempt(item) : nil
        }
    }
}
