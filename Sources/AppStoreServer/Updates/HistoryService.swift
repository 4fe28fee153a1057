import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Shows the owner what happened in a world.
enum HistoryService {
    /// `GET /control/v1/events`; with `wait`, answers when something happens.
    static func list(_ call: StoreCall, _ responder: Responder) throws {
        let question = try Question(call)
        let wait = min(try call.request.queryNumber("wait") ?? 0, Limits.pollSecondsMax)
        if wait == 0 { return responder.send(try question.answer()) }
        guard question.order == .oldest else {
            throw Refusal(
                400, "badQuery", "wait needs the oldest first: what happens next comes last.")
        }
        // News that is there needs no place.
        guard let pass = call.parts.watchers.acquire() else {
            guard try question.hasNews() else { throw Refusal.busy }
            return responder.send(try question.answer())
        }
        // Wait first, then look: an event in between ends the wait.
        let history = call.world.history
        let number = history.wait(seconds: wait, pass) {
            call.context.answer(responder) { try question.answer() }
        }
        guard let number else { throw Refusal.busy }
        if try question.hasNews() { history.end(number) }
    }

    /// `GET /control/v1/events/{event}`
    static func show(_ call: StoreCall, _ text: String) throws -> EventDetailsBody {
        let unknown = Refusal(404, "eventUnknown", "This world has no event with that number.")
        guard let number = Int64(text), "\(number)" == text else { throw unknown }
        return try call.world.database.read { scope in
            guard let event = try scope.historyEvent(EventNumber(number)) else { throw unknown }
            let sold = event.transactionId.flatMap { Int64($0) }
            return EventDetailsBody(
                event: event, transaction: try sold.flatMap { try scope.sale(TransactionID($0)) })
        }
    }

    /// What a request asks of the history.
    private struct Question: Sendable {
        let order: ListOrder
        private let filter: HistoryFilter
        private let after: Int64
        private let list: String?
        private let countMax: Int
        private let world: World

        init(_ call: StoreCall) throws {
            order = try call.request.queryName("order") ?? .oldest
            after = try call.request.after()
            list = call.request.queryValue("list")
            countMax = try call.request.limit(
                Limits.eventsPerAnswerMax, countMax: Limits.eventsPerAnswerMax)
            world = call.world
            filter = try world.database.read { try HistoryFilter(call.request, $0) }
        }

        /// Whether there is something to tell, or more to look at, or the place is of another history.
        func hasNews() throws -> Bool {
            let found = try body(countMax: 1)
            return !found.events.isEmpty || found.next != nil || found.position < after
                || found.list != list ?? found.list
        }

        func answer() throws -> HTTPResponse { try .json(encoding: body(countMax: countMax)) }

        private func body(countMax: Int) throws -> EventsBody {
            try world.database.read { scope in
                let last = try scope.lastEventNumber().rawValue
                var end: Int64?
                let page = try Page(of: countMax) {
                    // A cursor from the future comes from a world that was set back.
                    let place = order == .oldest ? min(after, last) : after
                    let found = try scope.history(
                        filter, after: place == 0 ? nil : place, order, countMax: $0)
                    end = found.end
                    return found.events
                }
                let next = page.next(\.number) ?? end
                return EventsBody(
                    events: page.items, list: world.id, next: next,
                    position: order == .oldest ? next ?? last : last)
            }
        }
    }
}
