import StoreModel

extension RenewalWorker {
    /// The state behind the worker's lock.
    struct State {
        var advance: ClockAdvance?
        var isCancelling = false
        var setAside = SetAside()
        var advancesBegun: Int64 = 0
        var atEnd: [@Sendable () -> Void] = []
        /// Whether a request is setting the clock.
        var isSetting = false

        mutating func begin(from: Timestamp, to: Timestamp, movesClock: Bool) -> ClockAdvance {
            advancesBegun += 1
            let begun = ClockAdvance(
                number: advancesBegun, from: from, to: to, movesClock: movesClock)
            advance = begun
            isCancelling = false
            return begun
        }
    }
}
