import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Shows the owner the latest requests to a world.
enum ActivityService {
    /// `GET /control/v1/activity`; with `wait`, answers when there is another request.
    static func list(_ call: StoreCall, _ responder: Responder) throws {
        let inspector = try inspector(call)
        let world = call.world.name
        let question = try ActivityRing.Question(call.request)
        let countMax = try call.request.limit(
            Limits.activitiesPerAnswerMax, countMax: Limits.activitiesPerAnswerMax)
        let wait = min(try call.request.queryNumber("wait") ?? 0, Limits.pollSecondsMax)
        func answer() throws -> HTTPResponse {
            try .json(encoding: inspector.page(question, of: world, countMax: countMax))
        }
        func hasNews() -> Bool {
            let page = inspector.page(question, of: world, countMax: 1)
            return !page.requests.isEmpty || page.position < question.after
                || page.list != question.list ?? page.list
        }
        if wait == 0 { return responder.send(try answer()) }
        guard question.order == .oldest else {
            throw Refusal(
                400, "badQuery", "wait needs the oldest first: what happens next comes last.")
        }
        // News that is there needs no place.
        guard let watch = inspector.waiting(for: world), let pass = call.parts.watchers.acquire()
        else {
            guard hasNews() else { throw Refusal.busy }
            return responder.send(try answer())
        }
        // Wait first, then look: a request in between ends the wait.
        let number = watch.wait(seconds: wait, pass) { [context = call.context] in
            context.answer(responder) {
                try .json(encoding: inspector.page(question, of: world, countMax: countMax))
            }
        }
        guard let number else { throw Refusal.busy }
        if hasNews() { watch.end(number) }
    }

    /// `GET /control/v1/activity/{number}`
    static func show(_ call: StoreCall, _ text: String) throws -> ActivityDetailsBody {
        let inspector = try inspector(call)
        guard let number = Int64(text), "\(number)" == text,
            let details = inspector.details(number, of: call.world.name)
        else {
            throw Refusal(
                404, "activityUnknown",
                "No request with that number is kept; the oldest leave when new ones come.")
        }
        return details
    }

    private static func inspector(_ call: StoreCall) throws -> Inspector {
        guard let inspector = call.parts.inspector else {
            throw Refusal(
                404, "inspectorOff",
                "This store does not keep its latest requests. Start it with bodega serve --inspector, "
                    + "or without --no-inspector.")
        }
        return inspector
    }
}

extension ActivityRing.Question {
    private static let searchCharactersMax = 200

    init(_ request: HTTPRequest) throws {
        self.init()
        order = try request.queryName("order") ?? .oldest
        after = try request.after()
        list = request.queryValue("list")
        environment = try request.queryName("environment")
        account = try Self.account(request)
        status = try Self.status(request)
        guard let text = request.queryValue("search"), !text.isEmpty else { return }
        guard text.unicodeScalars.count <= Self.searchCharactersMax else {
            throw Refusal(
                400, "badQuery", "search has more than \(Self.searchCharactersMax) characters.")
        }
        search = text.lowercased()
    }

    /// A name without an account is allowed: the requests that name it are kept.
    private static func account(_ request: HTTPRequest) throws -> String? {
        guard let name = request.queryValue("account") else { return nil }
        guard (1...Limits.accountNameBytesMax).contains(name.utf8.count) else {
            throw Refusal(
                400, "badQuery",
                "account does not have 1 to \(Limits.accountNameBytesMax) bytes.")
        }
        return name
    }

    private static func status(_ request: HTTPRequest) throws -> Status? {
        guard let text = request.queryValue("status") else { return nil }
        if text == "refused" { return .refused }
        guard let number = Int(text), (0...599).contains(number) else {
            throw Refusal(400, "badQuery", "status is neither refused nor a number up to 599.")
        }
        return .number(number)
    }
}
