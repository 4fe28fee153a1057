import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Makes, changes and ends families.
enum FamilyService {
    static func list(_ call: StoreCall) throws -> FamiliesBody {
        let after = try call.request.after()
        let page = try call.world.database.read { scope in
            try Page(of: Limits.familiesPerAnswerMax) {
                try scope.families(after: after, countMax: $0)
            }
        }
        return FamiliesBody(
            families: page.items.map { FamilyBody($0) }, next: page.next(\.number.rawValue))
    }

    static func show(_ call: StoreCall, _ number: String) throws -> FamilyBody {
        let number = try named(number)
        let family = try call.world.database.read { try $0.knownFamily(number) }
        return FamilyBody(family)
    }

    static func make(_ call: StoreCall, _ body: MakeFamilyBody) async throws -> FamilyChangeBody {
        let time = call.world.time
        let organiser = NamedAccountBody(environment: body.environment, name: body.organiser)
        let outcome = try await call.context.commit { scope in
            try FamilyChange.make(organiser, scope, time: time)
        }
        return answer(outcome, call.context)
    }

    /// `POST /control/v1/families/{number}/add`: the same answer, except for the counts, when the
    /// account is already in the family.
    static func add(_ call: StoreCall, _ body: FamilyMemberNameBody, _ number: String) async throws
        -> FamilyChangeBody
    {
        try await change(call, number, .add(body.name))
    }

    static func remove(_ call: StoreCall, _ body: FamilyMemberNameBody, _ number: String)
        async throws
        -> FamilyChangeBody
    {
        try await change(call, number, .remove(body.name))
    }

    static func setSharing(_ call: StoreCall, _ body: FamilySharingBody, _ number: String)
        async throws
        -> FamilyChangeBody
    {
        try await change(call, number, .setSharing(body.sharesPurchases, by: body.name))
    }

    static func delete(_ call: StoreCall, _ number: String) async throws -> FamilyChangeBody {
        try await change(call, number, .delete)
    }

    private static func change(
        _ call: StoreCall, _ number: String, _ change: FamilyChange
    ) async throws -> FamilyChangeBody {
        let number = try named(number)
        let time = call.world.time
        let outcome = try await call.context.commitSettling { scope, left in
            try change.carryOut(on: number, except: left, scope, time: time)
        }
        return answer(outcome, call.context)
    }

    private static func answer(
        _ outcome: FamilyChange.Outcome, _ scene: Scene
    ) -> FamilyChangeBody {
        // The change also settled what was due of the members' subscriptions.
        scene.world.renewals.wake()
        for account in outcome.accounts { scene.world.updates.wake(account, .events) }
        let report = outcome.report
        scene.log.event(
            StoreEvent.familyChanged, ("family", .number(outcome.family.number.rawValue)),
            ("shared", .number(Int64(report.given))), ("takenBack", .number(Int64(report.taken))))
        return FamilyChangeBody(
            family: FamilyBody(outcome.family), shared: report.given, takenBack: report.taken,
            withoutRoom: report.withoutRoom)
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
