package import StoreModel

/// `POST /control/v1/families`
package struct MakeFamilyBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    /// The account's name.
    package let organiser: String

    package init(environment: StoreEnvironment? = nil, organiser: String) {
        self.environment = environment
        self.organiser = organiser
    }
}

/// `POST /control/v1/families/{number}/add` and `…/remove`
package struct FamilyMemberNameBody: Codable, Hashable, Sendable {
    /// An account of the family's environment.
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// `POST /control/v1/families/{number}/sharing`
package struct FamilySharingBody: Codable, Hashable, Sendable {
    package let name: String
    package let sharesPurchases: Bool

    package init(name: String, sharesPurchases: Bool) {
        self.name = name
        self.sharesPurchases = sharesPurchases
    }
}

/// A family. Its times are by the world's clock.
package struct FamilyBody: Codable, Hashable, Sendable {
    package struct Member: Codable, Hashable, Sendable {
        package let name: String
        package let isOrganiser: Bool
        /// Whether this member's purchases are shared with the others.
        package let sharesPurchases: Bool
        package let joinedAt: Timestamp

        package init(
            name: String, isOrganiser: Bool, sharesPurchases: Bool, joinedAt: Timestamp
        ) {
            self.name = name
            self.isOrganiser = isOrganiser
            self.sharesPurchases = sharesPurchases
            self.joinedAt = joinedAt
        }
    }

    package let number: Int64
    package let environment: StoreEnvironment
    package let madeAt: Timestamp
    /// The organiser first; empty for a family that has ended.
    package let members: [Member]

    package init(
        number: Int64, environment: StoreEnvironment, madeAt: Timestamp, members: [Member]
    ) {
        self.number = number
        self.environment = environment
        self.madeAt = madeAt
        self.members = members
    }
}

/// The result of changing a family.
package struct FamilyChangeBody: Codable, Hashable, Sendable {
    /// The family after the change.
    package let family: FamilyBody
    /// The transactions by which members received what others had bought.
    package let shared: Int
    /// Shared transactions that members lost.
    package let takenBack: Int
    /// Purchases that a member did not get because the member's receipt is full.
    package let withoutRoom: Int

    package init(family: FamilyBody, shared: Int, takenBack: Int, withoutRoom: Int) {
        self.family = family
        self.shared = shared
        self.takenBack = takenBack
        self.withoutRoom = withoutRoom
    }
}

/// `GET /control/v1/families`, oldest first.
package struct FamiliesBody: Codable, Hashable, Sendable {
    package let families: [FamilyBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(families: [FamilyBody], next: Int64?) {
        self.families = families
        self.next = next
    }
}
