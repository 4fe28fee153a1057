package import StoreModel

/// `POST /control/v1/accounts`: a test account.
package struct MakeAccountBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let name: String
    /// Nobody signs in to an account without one; its owner can, on a device of their choice, and can
    /// give it one later.
    package let password: String?
    /// ISO 3166-1 alpha-3; `USA` when absent.
    package let storefront: String?
    /// Whether its purchases need somebody else's approval; false when absent.
    package let needsApproval: Bool?

    package init(
        environment: StoreEnvironment, name: String, password: String?, storefront: String?,
        needsApproval: Bool? = nil
    ) {
        self.environment = environment
        self.name = name
        self.password = password
        self.storefront = storefront
        self.needsApproval = needsApproval
    }
}

/// An account as its owner sees it.
package struct AccountBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let name: String
    package let storefront: String
    /// Devices on which it is signed in.
    package let devicesSignedIn: Int
    /// Absent when the account is not locked.
    package let lock: AccountLockBody?
    /// Whether its purchases need somebody else's approval.
    package let needsApproval: Bool
    /// Whether its purchases are interrupted until the customer has settled something.
    package let interruptsPurchases: Bool
    /// Whether every renewal of its subscriptions fails.
    package let failsRenewals: Bool
    /// Absent unless it was deleted; its name is a pseudonym then.
    package let deletedAt: Timestamp?

    package init(
        environment: StoreEnvironment, name: String, storefront: String, devicesSignedIn: Int,
        lock: AccountLockBody?, settings: AccountSettings, deletedAt: Timestamp? = nil
    ) {
        self.environment = environment
        self.name = name
        self.storefront = storefront
        self.devicesSignedIn = devicesSignedIn
        self.lock = lock
        needsApproval = settings.needsApproval
        interruptsPurchases = settings.interruptsPurchases
        failsRenewals = settings.failsRenewals
        self.deletedAt = deletedAt
    }
}

/// Why the account cannot sign in now.
package struct AccountLockBody: Codable, Hashable, Sendable {
    package enum Cause: String, Codable, CaseIterable, Sendable {
        case owner
        case wrongPasswords
    }

    package let by: Cause
    package let reason: String
    /// Milliseconds since 1970, by the real clock; absent for a lock without an end.
    package let until: Timestamp?

    package init(by: Cause, reason: String, until: Timestamp?) {
        self.by = by
        self.reason = reason
        self.until = until
    }
}

/// `GET /control/v1/accounts`: in the order in which they were made.
package struct AccountsBody: Codable, Hashable, Sendable {
    package let accounts: [AccountBody]
    /// The `after` of the next page; absent on the last.
    package let next: Int64?

    package init(accounts: [AccountBody], next: Int64?) {
        self.accounts = accounts
        self.next = next
    }
}

/// `GET /control/v1/accounts/details?account=…`: an account, and how much there is of it.
package struct AccountDetailsBody: Codable, Hashable, Sendable {
    package let account: AccountBody
    /// By the world's clock.
    package let madeAt: Timestamp
    /// Its credit, one for each currency in which it ever had any, by their codes.
    package let balances: [BalanceBody]
    /// The installations on which it has signed in, now or before.
    package let devices: CountBody
    /// Its purchases and renewals, and its copies of what its family bought.
    package let transactions: CountBody
    /// Purchases that wait for an approval, for the customer or for a payment.
    package let waitingPurchases: CountBody
    package let subscriptions: SubscriptionCountsBody
    /// Absent for an account in none.
    package let family: FamilyBody?

    package init(
        account: AccountBody, madeAt: Timestamp, balances: [BalanceBody], devices: CountBody,
        transactions: CountBody, waitingPurchases: CountBody,
        subscriptions: SubscriptionCountsBody, family: FamilyBody?
    ) {
        self.account = account
        self.madeAt = madeAt
        self.balances = balances
        self.devices = devices
        self.transactions = transactions
        self.waitingPurchases = waitingPurchases
        self.subscriptions = subscriptions
        self.family = family
    }
}

/// `POST /control/v1/accounts/unlock` and `…/sign-out`
package struct NamedAccountBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String

    package init(environment: StoreEnvironment? = nil, name: String) {
        self.environment = environment
        self.name = name
    }
}

/// `POST /control/v1/accounts/lock`
package struct LockAccountBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// The reason shown to a customer who signs in with the right password.
    package let reason: String?
    /// Milliseconds since 1970, by the real clock; absent for a lock without an end.
    package let until: Timestamp?

    package init(
        environment: StoreEnvironment? = nil, name: String, reason: String?, until: Timestamp?
    ) {
        self.environment = environment
        self.name = name
        self.reason = reason
        self.until = until
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `POST /control/v1/accounts/password`
package struct ResetPasswordBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    package let password: String

    package init(environment: StoreEnvironment? = nil, name: String, password: String) {
        self.environment = environment
        self.name = name
        self.password = password
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// `POST /control/v1/accounts/delete`
package struct DeleteAccountBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// A UUID made by the sender: a repeated request has the same one.
    package let requestId: String

    package init(environment: StoreEnvironment? = nil, name: String, requestId: String) {
        self.environment = environment
        self.name = name
        self.requestId = requestId
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}

/// What is left of a deleted account.
package struct DeletedAccountBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    /// The pseudonym under which its history is kept.
    package let account: String
    /// By the world's clock.
    package let deletedAt: Timestamp
    /// Its credit, which nobody can spend any longer.
    package let balances: [BalanceBody]

    package init(
        environment: StoreEnvironment, account: String, deletedAt: Timestamp,
        balances: [BalanceBody]
    ) {
        self.environment = environment
        self.account = account
        self.deletedAt = deletedAt
        self.balances = balances
    }
}

/// `POST /control/v1/accounts/storefront`
package struct SetStorefrontBody: Codable, Hashable, Sendable {
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let name: String
    /// ISO 3166-1 alpha-3.
    package let storefront: String

    package init(environment: StoreEnvironment? = nil, name: String, storefront: String) {
        self.environment = environment
        self.name = name
        self.storefront = storefront
    }

    package var named: NamedAccountBody { NamedAccountBody(environment: environment, name: name) }
}
