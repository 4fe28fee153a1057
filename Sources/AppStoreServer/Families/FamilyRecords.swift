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
        try value(
            "SELECT family_number FROM family_member WHERE account_id = ?1", [account])
    }

    /// The family of an account, with itself; empty when it has none.
    borrowing func family(of account: AccountID) throws -> [FamilyMember] {
        guard let number = try familyNumber(of: account) else { return [] }
        return try members(of: number).map(\.member)
    }

    borrowing func family(_ number: FamilyNumber) throws -> Family? {
        guard
            let row = try row(
                "SELECT number, environment, made_ms FROM family WHERE number = ?1", [number])
        else { return nil }
        return try family(row)
    }

    /// The families after a number, in the order of their numbers.
    borrowing func families(after number: Int64, countMax: Int) throws -> [Family] {
        let found = try rows(
            """
            SELECT number, environment, made_ms FROM family
            WHERE number > ?1 ORDER BY number LIMIT ?2
            """, [number, countMax])
        var families: [Family] = []
        for row in found { families.append(try family(row)) }
        return families
    }

    private borrowing func family(_ row: Row) throws -> Family {
        let number: FamilyNumber = try row["number"]
        return Family(
            number: number, environment: try row["environment"], madeAt: try row["made_ms"],
            members: try members(of: number))
    }

    private borrowing func members(of family: FamilyNumber) throws -> [Family.Member] {
        try rows(
            """
            SELECT account_id, is_organiser, shares_purchases, joined_ms, account.name
            FROM family_member JOIN account ON account.id = account_id
            WHERE family_number = ?1 ORDER BY position
            """, [family]
        ).map { row in
            Family.Member(
                member: FamilyMember(
                    account: try row["account_id"], isOrganiser: try row["is_organiser"],
                    sharesPurchases: try row["shares_purchases"]),
                name: try row["name"], joinedAt: try row["joined_ms"])
        }
    }
}

extension WriteScope {
    borrowing func addFamily(
        in environment: StoreEnvironment, at now: Timestamp
    ) throws -> FamilyNumber {
        let number = try next("family")
        try insert(
            into: "family",
            [
                "number": number, "environment": environment, "made_ms": now,
            ])
        return FamilyNumber(number)
    }

    /// Stores a family's members after a change; those who stay keep their place and date.
    borrowing func setMembers(
        of family: FamilyNumber, from before: [FamilyMember], to after: [FamilyMember],
        at now: Timestamp
    ) throws {
        for gone in before where !after.contains(where: { $0.account == gone.account }) {
            try execute(
                "DELETE FROM family_member WHERE account_id = ?1", [gone.account])
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
                    member.account, family, try next("family_member"), member.isOrganiser,
                    member.sharesPurchases, now,
                ])
        }
    }

    /// Deletes a family without members.
    borrowing func deleteFamily(_ number: FamilyNumber) throws {
        try execute("DELETE FROM family WHERE number = ?1", [number])
    }
}
