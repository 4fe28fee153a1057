import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Makes and lists developer accounts, which own apps.
enum DeveloperService {
    static func list(_ call: StoreCall) throws -> DevelopersBody {
        let names = try call.world.database.read { try $0.developers() }
        return DevelopersBody(developers: names.map { DeveloperBody(name: $0) })
    }

    static func add(_ call: StoreCall, _ body: DeveloperBody) async throws -> DeveloperBody {
        let name = try checked(body.name, "name", bytesMax: Limits.accountNameBytesMax)
        guard !PathName.isOnlyDots(name) else {
            throw Refusal(
                422, "badField", "name must have more than full stops.")
        }
        try await call.context.commit { scope in
            guard try scope.addDeveloper(name) else {
                throw Refusal(
                    409, "nameTaken", "The name \"\(name)\" is taken; choose another.")
            }
            // The refusal undoes the addition.
            guard try scope.reading.developerCount() <= Limits.developersMax else {
                throw Refusal(
                    409, "tooManyDevelopers",
                    "A world has at most \(Limits.developersMax) developer accounts.")
            }
        }
        call.log.event(StoreEvent.developerMade, ("developer", .text(name)))
        return DeveloperBody(name: name)
    }
}
