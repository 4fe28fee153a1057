import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Makes and lists developer accounts, which own apps.
enum DeveloperControl {
    /// `GET /control/v1/developers`
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let names = try scene.world.database.read { try $0.developers() }
            let body = DevelopersBody(developers: names.map { DeveloperBody(name: $0) })
            return .json(try WireJSON.encode(body))
        }
    }

    /// `POST /control/v1/developers`
    static func add(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let name = try checked(
                try request.decoded(DeveloperBody.self).name, "name",
                bytesMax: Limits.accountNameBytesMax)
            scene.commit(responder) { scope in
                guard try scope.addDeveloper(name) else {
                    throw Refusal(
                        409, "nameTaken", "There is a developer account \"\(name)\" already.")
                }
                // What was added is taken back with the refusal.
                guard try scope.reading({ try $0.developerCount() }) <= Limits.developersMax else {
                    throw Refusal(
                        409, "tooManyDevelopers",
                        "A world has at most \(Limits.developersMax) developer accounts.")
                }
            } then: {
                scene.log.event(StoreEvent.developerMade, ("developer", .text(name)))
                return .json(try WireJSON.encode(DeveloperBody(name: name)), status: 201)
            }
        }
    }
}
