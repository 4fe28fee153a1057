import StoreDatabase
import StoreModel

/// A family as its world keeps it.
struct Family: Sendable {
    struct Member: Sendable {
        let member: FamilyMember
        let name: String
        let joinedAt: Timestamp
    }

    let number: FamilyNumber
    let environment: StoreEnvironment
    let madeAt: Timestamp
    /// The organiser first, the others as they joined.
    let members: [Member]
}

extension ReadScope {
    /// The family that an account is in.
    borrowing func familyNumber(of account: AccountID) throws -> FamilyNumber? {
        try row(
            "SELECT family_number FROM family_member WHERE account_id = ?1",
            [.integer(account.rawValue)]
        ).map { FamilyNumber($0.integer(0)) }
    }

    /// The family of an account, with itself; empty when it has none.
    borrowing func family(of account: AccountID) throws -> [FamilyMember] {
        guard let number = try familyNumber(of: account) else { return [] }
        return try members(of: number).map(\.member)
    }

    borrowing func family(_ number: FamilyNumber) throws -> Family? {
        guard
            let row = try row(
                "SELECT number, environment, made_ms FROM family WHERE number = ?1",
                [.integer(number.rawValue)])
        else { return nil }
        return try family(row)
    }

    /// Those after one of them, in the order of their numbers.
    borrowing func families(after number: Int64, countMax: Int) throws -> [Family] {
        let found = try rows(
            """
            SELECT number, environment, made_ms FROM family
            WHERE number > ?1 ORDER BY number LIMIT ?2
            """, [.integer(number), .integer(Int64(countMax))])
        var families: [Family] = []
        for row in found { families.append(try family(row)) }
        return families
    }

    private borrowing func family(_ row: Row) throws -> Family {
        let number = FamilyNumber(row.integer(0))
        return Family(
            number: number, environment: try StoreEnvironment(stored: row.text(1)),
            madeAt: Timestamp(milliseconds: row.integer(2)), members: try members(of: number))
    }

    private borrowing func members(of family: FamilyNumber) throws -> [Family.Member] {
        try rows(
            """
            SELECT account_id, is_organiser, shares_purchases, joined_ms, account.name
            FROM family_member JOIN account ON account.id = account_id
            WHERE family_number = ?1 ORDER BY position
            """, [.integer(family.rawValue)]
        ).map { row in
            Family.Member(
                member: FamilyMember(
                    account: AccountID(row.integer(0)), isOrganiser: row.integer(1) != 0,
                    sharesPurchases: row.integer(2) != 0),
                name: row.text(4), joinedAt: Timestamp(milliseconds: row.integer(3)))
        }
    }
}

extension WriteScope {
    borrowing func addFamily(
        in environment: StoreEnvironment, at now: Timestamp
    ) throws -> FamilyNumber {
        let number = try next("family")
        try execute(
            "INSERT INTO family (number, environment, made_ms) VALUES (?1, ?2, ?3)",
            [.integer(number), .text(environment.rawValue), .integer(now.milliseconds)])
        return FamilyNumber(number)
    }

    /// Makes a family's members those after a change; who joined keeps place and date.
    borrowing func setMembers(
        of family: FamilyNumber, from before: [FamilyMember], to after: [FamilyMember],
        at now: Timestamp
    ) throws {
        for gone in before where !after.contains(where: { $0.account == gone.account }) {
            try execute(
                "DELETE FROM family_member WHERE account_id = ?1",
                [.integer(gone.account.rawValue)])
        }
        for member in after where !before.contains(member) {
            try execute(
                """
                INSERT INTO family_member (account_id, family_number, position, is_organiser,
                    shares_purchases, joined_ms)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (account_id) DO UPDATE SET shares_purchases = ?5
                """,
                [
                    .integer(member.account.rawValue), .integer(family.rawValue),
                    .integer(try next("family_member")), .integer(member.isOrganiser ? 1 : 0),
                    .integer(member.sharesPurchases ? 1 : 0), .integer(now.milliseconds),
                ])
        }
    }

    /// Deletes a family without members.
    borrowing func deleteFamily(_ number: FamilyNumber) throws {
        try execute("DELETE FROM family WHERE number = ?1", [.integer(number.rawValue)])
    }
}
