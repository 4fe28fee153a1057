package import StoreModel

extension NotificationDisorder {
    /// Nothing is spoilt.
    package static let none = NotificationDisorder(
        seed: 0, dropped: 0, duplicated: 0, reordered: 0, delayed: 0, delayMilliseconds: 0)

    package var isNone: Bool {
        dropped == 0 && duplicated == 0 && reordered == 0 && delayed == 0
    }

    /// How long one that waits for a later notification waits at most.
    private static let behindMilliseconds: Int64 = 86_400_000

    /// When a notification is first due, and whether it waits for a later one's attempt.
    package func place(
        of number: NotificationNumber, madeAt: Timestamp
    ) -> (dueAt: Timestamp, isBehind: Bool) {
        if isHit(reordered, number, .reorder) {
            return (madeAt.adding(milliseconds: Self.behindMilliseconds), true)
        }
        guard delayMilliseconds > 0, isHit(delayed, number, .delay) else { return (madeAt, false) }
        let delay = draw(number, .length) % UInt64(delayMilliseconds) + 1
        return (madeAt.adding(milliseconds: Int64(delay)), false)
    }

    /// Whether an attempt, counted from 1, is never sent.
    package func drops(_ number: NotificationNumber, attempt: Int) -> Bool {
        isHit(dropped, number, .drop, attempt)
    }

    package func duplicates(_ number: NotificationNumber) -> Bool {
        isHit(duplicated, number, .duplicate)
    }

    private enum Purpose: UInt64 {
        case drop = 1, duplicate, reorder, delay, length
    }

    private func isHit(
        _ percent: Int, _ number: NotificationNumber, _ purpose: Purpose, _ attempt: Int = 0
    ) -> Bool {
        draw(number, purpose, attempt) % 100 < UInt64(max(percent, 0))
    }

    private func draw(
        _ number: NotificationNumber, _ purpose: Purpose, _ attempt: Int = 0
    ) -> UInt64 {
        SeededDraw.number(
            seed, UInt64(bitPattern: number.rawValue), purpose.rawValue, UInt64(attempt))
    }
}
