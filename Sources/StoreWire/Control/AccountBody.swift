package import StoreModel

/// `POST /control/v1/accounts`: a test account.
package struct MakeAccountBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let name: String
    package let password: String
    /// ISO 3166-1 alpha-3; `USA` when absent.
    package let storefront: String?

    package init(
        environment: StoreEnvironment, name: String, password: String, storefront: String?
    ) {
        self.environment = environment
        self.name = name
        self.password = password
        self.storefront = storefront
    }
}

package struct AccountBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let name: String
    package let storefront: String

    package init(environment: StoreEnvironment, name: String, storefront: String) {
        self.environment = environment
        self.name = name
        self.storefront = storefront
    }
}

package struct AccountsBody: Codable, Hashable, Sendable {
    package let accounts: [AccountBody]

    package init(accounts: [AccountBody]) {
        self.accounts = accounts
    }
}
