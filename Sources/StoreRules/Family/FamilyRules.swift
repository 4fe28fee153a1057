package import StoreModel

/// Why a change of a family is refused.
package enum FamilyRefusal: Error, Hashable, Sendable {
    /// An account is in at most one family.
    case inFamily
    case full
    case notMember
    /// A family cannot exist without its organiser; it can only end.
    case organiserStays
}

/// The members of a family.
package enum FamilyRules {
    /// The organiser and five others.
    package static let membersMax = 6

    /// The family of the account that makes one. `known` is the account's current family.
    package static func made(
        by account: AccountID, known: FamilyNumber?
    ) throws(FamilyRefusal) -> [FamilyMember] {
        guard known == nil else { throw .inFamily }
        return [FamilyMember(account: account, isOrganiser: true)]
    }

    /// The family with one more member; unchanged if the account is already in it.
    package static func adding(
        _ account: AccountID, known: FamilyNumber?, to family: FamilyNumber,
        _ members: [FamilyMember]
    ) throws(FamilyRefusal) -> [FamilyMember] {
        if known == family { return members }
        guard known == nil else { throw .inFamily }
        guard members.count < membersMax else { throw .full }
        return members + [FamilyMember(account: account)]
    }

    /// The family without one of its members.
    package static func removing(
        _ account: AccountID, from members: [FamilyMember]
    ) throws(FamilyRefusal) -> [FamilyMember] {
        guard let member = members.first(where: { $0.account == account }) else {
            throw .notMember
        }
        guard !member.isOrganiser else { throw .organiserStays }
        return members.filter { $0.account != account }
    }

    /// The family after a member starts or stops sharing.
    package static func sharing(
        _ isOn: Bool, by account: AccountID, in members: [FamilyMember]
    ) throws(FamilyRefusal) -> [FamilyMember] {
        guard members.contains(where: { $0.account == account }) else { throw .notMember }
        return members.map { member in
            guard member.account == account else { return member }
            return FamilyMember(
                account: account, isOrganiser: member.isOrganiser, sharesPurchases: isOn)
        }
    }
}
