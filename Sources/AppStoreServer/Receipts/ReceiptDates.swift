import StoreModel
import StoreWire

/// Writes dates as `verifyReceipt` has them: in UTC, in milliseconds, in Los Angeles. An answer
/// repeats most of its dates, so each is formatted once.
struct ReceiptDates {
    private struct Texts {
        let utc: String
        let milliseconds: String
        let pacific: String
    }

    private var known: [Timestamp: Texts] = [:]

    /// `capacity` is about how many there are.
    init(capacity: Int = 0) {
        known.reserveCapacity(capacity)
    }

    mutating func write(_ name: String, _ date: Timestamp, to writer: inout JSONWriter) {
        let texts = texts(of: date)
        writer.member(name, plain: texts.utc)
        writer.member(name, "_ms", plain: texts.milliseconds)
        writer.member(name, "_pst", plain: texts.pacific)
    }

    private mutating func texts(of date: Timestamp) -> Texts {
        if let texts = known[date] { return texts }
        let texts = Texts(
            utc: CalendarDate(date).spaced + " Etc/GMT",
            milliseconds: String(date.milliseconds),
            pacific: PacificTime.date(at: date).spaced + " America/Los_Angeles")
        known[date] = texts
        return texts
    }
}
