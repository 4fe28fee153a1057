import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Makes, changes and ends families.
enum FamilyControl {
    /// `GET /control/v1/families?after=…`
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let after = try request.queryNumber("after") ?? 0
            let countMax = Limits.familiesPerAnswerMax
            let found = try scene.world.database.read {
                try $0.families(after: after, countMax: countMax + 1)
            }
            let bodies = found.prefix(countMax).map { FamilyBody($0) }
            return .json(
                try WireJSON.encode(
                    FamiliesBody(
                        families: bodies, next: found.count > countMax ? bodies.last?.number : nil
                    )))
        }
    }

    /// `GET /control/v1/families/{number}`
    static func show(
        _ request: HTTPRequest, _ number: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let number = try named(number)
            let family = try scene.world.database.read { try $0.knownFamily(number) }
            return .json(try WireJSON.encode(FamilyBody(family)))
        }
    }

    /// `POST /control/v1/families`
    static func make(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(MakeFamilyBody.self)
            let time = scene.world.time
            let organiser = NamedAccountBody(environment: body.environment, name: body.organiser)
            scene.commit(responder) { scope in
                try FamilyChange.make(organiser, scope, time: time)
            } then: { outcome in
                try answer(outcome, status: 201, scene)
            }
        }
    }

    /// `POST /control/v1/families/{number}/add`: the same answer, but for what it came to, when
    /// the account is in the family already.
    static func add(
        _ request: HTTPRequest, _ number: String, _ scene: Scene, _ responder: Responder
    ) {
        change(number, scene, responder) {
            .add(try request.decoded(FamilyMemberNameBody.self).name)
        }
    }

    /// `POST /control/v1/families/{number}/remove`
    static func remove(
        _ request: HTTPRequest, _ number: String, _ scene: Scene, _ responder: Responder
    ) {
        change(number, scene, responder) {
            .remove(try request.decoded(FamilyMemberNameBody.self).name)
        }
    }

    /// `POST /control/v1/families/{number}/sharing`
    static func setSharing(
        _ request: HTTPRequest, _ number: String, _ scene: Scene, _ responder: Responder
    ) {
        change(number, scene, responder) {
            let body = try request.decoded(FamilySharingBody.self)
            return .setSharing(body.sharesPurchases, by: body.name)
        }
    }

    /// `DELETE /control/v1/families/{number}`
    static func delete(
        _ request: HTTPRequest, _ number: String, _ scene: Scene, _ responder: Responder
    ) {
        change(number, scene, responder) { .delete }
    }

    private static func change(
        _ number: String, _ scene: Scene, _ responder: Responder,
        _ read: () throws -> FamilyChange
    ) {
        scene.attempt(responder) {
            let change = try read()
            let number = try named(number)
            let time = scene.world.time
            scene.commitSettling(responder) { scope, left in
                try change.carryOut(on: number, except: left, scope, time: time)
            } then: { outcome in
                try answer(outcome, status: 200, scene)
            }
        }
    }

    private static func answer(
        _ outcome: FamilyChange.Outcome, status: Int, _ scene: Scene
    ) throws -> HTTPResponse {
        // What was due of the members' subscriptions was settled with it.
        scene.world.renewals.wake()
        for account in outcome.accounts { scene.world.updates.wake(account, .events) }
        let report = outcome.report
        scene.log.event(
            StoreEvent.familyChanged, ("family", .number(outcome.family.number.rawValue)),
            ("shared", .number(Int64(report.given))), ("takenBack", .number(Int64(report.taken))))
        let body = FamilyChangeBody(
            family: FamilyBody(outcome.family), shared: report.given, takenBack: report.taken,
            withoutRoom: report.withoutRoom)
        return .json(try WireJSON.encode(body), status: status)
    }

    private static func named(_ text: String) throws -> FamilyNumber {
        guard let number = Int64(text), "\(number)" == text else { throw Refusal.familyUnknown }
        return FamilyNumber(number)
    }
}

extension FamilyBody {
    init(_ family: Family) {
        self.init(
            number: family.number.rawValue, environment: family.environment,
            madeAt: family.madeAt,
            members: family.members.map {
                Member(
                    name: $0.name, isOrganiser: $0.member.isOrganiser,
                    sharesPurchases: $0.member.sharesPurchases, joinedAt: $0.joinedAt)
            })
    }
}
