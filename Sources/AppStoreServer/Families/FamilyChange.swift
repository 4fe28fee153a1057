import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// A change of a family, on its way through one commit. What is due of its members' subscriptions
/// is settled first, so that they share what they should have by now.
enum FamilyChange: Sendable {
    case add(String)
    case remove(String)
    case setSharing(Bool, by: String)
    /// The family ends.
    case delete

    struct Outcome: Sendable {
        /// Without members when it ended.
        let family: Family
        let report: FamilySharing.Report
        /// The accounts whose devices are notified.
        let accounts: [AccountID]
    }

    /// Makes a family of one.
    static func make(
        _ organiser: NamedAccountBody, _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> Outcome {
        let account = try AccountUpkeepService.find(organiser, scope.reading)
        let known = try scope.reading.familyNumber(of: account.id)
        let members = try Refusal.family { () throws(FamilyRefusal) in
            try FamilyRules.made(by: account.id, known: known)
        }
        let now = time.recordNow()
        let number = try scope.addFamily(in: account.environment, at: now)
        try scope.setMembers(of: number, from: [], to: members, at: now)
        return Outcome(
            family: try scope.reading.knownFamily(number),
            report: FamilySharing.Report(), accounts: [account.id])
    }

    /// Throws a `DueTrouble` for a member's subscription that is due and cannot be settled; that
    /// undoes the commit. The subscriptions in `left` are passed over.
    func carryOut(
        on number: FamilyNumber, except left: Set<TransactionID>,
        _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> Outcome {
        let family = try scope.reading.knownFamily(number)
        let before = family.members.map(\.member)
        let after = try self.members(after: before, in: family, scope.reading)
        let accounts = (before + after.filter { !before.contains($0) }).map(\.account)
        let now = time.now()
        try Settlement.settleDue(of: accounts, except: left, scope, at: now, time: time)
        let recorded = time.record(now)
        try scope.setMembers(of: number, from: before, to: after, at: recorded)
        let report = try FamilySharing.settle(from: before, to: after, at: recorded, scope)
        let changed = try scope.reading.knownFamily(number)
        if after.isEmpty { try scope.deleteFamily(number) }
        return Outcome(family: changed, report: report, accounts: accounts)
    }

    private func members(
        after before: [FamilyMember], in family: Family, _ scope: borrowing ReadScope
    ) throws -> [FamilyMember] {
        func account(_ name: String) throws -> AccountID {
            try AccountUpkeepService.find(
                NamedAccountBody(environment: family.environment, name: name), scope
            ).id
        }
        switch self {
        case .add(let name):
            let account = try account(name)
            let known = try scope.familyNumber(of: account)
            return try Refusal.family { () throws(FamilyRefusal) in
                try FamilyRules.adding(account, known: known, to: family.number, before)
            }
        case .remove(let name):
            let account = try account(name)
            return try Refusal.family { () throws(FamilyRefusal) in
                try FamilyRules.removing(account, from: before)
            }
        case .setSharing(let isOn, let name):
            let account = try account(name)
            return try Refusal.family { () throws(FamilyRefusal) in
                try FamilyRules.sharing(isOn, by: account, in: before)
            }
        case .delete: return []
        }
    }
}

extension ReadScope {
    borrowing func knownFamily(_ number: FamilyNumber) throws -> Family {
        guard let family = try family(number) else { throw Refusal.familyUnknown }
        return family
    }
}

extension Refusal {
    static let familyUnknown = Refusal(
        404, "familyUnknown", "This world has no family with that number.")

    /// Decides by the rules of families; refuses as they do.
    fileprivate static func family(
        _ decide: () throws(FamilyRefusal) -> [FamilyMember]
    ) throws -> [FamilyMember] {
        do {
            return try decide()
        } catch {
            throw Refusal(error)
        }
    }

    private init(_ refusal: FamilyRefusal) {
        switch refusal {
        case .inFamily:
            self.init(
                409, "inFamily",
                "The account is already in a family; remove it from that one, or delete that "
                    + "family, first.")
        case .full:
            self.init(
                409, "familyFull",
                "The family has \(FamilyRules.membersMax) members, which is the limit; remove one "
                    + "first.")
        case .notMember:
            self.init(409, "notInFamily", "The account is not a member of this family.")
        case .organiserStays:
            self.init(
                409, "organiserStays",
                "The organiser cannot leave the family; delete the family to end it.")
        }
    }
}
