import Foundation
import StoreModel
import StoreWire

extension BodegaWorld {
    /// Makes a customer.
    ///
    /// - Parameters:
    ///   - name: As it is written at the sign-in, without a colon.
    ///   - password: The usual one of all customers when nil.
    ///   - storefront: The country, as three letters.
    ///   - needsApproval: Whether somebody else must approve each purchase.
    public func account(
        _ name: String, password: String? = nil, storefront: String = "USA",
        needsApproval: Bool = false
    ) async throws -> Account {
        guard !name.contains(":") else {
            throw BodegaError(
                "nameUnusable",
                "The name \(name) has a colon, which ends the name in STOREKIT_ACCOUNT, so no device "
                    + "could sign in with it.")
        }
        let account = Account(name: name, password: password ?? Self.usualPassword)
        _ = try await ask(
            AccountBody.self, "POST", "/accounts",
            MakeAccountBody(
                environment: .sandbox, name: name, password: account.password,
                storefront: storefront, needsApproval: needsApproval))
        return account
    }

    /// Moves a customer to another country.
    public func move(_ account: Account, toStorefront storefront: String) async throws {
        _ = try await named(account) {
            try await ask(
                AccountBody.self, "POST", "/accounts/storefront",
                SetStorefrontBody(name: account.name, storefront: storefront))
        }
    }

    /// What a customer has in store credit, in thousandths, by the code of the currency.
    public func credit(of account: Account) async throws -> [String: Int64] {
        let name = ControlDoor.escaped(account.name)
        let body = try await named(account) {
            try await ask(
                CreditBody.self, "GET",
                "/accounts/credit?account=\(name)&environment=sandbox")
        }
        return body.balances.reduce(into: [:]) { $0[$1.currency] = $1.milliunits }
    }

    /// Adds to a customer's store credit, in the currency of their country: `"10"` or `"4.99"`.
    public func topUp(_ amount: String, for account: Account) async throws {
        _ = try await named(account) {
            try await ask(
                CreditEntryBody.self, "POST", "/accounts/credit/top-up",
                TopUpBody(name: account.name, requestId: UUID().uuidString, amount: amount))
        }
    }

    /// Asks about a customer; one that the world does not know is answered with the nearest name.
    func named<Answer>(
        _ account: Account, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch let error as BodegaError where error.code == "accountUnknown" {
            let known = try? await ask(AccountsBody.self, "GET", "/accounts?order=newest")
            throw error.naming(
                Spelling.nearest(to: account.name, of: known?.accounts.map(\.name) ?? []))
        }
    }
}

extension BodegaError {
    /// The same, with the name that was probably meant.
    func naming(_ near: String?) -> BodegaError {
        near.map {
            BodegaError(code, "\(description) (did you mean \($0)?)", isRefusal: isRefusal)
        } ?? self
    }
}
