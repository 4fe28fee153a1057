import StoreModel

extension RenewalWorker {
    /// What is looked at under the worker's lock.
    struct State {
        var isRunning = false
        /// Something changed while it ran.
        var runsAgain = false
        var isClosed = false
        /// Of the timer that counts; others are too late.
        var timer: Int64 = 0
        var advance: ClockAdvance?
        var isCancelling = false
        /// The advance waits for payments, and for whoever wakes it after them.
        var isHeldUp = false
        var setAside = SetAside()
        var advancesBegun: Int64 = 0
        var atEnd: [@Sendable () -> Void] = []
        /// Requests on their way that set the clock.
        var settings = 0
        /// Who waits for a look that begins after they came.
        var atPass: [@Sendable () -> Void] = []

        mutating func takePass() -> [@Sendable () -> Void] {
            defer { atPass.removeAll() }
            return atPass
        }
    }
}
