import StoreModel

extension RenewalWorker {
    /// What is looked at under the worker's lock.
    struct State {
        var advance: ClockAdvance?
        var isCancelling = false
        var setAside = SetAside()
        var advancesBegun: Int64 = 0
        var atEnd: [@Sendable () -> Void] = []
        /// Requests on their way that set the clock.
        var settings = 0
    }
}
