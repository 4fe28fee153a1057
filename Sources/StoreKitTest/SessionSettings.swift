import Foundation
import StoreKit

/// What a session's properties say: the file's settings at first.
struct SessionSettings: Hashable, Sendable {
    var storefront = "USA"
    var locale = "en_US"
    var disablesDialogs = false
    var asksToBuy = false
    var interruptsPurchases = false
    var timeRate = SKTestSession.TimeRate.realTime
    var hasGracePeriod = false
    var failsRenewals = false
    var failsTransactions = false
    var failureError = SKError.Code.unknown

    init() {}

    /// The settings of a configuration file; what it does not name is Apple's default.
    init(file: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: file)
        guard let settings = file.settings else { return }
        storefront = settings.storefront ?? storefront
        locale = settings.locale ?? locale
        disablesDialogs = settings.disableDialogs ?? disablesDialogs
        asksToBuy = settings.askToBuy ?? asksToBuy
        interruptsPurchases = settings.billingIssues ?? interruptsPurchases
        timeRate = settings.timeRate.flatMap(SKTestSession.TimeRate.init) ?? timeRate
        hasGracePeriod = settings.billingGracePeriod ?? hasGracePeriod
        failsRenewals = settings.renewalBillingIssues ?? failsRenewals
        failsTransactions = settings.failTransactions ?? failsTransactions
    }

    /// The members of a configuration file that a session reads; the store reads the rest.
    private struct File: Decodable {
        struct Settings: Decodable {
            let storefront: String?
            let locale: String?
            let disableDialogs: Bool?
            let askToBuy: Bool?
            let billingIssues: Bool?
            let timeRate: Int?
            let billingGracePeriod: Bool?
            let renewalBillingIssues: Bool?
            let failTransactions: Bool?

            enum CodingKeys: String, CodingKey {
                case storefront = "_storefront"
                case locale = "_locale"
                case disableDialogs = "_disableDialogs"
                case askToBuy = "_askToBuyEnabled"
                case billingIssues = "_billingIssuesEnabled"
                case timeRate = "_timeRate"
                case billingGracePeriod = "_billingGracePeriodEnabled"
                case renewalBillingIssues = "_renewalBillingIssuesEnabled"
                case failTransactions = "_failTransactionsEnabled"
            }
        }

        let settings: Settings?
    }
}
